"""The embedded store: one SQLite file.

One writer thread commits all waiting entries in one transaction, so that many tables share one flush to the disk.
Readers have a connection and a thread of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import queue
import sqlite3
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from serai.server.store.base import (
    CONFLICT,
    FORMAT,
    Conflict,
    DeviceRow,
    Durable,
    Lease,
    Listed,
    Listing,
    Moved,
    Rewrite,
    StoredTable,
    StoreError,
    TableCode,
    expect_format,
)
from serai.server.store.sqlite_schema import prepare
from serai.table.chain import Stored
from serai.wire.bodies import BanInfo, ReportInfo
from serai.wire.frames import Phase

if os.name == "nt":
    import msvcrt
else:
    import fcntl

log = logging.getLogger("serai.store")

_T = TypeVar("_T")

_BATCH = 200
"""Most entries in one transaction, so that the first need not wait too long."""


class _Append(msgspec.Struct, frozen=True):
    """An entry to be stored."""

    row: tuple[str, int, bytes, bytes]
    listing: Listing | None
    future: Durable


class _Change(msgspec.Struct, frozen=True):
    """Any other change, made in a transaction of its own."""

    change: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]


class SqliteStore:
    """Opens the file, and makes it or carries it over if need be; ``StoreError`` says what is wrong with it."""

    def __init__(self, path: Path, holder: str = "") -> None:
        self.path = path = one_file(path)
        self._lock = _claim(path, holder)
        try:
            self._writing = _connect(path)
            try:
                prepare(self._writing)
                self._reading = _connect(path)
                self._reading.execute("pragma query_only = on")
            except BaseException:
                self._writing.close()  # rolls back what was begun
                raise
        except sqlite3.Error as error:
            os.close(self._lock)
            raise StoreError(f"{path} cannot be used as a database: {error}") from error
        except StoreError:
            os.close(self._lock)
            raise
        self._reader = ThreadPoolExecutor(1, "serai-reader")
        self._closed = False
        self._jobs: queue.SimpleQueue[_Append | _Change | None] = queue.SimpleQueue()
        """``None`` ends the writer."""
        self._writer = threading.Thread(target=self._write_jobs, name="serai-writer", daemon=True)
        self._writer.start()

    async def open(self) -> None:
        """It was opened on construction."""

    def append(self, table: str, stored: Stored, listing: Listing | None = None, lease: Lease | None = None) -> Durable:
        """No lease ever ends: only this process has the file."""
        future = Durable()
        self._put(_Append((table, stored.n, stored.entry, stored.link), listing, future))
        return future

    async def entries(self, table: str, after: int = -1) -> list[Stored]:
        return await self._read(lambda db: [Stored(*row) for row in db.execute(_ENTRIES, (table, after))])

    async def read_table(self, table: str) -> StoredTable:
        return await self._read(lambda db: read_table(db, table))

    async def public(self, tables: list[str], limit: int) -> list[str]:
        query = """
            select listings.id from json_each(?) join listings on listings.id = value
            where phase in ('lobby', 'playing') and public order by born desc limit ?
        """
        return await self._ids(query, json.dumps(tables), limit)

    async def newest(self, phase: str, most: int) -> list[Listed]:
        query = """
            select id, phase, public, at, bots, last from listings
            where ?1 in ('', phase) order by born desc limit ?2
        """

        def read(db: sqlite3.Connection) -> list[Listed]:
            rows = db.execute(query, (phase, most))
            return [Listed(row[0], Listing(row[1], bool(row[2]), (), row[3], bool(row[4])), row[5]) for row in rows]

        return await self._read(read)

    async def counts(self) -> dict[str, int]:
        query = "select phase, count(*) from listings group by phase order by phase"
        return await self._read(lambda db: dict(db.execute(query).fetchall()))

    async def bots_playing(self) -> list[str]:
        return await self._ids("select id from listings where phase = 'playing' and bots")

    async def playing(self, visitor: str) -> list[str]:
        return await self._sat_at(visitor, "playing", -1)

    async def finished(self, visitor: str, limit: int) -> list[str]:
        return await self._sat_at(visitor, "over", limit)

    async def _sat_at(self, visitor: str, phase: Phase, limit: int) -> list[str]:
        query = """
            select tableid from sitters join listings on id = tableid
            where visitor = ? and phase = ? order by born desc limit ?
        """
        return await self._ids(query, visitor, phase, limit)

    async def listed(self) -> list[Listed]:
        def read(db: sqlite3.Connection) -> list[Listed]:
            sitters: dict[str, list[str]] = {}
            for visitor, table in db.execute("select visitor, tableid from sitters order by visitor"):
                sitters.setdefault(table, []).append(visitor)
            return [
                Listed(table, Listing(phase, bool(public), tuple(sitters.get(table, ())), at, bool(bots)), last)
                for table, phase, public, at, bots, last in db.execute(
                    "select id, phase, public, at, bots, last from listings order by born"
                )
            ]

        return await self._read(read)

    @contextlib.asynccontextmanager
    async def frozen(self) -> AsyncIterator[SqliteStore]:
        yield self  # as long as the file is open here, nobody else writes to it

    async def remove(self, tables: list[str]) -> None:
        rows = [(table,) for table in tables]

        def change(db: sqlite3.Connection) -> None:
            db.executemany("delete from listings where id = ?", rows)
            db.executemany("delete from entries where tableid = ?", rows)
            db.executemany("delete from sitters where tableid = ?", rows)
            db.executemany("delete from reviews where tableid = ?", rows)
            db.executemany("delete from codes where tableid = ?", rows)
            db.executemany("delete from reports where tableid = ?", rows)

        await self._write(change)

    async def check(self) -> None:
        await self._read(lambda db: db.execute("select 1 from entries limit 1").fetchone())
        await self._write(lambda db: db.execute(f"pragma user_version = {FORMAT}"))  # writes, and changes nothing

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            await asyncio.to_thread(self._writer.join)
        self._reader.shutdown()
        with contextlib.suppress(sqlite3.Error):
            self._reading.close()
            self._writing.close()
        os.close(self._lock)

    # -- devices -------------------------------------------------------------------------------------------------------

    async def device_rows(self) -> list[DeviceRow]:
        query = "select device, visitor, at from devices order by device"
        return await self._read(lambda db: [DeviceRow(*row) for row in db.execute(query)])

    async def visitors(self, devices: list[str]) -> dict[str, str]:
        def read(db: sqlite3.Connection) -> dict[str, str]:
            return {device: visitor for device in devices if (visitor := _visitor_row(db, device)) is not None}

        return await self._read(read)

    async def offer_handover(self, device: str, code: str, until: float, now: float) -> bool:
        def change(db: sqlite3.Connection) -> bool:
            db.execute("delete from handovers where until <= ?", (now,))
            visitor = _visitor(db, device)
            if visitor:
                db.execute("insert or replace into handovers values (?, ?, ?, '')", (visitor, code, until))
            return bool(visitor)

        return await self._write(change)

    async def withdraw_handover(self, device: str, now: float) -> None:
        def change(db: sqlite3.Connection) -> None:
            db.execute("delete from handovers where visitor = ? or until <= ?", (_visitor(db, device), now))

        await self._write(change)

    async def handover_visitor(self, code: str, now: float) -> str:
        query = "select visitor from handovers where code = ? and until > ? and claimed = ''"
        return "".join(await self._ids(query, code, now))

    async def move_visitor(self, code: str, device: str, now: float) -> Moved | None:
        def change(db: sqlite3.Connection) -> Moved | None:
            query = "select visitor, claimed from handovers where code = ? and until > ?"
            found = db.execute(query, (code, now)).fetchone()
            if found is None or found[1] not in ("", device):
                return None
            visitor, before = found[0], _visitor(db, device)
            if before == visitor:
                return Moved(visitor, ())
            if found[1]:
                return None  # it was here, and has moved on since
            left = [row[0] for row in db.execute("select device from devices where visitor = ?", (visitor,))]
            if _visitor_row(db, visitor) is None:
                left.append(visitor)
            db.executemany(_SAVE_DEVICE, [*((one, "", now) for one in left), (device, visitor, now)])
            db.execute("update handovers set claimed = ? where code = ?", (device, code))
            db.execute("delete from handovers where visitor = ?", (before,))
            return Moved(visitor, (*left, device))

        return await self._write(change)

    async def save_devices(self, rows: list[DeviceRow]) -> None:
        values = [(row.device, row.visitor, row.at) for row in rows]
        await self._write(lambda db: db.executemany(_SAVE_DEVICE, values))

    async def drop_devices(self, devices: list[str]) -> None:
        await self._write(lambda db: db.executemany(_DROP_DEVICE, [(device,) for device in devices]))

    # -- forgetting a visitor ------------------------------------------------------------------------------------------

    async def naming(self, visitor: str, after: str, most: int) -> tuple[list[str], str]:
        def read(db: sqlite3.Connection) -> tuple[list[str], str]:
            query = "select id from listings where id > ? order by id limit ?"
            tables = [row[0] for row in db.execute(query, (after, most))]
            query = """
                select distinct tableid from entries
                where tableid > ? and tableid <= ? and instr(entry, cast(? as blob))
            """
            last = tables[-1] if tables else ""
            found = [row[0] for row in db.execute(query, (after, last, visitor.encode()))]
            return found, last if len(tables) == most else ""

        return await self._read(read)

    async def rewrite(self, table: str, visitor: str, pseudonym: str, rewrite: Rewrite) -> int:
        def change(db: sqlite3.Connection) -> int:
            rewritten = rewrite([Stored(*row) for row in db.execute(_ENTRIES, (table, -1))])
            rows = [(one.entry, one.link, table, one.n) for one in rewritten]
            db.executemany("update entries set entry = ?, link = ? where tableid = ? and n = ?", rows)
            if db.execute("delete from sitters where visitor = ? and tableid = ?", (visitor, table)).rowcount:
                db.execute("insert or ignore into sitters values (?, ?)", (pseudonym, table))
            return len(rows)

        return await self._write(change)

    async def ask_erasure(self, visitor: str, now: float) -> tuple[str, ...]:
        def change(db: sqlite3.Connection) -> tuple[str, ...]:
            devices = {row[0] for row in db.execute("select device from devices where visitor = ?", (visitor,))}
            if _visitor_row(db, visitor) is None:
                devices.add(visitor)
            db.executemany(_SAVE_DEVICE, [(device, "", now) for device in devices])
            db.execute("delete from handovers where visitor = ?", (visitor,))
            db.execute("delete from reports where ?1 in (visitor, reporter)", (visitor,))
            db.execute("delete from bans where subject = ?", (f"visitor:{visitor}",))
            everything = {visitor, *devices}
            found = db.execute("select devices from erasures where visitor = ?", (visitor,)).fetchone()
            everything |= set(found[0].split()) if found else set()
            values = (visitor, " ".join(sorted(everything)), now)
            db.execute("insert or replace into erasures values (?, ?, ?)", values)
            return tuple(sorted(devices))

        return await self._write(change)

    async def erasures(self) -> list[str]:
        return await self._ids("select visitor from erasures order by at")

    async def end_erasure(self, visitor: str) -> None:
        def change(db: sqlite3.Connection) -> None:
            found = db.execute("select devices from erasures where visitor = ?", (visitor,)).fetchone()
            devices = found[0].split() if found else []
            db.executemany(_DROP_DEVICE, [(device,) for device in devices])
            db.execute("delete from erasures where visitor = ?", (visitor,))

        await self._write(change)

    # -- what the host forbids, and what players report ----------------------------------------------------------------

    async def bans(self, now: float) -> list[BanInfo]:
        query = "select subject, kind, until, why from bans where until > ? order by subject"
        return await self._read(lambda db: [BanInfo(*row) for row in db.execute(query, (now,))])

    async def set_ban(self, ban: BanInfo, now: float) -> None:
        def change(db: sqlite3.Connection) -> None:
            db.execute("delete from bans where until <= ?", (now,))
            db.execute("insert or replace into bans values (?, ?, ?, ?)", (ban.subject, ban.kind, ban.until, ban.why))

        await self._write(change)

    async def lift_ban(self, subject: str) -> bool:
        query = "delete from bans where subject = ?"
        return await self._write(lambda db: db.execute(query, (subject,)).rowcount > 0)

    async def add_report(self, report: ReportInfo, most: int) -> bool:
        query = "insert into reports select null, ?, ?, ?, ?, ?, ?, ?, ? where (select count(*) from reports) < ?"
        values = (*msgspec.structs.astuple(report)[1:], most)
        return await self._write(lambda db: db.execute(query, values).rowcount > 0)

    async def reports(self) -> list[ReportInfo]:
        query = "select * from reports order by id"
        return await self._read(lambda db: [ReportInfo(*row) for row in db.execute(query)])

    async def drop_reports(self, ids: list[int], before: float = 0.0) -> int:
        query = "delete from reports where at < ? or id in (select value from json_each(?))"
        return await self._write(lambda db: db.execute(query, (before, json.dumps(ids))).rowcount)

    # -- codes and reviews ---------------------------------------------------------------------------------------------

    async def give_code(self, table: str, code: str, until: float, now: float) -> TableCode | None:
        def change(db: sqlite3.Connection) -> TableCode | None:
            db.execute("delete from codes where until <= ?", (now,))
            db.execute("insert or ignore into codes values (?, ?, ?)", (code, table, until))
            found = db.execute("select code, until from codes where tableid = ?", (table,)).fetchone()
            return None if found is None else TableCode(*found)

        return await self._write(change)

    async def table_of_code(self, code: str, now: float) -> str:
        return "".join(await self._ids("select tableid from codes where code = ? and until > ?", code, now))

    async def review(self, table: str, evaluator: str) -> bytes | None:
        query = "select review from reviews where tableid = ? and evaluator = ?"
        found = await self._read(lambda db: db.execute(query, (table, evaluator)).fetchone())
        return None if found is None else bytes(found[0])

    async def save_review(self, table: str, evaluator: str, review: bytes) -> None:
        await self._write(lambda db: db.execute(_SAVE_REVIEW, (table, evaluator, review)))

    # -- reading -------------------------------------------------------------------------------------------------------

    async def _read(self, read: Callable[[sqlite3.Connection], _T]) -> _T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._reader, read, self._reading)
        except (sqlite3.Error, RuntimeError) as error:  # RuntimeError: the reader has been shut down
            raise StoreError(f"could not be read: {error}") from error

    async def _ids(self, query: str, *values: object) -> list[str]:
        """The first column of a query."""
        return await self._read(lambda db: [row[0] for row in db.execute(query, values)])

    # -- writing, in its own thread ------------------------------------------------------------------------------------

    async def _write(self, change: Callable[[sqlite3.Connection], _T]) -> _T:
        """The result of a change that is durable as a whole, or not made at all."""
        future: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
        self._put(_Change(change, future))
        try:
            return await future
        finally:
            del future  # or an error, its traceback, this frame and the future would be a reference cycle

    def _put(self, job: _Append | _Change) -> None:
        if self._closed:
            _resolve([job], None, StoreError("could not be saved: the database is closed"))
        else:
            self._jobs.put(job)

    def _write_jobs(self) -> None:
        waiting: deque[_Append | _Change | None] = deque()
        while True:
            if not waiting:
                waiting.append(self._jobs.get())
            while not self._jobs.empty():
                waiting.append(self._jobs.get())
            job = waiting[0]
            if job is None:
                closed = StoreError("could not be saved: the database is closed")
                _resolve([late for late in waiting if late is not None], None, closed)
                return
            if isinstance(job, _Change):
                waiting.popleft()
                _resolve([job], *self._commit(job.change))
            else:
                self._append_all(_next_appends(waiting))

    def _append_all(self, batch: list[_Append]) -> None:
        _, error = self._commit(lambda db: _insert(db, batch))
        if error is not None and len(batch) > 1:
            # one bad entry must not take the others with it
            for job in batch:
                self._append_all([job])
        else:
            _resolve(batch, None, error)

    def _commit(self, change: Callable[[sqlite3.Connection], _T]) -> tuple[_T | None, StoreError | None]:
        """Make a change in a transaction: its result, or what went wrong."""
        db = self._writing
        try:
            db.execute("begin immediate")
            (number,) = db.execute("pragma user_version").fetchone()
            if number != FORMAT:  # a newer Serai has carried the file over, where file locks do not work
                expect_format(number)
            result = change(db)
            db.execute("commit")
        except Exception as error:
            with contextlib.suppress(sqlite3.Error):
                db.execute("rollback")
            if isinstance(error, StoreError):
                return None, error
            if not isinstance(error, sqlite3.Error):
                # an unexpected error must not end the writer thread; but it must be seen
                log.error("%s while saving", type(error).__name__, exc_info=error)
            return None, StoreError(f"could not be saved: {error}")
        return result, None


_INSERT = """
insert into entries (tableid, n, entry, link) select ?1, ?2, ?3, ?4
where ?2 = 0 or exists (select 1 from entries where tableid = ?1 and n = ?2 - 1)
"""
_COUNT = "update listings set last = max(last, ?2) where id = ?1"
_LIST = """
insert into listings (id, phase, public, at, bots, last, born)
values (?, ?, ?, ?, ?, ?, (select coalesce(max(born), 0) + 1 from listings))
on conflict (id) do update
set phase = excluded.phase, public = excluded.public, at = excluded.at, bots = excluded.bots,
    last = max(last, excluded.last)
"""
# bytes come out, whatever type somebody else may have put in
_ENTRIES = """
select n, cast(entry as blob), cast(link as blob) from entries where tableid = ? and n > ? order by n
"""
_SAVE_DEVICE = """
insert into devices (device, visitor, at) values (?, ?, ?)
on conflict (device) do update set visitor = excluded.visitor, at = excluded.at where excluded.at >= devices.at
"""
_DROP_DEVICE = "delete from devices where device = ?"
_SAVE_REVIEW = """
insert or replace into reviews (tableid, evaluator, review)
select id, ?2, ?3 from listings where id = ?1
"""


def _next_appends(waiting: deque[_Append | _Change | None]) -> list[_Append]:
    """Take the appends from the front of the queue that share a transaction."""
    batch: list[_Append] = []
    while waiting and len(batch) < _BATCH and isinstance(job := waiting[0], _Append):
        batch.append(job)
        waiting.popleft()
    return batch


def _insert(db: sqlite3.Connection, batch: list[_Append]) -> None:
    try:
        if db.executemany(_INSERT, [job.row for job in batch]).rowcount != len(batch):
            raise Conflict(CONFLICT)
    except sqlite3.IntegrityError:
        raise Conflict(CONFLICT) from None
    db.executemany(_COUNT, [job.row[:2] for job in batch if job.listing is None])
    for job in batch:
        if job.listing is not None:
            table, n, listing = job.row[0], job.row[1], job.listing
            db.execute(_LIST, (table, listing.phase, listing.public, listing.at, listing.bots, n))
            sitters = [(visitor, table) for visitor in listing.sitters]
            db.executemany("insert or ignore into sitters values (?, ?)", sitters)


def _resolve(jobs: Sequence[_Append | _Change], result: Any, error: StoreError | None) -> None:
    """Set the futures of these jobs, by one call to each event loop."""
    loops: dict[Any, list[asyncio.Future[Any]]] = {}
    for job in jobs:
        loops.setdefault(job.future.get_loop(), []).append(job.future)
    for loop, futures in loops.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
            loop.call_soon_threadsafe(_set, futures, result, error)


def _set(futures: list[asyncio.Future[Any]], result: Any, error: StoreError | None) -> None:
    for future in futures:
        if future.done():
            continue
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)


def read_table(db: sqlite3.Connection, table: str) -> StoredTable:
    """All that is stored of a table, read in one transaction (the caller's, if there is one)."""
    with contextlib.nullcontext() if db.in_transaction else _transaction(db):
        entries = [Stored(*row) for row in db.execute(_ENTRIES, (table, -1))]
        listed = db.execute("select phase, last from listings where id = ?", (table,)).fetchone()
    return StoredTable(entries, *(listed or (None, -1)))


@contextlib.contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("begin")
    try:
        yield
    finally:
        db.execute("commit")


def _visitor_row(db: sqlite3.Connection, device: str) -> str | None:
    found = db.execute("select visitor from devices where device = ?", (device,)).fetchone()
    return None if found is None else str(found[0])


def _visitor(db: sqlite3.Connection, device: str) -> str:
    """The visitor that this device stands for."""
    visitor = _visitor_row(db, device)
    return device if visitor is None else visitor


# -- the file and its lock ---------------------------------------------------------------------------------------------

_LOCK_SUFFIX = ".lock"
_FAR = 1 << 30
"""The locked byte on Windows: beyond the text, so that others can still read that."""


def one_file(path: Path) -> Path:
    """The file itself, links followed; ``StoreError`` if it has several names (hard links).

    SQLite keeps its journal beside one name and would not find it by another.
    """
    try:
        path = path.resolve()
        if not path.is_file() or path.stat().st_nlink == 1:
            return path
        names = [Path(found) for found in os.scandir(path.parent) if found.is_file() and path.samefile(found)]
    except (OSError, RuntimeError) as error:  # circular links, among others
        raise StoreError(f"{path} cannot be used as a database: {error}") from None
    used = "".join(f"; {name} is used by {holder}" for name in names if (holder := _holder_of(name)))
    raise StoreError(
        f"{path} has more than one name (a hard link), and use by another name would damage it{used}; "
        "remove the other name, or make a copy with 'serai backup'"
    )


def _claim(path: Path, holder: str) -> int:
    """Make the folder and the (private) file, and lock it against other servers until this descriptor is closed."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(path.with_name(path.name + _LOCK_SUFFIX), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(lock)
        except OSError:
            other = _holder(lock)
            os.close(lock)
            raise StoreError(
                f"{path} is already used by another Serai server ({other or 'unknown'}); "
                "stop that one or name another file with --database"
            ) from None
        os.ftruncate(lock, 0)
        os.write(lock, f"process {os.getpid()}{', ' if holder else ''}{holder}\n".encode())
        with _private():
            path.touch(mode=0o600)
    except OSError as error:
        raise StoreError(
            f"cannot store tables in {path.parent}: {error.strerror or error}; name a file in a writable folder "
            "with --database"
        ) from None
    return lock


def _holder_of(path: Path) -> str:
    """The holder of the lock on a file; empty if there is none."""
    with contextlib.suppress(OSError):
        file = os.open(path.with_name(path.name + _LOCK_SUFFIX), os.O_RDWR)
        try:
            _lock(file)
        except OSError:
            return _holder(file)
        finally:
            os.close(file)
    return ""


def _holder(file: int) -> str:
    os.lseek(file, 0, os.SEEK_SET)
    return os.read(file, 200).decode(errors="replace").strip()


if os.name == "nt":

    def _lock(file: int) -> None:
        os.lseek(file, _FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        os.lseek(file, 0, os.SEEK_SET)

else:

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def _private() -> Iterator[None]:
    """Files made in the block are for their owner only: they hold dealers' secrets."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _connect(path: Path) -> sqlite3.Connection:
    with _private():
        db = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
        db.execute("pragma journal_mode = wal")
        db.execute("pragma synchronous = full")
    return db
