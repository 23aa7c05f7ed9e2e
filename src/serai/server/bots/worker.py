"""A bot worker as the server sees it: a process that is asked, ended when it overruns, and replaced by a warm one.

Bots that are part of Serai share workers. A bot that is not ours has a process to itself, in a
:mod:`sandbox <serai.processes.sandbox>`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec

from serai.processes import framing
from serai.processes.async_parent import AsyncChild
from serai.processes.parent import ChildLost

log = logging.getLogger("serai.bots")

START_SECONDS = 30.0
"""For Python to start and put up the sandbox, on a busy machine."""
MAX_ANSWER = 64 * 1024
"""Bytes: an action is far smaller."""
MOST_EVENTS = 200
"""Of a long game, which are sent at a time: nothing that the event loop does grows with a game."""
MAX_FAULT = 1000
"""Characters that are reported of what went wrong."""
CLOSED = "the server is shutting down"

# -- messages ----------------------------------------------------------------------------------------------------------


class Confine(msgspec.Struct, frozen=True, tag="confine"):
    """Clear the environment, limit the memory and put up the sandbox, before the only bot of this process is loaded."""

    bot: str
    sandboxed: bool = True


class AddBot(msgspec.Struct, frozen=True, tag="add"):
    """Make a bot for a seat."""

    key: str
    game: str
    bot: str


class ShowBot(msgspec.Struct, frozen=True, tag="show"):
    """Show a bot some of what happened since it was last asked. Events are JSON."""

    key: str
    events: list[bytes]


class AskBot(msgspec.Struct, frozen=True, tag="ask"):
    """Show a bot the rest of what happened since it was last asked, then let it decide. The view is JSON, too."""

    key: str
    events: list[bytes]
    view: bytes


class RemoveBots(msgspec.Struct, frozen=True, tag="remove"):
    """Forget these bots."""

    keys: list[str]


class TryBot(msgspec.Struct, frozen=True, tag="try"):
    """Let a bot of that kind decide once at a game of its own, to see whether it can play here."""

    game: str
    bot: str


class WarmBot(msgspec.Struct, frozen=True, tag="warm"):
    """Let bots of that kind load what makes them faster; those added from now on use it."""

    game: str
    bot: str


class BotAnswer(msgspec.Struct, frozen=True):
    """The result of a request: an action as JSON, facts about a bot, or what went wrong."""

    action: bytes = b""
    watches: bool = False
    """Whether the bot wants to be shown events."""
    warms: bool = False
    """Whether it can be made faster."""
    fault: str = ""
    extra: str = ""
    """The extra of Serai whose lack is the fault."""
    exposed: bool = False
    """Whether the fault is that the bot could see what it must not."""
    readable: list[str] = []
    """Files and folders that a sandboxed process can read."""


BotRequest = Confine | AddBot | ShowBot | AskBot | RemoveBots | TryBot | WarmBot

REQUESTS: framing.Messages[BotRequest] = framing.Messages(BotRequest)
ANSWERS: framing.Messages[BotAnswer] = framing.Messages(BotAnswer, MAX_ANSWER)


# -- processes ---------------------------------------------------------------------------------------------------------

BotProcess = AsyncChild[BotAnswer]
BotKind = tuple[str, str]
"""A game and a bot that plays it."""
EventsFrom = Callable[[int], Sequence[bytes]]
"""Returns the events that a seat saw, as JSON, from the k-th on: ``MOST_EVENTS`` of them at most."""

_MAIN = "serai.server.bots.worker_main"


class NotIsolated(Exception):
    """A bot could see what it must not; the message says why."""


async def shared_process() -> BotProcess:
    """A process for bots that are part of Serai."""
    return await AsyncChild.start(_MAIN, answers=ANSWERS)


async def isolated_process(bot: str, private: Sequence[Path] = (), *, sandboxed: bool = True) -> BotProcess:
    """A process for this one bot and one seat; ``NotIsolated`` if it could read one of the ``private`` files.

    A bot that is not ``sandboxed`` is trusted not to look around. A bot that is a file is named by its full path.
    """
    process = await AsyncChild.start(_MAIN, answers=ANSWERS, isolated=True)
    try:
        confined = await process.ask(Confine(bot, sandboxed), START_SECONDS)
        if confined.fault:
            reason = confined.fault.partition(": ")[2]
            raise NotIsolated(f"{reason}; if you trust its author with this server, start it with --trust-bots")
        for file in private:
            for place in map(Path, confined.readable):
                if file.resolve().is_relative_to(place):
                    raise NotIsolated(f"{file} lies in {place}, which bots must be able to read; keep it elsewhere")
    except BaseException:
        await process.end()
        raise
    return process


class BotWorker:
    """One process, one request at a time. A new process knows no bots, so they are added again as needed."""

    def __init__(
        self,
        seconds: float,
        lost: Callable[[], None] = lambda: None,
        start: Callable[[], Awaitable[BotProcess]] = shared_process,
    ) -> None:
        """``lost`` is called when the process had to be ended: the next one has to warm up again."""
        self._seconds = seconds
        self._lost = lost
        self._start = start
        self._closed = False
        self.cold = True
        self.warms = False
        """Whether the bot that was added last can be made faster."""
        self._process: BotProcess | None = None
        self._lock = asyncio.Lock()
        self._watched: dict[str, int | None] = {}
        """For each bot in the present process: how many events it saw, or ``None`` if it does not watch."""

    def knows(self, key: str) -> bool:
        return key in self._watched

    async def decide(self, key: str, game: str, bot: str, view: bytes, events_from: EventsFrom) -> bytes | None:
        """The bot's action as JSON, or ``None`` if it failed or took too long."""
        async with self._lock:
            if self._process is None or key not in self._watched:
                added = await self._ask(AddBot(key, game, bot), self._seconds)
                if added.fault:
                    log.warning("bot %s of %s cannot be made: %s", bot, game, added.fault)
                    return None
                self._watched[key] = 0 if added.watches else None
                self.warms = added.warms
            answer = await self._show_and_ask(key, view, events_from)
            if answer.fault:
                log.warning("bot %s of %s failed: %s", bot, game, answer.fault)
                self._watched.pop(key, None)
                return None
            return answer.action

    async def _show_and_ask(self, key: str, view: bytes, events_from: EventsFrom) -> BotAnswer:
        """Show a bot that watches what it has not seen, then let it decide: so long for each of the two."""
        seen = self._watched[key]
        if seen is None:
            return await self._ask(AskBot(key, [], view), self._seconds)
        loop = asyncio.get_running_loop()
        until = loop.time() + self._seconds
        while len(events := events_from(seen)) == MOST_EVENTS:
            shown = await self._ask(ShowBot(key, list(events)), max(until - loop.time(), 0.0))
            if shown.fault:
                return shown
            seen += len(events)
            self._watched[key] = seen
        answer = await self._ask(AskBot(key, list(events), view), self._seconds)
        self._watched[key] = seen + len(events)
        return answer

    async def remove(self, keys: Sequence[str]) -> None:
        async with self._lock:
            known = [key for key in keys if key in self._watched]
            if self._process is not None and known:
                await self._ask(RemoveBots(known), self._seconds)
            for key in known:
                self._watched.pop(key, None)

    async def attempt(self, game: str, bot: str, seconds: float) -> BotAnswer:
        """Let a bot of that kind decide once at a game of its own; the answer has a fault if it could not."""
        async with self._lock:
            answer = await self._ask(TryBot(game, bot), seconds)
        if answer.fault:
            log.warning("bot %s of %s cannot play here: %s", bot, game, answer.fault)
        return answer

    async def warm(self, game: str, bot: str, seconds: float) -> None:
        """Let bots of that kind load what makes them faster, if there is such a thing."""
        async with self._lock:
            answer = await self._ask(WarmBot(game, bot), seconds)
        if answer.fault:
            log.warning("bot %s of %s stays as slow as it is: %s", bot, game, answer.fault)

    async def renew(self, kinds: Sequence[BotKind], seconds: float) -> None:
        """Warm another process up beside the present one, and let it take over between two requests."""
        successor = BotWorker(self._seconds, start=self._start)
        try:
            for kind in kinds:
                await successor.warm(*kind, seconds)
            async with self._lock:
                await self.stop()
                self._process, successor._process = successor._process, None
                self.cold = False
        finally:
            await successor.stop()

    async def stop(self) -> None:
        process, self._process = self._process, None
        self._watched.clear()
        self.cold = True
        if process is not None:
            await process.end()

    async def close(self) -> None:
        """Stop for good. A process that is being started for a table that is gone already is waited for and ended: the
        end of the event loop would wait for ever for one that is not connected yet.
        """
        self._closed = True
        await self.stop()
        async with self._lock:
            pass

    async def _ask(self, request: BotRequest, seconds: float) -> BotAnswer:
        if self._closed:
            return BotAnswer(fault=CLOSED)
        try:
            if self._process is None:
                self._process = await self._start()
                if self._closed:
                    raise ChildLost(CLOSED)
            return await self._process.ask(request, seconds)
        except (ChildLost, NotIsolated, OSError) as error:
            await self._lose()
            return BotAnswer(fault=str(error), exposed=isinstance(error, NotIsolated))
        except asyncio.CancelledError:
            await self._lose()  # an answer nobody read would be taken for that of the next request
            raise

    async def _lose(self) -> None:
        await self.stop()
        self._lost()
