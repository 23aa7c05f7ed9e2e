"""``--cluster``: the workers of a Dask cluster instead of this machine's processes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from serai.cli._support.choices import Decorator
from serai.cli._support.screen import say

if TYPE_CHECKING:
    from serai.arena.cluster.reach import Cluster


def cluster_option() -> Decorator:
    """The option ``--cluster``."""
    return click.option(
        "--cluster",
        "where",
        metavar="ADDRESS",
        callback=_checked,
        help="Let a Dask cluster play: tcp://HOST:PORT of its scheduler, or local:N.",
    )


@contextlib.contextmanager
def reached(where: str | None, name: str, game: str, specs: Sequence[str]) -> Iterator[Cluster | None]:
    """The cluster of that address, if one is asked for, and a line that says so."""
    if where is None:
        yield None
        return
    from serai.arena.cluster.reach import reached as reached_there

    with reached_there(where, name, game, specs) as cluster:
        workers = len(cluster.threads)
        each = "1 worker" if workers == 1 else f"{workers} workers"
        say(f"{each} at {where}, {cluster.at_once} at once; what they do is shown at {cluster.dashboard}", err=True)
        cluster.say = lambda text: say(text, err=True)
        yield cluster


def _checked(context: click.Context, parameter: click.Parameter, where: str | None) -> str | None:
    if where is not None:
        from serai.arena.cluster.address import read_address

        read_address(where)
        if context.get_parameter_source("jobs") is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError("--jobs is for this machine: on a cluster its workers say how many play at once")
    return where
