"""The bot contract: a bot decides from a view. It may also watch every event as its seat sees it.

One bot object serves one seat of one game, so it may remember. It never gets the true state, the dice to come or
anybody's hidden cards.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Hashable
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Bot(Protocol):
    """The contract: ``decide``; ``watch(event)`` and ``warm_up()`` are optional.

    A bot that thinks in another process may also have ``decide_within(view, rng, seconds)``, which keeps the time
    limit by itself and raises :class:`NoAnswer`; ``over(view)``, called at the end of the game; and ``close()``, called
    when the bot is not needed any more.
    """

    def decide(self, view: Any, rng: random.Random) -> Any:
        """One of ``view.actions()``. ``rng`` is this bot's own randomness."""


class NoAnswer(Exception):
    """Why a bot in another process has no answer; ``printed``: what it printed there."""

    def __init__(self, reason: str, printed: str = "") -> None:
        super().__init__(reason, printed)
        self.reason = reason
        self.printed = printed

    def __str__(self) -> str:
        return self.reason


BotFactory = Callable[[], Bot]
DecideFunction = Callable[[Any, random.Random], Any]


def warm_up(bot: Bot) -> None:
    """Let a bot load or compile what makes it faster; its decisions stay the same.

    It is worth it for many games or long ones: live tables and series ask for it, a single game does not.
    """
    if hasattr(bot, "warm_up"):
        bot.warm_up()


def make_for(make: BotFactory, pair: Hashable) -> Bot:
    """A bot for one of the games with the same dice; it must remember nothing of the others."""
    fitting = getattr(make, "make_for", None)
    made: Bot = make() if fitting is None else fitting(pair)
    return made


def over(bot: Bot, view: Any) -> None:
    """Show the last view to a bot that wants it; the game is over, or was cut short."""
    if hasattr(bot, "over"):
        bot.over(view)


def close(bot: Bot) -> None:
    """Close a bot that is not needed any more."""
    if hasattr(bot, "close"):
        bot.close()


def understood(answer: Any, view: Any) -> Any:
    """The legal action that a bot answered, as an action or in notation; ``ValueError`` if it is none."""
    actions = view.actions()
    if isinstance(answer, str):
        written = " ".join(answer.split())
        for action in actions:
            if str(action) == written:
                return action
    elif inspect.iscoroutine(answer):
        answer.close()  # or Python would warn at every decision that it was never awaited
        raise ValueError("answered a coroutine: decide must answer when it is called, so write def, not async def")
    elif answer in actions:
        return answer
    legal = ", ".join(map(str, actions[:_LISTED])) + (f", … ({len(actions)} in all)" if len(actions) > _LISTED else "")
    raise ValueError(f"answered {answer!r:.200}, which is not legal; legal: {legal}")


_LISTED = 6
"""Legal actions that an error names."""


class FunctionBot:
    """A bot made of a plain function ``decide(view, rng)``."""

    def __init__(self, decide: DecideFunction) -> None:
        self._decide = decide

    def decide(self, view: Any, rng: random.Random) -> Any:
        return self._decide(view, rng)
