"""Options and defaults that several commands share."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from serai import games
from serai.arena.cluster import read_address
from serai.bots.program import hide_data
from serai.cli._support.files import Failure, home
from serai.cli._support.screen import say
from serai.core.game import Game
from serai.errors import BadNotation, BadOptions
from serai.processes import sandbox

if TYPE_CHECKING:
    from serai.arena.cluster.client import Cluster

_MOST_AT_A_TABLE = 4
"""Players of a game when --players is not given, if the game allows as many."""


PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)
POSITIVE = click.FloatRange(min=0, min_open=True)

option_option = click.option(
    "--option", "-o", "given", multiple=True, metavar="NAME=VALUE", help="An option of the game (see 'serai games')."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
database_option = click.option(
    "--database",
    metavar="FILE|URL",
    envvar="SERAI_DATABASE",
    help="Where tables are stored: a file, or postgresql://… for several servers that share tables.",
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Processes or threads at once; 0: one per core.",
)


def name_of(database: str | None) -> str:
    """The database: as given, or the default file."""
    if database is not None and "://" in database and not database.startswith(("postgresql://", "postgres://")):
        kind = database.partition("://")[0]
        raise Failure(f"--database takes a file or postgresql://…, not {kind}://…")
    return database or str(home() / "tables.db")


def default_game() -> str:
    """The game when none is named."""
    return games()[0]


def default_players(game: Game) -> int:
    """The number of players when none is given."""
    return min(_MOST_AT_A_TABLE, game.players[-1])


def read_options(game: Game, players: int, given: Sequence[str]) -> dict[str, Any]:
    """The options as typed on the command line, checked."""
    known = {option.name: option for option in game.options}
    values: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"write an option as NAME=VALUE, not {text!r}")
        if name in known:
            try:
                values[name] = known[name].read(value)
            except BadNotation:
                wanted = known[name].wanted(players)
                raise BadOptions("core.option.type", game=game.name, name=name, value=value, wanted=wanted) from None
        else:
            values[name] = value
    return game.settled(players, values)


# -- clusters ----------------------------------------------------------------------------------------------------------


def _check_cluster(context: click.Context, parameter: click.Parameter, where: str | None) -> str | None:
    if where is not None:
        read_address(where)
        if context.get_parameter_source("jobs") is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError("--jobs is for this machine: on a cluster its workers say how many play at once")
    return where


cluster_option = click.option(
    "--cluster",
    "where",
    metavar="ADDRESS",
    callback=_check_cluster,
    help="Play on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N.",
)


def _here(context: click.Context, option: click.Parameter, wanted: bool) -> bool:
    """Whether a flag is given, which must be for this machine alone."""
    if wanted and context.params.get("where") is not None:
        raise click.UsageError(f"{option.opts[0]} is for this machine: workers of a cluster have the usual sandbox")
    return wanted


def _allow_seccomp_alone(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if _here(context, option, wanted):
        sandbox.allow_seccomp_alone()


def _hide_data(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if _here(context, option, wanted):
        hide_data()


def walls_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The flags that change what sandboxed bots may do."""
    for name, callback, text in (
        ("--hide-data", _hide_data, "Let sandboxed bots in the current folder read their own file there, and no data."),
        (
            "--without-walls",
            _allow_seccomp_alone,
            "Where the system has no Landlock, guard only the system calls of bots, not your files.",
        ),
    ):
        command = click.option(name, is_flag=True, expose_value=False, callback=callback, help=text)(command)
    return command


@contextlib.contextmanager
def connected(where: str | None, name: str, game: str, specs: Sequence[str]) -> Iterator[Cluster | None]:
    """The cluster at that address, if one is given, announced on stderr."""
    if where is None:
        yield None
        return
    from serai.arena.cluster.client import connect

    with connect(where, name, game, specs) as cluster:
        workers = len(cluster.threads)
        each = "1 worker" if workers == 1 else f"{workers} workers"
        say(
            f"{each} at {where}, {cluster.parallel} at once; their status is shown at {cluster.dashboard}",
            err=True,
        )
        cluster.say = lambda text: say(text, err=True)
        yield cluster
