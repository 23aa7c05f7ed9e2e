"""``serai check``: whether a database is whole, and whether a record tells of a game in it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from serai.cli._support.choices import json_option, name_of
from serai.cli._support.files import Failure, load_record
from serai.cli._support.screen import printable, say, say_json
from serai.core.errors import UnknownName
from serai.core.record import Record
from serai.server.store.base import StoreError
from serai.server.store.inspection import inspected
from serai.server.tables.checking import Checked, damages, differences, table_of
from serai.table.errors import Damaged

DAMAGED = 1
WHAT_TO_DO = (
    "Servers refuse what is damaged and play on with the rest. A backup has what is missing: serve it, or carry a lost "
    "end over with 'serai migrate --database BACKUP --to DATABASE' (see the guide for hosts)."
)


@click.command()
@click.argument("database", metavar="DATABASE")
@click.argument("record", required=False, type=click.Path(path_type=Path))
@json_option()
def command(database: str, record: Path | None, as_json: bool) -> int:
    """Look through all tables in DATABASE (a file, or postgresql://…) and say what is damaged.

    With RECORD, the record of a finished game: whether its game was played there, entry by entry, as it says.

    Servers may go on meanwhile; nothing is changed. Ends with exit code 1 if a table is damaged or the record differs,
    with 2 if nothing could be checked.
    """
    database = name_of(database)
    try:
        if record is not None:
            return asyncio.run(_check_record(database, record, load_record(record), as_json))
        return asyncio.run(_check(database, as_json))
    except StoreError as error:
        raise Failure(str(error)) from None


async def _check(database: str, as_json: bool) -> int:
    checked, told = Checked(), list[dict[str, str]]()

    def tell(table: str, reason: str) -> None:
        if as_json:
            told.append({"table": table, "reason": reason})
        else:
            say(printable(f"table {table}: {reason}" if table else f"the database itself: {reason}"))

    async with inspected(database) as inspection:
        faults = await inspection.faults()
        for fault in faults:
            tell("", fault)
        try:
            async for damaged in damages(inspection, checked):
                tell(damaged.values["table"], damaged.reason)
        except StoreError as error:
            if not faults:
                raise
            tell("", f"the rest {error}")
    well = not faults and not checked.damaged
    if as_json:
        say_json({"well": well, "damaged": told, "tables": checked.tables, "entries": checked.entries})
        return 0 if well else DAMAGED
    counted = f"{checked.tables} tables with {checked.entries} entries"
    if checked.unplayed:
        say(f"{checked.unplayed} tables are of games or rules that are not played here: whole, but not played out.")
    if well:
        say(f"Checked {counted}: all is well.")
        return 0
    say(f"Checked {counted}: {checked.damaged} {'is' if checked.damaged == 1 else 'are'} damaged.", err=True)
    say(WHAT_TO_DO, err=True)
    return DAMAGED


async def _check_record(database: str, file: Path, record: Record, as_json: bool) -> int:
    if not record.chain:
        raise Failure(
            f"{file} tells no chain, which could be checked: only the record of a finished game does, as served since "
            "the tables are kept in format 6; fetch it anew from its table"
        )
    async with inspected(database) as inspection:
        try:
            table = await table_of(inspection, record)
        except (Damaged, UnknownName) as error:
            why = f"table {error.values['table']}: {error.reason}" if isinstance(error, Damaged) else str(error)
            return _answer(file, f"cannot be checked: {why}", as_json, holds=False)
    if table is None:
        return _answer(file, "no table there has dealt with this record's secret", as_json, holds=False)
    if not table.head:
        return _answer(file, f"the game at table {table.id} has not come to its end", as_json, holds=False)
    differing = differences(record, table)
    if differing:
        return _answer(file, f"table {table.id} tells it differently: {'; '.join(differing)}", as_json, holds=False)
    return _answer(file, f"is the game of table {table.id}, entry by entry up to its end", as_json, holds=True)


def _answer(file: Path, told: str, as_json: bool, *, holds: bool) -> int:
    if as_json:
        say_json({"file": str(file), "holds": holds, "reason": told})
    else:
        say(printable(f"{file}: {'holds' if holds else 'does not hold'}: {told}"), err=not holds)
    return 0 if holds else DAMAGED
