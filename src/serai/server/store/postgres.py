"""The store for many processes: PostgreSQL. One writer per process puts whatever is waiting into one statement, so that
many tables share one flush; the key (table, number) settles who was first, and NOTIFY tells the other processes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Iterator
from typing import Any

import asyncpg

from serai.server.store import postgres_schema as schema
from serai.server.store.base import CONFLICT, FORMAT, Conflict, Listed, Listing, StoreError
from serai.server.store.devices import DeviceRow
from serai.server.store.postgres_devices import PostgresDevices
from serai.table.messages import Phase

log = logging.getLogger("serai.store")

ENTRIES = "serai_entries"
"""The channel on which new entries are announced."""

_BATCH = 200
_REMOVED_AT_ONCE = 100
"""Tables: nothing can be saved while they are removed, so that must not take long."""
_TIMEOUT = 10.0
"""Seconds after which the database counts as gone."""
_APPEND = """
-- the entry before is looked up by its key, row by row: "exists" might read all entries there are
with new as (
    insert into entries (tableid, n, entry) select a.tableid, a.n, a.entry
    from unnest($1::text[], $2::int[], $3::bytea[], $12::int[]) as a (tableid, n, entry, follows)
    where a.follows < 0 or (select true from entries as e where e.tableid = a.tableid and e.n = a.follows limit 1)
    on conflict do nothing returning tableid, n
), listed as (
    insert into listings (id, phase, public, at, bots)
    select l.id, l.phase, l.public, l.at, l.bots
    from unnest($4::text[], $5::int[], $6::text[], $7::boolean[], $8::text[], $9::boolean[])
        as l (id, n, phase, public, at, bots)
    join new on new.tableid = l.id and new.n = l.n
    on conflict (id) do update
    set phase = excluded.phase, public = excluded.public, at = excluded.at, bots = excluded.bots
    returning id
), seated as (
    insert into sitters (visitor, tableid)
    select s.visitor, s.tableid from unnest($10::text[], $11::text[]) as s (visitor, tableid)
    join listed on listed.id = s.tableid
    on conflict do nothing
)
select tableid, n, pg_notify('serai_entries', tableid || ' ' || n) from new
"""

FAULTS = (asyncpg.PostgresError, OSError, TimeoutError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""What goes wrong between here and the database. After the first of these a connection can be used again; after any
other nobody knows what state it is in.
"""


class _Job:
    __slots__ = ("entry", "future", "listing", "n", "table")

    def __init__(self, table: str, n: int, entry: bytes, listing: Listing | None) -> None:
        self.table, self.n, self.entry, self.listing = table, n, entry, listing
        self.future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.future.add_done_callback(_heard)


def _heard(future: asyncio.Future[None]) -> None:
    """Whoever waited may have gone; what became of it is no mystery to the loop then."""
    if not future.cancelled():
        future.exception()


class _Readable:
    """What can be read through one connection or another."""

    async def read(self, query: str, *values: Any) -> list[Any]:
        """The rows of a query; ``StoreError`` if it cannot be asked."""
        raise NotImplementedError

    async def entries(self, table: str, after: int = -1) -> list[bytes]:
        query = "select entry from entries where tableid = $1 and n > $2 order by n"
        return [row[0] for row in await self.read(query, table, after)]

    async def listed(self) -> list[Listed]:
        query = """
            select id, phase, public, array_remove(array_agg(visitor order by visitor), null) as sitters, at, bots
            from listings left join sitters on tableid = id group by id order by born
        """
        rows = await self.read(query)
        return [Listed(row[0], Listing(row[1], row[2], tuple(row[3]), row[4], row[5])) for row in rows]

    async def device_rows(self) -> list[DeviceRow]:
        rows = await self.read("select device, visitor, at from devices order by device")
        return [DeviceRow(*row) for row in rows]


class _Frozen(_Readable):
    """What one transaction sees."""

    def __init__(self, db: asyncpg.Connection[Any]) -> None:
        self._db = db

    async def read(self, query: str, *values: Any) -> list[Any]:
        with _reading():
            return list(await self._db.fetch(query, *values))


class PostgresStore(_Readable):
    """The tables in the database at this address."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.devices = PostgresDevices(self.read, self._transaction)
        self._pool: asyncpg.Pool[Any] | None = None
        self._writing: asyncpg.Connection[Any] | None = None
        self._jobs: deque[_Job] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._writer: asyncio.Task[None] | None = None

    @property
    def writing_pid(self) -> int:
        """The backend that announces this process's own entries; 0 while there is none.

        Of a closed connection nothing is known, and its number may be that of somebody else by now.
        """
        if self._writing is None or self._writing.is_closed():
            return 0
        pid: int = self._writing.get_server_pid()
        return pid

    async def open(self) -> None:
        try:
            self._writing = await connect(self.url)
            await schema.migrate(self._writing)
            self._pool = await asyncpg.create_pool(
                self.url, min_size=0, max_size=4, command_timeout=_TIMEOUT, timeout=_TIMEOUT
            )
        except (*FAULTS, ValueError) as error:
            self._let_go()
            raise StoreError(
                f"cannot use the database: {_told(error)}; check the address in --database or SERAI_DATABASE"
            ) from None
        except StoreError:
            self._let_go()
            raise
        self._writer = asyncio.create_task(self._write_on())

    def append(self, table: str, n: int, entry: bytes, listing: Listing | None = None) -> asyncio.Future[None]:
        job = _Job(table, n, entry, listing)
        self._jobs.append(job)
        self._wake.set()
        return job.future

    async def public(self, tables: list[str], limit: int) -> list[str]:
        query = """
            select id from listings
            where id = any($1) and phase in ('lobby', 'playing') and public order by born desc limit $2
        """
        return [row[0] for row in await self.read(query, tables, limit)]

    async def bots_playing(self) -> list[str]:
        return [row[0] for row in await self.read("select id from listings where phase = 'playing' and bots")]

    @contextlib.asynccontextmanager
    async def frozen(self) -> AsyncIterator[_Frozen]:
        with _reading():
            db = await connect(self.url)
        try:
            with _reading():
                await db.execute("begin isolation level repeatable read read only")
                schema.expect(await db.fetchval(schema.KEPT_IN))
            yield _Frozen(db)
        finally:
            db.terminate()

    async def playing(self, visitor: str) -> list[str]:
        return await self._sat_at(visitor, "playing", None)

    async def finished(self, visitor: str, limit: int) -> list[str]:
        return await self._sat_at(visitor, "over", limit)

    async def _sat_at(self, visitor: str, phase: Phase, limit: int | None) -> list[str]:
        query = """
            select tableid from sitters join listings on id = tableid
            where visitor = $1 and phase = $2 order by born desc limit $3
        """
        return [row[0] for row in await self.read(query, visitor, phase, limit)]

    async def remove(self, tables: list[str]) -> None:
        query = "with gone as (delete from entries where tableid = any($1)) delete from listings where id = any($1)"
        for first in range(0, len(tables), _REMOVED_AT_ONCE):
            async with self._transaction() as db:
                # who is about to add to one of these tables waits, and then sees that it is gone
                await db.execute("lock table entries in share row exclusive mode")
                schema.expect(await db.fetchval(schema.KEPT_IN))
                await db.execute(query, tables[first : first + _REMOVED_AT_ONCE])

    async def check(self) -> None:
        await self.read("select 1 from entries limit 1")
        schema.expect((await self.read(schema.KEPT_IN))[0][0])
        # goes through the log and to the disk like an entry, and is read by nobody
        await self.read("select pg_logical_emit_message(true, 'serai', 'check')")

    async def close(self) -> None:
        self._closing = True
        self._wake.set()
        if self._writer is not None:
            await self._writer
        self._let_go()

    def _let_go(self) -> None:
        if self._writing is not None:
            self._writing.terminate()
        if self._pool is not None:
            self._pool.terminate()

    # -- reading -------------------------------------------------------------------------------------------------------

    async def read(self, query: str, *values: Any) -> list[Any]:
        with _reading():
            return list(await self._open_pool().fetch(query, *values))

    @contextlib.asynccontextmanager
    async def _transaction(self) -> AsyncIterator[asyncpg.Connection[Any]]:
        """A connection for several things that are done together, or not at all."""
        with _reading():
            async with self._open_pool().acquire() as db, db.transaction():
                yield db

    def _open_pool(self) -> asyncpg.Pool[Any]:
        if self._pool is None:
            raise StoreError("could not be read: the database is not open")
        return self._pool

    # -- writing, in its own task --------------------------------------------------------------------------------------

    async def _write_on(self) -> None:
        while self._jobs or not self._closing:
            if not self._jobs:
                self._wake.clear()
                await self._wake.wait()
                continue
            batch = self._waiting()
            try:
                kept = await self._commit(batch)
            except Exception as error:
                trace_unforeseen(error, "saving")
                for job in batch:
                    _settle(job, StoreError(f"could not be saved: {_told(error)}"))
                continue
            for job in batch:
                there = (job.table, job.n) in kept
                _settle(job, None if there else Conflict(CONFLICT))

    def _waiting(self) -> list[_Job]:
        """Whatever waits now, in the order in which every process locks rows; each number, and a table's listing, at
        most once: of two entries with the same number the statement would not tell which was kept.
        """
        batch: list[_Job] = []
        numbers: set[tuple[str, int]] = set()
        listings: set[str] = set()
        while self._jobs and len(batch) < _BATCH:
            job = self._jobs[0]
            if (job.table, job.n) in numbers:
                break
            numbers.add((job.table, job.n))
            if job.listing is not None:
                if job.table in listings:
                    break
                listings.add(job.table)
            batch.append(self._jobs.popleft())
        return sorted(batch, key=lambda job: (job.table, job.n))

    async def _commit(self, batch: list[_Job]) -> set[tuple[str, int]]:
        if self._writing is None or self._writing.is_closed():
            self._writing = await connect(self.url)
        listed = [(job, job.listing) for job in batch if job.listing is not None]
        try:
            rows = await self._writing.fetch(
                _APPEND,
                [job.table for job in batch],
                [job.n for job in batch],
                [job.entry for job in batch],
                [job.table for job, _ in listed],
                [job.n for job, _ in listed],
                [listing.phase for _, listing in listed],
                [listing.public for _, listing in listed],
                [listing.at for _, listing in listed],
                [listing.bots for _, listing in listed],
                [visitor for _, listing in listed for visitor in listing.sitters],
                [job.table for job, listing in listed for _ in listing.sitters],
                _followed(batch),
            )
        except asyncpg.PostgresError:
            raise
        except BaseException:
            self._writing.terminate()  # what became of it is unknown: the next one asks anew
            raise
        return {(row[0], row[1]) for row in rows}


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    """Faults within the block are told as the store's."""
    try:
        yield
    except FAULTS as error:
        raise StoreError(f"could not be read: {_told(error)}") from error


async def connect(url: str) -> asyncpg.Connection[Any]:
    """A connection whose commits are flushed before they count, and which says in which format it writes."""
    settings = {"application_name": "serai", "synchronous_commit": "on"}
    db = await asyncpg.connect(url, timeout=_TIMEOUT, command_timeout=_TIMEOUT, server_settings=settings)
    await db.execute(f"set serai.format = {FORMAT}")
    return db


def _followed(batch: list[_Job]) -> list[int]:
    """For each entry of a sorted batch the number of the one that must be there already for it to be kept: the one
    before it, or before the first of those that come in a row with it.
    """
    followed: list[int] = []
    last: _Job | None = None
    for job in batch:
        in_a_row = last is not None and (last.table, last.n) == (job.table, job.n - 1)
        followed.append(followed[-1] if in_a_row else job.n - 1)
        last = job
    return followed


def _settle(job: _Job, error: StoreError | None) -> None:
    if job.future.done():
        return
    if error is None:
        job.future.set_result(None)
    else:
        job.future.set_exception(error)


def trace_unforeseen(error: Exception, doing: str) -> None:
    """What nobody thought of must not end a task on which everybody depends; but it must be seen."""
    if not isinstance(error, FAULTS):
        log.error("%s while %s", type(error).__name__, doing, exc_info=error)


def _told(error: BaseException) -> str:
    """The reason in one line; never the address, which may hold a password."""
    with contextlib.suppress(IndexError):
        return str(error).splitlines()[0] or type(error).__name__
    return type(error).__name__
