"""Stores of either kind, and a look into them from outside."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import asyncpg

from serai.server.store.base import Readable, Store, is_postgres
from serai.server.store.maintenance import store_of
from serai.table.chain import Stored, link_of, root
from serai.table.entries import AnyEntry, Created, Sitting, write_entry
from serai.wire.frames import TableRules


async def opened(database: str) -> Store:
    """The store of that name."""
    store = store_of(database)
    await store.open()
    return store


def made_up(n: int, entry: bytes) -> Stored:
    """An entry as no table would write it."""
    return Stored(n, entry, b"")


CREATED = Created(
    game="camelup",
    rules="1",
    options={},
    table_rules=TableRules(clock=0),
    seats=(Sitting(), Sitting()),
    secret="5e" * 32,
    at="2026-01-01",
)


def written(table: str, *entries: AnyEntry) -> list[Stored]:
    """A table's entries as a server would have kept them, from its beginning."""
    stored: list[Stored] = []
    link = root(table)
    for n, entry in enumerate((CREATED, *entries)):
        text = write_entry(entry)
        link = link_of(bytes.fromhex(CREATED.secret), link, n, text)
        stored.append(Stored(n, text, link))
    return stored


async def kept_in(store: Readable, table: str, after: int = -1) -> list[bytes]:
    """A table's entries, as they were written."""
    return [stored.entry for stored in await store.entries(table, after)]


def files_of(database: str) -> list[Path]:
    """The files in which an embedded store keeps its tables; none for PostgreSQL."""
    return [] if is_postgres(database) else list(Path(database).parent.glob(f"{Path(database).name}*"))


async def entries_in(database: str, table: str) -> list[bytes]:
    """A table's entries, read past the server that may be using the database."""
    if not is_postgres(database):
        with contextlib.closing(sqlite3.connect(database)) as db:
            return [row[0] for row in db.execute("select entry from entries where tableid = ? order by n", (table,))]
    store = await opened(database)
    try:
        return await kept_in(store, table)
    finally:
        await store.close()


async def everything_in(database: str) -> bytes:
    """All that is kept, in whatever order."""
    if not is_postgres(database):
        return b"".join(file.read_bytes() for file in files_of(database))
    # text, in which letters stay letters
    db = await asyncpg.connect(database, server_settings={"bytea_output": "escape"})
    try:
        tables = await db.fetch("select tablename from pg_tables where schemaname = 'public'")
        rows = [row[0] for table in tables for row in await db.fetch(f"select t::text from {table[0]} as t")]
    finally:
        await db.close()
    return "\n".join(rows).encode()
