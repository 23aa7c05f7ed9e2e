"""Games and bots by name: entry points of installed packages, loaded on first use.

A package that brings a game names its ``Game`` object under ``serai.games``; one that brings bots names them
under ``serai.bots``, as ``name`` (a bot for every game) or ``game.name`` (a bot for one).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from serai.core.arguments import check_text
from serai.core.game import Game
from serai.errors import UnknownName, missing, shown

_SHOWN = 64
"""Characters of a name that an error repeats, and that are compared with others; every name is shorter."""


def game_data(game: Game, file: str) -> str | None:
    """The text of a file in a game's folder ``data``; ``None`` where there is none."""
    package = type(game).__module__.rpartition(".")[0]
    if not package:  # a game in a single file
        return None
    found = resources.files(package) / "data" / file
    return found.read_text(encoding="utf-8") if found.is_file() else None


@cache
def _found(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=group), key=lambda point: point.name)}


def game(name: str) -> Game:
    """The game of that name."""
    if not isinstance(name, str):
        raise UnknownName(f"a game is asked for by its name, not by {shown(name)}; games: {', '.join(games())}")
    return _loaded(name)


def game_of(named: str | Game) -> Game:
    """A game, given by its name or as it is."""
    return named if isinstance(named, Game) else game(named)


@cache
def _loaded(name: str) -> Game:
    points = _found("serai.games")
    if name not in points:
        raise UnknownName(f"no game {name[:_SHOWN]!r}{did_you_mean(name, points)}; games: {', '.join(points)}")
    loaded = points[name].load()
    if not isinstance(loaded, Game):
        raise UnknownName(f"entry point {points[name].value!r} is no Game object")
    return loaded


def games() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(_found("serai.games"))


def bot_names(game: Game) -> tuple[str, ...]:
    """The bots that can play this game: its own, weakest first, then those that other packages bring."""
    others = [name.removeprefix(f"{game.name}.") for name in _found("serai.bots")]
    found = [name for name in others if "." not in name]
    return (*game.bots, *(name for name in dict.fromkeys(found) if name not in game.bots))


def bots_called(game: Game) -> tuple[str, ...]:
    """All names of these bots, also those by which the page calls them in its languages."""
    return tuple(called for name in bot_names(game) for called in (name, *game.bots_called.get(name, ())))


def bots_here(game: Game) -> tuple[str, ...]:
    """The bots whose packages are installed, as far as is known without loading them."""
    return tuple(name for name in bot_names(game) if not missing(game.bot_packages.get(name, ())))


def bot_factory(game: Game, name: str) -> Any:
    """The factory of a bot for this game: call it without arguments."""
    return _bot(game, name).load()


def bot_module(game: Game, name: str) -> str:
    """The name of the module in which a bot is; the module is not loaded."""
    return _bot(game, name).module


def _bot(game: Game, name: str) -> EntryPoint:
    check_text("the name of a bot", name)
    points = _found("serai.bots")
    point = points.get(f"{game.name}.{name}") or points.get(name)
    if point is None or "." in name:
        known = bot_names(game)
        raise UnknownName(
            f"{game.name} has no bot {name[:_SHOWN]!r}{did_you_mean(name, known)}; bots: {', '.join(known)}"
        )
    return point


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """What to add to an error about a name that is close to a known one."""
    close = difflib.get_close_matches(name[:_SHOWN], list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
