"""``serai prune``: delete old tables."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import click

from serai.cli._support.choices import database_option, name_of
from serai.cli._support.files import Failure
from serai.server.store.base import StoreError
from serai.server.store.maintenance import old_tables, opened


@click.command()
@click.option(
    "--older", required=True, metavar="DAYS", type=click.IntRange(min=1), help="Finished at least this many days ago."
)
@click.option("--unfinished", is_flag=True, help="Also tables without a finished game that were not used for as long.")
@click.option("--dry-run", is_flag=True, help="Only say how many there are.")
@database_option
def command(older: int, unfinished: bool, dry_run: bool, database: str | None) -> int:
    """Delete tables whose game ended a number of days ago. They cannot be restored: make a backup first.

    No server may use the file meanwhile; with PostgreSQL servers may run.
    """
    before = (datetime.now(UTC) - timedelta(days=min(older, 300_000))).strftime("%Y-%m-%d")
    try:
        count = asyncio.run(_prune(name_of(database), before, unfinished, dry_run))
    except StoreError as error:
        raise Failure(str(error)) from None
    click.echo(f"{'Would delete' if dry_run else 'Deleted'} {count} tables from before {before}.")
    return 0


async def _prune(database: str, before: str, unfinished: bool, dry_run: bool) -> int:
    async with opened(database, "serai prune") as store:
        old = await old_tables(store, before, unfinished=unfinished)
        if not dry_run:
            await store.remove(old)
        return len(old)
