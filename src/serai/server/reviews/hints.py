"""Hints at live tables, worked out in one child process, which ends when nobody has asked for a while."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable

from serai.errors import KeyedError, phrase
from serai.processes.parent import ChildLost
from serai.server.bots.fair_queue import FairQueue, Place
from serai.server.bots.worker import MOST_EVENTS
from serai.server.reviews.worker import NoReview, ReviewWorker, ShowEvents

log = logging.getLogger("serai.reviews")

SECONDS = 120.0
"""For one answer: at first there may be much to compile."""
IDLE = 600.0
"""Seconds without a request after which the process is ended."""
MOST_STORIES = 500
"""That the process remembers; who asks again after that has to be shown all of theirs once more."""

Seen = Callable[[int], tuple[bytes, list[bytes]]]
"""What a seat sees now, and the events that it has seen from the k-th on, ``MOST_EVENTS`` at most; all as JSON."""

phrase({"server.coach": "the coach has no answer; the server's log says why"})


class NoHints(KeyedError):
    """The coach failed."""


class HintWorker:
    """One request at a time; addresses take turns."""

    def __init__(self) -> None:
        self._worker = ReviewWorker(nice=0, idle=IDLE)
        self._queue = FairQueue()
        self._shown: OrderedDict[str, int] = OrderedDict()
        """The stories that the process remembers, and how many events of each; the one asked for longest ago first."""
        self._forget: list[str] = []
        """What it remembers in vain."""

    async def hints(self, game: str, seat: int, story: str, seen: Seen, address: str) -> bytes:
        """The best actions of a seat, as JSON, or ``NoHints``. What it has seen is named by its story."""
        async with self._queue.turn(Place(address)):
            try:
                async with asyncio.timeout(SECONDS):
                    view = await self._show(game, seat, story, seen)
                    return await self._worker.hints(game, story, view)
            except (ChildLost, NoReview, TimeoutError) as error:
                log.warning("no hints for %s: %s", game, error or f"they took longer than {SECONDS:g} s")
                raise NoHints("server.coach") from None

    async def stop(self) -> None:
        """End the process."""
        await self._worker.end()

    async def _show(self, game: str, seat: int, story: str, seen: Seen) -> bytes:
        """Show the process all that is new since it was last asked about this story; the view after that."""
        if self._worker.pid is None:
            self._shown.clear()
            self._forget.clear()
        known = self._shown.pop(story, 0)
        try:
            while True:
                view, events = seen(known)
                await self._worker.show(ShowEvents(game, seat, story, events, self._forget))
                known, self._forget = known + len(events), []
                if len(events) < MOST_EVENTS:
                    break
        except BaseException:
            self._forget.append(story)  # it may have been shown only a part
            raise
        self._shown[story] = known
        if len(self._shown) > MOST_STORIES:
            self._forget.append(self._shown.popitem(last=False)[0])
        return view
