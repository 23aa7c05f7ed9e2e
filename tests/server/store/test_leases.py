"""Of the processes at one table one lets its bots play; who was silent for too long keeps nothing under its lease."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import asyncpg
import pytest

from serai import games
from serai.server.peers import postgres
from serai.server.peers.postgres import LEASE_SECONDS, Leases
from serai.server.settings import Sources
from serai.server.store import postgres as store_of_many
from serai.server.store.base import Conflict, Lease, LeaseLost
from serai.server.store.postgres import APPEND_UNDER_LEASE, PostgresStore, connect
from serai.server.tables import sync
from tests.server.stores import kept_in, made_up
from tests.server.support import PATIENCE, Visitor, Waits, house, run

pytestmark = pytest.mark.parametrize("new_database", ["postgres"], indirect=True)

FIRST, SECOND = 1, 2
BURY = "delete from processes where id = 1"


@contextlib.asynccontextmanager
async def opened(database: str) -> AsyncIterator[tuple[PostgresStore, asyncpg.Connection[Any]]]:
    """A store with an empty table, and a line past it."""
    store = PostgresStore(database)
    await store.open()
    db = await connect(database)
    await store.append("t", made_up(0, b"made"))
    try:
        yield store, db
    finally:
        await db.close()
        await store.close()


@contextlib.asynccontextmanager
async def opened_beside(database: str) -> AsyncIterator[PostgresStore]:
    """Another process's store."""
    store = PostgresStore(database)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def begun(db: asyncpg.Connection[Any], process: int) -> Leases:
    """A process as the database knows it."""
    one = Leases()
    await one.begin(db, process)
    return one


async def taken(one: Leases, db: asyncpg.Connection[Any]) -> Lease:
    await one.take(db, ["t"])
    lease = one.of("t")
    assert lease is not None
    return lease


async def somebody_waits(database: str) -> None:
    """Until one waits for what another has not finished."""
    db = await asyncpg.connect(database)
    query = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    async with asyncio.timeout(PATIENCE):
        while not await db.fetchval(query):
            await asyncio.sleep(0.01)
    await db.close()


def test_nothing_is_kept_under_a_lease_that_is_over_even_if_its_number_is_right(database: str) -> None:
    async def work() -> None:
        async with opened(database) as (store, db):
            first, second = await begun(db, FIRST), await begun(db, SECOND)
            before = await taken(first, db)
            await second.take(db, ["t"])
            assert second.of("t") is None
            await store.append("t", made_up(1, b"first"), lease=before)
            await db.execute(BURY)
            with pytest.raises(LeaseLost):
                await store.append("t", made_up(2, b"nobody has it"), lease=before)
            after = await taken(second, db)
            assert after.epoch > before.epoch
            for lease in (before, Lease(FIRST, after.epoch), Lease(SECOND, before.epoch)):
                with pytest.raises(LeaseLost):
                    await store.append("t", made_up(2, b"late"), lease=lease)
            with pytest.raises(Conflict):
                await store.append("t", made_up(1, b"taken"), lease=after)
            await store.append("t", made_up(2, b"second"), lease=after)
            await store.append("t", made_up(3, b"a person needs none"))
            assert await kept_in(store, "t") == [b"made", b"first", b"second", b"a person needs none"]

    run(work())


def test_what_follows_an_entry_whose_lease_is_over_is_not_kept_either(database: str) -> None:
    async def work() -> None:
        async with opened(database) as (store, db):
            lease = await taken(await begun(db, FIRST), db)
            await db.execute(BURY)
            late, next_one = (
                store.append("t", made_up(1, b"late"), lease=lease),
                store.append("t", made_up(2, b"upon it")),
            )
            other, again = store.append("u", made_up(0, b"other")), store.append("u", made_up(1, b"other"))
            with pytest.raises(LeaseLost):
                await late
            with pytest.raises(Conflict):
                await next_one
            await asyncio.gather(other, again)
            assert await kept_in(store, "t") == [b"made"]

    run(work())


def test_of_many_who_want_a_table_one_gets_it(database: str) -> None:
    async def work() -> None:
        async with opened(database) as (_, db):
            rng = random.Random(4)
            lines = [await connect(database) for _ in range(6)]
            racers = [await begun(line, number) for number, line in enumerate(lines, 1)]
            for number in range(10):
                tables = [f"{number} {other}" for other in range(5)]
                await asyncio.gather(
                    *(one.take(line, rng.sample(tables, 5)) for one, line in zip(racers, lines, strict=True))
                )
                for table in tables:
                    (winner,) = [one for one in racers if one.of(table)]
                    won, line = winner.of(table), lines[winner.process - 1]
                    await winner.take(line, [table])
                    assert winner.of(table) == won, "asked again, it is the same"
                    await winner.give_back(line, winner.forget([table]))
                assert await db.fetchval("select count(*) from leases") == 0
            for line in lines:
                await line.close()

    run(work())


def test_an_append_in_flight_when_its_lease_ends_is_not_kept(database: str) -> None:
    async def work() -> None:
        async with opened(database) as (store, db):
            lease = await taken(await begun(db, FIRST), db)
            async with db.transaction():
                await db.execute(BURY)
                flying = store.append("t", made_up(1, b"late"), lease=lease)
                await somebody_waits(database)
            with pytest.raises(LeaseLost):
                await flying
            assert await kept_in(store, "t") == [b"made"]

    run(work())


def test_a_lease_does_not_end_before_the_append_in_flight_is_kept(database: str) -> None:
    async def work() -> None:
        async with opened(database) as (store, db):
            lease = await taken(await begun(db, FIRST), db)
            appending = await connect(database)
            values: list[Any] = [["t"], [1], [b"in time"], *([] for _ in range(8)), [0], [b""]]
            async with appending.transaction():
                await appending.fetch(APPEND_UNDER_LEASE, *values, lease.process, ["t"], [lease.epoch])
                # a sign of life need not wait for it
                assert await db.fetchval("update processes set expires = now() where id = 1 returning true")
                ending = asyncio.create_task(db.execute(BURY))
                await somebody_waits(database)
                assert not ending.done()
            await ending
            assert await kept_in(store, "t") == [b"made", b"in time"]
            await appending.close()

    run(work())


def test_a_process_relies_on_no_lease_once_it_was_silent_by_its_own_clock(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        now = [1000.0]
        monkeypatch.setattr(postgres, "time", SimpleNamespace(monotonic=lambda: now[0]))
        async with opened(database) as (_, db):
            one = await begun(db, FIRST)
            lease = await taken(one, db)
            now[0] += LEASE_SECONDS - 0.1
            assert one.in_time
            now[0] += 0.2
            assert not one.in_time
            assert await one.renew(db), "nobody missed it"
            assert one.in_time
            assert one.of("t") == lease
            await db.execute(BURY)
            assert not await one.renew(db)
            assert not one.in_time

    run(work())


@pytest.mark.parametrize("knows", [True, False], ids=["it-knows", "it-does-not-know"])
def test_a_bot_that_wakes_up_after_its_table_went_to_another_process_does_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch, knows: bool
) -> None:
    monkeypatch.setattr(postgres, "PATROL_SECONDS", 0.02)
    monkeypatch.setattr(sync, "TAKE_OVER_SECONDS", 0.02)

    async def play() -> None:
        waits_here, waits_there = Waits(), Waits()
        async with house(database, sources=Sources(sleep=waits_here)) as here:
            ann = Visitor(here.base)
            table = await ann.create(games()[0], seats=2, bots={"1": "random"})
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.do("start")
                await a.my_turn()
                await a.act(a.actions[0])
                _, wake_up = await waits_here.begun()
                live, peers = here.hall.tables[table], here.hall.peers
                before = peers._leases.of(table)
                async with house(database, sources=Sources(sleep=waits_there)) as there:
                    with monkeypatch.context() as silence:

                        async def say_nothing(db: Any) -> bool:
                            return True

                        async with peers._guard_lock:  # so that no sign of life is on its way
                            silence.setattr(peers._leases, "renew", say_nothing)
                            silence.setattr(peers._leases, "_until", float("-inf" if knows else "inf"))
                        if knows:
                            silence.setattr(here.hall.store, "append", lambda *_: pytest.fail("it asked all the same"))
                        await here.hall.store.read(
                            "update processes set expires = '-infinity' where id = $1 returning id", before.process
                        )
                        _, go_on = await waits_there.begun()
                        n, behind = live.table.n, live.bots.task
                        wake_up()
                        await asyncio.wait({behind})
                        assert behind.exception() is None
                        assert live.table.n == n == len(await here.hall.store.entries(table)) - 1
                        waits_there.held = False
                        go_on()
                        await a.my_turn()
                    async with asyncio.timeout(PATIENCE):
                        while peers._leases.process == before.process:
                            await asyncio.sleep(0.01)
                    after = there.hall.peers._leases.of(table)
                    assert after.epoch > before.epoch
                    await a.act(a.actions[0])
                    assert await there.hall.peers.claim(table) == after

    run(play())


def test_who_closes_leaves_games_that_nobody_watches_to_the_others(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "PATROL_SECONDS", 0.02)

    async def play() -> None:
        waits = Waits()
        async with house(database) as there:
            async with house(database, sources=Sources(sleep=waits)) as here:
                ann = Visitor(here.base)
                table = await ann.create(games()[0], seats=2, bots={"0": "random", "1": "random"})
                async with ann.at(table) as a:
                    await a.do("start")
                await waits.begun()
                assert await there.hall.store.bots_playing() == [], "one process looks after it"
            async with asyncio.timeout(PATIENCE):
                while not (live := there.hall.tables.get(table)) or live.table.phase != "over":
                    await asyncio.sleep(0.01)

    run(play())


def test_a_process_that_hangs_while_it_removes_tables_does_not_keep_others_from_saving(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_of_many, "_IDLE_SECONDS", 0.2)

    async def work() -> None:
        async with opened(database) as (store, _), opened_beside(database) as hangs:
            db = await hangs._open_pool().acquire()
            await db.execute("begin; lock table entries in share row exclusive mode")
            async with asyncio.timeout(PATIENCE):
                await store.append("t", made_up(1, b"kept"))

    run(work())


def test_who_lost_the_line_looks_after_the_tables_again_under_new_leases(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            peers = here.hall.peers
            table = await Visitor(here.base).create(games()[0], seats=2)
            before = await peers.claim(table)
            peers._guard.terminate()
            assert await peers.claim(table) is None
            async with asyncio.timeout(PATIENCE):
                while not (after := await peers.claim(table)):
                    await asyncio.sleep(0.01)
            assert after.process != before.process
            assert peers.holds(table, after)
            assert not peers.holds(table, before)
            with pytest.raises(LeaseLost):
                await here.hall.store.append(table, made_up(1, b""), lease=before)
            await peers.release([table])
            assert not peers.holds(table, after)

    run(play())
