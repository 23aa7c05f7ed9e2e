"""``serai migrate``: copy all tables to another database."""

from __future__ import annotations

import asyncio

import click

from serai.cli._support.choices import database_option, name_of
from serai.cli._support.files import Failure
from serai.cli._support.screen import say_damaged
from serai.server.store.base import StoreError
from serai.server.store.maintenance import Copied, Differs, compare, copy, opened, store_of


@click.command()
@click.option("--to", "target", required=True, metavar="FILE|URL", help="The target: postgresql://… or a file.")
@database_option
def command(target: str, database: str | None) -> int:
    """Copy all tables to another database and check that they are the same there.

    Stop servers on the old database first. It may be repeated: it copies what is missing and overwrites nothing.

    Tables that differ there, or are damaged here and left out, are named, and the exit code is 1.
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
        click.echo(f"serai: table {table} is a different one there; it was not changed", err=True)
    damaged = say_damaged(copied.damaged)
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
