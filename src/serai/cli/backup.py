"""``serai backup``: a copy of all tables, while servers run."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from serai.cli._support.choices import database_option, name_of
from serai.cli._support.damage import tell_damaged
from serai.cli._support.files import Failure
from serai.server.store.base import StoreError
from serai.server.store.maintenance import back_up


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@database_option()
def command(file: Path, database: str | None) -> int:
    """Write all tables to FILE, from which 'serai serve --database FILE' can serve them.

    Servers may go on meanwhile. The file is private: it holds the secrets of running games.

    Ends with exit code 1 if a table is damaged, and names it; the others are saved all the same.
    """
    try:
        made = asyncio.run(back_up(name_of(database), file))
    except StoreError as error:
        raise Failure(str(error)) from None
    click.echo(f"Saved {made.tables} tables in {file}.")
    return tell_damaged(made.damaged)
