"""The public tables, so that nobody can fill the list with tables at which nobody is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from serai.core.errors import phrase
from serai.server.limits import TooMany
from serai.server.peers.base import tag_of
from serai.server.store.base import LIVELY
from serai.server.tables.audience import PUBLIC
from serai.server.tables.live import LiveTable
from serai.table.messages import TableInfo

if TYPE_CHECKING:
    from serai.server.tables.hall import Hall

LISTED_SECONDS = 1.0
"""How long a list may be told again while no public table changes here."""
MOST_LOOKED_AT, MOST_SHOWN = 200, 50
"""Tables that are looked at for a list, and those in it."""
FRESH_SECONDS = 30.0
"""How long a new table's host may be on the way to it."""

phrase(
    {
        "server.waiting_tables": "{most} public tables made from your address wait for players already: "
        "start, fill or leave one first",
    }
)


class WaitingTables:
    """Bounds how many public tables from one address wait for players."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._making: Counter[str] = Counter()

    @contextmanager
    def one_more(self, tables: Iterable[LiveTable], address: str, now: float) -> Iterator[None]:
        """While the block lasts, one more is being made; ``TooMany`` if there are enough. Those count whose host is
        there, or may still be on the way.
        """
        tag, since = tag_of(address), now - FRESH_SECONDS
        there = sum(
            live.waiting and (live.audience.host_from == tag or (live.made_by == address and live.made > since))
            for live in tables
        )
        if self._most and there + self._making[address] >= self._most:
            raise TooMany("server.waiting_tables", most=self._most)
        self._making[address] += 1
        try:
            yield
        finally:
            self._making[address] -= 1
            if not self._making[address]:
                del self._making[address]


async def told_public(hall: Hall, game: str = "") -> bytes:
    """The list as it travels, worked out only if something has changed or some time has passed."""
    async with hall.listing:
        asked = (PUBLIC, game, hall.kept.version(PUBLIC), int(hall.sources.clock() / LISTED_SECONDS))
        told = hall.kept.get(asked)
        if told is None:
            told = msgspec.json.encode(await public_tables(hall, game))
            hall.kept.put(asked, told)
        return told


async def public_tables(hall: Hall, game: str = "") -> list[TableInfo]:
    """Public tables whose host is there, of all games or of one: first those that wait for players, then by how many
    people are there, then the newest. Of either kind only so many whose hosts come from one address.
    """
    bound = _Bound(hall.settings.limits.waiting_tables)
    hosts = {
        table_id: host
        for table_id, live in reversed(hall.tables.items())
        if live.table.table_rules.public and (host := live.audience.host_from) and bound.admits(live, host)
    }
    hosts |= await hall.peers.hosted(bound.most)
    listed = await hall.store.public(list(hosts), MOST_LOOKED_AT)
    found = [live async for live in hall.readable(listed) if live.table.phase in LIVELY]
    if game:
        found = [live for live in found if live.table.game.name == game]
    found.sort(key=lambda live: (live.table.phase != "lobby", -live.table.people))
    bound = _Bound(bound.most)
    return [live.table.info() for live in found if bound.admits(live, hosts[live.table.id])][:MOST_SHOWN]


class _Bound:
    """So many tables of a phase for each host's address; 0: all."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._count: Counter[tuple[str, str]] = Counter()

    def admits(self, live: LiveTable, host: str) -> bool:
        kind = host, live.table.phase
        self._count[kind] += 1
        return not self.most or self._count[kind] <= self.most
