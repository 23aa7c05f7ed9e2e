"""What a bot is: something that decides from a view. It may also watch every event as its seat sees it.

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

    A bot that thinks outside of this process may also have ``decide_within(view, rng, seconds)``, which keeps a limit
    by itself and raises :class:`NoAnswer`; ``over(view)``, told the end of the game; and ``close()``, when it is not
    needed any more.
    """

    def decide(self, view: Any, rng: random.Random) -> Any:
        """One of ``view.actions()``. ``rng`` is this bot's own randomness."""


class NoAnswer(Exception):
    """A bot that thinks elsewhere says itself why it has no answer; ``printed``: what it said there beside."""

    def __init__(self, reason: str, printed: str = "") -> None:
        super().__init__(reason, printed)
        self.reason = reason
        self.printed = printed

    def __str__(self) -> str:
        return self.reason


BotFactory = Callable[[], Bot]
Decide = Callable[[Any, random.Random], Any]


def warm_up(bot: Bot) -> None:
    """Let a bot that can be made faster take its time for that now; it decides as it would have done anyway.

    Whoever lets bots play many games, or for long, asks for it: live tables and series do, a single game does not.
    """
    if hasattr(bot, "warm_up"):
        bot.warm_up()


def make_for(make: BotFactory, pair: Hashable) -> Bot:
    """A bot for one of the games that are played with the same chance: none of them is to tell it of another."""
    fitting = getattr(make, "make_for", None)
    made: Bot = make() if fitting is None else fitting(pair)
    return made


def over(bot: Bot, view: Any) -> None:
    """Tell a bot that wants to know how the game has ended."""
    if hasattr(bot, "over"):
        bot.over(view)


def close(bot: Bot) -> None:
    """Let go of a bot that is needed no more."""
    if hasattr(bot, "close"):
        bot.close()


def understood(answer: Any, view: Any) -> Any:
    """The legal action that a bot's answer is, an action or its notation; ``ValueError`` says what it is instead."""
    actions = view.actions()
    if isinstance(answer, str):
        written = " ".join(answer.split())
        for action in actions:
            if str(action) == written:
                return action
    elif inspect.iscoroutine(answer):
        answer.close()  # or it would complain, once for every decision, that nobody waited for it
        raise ValueError("answered a coroutine: decide must answer when it is called, so write def, not async def")
    elif answer in actions:
        return answer
    told = ", ".join(map(str, actions[:_TOLD])) + (f", … ({len(actions)} in all)" if len(actions) > _TOLD else "")
    raise ValueError(f"answered {answer!r:.200}, which is not legal; legal: {told}")


_TOLD = 6
"""Legal actions that a fault names."""


class FunctionBot:
    """A bot made of a plain function ``decide(view, rng)``."""

    def __init__(self, decide: Decide) -> None:
        self._decide = decide

    def decide(self, view: Any, rng: random.Random) -> Any:
        return self._decide(view, rng)
