"""What a visitor has played, and nothing of what others have."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serai.server.limits import NO_LIMITS
from tests.server.support import QUICK, Json, Visitor, house, run


async def mine(visitor: Visitor) -> list[Json]:
    answer = await visitor.call("GET", "/api/mine")
    assert answer.status_code == 200
    games: list[Json] = answer.json()
    return games


def test_finished_games_are_told_to_those_who_sat_there(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann, bob, eve = (Visitor(here.base) for _ in range(3))
            assert await mine(ann) == []
            table = await ann.create("camelup", seats=3, bots={"2": "random"})
            await ann.join(table, "Ann", seat=1)
            await bob.join(table, "Bob", seat=0)
            async with ann.at(table) as a, bob.at(table) as b:
                await a.do("start")
                assert await mine(ann) == [], "a running game is not finished"
                for one in (a, b):
                    await one.do("agree", on=True)
                await a.until(lambda told: a.over)
            async with eve.at(table) as e:
                assert e.seat is None
            (game,) = await mine(ann)
            assert game["table"] == table
            assert game["game"] == "camelup"
            assert [seat["kind"] for seat in game["seats"]] == ["person", "person", "bot"]
            assert game["yours"] == [1]
            assert game["scores"] == a.table["scores"]
            assert game["winners"] == a.table["winners"]
            assert game["agreed"] is True
            assert (await mine(bob))[0]["yours"] == [0]
            assert await mine(eve) == []
            text = (await ann.call("GET", "/api/mine")).text
            assert a.table["secret"] not in text
            assert not any(visitor.token in text for visitor in (ann, bob, eve))

    run(play())


def test_a_finished_game_is_read_once_however_often_it_is_asked_for(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            for _ in range(3):
                table = await ann.create("camelup", seats=2, bots={"1": "random"})
                await ann.join(table, "Ann")
                async with ann.at(table) as a:
                    await a.do("start")
                    await a.do("agree", on=True)
            read: list[str] = []
            entries = here.hall.store.entries

            async def counted(table: str, after: int = -1) -> Any:
                read.append(table)
                return await entries(table, after)

            monkeypatch.setattr(here.hall.store, "entries", counted)
            told = await asyncio.gather(*(mine(ann) for _ in range(10)))
            assert all(games == told[0] for games in told)
            assert len(told[0]) == len(read) == len(set(read)) == 3

    run(play())


def test_asking_for_ones_games_counts_as_work(tmp_path: Path) -> None:
    async def play() -> None:
        limits = msgspec.structs.replace(NO_LIMITS, work=1)
        async with house(tmp_path, settings=msgspec.structs.replace(QUICK, limits=limits)) as here:
            ann = Visitor(here.base)
            with here.hall.gate.holding("work", "127.0.0.1"):
                refused = await ann.call("GET", "/api/mine")
            assert (refused.status_code, refused.json()["values"]) == (429, {"what": "work"})
            assert await mine(ann) == []

    run(play())


def test_the_newest_game_comes_first_also_after_a_restart(database: str) -> None:
    ann: Visitor | None = None
    played: list[str] = []

    async def play() -> None:
        nonlocal ann
        async with house(database) as here:
            ann = Visitor(here.base, ann.token if ann else None)
            for _ in range(2):
                table = await ann.create("camelup", seats=2, bots={"1": "random"})
                await ann.join(table, "Ann")
                async with ann.at(table) as a:
                    await a.do("start")
                    await a.play_to_the_end(random.Random(len(played)))
                played.insert(0, table)
            assert [game["table"] for game in await mine(ann)] == played
            assert all(not game["agreed"] for game in await mine(ann))

    run(play())
    run(play())
    assert len(played) == 4
