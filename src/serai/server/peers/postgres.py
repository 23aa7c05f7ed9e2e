"""Peers that meet in PostgreSQL.

One connection, the guard, holds everything that must end with the process: what it listens to, the lock that says it
lives, and its number, on which its leases and its word of who is connected hang. When it is lost, or the number expires
because nothing was heard of the process for too long, all of that is begun anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Sequence
from typing import Any

import asyncpg

from serai.server.peers.base import NOBODY, Attendance, Listener
from serai.server.peers.leases import Leases
from serai.server.store.base import Lease, StoreError
from serai.server.store.postgres import ENTRIES, FAULTS, PostgresStore, connect, trace_unforeseen
from serai.server.store.postgres_devices import DEVICES
from serai.server.store.postgres_schema import ALIVE, still_fits

log = logging.getLogger("serai.peers")

ATTENDANCE = "serai_attendance"
"""The channel on which changes of who is connected are announced."""
PATROL_SECONDS = 1.0
"""How often a process says that it lives, and looks for peers that do not."""
_RETRY_SECONDS = 0.3

_ATTEND = """
with told as (
    insert into attendance (process, tableid, visitors, watching, host)
    select $1, a.tableid, array_remove(string_to_array(a.visitors, ' '), ''), a.watching, a.host
    from unnest($2::text[], $3::text[], $4::int[], $6::text[]) as a (tableid, visitors, watching, host)
    on conflict (tableid, process) do update
    set visitors = excluded.visitors, watching = excluded.watching, host = excluded.host
    returning tableid
), gone as (
    delete from attendance where process = $1 and tableid = any($5::text[]) returning tableid
)
select pg_notify('serai_attendance', tableid) from (select * from told union all select * from gone) as changed
"""
_HOSTED = """
select tableid, host from (
    select tableid, host, row_number() over (partition by host, phase order by born desc) as place
    from attendance join listings on id = tableid
    where host <> '' and process <> $1 and public and phase in ('lobby', 'playing')
) as hosted where $2::int = 0 or place <= $2::int
"""
_BURY = """
with dead as (
    delete from processes where id <> $2 and (expires < clock_timestamp() or not exists (
        select from pg_locks
        where locktype = 'advisory' and classid = $1::int::oid and objid = processes.id::oid and objsubid = 2
          and database = (select oid from pg_database where datname = current_database())
    )) returning id
)
select pg_notify('serai_attendance', tableid), id from dead left join attendance on process = id
"""


class PostgresPeers:
    """The other processes at the same database."""

    shared = True

    def __init__(self, store: PostgresStore) -> None:
        self._store = store
        self._guard: asyncpg.Connection[Any] | None = None
        self._leases = Leases()
        self._wanted: set[str] = set()
        """Tables whose leases somebody waits for."""
        self._here: dict[str, Attendance] = {}
        """Who is connected to each table in this process."""
        self._untold: set[str] = set()
        self._stir = asyncio.Event()
        self._line = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []
        self._listener: Listener | None = None

    async def open(self, listener: Listener) -> None:
        self._listener = listener
        with contextlib.suppress(*FAULTS):
            await self._begin()
        self._tasks = [asyncio.create_task(self._patrol()), asyncio.create_task(self._tell_on())]

    async def claim(self, table: str) -> Lease | None:
        guard = self._guard
        if guard is None or guard.is_closed() or not self._leases.in_time:
            return None
        if lease := self._leases.of(table):
            return lease
        self._wanted.add(table)
        with contextlib.suppress(*FAULTS):
            async with self._line:
                if table in self._wanted:  # else somebody before asked for this one along with theirs
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
                async with self._line:
                    await self._leases.give_back(guard, held)

    def attend(self, table: str, attendance: Attendance) -> None:
        if attendance == self._here.get(table, NOBODY):
            return
        self._here[table] = attendance
        self._untold.add(table)
        self._stir.set()

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

    # -- the line ------------------------------------------------------------------------------------------------------

    async def _begin(self) -> None:
        guard = await connect(self._store.url)
        try:
            # a new number each time: the lock of the old one may still be held by a connection nobody answers any more
            process = 1 + secrets.randbelow(2**31 - 1)
            await guard.execute("select pg_advisory_lock($1, $2)", ALIVE, process)
            await still_fits(guard)
            # nothing of this outlives a crash of the database to any purpose: all connections end with it
            await guard.execute("set synchronous_commit = off")
            await self._leases.begin(guard, process)
            await guard.add_listener(ENTRIES, self._entry_told)
            await guard.add_listener(ATTENDANCE, self._attendance_told)
            await guard.add_listener(DEVICES, self._device_told)
        except BaseException:
            guard.terminate()
            raise
        self._guard = guard
        self._untold.update(self._here)
        self._stir.set()

    async def _patrol(self) -> None:
        """Notice a lost line and mend it; notice peers who died."""
        assert self._listener is not None
        whole = self._guard is not None
        while True:
            guard = self._guard
            try:
                if guard is None or guard.is_closed():
                    if whole:
                        whole = False
                        log.warning("the line to the database is cut")
                        self._listener.lost()
                    await self._begin()
                    log.warning("the line to the database is back")
                    self._listener.resumed()
                    whole = True
                else:
                    async with self._line:
                        alive = await self._leases.renew(guard)
                        buried = await guard.fetch(_BURY, ALIVE, self._leases.process) if alive else []
                    if not alive:
                        log.warning("nothing was heard of this process for too long: others look after its games")
                        guard.terminate()
                        continue
                    if buried:
                        log.warning("a peer is gone: its games are taken over")
                        self._listener.orphaned()
            except StoreError as error:
                log.error("%s", error)  # and so it stays until another Serai is started here
                return
            except Exception as error:
                log.debug("no line to the database: %s", type(error).__name__)
                trace_unforeseen(error, "looking after the line to the database")
                if self._guard is not None and not isinstance(error, asyncpg.PostgresError):
                    self._guard.terminate()
            await asyncio.sleep(PATROL_SECONDS if whole else _RETRY_SECONDS)

    async def _tell_on(self) -> None:
        """Tell the others who is connected here, all that has changed at once."""
        while True:
            await self._stir.wait()
            self._stir.clear()
            guard, tables = self._guard, sorted(self._untold)
            if guard is None or not tables:
                continue
            self._untold.clear()
            try:
                attended = [(table, self._here[table]) for table in tables if self._here[table] != NOBODY]
                async with self._line:
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
                trace_unforeseen(error, "telling who is here")
                self._untold.update(tables)
                await asyncio.sleep(_RETRY_SECONDS)
                self._stir.set()
                continue
            for table in tables:
                if self._here[table] == NOBODY and table not in self._untold:
                    del self._here[table]

    # -- news ----------------------------------------------------------------------------------------------------------

    def _entry_told(self, _: Any, pid: int, channel: str, payload: object) -> None:
        if pid == self._store.writing_pid or self._listener is None:
            return
        table, _, number = str(payload).partition(" ")
        self._listener.changed(table, int(number))

    def _attendance_told(self, guard: Any, pid: int, channel: str, payload: object) -> None:
        if self._listener is not None and pid != guard.get_server_pid():
            self._listener.attended(str(payload))

    def _device_told(self, _: Any, pid: int, channel: str, payload: object) -> None:
        if self._listener is not None:
            self._listener.moved(str(payload))
