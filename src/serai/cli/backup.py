"""``serai backup``: a copy of all tables, while servers run."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from serai.cli._support.choices import FILE, database_option, name_of
from serai.cli._support.files import Failure
from serai.cli._support.screen import say_damaged
from serai.server.store.base import StoreError
from serai.server.store.maintenance import back_up


@click.command()
@click.argument("file", type=FILE)
@database_option
def command(file: Path, database: str | None) -> int:
    """Write all tables to FILE, from which 'serai serve --database FILE' can serve them.

    Servers may run meanwhile. The file is private: it holds the secrets of running games.

    Damaged tables are named, and the exit code is 1; the others are saved all the same.
    """
    try:
        made = asyncio.run(back_up(name_of(database), file))
    except StoreError as error:
        raise Failure(str(error)) from None
    click.echo(f"Saved {made.tables} tables in {file}.")
    return say_damaged(made.damaged)
