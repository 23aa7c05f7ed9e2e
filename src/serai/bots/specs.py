"""How a bot is named: a registered name, or a user's own ``file.py:NAME``; and what makes bots of that name."""

from __future__ import annotations

import inspect
import runpy
from pathlib import Path
from typing import Any, cast

from serai.bots.contract import BotFactory, FunctionBot
from serai.core.errors import UnknownName
from serai.core.game import Game
from serai.core.registry import bot_factory, bot_module


def find_bot(game: Game, spec: str) -> BotFactory:
    """What makes bots of this kind: a registered name, or a user's own ``file.py:decide`` (a function or a class)."""
    file = file_of(spec)
    if file is None:
        return _as_factory(bot_factory(game, spec), spec)
    _, colon, attribute = spec.rpartition(":")
    name = attribute if colon else "decide"
    if not file.is_file():
        raise UnknownName(f"no bot file {str(file)!r}; write it as FILE.py:NAME")
    try:
        names = runpy.run_path(str(file), run_name=file.stem)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        raise UnknownName(f"bot file {str(file)!r} cannot be run: {type(error).__name__}: {error}") from error
    if name not in names:
        raise UnknownName(f"bot file {str(file)!r} has no {name!r}; write it as FILE.py:NAME")
    return _as_factory(names[name], spec)


def find_working_bot(game: Game, spec: str) -> BotFactory:
    """What makes this bot, tried once, so that a bot that cannot even be made is told before the first game."""
    make = find_bot(game, spec)
    try:
        make()
    except Exception as error:
        raise UnknownName(f"bot {spec!r} cannot be made: {type(error).__name__}: {error}") from error
    return make


def is_bot_file(spec: str) -> bool:
    """Whether this names a file with a bot in it, rather than a bot of the house."""
    return ":" in spec or spec.endswith(".py")


def file_of(spec: str) -> Path | None:
    """The file in which this bot is, if it is named by one."""
    if not is_bot_file(spec):
        return None
    path, colon, _ = spec.rpartition(":")
    return Path(path if colon else spec)


def bot_title(spec: str) -> str:
    """A short name for a bot: of a file only its stem."""
    file = file_of(spec)
    return spec if file is None else file.stem


def is_ours(game: Game, spec: str) -> bool:
    """Whether this bot is a part of Serai, whose code is trusted; any other runs in a process of its own."""
    try:
        module = "" if is_bot_file(spec) else bot_module(game, spec)
    except UnknownName:
        return False
    return module.partition(".")[0] == __name__.partition(".")[0]


def _as_factory(made_by: Any, spec: str) -> BotFactory:
    if inspect.isclass(made_by) and hasattr(made_by, "decide"):
        return cast("BotFactory", made_by)
    if inspect.isfunction(made_by):
        return lambda: FunctionBot(made_by)
    raise UnknownName(f"{spec!r} is no bot: a bot is a function decide(view, rng) or a class with that method")
