"""``serai check``: find damaged tables in a database, or compare a record with its table."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from serai.cli._support.choices import PATH, json_option, name_of
from serai.cli._support.files import Failure, load_record
from serai.cli._support.screen import printable, say, say_json
from serai.core.record import Record
from serai.errors import UnknownName
from serai.server.store.base import StoreError
from serai.server.store.maintenance import inspected
from serai.server.tables.damage import Checked, damages, differences, table_of
from serai.table.errors import Damaged

DAMAGED = 1
WHAT_TO_DO = (
    "Servers refuse damaged tables and serve the others. A backup has what is missing: serve it, or copy lost last "
    "entries with 'serai migrate --database BACKUP --to DATABASE' (see the guide for hosts)."
)


@click.command()
@click.argument("database", metavar="DATABASE")
@click.argument("record", required=False, type=PATH)
@json_option
def command(database: str, record: Path | None, as_json: bool) -> int:
    """Check all tables in DATABASE (a file, or postgresql://…) and name the damaged ones.

    With RECORD, the record of a finished game: check that its game was played there, entry by entry.

    Servers may run meanwhile; nothing is changed. The exit code is 1 if a table is damaged or the record differs, 2 if
    nothing could be checked.
    """
    database = name_of(database)
    try:
        if record is not None:
            return asyncio.run(_check_record(database, record, load_record(record), as_json))
        return asyncio.run(_check(database, as_json))
    except StoreError as error:
        raise Failure(str(error)) from None


async def _check(database: str, as_json: bool) -> int:
    checked, found = Checked(), list[dict[str, str]]()

    def report(table: str, reason: str) -> None:
        if as_json:
            found.append({"table": table, "reason": reason})
        else:
            say(printable(f"table {table}: {reason}" if table else f"the database itself: {reason}"))

    async with inspected(database) as inspection:
        faults = await inspection.faults()
        for fault in faults:
            report("", fault)
        try:
            async for damaged in damages(inspection, checked):
                report(damaged.values["table"], damaged.reason)
        except StoreError as error:
            if not faults:
                raise
            report("", f"the rest {error}")
    well = not faults and not checked.damaged
    if as_json:
        say_json({"well": well, "damaged": found, "tables": checked.tables, "entries": checked.entries})
        return 0 if well else DAMAGED
    counted = f"{checked.tables} tables with {checked.entries} entries"
    if checked.unplayed:
        say(f"{checked.unplayed} tables are of games or rules that are not installed here: sound, but not replayed.")
    if well:
        say(f"Checked {counted}: all is well.")
        return 0
    say(f"Checked {counted}: {checked.damaged} {'is' if checked.damaged == 1 else 'are'} damaged.", err=True)
    say(WHAT_TO_DO, err=True)
    return DAMAGED


async def _check_record(database: str, file: Path, record: Record, as_json: bool) -> int:
    if not record.chain:
        raise Failure(
            f"{file} has no 'chain' line to check: only the record of a finished game that a server gave out has one; "
            "fetch it again from its table"
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
        return _answer(file, f"table {table.id} differs: {'; '.join(differing)}", as_json, holds=False)
    return _answer(file, f"is the game of table {table.id}, entry by entry up to its end", as_json, holds=True)


def _answer(file: Path, reason: str, as_json: bool, *, holds: bool) -> int:
    if as_json:
        say_json({"file": str(file), "holds": holds, "reason": reason})
    else:
        say(printable(f"{file}: {'holds' if holds else 'does not hold'}: {reason}"), err=not holds)
    return 0 if holds else DAMAGED
