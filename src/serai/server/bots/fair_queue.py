"""Fair queue for bots' thinking time, and a limit on bots-only tables per address.

Watched tables come first, then addresses take turns. So a visitor who leaves hundreds of games to bots delays nobody
who waits for an opponent at a table.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable

import msgspec

REMEMBERED = 1000
"""Addresses whose last turn is remembered."""


class Place(msgspec.Struct, frozen=True):
    """A place in the queue."""

    address: str = ""
    """From where the table was made."""
    watched: Callable[[], bool] = lambda: True
    """Called at each turn: people come and go."""


class FairQueue:
    """A fixed number of turns at a time; if there are several, one is reserved for watched tables."""

    def __init__(self, at_once: int = 1) -> None:
        self._at_once = at_once
        self._open_to_all = max(at_once - 1, 1)
        self._taken = 0
        self._unwatched = 0
        """Turns that unwatched tables have taken."""
        self._waiting: list[tuple[Place, asyncio.Future[bool]]] = []
        self._last_turn: dict[str, int] = {}
        """By address: the number of its last turn."""
        self._count = 0

    @contextlib.asynccontextmanager
    async def turn(self, place: Place) -> AsyncIterator[None]:
        """Wait for a turn and hold it while the block runs."""
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
        """Grant the free turns: to watched tables first, then to the address whose last turn is longest ago."""
        while self._waiting and self._taken < self._at_once:
            ranked = [
                (not place.watched(), self._last_turn.get(place.address, 0), number)
                for number, (place, _) in enumerate(self._waiting)
            ]
            unwatched, _, number = min(ranked)
            if unwatched and self._unwatched >= self._open_to_all:
                return
            place, granted = self._waiting.pop(number)
            self._taken += 1
            self._unwatched += unwatched
            self._remember(place.address)
            granted.set_result(not unwatched)

    def _give_back(self, watched: bool) -> None:
        self._taken -= 1
        self._unwatched -= not watched
        self._grant()

    def _remember(self, address: str) -> None:
        self._count += 1
        self._last_turn.pop(address, None)
        self._last_turn[address] = self._count
        if len(self._last_turn) > REMEMBERED:
            del self._last_turn[next(iter(self._last_turn))]


class BotsOnlyTables:
    """Tables at which only bots play, counted by the address that made them."""

    def __init__(self) -> None:
        self._address: dict[str, str] = {}
        self._tables: Counter[str] = Counter()

    def note(self, table: str, address: str) -> None:
        """Count this table for that address; an empty address takes it out of the count."""
        before = self._address.pop(table, "")
        if before:
            self._tables[before] -= 1
            if not self._tables[before]:
                del self._tables[before]
        if address:
            self._address[table] = address
            self._tables[address] += 1

    def of(self, address: str) -> int:
        """How many this address has."""
        return self._tables[address]
