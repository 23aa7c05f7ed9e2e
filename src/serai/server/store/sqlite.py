"""The embedded store: one SQLite file. A single writer thread puts whatever is waiting into one transaction, so that
many tables share one flush to the disk; readers have a connection of their own.
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
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from serai.server.store.base import CONFLICT, FORMAT, Conflict, Lease, Listed, Listing, StoreError, Whole, expect_format
from serai.server.store.devices import DeviceRow
from serai.server.store.filelock import FileLock, Held, one_file
from serai.server.store.sqlite_codes import SqliteCodes
from serai.server.store.sqlite_devices import SqliteDevices
from serai.server.store.sqlite_reviews import SqliteReviews
from serai.server.store.sqlite_schema import format_of, migrate
from serai.table.chain import Stored
from serai.table.messages import Phase

log = logging.getLogger("serai.store")

_T = TypeVar("_T")

_BATCH = 200
"""How many entries share a transaction at most, so that the first of them need not wait for too long."""


class _Job(msgspec.Struct, frozen=True):
    """An entry to be kept; without one, a mere test of whether anything can be kept."""

    row: tuple[str, int, bytes, bytes] | None
    listing: Listing | None
    future: asyncio.Future[None]


class SqliteStore:
    """Opens (and if need be makes or upgrades) the file; ``StoreError`` tells what is wrong with it."""

    def __init__(self, path: Path, holder: str = "") -> None:
        self.path = path = one_file(path)
        self._lock = _claim(path, holder)
        try:
            self._writing = _connect(path)
            try:
                migrate(self._writing)
                self._reading = _connect(path)
            except BaseException:
                self._writing.close()  # and with it whatever was begun
                raise
        except sqlite3.Error as error:
            self._lock.release()
            raise StoreError(f"{path} cannot be used as a database: {error}") from error
        except StoreError:
            self._lock.release()
            raise
        self.devices = SqliteDevices(self._read)
        self.codes = SqliteCodes(self._read)
        self.reviews = SqliteReviews(self._read)
        self._reader = ThreadPoolExecutor(1, "serai-reader")
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_on, name="serai-writer", daemon=True)
        self._writer.start()

    async def open(self) -> None:
        """It was opened on construction."""

    def append(
        self, table: str, stored: Stored, listing: Listing | None = None, lease: Lease | None = None
    ) -> asyncio.Future[None]:
        """No lease ever ends: the file is this process's alone."""
        future = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job((table, stored.n, stored.entry, stored.link), listing, future))
        return future

    async def entries(self, table: str, after: int = -1) -> list[Stored]:
        return await self._read(lambda db: [Stored(*row) for row in db.execute(_ENTRIES, (table, after))])

    async def whole(self, table: str) -> Whole:
        return await self._read(lambda db: whole(db, table))

    async def public(self, tables: list[str], limit: int) -> list[str]:
        query = """
            select listings.id from json_each(?) join listings on listings.id = value
            where phase in ('lobby', 'playing') and public order by born desc limit ?
        """
        return await self._read(lambda db: [row[0] for row in db.execute(query, (json.dumps(tables), limit))])

    async def bots_playing(self) -> list[str]:
        query = "select id from listings where phase = 'playing' and bots"
        return await self._read(lambda db: [row[0] for row in db.execute(query)])

    async def listed(self) -> list[Listed]:
        def ask(db: sqlite3.Connection) -> list[Listed]:
            sitters: dict[str, list[str]] = {}
            for visitor, table in db.execute("select visitor, tableid from sitters order by visitor"):
                sitters.setdefault(table, []).append(visitor)
            return [
                Listed(table, Listing(phase, bool(public), tuple(sitters.get(table, ())), at, bool(bots)), last)
                for table, phase, public, at, bots, last in db.execute(
                    "select id, phase, public, at, bots, last from listings order by born"
                )
            ]

        return await self._read(ask)

    async def device_rows(self) -> list[DeviceRow]:
        query = "select device, visitor, at from devices order by device"
        return await self._read(lambda db: [DeviceRow(*row) for row in db.execute(query)])

    @contextlib.asynccontextmanager
    async def frozen(self) -> AsyncIterator[SqliteStore]:
        yield self  # as long as the file is open here, nobody else writes to it

    async def remove(self, tables: list[str]) -> None:
        rows = [(table,) for table in tables]

        def forget(db: sqlite3.Connection) -> None:
            with db:
                db.execute("begin immediate")
                db.executemany("delete from entries where tableid = ?", rows)
                db.executemany("delete from listings where id = ?", rows)
                db.executemany("delete from sitters where tableid = ?", rows)
                db.executemany("delete from reviews where tableid = ?", rows)

        await self._read(forget)

    async def playing(self, visitor: str) -> list[str]:
        return await self._sat_at(visitor, "playing", -1)

    async def finished(self, visitor: str, limit: int) -> list[str]:
        return await self._sat_at(visitor, "over", limit)

    async def _sat_at(self, visitor: str, phase: Phase, limit: int) -> list[str]:
        query = """
            select tableid from sitters join listings on id = tableid
            where visitor = ? and phase = ? order by born desc limit ?
        """
        return await self._read(lambda db: [row[0] for row in db.execute(query, (visitor, phase, limit))])

    async def check(self) -> None:
        await self._read(lambda db: db.execute("select 1 from entries limit 1").fetchone())
        future = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(None, None, future))
        await future

    async def close(self) -> None:
        if self._writer.is_alive():
            self._jobs.put(None)
            await asyncio.to_thread(self._writer.join)
        self._reader.shutdown()
        with contextlib.suppress(sqlite3.Error):
            self._reading.close()
            self._writing.close()
        self._lock.release()

    # -- reading -------------------------------------------------------------------------------------------------------

    async def _read(self, ask: Callable[[sqlite3.Connection], _T]) -> _T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._reader, ask, self._reading)
        except (sqlite3.Error, RuntimeError) as error:  # a reader that was let go runs nothing any more
            raise StoreError(f"could not be read: {error}") from error

    # -- writing, in its own thread ------------------------------------------------------------------------------------

    def _write_on(self) -> None:
        while batch := self._waiting():
            error = self._commit(batch)
            if error is not None and len(batch) > 1:
                # one bad entry must not take the others with it
                for job in batch:
                    _tell([job], self._commit([job]))
            else:
                _tell(batch, error)

    def _waiting(self) -> list[_Job]:
        """Everything that waits now; if nothing does, the next thing to come. Nothing at all is the end of work."""
        batch: list[_Job] = []
        job = self._jobs.get()
        while job is not None:
            batch.append(job)
            if len(batch) == _BATCH or self._jobs.empty():
                return batch
            job = self._jobs.get()
        if batch:
            self._jobs.put(None)  # once these are done
        return batch

    def _commit(self, batch: list[_Job]) -> StoreError | None:
        db = self._writing
        try:
            db.execute("begin immediate")
            expect_format(format_of(db))  # carried over meanwhile, where locks do not hold (on a network drive)
            rows = [job.row for job in batch if job.row is not None]
            if rows and db.executemany(_INSERT, rows).rowcount != len(rows):
                raise sqlite3.IntegrityError
            db.executemany(_COUNT, [(job.row[0], job.row[1]) for job in batch if job.row and job.listing is None])
            for job in batch:
                if job.row is None:
                    db.execute(f"pragma user_version = {FORMAT}")  # writes, and changes nothing
                elif job.listing is not None:
                    told = job.listing
                    db.execute(_UPSERT, (job.row[0], told.phase, told.public, told.at, told.bots, job.row[1]))
                    sitters = [(visitor, job.row[0]) for visitor in told.sitters]
                    db.executemany("insert or ignore into sitters values (?, ?)", sitters)
            db.execute("commit")
        except Exception as error:
            with contextlib.suppress(sqlite3.Error):
                db.execute("rollback")
            if isinstance(error, sqlite3.IntegrityError):
                return Conflict(CONFLICT)
            if isinstance(error, StoreError):
                return error
            if not isinstance(error, sqlite3.Error):
                # what nobody thought of must not end the thread on which everybody depends; but it must be seen
                log.error("%s while saving", type(error).__name__, exc_info=error)
            return StoreError(f"could not be saved: {error}")
        return None


_INSERT = """
insert into entries (tableid, n, entry, link) select ?1, ?2, ?3, ?4
where ?2 = 0 or exists (select 1 from entries where tableid = ?1 and n = ?2 - 1)
"""
_COUNT = "update listings set last = max(last, ?2) where id = ?1"
_UPSERT = """
insert into listings (id, phase, public, at, bots, last, born)
values (?, ?, ?, ?, ?, ?, (select coalesce(max(born), 0) + 1 from listings))
on conflict (id) do update
set phase = excluded.phase, public = excluded.public, at = excluded.at, bots = excluded.bots,
    last = max(last, excluded.last)
"""
# whatever type somebody else may have put there, bytes come out
_ENTRIES = """
select n, cast(entry as blob), cast(link as blob) from entries where tableid = ? and n > ? order by n
"""


def whole(db: sqlite3.Connection, table: str) -> Whole:
    """A table with what is listed of it, as it stands now."""
    with _moment(db):
        entries = [Stored(*row) for row in db.execute(_ENTRIES, (table, -1))]
        listed = db.execute("select phase, last from listings where id = ?", (table,)).fetchone()
    return Whole(entries, *(listed or (None, -1)))


@contextlib.contextmanager
def _moment(db: sqlite3.Connection) -> Iterator[None]:
    """What is read within the block is of one moment; unless it is part of a larger one already."""
    if db.in_transaction:
        yield
        return
    db.execute("begin")
    try:
        yield
    finally:
        db.execute("commit")


def _tell(jobs: list[_Job], error: StoreError | None) -> None:
    """Wake those who wait, each loop once."""
    loops: dict[Any, list[_Job]] = {}
    for job in jobs:
        loops.setdefault(job.future.get_loop(), []).append(job)
    for loop, waiting in loops.items():
        with contextlib.suppress(RuntimeError):  # the loop is gone, and with it whoever waited
            loop.call_soon_threadsafe(_wake, waiting, error)


def _wake(jobs: list[_Job], error: StoreError | None) -> None:
    for job in jobs:
        if job.future.done():
            continue
        if error is None:
            job.future.set_result(None)
        else:
            job.future.set_exception(error)


def _claim(path: Path, holder: str) -> FileLock:
    """Make the folder and the (private) file, and keep other servers away from it."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(path, holder)
        with _private():
            path.touch(mode=0o600)
    except Held as held:
        raise StoreError(
            f"{path} is already used by another Serai server ({held.holder or 'unknown'}); "
            "stop that one or name another file with --database"
        ) from None
    except OSError as error:
        raise StoreError(
            f"cannot keep tables in {path.parent}: {error.strerror or error}; name a file in a folder "
            "that can be written with --database"
        ) from None
    return lock


@contextlib.contextmanager
def _private() -> Iterator[None]:
    """Files made meanwhile are for their owner only: they hold dealers' secrets."""
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
