"""Two servers at one file: the second is refused, by whatever name it knows the file."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from serai.server.store.base import StoreError
from serai.server.store.maintenance import back_up, inspected
from serai.server.store.sqlite import SqliteStore
from tests.server.stores import made_up
from tests.server.support import run

FIRST = "http://127.0.0.1:7654"


@contextlib.contextmanager
def refused(path: Path, *told: str) -> Iterator[None]:
    """Nobody can use the file by this name."""
    with pytest.raises(StoreError) as refusal:
        SqliteStore(path, "the second")
    for part in told:
        assert part in str(refusal.value)
    yield


def test_a_file_is_locked_by_whatever_path_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "house" / "tables.db"
    (tmp_path / "other").mkdir()
    names = {
        "as it is": file,
        "a link to the file": tmp_path / "other" / "tables.db",
        "a link to the folder": tmp_path / "way" / "tables.db",
        "a way round": tmp_path / "other" / ".." / "house" / "tables.db",
        "from here": Path("house/tables.db"),
    }

    async def work() -> None:
        store = SqliteStore(file, FIRST)
        names["a link to the file"].symlink_to(file)
        (tmp_path / "way").symlink_to(file.parent)
        monkeypatch.chdir(tmp_path)
        for path in names.values():
            with refused(path, "already used by another Serai server", f"process {os.getpid()}, {FIRST}"):
                pass
        await store.append("t", made_up(0, b"kept"))
        await store.close()
        for path in names.values():
            again = SqliteStore(path, "the next")
            assert [stored.entry for stored in await again.entries("t")] == [b"kept"]
            await again.close()
        assert sorted(one.name for one in names["a link to the file"].parent.iterdir()) == ["tables.db"]

    run(work())


def test_a_file_with_two_names_is_nobodys(tmp_path: Path) -> None:
    file, beside, elsewhere = tmp_path / "tables.db", tmp_path / "same.db", tmp_path / "folder" / "same.db"
    elsewhere.parent.mkdir()

    async def work() -> None:
        store = SqliteStore(file, FIRST)
        await store.append("t", made_up(0, b"kept"))
        os.link(file, beside)
        with refused(beside, "hard link", f"{file} is used by process {os.getpid()}, {FIRST}"):
            beside.unlink()
        os.link(file, elsewhere)
        with refused(elsewhere, "hard link"):
            pass
        for reading in (back_up(str(elsewhere), tmp_path / "copy.db"), inspected(str(elsewhere)).__aenter__()):
            with pytest.raises(StoreError, match="hard link"):
                await reading
        await store.append("t", made_up(1, b"kept, too"))
        await store.close()
        with refused(file, "remove the other name"):
            elsewhere.unlink()
        await SqliteStore(file).close()

    run(work())
    with contextlib.closing(sqlite3.connect(file)) as db:
        assert db.execute("select count(*) from entries").fetchone() == (2,)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["folder", "tables.db", "tables.db.lock"]


def test_links_that_lead_round_in_a_circle_are_no_file(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    with refused(tmp_path / "one"):
        pass
