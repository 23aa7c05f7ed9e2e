"""What has happened at a table, as it is read: in pages that have a size, and not made anew for everybody who asks."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from serai.server.cache import Cache
from serai.server.http import api
from serai.server.settings import Sources
from serai.table import frames, records
from tests.server.support import Clock, House, Json, Visitor, house, run
from tests.support import POSTGRES_IN_SOAK

GAME = "camelup"


async def long_table(here: House, ann: Visitor, moves: int = 30) -> str:
    """A table at which two seats of one visitor have played for a while."""
    table = await ann.create(GAME, seats=2)
    await ann.join(table, "Ann")
    await ann.join(table, "Bob")
    async with ann.at(table, seat=0) as a, ann.at(table, seat=1) as b:
        await a.do("start")
        for _ in range(moves):
            mover = await a.my_turn_or(b)
            await mover.act(mover.actions[0])
    return table


@POSTGRES_IN_SOAK
def test_frames_come_in_pages_of_few_bytes_and_nothing_is_lost_between_them(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "PAGE_BYTES", 2500)

    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await long_table(here, ann)
            live = here.hall.tables[table].table
            for visitor, seat in ((ann, 0), (ann, None), (Visitor(here.base), None)):
                found: list[Json] = []
                after, sizes = -1, list[int]()
                while after is not None:
                    through = "" if seat is None else f"&seat={seat}"
                    answer = await visitor.call("GET", f"/api/tables/{table}/frames?after={after}{through}")
                    sizes.append(len(answer.content))
                    found += answer.json()["frames"]
                    after = answer.json().get("next")
                assert len(sizes) > 3
                assert max(sizes) < 2500 + 250
                assert [frame["n"] for frame in found] == list(range(live.n + 1))
            few = (await ann.call("GET", f"/api/tables/{table}/frames?after=3&limit=2")).json()
            assert ([frame["n"] for frame in few["frames"]], few["next"]) == ([4, 5], 5)
            assert (await ann.call("GET", f"/api/tables/{table}/frames?after=999")).json() == {"frames": []}
            for wrong in ("after=-2", "limit=0", "limit=251", "after=x"):
                assert (await ann.call("GET", f"/api/tables/{table}/frames?{wrong}")).status_code == 400

    run(play())


@POSTGRES_IN_SOAK
def test_what_is_asked_for_again_is_not_made_again(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def counted(name: str, make: Any) -> Any:
        def making(*args: Any) -> Any:
            made.append(name)
            return make(*args)

        return making

    monkeypatch.setattr(frames, "page", counted("frames", frames.page))
    monkeypatch.setattr(records, "actions", counted("record", records.actions))

    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await long_table(here, ann, moves=3)
            strangers = [Visitor(here.base) for _ in range(5)]
            for part in ("record", "frames"):
                answers = [await one.call("GET", f"/api/tables/{table}/{part}") for one in strangers for _ in range(4)]
                assert len({answer.text for answer in answers}) == 1
            together = [one.call("GET", f"/api/tables/{table}/frames?limit=5") for one in strangers]
            assert len({answer.text for answer in await asyncio.gather(*together)}) == 1
            assert made == ["record", "frames", "frames"]
            await ann.call("GET", f"/api/tables/{table}/frames?seat=0")
            assert made[3:] == ["frames"], "another seat sees other things"
            before = await ann.record(table)
            async with ann.at(table, seat=0) as a, ann.at(table, seat=1) as b:
                for one in (a, b):
                    await one.heard("welcome")
                mover = await a.my_turn_or(b)
                await mover.act(mover.actions[0])
            assert await ann.record(table) != before, "what is kept is told only as long as it is true"
            assert made[4:] == ["record"]

    run(play())


@POSTGRES_IN_SOAK
def test_the_list_of_public_tables_is_written_once_while_nothing_changes(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()

    async def play() -> None:
        async with house(database, sources=Sources(clock=clock)) as here:
            ann, asked = Visitor(here.base), list[int]()
            public = api.public_tables

            async def counted(*args: Any) -> Any:
                asked.append(1)
                return await public(*args)

            monkeypatch.setattr(api, "public_tables", counted)

            async def listed() -> list[str]:
                return [table["id"] for table in (await ann.call("GET", "/api/tables")).json()]

            assert await listed() == []
            table = await ann.create(GAME, seats=2, table_rules={"public": True})
            async with ann.at(table) as host:
                await host.heard("presence")
                assert await listed() == [table], "a table whose host has come is seen at once"
                before = len(asked)
                await asyncio.gather(*(listed() for _ in range(40)))
                assert len(asked) == before, "nothing has changed, and no time has passed"
                clock.now += 2.0
                await asyncio.gather(*(listed() for _ in range(10)))
                assert len(asked) == before + 1, "once for all who ask"
                await ann.join(table, "Ann")
                told = (await ann.call("GET", "/api/tables")).json()
                assert told[0]["seats"][0]["kind"] == "person", "and so is a change"

    run(play())


def test_no_more_is_kept_than_there_is_room_for() -> None:
    cache = Cache(10_000)
    for k in range(100):
        cache.put(k, b"x" * 1000)
        cache.get(0)
        assert cache.size <= 10_000
    assert cache.get(0) is not None, "what is asked for stays"
    assert cache.get(1) is None
    assert cache.get(99) is not None
    cache.put("large", b"x" * 20_000)
    assert cache.size == 0
