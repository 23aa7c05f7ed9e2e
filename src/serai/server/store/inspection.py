"""A look at a database as it stands, while servers go on: nothing is locked, carried over or written."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from serai.server.store.base import StoreError, Whole, expect_format, is_postgres
from serai.server.store.filelock import one_file
from serai.server.store.sqlite import whole
from serai.server.store.sqlite_schema import format_of
from serai.table.errors import Damaged

if TYPE_CHECKING:
    from serai.server.store.postgres import Frozen

_MOST_FAULTS = 20
"""Of those that the database itself finds; one is enough to know what to do."""


class Inspection(Protocol):
    """Everything that is kept, as of one moment; no more than one table at a time is in memory."""

    async def faults(self) -> list[str]:
        """What the database finds wrong with itself."""

    async def following(self, table: str) -> str | None:
        """The next table, in the order of their ids: listed, or known by an entry."""

    async def first(self, table: str) -> bytes | None:
        """The entry with which a table begins."""

    async def whole(self, table: str) -> Whole:
        """A table as it is kept; ``Damaged`` if the database cannot read it."""


@contextlib.asynccontextmanager
async def inspected(database: str) -> AsyncIterator[Inspection]:
    """The database for as long as the block; ``StoreError`` if there is none, or none of this Serai's format."""
    if is_postgres(database):
        from serai.server.store.postgres import PostgresStore

        async with PostgresStore(database).frozen() as frozen:
            yield _Postgres(frozen)
        return
    path = one_file(Path(database))
    if not path.is_file():
        raise StoreError(f"there is no file {database}")
    try:
        db = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=30, isolation_level=None)
    except sqlite3.Error as error:
        raise StoreError(f"{database} cannot be opened: {error}") from None
    with contextlib.closing(db):
        try:
            db.execute("begin")
            kept = format_of(db)
            db.execute("select 1 from sqlite_schema limit 1").fetchall()  # from here on nothing new is seen
        except sqlite3.Error as error:
            raise StoreError(f"{database} cannot be used as a database: {error}") from None
        expect_format(kept)
        yield _Sqlite(db)


class _Sqlite:
    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    async def faults(self) -> list[str]:
        try:
            rows = self._db.execute(f"pragma integrity_check({_MOST_FAULTS})").fetchall()
        except sqlite3.Error as error:
            return [str(error)]
        return [row[0] for row in rows if row[0] != "ok"]

    async def following(self, table: str) -> str | None:
        with _reading():
            row = self._db.execute(_FOLLOWING.format("?1"), (table,)).fetchone()
        following: str | None = row[0]
        return following

    async def first(self, table: str) -> bytes | None:
        with _reading():
            row = self._db.execute(_FIRST.format("?1"), (table,)).fetchone()
        return None if row is None else row[0]

    async def whole(self, table: str) -> Whole:
        try:
            return whole(self._db, table)
        except sqlite3.Error as error:
            raise Damaged.at(table, f"it cannot be read: {error}") from None


class _Postgres:
    def __init__(self, frozen: Frozen) -> None:
        self._frozen = frozen

    async def faults(self) -> list[str]:
        return []  # whatever cannot be read shows when it is

    async def following(self, table: str) -> str | None:
        rows = await self._frozen.read(_FOLLOWING.format("$1::text"), table)
        following: str | None = rows[0][0]
        return following

    async def first(self, table: str) -> bytes | None:
        rows = await self._frozen.read(_FIRST.format("$1"), table)
        return rows[0][0] if rows else None

    async def whole(self, table: str) -> Whole:
        return await self._frozen.whole(table)


_FOLLOWING = """
select min(id) from (
    select min(id) as id from listings where id > {0} union all select min(tableid) from entries where tableid > {0}
) as following
"""
_FIRST = "select entry from entries where tableid = {0} and n = 0"


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"could not be read: {error}") from None
