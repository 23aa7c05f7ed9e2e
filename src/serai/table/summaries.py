"""A finished game in brief, from its entries alone: nothing is played out, so games under older rules count too."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from serai.table.entries import Acted, AnyEntry, Created, Ended, Result, Seated, Sitting, Started


class Summary(msgspec.Struct, frozen=True):
    """Who played what, when, and how it ended."""

    game: str
    date: str
    seats: tuple[Sitting, ...]
    result: Result
    agreed: bool


def summary(entries: Iterable[AnyEntry]) -> Summary | None:
    """The game that these entries tell of; ``None`` if it has no end."""
    game = date = ""
    seats: tuple[Sitting, ...] = ()
    result: Result | None = None
    agreed = False
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
            case _:
                pass
    return None if result is None else Summary(game, date, seats, result, agreed)
