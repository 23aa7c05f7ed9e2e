"""What several commands ask for in the same way: a game, its options, bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from serai import games
from serai.cli._support.files import Failure, home
from serai.core.errors import BadNotation, BadOptions
from serai.core.game import Game

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_MOST_AT_A_TABLE = 4
"""How many sit down when nobody says how many."""


def option_option() -> Decorator:
    """The option ``--option name=value``."""
    return click.option(
        "--option",
        "-o",
        "given",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the game (see 'serai games').",
    )


def json_option() -> Decorator:
    """The option ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def database_option() -> Decorator:
    """The option ``--database``."""
    return click.option(
        "--database",
        metavar="FILE|URL",
        envvar="SERAI_DATABASE",
        help="Where tables are kept: a file, or postgresql://… for any number of servers at the same tables.",
    )


def name_of(database: str | None) -> str:
    """The database that is meant."""
    if database is not None and "://" in database and not database.startswith(("postgresql://", "postgres://")):
        kind = database.partition("://")[0]
        raise Failure(f"--database names a file or postgresql://…, but {kind}://… is neither")
    return database or str(home() / "tables.db")


def default_game() -> str:
    """The game that is played when none is named."""
    return games()[0]


def default_players(game: Game) -> int:
    """How many play when nobody says how many."""
    return min(_MOST_AT_A_TABLE, game.players[-1])


def read_options(game: Game, players: int, given: Sequence[str]) -> dict[str, Any]:
    """The options as typed, each checked."""
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
