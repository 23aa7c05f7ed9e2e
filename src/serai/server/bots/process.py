"""A worker as the server sees it: a process that is asked, ended when it overruns, and replaced by one made ready."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from serai.bots.pipe import Answer, Decide, Request, Rise, Sit, Try, Warm
from serai.bots.processes import BotProcess, Lost, NotIsolated, shared_process

log = logging.getLogger("serai.bots")

Kind = tuple[str, str]
"""A game and a bot that plays it."""
Story = Callable[[int], Sequence[bytes]]
"""Gives the events that a seat saw, as JSON, from the k-th on."""
Begin = Callable[[], Awaitable[BotProcess]]
"""Starts a process."""


class Worker:
    """One process, one request at a time. A new process knows no bots, so they are seated again as needed."""

    def __init__(self, seconds: float, lost: Callable[[], None] = lambda: None, begin: Begin = shared_process) -> None:
        self._seconds = seconds
        self._lost = lost
        """Called when the process had to be ended: the next one has to warm up again."""
        self._begin = begin
        self.cold = True
        self.warms = False
        """Whether the bot that sat down last can be made faster."""
        self._process: BotProcess | None = None
        self._turn = asyncio.Lock()
        self._watched: dict[str, int | None] = {}
        """For each bot seated in the present process: how many events it saw, or ``None`` if it does not watch."""

    def knows(self, key: str) -> bool:
        """Whether this bot sits here."""
        return key in self._watched

    async def decide(self, key: str, game: str, bot: str, view: bytes, story: Story) -> bytes | None:
        async with self._turn:
            if self._process is None or key not in self._watched:
                seated = await self._ask(Sit(key, game, bot), self._seconds)
                if seated.fault:
                    log.warning("bot %s of %s cannot be seated: %s", bot, game, seated.fault)
                    return None
                self._watched[key] = 0 if seated.watches else None
                self.warms = seated.warms
            seen = self._watched[key]
            events = [] if seen is None else list(story(seen))
            answer = await self._ask(Decide(key, events, view), self._seconds)
            if answer.fault:
                log.warning("bot %s of %s failed: %s", bot, game, answer.fault)
                self._watched.pop(key, None)
                return None
            if seen is not None:
                self._watched[key] = seen + len(events)
            return answer.action

    async def rise(self, keys: Sequence[str]) -> None:
        async with self._turn:
            known = [key for key in keys if key in self._watched]
            if self._process is not None and known:
                await self._ask(Rise(known), self._seconds)
            for key in known:
                self._watched.pop(key, None)

    async def attempt(self, game: str, bot: str, seconds: float) -> Answer:
        """Let a bot of that kind decide once at a game of its own; the answer tells whether it could."""
        async with self._turn:
            answer = await self._ask(Try(game, bot), seconds)
        if answer.fault:
            log.warning("bot %s of %s cannot play here: %s", bot, game, answer.fault)
        return answer

    async def warm(self, game: str, bot: str, seconds: float) -> None:
        """Let bots of that kind load what makes them faster, if there is such a thing."""
        async with self._turn:
            answer = await self._ask(Warm(game, bot), seconds)
        if answer.fault:
            log.warning("bot %s of %s stays as slow as it is: %s", bot, game, answer.fault)

    async def renew(self, kinds: Sequence[Kind], seconds: float) -> None:
        """Warm another process up beside the present one, and let it take over between two requests."""
        successor = Worker(self._seconds, begin=self._begin)
        try:
            for kind in kinds:
                await successor.warm(*kind, seconds)
            async with self._turn:
                await self.stop()
                self._process, successor._process = successor._process, None
                self.cold = False
        finally:
            await successor.stop()

    async def stop(self) -> None:
        """End the process, whatever it is doing."""
        process, self._process = self._process, None
        self._watched.clear()
        self.cold = True
        if process is not None:
            await process.end()

    async def _ask(self, request: Request, seconds: float) -> Answer:
        try:
            if self._process is None:
                self._process = await self._begin()
            return await self._process.ask(request, seconds)
        except (Lost, NotIsolated, OSError) as lost:
            await self._lose()
            return Answer(fault=str(lost), exposed=isinstance(lost, NotIsolated))
        except asyncio.CancelledError:
            await self._lose()  # an answer nobody read would be taken for that of the next request
            raise

    async def _lose(self) -> None:
        await self.stop()
        self._lost()
