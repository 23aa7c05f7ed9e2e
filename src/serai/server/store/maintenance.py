"""Databases of tables: inspecting, copying, comparing, backing up, and finding old tables."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Container, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from serai.server.store.base import (
    FORMAT,
    UNFINISHED,
    Readable,
    Store,
    StoredTable,
    StoreError,
    expect_format,
    expect_sound,
    is_postgres,
)
from serai.server.store.sqlite import SqliteStore, one_file, read_table
from serai.server.store.sqlite_schema import format_of
from serai.table.chain import Stored
from serai.table.errors import Damaged

if TYPE_CHECKING:
    from serai.server.store.postgres import Frozen

_NOT_OPEN = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_READONLY_CANTINIT,
    sqlite3.SQLITE_READONLY_DIRECTORY,
}
"""SQLite's errors for a file that it cannot open, or not without writing."""
_MOST_FAULTS = 20
"""Faults that SQLite reports about a file; one is enough to know what to do."""


def store_of(database: str, holder: str = "") -> Store:
    """The store of that name: a file, or PostgreSQL; not open yet."""
    if not is_postgres(database):
        return SqliteStore(Path(database), holder)
    from serai.server.store.postgres import PostgresStore

    return PostgresStore(database)


@contextlib.asynccontextmanager
async def opened(database: str, holder: str) -> AsyncIterator[Store]:
    """An open store during the block; a file that does not exist is not made."""
    if not is_postgres(database) and not Path(database).is_file():
        raise _no_file(database)
    store = store_of(database, holder)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def _no_file(database: str) -> StoreError:
    return StoreError(f"there is no file {database}; name the one with your tables with --database")


# -- copying -----------------------------------------------------------------------------------------------------------


class Differs(Exception):
    """Two databases hold different things under the same name; the message says which."""


class Copied(msgspec.Struct):
    """What was copied."""

    tables: int = 0
    """Tables that were missing, or shorter, in the target."""
    entries: int = 0
    same: int = 0
    """Tables that were there already."""
    ahead: int = 0
    """Tables that have been played on in the target since they were copied."""
    damaged: list[Damaged] = []
    """Damaged tables: they are not copied."""
    differing: list[str] = []
    """Tables that are different in the target: they are left alone."""

    @property
    def left_out(self) -> set[str]:
        """The tables of which nothing was copied, though something may be missing."""
        return {damaged.values["table"] for damaged in self.damaged} | set(self.differing)


async def copy(source: Readable, target: Store) -> Copied:
    """Copy what the target lacks, but no damaged table, and overwrite nothing; a repeat changes nothing."""
    copied = Copied()
    for listed in await source.listed():
        stored = await source.read_table(listed.id)
        try:
            expect_sound(listed.id, stored)
        except Damaged as damaged:
            copied.damaged.append(damaged)
            continue
        ours, theirs = stored.entries, await target.entries(listed.id)
        common = min(len(ours), len(theirs))
        missing = ours[common:]
        if not same(ours[:common], theirs[:common]):
            copied.differing.append(listed.id)
        elif missing:
            appends = [
                target.append(listed.id, entry, listed.listing if entry is ours[-1] else None) for entry in missing
            ]
            await asyncio.gather(*appends)
            copied.tables += 1
            copied.entries += len(missing)
        elif len(theirs) > len(ours):
            copied.ahead += 1
        else:
            copied.same += 1
    await target.save_devices(await source.device_rows())
    for ban in await source.bans(0.0):
        await target.set_ban(ban, 0.0)
    for visitor in await source.erasures():
        await target.ask_erasure(visitor, 0.0)
    return copied


def same(ours: Sequence[Stored], theirs: Sequence[Stored]) -> bool:
    """Whether these are the same entries; one in which somebody was forgotten is the same as the one before."""
    return len(ours) == len(theirs) and all(
        one == other or (one.chained == other.chained and (one.sealed or other.sealed))
        for one, other in zip(ours, theirs, strict=True)
    )


async def compare(source: Readable, target: Store, left_out: Container[str] = ()) -> int:
    """How many tables of the source, except those left out, are in the target, entry by entry; ``Differs`` if one is
    not.
    """
    there = {listed.id: listed.listing for listed in await target.listed()}
    count = 0
    for listed in await source.listed():
        if listed.id in left_out:
            continue
        ours, theirs = await source.entries(listed.id), await target.entries(listed.id)
        if not same(ours, theirs[: len(ours)]):
            raise Differs(f"table {listed.id} is not the same there")
        if len(theirs) == len(ours) and there.get(listed.id) != listed.listing:
            raise Differs(f"table {listed.id} is listed differently there")
        count += 1
    return count


class BackedUp(msgspec.Struct):
    """What a backup holds."""

    tables: int
    damaged: list[Damaged]
    """Damaged tables: unchanged in the copy of a file, left out of a copy from PostgreSQL."""


async def back_up(database: str, file: Path) -> BackedUp:
    """Copy all tables into a file on which a server can be started. Servers may run meanwhile."""
    draft = file.with_name(file.name + ".part")
    with contextlib.suppress(FileNotFoundError):
        draft.unlink()
    left_out: list[Damaged] = []
    try:
        if is_postgres(database):
            async with opened(database, "a backup") as store, store.frozen() as source:
                left_out = await _copy_out(source, draft)
        else:
            path = one_file(Path(database))
            if not path.is_file():
                raise _no_file(database)
            if file.exists() and file.samefile(path):
                raise StoreError(f"{file} is the database itself; name another file for the copy")
            await asyncio.to_thread(_copy_file, path, draft)
        made = await asyncio.to_thread(_check_copy, draft)
        draft.replace(file)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"cannot write {file}: {error}") from None
    finally:
        for name in (draft, draft.with_name(draft.name + ".lock")):
            name.unlink(missing_ok=True)
    made.damaged += left_out
    return made


async def _copy_out(source: Readable, file: Path) -> list[Damaged]:
    target = SqliteStore(file, "a backup")
    try:
        return (await copy(source, target)).damaged
    finally:
        await target.close()


def _copy_file(source: Path, file: Path) -> None:
    with _reading(source) as here:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with contextlib.closing(sqlite3.connect(file)) as there:
            # all at once, which no writer has to wait for; in steps it would start again after every write
            here.backup(there)


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, to be read; servers may write to it meanwhile. ``StoreError`` if it cannot be opened.

    SQLite cannot read a file beside which it cannot write its journal's index. On a disk that is read-only nobody
    writes: there the file, with what is still in its journal, is read from a private copy.
    """
    with contextlib.ExitStack() as closing:
        try:
            db = closing.enter_context(contextlib.closing(_open_to_read(path)))
        except sqlite3.Error as error:
            if os.access(path.parent, os.W_OK) and os.access(path, os.W_OK):
                raise StoreError(f"{path} cannot be opened: {error}") from None
            folder = Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="serai-")))
            try:
                for name in (path.name, f"{path.name}-wal"):
                    if (one := path.with_name(name)).is_file():
                        shutil.copyfile(one, folder / name)
                db = closing.enter_context(contextlib.closing(_open_to_read(folder / path.name)))
            except (OSError, sqlite3.Error) as again:
                raise StoreError(
                    f"{path} is on a disk that cannot be written to, and no copy of it can be read ({again}); "
                    "make room in the folder that TMPDIR names"
                ) from None
        yield db


def _open_to_read(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=30, isolation_level=None)
    try:
        db.execute("select 1 from sqlite_schema limit 1").fetchall()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode in _NOT_OPEN:
            db.close()
            raise
        # damaged, or no database: whoever reads on is told so
    return db


def _check_copy(file: Path) -> BackedUp:
    """How many tables are in a copy, and which of them are damaged."""
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as db:
        if db.execute("pragma integrity_check").fetchone() != ("ok",):
            raise StoreError(f"the copy {file} is damaged; try again, or on another disk")
        made = BackedUp(0, [])
        readable = format_of(db) == FORMAT
        for (table,) in db.execute("select id from listings"):
            made.tables += 1
            try:
                if readable:
                    expect_sound(table, read_table(db, table))
            except Damaged as damaged:
                made.damaged.append(damaged)
        return made


async def old_tables(store: Store, before: str, *, unfinished: bool) -> list[str]:
    """Tables whose game ended before that day; with ``unfinished`` also those whose game never did."""
    return [
        listed.id
        for listed in await store.listed()
        if listed.listing.at < before and (unfinished or listed.listing.phase not in UNFINISHED)
    ]


async def old_devices(store: Store, before: float) -> list[str]:
    """Devices noted before that time that nobody needs any more.

    A row is needed while its visitor has a seat at any table, and while the visitor that its device would stand for
    without it has one or stands for another device: otherwise an old device would get seats back that had moved on.
    """
    rows = await store.device_rows()
    used = {row.visitor for row in rows if row.visitor and row.at >= before}
    found: list[str] = []
    for row in rows:
        if row.at >= before or row.device in used or row.visitor in used:
            continue
        needed = False
        for visitor in filter(None, (row.device, row.visitor)):
            needed = needed or await _is_named(store, visitor)
        if not needed:
            found.append(row.device)
    kept = {row.visitor for row in rows if row.device not in set(found)}
    return [device for device in found if device not in kept]


async def _is_named(store: Store, visitor: str) -> bool:
    after, more = "", True
    while more:
        tables, after = await store.naming(visitor, after, 1000)
        if tables:
            return True
        more = bool(after)
    return False


# -- inspecting --------------------------------------------------------------------------------------------------------


_FOLLOWING = """
select min(id) from (
    select min(id) as id from listings where id > {0} union all select min(tableid) from entries where tableid > {0}
) as following
"""
_FIRST = "select entry from entries where tableid = {0} and n = 0"


class Inspection:
    """Everything that is stored, read in one moment; at most one table is in memory."""

    async def faults(self) -> list[str]:
        """What the database finds wrong with itself."""
        return []

    async def following(self, table: str) -> str | None:
        """The next table in the order of their ids, found by its listing or by an entry."""
        following: str | None = await self._value(_FOLLOWING, table)
        return following

    async def first(self, table: str) -> bytes | None:
        """A table's first entry."""
        first: bytes | None = await self._value(_FIRST, table)
        return first

    async def read_table(self, table: str) -> StoredTable:
        """All that is stored of a table; ``Damaged`` if the database cannot read it."""
        raise NotImplementedError

    async def _value(self, query: str, table: str) -> Any:
        """The first value of a query with one parameter; ``None`` if there is no row."""
        raise NotImplementedError


class _InspectSqlite(Inspection):
    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    async def faults(self) -> list[str]:
        try:
            rows = self._db.execute(f"pragma integrity_check({_MOST_FAULTS})").fetchall()
        except sqlite3.Error as error:
            return [str(error)]
        return [row[0] for row in rows if row[0] != "ok"]

    async def read_table(self, table: str) -> StoredTable:
        try:
            return read_table(self._db, table)
        except sqlite3.Error as error:
            raise Damaged.at(table, f"it cannot be read: {error}") from None

    async def _value(self, query: str, table: str) -> Any:
        try:
            row = self._db.execute(query.format("?1"), (table,)).fetchone()
        except sqlite3.Error as error:
            raise StoreError(f"could not be read: {error}") from None
        return None if row is None else row[0]


class _InspectPostgres(Inspection):
    """A fault of the database shows when the row is read."""

    def __init__(self, frozen: Frozen) -> None:
        self._frozen = frozen

    async def read_table(self, table: str) -> StoredTable:
        return await self._frozen.read_table(table)

    async def _value(self, query: str, table: str) -> Any:
        rows = await self._frozen.read(query.format("$1::text"), table)
        return rows[0][0] if rows else None


@contextlib.asynccontextmanager
async def inspected(database: str) -> AsyncIterator[Inspection]:
    """The database during the block, without locking or writing anything: servers may run meanwhile. ``StoreError`` if
    there is none, or it has another format.
    """
    if is_postgres(database):
        from serai.server.store.postgres import PostgresStore

        async with PostgresStore(database).frozen() as frozen:
            yield _InspectPostgres(frozen)
        return
    path = one_file(Path(database))
    if not path.is_file():
        raise StoreError(f"there is no file {database}")
    with _reading(path) as db:
        try:
            db.execute("begin")
            number = format_of(db)
            db.execute("select 1 from sqlite_schema limit 1").fetchall()  # the transaction's snapshot begins here
        except sqlite3.Error as error:
            raise StoreError(f"{database} cannot be used as a database: {error}") from None
        expect_format(number)
        yield _InspectSqlite(db)
