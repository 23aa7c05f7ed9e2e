"""``serai migrate``: move all tables to another database."""

from __future__ import annotations

import asyncio

import click

from serai.cli._support.choices import database_option, name_of
from serai.cli._support.damage import tell_damaged
from serai.cli._support.files import Failure
from serai.server.store.base import StoreError
from serai.server.store.maintenance import Copied, Differs, compare, copy, opened, store_of


@click.command()
@click.option("--to", "target", required=True, metavar="FILE|URL", help="Where to: postgresql://… or a file.")
@database_option()
def command(target: str, database: str | None) -> int:
    """Copy all tables to another database and check that they are the same there.

    Run it with no server on the old database; run it again as often as you like: it copies what is missing.

    Ends with exit code 1 if a table differs there, or is damaged here and was left out; it is named.
    """
    try:
        copied, checked = asyncio.run(_migrate(name_of(database), target))
    except StoreError as error:
        raise Failure(str(error)) from None
    except Differs as error:
        click.echo(f"serai: {error}", err=True)
        return 1
    click.echo(f"Copied {copied.tables} tables with {copied.entries} new entries; {copied.same} were there already.")
    if copied.ahead:
        click.echo(f"{copied.ahead} tables have been played on there since, and were left alone.")
    others = "other tables" if copied.left_out else "tables"
    for table in copied.differing:
        click.echo(f"serai: table {table} is another one there; nothing of it was changed", err=True)
    damaged = tell_damaged(copied.damaged)
    click.echo(f"Checked: all {checked} {others} are the same there, entry by entry.")
    return 1 if copied.differing else damaged


async def _migrate(source: str, target: str) -> tuple[Copied, int]:
    async with opened(source, "serai migrate") as store, store.frozen() as here:
        there = store_of(target, "serai migrate")
        await there.open()
        try:
            copied = await copy(here, there)
            return copied, await compare(here, there, copied.left_out)
        finally:
            await there.close()
