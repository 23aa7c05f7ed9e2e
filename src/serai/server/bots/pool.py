"""Bots at tables, seen from the server: workers that are asked, and killed and replaced when they overrun."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import zlib
from collections.abc import Callable, Sequence

import msgspec

from serai.server.bots.worker import LENGTH, Answer, Decide, Request, Rise, Sit, Warm

log = logging.getLogger("serai.bots")
_answers: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)

WARM_AFTER = 2.0
"""Seconds after the start: first come those who open the page."""
WARM_SECONDS = 120.0
"""Compiling may take a while; nobody waits for it."""

Story = Callable[[int], Sequence[bytes]]
"""Gives the events that a seat saw, as JSON, from the k-th on."""


class _Worker:
    """One process, one request at a time. A new process knows no bots, so they are seated again as needed."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._watched: dict[str, int | None] = {}
        """For each bot seated in the present process: how many events it saw, or ``None`` if it does not watch."""

    async def decide(self, key: str, game: str, bot: str, view: bytes, story: Story) -> bytes | None:
        async with self._turn:
            if self._process is None or key not in self._watched:
                seated = await self._ask(Sit(key, game, bot), self._seconds)
                if seated.fault:
                    log.warning("bot %s of %s cannot be seated: %s", bot, game, seated.fault)
                    return None
                self._watched[key] = 0 if seated.watches else None
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

    async def warm(self, game: str, bot: str, seconds: float) -> bool:
        """Let a bot of that kind decide once; whether it did within these seconds."""
        async with self._turn:
            answer = await self._ask(Warm(game, bot), seconds)
        if answer.fault:
            log.warning("bot %s of %s fails on its first decision: %s", bot, game, answer.fault)
        return not answer.fault

    async def stop(self) -> None:
        process, self._process = self._process, None
        self._watched.clear()
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _ask(self, request: Request, seconds: float) -> Answer:
        try:
            process = self._process or await self._begin()
            assert process.stdin is not None
            assert process.stdout is not None
            body = msgspec.msgpack.encode(request)
            process.stdin.write(LENGTH.pack(len(body)) + body)
            async with asyncio.timeout(seconds):
                await process.stdin.drain()
                head = await process.stdout.readexactly(LENGTH.size)
                return _answers.decode(await process.stdout.readexactly(LENGTH.unpack(head)[0]))
        except TimeoutError:
            await self.stop()
            return Answer(fault=f"took longer than {seconds:g} s")
        except (OSError, asyncio.IncompleteReadError):
            await self.stop()
            return Answer(fault="its process died")
        except asyncio.CancelledError:
            await self.stop()  # an answer nobody read would be taken for that of the next request
            raise

    async def _begin(self) -> asyncio.subprocess.Process:
        starting = asyncio.ensure_future(
            asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "serai.server.bots.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the server, which then tells its workers
            )
        )
        try:
            self._process = await asyncio.shield(starting)
        except asyncio.CancelledError:
            self._process = await starting  # begun is begun: whoever stops us finds it and ends it
            raise
        return self._process


class BotPool:
    """A few workers; all bots of a table share one, so that a slow bot holds up few others."""

    def __init__(self, workers: int, seconds: float) -> None:
        self._seconds = seconds
        self._workers = [_Worker(seconds) for _ in range(workers)]
        self._warming: asyncio.Task[None] | None = None
        self.unfit: set[tuple[str, str]] = set()
        """The (game, bot) kinds that failed their first decision here, for example because a package is missing."""

    def warm(self, kinds: Sequence[tuple[str, str]]) -> None:
        """Compile, in the background, what these (game, bot) kinds need."""
        self._warming = asyncio.create_task(self._warm(kinds))

    async def _warm(self, kinds: Sequence[tuple[str, str]]) -> None:
        await asyncio.sleep(WARM_AFTER)
        # a process of its own fills the caches on disk, since tables wait for none of this; what went well there
        # is then quick enough for the workers at the tables
        scout = _Worker(self._seconds)
        try:
            for kind in kinds:
                if not await scout.warm(*kind, WARM_SECONDS):
                    self.unfit.add(kind)
        finally:
            await scout.stop()
        for worker in self._workers:
            for kind in kinds:
                if kind not in self.unfit:
                    await worker.warm(*kind, self._seconds)

    async def decide(self, table: str, key: str, game: str, bot: str, view: bytes, story: Story) -> bytes | None:
        """The bot's action as JSON, or ``None`` when it has none to give (it failed or took too long)."""
        return await self._of(table).decide(f"{table} {key}", game, bot, view, story)

    async def rise(self, table: str, keys: Sequence[str]) -> None:
        """Forget the bots of a table."""
        await self._of(table).rise([f"{table} {key}" for key in keys])

    async def stop(self) -> None:
        """End all workers."""
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        for worker in self._workers:
            await worker.stop()

    def _of(self, table: str) -> _Worker:
        return self._workers[zlib.crc32(table.encode()) % len(self._workers)]
