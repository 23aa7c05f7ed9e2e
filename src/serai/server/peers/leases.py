"""The tables that one process looks after: each held by a lease, all of them by one sign of life.

A process has a number in the database that expires a few seconds after its last sign of life, by the database's clock.
Whoever finds an expired number deletes it, and with it the leases that hang on it: from then on they are anybody's, and
nothing is kept under them any more. The process itself, by its own clock, stops relying on them before that.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import asyncpg

from serai.server.store.base import Lease

LEASE_SECONDS = 5.0
"""How long a process may be silent before others look after its tables: several signs of life may come late."""

_BEGIN = """
with before as (delete from processes where id = $3)
insert into processes (id, expires) values ($1, clock_timestamp() + make_interval(secs => $2))
"""
_RENEW = """
update processes set expires = clock_timestamp() + make_interval(secs => $2) where id = $1 returning true
"""
# who finds another's lease writes nothing; who finds their own (the answer to an earlier claim was lost) takes that
_TAKE = """
insert into leases (tableid, process)
select t.id, $2 from unnest($1::text[]) as t (id)
where not exists (select from leases where tableid = t.id and process <> $2)
order by t.id
on conflict (tableid) do update set process = excluded.process where leases.process = excluded.process
returning tableid, epoch
"""


class Leases:
    """The number of this process, how long it lasts, and the leases that hang on it."""

    def __init__(self) -> None:
        self.process = 0
        """None so far."""
        self._until = float("-inf")
        self._held: dict[str, Lease] = {}

    @property
    def in_time(self) -> bool:
        """Whether the last sign of life is recent enough to rely on any lease."""
        return time.monotonic() < self._until

    def of(self, table: str) -> Lease | None:
        """The lease of that table that was taken here."""
        return self._held.get(table)

    async def begin(self, db: asyncpg.Connection[Any], process: int) -> None:
        """Live under a new number, with no leases; what hung on the old one ends."""
        asked = time.monotonic()
        await db.execute(_BEGIN, process, LEASE_SECONDS, self.process)
        self.process, self._until, self._held = process, asked + LEASE_SECONDS, {}

    async def renew(self, db: asyncpg.Connection[Any]) -> bool:
        """Give a sign of life; whether it still counts, for the number may have expired."""
        asked = time.monotonic()
        if not await db.fetchval(_RENEW, self.process, LEASE_SECONDS, timeout=LEASE_SECONDS):
            self._until = float("-inf")
            return False
        self._until = asked + LEASE_SECONDS
        return True

    async def take(self, db: asyncpg.Connection[Any], tables: Sequence[str]) -> None:
        """Take the leases of these tables, as far as no other process has them."""
        process = self.process
        rows = await db.fetch(_TAKE, tables, process)
        if process == self.process:
            self._held.update({table: Lease(process, epoch) for table, epoch in rows})

    def forget(self, tables: Sequence[str]) -> list[str]:
        """Rely on the leases of these tables no more; those of them that there were."""
        return [table for table in tables if self._held.pop(table, None)]

    async def give_back(self, db: asyncpg.Connection[Any], tables: Sequence[str]) -> None:
        """Let others have these tables."""
        await db.execute("delete from leases where process = $1 and tableid = any($2)", self.process, tables)

    async def end(self, db: asyncpg.Connection[Any]) -> None:
        """Let others have everything: the next who looks finds the number expired, and tells its peers."""
        self._until = float("-inf")
        await db.execute("update processes set expires = '-infinity' where id = $1", self.process)
