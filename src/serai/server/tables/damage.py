"""Checks of a whole database: which tables are damaged, and whether a record is a game that was played here."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
from msgspec import structs

from serai.core.dealer import commitment
from serai.core.record import Record, Seat, verify
from serai.errors import BadRecord, UnknownName
from serai.server.store.base import expect_sound, load_table
from serai.server.store.maintenance import Inspection
from serai.table import records
from serai.table.chain import secret_in
from serai.table.errors import Damaged
from serai.table.records import NOBODY
from serai.table.table import Table

_COMPARED = (
    *("game", "rules", "seats", "options", "date", "mix", "secret"),
    *("drawn", "origin", "hints", "end", "result", "chain"),
)
_CALLED = {"origin": "from"}
"""Fields whose header line has another name."""


class Checked(msgspec.Struct):
    """What was checked."""

    tables: int = 0
    entries: int = 0
    damaged: int = 0
    unplayed: int = 0
    """Tables of a game, or of rules, that are not installed: their entries are sound, but nothing was replayed."""


async def damages(inspection: Inspection, checked: Checked) -> AsyncIterator[Damaged]:
    """Yield every damaged table, and count all of them in ``checked``."""
    async for table_id in _tables(inspection):
        checked.tables += 1
        try:
            stored = await inspection.read_table(table_id)
            checked.entries += len(stored.entries)
            try:
                table = load_table(table_id, stored, now=0.0)
            except UnknownName:
                expect_sound(table_id, stored)
                checked.unplayed += 1
            else:
                if table.other_rules:
                    checked.unplayed += 1
                elif table.mix:
                    _expect_game(table, secret_in(stored.entries[0].entry))
        except Damaged as damaged:
            checked.damaged += 1
            yield damaged


async def table_of(inspection: Inspection, record: Record) -> Table | None:
    """The table whose secret the record commits to; ``Damaged`` if it is."""
    async for table_id in _tables(inspection):
        first = await inspection.first(table_id)
        secret = None if first is None else secret_in(first)
        if secret is not None and commitment(secret) == record.commit:
            return load_table(table_id, await inspection.read_table(table_id), now=0.0)
    return None


def differences(record: Record, table: Table) -> list[str]:
    """Where the record differs from the table's own; empty if it does not."""
    ours = records.record(table)
    record = structs.replace(record, seats=_forgotten(record.seats, ours.seats))
    found = [_CALLED.get(field, field) for field in _COMPARED if getattr(record, field) != getattr(ours, field)]
    if record.actions != ours.actions:
        pairs = enumerate(zip(record.actions, ours.actions, strict=False))
        place = next((number for number, (one, other) in pairs if one != other), None)
        if place is None:
            found.append(f"actions ({len(record.actions)} in the record, {len(ours.actions)} at the table)")
        else:
            where = f"line {record.line_of(place)}: '{record.actions[place]}'"
            found.append(f"actions ({where}, at the table '{ours.actions[place]}')")
    return found


def _forgotten(seats: tuple[Seat, ...], ours: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The record's seats without the names that the table does not know any more, because somebody was forgotten."""
    if len(seats) != len(ours):
        return seats
    return tuple(
        structs.replace(seat, name=own.name) if own.name == NOBODY and own.bot is None else seat
        for seat, own in zip(seats, ours, strict=True)
    )


async def _tables(inspection: Inspection) -> AsyncIterator[str]:
    table = await inspection.following("")
    while table is not None:
        yield table
        table = await inspection.following(table)


def _expect_game(table: Table, secret: bytes | None) -> None:
    """``Damaged`` if the draws or the result are not those of the table's own secret."""
    assert secret is not None
    record = records.record(table)
    actions = tuple(text for _, texts in table.written for text in texts)
    try:
        verify(structs.replace(record, secret=secret.hex(), actions=actions))
    except BadRecord as error:
        raise Damaged.at(table.id, f"its game does not hold: {error}") from None
