"""Servers of different formats at one database: they refuse each other by name, and nobody writes what others cannot
read.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import subprocess
from pathlib import Path

import asyncpg
import pytest

from serai.server.peers.base import Listener
from serai.server.peers.postgres import PostgresPeers
from serai.server.store.base import FORMAT, Conflict, Listing, StoreError, is_postgres
from serai.server.store.postgres import PostgresStore
from tests.faults.support import process
from tests.postgres import Cluster
from tests.server.stores import kept_in, made_up, opened
from tests.server.support import PATIENCE, Visitor, house, run
from tests.support import SERAI

NEWER = FORMAT + 1
_OF_TOMORROW = (
    f"from serai.server.store import base; base.FORMAT = {NEWER}; "
    "from serai.server.store import postgres_schema, sqlite_schema; "
    f"sqlite_schema.MIGRATIONS[{NEWER}] = lambda db: None; "
    f"postgres_schema.MIGRATIONS[{NEWER}] = lambda db: db.execute('select 1'); "
)
NEWER_SERAI = (*SERAI[:-1], _OF_TOMORROW + SERAI[-1])
"""As it may be once the format has changed."""


def refused(*command: str) -> str:
    """What a command that must fail says."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


async def carry_over(database: str, number: int = NEWER) -> None:
    """Do what a Serai of that format does when it opens the database."""
    if not is_postgres(database):
        with contextlib.closing(sqlite3.connect(database)) as db:
            db.execute(f"pragma user_version = {number}")
        return
    db = await asyncpg.connect(database)
    try:
        await db.execute("insert into serai_schema values ($1)", number)
    finally:
        await db.close()


def test_a_database_of_a_newer_format_is_left_alone_and_both_formats_are_named(database: str) -> None:
    async def work() -> None:
        await (await opened(database)).close()
        await carry_over(database)
        with pytest.raises(StoreError, match=rf"format {NEWER}.* up to {FORMAT}: start a newer Serai"):
            await opened(database)

    run(work())


def test_a_store_left_behind_while_running_writes_no_more(database: str) -> None:
    async def work() -> None:
        store = await opened(database)
        await store.append("t", made_up(0, b"mine"), Listing("lobby", False))
        await store.check()
        await carry_over(database)
        with pytest.raises(StoreError, match=rf"format {NEWER}.*{FORMAT}") as refusal:
            await store.append("t", made_up(1, b"mine"))
        assert not isinstance(refusal.value, Conflict), "the table is not gone"
        with pytest.raises(StoreError, match=f"format {NEWER}"):
            await store.check()
        assert await kept_in(store, "t") == [b"mine"]
        await store.close()

    run(work())


def test_a_server_left_behind_tells_its_players_and_is_not_ready(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await ann.create("camelup", seats=2)
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.do("say", text="here")
                await carry_over(database)
                answer = await a.ask("say", text="lost")
                assert (answer["type"], answer["key"]) == ("refused", "server.store")
                assert (await ann.call("GET", "/readyz")).status_code == 503
                assert len(await kept_in(here.hall.store, table)) == 3, "made, joined, said"

    run(play())


def test_a_writer_that_declares_no_format_cannot_append(postgres: Cluster) -> None:
    async def work() -> None:
        url = postgres.new_database()
        await (await opened(url)).close()
        db = await asyncpg.connect(url)
        with pytest.raises(asyncpg.RaiseError, match=f"stored in format {FORMAT}, and this server writes none"):
            await db.execute("insert into entries (tableid, n, entry, link) values ('t', 0, '', '')")
        await db.close()

    run(work())


def test_a_server_that_lost_its_line_does_not_come_back_to_another_format(
    postgres: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        url = postgres.new_database()
        async with house(url) as here:
            ann = Visitor(here.base)
            table = await ann.create("camelup", seats=2)
            async with ann.at(table) as a:
                await a.heard("presence")
                await carry_over(url)
                db = await asyncpg.connect(url)
                await db.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity "
                    "where application_name = 'serai' and datname = current_database()"
                )
                await db.close()
                assert (await a.heard("trouble"))["key"] == "server.store"
                async with asyncio.timeout(PATIENCE):
                    while f"format {NEWER}" not in caplog.text:
                        await asyncio.sleep(0.01)

    run(play())


def test_a_server_that_starts_while_the_tables_are_carried_over_notices(postgres: Cluster) -> None:
    async def work() -> None:
        store = PostgresStore(postgres.new_database())
        await store.open()
        await carry_over(store.url)
        ignore = Listener(**{name: lambda *_: None for name in Listener.__struct_fields__})
        with pytest.raises(StoreError, match=f"format {NEWER}"):
            await PostgresPeers(store).open(ignore)
        await store.close()

    run(work())


def test_two_servers_of_different_formats_refuse_each_other(postgres: Cluster, tmp_path: Path) -> None:
    url = postgres.new_database()
    copy, fresh = str(tmp_path / "copy.db"), postgres.new_database()
    serve: tuple[str, ...] = ("serve", "--no-open", "--port", "0", "--database", url)
    with process(url):
        for command in (serve, ("migrate", "--database", url, "--to", fresh)):
            said = refused(*NEWER_SERAI, *command)
            assert f"in format {FORMAT} and used by 1 running" in said
            assert f"to format {NEWER}" in said
            assert "stop all of them first" in said
        with process(url):
            pass  # of the same format: welcome
    with process(url, command=(*NEWER_SERAI, "serve", "--no-open")):
        for command in (serve, ("backup", copy, "--database", url)):
            said = refused(*SERAI, *command)
            assert f"format {NEWER}" in said
            assert f"up to {FORMAT}: start a newer Serai" in said
    assert not Path(copy).exists()


def test_a_copy_of_a_file_keeps_its_format(tmp_path: Path) -> None:
    file, copy = tmp_path / "tables.db", tmp_path / "copy.db"

    async def make() -> None:
        await (await opened(str(file))).close()
        await carry_over(str(file), NEWER)

    run(make())
    subprocess.run([*SERAI, "backup", str(copy), "--database", str(file)], check=True, timeout=60)
    with contextlib.closing(sqlite3.connect(copy)) as db:
        assert db.execute("pragma user_version").fetchone() == (NEWER,)
    assert f"format {NEWER}" in refused(*SERAI, "prune", "--older", "1", "--database", str(copy))
