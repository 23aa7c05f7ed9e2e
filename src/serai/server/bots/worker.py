"""A worker process in which bots think: ``python -m serai.server.bots.worker``.

It reads requests from its standard input and writes answers to its standard output, each as four bytes of length
and then MessagePack. All it ever learns of a game are views and events of the seats its bots play. Whoever started
it kills it when a bot takes too long.
"""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import struct
import sys
from typing import Any, BinaryIO

import msgspec

from serai.bots.contract import warm_up
from serai.bots.specs import find_bot
from serai.core.chance import CHANCE
from serai.core.errors import MissingExtra
from serai.core.game import Game
from serai.core.registry import game as find_game


class Sit(msgspec.Struct, frozen=True, tag="sit"):
    """Make a bot for a seat."""

    key: str
    game: str
    bot: str


class Decide(msgspec.Struct, frozen=True, tag="decide"):
    """Show a bot what happened since, then let it decide. Views and events are JSON."""

    key: str
    events: list[bytes]
    view: bytes


class Rise(msgspec.Struct, frozen=True, tag="rise"):
    """These bots are needed no more."""

    keys: list[str]


class Try(msgspec.Struct, frozen=True, tag="try"):
    """Let a bot of that kind decide once at a game of its own, to see whether it can play here."""

    game: str
    bot: str


class Warm(msgspec.Struct, frozen=True, tag="warm"):
    """Let bots of that kind load what makes them faster; those that sit down from now on use it."""

    game: str
    bot: str


class Answer(msgspec.Struct, frozen=True):
    """What came of a request: an action as JSON, whether a bot watches events, or what went wrong."""

    action: bytes = b""
    watches: bool = False
    fault: str = ""
    extra: str = ""
    """The extra of Serai whose lack is the fault."""


Request = Sit | Decide | Rise | Try | Warm
LENGTH = struct.Struct(">I")
_requests: msgspec.msgpack.Decoder[Request] = msgspec.msgpack.Decoder(Request)


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
            return Answer(fault=f"{type(error).__name__}: {error}", extra=extra)

    def _sit(self, request: Sit) -> Answer:
        game = find_game(request.game)
        bot = find_bot(game, request.bot)()
        if (request.game, request.bot) in self._warm:
            warm_up(bot)
        self._bots[request.key] = (game, bot, random.Random(secrets.randbits(256)))
        return Answer(watches=hasattr(bot, "watch"))

    def _decide(self, request: Decide) -> Answer:
        game, bot, rng = self._bots[request.key]
        for event in request.events:
            bot.watch(game.event_decoder.decode(event))
        view = game.state_decoder.decode(request.view)
        return Answer(action=msgspec.json.encode(bot.decide(view, rng)))

    def _warm_up(self, request: Warm) -> Answer:
        game = find_game(request.game)
        bot = find_bot(game, request.bot)()
        warm_up(bot)
        _decide_once(game, bot)
        self._warm.add((request.game, request.bot))
        return Answer()


def _decide_once(game: Game, bot: Any) -> None:
    rng = random.Random(0)
    state: Any = game.new(players=game.players[0])
    while state.actor is CHANCE:
        state = state.apply(state.sample(rng))
    action = bot.decide(state.seen_by(state.actor), rng)
    if action not in state.actions():
        raise ValueError(f"decided on {action!r}, which is no legal action")


def main() -> None:
    """Serve requests until the input ends."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a bot prints must not get between the answers
    bench = Bench()
    while (request := _read(source)) is not None:
        answer = msgspec.msgpack.encode(bench.answer(request))
        sink.write(LENGTH.pack(len(answer)) + answer)
        sink.flush()


def _read(source: BinaryIO) -> Request | None:
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    return _requests.decode(source.read(LENGTH.unpack(head)[0]))


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        main()
