"""``serai check``: what is damaged, table by table; and whether a record is the history of its table."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from serai import game
from serai.core.game import Game
from serai.core.record import Record, verify
from serai.errors import UnknownName
from serai.server.store.base import FORMAT
from serai.server.store.maintenance import inspected
from serai.server.store.sqlite_schema import APPLICATION_ID
from serai.server.tables.damage import Checked, damages
from serai.table import table
from serai.table.chain import Stored, link_of, root, secret_in
from tests.cli.conftest import Answer
from tests.postgres import Cluster
from tests.server.conftest import tmp_path as tmp_path
from tests.server.damage import put as with_row
from tests.server.damage import spoil, statement
from tests.server.stores import entries_in
from tests.server.support import Visitor, house, run
from tests.upgrade.golden import CURRENT, put

Serai = Callable[..., Answer]
FINISHED = "camelupfinished"


def fill(database: str) -> None:
    """Sixteen tables, in all phases."""
    run(put(CURRENT, database))


def record_of(database: str, table: str, file: Path) -> Record:
    """The record as the table's server tells it."""

    async def ask() -> None:
        async with house(database) as here:
            file.write_text(await Visitor(here.base).record(table))

    run(ask())
    return Record.read(file.read_text())


def test_whatever_is_damaged_is_named_with_what_to_do(serai: Serai, database: str) -> None:
    fill(database)
    well = serai("check", database)
    assert (well.code, well.out, well.err) == (0, "Checked 16 tables with 284 entries: all is well.\n", "")

    async def damage() -> None:
        await spoil(database, "camelupagreed", lambda rows: rows[:3] + rows[4:])
        await spoil(database, "pharaohrunning", lambda rows: rows[:-1])
        await statement(database, "delete from listings where id = ?", "pharaohlobby")
        await spoil(database, FINISHED, redrawn)

    run(damage())
    left = {table: run_entries(database, table) for table in ("camelupagreed", "pharaohrunning")}
    answer = serai("check", database)
    assert answer.code == 1
    reasons = dict(line.removeprefix("table ").split(": ", 1) for line in answer.out.splitlines())
    assert reasons["camelupagreed"] == "entry 3 is missing"
    assert reasons["pharaohrunning"].startswith("its last entries are missing")
    assert reasons["pharaohlobby"] == "it is not listed"
    assert reasons[FINISHED].startswith("its game "), "who knows the secret can mend the chain, but not the game"
    assert len(reasons) == 4
    assert "4 are damaged" in answer.err
    assert "backup" in answer.err
    assert {table: run_entries(database, table) for table in left} == left
    described = serai("check", database, "--json")
    assert described.code == 1
    assert {found["table"]: found["reason"] for found in described.json["damaged"]} == reasons
    assert described.json["well"] is False


def redrawn(rows: list[Stored]) -> list[Stored]:
    """Another die than was drawn, and a chain that fits it."""
    secret, before, changed = secret_in(rows[0].entry), root(FINISHED), list[Stored]()
    assert secret is not None
    drawn = re.findall(rb"die \w+ ([123])", rows[2].entry)[-1]
    other = b"2" if drawn == b"1" else b"1"
    for row in rows:
        entry = re.sub(rb"(die \w+ )[123]", rb"\g<1>" + other, row.entry) if row.n == 2 else row.entry
        before = link_of(secret, before, row.n, entry)
        changed.append(Stored(row.n, entry, before))
    return changed


def test_a_database_in_use_is_checked_as_it_stands(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await ann.create("camelup", seats=2)
            await ann.join(table, "Ann")
            await ann.join(table, "Bob")
            async with ann.at(table) as a:
                await a.do("start")
                async with inspected(database) as inspection:
                    for text in "abc":
                        await a.do("say", text=text)
                    count = Checked()
                    assert [damaged async for damaged in damages(inspection, count)] == []
                    assert (count.tables, count.entries) == (1, 4), "made, joined twice, begun"
                assert (await here.hall.store.entries(table))[-1].n == 6

    run(play())


def test_games_that_are_not_played_here_are_checked_by_their_chain(
    serai: Serai, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(database)

    def find(name: str) -> Game:
        if name == "camelup":
            raise UnknownName("no game 'camelup'")
        return game(name)

    monkeypatch.setattr(table, "find_game", find)
    answer = serai("check", database)
    assert answer.code == 0
    assert "8 tables are of games or rules that are not installed here" in answer.out

    async def damage() -> None:
        await spoil(database, "cameluprunning", lambda rows: with_row(rows, 3, entry=b"{}"))

    run(damage())
    answer = serai("check", database)
    assert (answer.code, answer.out.startswith("table cameluprunning: entry 3 does not fit")) == (1, True)


def test_what_cannot_be_checked_is_told_in_one_line(serai: Serai, tmp_path: Path, postgres: Cluster) -> None:
    (tmp_path / "empty.db").touch()
    (tmp_path / "text.db").write_text("What is kept here is something else altogether. " * 100)
    newer = tmp_path / "newer.db"
    with contextlib.closing(sqlite3.connect(newer)) as db:
        db.executescript(f"pragma application_id = {APPLICATION_ID}; pragma user_version = {FORMAT + 1}")
    before = {file.name: file.read_bytes() for file in tmp_path.glob("*.db")}
    for name, reason in {
        "missing.db": "there is no file",
        "": "there is no file",
        "empty.db": "no tables of Serai",
        "text.db": "file is not a database",
        "newer.db": f"format {FORMAT + 1}, and this Serai knows formats up to {FORMAT}: start a newer Serai",
    }.items():
        answer = serai("check", tmp_path / name)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), answer
        assert reason in answer.err
    assert {file.name: file.read_bytes() for file in tmp_path.glob("*.db")} == before, "nothing was changed or made"
    answer = serai("check", postgres.new_database())
    assert (answer.code, "no tables of Serai" in answer.err) == (2, True)
    answer = serai("check", "postgresql://nobody@/nothing?host=/nowhere")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    answer = serai("check", "mysql://here")
    assert (answer.code, "not mysql://" in answer.err) == (2, True)


def test_a_file_that_is_damaged_itself_is_told_of(serai: Serai, tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    fill(str(file))
    pages = bytearray(file.read_bytes())
    middle = len(pages) // 4096 // 2 * 4096
    pages[middle : middle + 3 * 4096] = bytes(3 * 4096)
    file.write_bytes(pages)
    answer = serai("check", file)
    assert answer.code == 1
    assert "the database itself: " in answer.out
    assert "backup" in answer.err


def test_a_record_is_compared_with_its_table(serai: Serai, database: str, tmp_path: Path) -> None:
    fill(database)
    file = tmp_path / "game.serai"
    record = record_of(database, FINISHED, file)
    verify(record)
    verified = serai("verify", file)
    assert verified.code == 0
    assert "its chain was not checked (the server's host can, with 'serai check DATABASE FILE')" in verified.out
    assert serai("verify", file, "--json").json[0]["chain_checked"] is False
    answer = serai("check", database, file)
    assert (answer.code, answer.err) == (0, "")
    assert f"is the game of table {FINISHED}, entry by entry" in answer.out
    for changed, reason in (
        (structs.replace(record, chain="0" * 64), "differs: chain"),
        (structs.replace(record, actions=record.actions[:-1]), "differs: actions"),
        (structs.replace(record, actions=("die white 1", *record.actions[1:])), "line 11: 'die white 1', at the table"),
        (structs.replace(record, seats=record.seats[::-1]), "differs: seats"),
        (structs.replace(record, commit="0" * 64), "no table there"),
    ):
        file.write_text(changed.write())
        answer = serai("check", database, file)
        assert (answer.code, answer.out) == (1, ""), changed
        assert reason in answer.err
        described = serai("check", database, file, "--json")
        assert (described.code, described.json["holds"]) == (1, False)
    file.write_text(structs.replace(record, chain="").write())
    answer = serai("check", database, file)
    assert (answer.code, "no 'chain' line" in answer.err) == (2, True)
    running = record_of(database, "camelupagreed", file)
    run(spoil(database, "camelupagreed", lambda rows: rows[:-1]))
    answer = serai("check", database, file)
    assert running.chain
    assert (answer.code, "table camelupagreed: its last entries are missing" in answer.err) == (1, True)


def test_a_record_that_runs_ahead_of_its_table_does_not_hold(serai: Serai, database: str, tmp_path: Path) -> None:
    fill(database)
    file = tmp_path / "game.serai"
    record = record_of(database, "cameluphotseat", file)
    assert not record.chain
    file.write_text(structs.replace(record, chain="0" * 64).write())
    answer = serai("check", database, file)
    assert (answer.code, "has not come to its end" in answer.err) == (1, True)


def test_what_is_no_record_is_told(serai: Serai, database: str, tmp_path: Path) -> None:
    fill(database)
    (tmp_path / "game.serai").write_text("nonsense")
    for name in ("game.serai", "missing.serai"):
        answer = serai("check", database, tmp_path / name)
        assert (answer.code, answer.err.count("\n")) == (2, 1)
        assert name in answer.err


def test_copies_name_what_is_damaged_and_hold_the_rest(serai: Serai, database: str, tmp_path: Path) -> None:
    fill(database)
    run(spoil(database, "camelupagreed", lambda rows: rows[:3] + rows[4:]))
    copy, moved = tmp_path / "copy.db", tmp_path / "moved.db"
    for arguments in (("backup", copy), ("migrate", "--to", moved)):
        answer = serai(*arguments, "--database", database)
        assert answer.code == 1, answer
        assert answer.err == "serai: table camelupagreed is damaged: entry 3 is missing\n"
    assert "Copied 15 tables" in answer.out
    assert "all 15 other tables are the same" in answer.out
    assert serai("check", moved).out.startswith("Checked 15 tables")
    run(spoil(str(moved), FINISHED, lambda rows: with_row(rows, 4, link=b"")))
    run(spoil(str(moved), "pharaohrunning", lambda rows: rows[:-1]))
    again = serai("migrate", "--to", moved, "--database", database)
    assert again.code == 1
    assert f"table {FINISHED} is a different one there" in again.err
    assert "Copied 1 tables with 1 new entries; 13 were there already" in again.out


def run_entries(database: str, table: str) -> list[bytes]:
    """A table's entries."""
    found: list[bytes] = []

    async def ask() -> None:
        found.extend(await entries_in(database, table))

    run(ask())
    return found
