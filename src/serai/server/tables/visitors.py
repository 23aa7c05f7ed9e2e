"""What is kept about a visitor, and how they are forgotten: across all tables, while games go on.

To forget somebody is a wish in the store, so that no crash loses it. All tables are searched; entries that name the
visitor are rewritten (:mod:`serai.table.erasure`), and every process reads those tables anew. A process that has not
heard of it yet may write the old name once more, so this is repeated until nothing is found.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING

from serai.server.store.base import StoreError
from serai.table.chain import Stored, history
from serai.table.entries import AnyEntry, Created, Said, Seated, Started
from serai.table.erasure import erase
from serai.table.errors import Damaged
from serai.wire.bodies import Kept, KeptTable

if TYPE_CHECKING:
    from serai.server.tables.hall import Hall

log = logging.getLogger("serai.hall")

SEARCHED = 200
"""Tables that are searched at a time; others may read the store in between."""
SETTLE_SECONDS = 2.0
"""How long other processes get to read rewritten tables anew, before all are searched again."""
RETRY_SECONDS = 30.0
"""When the store failed."""


class Visitors:
    """All that concerns one visitor at all tables."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._wished = asyncio.Event()

    async def about(self, visitor: str) -> Kept:
        """What is kept about a visitor."""
        store = self._hall.store
        tables: list[KeptTable] = []
        async for table in self._tables(visitor):
            stored = await store.read_table(table)
            try:
                entries = list(history(table, stored.entries))
            except Damaged:
                tables.append(KeptTable(table, damaged=True))
                continue
            tables.append(_kept(table, str(stored.phase), entries, visitor))
            await asyncio.sleep(0)
        devices = [row.device for row in await store.device_rows() if row.visitor == visitor]
        reports = [report for report in await store.reports() if visitor in (report.visitor, report.reporter)]
        return Kept(
            visitor=visitor,
            tables=tuple(tables),
            devices=len(devices),
            reports_by_you=tuple(report.text for report in reports if report.reporter == visitor),
            reports_about_you=sum(report.visitor == visitor for report in reports),
        )

    async def forget(self, visitor: str) -> None:
        """Forget a visitor: their devices stand for nobody at once, the rest follows soon, whatever happens."""
        devices = await self._hall.store.ask_erasure(visitor, self._hall.sources.wall())
        self._hall.devices.forget(devices)
        self._hall.drop_moved(dict.fromkeys(devices, ""))
        self._wished.set()

    async def keep_forgetting(self) -> None:
        """Do what was wished, until cancelled."""
        while True:
            self._wished.clear()
            try:
                for visitor in await self._hall.store.erasures():
                    await self._forget(visitor)
            except StoreError as error:
                log.error("a visitor could not be forgotten yet: %s", error)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            await self._wished.wait()

    async def _forget(self, visitor: str) -> None:
        unreadable: set[str] = set()
        count = 0
        while found := [table async for table in self._tables(visitor) if table not in unreadable]:
            for table in found:
                pseudonym = secrets.token_hex(len(visitor) // 2)
                rewrite = partial(_erased, table, visitor, pseudonym)
                try:
                    count += await self._hall.store.rewrite(table, visitor, pseudonym, rewrite)
                except Damaged as damaged:
                    unreadable.add(table)
                    log.error("a visitor cannot be forgotten here: %s", damaged.reason, extra={"table": table})
                    continue
                await self._hall.read_anew(table)
            if self._hall.peers.shared:
                await asyncio.sleep(SETTLE_SECONDS)
        self._hall.cache.clear()
        self._hall.summaries.clear()
        await self._hall.store.end_erasure(visitor)
        log.info("a visitor was forgotten: %d entries rewritten", count)

    async def _tables(self, visitor: str) -> AsyncIterator[str]:
        after, more = "", True
        while more:
            found, after = await self._hall.store.naming(visitor, after, SEARCHED)
            more = bool(after)
            for table in found:
                yield table


def _erased(table: str, visitor: str, pseudonym: str, stored: list[Stored]) -> list[Stored]:
    return erase(table, stored, visitor, pseudonym)


def _kept(table: str, phase: str, entries: list[AnyEntry], visitor: str) -> KeptTable:
    game = date = ""
    names: dict[str, None] = {}
    said: list[str] = []
    own = 0
    for entry in entries:
        own += entry.visitor == visitor
        match entry:
            case Created():
                game, date = entry.game, entry.at
            case Started():
                date = entry.at
            case Said() if entry.visitor == visitor:
                said.append(entry.text or f"({entry.phrase})")
            case Seated():
                names |= dict.fromkeys(one.name for one in entry.seats if one.visitor == visitor)
            case _:
                pass
    return KeptTable(table, game, phase, date, tuple(names), tuple(said), own)
