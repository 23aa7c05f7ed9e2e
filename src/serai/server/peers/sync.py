"""Keeping up with other processes at the same tables: what they changed, who is there, and what they left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from serai.server.peers.base import Listener
from serai.server.store.base import StoreError
from serai.server.tables.hall import Hall
from serai.server.tables.live import LiveTable
from serai.table import messages
from serai.table.errors import Damaged

READ_AGAIN_SECONDS = 0.2
"""How long to wait before reading again what could not be read."""
TAKE_OVER_SECONDS = 1.0
"""How often a process looks whether bots that another one let play are nobody's any more."""


class Following:
    """Lets one hall follow its peers."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._errands: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Begin to listen."""
        await self._hall.peers.open(
            Listener(
                changed=self._table_changed,
                attended=self._table_attended,
                moved=self._device_moved,
                lost=self._line_lost,
                resumed=self._line_back,
                orphaned=self._orphaned,
            )
        )
        if self._hall.peers.shared:
            self._send_for(self._take_over())

    async def close(self) -> None:
        """Stop listening."""
        for errand in self._errands:
            errand.cancel()
        await asyncio.gather(*self._errands, return_exceptions=True)
        await self._hall.peers.close()

    def _table_changed(self, table_id: str, n: int) -> None:
        live = self._hall.tables.get(table_id)
        if live is not None and n > max(live.table.n, live.heard_of):
            live.heard_of, live.behind = n, True
            self._send_for(self._follow(live))

    async def _follow(self, live: LiveTable) -> None:
        """Read until memory is where another process said the table is."""
        while live.behind:
            try:
                await live.catch_up()
            except StoreError:
                await asyncio.sleep(READ_AGAIN_SECONDS)
            except Damaged:
                return  # it was let go

    def _table_attended(self, table_id: str) -> None:
        live = self._hall.tables.get(table_id)
        if live is not None:
            self._send_for(live.see_elsewhere())

    def _device_moved(self, device: str) -> None:
        self._hall.devices.forget([device])
        self._send_for(self._part_from([device]))

    async def _part_from(self, devices: list[str]) -> None:
        """Look again for whom these devices stand."""
        while True:
            try:
                visitors = await asyncio.gather(*map(self._hall.devices.stands_for, devices))
                self._hall.part_from(dict(zip(devices, visitors, strict=True)))
                return
            except StoreError:
                await asyncio.sleep(READ_AGAIN_SECONDS)

    def _line_lost(self) -> None:
        for live in self._hall.tables.values():
            live.behind = True
            live.tell_all(messages.Trouble("server.store"))

    def _line_back(self) -> None:
        self._send_for(self._read_again())

    async def _read_again(self) -> None:
        """Catch up with whatever happened while nothing was heard, and tell everybody that all is well."""
        connected = [one.device for live in self._hall.tables.values() for one in live.audience.connections]
        self._hall.devices.forget_all()
        self._send_for(self._part_from(connected))
        for live in list(self._hall.tables.values()):
            live.behind = True
            await self._follow(live)
            if live.gone is not None:
                continue
            await live.see_elsewhere()
            live.tell_all(messages.Trouble(""))
            live.timer.restart_turn(live)
            live.bots.wake(live)

    def _orphaned(self) -> None:
        self._send_for(self._hall.resume_games())
        for live in self._hall.tables.values():
            self._send_for(live.see_elsewhere())

    async def _take_over(self) -> None:
        """Let the bots of our tables play as soon as no other process does."""
        while True:
            await asyncio.sleep(TAKE_OVER_SECONDS)
            for live in self._hall.tables.values():
                live.bots.wake(live)
                live.timer.wake(live)

    def _send_for(self, errand: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)
