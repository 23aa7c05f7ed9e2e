"""The parent's side of a child process in asyncio, for the server.

A child of somebody else's bot is stopped between two requests, and what it prints is logged within bounds.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
import tempfile
from typing import Generic, Self, TypeVar

import msgspec

from serai.processes.framing import BadMessage, Messages, encode, frame, receive_message
from serai.processes.parent import ChildLost, environment, kill_group, python
from serai.processes.usage import LOOK_SECONDS, Usage

log = logging.getLogger("serai.bots")

T = TypeVar("T")

PRINTED_LINES, PRINTED_CHARACTERS = 100, 300
"""How much of what an isolated child prints is logged."""


class AsyncChild(Generic[T]):
    """A child that answers one request at a time with a message of one type."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        answers: Messages[T],
        folder: tempfile.TemporaryDirectory[str] | None = None,
    ) -> None:
        self.pid = process.pid
        self._process = process
        self._answers = answers
        self._folder = folder
        self._reading = asyncio.Lock()
        """Held while somebody reads: two cannot."""
        self._logging = None if process.stderr is None else asyncio.create_task(_log(process.stderr))
        self._pauses = folder is not None and sys.platform == "linux"
        self._usage = Usage(process.pid)

    @classmethod
    async def start(cls, module: str, *arguments: str, answers: Messages[T], isolated: bool = False) -> Self:
        """Start a module of ours; ``OSError`` if that fails.

        ``isolated``: for one bot that is not ours. It has a bare environment and an empty folder to stand in, what it
        prints is logged within bounds, and between two requests it is stopped, so that it thinks in its own time only.
        """
        folder = tempfile.TemporaryDirectory(prefix="serai-bot-") if isolated else None
        starting = asyncio.ensure_future(
            asyncio.create_subprocess_exec(
                *python(module, *arguments),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=None if folder is None else asyncio.subprocess.PIPE,
                env=environment(compiled=not isolated),
                cwd=None if folder is None else folder.name,
                start_new_session=True,
            )
        )
        try:
            return cls(await asyncio.shield(starting), answers, folder)
        except asyncio.CancelledError:
            await cls(await starting, answers, folder).end()  # it has been started, so it must be ended
            raise
        except OSError:
            if folder is not None:
                folder.cleanup()
            raise
        finally:
            del starting  # or an error, its traceback, this frame and the task would be a reference cycle

    async def ask(self, request: msgspec.Struct, seconds: float) -> T:
        """The answer to a request; ``ChildLost`` if there is none in time, or none that can be decoded."""
        self._signal("SIGCONT")
        try:
            async with asyncio.timeout(seconds):
                await self.send(request)
                answer = await (self._receive_counted() if self._pauses else self._receive())
        except TimeoutError:
            raise ChildLost(f"took longer than {seconds:g} s") from None
        self._signal("SIGSTOP")
        return answer

    async def send(self, request: msgspec.Struct) -> None:
        """Send a request without waiting for the answer."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(frame(encode(request)))
            await self._process.stdin.drain()
        except OSError:
            raise ChildLost("its process died") from None

    async def receive(self, seconds: float) -> T:
        """The next message; ``ChildLost`` if there is none in time, or none that can be decoded."""
        try:
            async with asyncio.timeout(seconds):
                return await self._receive()
        except TimeoutError:
            raise ChildLost(f"nothing was heard for {seconds:g} s") from None

    async def end(self) -> None:
        """Kill it, whatever it is doing, and wait until nothing of it is left."""
        ending = asyncio.ensure_future(self._end())
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:
            await ending  # nothing of it may be left behind when the event loop goes
            raise

    async def _receive(self) -> T:
        assert self._process.stdout is not None
        try:
            async with self._reading:
                message = await receive_message(self._process.stdout, self._answers.limit)
            return self._answers.decode(message)
        except BadMessage as error:
            raise ChildLost(f"its answer {error}") from None
        except (OSError, EOFError):
            raise ChildLost("its process died") from None

    async def _receive_counted(self) -> T:
        """The answer of a child that is looked at while it thinks; ``ChildLost`` if it uses too much."""
        receiving = asyncio.ensure_future(self._receive())
        try:
            while True:
                done, _ = await asyncio.wait([receiving], timeout=LOOK_SECONDS)
                excess = self._usage.excess()
                if excess:
                    raise ChildLost(excess)
                if done:
                    return receiving.result()
        finally:
            receiving.cancel()
            await asyncio.gather(receiving, return_exceptions=True)
            del receiving  # or an error, its traceback, this frame and the task would be a reference cycle

    async def _end(self) -> None:
        process = self._process
        assert process.stdin is not None
        if process.returncode is None:
            kill_group(process.pid)
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.stdin.close()
        if self._logging is not None:
            await self._logging
        async with self._reading:  # a reader finds the end of the output first
            await process.communicate()
        with contextlib.suppress(OSError):
            await process.stdin.wait_closed()
        if self._folder is not None:
            self._folder.cleanup()
        await asyncio.sleep(0)  # the transports of the pipes close one turn of the event loop later

    def _signal(self, name: str) -> None:
        if self._pauses:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(getattr(signal, name))


async def _log(printed: asyncio.StreamReader) -> None:
    """Log what a child prints, line by line; all of it is read, so that the child never waits for us."""
    logged, line = 0, b""
    while more := await printed.read(4096):
        *lines, line = (line + more).split(b"\n")
        line = line[:PRINTED_CHARACTERS]
        for each in lines[: PRINTED_LINES - logged]:
            log.warning("a bot says: %s", _printable(each))
        logged = min(logged + len(lines), PRINTED_LINES)
    if line and logged < PRINTED_LINES:
        log.warning("a bot says: %s", _printable(line))


def _printable(line: bytes) -> str:
    """The line without characters that a terminal would obey."""
    return ascii(line.decode(errors="replace")[:PRINTED_CHARACTERS])[1:-1]
