"""``serai prune``: delete old tables."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import click

from serai.cli._support.choices import database_option, name_of
from serai.cli._support.files import Failure
from serai.server.store.base import StoreError
from serai.server.store.maintenance import old_devices, old_tables, opened


@click.command()
@click.option(
    "--older", required=True, metavar="DAYS", type=click.IntRange(min=1), help="Finished at least this many days ago."
)
@click.option("--unfinished", is_flag=True, help="Also tables without a finished game that were not used for as long.")
@click.option("--dry-run", is_flag=True, help="Only say how many there are.")
@database_option
def command(older: int, unfinished: bool, dry_run: bool, database: str | None) -> int:
    """Delete tables whose game ended a number of days ago. They cannot be restored: make a backup first.

    Reports and notes on moved devices that are as old, and that no table needs any more, go too.

    No server may use the file meanwhile; with PostgreSQL servers may run.
    """
    before = (datetime.now(UTC) - timedelta(days=min(older, 300_000))).strftime("%Y-%m-%d")
    try:
        count, devices = asyncio.run(_prune(name_of(database), before, unfinished, dry_run))
    except StoreError as error:
        raise Failure(str(error)) from None
    also = f" and {devices} devices that nobody needs any more" if devices else ""
    click.echo(f"{'Would delete' if dry_run else 'Deleted'} {count} tables{also} from before {before}.")
    return 0


async def _prune(database: str, before: str, unfinished: bool, dry_run: bool) -> tuple[int, int]:
    async with opened(database, "serai prune") as store:
        old = await old_tables(store, before, unfinished=unfinished)
        if not dry_run:
            await store.remove(old)
        since = datetime.fromisoformat(before).replace(tzinfo=UTC).timestamp()
        devices = await old_devices(store, since)
        if not dry_run:
            await store.drop_devices(devices)
            await store.drop_reports([], since)
        return len(old), len(devices)
