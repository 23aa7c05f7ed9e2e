"""What a bot is: something that decides from a view. It may also watch every event as its seat sees it.

One bot object serves one seat of one game, so it may remember. It never gets the true state, the dice to come or
anybody's hidden cards.
"""

from __future__ import annotations

import inspect
import random
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

from serai.core.errors import UnknownName
from serai.core.game import Game
from serai.core.registry import bot_factory


@runtime_checkable
class Bot(Protocol):
    """The contract: ``decide``; ``watch(event)`` is optional."""

    def decide(self, view: Any, rng: random.Random) -> Any:
        """One of ``view.actions()``. ``rng`` is this bot's own randomness."""


BotFactory = Callable[[], Bot]
Decide = Callable[[Any, random.Random], Any]


class FunctionBot:
    """A bot made of a plain function ``decide(view, rng)``."""

    def __init__(self, decide: Decide) -> None:
        self._decide = decide

    def decide(self, view: Any, rng: random.Random) -> Any:
        return self._decide(view, rng)


def find_bot(game: Game, spec: str) -> BotFactory:
    """What makes bots of this kind: a registered name, or a user's own ``file.py:decide`` (a function or a class)."""
    path, colon, attribute = spec.rpartition(":")
    if not colon and not spec.endswith(".py"):
        return _as_factory(bot_factory(game, spec), spec)
    file = Path(path if colon else spec)
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


def _as_factory(made_by: Any, spec: str) -> BotFactory:
    if inspect.isclass(made_by) and hasattr(made_by, "decide"):
        return cast("BotFactory", made_by)
    if inspect.isfunction(made_by):
        return lambda: FunctionBot(made_by)
    raise UnknownName(f"{spec!r} is no bot: a bot is a function decide(view, rng) or a class with that method")
