"""What may happen to a database behind a server's back, done on purpose."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable

import asyncpg

from serai.server.store.base import FORMAT, is_postgres
from serai.table.chain import Stored
from tests.server.stores import opened

Rows = list[Stored]
DAMAGES: dict[str, tuple[Callable[[Rows], Rows], str]] = {
    "a gap": (lambda rows: rows[:4] + rows[5:], "entry 4 is missing"),
    "a wide gap": (lambda rows: rows[:3] + rows[6:], "entries 3 to 5 are missing"),
    "no beginning": (lambda rows: rows[1:], "entry 0 is missing"),
    "a changed entry": (lambda rows: put(rows, 4, entry=rows[4].entry.replace(b"hello", b"hullo")), "entry 4 does not"),
    "a changed secret": (lambda rows: put(rows, 0, entry=rows[0].entry.replace(b"5", b"6")), "entry 0 does not fit"),
    "an entry that is none": (lambda rows: put(rows, 0, entry=b"\0"), "entry 0 does not hold"),
    "swapped entries": (
        lambda rows: put(put(rows, 4, rows[5].entry, rows[5].link), 5, rows[4].entry, rows[4].link),
        "entry 4 does not fit",
    ),
    "a doubled entry": (lambda rows: put(rows, 5, rows[4].entry, rows[4].link), "entry 5 does not fit"),
    "a wrong link": (lambda rows: put(rows, 5, link=b"\1" * 32), "entry 5 does not fit"),
    "no link": (lambda rows: put(rows, 5, link=b""), "entry 5 does not fit"),
    "a lost end": (lambda rows: rows[:-2], "last entries are missing"),
    "no entries": (lambda rows: [], "its entries are missing"),
}
"""What is left of a table's entries, and what is told of it."""


def put(rows: Rows, n: int, entry: bytes | None = None, link: bytes | None = None) -> Rows:
    """The entries with another one, or another link, at that place."""
    row = rows[n]
    changed = Stored(n, row.entry if entry is None else entry, row.link if link is None else link)
    return [*rows[:n], changed, *rows[n + 1 :]]


async def statement(database: str, sqlite: str, *values: object, postgres: str = "") -> None:
    """Change the database as no Serai would."""
    if not is_postgres(database):
        with contextlib.closing(sqlite3.connect(database)) as db, db:
            db.execute(sqlite, values)
        return
    numbered = postgres or sqlite
    for number in range(1, len(values) + 1):
        numbered = numbered.replace("?", f"${number}", 1)
    connection = await asyncpg.connect(database)
    try:
        await connection.execute(f"set serai.format = {FORMAT}")
        await connection.execute(numbered, *values)
    finally:
        await connection.close()


async def spoil(database: str, table: str, damage: Callable[[Rows], Rows]) -> None:
    """Let these be a table's entries; its listing knows nothing of it."""
    store = await opened(database) if is_postgres(database) else None
    if store is None:
        with contextlib.closing(sqlite3.connect(database)) as db:
            query = "select n, entry, link from entries where tableid = ? order by n"
            rows = [Stored(*row) for row in db.execute(query, (table,))]
    else:
        rows = await store.entries(table)
        await store.close()
    left = damage(rows)
    kept = {row.n: row for row in left}
    for row in rows:
        if row.n not in kept:
            await statement(database, "delete from entries where tableid = ? and n = ?", table, row.n)
        elif kept[row.n] != row:
            change = "update entries set entry = ?, link = ? where tableid = ? and n = ?"
            await statement(database, change, kept[row.n].entry, kept[row.n].link, table, row.n)
