"""Moving, copying and pruning a database, by the commands a host would type."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from serai import games
from serai.core.record import Record, verify
from serai.server.store.base import DeviceRow, Listing, StoreError
from serai.server.store.maintenance import BackedUp, back_up
from serai.server.store.sqlite import SqliteStore
from serai.table.chain import Stored
from serai.table.entries import Ended, Result, Seated, Sitting, Started
from serai.wire.bodies import ReportInfo
from tests.faults.support import process
from tests.postgres import Cluster
from tests.server.stores import made_up, opened, written
from tests.server.support import PATIENCE, Visitor, house, run

COMMAND = [sys.executable, "-c", "from serai.cli import main; main()"]


def serai(*arguments: str, code: int = 0) -> str:
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


async def play_something(database: str, seed: int) -> str:
    """A finished game and one that has just begun, at a server on this database; the finished table."""
    async with house(database) as here:
        ann = Visitor(here.base)
        tables = [await ann.create(game, seats=2, bots={"1": "random"}) for game in games()]
        for table in tables:
            await ann.join(table, "Ann")
        async with ann.at(tables[0]) as a:
            await a.do("start")
            await a.play_to_the_end(random.Random(seed))
        async with ann.at(tables[1]) as a:
            await a.do("start")
        return tables[0]


def test_migrating_is_checked_and_repeatable(tmp_path: Path, postgres: Cluster) -> None:
    file, url = str(tmp_path / "tables.db"), postgres.new_database()
    kept: list[str] = []

    async def play() -> None:
        kept.append(await play_something(file, 1))

    run(play())
    told = serai("migrate", "--database", file, "--to", url)
    assert "Copied 2 tables" in told
    assert "all 2 tables are the same" in told
    assert "Copied 0 tables with 0 new entries; 2 were there already" in serai(
        "migrate", "--database", file, "--to", url
    )
    run(play())
    assert "Copied 2 tables" in serai("migrate", "--database", file, "--to", url), "only what is new"

    async def look() -> None:
        async with house(url) as here:
            for table in kept:
                assert verify(Record.read(await Visitor(here.base).record(table))).draws_checked

    run(look())

    async def spoil() -> None:
        store = await opened(url)
        await store.remove([kept[0]])
        await store.append(kept[0], made_up(0, b"another"), Listing("over", False))
        await store.close()

    run(spoil())
    told = serai("migrate", "--database", file, "--to", url, code=1)
    assert kept[0] in told
    assert told.count("\n") == 1


def test_a_backup_of_a_running_server_can_be_served(tmp_path: Path, database: str) -> None:
    copy = tmp_path / "copy.db"
    kept: list[str] = []

    async def play(base: str) -> None:
        ann = Visitor(base)
        table = await ann.create(games()[0], seats=2, bots={"1": "random"})
        await ann.join(table, "Ann")
        async with ann.at(table) as a:
            await a.do("start")
            await a.play_to_the_end(random.Random(3))
        kept.append(table)

    with process(database) as server:
        run(play(server.base))
        assert "Saved 1 tables" in serai("backup", str(copy), "--database", database)
        run(play(server.base))
        assert "Saved 2 tables" in serai("backup", str(copy), "--database", database), "an older copy is replaced"
    assert copy.stat().st_mode & 0o077 == 0, "it holds secrets"
    assert sorted(file.name for file in tmp_path.iterdir() if file.name.startswith("copy")) == ["copy.db"]

    async def look() -> None:
        async with house(str(copy)) as here:
            for table in kept:
                assert verify(Record.read(await Visitor(here.base).record(table))).draws_checked

    run(look())


def test_a_backup_does_not_wait_until_nobody_writes(tmp_path: Path) -> None:
    file, done = tmp_path / "tables.db", threading.Event()

    def write() -> None:
        with contextlib.closing(sqlite3.connect(file)) as db:
            for n in itertools.count(1):
                with db:
                    db.execute("insert into entries values ('busy', ?, '', '')", (n,))
                if done.wait(0.001):
                    return

    async def work() -> None:
        store = await opened(str(file))
        await store.append("large", made_up(0, bytes(20 << 20)), Listing("lobby", False))
        await store.close()
        writer = threading.Thread(target=write)
        writer.start()
        try:
            async with asyncio.timeout(PATIENCE):
                assert (await back_up(str(file), tmp_path / "copy.db")).tables == 1
        finally:
            done.set()
            writer.join()

    run(work())


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_a_backup_shows_one_moment(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "copy.db"

    async def work() -> None:
        store = await opened(database)
        begun = Started(mix="", actions=(), at="")
        for table in ("first", "second"):
            made, started = written(table, begun)
            await asyncio.gather(
                store.append(table, made), store.append(table, started, Listing("playing", False, ("somebody",)))
            )
        *_, ended = written("second", begun, Ended(result=Result((), ())))
        read = SqliteStore.entries

        async def read_while_games_end(target: SqliteStore, table: str, after: int = -1) -> list[Stored]:
            if table == "first":
                await store.append("second", ended, Listing("over", False, ("somebody",)))
            return await read(target, table, after)

        with monkeypatch.context() as patched:
            patched.setattr(SqliteStore, "entries", read_while_games_end)
            assert await back_up(database, copy) == BackedUp(2, [])
        assert await store.finished("somebody", 9) == ["second"]
        await store.close()
        copied = await opened(str(copy))
        assert [one.listing.phase for one in await copied.listed()] == ["playing", "playing"]
        assert len(await copied.entries("second")) == 2, "entries and listing belong together"
        await copied.close()

    run(work())


def test_pruning_forgets_what_has_been_over_for_long(database: str) -> None:
    async def fill() -> None:
        store = await opened(database)
        for name, phase, at in (
            ("ended", "over", "2020-01-01"),
            ("closed", "closed", "2020-01-01"),
            ("waiting", "lobby", "2020-01-01"),
            ("running", "playing", "2020-01-01"),
            ("new", "over", "2999-01-01"),
        ):
            await store.append(name, made_up(0, b""), Listing(phase, False, ("somebody",), at))  # type: ignore[arg-type]
        await store.close()

    async def left() -> None:
        store = await opened(database)
        tables.append([listed.id for listed in await store.listed()])
        finished.append(await store.finished("somebody", 9))
        await store.close()

    tables: list[list[str]] = []
    finished: list[list[str]] = []
    run(fill())
    assert "Would delete 2 tables" in serai("prune", "--older", "30", "--dry-run", "--database", database)
    run(left())
    assert "Deleted 2 tables" in serai("prune", "--older", "30", "--database", database)
    run(left())
    assert "Deleted 2 tables" in serai("prune", "--older", "30", "--unfinished", "--database", database)
    run(left())
    assert tables == [
        ["ended", "closed", "waiting", "running", "new"],
        ["waiting", "running", "new"],
        ["new"],
    ]
    assert finished == [["new", "ended"], ["new"], ["new"]]


def test_what_cannot_be_done_is_told_in_one_line(tmp_path: Path, postgres: Cluster) -> None:
    missing = str(tmp_path / "missing.db")
    for arguments in (
        ["backup", str(tmp_path / "copy.db"), "--database", missing],
        ["prune", "--older", "3", "--database", missing],
        ["migrate", "--to", postgres.new_database(), "--database", missing],
    ):
        told = serai(*arguments, code=2)
        assert missing in told
        assert told.count("\n") == 1
        assert not Path(missing).exists()
    assert "takes a file or postgresql://" in serai("prune", "--older", "3", "--database", "mysql://here", code=2)
    with process(tmp_path / "tables.db") as server:
        for arguments in (["prune", "--older", "3"], ["migrate", "--to", postgres.new_database()]):
            told = serai(*arguments, "--database", str(tmp_path / "tables.db"), code=2)
            assert server.base in told, "the server that uses it is named"


def test_a_database_of_a_newer_serai_is_left_alone(postgres: Cluster) -> None:
    url = postgres.new_database()

    async def work() -> None:
        store = await opened(url)
        await store.read("insert into serai_schema values (999)")  # type: ignore[attr-defined]
        await store.close()
        with pytest.raises(StoreError, match="newer Serai"):
            await opened(url)

    run(work())


def unprivileged(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command for which a folder that is read-only is so even if root runs the tests."""
    plain = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--") if os.geteuid() == 0 else ()
    return subprocess.run([*plain, *COMMAND, *arguments], capture_output=True, text=True, timeout=60)


@pytest.mark.skipif(sys.platform != "linux", reason="what root may do is taken away by setpriv, from Linux")
def test_what_is_on_a_disk_that_cannot_be_written_to_is_checked_and_saved(tmp_path: Path) -> None:
    disk, file, copy = tmp_path / "disk", str(tmp_path / "disk" / "tables.db"), str(tmp_path / "copy.db")
    disk.mkdir()
    run(something_played(file))
    killed = tmp_path / "killed"
    with process(file) as server:
        run(make_a_table(server.base))
        shutil.copytree(disk, killed)  # as a crash would leave it: with a journal
    for folder, tables in ((disk, 3), (killed, 3)):
        assert (folder == killed) == (folder / "tables.db-wal").exists()
        (folder / "tables.db.lock").unlink(missing_ok=True)
        (folder / "tables.db-shm").unlink(missing_ok=True)
        folder.chmod(0o555)
        for one in folder.iterdir():
            one.chmod(0o444)
        try:
            checked = unprivileged("check", str(folder / "tables.db"))
            assert (checked.returncode, checked.stderr) == (0, "")
            assert f"Checked {tables} tables" in checked.stdout
            saved = unprivileged("backup", copy, "--database", str(folder / "tables.db"))
            assert (saved.returncode, saved.stderr) == (0, "")
            assert f"Saved {tables} tables" in saved.stdout
            assert f"Checked {tables} tables" in serai("check", copy)
            # a fault of the target is not the source's, nor the other way round
            refused = unprivileged("backup", str(folder / "copy.db"), "--database", file)
            assert f"cannot write {folder / 'copy.db'}" in refused.stderr
        finally:
            folder.chmod(0o755)


async def something_played(database: str) -> None:
    await play_something(database, 3)


async def make_a_table(base: str) -> None:
    await Visitor(base).create(games()[0], seats=2)


def test_devices_go_with_the_tables_for_which_they_were_noted(database: str) -> None:
    async def work() -> None:
        store = await opened(database)
        old, new = 1e8, 4e9
        rows = [
            DeviceRow("a" * 32, "", old),  # moved to b, which nobody needs any more
            DeviceRow("b" * 32, "a" * 32, old),
            DeviceRow("c" * 32, "", old),  # moved to d, whose visitor still has a seat
            DeviceRow("d" * 32, "c" * 32, old),
            DeviceRow("e" * 32, "", old),  # moved to f not long ago
            DeviceRow("f" * 32, "e" * 32, new),
        ]
        await store.save_devices(rows)
        seat = Sitting(kind="person", name="Cleo", visitor="c" * 32)
        for stored in written("t", Seated(why="join", seats=(seat, Sitting()), host="c" * 32)):
            await store.append("t", stored, Listing("lobby", False, at="2096-01-01"))
        await store.add_report(ReportInfo(0, old, "t", 0, "Cleo", "c" * 32, "", "b" * 32, "long ago"), most=9)
        await store.close()
        assert "1 tables" not in (told := serai("prune", "--older", "30", "--database", database))
        assert "and 2 devices" in told
        store = await opened(database)
        assert [row.device[0] for row in await store.device_rows()] == ["c", "d", "e", "f"]
        assert await store.reports() == []
        await store.close()

    run(work())
