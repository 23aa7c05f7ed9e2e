"""A finished game in brief, from its entries alone: nothing is played out, so games under older rules count too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from serai.table.entries import Acted, AnyEntry, Created, Ended, Hinted, Result, Seated, Sitting, Started


class Summary(msgspec.Struct, frozen=True):
    """Who played what, when, and how it ended."""

    game: str
    date: str
    seats: tuple[Sitting, ...]
    result: Result
    agreed: bool
    hints: dict[int, int] = {}
    """By seat: in how many positions it was told what the coach would do."""


def summary(entries: Iterable[AnyEntry]) -> Summary | None:
    """The game that these entries tell of; ``None`` if it has no end."""
    game = date = ""
    seats: tuple[Sitting, ...] = ()
    result: Result | None = None
    agreed = False
    hinted: set[tuple[int, int]] = set()
    for entry in entries:
        match entry:
            case Created():
                game, seats = entry.game, entry.seats
            case Seated():
                seats = entry.seats
            case Started():
                date = entry.at
            case Acted() | Ended() if entry.result is not None:
                result, agreed = entry.result, isinstance(entry, Ended)
            case Hinted():
                hinted.add((entry.seat, entry.on))
            case _:
                pass
    return None if result is None else Summary(game, date, seats, result, agreed, Counter(seat for seat, _ in hinted))
