"""How a table changes: stored first, then moved in memory, then told.

Each table has one change in flight at a time. Where other processes share the store, what they were faster with is
taken in before anything is tried again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable

from serai.server.http.problems import NotFound
from serai.server.metrics import Metrics
from serai.server.settings import Sources
from serai.server.store.base import LIVELY, Conflict, Listing, Store, StoreError
from serai.server.tables.live import Live
from serai.table.effects import Effect
from serai.table.entries import Acted, AnyEntry, Seated, read_entry, write_entry
from serai.table.errors import Refusal
from serai.table.phases import phase_after
from serai.table.proposals import Change
from serai.table.table import Table

log = logging.getLogger("serai.hall")

MOST_TRIES = 20
"""How often a message is tried again when other processes were faster; each of them did get something done."""


class Changes:
    """The only way of an entry into the store and into a table."""

    def __init__(
        self,
        store: Store,
        sources: Sources,
        metrics: Metrics,
        changed: Callable[[Live], None],
        gone: Callable[[Live], Awaitable[None]],
        *,
        shared: bool,
    ) -> None:
        """``changed`` hears of every table that moved, once everybody there was told; ``gone`` of one that the store
        does not hold any more; ``shared``: other processes may change tables, too.
        """
        self._shared = shared
        self._store = store
        self._sources = sources
        self._metrics = metrics
        self._changed = changed
        self._gone = gone

    @contextlib.asynccontextmanager
    async def turn(self, live: Live) -> AsyncIterator[None]:
        """The right to change a table."""
        async with live.lock:
            if live.behind:
                await self.catch_up(live)
            yield

    async def play(self, live: Live, change: Callable[[], Change], asked: tuple[str, str] = ("", "")) -> Effect:
        """Make a change and keep it; again when another process was faster. ``asked`` is who wanted it, and its id."""
        async with self.turn(live):
            for _ in range(MOST_TRIES):
                known = live.table.known(*asked)
                if known is not None:
                    return live.table.effects[known]
                try:
                    wanted = change()
                except Refusal:
                    # perhaps only because word of what another process did has not come yet
                    if not self._shared or not await self.catch_up(live):
                        raise
                    continue
                with contextlib.suppress(Conflict):
                    return await self.commit(live, wanted)
                await self.overtaken(live)
        raise StoreError(f"other processes were faster {MOST_TRIES} times")

    async def commit(self, live: Live, change: Change) -> Effect:
        """Store, then move, then tell. The caller has the turn."""
        table, today = live.table, self._sources.date()
        listing = _listing_after(table, change.entry, today, due=live.listed < today)
        began = time.perf_counter()
        stored = self._store.append(table.id, table.n + 1, write_entry(change.entry), listing)
        try:
            await asyncio.shield(stored)
        except StoreError as error:
            live.doubtful = True
            self._metrics.store_failures.add(not isinstance(error, Conflict))
            raise
        except asyncio.CancelledError:
            # whoever asked is gone, but the entry may be kept all the same: memory has to follow the store
            await asyncio.wait({stored})
            if stored.exception() is None:
                self._absorb(live, change)
            else:
                live.doubtful = True
            raise
        if listing is not None:
            live.listed = today
        self._metrics.store_seconds.observe(time.perf_counter() - began)
        return self._absorb(live, change)

    async def catch_up(self, live: Live) -> bool:
        """Take in what the store holds and memory does not; whether there was anything. The caller has the turn."""
        missed = await self._store.entries(live.table.id, live.table.n)
        for stored in missed:
            self._absorb(live, Change(read_entry(stored)))
        live.doubtful = False
        return bool(missed)

    async def overtaken(self, live: Live) -> None:
        """Take in what another process was faster with; if there is nothing, the table itself was removed."""
        if not await self.catch_up(live):
            await self.removed(live)
            raise NotFound("table.unknown")

    async def removed(self, live: Live) -> None:
        """The store does not hold the table any more: let it go."""
        live.heard_of = live.table.n
        await self._gone(live)

    def _absorb(self, live: Live, change: Change) -> Effect:
        entry = change.entry
        effect = live.table.absorb(entry, change.play)
        live.used = self._sources.clock()
        if effect.before is not effect.after:
            live.moved = live.used
            self._metrics.moves.add(isinstance(entry, Acted))
            if entry.visitor:
                live.person_moved = live.used
        if effect.info is not None and not isinstance(entry, Seated):
            log.info("%s; phase %s", type(entry).__name__.lower(), effect.info.phase, extra={"table": live.table.id})
        if isinstance(entry, Seated):
            live.follow_seats()
        live.tell(effect)
        if isinstance(entry, Seated):
            live.tell_presence(live.used)
        self._changed(live)
        return effect


def _listing_after(table: Table, entry: AnyEntry, at: str, *, due: bool) -> Listing | None:
    """The table's new listing, if this entry changes its phase or whether bots play, or if one is ``due`` to tell that
    the table is still alive.
    """
    phase = phase_after(table.phase, entry)
    seats = entry.seats if isinstance(entry, Seated) else table.seats
    if phase == table.phase and seats is table.seats and not (due and phase in LIVELY):
        return None
    bots = any(sitting.player for sitting in seats)
    sitters = {sitting.visitor for sitting in seats if sitting.visitor} if phase == "playing" else ()
    return Listing(phase, table.public, tuple(sitters), at, bots)
