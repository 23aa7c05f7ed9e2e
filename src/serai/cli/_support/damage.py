"""Telling of tables that are not what was kept."""

from __future__ import annotations

from collections.abc import Sequence

import click

from serai.cli._support.screen import printable
from serai.table.errors import Damaged

DAMAGED = 1
"""The exit code of whatever found a table damaged."""


def tell_damaged(tables: Sequence[Damaged]) -> int:
    """Name the tables that are damaged; the exit code that says whether there are any."""
    for table in tables:
        click.echo(printable(f"serai: table {table.values['table']} is damaged: {table.reason}"), err=True)
    return DAMAGED if tables else 0
