"""What was kept in older formats, put where a server finds it."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import asyncpg

from serai.server.store.base import is_postgres
from serai.server.store.postgres_schema import MIGRATIONS

FORMAT_4 = Path(__file__).parent / "format4"
"""Made by the last Serai whose stores each counted their own schema: SQLite 4, PostgreSQL 2."""
FORMAT_5 = Path(__file__).parent / "format5"
"""Made by the last Serai whose entries had no links."""
FORMAT_6 = Path(__file__).parent / "format6"
"""Made by the last Serai at whose tables nobody could be drawn to begin."""
FORMATS = (FORMAT_4, FORMAT_5, FORMAT_6)
_POSTGRES_SCHEMA = {FORMAT_4: 2, FORMAT_5: 5, FORMAT_6: 6}
_LINKED = 6
"""The schema from which on each entry has a link."""


def seen(folder: Path) -> dict[tuple[str, str, int | None], Any]:
    """The welcomes of old, by table, visitor and seat, with what a table was made with where it is told today."""
    told = json.loads((folder / "seen.json").read_text())
    for welcome in told.values():
        table = welcome["table"]
        if "public" in table:
            table["table_rules"] = {"public": table.pop("public"), "odds": table.pop("odds", False)}
    keys = {key: key.split() for key in told}
    return {(table, who, None if seat == "None" else int(seat)): told[key] for key, (table, who, seat) in keys.items()}


async def put(folder: Path, database: str) -> None:
    """Make an empty database of either kind what it was."""
    file = ":memory:" if is_postgres(database) else database
    if not is_postgres(database):
        Path(database).parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.executescript((folder / "tables.sql").read_text())
        if is_postgres(database):
            await _put_into_postgres(db, database, _POSTGRES_SCHEMA[folder])


async def _put_into_postgres(old: sqlite3.Connection, url: str, schema: int) -> None:
    db = await asyncpg.connect(url)
    try:
        await db.execute("create table serai_schema (version integer not null)")
        await db.execute(f"set serai.format = {schema}")
        for version, step in MIGRATIONS.items():
            if version <= schema:
                await db.execute(step)
                await db.execute("insert into serai_schema values ($1)", version)
        columns = ("tableid", "n", "entry", *(["link"] if schema >= _LINKED else []))
        entries = old.execute(f"select {', '.join(columns)} from entries").fetchall()
        places = ", ".join(f"${number}" for number, _ in enumerate(columns, start=1))
        await db.executemany(f"insert into entries ({', '.join(columns)}) values ({places})", entries)
        listings = old.execute("select id, phase, public, at, bots from listings order by born").fetchall()
        await db.executemany(
            "insert into listings (id, phase, public, at, bots) values ($1, $2, $3, $4, $5)",
            [(*row[:2], bool(row[2]), row[3], bool(row[4])) for row in listings],
        )
        await db.executemany("insert into sitters values ($1, $2)", old.execute("select * from sitters").fetchall())
        if schema >= _LINKED:
            counted = old.execute("select id, last from listings").fetchall()
            await db.executemany("update listings set last = $2 where id = $1", counted)
    finally:
        await db.close()
