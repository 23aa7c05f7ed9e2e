"""What a visitor has played, and nothing of what others have."""

from __future__ import annotations

import random

from tests.server.support import Json, Visitor, house, run


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
