"""Whose bot thinks next: tables that somebody watches come first, then addresses take turns.

One visitor who leaves hundreds of games to bots so delays nobody who sits at a table and waits for an opponent.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

REMEMBERED = 1000
"""Addresses of which it is kept when they had their last turn."""


class Place:
    """Where a bot sits, as far as its turn goes."""

    __slots__ = ("address", "watched")

    def __init__(self, address: str = "", watched: Callable[[], bool] = lambda: True) -> None:
        """``address``: of whoever made the table. ``watched`` is asked again at each turn: people come and go."""
        self.address = address
        self.watched = watched


class Turns:
    """So many at a time; where there are several, one is kept for tables that are watched."""

    def __init__(self, at_once: int = 1) -> None:
        self._at_once = at_once
        self._open_to_all = max(at_once - 1, 1)
        self._taken = 0
        self._unwatched = 0
        """How many of those taken were taken by tables that nobody watched."""
        self._waiting: list[tuple[Place, asyncio.Future[bool]]] = []
        self._served: dict[str, int] = {}
        """By address: the number of its last turn."""
        self._count = 0

    @contextlib.asynccontextmanager
    async def taken(self, place: Place) -> AsyncIterator[None]:
        """A turn, while the block lasts."""
        granted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((place, granted))
        self._grant()
        try:
            watched = await granted
        except asyncio.CancelledError:
            if granted.done() and not granted.cancelled():
                self._give_back(granted.result())
            else:
                self._waiting = [waiting for waiting in self._waiting if waiting[1] is not granted]
            raise
        try:
            yield
        finally:
            self._give_back(watched)

    def _grant(self) -> None:
        """Let those go on for whom there is room: the watched first, then whose address waited longest."""
        while self._waiting and self._taken < self._at_once:
            ranked = [
                (not place.watched(), self._served.get(place.address, 0), number)
                for number, (place, _) in enumerate(self._waiting)
            ]
            unwatched, _, number = min(ranked)
            if unwatched and self._unwatched >= self._open_to_all:
                return
            place, granted = self._waiting.pop(number)
            self._taken += 1
            self._unwatched += unwatched
            self._note(place.address)
            granted.set_result(not unwatched)

    def _give_back(self, watched: bool) -> None:
        self._taken -= 1
        self._unwatched -= not watched
        self._grant()

    def _note(self, address: str) -> None:
        self._count += 1
        self._served.pop(address, None)
        self._served[address] = self._count
        if len(self._served) > REMEMBERED:
            del self._served[next(iter(self._served))]
