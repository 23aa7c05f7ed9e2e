"""The golden databases, one per format, put where a server finds them."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import asyncpg

from serai.server.store.base import FORMAT, is_postgres

FORMATS = sorted(Path(__file__).parent.glob("format*"))
CURRENT = Path(__file__).parent / f"format{FORMAT}"
_BOOLEANS = {"public", "bots"}


def number_of(folder: Path) -> int:
    """The format of a golden database."""
    return int(folder.name.removeprefix("format"))


def seen(folder: Path) -> dict[tuple[str, str, int | None], Any]:
    """What was shown of the tables, by table, visitor and seat."""
    welcomes = json.loads((folder / "seen.json").read_text())
    keys = {key: key.split() for key in welcomes}
    return {
        (table, who, None if seat == "None" else int(seat)): welcomes[key] for key, (table, who, seat) in keys.items()
    }


async def put(folder: Path, database: str) -> None:
    """Fill an empty database of either kind."""
    file = ":memory:" if is_postgres(database) else database
    if not is_postgres(database):
        Path(database).parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.executescript((folder / "tables.sql").read_text())
        if is_postgres(database):
            await _put_into_postgres(db, database, folder)


async def _put_into_postgres(golden: sqlite3.Connection, url: str, folder: Path) -> None:
    db = await asyncpg.connect(url)
    try:
        await db.execute("create table serai_schema (version integer not null)")
        await db.execute("insert into serai_schema values ($1)", number_of(folder))
        await db.execute(f"set serai.format = {number_of(folder)}")
        await db.execute((folder / "postgres_schema.sql").read_text())
        names = [row[0] for row in golden.execute("select name from sqlite_schema where type = 'table'")]
        for name in sorted(names, key=lambda name: name != "listings"):  # others refer to listings
            columns = [column[1] for column in golden.execute(f"pragma table_info({name})") if column[1] != "born"]
            order = "born" if name == "listings" else "1"
            rows = golden.execute(f"select {', '.join(columns)} from {name} order by {order}").fetchall()
            places = ", ".join(f"${number}" for number, _ in enumerate(columns, start=1))
            await db.executemany(
                f"insert into {name} ({', '.join(columns)}) values ({places})",
                [
                    [bool(value) if column in _BOOLEANS else value for column, value in zip(columns, row, strict=True)]
                    for row in rows
                ],
            )
    finally:
        await db.close()
