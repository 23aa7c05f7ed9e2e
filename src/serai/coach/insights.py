"""What a game teaches: the file behind *How to play well*, in the game's folder.

Each insight is one sentence of the page's catalogues, named by its key, with the figures that it stands on and, where
one was found, a position to try. ``python -m training GAME --insights`` makes the file.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec

from serai.coach.exercises import Exercise
from serai.core.game import Game
from serai.core.registry import game_data
from serai.errors import SeraiError
from serai.wire.bodies import InsightBar

FILE: Final = "insights.json"


class Insight(msgspec.Struct, frozen=True):
    """One sentence, and what it stands on."""

    key: str
    unit: str
    """*pounds*, *points*, *count*, *share* (in per cent), or *lead* (shares of victory, in per cent)."""
    bars: tuple[InsightBar, ...]
    games: int
    """How many games the figures are from, games that were played on from a position included."""
    mark: float | None = None
    """A value to compare the bars with."""
    exercise: Exercise | None = None
    """A position in which this is the point."""

    def bar(self, name: str) -> InsightBar:
        """The figure of that name."""
        return next(bar for bar in self.bars if bar.name == name)


class Insights(msgspec.Struct, frozen=True):
    """All that a game teaches."""

    game: str
    rules: str
    command: str
    games: int
    """How many games all figures are from."""
    insights: tuple[Insight, ...]

    def exercise(self, name: str) -> Exercise | None:
        """The exercise with that id."""
        own = (insight.exercise for insight in self.insights)
        return next((exercise for exercise in own if exercise is not None and exercise.id == name), None)

    def write(self) -> str:
        """The text of the file: one insight a line."""
        about = {"game": self.game, "rules": self.rules, "command": self.command, "games": self.games}
        head = msgspec.json.encode(about).decode()
        lines = ",\n".join(msgspec.json.encode(insight).decode() for insight in self.insights)
        return f'{head[:-1]},"insights":[\n{lines}\n]}}\n'

    @classmethod
    def read(cls, text: str) -> Insights:
        """Read the text of a file."""
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.DecodeError as error:
            raise SeraiError(f"this is not a file of insights: {error}") from None


@cache
def insights(game: Game) -> Insights | None:
    """What a game teaches; ``None`` if nobody has asked it yet."""
    text = game_data(game, FILE)
    return None if text is None else Insights.read(text)
