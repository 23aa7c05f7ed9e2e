"""How strong the bots of a game were found to be: the published ladder, a file in the game's folder."""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec

from serai.core.errors import SeraiError
from serai.core.game import Game
from serai.core.registry import brought_along

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
    """The bots of a game, best first, and the games that say so."""

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
        """Out of its text."""
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.DecodeError as error:
            raise SeraiError(f"this is no ladder: {error}") from None


@cache
def ladder(game: Game) -> Ladder | None:
    """The ladder that a game brings along; ``None`` where it brings none."""
    text = brought_along(game, FILE)
    return None if text is None else Ladder.read(text)
