"""Tables that are not what was kept: each is refused by name and left as it is, and the others play on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from serai import games
from serai.core.record import Record
from serai.server.store.base import Listing, StoreError
from serai.server.store.maintenance import back_up, compare, copy
from serai.table.entries import Ended, Result, Started
from tests.server.damage import DAMAGES, put, spoil, statement
from tests.server.stores import entries_in, kept_in, opened, written
from tests.server.support import Socket, Visitor, house, run

GAME = games()[0]
LISTED = {
    "listed as over": ("update listings set phase = 'over' where id = ?", "listed in phase 'over'"),
    "not listed": ("delete from listings where id = ?", "it is not listed"),
    "counted too low": ("update listings set last = 1 where id = ?", "but only 2 are listed"),
}
SOME = "a gap"


async def make(ann: Visitor, *, over: bool = False) -> str:
    """A public table of Ann's, with a bot, at which some things were said before the game began."""
    table = await ann.create(GAME, seats=2, bots={"1": "random"}, table_rules={"public": True})
    await ann.join(table, "Ann")
    async with ann.at(table) as a:
        for _ in range(4):
            await a.do("say", phrase="hello")
        await a.do("start")
        if over:
            await a.do("agree")
    return table


async def expect_refused(ann: Visitor, table: str, *, wholly: bool = False) -> None:
    body = {"id": "again", "name": "Ann", "value": "00" * 32}
    asked = (("GET", "", None), ("GET", "/record", None), ("POST", "/seats", body))
    for method, path, told in asked if wholly else asked[:1]:
        answer = await ann.call(method, f"/api/tables/{table}{path}", told)
        assert (answer.status_code, answer.json()["key"]) == (409, "table.damaged"), (method, path, answer.text)
        assert answer.json()["values"] == {"table": table}
        assert table in answer.json()["text"]
        assert "serai check" in answer.json()["text"]
    async with ann.at(table) as a:
        await a.socket.wait_closed()
        assert a.socket.close_code == 4410
        assert table in str(a.socket.close_reason)


def test_whatever_is_damaged_is_refused_by_name_and_the_others_play_on(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        ann = Visitor("")
        async with house(database) as here:
            ann.base = here.base
            tables = {kind: await make(ann) for kind in (*DAMAGES, *LISTED)}
            finished, spoilt = await make(ann, over=True), await make(ann, over=True)
            sound = await make(ann)
        for kind, (damage, _) in DAMAGES.items():
            await spoil(database, tables[kind], damage)
        for kind, (change, _) in LISTED.items():
            await statement(database, change, tables[kind])
        await spoil(database, spoilt, DAMAGES["a changed entry"][0])
        left = {table: await entries_in(database, table) for table in (*tables.values(), spoilt)}
        caplog.clear()
        async with house(database) as here:
            ann.base = here.base
            for table in left:
                await expect_refused(ann, table, wholly=table == spoilt)
            assert [game["table"] for game in (await ann.call("GET", "/api/mine")).json()] == [finished]
            async with ann.at(sound) as a:
                await a.heard("presence")
                listed = {table["id"] for table in (await ann.call("GET", "/api/tables")).json()}
                assert listed == {sound}
                await a.play_to_the_end(random.Random(1))
        reasons = [reason for _, reason in (*DAMAGES.values(), *LISTED.values())]
        assert [reason for reason in reasons if reason not in caplog.text] == []
        assert {table: await entries_in(database, table) for table in left} == left, "nothing was appended"

    run(play())


async def expect_dismissed(a: Socket, b: Socket, table: str) -> None:
    answer = await a.ask("say", text="still there?")
    assert (answer["key"], answer["values"]) == ("table.damaged", {"table": table})
    for socket in (a, b):
        await socket.socket.wait_closed()
        assert socket.socket.close_code == 4410


def test_a_table_that_is_damaged_under_a_running_server_is_let_go(database: str) -> None:
    foreign = "insert into entries (tableid, n, entry, link) values (?, ?, ?, ?)"

    async def play() -> None:
        async with house(database) as here:
            ann, bob = Visitor(here.base), Visitor(here.base)
            lost, forged, sound = [await ann.create(GAME, seats=2) for _ in range(3)]
            for table in (lost, forged, sound):
                await ann.join(table, "Ann")
                await bob.join(table, "Bob")
            async with ann.at(lost) as a, bob.at(lost) as b:
                await a.do("say", text="a last word")
                await statement(database, "delete from entries where tableid = ? and n > 1", lost)
                await expect_dismissed(a, b, lost)
            async with ann.at(forged) as a, bob.at(forged) as b:
                said = await a.do("say", text="who are you?")
                stored = (await here.hall.store.entries(forged))[-1]
                await statement(database, foreign, forged, said["n"] + 1, stored.entry, stored.link)
                await expect_dismissed(a, b, forged)
            for table in (lost, forged):
                kept = await kept_in(here.hall.store, table)
                await expect_refused(ann, table, wholly=True)
                assert await kept_in(here.hall.store, table) == kept, "nothing was appended"
            async with ann.at(sound) as a:
                await a.do("start")
                await a.do("say", text="we play on")

    run(play())


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_what_another_process_is_said_to_have_kept_is_checked_before_anybody_sees_it(database: str) -> None:
    announced = """
        with forged as (insert into entries (tableid, n, entry, link) values (?, ?, ?, ?) returning tableid, n)
        select pg_notify('serai_entries', tableid || ' ' || n) from forged
    """

    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.do("say", text="a last word")
                stored = (await here.hall.store.entries(table))[-1]
                forged = stored.entry.replace(b"a last word", b"a false one")
                await statement(database, announced, table, stored.n + 1, forged, b"\1" * 32)
                await a.socket.wait_closed()
                assert a.socket.close_code == 4410
                assert not any("a false one" in text for text in a.stream)

    run(play())


def test_the_head_of_the_chain_is_told_at_the_end_and_stays(database: str) -> None:
    async def play() -> None:
        ann = Visitor("")
        async with house(database) as here:
            ann.base = here.base
            table = await ann.create(GAME, seats=2)
            await ann.join(table, "Ann")
            await ann.join(table, "Bob")
            async with ann.at(table) as a:
                await a.do("start")
                assert not Record.read(await ann.record(table)).chain
                ended = await a.do("agree")
                told = Record.read(await ann.record(table))
                assert told.chain == (await here.hall.store.entries(table))[ended["n"]].link.hex()
                await a.do("say", text="that was fun")
                await a.do("rematch")
                assert Record.read(await ann.record(table)) == told
                before = [text for text in a.stream if told.chain in text]
                assert not before, "only records tell of it"
        async with house(database) as here:
            ann.base = here.base
            assert Record.read(await ann.record(table)) == told, "after a restart, too"

    run(play())


def test_a_damaged_table_is_not_copied_in_silence(database: str, tmp_path: Path) -> None:
    entries = Started(mix="", actions=(), at=""), Ended(result=Result((), ()))

    async def work() -> None:
        store = await opened(database)
        for table in ("first", "second", "third"):
            *before, last = written(table, *entries)
            for stored in before:
                await store.append(table, stored)
            await store.append(table, last, Listing("over", False))
        await store.close()
        await spoil(database, "second", lambda rows: rows[:1] + rows[2:])
        await spoil(database, "third", lambda rows: put(rows, 2, link=b""))
        store = await opened(database)
        target = await opened(str(tmp_path / "target" / "tables.db"))
        async with store.frozen() as source:
            copied = await copy(source, target)
            assert (copied.tables, await compare(source, target, copied.left_out)) == (1, 1)
        assert [damaged.values["table"] for damaged in copied.damaged] == ["second", "third"]
        assert [listed.id for listed in await target.listed()] == ["first"]
        await target.close()
        await store.close()
        made = await back_up(database, tmp_path / "copy.db")
        assert {damaged.values["table"] for damaged in made.damaged} == {"second", "third"}

    run(work())


def test_a_lost_end_is_had_back_from_a_backup(database: str, tmp_path: Path) -> None:
    copied = str(tmp_path / "copy.db")

    async def play() -> None:
        ann = Visitor("")
        async with house(database) as here:
            ann.base = here.base
            table = await make(ann)
        await back_up(database, Path(copied))
        await spoil(database, table, DAMAGES["a lost end"][0])
        here_, there = await opened(copied), await opened(database)
        assert (await copy(here_, there)).tables == 1
        await here_.close()
        await there.close()
        async with house(database) as here:
            ann.base = here.base
            async with ann.at(table) as a:
                await a.play_to_the_end(random.Random(1))

    run(play())


def test_a_file_is_not_backed_up_onto_itself(tmp_path: Path) -> None:
    async def work() -> None:
        file = tmp_path / "tables.db"
        await (await opened(str(file))).close()
        with pytest.raises(StoreError, match="is the database itself"):
            await back_up(str(file), file)

    run(work())
