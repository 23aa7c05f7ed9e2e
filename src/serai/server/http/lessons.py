"""The guided game of a game: a record that lies beside its rules, and the seat that a learner takes in it."""

from __future__ import annotations

from functools import cache

from serai.core.game import Game
from serai.core.record import Record
from serai.core.registry import brought_along

FILE = "lesson.serai"


@cache
def lesson(game: Game) -> Record | None:
    """The prepared game, or ``None`` where a game brings none."""
    text = brought_along(game, FILE)
    return None if text is None else Record.read(text)


def learner(prepared: Record) -> int:
    """The seat a learner plays: the first that no bot has."""
    return next(seat for seat, sitter in enumerate(prepared.seats) if sitter.bot is None)
