"""Stored formats: each has a golden database, and an older one is carried over wholly or not at all."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from serai.server.store import base, postgres_schema, sqlite_schema
from serai.server.store.base import FORMAT, StoreError, is_postgres
from serai.server.store.maintenance import inspected
from serai.server.tables.damage import Checked, damages
from tests.server.stores import opened
from tests.server.support import run
from tests.upgrade.golden import CURRENT, FORMATS, number_of, put

NEXT = f"""
import asyncio, os, signal, sys
from serai.server.store import base
base.FORMAT = {FORMAT + 1}
from serai.server.store import postgres_schema, sqlite_schema
from serai.server.store.maintenance import store_of

killed = len(sys.argv) > 2
def step(db):
    db.execute("update entries set link = x'00'")
    db.execute("create table more (x integer)")
    if killed:
        os.kill(os.getpid(), signal.SIGKILL)
    db.execute("update entries set link = x'01'")
async def postgres_step(db):
    await db.execute("update entries set link = '0'")
    await db.execute("create table more (x integer)")
    if killed:
        os.kill(os.getpid(), signal.SIGKILL)
    await db.execute("update entries set link = '1'")

sqlite_schema.MIGRATIONS[base.FORMAT], postgres_schema.MIGRATIONS[base.FORMAT] = step, postgres_step
async def open():
    store = store_of(sys.argv[1])
    await store.open()
    await store.close()
asyncio.run(open())
"""
"""A Serai of the next format opens the database, and may be killed while it carries it over."""


async def rows(database: str, query: str) -> list[tuple[Any, ...]]:
    if not is_postgres(database):
        with contextlib.closing(sqlite3.connect(database)) as db:
            return db.execute(query).fetchall()
    db = await asyncpg.connect(database)
    try:
        return [tuple(row) for row in await db.fetch(query)]
    finally:
        await db.close()


async def format_of(database: str) -> int:
    query = postgres_schema.FORMAT_OF if is_postgres(database) else "pragma user_version"
    number: int = (await rows(database, query))[0][0]
    return number


def next_serai(database: str, *more: str) -> int:
    done = subprocess.run([sys.executable, "-c", NEXT, database, *more], capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, -9), done.stderr
    return done.returncode


def test_every_format_has_a_golden_database_and_a_step() -> None:
    assert [number_of(folder) for folder in FORMATS] == list(range(1, FORMAT + 1))
    later = set(range(2, FORMAT + 1))
    assert set(sqlite_schema.MIGRATIONS) == set(postgres_schema.MIGRATIONS) == later


def test_the_schema_changes_only_with_the_format() -> None:
    query = "select sql from sqlite_schema where sql is not null order by name"
    with contextlib.closing(sqlite3.connect(":memory:")) as new, contextlib.closing(sqlite3.connect(":memory:")) as old:
        new.executescript(sqlite_schema.SCHEMA)
        old.executescript((CURRENT / "tables.sql").read_text())
        assert new.execute(query).fetchall() == old.execute(query).fetchall()
    assert (CURRENT / "postgres_schema.sql").read_text() == postgres_schema.SCHEMA


@pytest.mark.parametrize("folder", FORMATS, ids=lambda folder: folder.name)
def test_a_golden_database_opens_and_everything_in_it_is_sound(folder: Path, database: str) -> None:
    async def work() -> None:
        await put(folder, database)
        store = await opened(database)
        assert await store.review("camelupfinished", "golden") == b"review"
        assert await store.table_of_code("417203", 0.0) == "cameluplobby"
        visitors = await store.visitors(["phone", "lost"])
        assert visitors["lost"] == ""
        assert await store.handover_visitor("hashed", 0.0) == visitors["phone"]
        there = number_of(folder) >= 2
        assert [ban.why for ban in await store.bans(0.0)] == ["shouting"] * there
        assert [report.text for report in await store.reports()] == ["golden"] * there
        assert await store.erasures() == []
        lobby = await store.entries("cameluplobby")
        assert any(entry.sealed for entry in lobby) == there, "somebody was forgotten there"
        await store.close()
        assert await format_of(database) == FORMAT
        checked = Checked()
        async with inspected(database) as inspection:
            assert [damaged async for damaged in damages(inspection, checked)] == []
        assert (checked.tables, checked.unplayed) == (16, 0)

    run(work())


def test_a_step_is_made_once_and_wholly(database: str) -> None:
    everything = "select * from entries order by tableid, n"

    async def work() -> None:
        await put(CURRENT, database)
        before = await rows(database, everything)
        assert next_serai(database, "killed") == -9
        assert await rows(database, everything) == before, "as if nothing had been begun"
        assert await format_of(database) == FORMAT
        for _ in range(2):  # a second time there is nothing to do
            assert next_serai(database) == 0
            assert await format_of(database) == FORMAT + 1
            assert {row[3] for row in await rows(database, everything)} in ({b"\1"}, {b"1"})

    run(work())


def test_an_older_format_is_not_inspected_but_named(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        await put(CURRENT, database)
        monkeypatch.setattr(base, "FORMAT", FORMAT + 1)
        with pytest.raises(StoreError, match=rf"format {FORMAT}, from before format {FORMAT + 1}: a server"):
            async with inspected(database):
                pass

    run(work())


def test_a_database_of_something_else_is_refused_and_left_alone(database: str) -> None:
    async def work() -> None:
        if is_postgres(database):
            await rows(database, "create table entries (x integer)")
        else:
            Path(database).parent.mkdir()
            with contextlib.closing(sqlite3.connect(database)) as db:
                db.executescript("create table entries (x integer); pragma user_version = 1")
        with pytest.raises(StoreError, match="something else"):
            await opened(database)
        assert await rows(database, "select * from entries") == []

    run(work())
