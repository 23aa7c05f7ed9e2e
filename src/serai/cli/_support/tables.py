"""Tables and bars of a command's report, by rich, which is loaded when they are wanted."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table


@contextlib.contextmanager
def progress_bar(count: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr while somebody looks at it; what is given moves it on by so many."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=count)
        yield lambda done: progress.advance(task, done)


def headed_table(first: str, *others: str) -> Table:
    """An empty table: one column of words, the others of figures."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="fold")
    for title in others:
        table.add_column(title, justify="right", no_wrap=True)
    return table
