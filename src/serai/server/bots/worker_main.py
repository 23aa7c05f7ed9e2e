"""The process in which bots of live tables think: ``python -m serai.server.bots.worker_main``.

All it ever learns of a game are views and events of the seats that its bots play. Its parent kills it when a bot takes
too long. What it answers is not to be trusted where the bot is not ours.
"""

from __future__ import annotations

import os
import random
import secrets
from typing import Any

import msgspec

from serai.bots.contract import understood, warm_up
from serai.bots.specs import file_of, find_bot
from serai.core.chance import CHANCE
from serai.core.game import Game
from serai.core.registry import game as find_game
from serai.errors import MissingExtra
from serai.processes import child, framing
from serai.processes.sandbox import confine, limit_resources, python_files
from serai.server.bots.worker import (
    MAX_FAULT,
    REQUESTS,
    AddBot,
    AskBot,
    BotAnswer,
    BotRequest,
    Confine,
    RemoveBots,
    ShowBot,
    TryBot,
    WarmBot,
)


class Bots:
    """The bots of this process, each with its game and its own randomness."""

    def __init__(self) -> None:
        self._bots: dict[str, tuple[Game, Any, random.Random]] = {}
        self._warm: set[tuple[str, str]] = set()
        """The (game, bot) kinds that have been warmed up here."""

    def answer(self, request: BotRequest) -> BotAnswer:
        """Carry out a request; a bot's failure is an answer like any other."""
        try:
            match request:
                case Confine():
                    os.environ.clear()
                    limit_resources()
                    return BotAnswer(readable=_confine(request.bot) if request.sandboxed else [])
                case AddBot():
                    return self._add(request)
                case ShowBot():
                    self._show(request)
                    return BotAnswer()
                case AskBot():
                    return self._ask(request)
                case RemoveBots():
                    for key in request.keys:
                        self._bots.pop(key, None)
                    return BotAnswer()
                case TryBot():
                    game = find_game(request.game)
                    _decide_once(game, find_bot(game, request.bot)())
                    return BotAnswer()
                case WarmBot():
                    return self._warm_up(request)
        except Exception as error:
            extra = error.extra if isinstance(error, MissingExtra) else ""
            return BotAnswer(fault=f"{type(error).__name__}: {error}"[:MAX_FAULT], extra=extra)

    def _add(self, request: AddBot) -> BotAnswer:
        game = find_game(request.game)
        bot = find_bot(game, request.bot)()
        if (request.game, request.bot) in self._warm:
            warm_up(bot)
        self._bots[request.key] = (game, bot, random.Random(secrets.randbits(256)))
        return BotAnswer(watches=hasattr(bot, "watch"), warms=hasattr(bot, "warm_up"))

    def _show(self, request: ShowBot | AskBot) -> None:
        game, bot, _ = self._bots[request.key]
        for event in request.events:
            bot.watch(game.event_decoder.decode(event))

    def _ask(self, request: AskBot) -> BotAnswer:
        self._show(request)
        game, bot, rng = self._bots[request.key]
        view = game.state_decoder.decode(request.view)
        return BotAnswer(action=msgspec.json.encode(understood(bot.decide(view, rng), view)))

    def _warm_up(self, request: WarmBot) -> BotAnswer:
        game = find_game(request.game)
        bot = find_bot(game, request.bot)()
        warm_up(bot)
        _decide_once(game, bot)
        self._warm.add((request.game, request.bot))
        return BotAnswer()


def _confine(bot: str) -> list[str]:
    """Put up the sandbox; what can still be read."""
    readable = python_files(file_of(bot))
    confine(readable)
    return [str(path) for path in readable]


def _decide_once(game: Game, bot: Any) -> None:
    rng = random.Random(0)
    state: Any = game.new(players=game.players[0])
    while state.actor is CHANCE:
        state = state.apply(state.sample(rng))
    view = state.seen_by(state.actor)
    understood(bot.decide(view, rng), view)


if __name__ == "__main__":
    bots = Bots()
    child.serve(lambda request: framing.encode(bots.answer(REQUESTS.decode(request))))
