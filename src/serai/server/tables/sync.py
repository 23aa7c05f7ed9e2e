"""News from other processes at the same tables: entries, viewers, moved visitors, and processes that are gone."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from serai.server.peers.base import Listener
from serai.server.store.base import StoreError
from serai.server.tables.hall import Hall
from serai.server.tables.live import LiveTable
from serai.table.errors import Damaged
from serai.wire.frames import Trouble

READ_AGAIN_SECONDS = 0.2
"""Seconds between two attempts to read the store."""
TAKE_OVER_SECONDS = 1.0
"""How often a process tries to take over bots whose process is gone."""


class PeerSync:
    """Keeps one hall up to date with its peers."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        await self._hall.peers.open(
            Listener(
                changed=self._table_changed,
                attended=self._attendance_changed,
                moved=self._device_moved,
                ruled=lambda: self._spawn(self._rules_changed()),
                rewritten=lambda table: self._spawn(self._table_rewritten(table)),
                lost=self._connection_lost,
                resumed=lambda: self._spawn(self._read_again()),
                orphaned=self._orphaned,
            )
        )
        if self._hall.peers.shared:
            self._spawn(self._take_over())

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._hall.peers.close()

    def _table_changed(self, table_id: str, n: int) -> None:
        live = self._hall.tables.get(table_id)
        if live is not None and n > max(live.table.n, live.heard_of):
            live.heard_of, live.behind = n, True
            self._spawn(self._follow(live))

    async def _follow(self, live: LiveTable) -> None:
        """Read until memory has the announced entry."""
        while live.behind:
            try:
                await live.catch_up()
            except StoreError:
                await asyncio.sleep(READ_AGAIN_SECONDS)
            except Damaged:
                return  # it was dropped

    def _attendance_changed(self, table_id: str) -> None:
        live = self._hall.tables.get(table_id)
        if live is not None:
            self._spawn(live.see_elsewhere())

    def _device_moved(self, device: str) -> None:
        self._hall.devices.forget([device])
        self._spawn(self._drop_moved([device]))

    async def _drop_moved(self, devices: list[str]) -> None:
        """Read again for which visitors these devices stand."""
        while True:
            try:
                visitors = await asyncio.gather(*map(self._hall.devices.stands_for, devices))
                self._hall.drop_moved(dict(zip(devices, visitors, strict=True)))
                return
            except StoreError:
                await asyncio.sleep(READ_AGAIN_SECONDS)

    async def _rules_changed(self) -> None:
        """Read again what the host forbids."""
        while True:
            try:
                await self._hall.bans.load()
                self._hall.show_out()
                return
            except StoreError:
                await asyncio.sleep(READ_AGAIN_SECONDS)

    async def _table_rewritten(self, table: str) -> None:
        self._hall.cache.clear()
        self._hall.summaries.clear()
        await self._hall.read_anew(table)

    def _connection_lost(self) -> None:
        for live in self._hall.tables.values():
            live.behind = True
            live.audience.tell_all(Trouble("server.store"))

    async def _read_again(self) -> None:
        """Catch up with what was missed, and tell everybody that all is well."""
        connected = [one.device for live in self._hall.tables.values() for one in live.audience.connections]
        self._hall.devices.forget_all()
        self._spawn(self._drop_moved(connected))
        self._spawn(self._rules_changed())
        for live in list(self._hall.tables.values()):
            live.behind = True
            await self._follow(live)
            if live.gone is not None:
                continue
            await live.see_elsewhere()
            live.audience.tell_all(Trouble(""))
            live.timer.restart_turn(live)
            live.bots.wake(live)

    def _orphaned(self) -> None:
        self._spawn(self._hall.resume_games())
        for live in self._hall.tables.values():
            self._spawn(live.see_elsewhere())

    async def _take_over(self) -> None:
        """Let the bots and clocks of our tables run as soon as no other process does."""
        while True:
            await asyncio.sleep(TAKE_OVER_SECONDS)
            for live in self._hall.tables.values():
                live.bots.wake(live)
                live.timer.wake(live)

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
