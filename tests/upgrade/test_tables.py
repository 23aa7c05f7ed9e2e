"""Tables that an older Serai stored: they are all there, look as they did, and are played on."""

from __future__ import annotations

import asyncio
import contextlib
import random
from pathlib import Path
from typing import Any

import pytest

from serai import games
from serai.core.record import Record, verify
from serai.server.store.maintenance import compare, copy, opened
from serai.table.entries import AnyEntry, Closed, read_entry
from tests.postgres import Cluster
from tests.server.stores import entries_in
from tests.server.support import Json, Socket, Visitor, any_kind, house, run
from tests.upgrade.golden import CURRENT, FORMATS, put, seen
from tests.upgrade.people import TOKENS

GAMES = games()


def people(base: str) -> tuple[Visitor, Visitor]:
    """Ann and Ben, who have said some things already."""
    return Visitor(base, TOKENS["ann"], first_id=10_000), Visitor(base, TOKENS["ben"], first_id=10_000)


def covers(now: Any, then: Any) -> bool:
    """Whether everything that was shown then is shown now; there may be more about table and game by now."""
    if isinstance(then, dict) and isinstance(now, dict):
        return all(key in now and covers(now[key], value) for key, value in then.items())
    if isinstance(then, list) and isinstance(now, list):
        return len(now) == len(then) and all(map(covers, now, then))
    return bool(now == then)


def test_every_kind_of_entry_is_among_them(tmp_path: Path) -> None:
    async def look() -> None:
        database = str(tmp_path / "tables.db")
        await put(CURRENT, database)
        kinds = {
            type(read_entry(entry))
            for table in {table for table, _, _ in seen(CURRENT)}
            for entry in await entries_in(database, table)
        }
        assert kinds == set(AnyEntry.__args__) - {Closed}, "no other rules have ever been played"

    run(look())


@pytest.mark.parametrize("old", FORMATS, ids=lambda folder: folder.name)
def test_everything_is_as_it_was(old: Path, database: str) -> None:
    async def look() -> None:
        await put(old, database)
        async with house(database) as here:
            ann, ben = people(here.base)
            for (table, who, seat), then in seen(old).items():
                visitor = {"ann": ann, "ben": ben}[who]
                async with visitor.at(table, seat="none" if seat is None else seat) as socket:
                    now = await socket.heard("welcome")
                    assert covers(now, then), (table, who, seat)
                    assert now.get("actions") == then.get("actions")
            for record in old.glob("*.serai"):
                if not record.stem.endswith("save"):
                    assert await ann.record(record.stem) == record.read_text()
            over = [f"{game}{end}" for game in GAMES for end in ("finished", "agreed")]
            for table in over:
                await replays(ann, table, seen(old)[table, "ann", 0]["view"])
                await holds(ann, table)
            mine = (await ann.call("GET", "/api/mine")).json()
            assert {game["table"] for game in mine} == set(over)
            async with contextlib.AsyncExitStack() as hosting:
                for game in GAMES:
                    await (await hosting.enter_async_context(ann.at(f"{game}lobby"))).heard("presence")
                public = (await ann.call("GET", "/api/tables")).json()
            assert {table["id"] for table in public} == {f"{game}lobby" for game in GAMES}

    run(look())


def test_every_game_is_played_to_its_end(database: str) -> None:
    async def play() -> None:
        await put(CURRENT, database)
        async with house(database) as here:
            ann, ben = people(here.base)
            for game in GAMES:
                await play_on(ann, ben, f"{game}running")
                await pass_round(ann, f"{game}hotseat")
                await begin(ann, ben, f"{game}lobby")
                assert await ben.join(f"{game}rematch", "Ben") == 1
                await begin(ann, ben, f"{game}rematch")

    run(play())


def test_an_old_file_moves_to_postgres_and_is_played_on_there(tmp_path: Path, postgres: Cluster) -> None:
    async def move() -> None:
        file, url = str(tmp_path / "tables.db"), postgres.new_database()
        await put(CURRENT, file)
        tables = len({table for table, _, _ in seen(CURRENT)})
        async with opened(file, "a test") as here, opened(url, "a test") as there:
            assert (await copy(here, there)).tables == tables
            assert await compare(here, there) == tables
        async with house(url) as serving:
            ann, ben = people(serving.base)
            await play_on(ann, ben, "cameluprunning")

    run(move())


async def play_on(ann: Visitor, ben: Visitor, table: str) -> None:
    """Two people and two bots, who were interrupted by a pause."""
    async with ann.at(table) as a, ben.at(table) as b:
        await a.heard("welcome")
        await b.heard("welcome")
        assert a.table["paused"]
        await a.do("resume")
        await together(a, b)
    await holds(ann, table)


async def pass_round(ann: Visitor, table: str) -> None:
    """Everybody at one device."""
    rng = random.Random(3)
    async with ann.at(table) as a:
        await a.heard("welcome")
        while not a.over:
            if not a.actions:
                await a.tell("look", seat=a.view["actor"])
                await a.heard("welcome")
            await a.act(any_kind(a.actions, rng))
    await holds(ann, table)


async def begin(ann: Visitor, ben: Visitor, table: str) -> None:
    """A game that had not begun: bots take the open seats."""
    async with ann.at(table) as a, ben.at(table) as b:
        await a.heard("welcome")
        for seat, sitting in enumerate(a.table["seats"]):
            if sitting["kind"] == "open":
                await a.do("place_bot", seat=seat, bot="random")
        await a.do("start")
        await together(a, b)
    await holds(ann, table)


async def replays(visitor: Visitor, table: str, then: Json) -> None:
    """The frames lead to what was seen in the end."""
    view: Json = {}
    for frame in await visitor.frames(table, seat=0):
        view |= frame.get("patch", {})
    assert covers(view, then)
    assert (await visitor.call("GET", f"/api/tables/{table}/draws")).json()["draws"]


async def together(a: Socket, b: Socket) -> None:
    """Both play until the game is over."""
    rng = random.Random(5)
    await asyncio.gather(a.play_to_the_end(rng), b.play_to_the_end(rng))
    assert a.view == b.view


async def holds(visitor: Visitor, table: str) -> None:
    verdict = verify(Record.read(await visitor.record(table)))
    assert verdict.finished
    assert verdict.draws_checked
