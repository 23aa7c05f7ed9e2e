"""The store for several processes: PostgreSQL.

One writer task per process stores all waiting entries in one statement, so that many tables share one flush. The key
(table, number) settles who was first, and NOTIFY announces it to the other processes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any

import asyncpg
import msgspec

from serai.server.store import postgres_schema as schema
from serai.server.store.base import (
    CONFLICT,
    FORMAT,
    LEASE_LOST,
    Conflict,
    DeviceRow,
    Durable,
    Lease,
    LeaseLost,
    Listed,
    Listing,
    Moved,
    Rewrite,
    StoredTable,
    StoreError,
    TableCode,
    expect_format,
)
from serai.table.chain import Stored
from serai.wire.bodies import BanInfo, ReportInfo
from serai.wire.frames import Phase

log = logging.getLogger("serai.store")

ENTRIES = "serai_entries"
"""The channel on which new entries are announced."""
DEVICES = "serai_devices"
"""The channel on which devices whose visitor changed are announced."""

HOST = "serai_host"
"""The channel on which is announced what concerns the host: ``BANS``, or ``REWRITTEN`` and a table."""
BANS, REWRITTEN = "bans", "rewritten"

_DEVICE_LOCK, _CODE_LOCK, _REVIEW_LOCK, _REWRITE_LOCK, _BAN_LOCK = 7318003, 7318004, 7318005, 7318006, 7318007
"""Advisory locks: one process at a time changes each of these."""
_REMOVED_AT_ONCE = 100
"""Tables in one transaction: nothing can be saved while they are removed, so that must not take long."""
_TIMEOUT = 10.0
"""Seconds after which the database counts as gone."""
_IDLE_SECONDS = 5
"""How long a transaction may stand still before the database ends it."""

FAULTS = (asyncpg.PostgresError, OSError, TimeoutError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""Errors of the database or the connection. After a ``PostgresError`` the connection can be used again; after any other
its state is unknown.
"""


class _Reader:
    """What can be read, by the connection or pool of a subclass."""

    async def read(self, query: str, *values: Any) -> list[Any]:
        """The rows of a query; ``StoreError`` if it fails."""
        raise NotImplementedError

    async def entries(self, table: str, after: int = -1) -> list[Stored]:
        query = "select n, entry, link from entries where tableid = $1 and n > $2 order by n"
        return [Stored(*row) for row in await self.read(query, table, after)]

    async def read_table(self, table: str) -> StoredTable:
        query = """
            select phase, last, n, entry, link from (select $1::text as asked) as asked
            left join listings on id = asked left join entries on tableid = asked order by n
        """
        rows = await self.read(query, table)  # one statement: of one moment
        phase, last = rows[0][:2]
        entries = [Stored(*row[2:]) for row in rows if row[2] is not None]
        return StoredTable(entries, phase, -1 if last is None else last)

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

    async def erasures(self) -> list[str]:
        return [row[0] for row in await self.read("select visitor from erasures order by at")]

    async def bans(self, now: float) -> list[BanInfo]:
        query = "select subject, kind, until, why from bans where until > $1 order by subject"
        return [BanInfo(*row) for row in await self.read(query, now)]


class Frozen(_Reader):
    """What one transaction sees."""

    def __init__(self, db: asyncpg.Connection[Any]) -> None:
        self._db = db

    async def read(self, query: str, *values: Any) -> list[Any]:
        with _reading():
            return list(await self._db.fetch(query, *values))


class PostgresStore(_Reader):
    """The tables in the database at this address."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._pool: asyncpg.Pool[Any] | None = None
        self._writing: asyncpg.Connection[Any] | None = None
        self._appends: deque[Append] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._writer: asyncio.Task[None] | None = None

    @property
    def writing_pid(self) -> int:
        """The backend process that announces this store's own entries; 0 while there is none.

        Once a connection is closed, its number may be another backend's.
        """
        if self._writing is None or self._writing.is_closed():
            return 0
        pid: int = self._writing.get_server_pid()
        return pid

    async def open(self) -> None:
        try:
            self._writing = await connect(self.url)
            await schema.prepare(self._writing)
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
            self._terminate()
            raise StoreError(
                f"cannot use the database: {_reason(error)}; check the address in --database or SERAI_DATABASE"
            ) from None
        except StoreError:
            self._terminate()
            raise
        self._writer = asyncio.create_task(self._write_appends())

    def append(self, table: str, stored: Stored, listing: Listing | None = None, lease: Lease | None = None) -> Durable:
        append = Append(table, stored, listing, lease)
        self._appends.append(append)
        self._wake.set()
        return append.future

    async def public(self, tables: list[str], limit: int) -> list[str]:
        query = """
            select id from listings
            where id = any($1) and phase in ('lobby', 'playing') and public order by born desc limit $2
        """
        return [row[0] for row in await self.read(query, tables, limit)]

    async def newest(self, phase: str, most: int) -> list[Listed]:
        query = """
            select id, phase, public, at, bots, last from listings
            where $1::text in ('', phase) order by born desc limit $2
        """
        rows = await self.read(query, phase, most)
        return [Listed(row[0], Listing(row[1], row[2], (), row[3], row[4]), row[5]) for row in rows]

    async def counts(self) -> dict[str, int]:
        rows = await self.read("select phase, count(*) from listings group by phase order by phase")
        return {row[0]: row[1] for row in rows}

    async def bots_playing(self) -> list[str]:
        query = """
            select id from listings
            where phase = 'playing' and bots and not exists (select from leases where tableid = id)
        """
        return [row[0] for row in await self.read(query)]

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

    @contextlib.asynccontextmanager
    async def frozen(self) -> AsyncIterator[Frozen]:
        with _reading():
            db = await connect(self.url)
        try:
            with _reading():
                await db.execute("begin isolation level repeatable read read only")
                expect_format(await db.fetchval(schema.FORMAT_OF))
            yield Frozen(db)
        finally:
            db.terminate()

    async def remove(self, tables: list[str]) -> None:
        query = """
            with removed as (delete from entries where tableid = any($1)),
                codeless as (delete from codes where tableid = any($1)),
                unreported as (delete from reports where tableid = any($1))
            delete from listings where id = any($1)
        """
        for first in range(0, len(tables), _REMOVED_AT_ONCE):
            async with self._transaction() as db:
                # an append to one of these tables waits, and then finds the table gone
                await db.execute("lock table entries in share row exclusive mode")
                expect_format(await db.fetchval(schema.FORMAT_OF))
                await db.execute(query, tables[first : first + _REMOVED_AT_ONCE])

    async def check(self) -> None:
        await self.read("select 1 from entries limit 1")
        expect_format((await self.read(schema.FORMAT_OF))[0][0])
        # goes through the log and to the disk like an entry, and nobody reads it
        await self.read("select pg_logical_emit_message(true, 'serai', 'check')")

    async def close(self) -> None:
        self._closing = True
        self._wake.set()
        if self._writer is not None:
            await self._writer
        self._terminate()

    def _terminate(self) -> None:
        if self._writing is not None:
            self._writing.terminate()
        if self._pool is not None:
            self._pool.terminate()

    # -- devices: the other processes hear of every move ---------------------------------------------------------------

    async def visitors(self, devices: list[str]) -> dict[str, str]:
        rows = await self.read("select device, visitor from devices where device = any($1)", devices)
        return {row[0]: row[1] for row in rows}

    async def offer_handover(self, device: str, code: str, until: float, now: float) -> bool:
        async with self._change(_DEVICE_LOCK) as db:
            await db.execute("delete from handovers where until <= $1", now)
            visitor: str = await db.fetchval(_VISITOR, device)
            if visitor:
                await db.execute("delete from handovers where visitor = $1", visitor)
                await db.execute("insert into handovers values ($1, $2, $3, '')", visitor, code, until)
        return bool(visitor)

    async def withdraw_handover(self, device: str, now: float) -> None:
        async with self._change(_DEVICE_LOCK) as db:
            visitor = await db.fetchval(_VISITOR, device)
            await db.execute("delete from handovers where visitor = $1 or until <= $2", visitor, now)

    async def handover_visitor(self, code: str, now: float) -> str:
        query = "select visitor from handovers where code = $1 and until > $2 and claimed = ''"
        return "".join(row[0] for row in await self.read(query, code, now))

    async def move_visitor(self, code: str, device: str, now: float) -> Moved | None:
        async with self._change(_DEVICE_LOCK) as db:
            query = "select visitor, claimed from handovers where code = $1 and until > $2"
            found = await db.fetchrow(query, code, now)
            if found is None or found[1] not in ("", device):
                return None
            visitor, before = found[0], await db.fetchval(_VISITOR, device)
            if before == visitor:
                return Moved(visitor, ())
            if found[1]:
                return None  # it was here, and has moved on since
            query = "select device from devices where visitor = $1"
            left = [row[0] for row in await db.fetch(query, visitor)]
            if await db.fetchval("select not exists (select from devices where device = $1)", visitor):
                left.append(visitor)
            moved = Moved(visitor, (*left, device))
            await _save_devices(db, [*(DeviceRow(one, "", now) for one in left), DeviceRow(device, visitor, now)])
            await db.execute("update handovers set claimed = $1 where code = $2", device, code)
            await db.execute("delete from handovers where visitor = $1", before)
            await _announce_devices(db, moved.devices)
        return moved

    async def save_devices(self, rows: list[DeviceRow]) -> None:
        async with self._change(_DEVICE_LOCK) as db:
            await _save_devices(db, rows)

    async def drop_devices(self, devices: list[str]) -> None:
        async with self._change(_DEVICE_LOCK) as db:
            await db.execute("delete from devices where device = any($1)", devices)
            await _announce_devices(db, devices)

    # -- forgetting a visitor ------------------------------------------------------------------------------------------

    async def naming(self, visitor: str, after: str, most: int) -> tuple[list[str], str]:
        query = "select id from listings where id > $1 order by id limit $2"
        tables = [row[0] for row in await self.read(query, after, most)]
        query = """
            select distinct tableid from entries where tableid = any($1) and position($2::bytea in entry) > 0
        """
        found = [row[0] for row in await self.read(query, tables, visitor.encode())]
        return found, tables[-1] if len(tables) == most else ""

    async def rewrite(self, table: str, visitor: str, pseudonym: str, rewrite: Rewrite) -> int:
        async with self._change(_REWRITE_LOCK) as db:
            query = "select n, entry, link from entries where tableid = $1 order by n"
            rewritten = rewrite([Stored(*row) for row in await db.fetch(query, table)])
            await db.executemany(
                "update entries set entry = $1, link = $2 where tableid = $3 and n = $4",
                [(one.entry, one.link, table, one.n) for one in rewritten],
            )
            query = "delete from sitters where visitor = $1 and tableid = $2 returning true"
            if await db.fetchval(query, visitor, table):
                await db.execute("insert into sitters values ($1, $2) on conflict do nothing", pseudonym, table)
            await db.execute("select pg_notify($1, $2)", HOST, f"{REWRITTEN} {table}")
        return len(rewritten)

    async def ask_erasure(self, visitor: str, now: float) -> tuple[str, ...]:
        async with self._change(_DEVICE_LOCK) as db:
            found = await db.fetch("select device from devices where visitor = $1", visitor)
            devices = {row[0] for row in found}
            if await db.fetchval("select not exists (select from devices where device = $1)", visitor):
                devices.add(visitor)
            await _save_devices(db, [DeviceRow(device, "", now) for device in sorted(devices)])
            await db.execute("delete from handovers where visitor = $1", visitor)
            await db.execute("delete from reports where $1 in (visitor, reporter)", visitor)
            await db.execute("delete from bans where subject = $1", f"visitor:{visitor}")
            before = await db.fetchval("select devices from erasures where visitor = $1", visitor)
            everything = {visitor, *devices, *(before or "").split()}
            query = """
                insert into erasures values ($1, $2, $3)
                on conflict (visitor) do update set devices = excluded.devices
            """
            await db.execute(query, visitor, " ".join(sorted(everything)), now)
            await _announce_devices(db, sorted(devices))
        return tuple(sorted(devices))

    async def end_erasure(self, visitor: str) -> None:
        async with self._change(_DEVICE_LOCK) as db:
            devices = (
                await db.fetchval("delete from erasures where visitor = $1 returning devices", visitor) or ""
            ).split()
            await db.execute("delete from devices where device = any($1)", devices)
            await _announce_devices(db, devices)

    # -- what the host forbids, and what players report ----------------------------------------------------------------

    async def set_ban(self, ban: BanInfo, now: float) -> None:
        async with self._change(_BAN_LOCK) as db:
            await db.execute("delete from bans where until <= $1", now)
            query = """
                insert into bans values ($1, $2, $3, $4) on conflict (subject)
                do update set kind = excluded.kind, until = excluded.until, why = excluded.why
            """
            await db.execute(query, ban.subject, ban.kind, ban.until, ban.why)
            await db.execute("select pg_notify($1, $2)", HOST, BANS)

    async def lift_ban(self, subject: str) -> bool:
        async with self._change(_BAN_LOCK) as db:
            lifted = await db.fetchval("delete from bans where subject = $1 returning true", subject)
            await db.execute("select pg_notify($1, $2)", HOST, BANS)
        return bool(lifted)

    async def add_report(self, report: ReportInfo, most: int) -> bool:
        async with self._change(_BAN_LOCK) as db:
            query = """
                insert into reports (at, tableid, seat, name, visitor, address, reporter, text)
                select $1, $2, $3, $4, $5, $6, $7, $8 where (select count(*) from reports) < $9 returning true
            """
            values = msgspec.structs.astuple(report)[1:]
            return bool(await db.fetchval(query, *values, most))

    async def reports(self) -> list[ReportInfo]:
        return [ReportInfo(*row) for row in await self.read("select * from reports order by id")]

    async def drop_reports(self, ids: list[int], before: float = 0.0) -> int:
        async with self._change(_BAN_LOCK) as db:
            rows = await db.fetch("delete from reports where at < $1 or id = any($2) returning id", before, ids)
        return len(rows)

    # -- codes and reviews ---------------------------------------------------------------------------------------------

    async def give_code(self, table: str, code: str, until: float, now: float) -> TableCode | None:
        async with self._change(_CODE_LOCK) as db:
            await db.execute("delete from codes where until <= $1", now)
            await db.execute("insert into codes values ($1, $2, $3) on conflict do nothing", code, table, until)
            found = await db.fetchrow("select code, until from codes where tableid = $1", table)
        return None if found is None else TableCode(*found)

    async def table_of_code(self, code: str, now: float) -> str:
        rows = await self.read("select tableid from codes where code = $1 and until > $2", code, now)
        return "".join(row[0] for row in rows)

    async def review(self, table: str, evaluator: str) -> bytes | None:
        rows = await self.read("select review from reviews where tableid = $1 and evaluator = $2", table, evaluator)
        return bytes(rows[0][0]) if rows else None

    async def save_review(self, table: str, evaluator: str, review: bytes) -> None:
        async with self._change(_REVIEW_LOCK) as db:
            await db.execute(_SAVE_REVIEW, table, evaluator, review)

    # -- reading, and changing anything but entries --------------------------------------------------------------------

    async def read(self, query: str, *values: Any) -> list[Any]:
        with _reading():
            return list(await self._open_pool().fetch(query, *values))

    @contextlib.asynccontextmanager
    async def _transaction(self) -> AsyncIterator[asyncpg.Connection[Any]]:
        with _reading():
            async with self._open_pool().acquire() as db, db.transaction():
                yield db

    @contextlib.asynccontextmanager
    async def _change(self, lock: int) -> AsyncIterator[asyncpg.Connection[Any]]:
        """A durable transaction, one at a time under this advisory lock: earlier changes by others are seen."""
        async with self._transaction() as db:
            await db.execute("set local synchronous_commit = on")
            await db.execute("select pg_advisory_xact_lock($1)", lock)
            expect_format(await db.fetchval(schema.FORMAT_OF))
            yield db

    def _open_pool(self) -> asyncpg.Pool[Any]:
        if self._pool is None:
            raise StoreError("could not be read: the database is not open")
        return self._pool

    # -- appending, in its own task ------------------------------------------------------------------------------------

    async def _write_appends(self) -> None:
        while self._appends or not self._closing:
            if not self._appends:
                self._wake.clear()
                await self._wake.wait()
                continue
            batch = next_batch(self._appends)
            try:
                settle(batch, await self._commit(batch))
            except Exception as error:
                log_unexpected(error, "saving")
                for append in batch:
                    append.settle(StoreError(f"could not be saved: {_reason(error)}"))

    async def _commit(self, batch: list[Append]) -> list[Any]:
        if self._writing is None or self._writing.is_closed():
            self._writing = await connect(self.url)
        query, values = statement(batch)
        try:
            return list(await self._writing.fetch(query, *values))
        except asyncpg.PostgresError:
            raise
        except BaseException:
            self._writing.terminate()  # the outcome is unknown: the next append uses a new connection
            raise


_VISITOR = "select coalesce((select visitor from devices where device = $1), $1)"
_SAVE_DEVICES = """
insert into devices (device, visitor, at) select * from unnest($1::text[], $2::text[], $3::double precision[])
on conflict (device) do update set visitor = excluded.visitor, at = excluded.at where excluded.at >= devices.at
"""
_SAVE_REVIEW = """
insert into reviews (tableid, evaluator, review) select id, $2::text, $3::bytea from listings where id = $1
on conflict (tableid) do update set evaluator = excluded.evaluator, review = excluded.review
"""


async def _save_devices(db: asyncpg.Connection[Any], rows: list[DeviceRow]) -> None:
    columns = [row.device for row in rows], [row.visitor for row in rows], [row.at for row in rows]
    await db.execute(_SAVE_DEVICES, *columns)


async def _announce_devices(db: asyncpg.Connection[Any], devices: Iterable[str]) -> None:
    await db.execute("select pg_notify($1, device) from unnest($2::text[]) as device", DEVICES, list(devices))


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    """Raise database errors in the block as ``StoreError``."""
    try:
        yield
    except asyncpg.UndefinedTableError:
        raise StoreError("no tables of Serai are stored there") from None
    except FAULTS as error:
        raise StoreError(f"could not be read: {_reason(error)}") from error


async def connect(url: str) -> asyncpg.Connection[Any]:
    """A connection with durable commits that declares the format in which it writes."""
    settings = {"application_name": "serai", "synchronous_commit": "on"}
    db = await asyncpg.connect(url, timeout=_TIMEOUT, command_timeout=_TIMEOUT, server_settings=settings)
    await db.execute(f"set serai.format = {FORMAT}")
    return db


def log_unexpected(error: Exception, doing: str) -> None:
    """Log an error that is none of ``FAULTS``: it must be seen, but not end a task on which everybody depends."""
    if not isinstance(error, FAULTS):
        log.error("%s while %s", type(error).__name__, doing, exc_info=error)


def _reason(error: BaseException) -> str:
    """The first line of the message; never the address, which may hold a password."""
    with contextlib.suppress(IndexError):
        return str(error).splitlines()[0] or type(error).__name__
    return type(error).__name__


# -- the statement that appends a batch of entries ---------------------------------------------------------------------

_BATCH = 200
_STATEMENT = """
-- the entry before is looked up by its key, row by row: "exists" might read all entries there are
with {leased} new as (
    insert into entries (tableid, n, entry, link) select a.tableid, a.n, a.entry, a.link
    from unnest($1::text[], $2::int[], $3::bytea[], $13::bytea[], $12::int[]) as a (tableid, n, entry, link, follows)
    where (a.follows < 0 or (select true from entries as e where e.tableid = a.tableid and e.n = a.follows limit 1))
    {held}
    on conflict do nothing returning tableid, n
), listed as (
    insert into listings (id, phase, public, at, bots, last)
    select l.id, l.phase, l.public, l.at, l.bots, l.n
    from unnest($4::text[], $5::int[], $6::text[], $7::boolean[], $8::text[], $9::boolean[])
        as l (id, n, phase, public, at, bots)
    join new on new.tableid = l.id and new.n = l.n
    on conflict (id) do update
    set phase = excluded.phase, public = excluded.public, at = excluded.at, bots = excluded.bots, last = excluded.last
    returning id
), seated as (
    insert into sitters (visitor, tableid)
    select s.visitor, s.tableid from unnest($10::text[], $11::text[]) as s (visitor, tableid)
    join listed on listed.id = s.tableid
    on conflict do nothing
)
select tableid, n, pg_notify('serai_entries', tableid || ' ' || n)::text from new {answer}
"""
APPEND = _STATEMENT.format(leased="", held="", answer="")
# Leases end when the row of their process is deleted: either that waits for an append under one of them, or the append
# waits for the deletion and then finds no lease.
APPEND_UNDER_LEASE = _STATEMENT.format(
    leased="""
alive as materialized (
    select id from processes where id = $14 for key share
), held as materialized (
    select tableid from alive join leases on process = id
    join unnest($15::text[], $16::bigint[]) as a (tableid, epoch) using (tableid, epoch)
),
""",
    held="and (a.tableid <> all ($15) or a.tableid in (select tableid from held))",
    answer="union all select tableid, -1, '' from held",
)
_HELD = -1
"""In place of an entry's number: the table's lease is still the one that was named."""


class Append:
    """An entry that waits to be stored, with its future."""

    def __init__(self, table: str, stored: Stored, listing: Listing | None, lease: Lease | None) -> None:
        self.table, self.listing, self.lease = table, listing, lease
        self.n, self.entry, self.link = stored.n, stored.entry, stored.link
        self.future = Durable()
        self.future.add_done_callback(_mark_retrieved)

    def settle(self, error: StoreError | None = None) -> None:
        if self.future.done():
            return
        if error is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(error)


def _mark_retrieved(future: asyncio.Future[None]) -> None:
    """Mark the exception as retrieved, even if nobody waits any more."""
    if not future.cancelled():
        future.exception()


def next_batch(waiting: deque[Append]) -> list[Append]:
    """Take the entries that share a statement, sorted as every process locks rows.

    Each number, and each table's listing, comes at most once: of two entries with the same number the statement would
    not tell which was stored. An entry under a lease is the only one of its table: nothing may follow it if it fails.
    """
    batch: list[Append] = []
    numbers: set[tuple[str, int]] = set()
    listings: set[str] = set()
    leased: dict[str, bool] = {}
    process = 0
    while waiting and len(batch) < _BATCH:
        append = waiting[0]
        if (append.table, append.n) in numbers or leased.get(append.table):
            break
        if append.lease is not None:
            if append.table in leased or process not in (0, append.lease.process):
                break
            process = append.lease.process
        leased[append.table] = append.lease is not None
        numbers.add((append.table, append.n))
        if append.listing is not None:
            if append.table in listings:
                break
            listings.add(append.table)
        batch.append(waiting.popleft())
    return sorted(batch, key=lambda append: (append.table, append.n))


def statement(batch: Sequence[Append]) -> tuple[str, list[Any]]:
    """The statement for a batch, and its values."""
    listed = [(append, append.listing) for append in batch if append.listing is not None]
    leased = [(append, append.lease) for append in batch if append.lease is not None]
    values: list[Any] = [
        [append.table for append in batch],
        [append.n for append in batch],
        [append.entry for append in batch],
        [append.table for append, _ in listed],
        [append.n for append, _ in listed],
        [listing.phase for _, listing in listed],
        [listing.public for _, listing in listed],
        [listing.at for _, listing in listed],
        [listing.bots for _, listing in listed],
        [visitor for _, listing in listed for visitor in listing.sitters],
        [append.table for append, listing in listed for _ in listing.sitters],
        _follows(batch),
        [append.link for append in batch],
    ]
    if leased:
        (process,) = {lease.process for _, lease in leased}
        values += [process, [append.table for append, _ in leased], [lease.epoch for _, lease in leased]]
    return (APPEND_UNDER_LEASE if leased else APPEND), values


def settle(batch: Sequence[Append], rows: Iterable[Sequence[Any]]) -> None:
    """Set the futures of a batch by the rows that the statement returned."""
    answers = {(row[0], row[1]) for row in rows}
    for append in batch:
        if (append.table, append.n) in answers:
            append.settle()
        elif append.lease is not None and (append.table, _HELD) not in answers:
            append.settle(LeaseLost(LEASE_LOST))
        else:
            append.settle(Conflict(CONFLICT))


def _follows(batch: Sequence[Append]) -> list[int]:
    """For each entry of a sorted batch, the number of the entry that must exist already: the one before it, or before
    the first of its run of consecutive numbers.
    """
    follows: list[int] = []
    last: Append | None = None
    for append in batch:
        in_a_row = last is not None and (last.table, last.n) == (append.table, append.n - 1)
        follows.append(follows[-1] if in_a_row else append.n - 1)
        last = append
    return follows
