"""The guided game of a game: a record that lies beside its rules, and the seat that a learner takes in it."""

from __future__ import annotations

from functools import cache
from importlib import resources

from serai.core.game import Game
from serai.core.record import Record

FILE = "lesson.serai"


@cache
def lesson(game: Game) -> Record | None:
    """The prepared game, or ``None`` where a game brings none."""
    package = type(game).__module__.rpartition(".")[0]
    if not package:  # a game in a single file
        return None
    file = resources.files(package) / FILE
    return Record.read(file.read_text(encoding="utf-8")) if file.is_file() else None


def learner(prepared: Record) -> int:
    """The seat a learner plays: the first that no bot has."""
    return next(seat for seat, sitter in enumerate(prepared.seats) if sitter.bot is None)
