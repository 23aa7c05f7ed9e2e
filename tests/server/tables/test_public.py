"""The public tables: those at which somebody is, however many others somebody makes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from serai import games
from serai.server.http import api
from serai.server.limits import NO_LIMITS
from serai.server.settings import Sources
from serai.server.tables import hall as halls
from tests.postgres import Cluster
from tests.server.support import QUICK, Clock, House, Visitor, house, run
from tests.support import POSTGRES_IN_SOAK

GAME, OTHER = games()
FEW = msgspec.structs.replace(QUICK, limits=msgspec.structs.replace(NO_LIMITS, waiting_tables=2))


async def listed(here: House, **query: str) -> list[str]:
    asked = "&".join(f"{key}={value}" for key, value in query.items())
    answer = await Visitor(here.base).call("GET", f"/api/tables?{asked}")
    assert answer.status_code == 200, answer.text
    return [table["id"] for table in answer.json()]


@contextlib.asynccontextmanager
async def hosted(host: Visitor, game: str = GAME, **wanted: Any) -> AsyncIterator[str]:
    """A public table at which its host is."""
    table = await host.create(game, table_rules={"public": True}, **wanted)
    async with host.at(table) as socket:
        await socket.heard("presence")
        yield table


@POSTGRES_IN_SOAK
def test_public_tables_are_listed_and_private_ones_are_not(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            async with hosted(ann) as open_one:
                private = await ann.create(GAME)
                async with ann.at(private) as a:
                    await a.heard("presence")
                    assert await listed(here) == [open_one]
            await ann.join(open_one, "Ann")
            await ann.join(open_one, "Bob")
            async with ann.at(open_one) as a:
                await a.do("start")
                assert [table["phase"] for table in (await ann.call("GET", "/api/tables")).json()] == ["playing"]
                await a.do("agree")
                assert (await ann.call("GET", "/api/tables")).json() == []

    run(play())


@POSTGRES_IN_SOAK
def test_tables_whose_host_has_gone_are_not_listed_and_hide_nobody(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "MOST_LOOKED_AT", 3)

    async def play() -> None:
        async with house(database) as here:
            ann, mob = Visitor(here.base), Visitor(here.base)
            async with hosted(ann) as table:
                for _ in range(5):
                    await mob.create(GAME, table_rules={"public": True})
                assert await listed(here) == [table], "newer ones, without anybody, do not push it out"
                async with hosted(mob) as other, mob.at(table):
                    assert await listed(here) == [other, table]
            async with mob.at(table) as onlooker:
                await onlooker.heard("presence")
                assert await listed(here) == [], "somebody is there, but not the host"

    run(play())


def test_who_is_really_there_comes_first_then_the_newest_and_a_game_can_be_asked_for(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann, bob, cem = (Visitor(here.base) for _ in range(3))
            async with contextlib.AsyncExitStack() as room:
                enter = room.enter_async_context
                two = await enter(hosted(ann, seats=3))
                await ann.join(two, "Ann")
                await bob.join(two, "Bob")
                await (await enter(bob.at(two))).heard("presence")
                one = await enter(hosted(ann, OTHER, seats=3))
                await ann.join(one, "Ann")
                await bob.join(one, "Bob")  # who is not there
                old, new = await enter(hosted(cem)), await enter(hosted(cem))
                playing = await enter(hosted(cem, seats=2, bots={"0": "random"}))
                await cem.join(playing, "Cem")
                await (await enter(cem.at(playing))).do("start")
                assert await listed(here) == [two, one, new, old, playing]
                assert await listed(here, game=OTHER) == [one]
                assert await listed(here, game=GAME) == [two, new, old, playing]
                unknown = await ann.call("GET", "/api/tables?game=chess")
                assert (unknown.status_code, unknown.json()["key"]) == (404, "server.unknown")

    run(play())


@POSTGRES_IN_SOAK
def test_one_address_makes_only_a_few_tables_that_wait(database: str) -> None:
    clock = Clock()

    async def play() -> None:
        async with house(database, FEW, Sources(clock=clock)) as here:
            ann = Visitor(here.base)

            async def refused() -> bool:
                answer = await ann.call(
                    "POST", "/api/tables", {"game": GAME, "table_rules": {"public": True}, "seats": 2}
                )
                assert answer.status_code in (201, 429)
                if answer.status_code == 429:
                    assert answer.json()["key"] == "server.waiting_tables"
                    assert "start, fill or leave one first" in answer.json()["text"]
                return answer.status_code == 429

            at_once = await asyncio.gather(*(refused() for _ in range(6)))
            assert sorted(at_once) == 2 * [False] + 4 * [True], "nor many of them at once"
            clock.now += halls.FRESH_SECONDS + 1
            async with hosted(ann, seats=2) as first, hosted(ann, seats=2):
                clock.now += halls.FRESH_SECONDS + 1
                assert await refused()
                await ann.create(GAME, seats=2)  # one that is not public
                await ann.join(first, "Ann")
                await ann.join(first, "Bob")  # full
                assert not await refused()
            clock.now += halls.FRESH_SECONDS + 1
            assert not await refused(), "left"

    run(play())


@POSTGRES_IN_SOAK
def test_a_crowd_of_tables_from_one_address_leaves_room_for_others(database: str) -> None:
    async def play() -> None:
        clock = Clock()
        settings = msgspec.structs.replace(FEW, trusted_proxies="127.0.0.1")
        async with house(database, settings, Sources(clock=clock)) as here:
            mob, ann = Visitor(here.base), Visitor(here.base)
            tables = []
            for _ in range(6):
                tables.append(await mob.create(GAME, table_rules={"public": True}))
                clock.now += halls.FRESH_SECONDS + 1
            async with contextlib.AsyncExitStack() as room:
                for table in tables:
                    await (await room.enter_async_context(mob.at(table))).heard("presence")
                assert len(await listed(here)) == 2
                ann.proxied = "192.0.2.7"
                async with hosted(ann) as other:
                    assert len(await listed(here)) == 3
                    assert other in await listed(here)

    run(play())


def test_hosts_at_other_processes_count_too(postgres: Cluster) -> None:
    async def play() -> None:
        url = postgres.new_database()
        async with house(url, FEW) as here, house(url, FEW) as there:
            ann, bob = Visitor(here.base), Visitor(there.base)
            async with hosted(ann) as one, hosted(bob, OTHER) as two:
                while sorted(await listed(here)) != sorted([one, two]):
                    await asyncio.sleep(0.01)
                while sorted(await listed(there)) != sorted([one, two]):
                    await asyncio.sleep(0.01)
                assert await listed(here, game=OTHER) == [two]
                async with contextlib.AsyncExitStack() as room:
                    table = await ann.create(GAME, table_rules={"public": True})
                    await (await room.enter_async_context(ann.at(table))).heard("presence")
                    while table not in await listed(there):
                        await asyncio.sleep(0.01)
                    assert len(await listed(there)) == 2, "three from one address, of which two are shown"
            while await listed(here) or await listed(there):
                await asyncio.sleep(0.01)

    run(play())
