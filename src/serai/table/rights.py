"""Who may do what at a table, and when: each check passes or raises a :class:`Refusal`."""

from __future__ import annotations

import msgspec

from serai.table.entries import AnyEntry, Sitting, Undone
from serai.table.errors import Refusal
from serai.table.messages import Phase
from serai.table.table import Table


class Who(msgspec.Struct, frozen=True):
    """Who sends a message: the visitor, the seat their connection looks through, and when (a steady clock)."""

    visitor: str
    seat: int | None
    now: float


def writable(table: Table) -> None:
    """Refuse whatever would change a table that was made under other rules."""
    if table.foreign or table.phase == "closed":
        raise Refusal("table.closed")


def in_phase(table: Table, phase: Phase) -> None:
    """The table is in this phase."""
    if table.phase != phase:
        raise Refusal("table.phase", phase=table.phase)


def in_play(table: Table) -> None:
    """The game is going on and not paused."""
    in_phase(table, "playing")
    if table.paused:
        raise Refusal("table.paused")


def fresh(table: Table, on: int) -> None:
    """The message was made on the present position."""
    if on != table.on:
        raise Refusal("table.stale", on=table.on)


def as_host(table: Table, who: Who) -> None:
    """The host asks, before the start."""
    if not who.visitor or who.visitor != table.host:
        raise Refusal("table.not_host")
    in_phase(table, "lobby")


def bounded(table: Table, entry: AnyEntry) -> None:
    """The table has room for one more of this kind."""
    standing = sum(actor == entry.seat for actor, _ in table.written) if isinstance(entry, Undone) else 0
    table.tally.check(entry, table.phase, len(table.written), standing, len(table.written) + table.drawn)


def seats_of(table: Table, visitor: str) -> tuple[int, ...]:
    """The visitor's seats, of which there must be one."""
    seats = table.held_by(visitor)
    if not seats:
        raise Refusal("table.not_seated")
    return seats


def looked_through(table: Table, who: Who) -> int:
    """The visitor's own seat that their connection looks through."""
    seat = who.seat
    if not who.visitor or seat is None or seat >= len(table.seats) or table.seats[seat].visitor != who.visitor:
        raise Refusal("table.not_seated")
    return seat


def sitting_at(table: Table, seat: int) -> Sitting:
    """Who sits there; the seat must exist."""
    if seat >= len(table.seats):
        raise Refusal("table.no_seat", seat=seat)
    return table.seats[seat]


def own(table: Table, seat: int, visitor: str) -> Sitting:
    """The visitor's own seat."""
    sitting = sitting_at(table, seat)
    if not visitor or sitting.visitor != visitor:
        raise Refusal("table.not_yours", seat=seat)
    return sitting


def absent(table: Table, visitor: str, now: float) -> None:
    """The visitor is away, and the grace time is over."""
    if table.presence.here(visitor):
        raise Refusal("table.here")
    grace = table.presence.grace_left(visitor, now)
    if grace:
        raise Refusal("table.present", grace=grace)
