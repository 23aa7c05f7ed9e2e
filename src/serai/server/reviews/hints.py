"""Hints at live tables, worked out in one child process, which ends when nobody has asked for a while."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from serai.errors import KeyedError, phrase
from serai.processes.parent import ChildLost
from serai.server.bots.fair_queue import FairQueue, Place
from serai.server.reviews.worker import NoReview, ReviewWorker

log = logging.getLogger("serai.reviews")

SECONDS = 120.0
"""For one answer: at first there may be much to compile."""
IDLE = 600.0
"""Seconds without a request after which the process is ended."""

phrase({"server.coach": "the coach has no answer; the server's log says why"})


class NoHints(KeyedError):
    """The coach failed."""


class HintWorker:
    """One request at a time; addresses take turns."""

    def __init__(self) -> None:
        self._worker = ReviewWorker(nice=0, idle=IDLE)
        self._queue = FairQueue()

    async def hints(self, game: str, view: bytes, events: Sequence[bytes], address: str) -> bytes:
        """The best actions in this view, as JSON, for a seat that has seen these events; or ``NoHints``."""
        async with self._queue.turn(Place(address)):
            try:
                async with asyncio.timeout(SECONDS):
                    return await self._worker.hints(game, view, events)
            except (ChildLost, NoReview, TimeoutError) as error:
                log.warning("no hints for %s: %s", game, error or f"they took longer than {SECONDS:g} s")
                raise NoHints("server.coach") from None

    async def stop(self) -> None:
        """End the process."""
        await self._worker.end()
