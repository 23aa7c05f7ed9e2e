"""Keeping up with other processes at the same tables: what they changed, who is there, and what they left behind."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from serai.server.bots.seats import BotSeats
from serai.server.net.connection import encode
from serai.server.peers.base import Listener, Peers
from serai.server.settings import Sources
from serai.server.store.base import StoreError
from serai.server.tables.changes import Changes
from serai.server.tables.live import Live
from serai.table import messages

READ_AGAIN_SECONDS = 0.2
"""How long to wait before reading again what could not be read."""
TAKE_OVER_SECONDS = 1.0
"""How often a process looks whether bots that another one let play are nobody's any more."""

Resume = Callable[[], Coroutine[Any, Any, None]]


class Following:
    """Follows the peers of one hall."""

    def __init__(
        self,
        peers: Peers,
        tables: Mapping[str, Live],
        changes: Changes,
        bots: BotSeats,
        sources: Sources,
        resume: Resume,
    ) -> None:
        """``tables`` are those that are awake here; ``resume`` wakes all whose games go on."""
        self._peers = peers
        self._tables = tables
        self._changes = changes
        self._bots = bots
        self._sources = sources
        self._resume = resume
        self._errands: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Begin to listen."""
        await self._peers.open(
            Listener(self._table_changed, self._table_attended, self._line_lost, self._line_back, self._orphaned)
        )
        if self._peers.shared:
            self._send_for(self._take_over())

    async def close(self) -> None:
        """Stop listening."""
        for errand in self._errands:
            errand.cancel()
        await asyncio.gather(*self._errands, return_exceptions=True)
        await self._peers.close()

    async def woken(self, live: Live) -> None:
        """A table was read: take in what was said elsewhere meanwhile, when nobody here listened for it yet."""
        await self.up_to_date(live)
        if self._peers.shared:
            await self._see_who_is_there(live)

    async def up_to_date(self, live: Live) -> None:
        """Take in what other processes have kept, even if word of it has not come yet."""
        if self._peers.shared:
            async with live.lock:
                await self._changes.catch_up(live)

    def _table_changed(self, table_id: str, n: int) -> None:
        live = self._tables.get(table_id)
        if live is not None and n > max(live.table.n, live.heard_of):
            live.heard_of = n
            self._send_for(self._follow(live))

    async def _follow(self, live: Live) -> None:
        """Read until memory is where another process said the table is."""
        while live.behind:
            told = live.heard_of  # while the store is read, word of more may come
            try:
                async with self._changes.turn(live):
                    removed = told > live.table.n
            except StoreError:
                await asyncio.sleep(READ_AGAIN_SECONDS)
            else:
                if removed:
                    await self._changes.removed(live)
                    return

    def _table_attended(self, table_id: str) -> None:
        live = self._tables.get(table_id)
        if live is not None:
            self._send_for(self._see_who_is_there(live))

    async def _see_who_is_there(self, live: Live) -> None:
        with contextlib.suppress(StoreError):
            elsewhere = await self._peers.elsewhere(live.table.id)
            if elsewhere != live.elsewhere:
                live.elsewhere = elsewhere
                now = self._sources.clock()
                live.table.presence.elsewhere(elsewhere.visitors, now)
                live.tell_presence(now)

    def _line_lost(self) -> None:
        for live in self._tables.values():
            live.doubtful = True
            live.tell_all(encode(messages.Trouble("server.store")))

    def _line_back(self) -> None:
        self._send_for(self._read_again())

    async def _read_again(self) -> None:
        """Catch up with whatever happened while nothing was heard, and tell everybody that all is well."""
        for live in list(self._tables.values()):
            live.doubtful = True
            await self._follow(live)
            await self._see_who_is_there(live)
            live.tell_all(encode(messages.Trouble("")))
            self._bots.stir(live)

    def _orphaned(self) -> None:
        self._send_for(self._resume())
        for live in self._tables.values():
            self._send_for(self._see_who_is_there(live))

    async def _take_over(self) -> None:
        """Let the bots of our tables play as soon as no other process does."""
        while True:
            await asyncio.sleep(TAKE_OVER_SECONDS)
            for live in list(self._tables.values()):
                self._bots.stir(live)

    def _send_for(self, errand: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)
