"""A reviewing process as the server sees it: started when it is needed, ended when it hangs or has been idle."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable

import msgspec

from serai.bots.processes import house_environment
from serai.core.errors import phrase
from serai.server.reviews.pipe import (
    LENGTH,
    Answer,
    Judge,
    Made,
    Name,
    Named,
    Refused,
    Step,
    Stop,
    framed,
    read_answer,
)
from serai.table.bodies import Problem

NICE = 10
"""Bots at tables, and everything else, come first."""
STALLED = 300.0
"""Seconds without a sign of life: at first it may have much to compile."""
STOPPED_WITHIN = 5.0
"""Seconds to stop in, between two actions; after that it is ended."""

phrase({"review.failed": "the review could not be worked out; the server's log says why"})


class NoReview(Exception):
    """There is none, for this reason."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


class Lost(Exception):
    """The process answers no more; the message says why."""


class ReviewProcess:
    """One process, one request at a time; as ``nice`` to all others as that number says."""

    def __init__(self, nice: int = NICE) -> None:
        self._nice = nice
        self._process: asyncio.subprocess.Process | None = None
        self._asking: asyncio.Future[Answer] | None = None
        """The request that is being answered."""

    @property
    def pid(self) -> int | None:
        """Its number while it lives."""
        return None if self._process is None else self._process.pid

    async def name(self, game: str) -> str:
        """The evaluator of this game; ``NoReview`` if it cannot be judged here."""
        answer = await self._ask(Name(game), lambda done, of: None)
        if isinstance(answer, Named):
            return answer.evaluator
        raise _failure(answer)

    async def review(self, record: str, effort: str, hear: Callable[[int, int], None]) -> bytes:
        """The last line of a review, packed, while ``hear`` is told how many actions are judged, of how many."""
        answer = await self._ask(Judge(record, effort), hear)
        if isinstance(answer, Made):
            return answer.line
        raise _failure(answer)

    async def end(self) -> None:
        """Kill it, whatever it is doing, and wait until nothing of it is left."""
        process, self._process = self._process, None
        if process is not None:
            _kill(process)
            if self._asking is not None:
                await asyncio.wait([self._asking])  # it reads what was left, and nobody else may meanwhile
            await _clear_away(process)

    async def _ask(self, request: Name | Judge, hear: Callable[[int, int], None]) -> Answer:
        # apart from whoever waits: half an answer that was read would spoil the next one
        asking = self._asking = asyncio.ensure_future(self._answer(request, hear))
        try:
            return await asyncio.shield(asking)
        except asyncio.CancelledError:
            await self._stop(asking)
            raise
        except Lost:
            await self.end()
            raise

    async def _answer(self, request: Name | Judge, hear: Callable[[int, int], None]) -> Answer:
        if self._process is None:
            self._process = await _begin(self._nice)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(framed(request))
            await process.stdin.drain()
            while True:
                async with asyncio.timeout(STALLED):
                    (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
                    answer = read_answer(await process.stdout.readexactly(length))
                if not isinstance(answer, Step):
                    return answer
                hear(answer.done, answer.of)
        except TimeoutError:
            raise Lost(f"nothing was heard for {STALLED:g} s") from None
        except (OSError, asyncio.IncompleteReadError, msgspec.DecodeError):
            raise Lost("its process died") from None

    async def _stop(self, asking: asyncio.Future[Answer]) -> None:
        """Let it stop by itself, so that what it has loaded is there for the next; end it if it does not."""
        if self._process is None:
            asking.cancel()
        elif self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.write(framed(Stop()))
        await asyncio.wait([asking], timeout=STOPPED_WITHIN)
        if not asking.done() or asking.cancelled() or asking.exception() is not None:
            await self.end()


async def _begin(nice: int) -> asyncio.subprocess.Process:
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "serai.server.reviews.child", str(nice)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=house_environment(),
            start_new_session=True,  # Ctrl-C is for whoever started it, who then tells it
        )
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        process = await starting  # begun is begun
        _kill(process)
        await _clear_away(process)
        raise
    except OSError as error:
        raise Lost(f"it cannot be started: {error.strerror}") from None


def _kill(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        if process.returncode is None and sys.platform != "win32":
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()


async def _clear_away(process: asyncio.subprocess.Process) -> None:
    """Wait until nothing of a killed process is left."""
    assert process.stdin is not None
    process.stdin.close()
    await process.communicate()
    with contextlib.suppress(OSError):
        await process.stdin.wait_closed()
    await asyncio.sleep(0)  # the pipes are closed: so is, a turn of the event loop later, what holds them


def _failure(answer: Answer) -> Exception:
    return NoReview(answer.problem) if isinstance(answer, Refused) else Lost("it said something else")
