"""``serai prune``: drop old tables."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import click

from serai.cli._support.choices import database_option, name_of
from serai.cli._support.files import Failure
from serai.server.store.base import StoreError
from serai.server.store.maintenance import old_tables, opened


@click.command()
@click.option("--older", required=True, metavar="DAYS", type=click.IntRange(min=1), help="For how many days at least.")
@click.option("--unfinished", is_flag=True, help="Also tables without a finished game at which nothing happened.")
@click.option("--dry-run", is_flag=True, help="Only tell how many there are.")
@database_option()
def command(older: int, unfinished: bool, dry_run: bool, database: str | None) -> int:
    """Forget tables that have been over for a number of days. They cannot be had back: make a backup first.

    A file must not be in use by a server meanwhile; with PostgreSQL servers may go on.
    """
    before = (datetime.now(UTC) - timedelta(days=min(older, 300_000))).strftime("%Y-%m-%d")
    try:
        count = asyncio.run(_prune(name_of(database), before, unfinished, dry_run))
    except StoreError as error:
        raise Failure(str(error)) from None
    click.echo(f"{'Would forget' if dry_run else 'Forgot'} {count} tables from before {before}.")
    return 0


async def _prune(database: str, before: str, unfinished: bool, dry_run: bool) -> int:
    async with opened(database, "serai prune") as store:
        old = await old_tables(store, before, unfinished=unfinished)
        if not dry_run:
            await store.remove(old)
        return len(old)
