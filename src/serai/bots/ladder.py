"""The published ladder: how strong the bots of a game are, from a file in the game's folder."""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec

from serai.core.game import Game
from serai.core.registry import game_data
from serai.errors import SeraiError

FILE: Final = "ladder.json"


class Rung(msgspec.Struct, frozen=True):
    """One bot among all others of its game."""

    bot: str
    rating: float
    """Plackett–Luce, on the scale of Elo; the anchor is 1500."""
    low: float
    high: float
    """The 95 % interval."""
    wins: float
    """Its share of victories at tables with all others."""
    mean_place: float
    score: float
    games: int


class Ladder(msgspec.Struct, frozen=True):
    """The bots of a game, best first, and how they were rated."""

    game: str
    rules: str
    serai: str
    """The version with which they were played."""
    seats: int
    """At every table."""
    games: int
    seed: str
    anchor: str
    rungs: tuple[Rung, ...]

    def rung(self, bot: str) -> Rung | None:
        """Where a bot stands; ``None`` if it is not on the ladder."""
        return next((rung for rung in self.rungs if rung.bot == bot), None)

    def write(self) -> str:
        """As text."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2).decode() + "\n"

    @classmethod
    def read(cls, text: str) -> Ladder:
        """The ladder of a text."""
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.DecodeError as error:
            raise SeraiError(f"this is no ladder: {error}") from None


@cache
def ladder(game: Game) -> Ladder | None:
    """The ladder of a game; ``None`` where it has none."""
    text = game_data(game, FILE)
    return None if text is None else Ladder.read(text)
