"""A worker as the server sees it: a process that is asked, killed when it overruns, and replaced by one made ready."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Sequence

import msgspec

from serai.server.bots.worker import LENGTH, Answer, Decide, Request, Rise, Sit, Try, Warm

log = logging.getLogger("serai.bots")
_answers: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)

Kind = tuple[str, str]
"""A game and a bot that plays it."""
Story = Callable[[int], Sequence[bytes]]
"""Gives the events that a seat saw, as JSON, from the k-th on."""


class Worker:
    """One process, one request at a time. A new process knows no bots, so they are seated again as needed."""

    def __init__(self, seconds: float, lost: Callable[[], None] = lambda: None) -> None:
        self._seconds = seconds
        self._lost = lost
        """Called when the process had to be ended: the next one has to warm up again."""
        self.cold = True
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
        successor = Worker(self._seconds)
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
        if process is None:
            return
        ending = asyncio.ensure_future(_end(process))
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:
            await ending  # nothing of it may be left behind when the event loop goes
            raise

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
            await self._lose()
            return Answer(fault=f"took longer than {seconds:g} s")
        except (OSError, asyncio.IncompleteReadError):
            await self._lose()
            return Answer(fault="its process died")
        except asyncio.CancelledError:
            await self._lose()  # an answer nobody read would be taken for that of the next request
            raise

    async def _lose(self) -> None:
        await self.stop()
        self._lost()

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


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill a process, and wait until it and its pipes are gone."""
    assert process.stdin is not None
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    process.stdin.close()
    await process.communicate()
    with contextlib.suppress(OSError):
        await process.stdin.wait_closed()
    await asyncio.sleep(0)  # the pipes are closed: so is, a turn of the event loop later, what holds them
