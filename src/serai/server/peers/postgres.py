"""Peers that meet in PostgreSQL.

One connection, the guard, holds everything that must end with the process: what it listens to, the lock that says it
lives, and the locks on the tables whose bots it runs. When it is lost, all of that is lost with it, and begun anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
from collections.abc import Sequence
from typing import Any

import asyncpg

from serai.server.peers.base import NOBODY, Attendance, Listener
from serai.server.store.base import StoreError
from serai.server.store.postgres import ENTRIES, FAULTS, PostgresStore, connect, trace_unforeseen
from serai.server.store.postgres_devices import DEVICES
from serai.server.store.postgres_schema import ALIVE, still_fits

log = logging.getLogger("serai.peers")

ATTENDANCE = "serai_attendance"
"""The channel on which changes of who is connected are announced."""
PATROL_SECONDS = 1.0
"""How often the line is tried and dead peers are looked for."""
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
    delete from processes where not exists (
        select from pg_locks
        where locktype = 'advisory' and classid = $1::int::oid and objid = processes.id::oid and objsubid = 2
          and database = (select oid from pg_database where datname = current_database())
    ) returning id
)
select pg_notify('serai_attendance', tableid), id from dead left join attendance on process = id
"""


class PostgresPeers:
    """The other processes at the same database."""

    shared = True

    def __init__(self, store: PostgresStore) -> None:
        self._store = store
        self._guard: asyncpg.Connection[Any] | None = None
        self._process = 0
        self._claimed: set[str] = set()
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

    async def claim(self, table: str) -> bool:
        guard = self._guard
        if guard is None or guard.is_closed():
            return False
        if table in self._claimed:
            return True
        try:
            async with self._line:
                held = await guard.fetchval("select pg_try_advisory_lock($1)", _key(table))
        except FAULTS:
            return False
        if held and guard is self._guard:
            self._claimed.add(table)
        return bool(held)

    async def release(self, tables: Sequence[str]) -> None:
        held = [table for table in tables if table in self._claimed]
        self._claimed.difference_update(held)
        guard = self._guard
        if held and guard is not None:
            with contextlib.suppress(*FAULTS):
                async with self._line:
                    keys = [_key(table) for table in held]
                    await guard.execute("select pg_advisory_unlock(key) from unnest($1::bigint[]) as key", keys)

    def attend(self, table: str, attendance: Attendance) -> None:
        if attendance == self._here.get(table, NOBODY):
            return
        self._here[table] = attendance
        self._untold.add(table)
        self._stir.set()

    async def elsewhere(self, table: str) -> Attendance:
        query = "select visitors, watching from attendance where tableid = $1 and process <> $2"
        rows = await self._store.read(query, table, self._process)
        return Attendance(frozenset(one for row in rows for one in row[0]), sum(row[1] for row in rows))

    async def hosted(self, most: int) -> dict[str, str]:
        rows = await self._store.read(_HOSTED, self._process, most)
        return {row[0]: row[1] for row in rows}

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        guard, self._guard = self._guard, None
        if guard is not None and not guard.is_closed():
            with contextlib.suppress(*FAULTS):
                await guard.execute("delete from processes where id = $1", self._process)
            guard.terminate()

    # -- the line ------------------------------------------------------------------------------------------------------

    async def _begin(self) -> None:
        guard = await connect(self._store.url)
        try:
            # a new number each time: the lock of the old one may still be held by a connection nobody answers any more
            self._process = secrets.randbelow(2**31)
            await guard.execute("select pg_advisory_lock($1, $2)", ALIVE, self._process)
            await still_fits(guard)
            await guard.execute("insert into processes values ($1)", self._process)
            await guard.add_listener(ENTRIES, self._entry_told)
            await guard.add_listener(ATTENDANCE, self._attendance_told)
            await guard.add_listener(DEVICES, self._device_told)
        except BaseException:
            guard.terminate()
            raise
        self._guard = guard
        self._claimed.clear()
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
                        self._claimed.clear()
                        log.warning("the line to the database is cut")
                        self._listener.lost()
                    await self._begin()
                    log.warning("the line to the database is back")
                    self._listener.resumed()
                    whole = True
                else:
                    async with self._line:
                        buried = await guard.fetch(_BURY, ALIVE)
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
                        self._process,
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


def _key(table: str) -> int:
    """The number under which a table's lock is known."""
    return int.from_bytes(hashlib.blake2b(table.encode(), digest_size=8).digest(), "big", signed=True)
