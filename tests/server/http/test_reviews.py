"""Reviews over HTTP: of finished games and of nothing else, kept with their tables, and for whoever waits."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import msgspec
import pytest

from serai.server.store.base import Store
from tests.server.reviews.support import GOLDEN, PlayedCoach, play_coach, short_record
from tests.server.support import QUICK, House, Json, Visitor, house, run


@pytest.fixture
def coach(monkeypatch: pytest.MonkeyPatch) -> type[PlayedCoach]:
    return play_coach(monkeypatch)


async def reviewed(visitor: Visitor, table: str) -> tuple[int, list[Json]]:
    answer = await visitor.call("GET", f"/api/tables/{table}/review")
    return answer.status_code, [msgspec.json.decode(line) for line in answer.content.splitlines()]


async def refusal(visitor: Visitor, record: str) -> tuple[int, str]:
    answer = await visitor.call("POST", "/api/review", {"record": record})
    return answer.status_code, answer.json()["key"]


async def begun(ann: Visitor) -> str:
    """A table at which both seats are Ann's, and a few actions have been played."""
    table = await ann.create("camelup", seats=2)
    await ann.join(table, "Ann")
    await ann.join(table, "Bob")
    async with ann.at(table, seat=0) as a, ann.at(table, seat=1) as b:
        await a.do("start")
        for _ in range(3):
            mover = await a.my_turn_or(b)
            await mover.act(mover.actions[0])
    return table


async def ended(ann: Visitor, table: str) -> None:
    async with ann.at(table, seat=0) as a:
        await a.do("agree")


def test_a_finished_game_is_reviewed_once_and_its_review_goes_with_the_table(
    database: str, coach: type[PlayedCoach]
) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await begun(ann)
            status, lines = await reviewed(ann, table)
            assert (status, lines[0]["key"]) == (409, "review.unfinished")
            assert coach.asked == []
            await ended(ann, table)
            status, lines = await reviewed(ann, table)
            assert (status, lines[0]["type"], lines[-1]["type"]) == (200, "judging", "reviewed")
            assert coach.asked == [await ann.record(table)]
            stranger = Visitor(here.base)
            assert (await reviewed(stranger, table))[1] == lines[-1:]
            dropped = await stranger.call("POST", "/api/review", {"record": await ann.record(table)})
            assert msgspec.json.decode(dropped.content) == lines[-1]
        async with house(database) as here:
            assert (await reviewed(Visitor(here.base), table))[1][-1] == lines[-1]
            assert len(coach.asked) == 1
            store: Store = here.hall.store
            assert await store.review(table, "one") is not None
            assert await store.review(table, "two") is None
            await store.remove([table])
            assert await store.review(table, "one") is None
            await store.save_review(table, "one", b"late")
            assert await store.review(table, "one") is None

    run(play())


def test_another_evaluator_judges_anew_and_takes_the_place_of_the_former(
    database: str, coach: type[PlayedCoach]
) -> None:
    async def play() -> None:
        for evaluator in ("one", "two"):
            coach.evaluator_name = evaluator
            async with house(database) as here:
                ann = Visitor(here.base)
                if evaluator == "one":
                    table = await begun(ann)
                    await ended(ann, table)
                assert (await reviewed(ann, table))[1][-1]["review"] == {"evaluator": evaluator}
                store: Store = here.hall.store
                kept = [await store.review(table, one) is not None for one in ("one", "two")]
                assert kept == [evaluator == "one", evaluator == "two"]
        assert len(coach.asked) == 2

    run(play())


def test_what_cannot_be_reviewed_is_refused_in_words(tmp_path: Path, coach: type[PlayedCoach]) -> None:
    async def ask() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            running = await begun(ann)
            assert await refusal(ann, await ann.record(running)) == (409, "review.unfinished")
            assert await refusal(ann, "nothing of the kind") == (400, "record.foreign")
            assert await refusal(ann, GOLDEN.read_text() + "\nroll" * 3000) in (
                (400, "record.damaged"),
                (409, "record.long"),
            )
            assert (await ann.call("GET", "/api/tables/0000/review")).status_code == 404
            assert coach.asked == []
        async with house(tmp_path, msgspec.structs.replace(QUICK, review_workers=0)) as here:
            ann = Visitor(here.base)
            assert await refusal(ann, short_record()) == (404, "review.off")
            told = (await ann.call("GET", "/api/games")).json()
            assert not any(game["reviews"] for game in told)

    run(ask())


def test_whoever_hangs_up_is_not_worked_for(tmp_path: Path, coach: type[PlayedCoach]) -> None:
    async def first_lines(here: House) -> None:
        async with (
            httpx.AsyncClient(base_url=here.base, timeout=10, verify=False) as client,
            client.stream("POST", "/api/review", json={"record": short_record()}) as answer,
        ):
            lines = answer.aiter_lines()
            assert answer.headers["content-type"] == "application/x-ndjson"
            assert [msgspec.json.decode(await anext(lines))["type"] for _ in range(2)] == ["judging", "judging"]

    async def ask() -> None:
        coach.held = asyncio.Event()
        async with house(tmp_path) as here:
            await first_lines(here)
            async with asyncio.timeout(10):
                while not coach.stopped:
                    await asyncio.sleep(0.01)
            coach.held.set()
            answer = await Visitor(here.base).call("POST", "/api/review", {"record": short_record()})
            assert msgspec.json.decode(answer.content.splitlines()[-1])["type"] == "reviewed"
            assert here.hall.metrics.reviews.value == 1

    run(ask())
