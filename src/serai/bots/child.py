"""A process in which bots think: ``python -m serai.bots.child``.

It reads requests from its standard input and writes answers to its standard output. All it ever learns of a game are
views and events of the seats its bots play. Whoever started it kills it when a bot takes too long.
"""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from serai.bots.contract import understood, warm_up
from serai.bots.pipe import (
    MAX_FAULT,
    Answer,
    Confine,
    Decide,
    Request,
    Rise,
    Sit,
    Try,
    Warm,
    framed,
    read_request,
)
from serai.bots.specs import file_of, find_bot
from serai.bots.walls import bound, confine, end_with_parent, of_python
from serai.core.chance import CHANCE
from serai.core.errors import MissingExtra
from serai.core.game import Game
from serai.core.registry import game as find_game


class Bench:
    """The bots of this process, each with its game and its own randomness."""

    def __init__(self) -> None:
        self._bots: dict[str, tuple[Game, Any, random.Random]] = {}
        self._warm: set[tuple[str, str]] = set()
        """The (game, bot) kinds that have been warmed up here."""

    def answer(self, request: Request) -> Answer:
        """Do what is asked; a bot's failure is an answer like any other."""
        try:
            match request:
                case Confine():
                    os.environ.clear()
                    bound()
                    return Answer(readable=_shut_in(request.bot) if request.walls else [])
                case Sit():
                    return self._sit(request)
                case Decide():
                    return self._decide(request)
                case Rise():
                    for key in request.keys:
                        self._bots.pop(key, None)
                    return Answer()
                case Try():
                    game = find_game(request.game)
                    _decide_once(game, find_bot(game, request.bot)())
                    return Answer()
                case Warm():
                    return self._warm_up(request)
        except Exception as error:
            extra = error.extra if isinstance(error, MissingExtra) else ""
            return Answer(fault=f"{type(error).__name__}: {error}"[:MAX_FAULT], extra=extra)

    def _sit(self, request: Sit) -> Answer:
        game = find_game(request.game)
        bot = find_bot(game, request.bot)()
        if (request.game, request.bot) in self._warm:
            warm_up(bot)
        self._bots[request.key] = (game, bot, random.Random(secrets.randbits(256)))
        return Answer(watches=hasattr(bot, "watch"), warms=hasattr(bot, "warm_up"))

    def _decide(self, request: Decide) -> Answer:
        game, bot, rng = self._bots[request.key]
        for event in request.events:
            bot.watch(game.event_decoder.decode(event))
        view = game.state_decoder.decode(request.view)
        return Answer(action=msgspec.json.encode(understood(bot.decide(view, rng), view)))

    def _warm_up(self, request: Warm) -> Answer:
        game = find_game(request.game)
        bot = find_bot(game, request.bot)()
        warm_up(bot)
        _decide_once(game, bot)
        self._warm.add((request.game, request.bot))
        return Answer()


def _shut_in(bot: str) -> list[str]:
    """Put up the walls; what can still be read."""
    readable = of_python(file_of(bot))
    confine(readable)
    return [str(path) for path in readable]


def _decide_once(game: Game, bot: Any) -> None:
    rng = random.Random(0)
    state: Any = game.new(players=game.players[0])
    while state.actor is CHANCE:
        state = state.apply(state.sample(rng))
    view = state.seen_by(state.actor)
    understood(bot.decide(view, rng), view)


def serve(answer: Callable[[Request], Answer]) -> None:
    """Answer requests until the input ends."""
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        end_with_parent()
        source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # what a bot prints must not get between the answers
        while (request := read_request(source)) is not None:
            sink.write(framed(answer(request)))
            sink.flush()


if __name__ == "__main__":
    serve(Bench().answer)
