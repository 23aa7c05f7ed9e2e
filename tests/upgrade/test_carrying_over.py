"""From format 5 to 6: wholly or not at all, a few entries at a time, and what was damaged before is known as such."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
from typing import Any

import asyncpg
import pytest

from serai.server.store import postgres_schema, sqlite_schema
from serai.server.store.base import is_postgres
from serai.server.store.inspection import inspected
from serai.server.tables.checking import Checked, damages
from serai.table.carry_over import CarryOver
from serai.table.chain import link_of
from tests.server.stores import CREATED, opened, written
from tests.server.support import run
from tests.upgrade.old import FORMAT_5, put

KILLED = """
import asyncio, os, signal, sys
from serai.server.store import postgres_schema, sqlite_schema
from serai.server.store.maintenance import store_of
from serai.table.carry_over import CarryOver

def last(self, table, n, entry, kept=CarryOver.carried_over, count=[]):
    count.append(n)
    if len(count) == 120:
        os.kill(os.getpid(), signal.SIGKILL)
    return kept(self, table, n, entry)

postgres_schema._CARRIED_AT_ONCE = sqlite_schema._CARRIED_AT_ONCE = 50
CarryOver.carried_over = last
asyncio.run(store_of(sys.argv[1]).open())
"""


async def rows(database: str, query: str) -> list[tuple[Any, ...]]:
    if not is_postgres(database):
        with contextlib.closing(sqlite3.connect(database)) as db:
            return db.execute(query).fetchall()
    db = await asyncpg.connect(database)
    try:
        return [tuple(row) for row in await db.fetch(query)]
    finally:
        await db.close()


async def change(database: str, query: str) -> None:
    if not is_postgres(database):
        with contextlib.closing(sqlite3.connect(database)) as db, db:
            db.execute(query)
        return
    await rows(database, query)


async def checked(database: str) -> tuple[Checked, dict[str, str]]:
    count = Checked()
    async with inspected(database) as inspection:
        found = {damaged.values["table"]: damaged.reason async for damaged in damages(inspection, count)}
    return count, found


def test_whoever_is_killed_on_the_way_leaves_the_old_format(database: str) -> None:
    everything = "select * from entries order by tableid, n"

    async def before() -> None:
        await put(FORMAT_5, database)
        kept.append(await rows(database, everything))

    async def after() -> None:
        kept.append(await rows(database, everything))
        if is_postgres(database):
            assert await rows(database, postgres_schema.KEPT_IN) == [(5,)]
        else:
            assert await rows(database, "pragma user_version") == [(5,)]
        await (await opened(database)).close()
        count, found = await checked(database)
        assert (count.entries, found) == (len(kept[0]), {})

    kept: list[list[tuple[Any, ...]]] = []
    run(before())
    done = subprocess.run([sys.executable, "-c", KILLED, database], capture_output=True, text=True, timeout=60)
    assert done.returncode == -9, done.stderr
    run(after())
    assert len(kept[0]) > 120
    assert kept[0] == kept[1], "as if nothing had been begun"


def test_only_so_many_entries_are_in_memory_and_chains_go_on_across_them(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        await put(FORMAT_5, database)
        for schema in (postgres_schema, sqlite_schema):
            monkeypatch.setattr(schema, "_CARRIED_AT_ONCE", 7)
        await (await opened(database)).close()
        count, found = await checked(database)
        assert (count.tables, found) == (12, {})

    run(work())


def test_tables_that_were_damaged_before_are_known_as_such_and_the_others_carried_over(database: str) -> None:
    async def work() -> None:
        await put(FORMAT_5, database)
        await change(database, "delete from entries where tableid = 'camelupfinished' and n = 5")
        await change(database, "delete from entries where tableid = 'camelupagreed' and n = 0")
        await change(database, "delete from entries where tableid = 'pharaohagreed' and n > 6")
        await change(database, "delete from entries where tableid = 'pharaohlobby'")
        await (await opened(database)).close()
        count, found = await checked(database)
        assert count.tables == 12
        assert {table: reason.partition(":")[0] for table, reason in found.items()} == {
            "camelupfinished": "entry 5 is missing",
            "camelupagreed": "entry 0 is missing",
            "pharaohagreed": "it is listed in phase 'over', but its entries end in 'playing'",
            "pharaohlobby": "its entries are missing",
        }

    run(work())


def test_links_are_those_that_a_server_would_have_made() -> None:
    carrying = CarryOver()
    for table in ("one", "two"):
        for stored in written(table):
            assert carrying.carried_over(table, stored.n, stored.entry) == stored
    # without its beginning there is no secret, and so no link
    assert carrying.carried_over("three", 1, b"entry").link == b""
    assert carrying.carried_over("four", 0, b"nonsense").link == b""
    (first,) = written("five")
    assert carrying.carried_over("five", 0, first.entry) == first
    # a gap stays one: what comes behind it is linked, by its own number
    assert carrying.carried_over("five", 2, b"entry").link == link_of(
        bytes.fromhex(CREATED.secret), first.link, 2, b"entry"
    )
