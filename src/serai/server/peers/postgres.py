"""Peers in PostgreSQL.

One connection, the guard, holds everything that must end with the process: its subscriptions, the advisory lock that
marks it as alive, and its row, to which its leases and its attendance belong. When the connection is lost, or the row
expires for lack of heartbeats, all of that starts again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Sequence
from typing import Any

import asyncpg

from serai.server.peers.base import NOBODY, Attendance, Listener, Peers
from serai.server.store.base import Lease, StoreError
from serai.server.store.postgres import (
    BANS,
    DEVICES,
    ENTRIES,
    FAULTS,
    HOST,
    REWRITTEN,
    PostgresStore,
    connect,
    log_unexpected,
)
from serai.server.store.postgres_schema import ALIVE, expect_current

log = logging.getLogger("serai.peers")

ATTENDANCE = "serai_attendance"
"""The channel on which changes of who is connected are announced."""
PATROL_SECONDS = 1.0
"""Seconds between two heartbeats, each with a look for dead peers."""
_RETRY_SECONDS = 0.3

_ATTEND = """
with announced as (
    insert into attendance (process, tableid, visitors, watching, host)
    select $1, a.tableid, array_remove(string_to_array(a.visitors, ' '), ''), a.watching, a.host
    from unnest($2::text[], $3::text[], $4::int[], $6::text[]) as a (tableid, visitors, watching, host)
    on conflict (tableid, process) do update
    set visitors = excluded.visitors, watching = excluded.watching, host = excluded.host
    returning tableid
), gone as (
    delete from attendance where process = $1 and tableid = any($5::text[]) returning tableid
)
select pg_notify('serai_attendance', tableid) from (select * from announced union all select * from gone) as changed
"""
_HOSTED = """
select tableid, host from (
    select tableid, host, row_number() over (partition by host, phase order by born desc) as place
    from attendance join listings on id = tableid
    where host <> '' and process <> $1 and public and phase in ('lobby', 'playing')
) as hosted where $2::int = 0 or place <= $2::int
"""
_REMOVE_DEAD = """
with dead as (
    delete from processes where id <> $2 and (expires < clock_timestamp() or not exists (
        select from pg_locks
        where locktype = 'advisory' and classid = $1::int::oid and objid = processes.id::oid and objsubid = 2
          and database = (select oid from pg_database where datname = current_database())
    )) returning id
)
select pg_notify('serai_attendance', tableid), id from dead left join attendance on process = id
"""


class PostgresPeers(Peers):
    """The other processes at the same database."""

    shared = True

    def __init__(self, store: PostgresStore) -> None:
        self._store = store
        self._guard: asyncpg.Connection[Any] | None = None
        self._leases = Leases()
        self._wanted: set[str] = set()
        """Tables whose leases are to be taken."""
        self._here: dict[str, Attendance] = {}
        """Who is connected to each table in this process."""
        self._unannounced: set[str] = set()
        self._wake = asyncio.Event()
        self._guard_lock = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []
        self._listener: Listener | None = None

    async def open(self, listener: Listener) -> None:
        self._listener = listener
        with contextlib.suppress(*FAULTS):
            await self._begin()
        self._tasks = [asyncio.create_task(self._watch_connection()), asyncio.create_task(self._announce())]

    async def claim(self, table: str) -> Lease | None:
        guard = self._guard
        if guard is None or guard.is_closed() or not self._leases.in_time:
            return None
        if lease := self._leases.of(table):
            return lease
        self._wanted.add(table)
        with contextlib.suppress(*FAULTS):
            async with self._guard_lock:
                if table in self._wanted:  # else the call before took this one, too
                    wanted, self._wanted = self._wanted, set()
                    await self._leases.take(guard, list(wanted))
        return self._leases.of(table)

    def in_touch(self) -> bool:
        guard = self._guard
        return guard is not None and not guard.is_closed() and self._leases.in_time

    def holds(self, table: str, lease: Lease) -> bool:
        return self._leases.in_time and self._leases.of(table) == lease

    async def release(self, tables: Sequence[str]) -> None:
        guard = self._guard
        if (held := self._leases.forget(tables)) and guard is not None:
            with contextlib.suppress(*FAULTS):
                async with self._guard_lock:
                    await self._leases.give_back(guard, held)

    async def announce_rewritten(self, table: str) -> None:
        await self._store.read("select pg_notify($1, $2)", HOST, f"{REWRITTEN} {table}")

    def attend(self, table: str, attendance: Attendance) -> None:
        if attendance == self._here.get(table, NOBODY):
            return
        self._here[table] = attendance
        self._unannounced.add(table)
        self._wake.set()

    async def elsewhere(self, table: str) -> Attendance:
        query = "select visitors, watching from attendance where tableid = $1 and process <> $2"
        rows = await self._store.read(query, table, self._leases.process)
        return Attendance(frozenset(one for row in rows for one in row[0]), sum(row[1] for row in rows))

    async def hosted(self, most: int) -> dict[str, str]:
        rows = await self._store.read(_HOSTED, self._leases.process, most)
        return {row[0]: row[1] for row in rows}

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        guard, self._guard = self._guard, None
        if guard is not None and not guard.is_closed():
            with contextlib.suppress(*FAULTS):
                await self._leases.end(guard)
            guard.terminate()

    # -- the guard -----------------------------------------------------------------------------------------------------

    async def _begin(self) -> None:
        guard = await connect(self._store.url)
        try:
            # a new number each time: a dead connection may still hold the lock of the old one
            process = 1 + secrets.randbelow(2**31 - 1)
            await guard.execute("select pg_advisory_lock($1, $2)", ALIVE, process)
            await expect_current(guard)
            # none of this has to outlive a crash of the database, which ends all connections
            await guard.execute("set synchronous_commit = off")
            await self._leases.begin(guard, process)
            await guard.add_listener(ENTRIES, self._on_entry)
            await guard.add_listener(ATTENDANCE, self._on_attendance)
            await guard.add_listener(DEVICES, self._on_device)
            await guard.add_listener(HOST, self._on_host)
        except BaseException:
            guard.terminate()
            raise
        self._guard = guard
        self._unannounced.update(self._here)
        self._wake.set()

    async def _watch_connection(self) -> None:
        """Reconnect when the connection is lost; send heartbeats; notice dead peers."""
        assert self._listener is not None
        connected = self._guard is not None
        while True:
            guard = self._guard
            try:
                if guard is None or guard.is_closed():
                    if connected:
                        connected = False
                        log.warning("the connection to the database is lost")
                        self._listener.lost()
                    await self._begin()
                    log.warning("the connection to the database is back")
                    self._listener.resumed()
                    connected = True
                else:
                    async with self._guard_lock:
                        alive = await self._leases.renew(guard)
                        dead = await guard.fetch(_REMOVE_DEAD, ALIVE, self._leases.process) if alive else []
                    if not alive:
                        log.warning("this process sent no heartbeat for too long: others may have taken over its games")
                        guard.terminate()
                        continue
                    if dead:
                        log.warning("a peer has died: its games are taken over")
                        self._listener.orphaned()
            except StoreError as error:
                log.error("%s", error)  # of another format: nothing more can be done by this process
                return
            except Exception as error:
                log.debug("no connection to the database: %s", type(error).__name__)
                log_unexpected(error, "watching the connection to the database")
                if self._guard is not None and not isinstance(error, asyncpg.PostgresError):
                    self._guard.terminate()
            await asyncio.sleep(PATROL_SECONDS if connected else _RETRY_SECONDS)

    async def _announce(self) -> None:
        """Announce who is connected here, all changes together."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            guard, tables = self._guard, sorted(self._unannounced)
            if guard is None or not tables:
                continue
            self._unannounced.clear()
            try:
                attended = [(table, self._here[table]) for table in tables if self._here[table] != NOBODY]
                async with self._guard_lock:
                    await guard.execute(
                        _ATTEND,
                        self._leases.process,
                        [table for table, _ in attended],
                        [" ".join(sorted(one.visitors)) for _, one in attended],
                        [one.watching for _, one in attended],
                        [table for table in tables if self._here[table] == NOBODY],
                        [one.host for _, one in attended],
                    )
            except Exception as error:
                log_unexpected(error, "announcing who is connected")
                self._unannounced.update(tables)
                await asyncio.sleep(_RETRY_SECONDS)
                self._wake.set()
                continue
            for table in tables:
                if self._here[table] == NOBODY and table not in self._unannounced:
                    del self._here[table]

    # -- news ----------------------------------------------------------------------------------------------------------

    def _on_entry(self, _: Any, pid: int, channel: str, payload: object) -> None:
        if pid == self._store.writing_pid or self._listener is None:
            return
        table, _, number = str(payload).partition(" ")
        self._listener.changed(table, int(number))

    def _on_attendance(self, guard: Any, pid: int, channel: str, payload: object) -> None:
        if self._listener is not None and pid != guard.get_server_pid():
            self._listener.attended(str(payload))

    def _on_device(self, _: Any, pid: int, channel: str, payload: object) -> None:
        if self._listener is not None:
            self._listener.moved(str(payload))

    def _on_host(self, _: Any, pid: int, channel: str, payload: object) -> None:
        if self._listener is None:
            return
        what, _, table = str(payload).partition(" ")
        if what == BANS:
            self._listener.ruled()
        elif what == REWRITTEN:
            self._listener.rewritten(table)


# -- leases of tables, kept alive together by one heartbeat ------------------------------------------------------------

LEASE_SECONDS = 5.0
"""How long a process may miss heartbeats before others take over its tables: several may come late."""

_BEGIN = """
with before as (delete from processes where id = $3)
insert into processes (id, expires) values ($1, clock_timestamp() + make_interval(secs => $2))
"""
_RENEW = """
update processes set expires = clock_timestamp() + make_interval(secs => $2) where id = $1 returning true
"""
# another's lease stays; an own one (the answer to an earlier claim was lost) is taken again
_TAKE = """
insert into leases (tableid, process)
select t.id, $2 from unnest($1::text[]) as t (id)
where not exists (select from leases where tableid = t.id and process <> $2)
order by t.id
on conflict (tableid) do update set process = excluded.process where leases.process = excluded.process
returning tableid, epoch
"""


class Leases:
    """The row of this process, how long it is valid, and its leases.

    The row expires a few seconds after the last heartbeat, by the database's clock. Any process that finds an expired
    row deletes it and, with it, its leases: then they are free, and nothing can be stored under them any more. The
    process itself, by its own clock, stops using them before that.
    """

    def __init__(self) -> None:
        self.process = 0
        """0: no row yet."""
        self._until = float("-inf")
        self._held: dict[str, Lease] = {}

    @property
    def in_time(self) -> bool:
        """Whether the last heartbeat is recent enough to rely on leases."""
        return time.monotonic() < self._until

    def of(self, table: str) -> Lease | None:
        """The lease of that table, if this process has it."""
        return self._held.get(table)

    async def begin(self, db: asyncpg.Connection[Any], process: int) -> None:
        """Start with a new row and no leases; those of the old row end."""
        asked = time.monotonic()
        await db.execute(_BEGIN, process, LEASE_SECONDS, self.process)
        self.process, self._until, self._held = process, asked + LEASE_SECONDS, {}

    async def renew(self, db: asyncpg.Connection[Any]) -> bool:
        """Send a heartbeat; false if the row has expired."""
        asked = time.monotonic()
        if not await db.fetchval(_RENEW, self.process, LEASE_SECONDS, timeout=LEASE_SECONDS):
            self._until = float("-inf")
            return False
        self._until = asked + LEASE_SECONDS
        return True

    async def take(self, db: asyncpg.Connection[Any], tables: Sequence[str]) -> None:
        """Take the leases of those of these tables that are free."""
        process = self.process
        rows = await db.fetch(_TAKE, tables, process)
        if process == self.process:
            self._held.update({table: Lease(process, epoch) for table, epoch in rows})

    def forget(self, tables: Sequence[str]) -> list[str]:
        """Stop using the leases of these tables; returns those that were held."""
        return [table for table in tables if self._held.pop(table, None)]

    async def give_back(self, db: asyncpg.Connection[Any], tables: Sequence[str]) -> None:
        """Free the leases of these tables."""
        await db.execute("delete from leases where process = $1 and tableid = any($2)", self.process, tables)

    async def end(self, db: asyncpg.Connection[Any]) -> None:
        """Let the row expire: the next process that looks frees the leases and announces it."""
        self._until = float("-inf")
        await db.execute("update processes set expires = '-infinity' where id = $1", self.process)
