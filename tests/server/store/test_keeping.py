"""How tables are kept: the store, restarts, upgrades, memory."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import statistics
import threading
import weakref
from pathlib import Path

import msgspec
import pytest

from serai import game as find_game
from serai import games
from serai.core.record import Record
from serai.server.bots.seats import BotSeats
from serai.server.settings import Sources
from serai.server.store import sqlite
from serai.server.store.base import Conflict, Lease, Listed, Listing, Moved, StoreError, TableCode
from serai.server.store.maintenance import old_tables
from serai.server.store.sqlite import SqliteStore
from serai.table.chain import Stored
from serai.table.entries import Said, write_entry
from tests.server.stores import kept_in, made_up, opened
from tests.server.support import PATIENCE, QUICK, Clock, House, Visitor, Waits, any_kind, house, run
from tests.support import amount

GAMES = games()
DELAYED = msgspec.structs.replace(QUICK, bot_delay=True)


def test_a_folder_is_made_for_the_file(tmp_path: Path) -> None:
    async def work() -> None:
        store = SqliteStore(tmp_path / "deep" / "down" / "tables.db")
        await store.check()
        await store.close()

    run(work())


def test_entries_are_kept_in_order_and_a_number_only_once(database: str) -> None:
    async def work() -> None:
        store = await opened(database)
        appended = [store.append(f"t{k % 7}", made_up(k // 7, f"{k}".encode())) for k in range(700)]
        await asyncio.gather(*appended)
        assert await kept_in(store, "t3") == [f"{k}".encode() for k in range(3, 700, 7)]
        assert await kept_in(store, "t3", after=97) == [b"689", b"696"]
        assert await kept_in(store, "unknown") == []
        # one conflict among others that are waiting does not take them with it
        mixed = [
            store.append("t0", made_up(100, b"new")),
            store.append("t0", made_up(5, b"again")),
            store.append("t1", made_up(100, b"new")),
        ]
        told = await asyncio.gather(*mixed, return_exceptions=True)
        assert [type(answer) for answer in told] == [type(None), Conflict, type(None)]
        assert (await kept_in(store, "t0"))[5] == b"35"
        # of two that come at the same time the first is kept, and the second does not take itself for it
        both = [store.append("twice", made_up(0, b"first")), store.append("twice", made_up(0, b"second"))]
        told = await asyncio.gather(*both, return_exceptions=True)
        assert [type(answer) for answer in told] == [type(None), Conflict]
        assert await kept_in(store, "twice") == [b"first"]
        await store.check()
        await store.close()

    run(work())


def test_entries_follow_upon_each_other(database: str) -> None:
    async def work() -> None:
        store = await opened(database)
        with pytest.raises(Conflict):
            await store.append("t", made_up(1, b"headless"), Listing("playing", True))
        assert (await kept_in(store, "t"), await store.listed()) == ([], [])
        # in a row they need not wait for each other, but a row must begin somewhere
        told = await asyncio.gather(
            *(
                store.append(table, made_up(n, b""))
                for table, first in (("t", 0), ("gone", 3))
                for n in range(first, first + 5)
            ),
            store.append("t", made_up(7, b"too far")),
            store.append("other", made_up(0, b"")),
            return_exceptions=True,
        )
        assert [type(answer) for answer in told] == [type(None)] * 5 + [Conflict] * 6 + [type(None)]
        assert [len(await kept_in(store, table)) for table in ("t", "gone", "other")] == [5, 0, 1]
        await store.remove(["t"])
        with pytest.raises(Conflict):
            await store.append("t", made_up(5, b"too late"))
        assert await kept_in(store, "t") == []
        await store.close()

    run(work())


@pytest.mark.parametrize("game", GAMES)
def test_a_table_that_was_removed_under_a_running_server_is_gone(game: str, database: str) -> None:
    async def play() -> None:
        async with house(database, DELAYED, Sources(sleep=waits)) as here:
            ann, bob = Visitor(here.base), Visitor(here.base)
            chat, act, rematch, join, bots = [await ann.create(game, seats=2) for _ in range(5)]
            for table in (chat, act, rematch):
                await ann.join(table, "Ann")
                await bob.join(table, "Bob")
            async with ann.at(chat) as a, bob.at(chat) as b:
                await here.hall.store.remove([chat])
                assert (await a.ask("say", text="hello?"))["key"] == "table.unknown"
                for one in (a, b):
                    await one.socket.wait_closed()
                    assert one.socket.close_code == 4404
            async with ann.at(act) as a:
                await a.do("start")
                await here.hall.store.remove([act])
                assert (await a.ask("pause"))["key"] == "table.unknown"
            async with ann.at(rematch) as a, bob.at(rematch) as b:
                await a.do("start")
                await a.do("agree")
                await b.do("agree")
                known = len(await here.hall.store.listed())
                await here.hall.store.remove([rematch])
                assert (await a.ask("rematch"))["key"] == "table.unknown"
                assert len(await here.hall.store.listed()) == known - 1, "nothing leads to a new one"
            await here.hall.store.remove([join])
            body = {"id": "1", "name": "Ann", "value": "0" * 64}
            assert (await ann.call("POST", f"/api/tables/{join}/seats", body)).status_code == 404
            assert len(here.hall.tables) == 1
            for table in (chat, act, rematch, join):
                assert (await ann.call("GET", f"/api/tables/{table}")).status_code == 404
                assert await kept_in(here.hall.store, table) == []
            await ann.join(bots, "Ann")
            async with ann.at(bots) as a:
                await a.do("place_bot", seat=1, bot="random")
                await a.do("start")
                while not here.hall.tables[bots].bots.playing:
                    await a.act(a.actions[0])
                playing = here.hall.tables[bots].bots.task
                _, go_on = await waits.begun()
                await here.hall.store.remove([bots])
                go_on()
                await playing
                assert len(here.hall.tables) == 0

    waits = Waits()
    run(play())


def test_a_table_without_its_beginning_is_refused_and_not_listed(database: str) -> None:
    async def work() -> None:
        store = await opened(database)
        created = write_entry(Said(visitor="somebody", id="1", seat=0, text="hello?"))
        await store.append("headless", made_up(0, created), Listing("playing", True, bots=True))
        await store.close()
        async with house(database) as here:
            refused = await Visitor(here.base).call("GET", "/api/tables/headless")
            assert (refused.status_code, refused.json()["values"]) == (409, {"table": "headless"})
            assert (await Visitor(here.base).call("GET", "/api/tables")).json() == []

    run(work())


def test_a_listing_tells_on_which_day_a_game_was_last_played(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with house(database, sources=Sources(date=lambda: today[0])) as here:
            hall, ann = here.hall, Visitor(here.base)
            table = await ann.create(GAMES[0], seats=2)
            await ann.join(table, "Ann")
            await ann.join(table, "Bob")
            written: list[Listing] = []
            append = hall.store.append

            def watch(
                table: str, stored: Stored, listing: Listing | None = None, lease: Lease | None = None
            ) -> asyncio.Future[None]:
                written.extend([] if listing is None else [listing])
                kept: asyncio.Future[None] = append(table, stored, listing, lease)
                return kept

            monkeypatch.setattr(hall.store, "append", watch)
            async with ann.at(table) as a:
                await a.do("start")
                (listing,) = written
                for day in ("2026-01-02", "2026-01-09"):
                    today[0] = day
                    for text in "abc":
                        await a.do("say", text=text)
                    assert written[-1] == msgspec.structs.replace(listing, at=day)
                assert len(written) == 3, "once a day"
                assert await old_tables(hall.store, "2026-01-09", unfinished=True) == []
                assert await old_tables(hall.store, "2026-01-10", unfinished=True) == [table]
                await a.do("agree")
                today[0] = "2026-02-01"
                await a.do("say", text="that was fun")
                assert [one.listing.at for one in await hall.store.listed()] == ["2026-01-09"], "the day of the end"

    today = ["2026-01-01"]
    run(play())


def test_what_nobody_thought_of_does_not_end_the_writing(database: str, caplog: pytest.LogCaptureFixture) -> None:
    nonsense = Listing("lobby", True, sitters=5)  # type: ignore[arg-type]

    async def work() -> None:
        store = await opened(database)
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(StoreError):
                await store.append("t", made_up(0, b"nonsense"), nonsense)
            await store.append("t", made_up(0, b"kept"), Listing("lobby", True))
            await store.check()
        assert await kept_in(store, "t") == [b"kept"]
        await store.close()

    run(work())
    assert "TypeError while saving" in caplog.text
    assert "Traceback" in caplog.text


def test_listings_tell_what_is_public_and_what_is_being_played(database: str) -> None:
    async def work() -> None:
        store = await opened(database)
        await store.append("a", made_up(0, b""), Listing("lobby", True))
        await store.append("b", made_up(0, b""), Listing("lobby", False))
        await store.append("c", made_up(0, b""), Listing("lobby", True))
        await store.append("b", made_up(1, b""), Listing("playing", False, bots=True))
        await store.append("e", made_up(0, b""), Listing("playing", False))
        await store.append("c", made_up(1, b""), Listing("over", True))
        await store.append("d", made_up(0, b""), Listing("lobby", True))
        assert await store.public(["a", "b", "c", "d", "e", "nowhere"], 10) == ["d", "a"]
        assert await store.public(["a", "b", "c", "d"], 1) == ["d"]
        assert await store.public(["c", "a"], 10) == ["a"]
        assert await store.public([], 10) == []
        assert await store.bots_playing() == ["b"]
        assert [(one.id, one.listing.phase) for one in await store.listed()] == [
            ("a", "lobby"),
            ("b", "playing"),
            ("c", "over"),
            ("e", "playing"),
            ("d", "lobby"),
        ]
        assert [one.id for one in await store.listed() if one.listing.bots] == ["b"]
        await store.remove(["a", "c", "e", "unknown"])
        assert [one.id for one in await store.listed()] == ["b", "d"]
        assert await kept_in(store, "a") == []
        assert await kept_in(store, "b") == [b"", b""]
        await store.close()

    run(work())


def test_listings_remember_the_day(database: str) -> None:
    async def work() -> None:
        store = await opened(database)
        await store.append("a", made_up(0, b""), Listing("lobby", True, at="2026-01-02"))
        # a listing that lost its number changes nothing
        with pytest.raises(Conflict):
            await store.append("a", made_up(0, b""), Listing("playing", False, at="2026-01-03"))
        assert await store.listed() == [Listed("a", Listing("lobby", True, at="2026-01-02"), 0)]
        await store.append("a", made_up(1, b""), Listing("playing", True, at="2026-01-04"))
        assert await store.listed() == [Listed("a", Listing("playing", True, at="2026-01-04"), 1)]
        await store.close()
        again = await opened(database)
        assert await kept_in(again, "a") == [b"", b""]
        await again.close()

    run(work())


def test_waiting_entries_share_a_transaction_and_each_is_flushed(tmp_path: Path) -> None:
    async def work() -> None:
        store = SqliteStore(tmp_path / "tables.db")
        commits: list[str] = []
        store._writing.set_trace_callback(
            lambda statement: commits.append(statement) if statement == "commit" else None
        )
        await asyncio.gather(*(store.append("t", made_up(n, b"x")) for n in range(1000)))
        assert 1000 / sqlite._BATCH <= len(commits) < 200
        assert store._writing.execute("pragma journal_mode").fetchone() == ("wal",)
        assert store._writing.execute("pragma synchronous").fetchone() == (2,), "FULL: flushed before it counts"
        await store.close()

    run(work())


def test_changes_do_not_wait_for_readers(tmp_path: Path) -> None:
    async def work() -> None:
        store, go_on = SqliteStore(tmp_path / "tables.db"), threading.Event()
        await store.append("t", made_up(0, b"x"), Listing("lobby", False))
        reading = asyncio.create_task(store._read(lambda db: go_on.wait(PATIENCE)))
        async with asyncio.timeout(PATIENCE / 2):
            assert await store.offer_handover("device", "code", until=2.0, now=1.0)
            assert await store.move_visitor("code", "other", now=1.0) == Moved("device", ("device", "other"))
            assert await store.give_code("t", "417203", until=2.0, now=1.0) == TableCode("417203", 2.0)
            await store.save_review("t", "one", b"review")
            await store.remove(["t"])
        assert not reading.done()
        go_on.set()
        await reading
        with pytest.raises(StoreError, match="readonly"):
            await store._read(lambda db: db.execute("delete from devices"))
        await store.close()

    run(work())


def test_what_comes_while_a_store_closes_is_refused_and_waits_for_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        store = SqliteStore(tmp_path / "tables.db")
        closing = asyncio.create_task(store.close())
        await asyncio.sleep(0)
        for late in (store.append("t", made_up(0, b"late")), store.give_code("t", "123456", 9e9, 0.0)):
            with pytest.raises(StoreError, match="the database is closed"):
                await asyncio.wait_for(late, PATIENCE)
        await closing

    run(work())


def test_nothing_is_left_of_a_removed_table(database: str) -> None:
    async def work() -> None:
        store = await opened(database)
        for table, code in (("gone", "111111"), ("stays", "222222")):
            await store.append(table, made_up(0, b"x"), Listing("over", False, ("ann",)))
            await store.give_code(table, code, until=2.0, now=1.0)
            await store.save_review(table, "one", b"review")
        await store.remove(["gone"])
        left = [await store.table_of_code(code, 1.0) for code in ("111111", "222222")]
        assert left == ["", "stays"]
        assert [await store.review(table, "one") for table in ("gone", "stays")] == [None, b"review"]
        assert await store.finished("ann", 5) == ["stays"]
        assert await store.give_code("new", "111111", until=2.0, now=1.0) == TableCode("111111", 2.0), "free again"
        await store.close()

    run(work())


async def _told(here: House, visitor: Visitor, table: str) -> list[str]:
    """All that a visitor can read of a table."""
    answers = [await visitor.call("GET", f"/api/tables/{table}{part}") for part in ("", "/record")]
    texts = [answer.text.replace(here.base, "") for answer in answers]
    return [*texts, json.dumps(await visitor.frames(table))]


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_the_same_after_a_restart(game: str, database: str) -> None:
    async def play() -> None:
        ann, bob = Visitor(""), Visitor("")
        rng = random.Random(1)
        async with house(database) as here:
            ann.base = bob.base = here.base
            table = await ann.create(game, seats=2)
            await ann.join(table, "Ann")
            await bob.join(table, "Bob")
            async with ann.at(table) as a, bob.at(table) as b:
                await a.do("start")
                await a.my_turn_or(b)
                for _ in range(30):
                    mover = a if a.actions else b
                    await mover.act(any_kind(mover.actions, rng))
                    if mover.undo and rng.random() < 0.3:
                        await mover.do("undo", on=mover.on)
                    while a.n < b.n:
                        await a.next()
                    while b.n < a.n:
                        await b.next()
                    if a.over:
                        break
                await a.do("say", text="see you")
                before = [await _told(here, visitor, table) for visitor in (ann, bob)]
        async with house(database) as here:
            ann.base = bob.base = here.base
            assert [await _told(here, visitor, table) for visitor in (ann, bob)] == before
            async with ann.at(table) as back:
                told = await back.heard("welcome")
                assert told["view"] == a.view
                assert told["n"] == a.n

    run(play())


def test_after_a_restart_only_games_with_bots_go_on_by_themselves(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann, bob = Visitor(here.base), Visitor(here.base)
            people, with_bot, stood_in, was_stood_in = [await ann.create(GAMES[0], seats=2) for _ in range(4)]
            for table in (people, with_bot, stood_in, was_stood_in):
                await ann.join(table, "Ann")
                async with ann.at(table) as a, bob.at(table) as b:
                    if table == with_bot:
                        await a.do("place_bot", seat=1, bot="random")
                    else:
                        await bob.join(table, "Bob")
                    await a.do("start")
                    if table in (stood_in, was_stood_in):
                        await b.do("leave", seat=1)
                        await a.do("take_over", seat=1, bot="random")
                    if table == was_stood_in:
                        await b.do("return", seat=1)
            assert len(here.hall.tables) == 4
        async with house(database) as here:
            await asyncio.sleep(0.2)
            while len(here.hall.tables) < 2:
                await asyncio.sleep(0.01)
            assert set(here.hall.tables) == {with_bot, stood_in}

    run(play())


def test_a_table_that_cannot_be_understood_leaves_the_others_alone(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await ann.create(
                GAMES[0], seats=2, table_rules={"public": True}, bots={"0": "random", "1": "random"}
            )
            async with ann.at(table) as a:
                await a.do("start")
            for name in ("aaa", "zzz"):
                unknown = b'{"type":"of_tomorrow"}'
                await here.hall.store.append(name, made_up(0, unknown), Listing("playing", True, bots=True))
        async with house(database) as here:
            ann.base = here.base
            async with ann.at(table) as a:
                await a.play_to_the_end(random.Random(1))
            listed = await ann.call("GET", "/api/tables")
            assert (listed.status_code, listed.json()) == (200, [])
            refused = await ann.call("GET", "/api/tables/aaa")
            assert (refused.status_code, refused.json()["key"]) == (409, "table.damaged")
            async with ann.at("zzz") as z:
                await z.socket.wait_closed()
                assert z.socket.close_code == 4410

    run(play())


def test_a_hall_closes_while_tables_are_waking(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            tables = [await ann.create(GAMES[0], seats=2) for _ in range(20)]
        async with house(database) as here:
            hall = here.hall
            first = await hall.find(tables[0])
            await first.lock.acquire()
            asyncio.get_running_loop().call_later(0.5, first.lock.release)
            waking = asyncio.gather(*map(hall.find, tables[1:]), return_exceptions=True)
            await asyncio.sleep(0)
        await waking
        with pytest.raises(StoreError):
            await kept_in(hall.store, tables[0])

    run(play())


def test_idle_tables_leave_memory_and_come_back(database: str) -> None:
    async def play() -> None:
        clock = Clock()
        async with house(database, sources=Sources(clock=clock)) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAMES[0], seats=2)
            await ann.join(table, "Ann")
            await ann.join(table, "Bob")
            async with ann.at(table) as a:
                await a.do("start")
                clock.now += 2 * QUICK.idle_seconds
                await here.hall.tidy()
                assert len(here.hall.tables) == 1, "somebody is looking"
                view = a.view
            while len(here.hall.tables):
                await asyncio.sleep(0.01)
                clock.now += QUICK.idle_seconds
                await here.hall.tidy()
            async with ann.at(table, seen=a.n) as back:
                await back.heard("presence")
                assert not back.frames, "nothing was missed"
                assert len(here.hall.tables) == 1
            async with ann.at(table) as back:
                assert (await back.heard("welcome"))["view"] == view

    run(play())


def test_a_table_that_was_let_go_is_freed_without_a_sweep(tmp_path: Path) -> None:
    async def play() -> None:
        clock = Clock()
        async with house(tmp_path, sources=Sources(clock=clock)) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAMES[0], seats=2, bots={"1": "random"})
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.do("start")
                await a.my_turn()
            gc.collect()
            gc.disable()
            try:
                live = weakref.ref(here.hall.tables[table])
                clock.now += 2 * QUICK.idle_seconds
                async with asyncio.timeout(PATIENCE):
                    while live() is not None:
                        await here.hall.tidy()
                        await asyncio.sleep(0.02)
            finally:
                gc.enable()

    run(play())


def test_a_table_that_is_asked_for_while_another_is_let_go_stays(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        clock = Clock()
        async with house(database, sources=Sources(clock=clock)) as here:
            hall, ann = here.hall, Visitor(here.base)
            tables = [await ann.create(GAMES[0], seats=2) for _ in range(2)]
            rise = BotSeats.remove

            async def rise_slowly(bots: BotSeats, table: str) -> None:
                await rise(bots, table)
                assert await hall.find(tables[1]) is not None

            monkeypatch.setattr(BotSeats, "remove", rise_slowly)
            known = await hall.find(tables[1])
            clock.now += 2 * QUICK.idle_seconds
            await hall.tidy()
            assert len(hall.tables) == 1
            assert await hall.find(tables[1]) is known, "whoever found it would be left with a table of the past"

    run(play())


@pytest.mark.parametrize("game", GAMES)
def test_tables_of_other_rules_are_closed_with_a_notice_and_stay_readable(
    game: str, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        ann = Visitor("")
        async with house(database) as here:
            ann.base = here.base
            tables = [await ann.create(game, seats=2) for _ in range(3)]
            finished, running, _ = tables
            for table in (finished, running):
                await ann.join(table, "Ann")
                await ann.join(table, "Bob")
            async with ann.at(finished) as a:
                await a.do("start")
                await a.do("agree")
                scores = a.table["scores"]
            async with ann.at(running) as a:
                await a.do("start")
                await a.act(a.actions[0])
        monkeypatch.setattr(type(find_game(game)), "version", "another")
        async with house(database) as here:
            ann.base = here.base
            seen = [(await ann.call("GET", f"/api/tables/{table}")).json()["table"] for table in tables]
            assert [table["phase"] for table in seen] == ["over", "closed", "closed"]
            assert seen[0]["scores"] == scores
            assert seen[1]["notice"] == "table.rules"
            for table in tables:
                record = Record.read(await ann.record(table))
                assert record.rules != "another"
            async with ann.at(running) as a:
                assert (await a.heard("welcome"))["table"]["notice"] == "table.rules"
                assert (await a.ask("act", on=a.on, action={"type": "nothing"}))["key"] == "table.closed"
                assert (await a.ask("say", text="oh"))["key"] == "table.closed"
        monkeypatch.undo()
        async with house(database) as here:
            ann.base = here.base
            again = (await ann.call("GET", f"/api/tables/{running}")).json()["table"]
            assert again["phase"] == "closed", "its secret has been shown: it stays closed"

    run(play())


@pytest.mark.parametrize("game", GAMES)
def test_frames_are_small(game: str, tmp_path: Path) -> None:
    async def play() -> None:
        sizes: list[int] = []
        async with house(tmp_path) as here:
            for seed in range(amount(1, 10)):
                ann = Visitor(here.base)
                table = await ann.create(game, seats=3, bots={"1": "random", "2": "random"})
                await ann.join(table, "Ann")
                async with ann.at(table) as a:
                    await a.do("start")
                    await a.play_to_the_end(random.Random(seed))
                    plays = [frame for frame in a.frames.values() if frame["type"] == "frame"][1:]
                    sizes += [len(msgspec.json.encode({**frame, "actions": []})) for frame in plays]
        assert statistics.median(sizes) < 400

    run(play())
