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
from serai.server.store.base import FORMAT, Lease, Listed, Listing, StoreError, Whole, expect_format
from serai.server.store.devices import DeviceRow
from serai.server.store.postgres_append import Job, next_batch, settle, statement
from serai.server.store.postgres_codes import PostgresCodes
from serai.server.store.postgres_devices import PostgresDevices
from serai.server.store.postgres_reviews import PostgresReviews
from serai.table.chain import Stored
from serai.table.messages import Phase

log = logging.getLogger("serai.store")

ENTRIES = "serai_entries"
"""The channel on which new entries are announced."""

_REMOVED_AT_ONCE = 100
"""Tables: nothing can be saved while they are removed, so that must not take long."""
_TIMEOUT = 10.0
"""Seconds after which the database counts as gone."""
_IDLE_SECONDS = 5
"""How long a transaction may stand still before the database gives it up."""

FAULTS = (asyncpg.PostgresError, OSError, TimeoutError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""What goes wrong between here and the database. After the first of these a connection can be used again; after any
other nobody knows what state it is in.
"""


class _Readable:
    """What can be read through one connection or another."""

    async def read(self, query: str, *values: Any) -> list[Any]:
        """The rows of a query; ``StoreError`` if it cannot be asked."""
        raise NotImplementedError

    async def entries(self, table: str, after: int = -1) -> list[Stored]:
        query = "select n, entry, link from entries where tableid = $1 and n > $2 order by n"
        return [Stored(*row) for row in await self.read(query, table, after)]

    async def whole(self, table: str) -> Whole:
        query = """
            select phase, last, n, entry, link from (select $1::text as asked) as asked
            left join listings on id = asked left join entries on tableid = asked order by n
        """
        rows = await self.read(query, table)  # one statement: of one moment
        phase, last = rows[0][:2]
        return Whole([Stored(*row[2:]) for row in rows if row[2] is not None], phase, -1 if last is None else last)

    async def listed(self) -> list[Listed]:
        query = """
            select id, phase, public, array_remove(array_agg(visitor order by visitor), null) as sitters, at, bots,
                last
            from listings left join sitters on tableid = id group by id order by born
        """
        rows = await self.read(query)
        return [Listed(row[0], Listing(row[1], row[2], tuple(row[3]), row[4], row[5]), row[6]) for row in rows]

    async def device_rows(self) -> list[DeviceRow]:
        rows = await self.read("select device, visitor, at from devices order by device")
        return [DeviceRow(*row) for row in rows]


class Frozen(_Readable):
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
        self.codes = PostgresCodes(self.read, self._transaction)
        self.reviews = PostgresReviews(self.read, self._transaction)
        self._pool: asyncpg.Pool[Any] | None = None
        self._writing: asyncpg.Connection[Any] | None = None
        self._jobs: deque[Job] = deque()
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
                self.url,
                min_size=0,
                max_size=4,
                command_timeout=_TIMEOUT,
                timeout=_TIMEOUT,
                # a process that hangs while it removes tables must not keep all others from saving
                server_settings={"idle_in_transaction_session_timeout": f"{_IDLE_SECONDS}s"},
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

    def append(
        self, table: str, stored: Stored, listing: Listing | None = None, lease: Lease | None = None
    ) -> asyncio.Future[None]:
        job = Job(table, stored, listing, lease)
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
        query = """
            select id from listings
            where phase = 'playing' and bots and not exists (select from leases where tableid = id)
        """
        return [row[0] for row in await self.read(query)]

    @contextlib.asynccontextmanager
    async def frozen(self) -> AsyncIterator[Frozen]:
        with _reading():
            db = await connect(self.url)
        try:
            with _reading():
                await db.execute("begin isolation level repeatable read read only")
                expect_format(await db.fetchval(schema.KEPT_IN))
            yield Frozen(db)
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
                expect_format(await db.fetchval(schema.KEPT_IN))
                await db.execute(query, tables[first : first + _REMOVED_AT_ONCE])

    async def check(self) -> None:
        await self.read("select 1 from entries limit 1")
        expect_format((await self.read(schema.KEPT_IN))[0][0])
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
            batch = next_batch(self._jobs)
            try:
                settle(batch, await self._commit(batch))
            except Exception as error:
                trace_unforeseen(error, "saving")
                for job in batch:
                    job.settle(StoreError(f"could not be saved: {_told(error)}"))

    async def _commit(self, batch: list[Job]) -> list[Any]:
        if self._writing is None or self._writing.is_closed():
            self._writing = await connect(self.url)
        append, values = statement(batch)
        try:
            return list(await self._writing.fetch(append, *values))
        except asyncpg.PostgresError:
            raise
        except BaseException:
            self._writing.terminate()  # what became of it is unknown: the next one asks anew
            raise


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    """Faults within the block are told as the store's."""
    try:
        yield
    except asyncpg.UndefinedTableError:
        raise StoreError("no tables of Serai are kept there") from None
    except FAULTS as error:
        raise StoreError(f"could not be read: {_told(error)}") from error


async def connect(url: str) -> asyncpg.Connection[Any]:
    """A connection whose commits are flushed before they count, and which says in which format it writes."""
    settings = {"application_name": "serai", "synchronous_commit": "on"}
    db = await asyncpg.connect(url, timeout=_TIMEOUT, command_timeout=_TIMEOUT, server_settings=settings)
    await db.execute(f"set serai.format = {FORMAT}")
    return db


def trace_unforeseen(error: Exception, doing: str) -> None:
    """What nobody thought of must not end a task on which everybody depends; but it must be seen."""
    if not isinstance(error, FAULTS):
        log.error("%s while %s", type(error).__name__, doing, exc_info=error)


def _told(error: BaseException) -> str:
    """The reason in one line; never the address, which may hold a password."""
    with contextlib.suppress(IndexError):
        return str(error).splitlines()[0] or type(error).__name__
    return type(error).__name__
