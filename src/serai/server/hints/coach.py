"""The coach as the server sees it: one process, started when somebody asks and ended when nobody has for a while."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from functools import partial

from serai.bots.processes import shared_process
from serai.core.errors import KeyedError, phrase
from serai.server.bots.process import Worker
from serai.server.bots.turns import Place, Turns

SECONDS = 120.0
"""For one answer: at first there may be much to compile."""
IDLE = 600.0
"""Seconds after which the process is let go."""

phrase({"server.coach": "the coach has no answer; the server's log says why"})


class NoAnswer(KeyedError):
    """The coach failed."""


class Coach:
    """Whoever asks waits for their turn; addresses take turns."""

    def __init__(self) -> None:
        self._worker = Worker(SECONDS, begin=partial(shared_process, "serai.server.hints.child"))
        self._turns = Turns()
        self._keys = itertools.count()
        self._idle: asyncio.TimerHandle | None = None
        self._leaving: asyncio.Task[None] | None = None

    async def hints(self, game: str, view: bytes, story: Sequence[bytes], address: str) -> bytes:
        """The best actions in this view, as JSON, for a seat that has seen this story; ``NoAnswer`` if it has none."""
        async with self._turns.taken(Place(address)):
            self._stay()
            key = str(next(self._keys))
            try:
                told = await self._worker.decide(key, game, "coach", view, lambda seen: story[seen:])
                if told is None:
                    raise NoAnswer("server.coach")
                await self._worker.rise([key])
                return told
            finally:
                self._stay(IDLE)

    async def stop(self) -> None:
        """End the process."""
        self._stay()
        if self._leaving is not None:
            await self._leaving
        await self._worker.stop()

    def _stay(self, seconds: float | None = None) -> None:
        """Let the process go after so many seconds, or for now not at all."""
        if self._idle is not None:
            self._idle.cancel()
        self._idle = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self._leave)

    def _leave(self) -> None:
        self._leaving = asyncio.ensure_future(self._worker.stop())
