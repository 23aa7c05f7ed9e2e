"""Who waits for which review, and what is worked out for whom."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import weakref
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serai.processes.parent import ChildLost
from serai.server.limits import Gate, Limits, TooMany
from serai.server.metrics import Metrics
from serai.server.reviews import queue as queues
from serai.server.reviews.queue import GameToReview, ReviewQueue
from serai.server.reviews.worker import NoReview
from serai.server.store.sqlite import SqliteStore
from serai.wire.bodies import Problem
from tests.server.reviews.support import PlayedCoach, play_coach
from tests.server.support import run

Lines = AsyncGenerator[bytes, None]


@pytest.fixture
def coach(monkeypatch: pytest.MonkeyPatch) -> type[PlayedCoach]:
    return play_coach(monkeypatch)


LONG = "long\n" * 2000
"""A record of two thousand lines."""


def asked(record: str) -> GameToReview:
    return GameToReview("camelup", record)


@contextlib.asynccontextmanager
async def opened(folder: Path, workers: int = 1, **limits: int) -> AsyncIterator[ReviewQueue]:
    store = SqliteStore(folder / "tables.db")
    queue = ReviewQueue(workers, Gate(Limits(**limits)), store, Metrics())
    try:
        yield queue
    finally:
        await queue.close()
        await store.close()


async def told(lines: Lines) -> Any:
    return msgspec.json.decode(await anext(lines))


async def last(lines: Lines) -> Any:
    found = [msgspec.json.decode(line) async for line in lines]
    return found[-1]


async def hang_up(*lines: Lines) -> None:
    for one in lines:
        await one.aclose()
    await asyncio.sleep(0.02)


def test_who_had_least_is_next_and_each_is_told_how_many_come_before(tmp_path: Path, coach: type[PlayedCoach]) -> None:
    async def work() -> None:
        coach.held = asyncio.Event()
        async with opened(tmp_path) as queue:
            first, second, third = (queue.follow("a", asked(record)) for record in "124")
            assert await told(first) == {"type": "judging", "done": 0, "of": 0}
            assert await told(second) == {"type": "waiting", "ahead": 1}
            assert await told(third) == {"type": "waiting", "ahead": 2}
            other = queue.follow("b", asked("3"))
            assert await told(other) == {"type": "waiting", "ahead": 1}
            assert await told(third) == {"type": "waiting", "ahead": 3}
            assert await told(first) == {"type": "judging", "done": 1, "of": 2}
            coach.held.set()
            everything = await asyncio.gather(*map(last, (first, second, other, third)))
            assert [line["type"] for line in everything] == ["reviewed"] * 4
            assert coach.asked == ["1", "3", "2", "4"]

    run(work())


def test_short_games_come_before_long_ones_and_players_before_passers_by(
    tmp_path: Path, coach: type[PlayedCoach]
) -> None:
    async def work() -> None:
        coach.held = asyncio.Event()
        async with opened(tmp_path) as queue:
            own = GameToReview("camelup", LONG + "own", "table", own=True)
            games = [asked("first"), asked(LONG), asked("short"), asked("middle\n" * 30), own]
            lines = [queue.follow(address, game) for address, game in zip("abcde", games, strict=True)]
            for _ in range(2):
                await told(lines[0])
            for one in lines[1:]:
                await told(one)
            while not coach.stopped:
                await told(lines[0])
            coach.held.set()
            await asyncio.gather(*map(last, lines))
            assert coach.stopped == ["first"], "a player did not wait"
            assert coach.asked == ["first", LONG + "own", "short", "first", "middle\n" * 30, LONG]

    run(work())


def test_a_long_review_is_postponed_for_a_short_one_and_begins_anew(tmp_path: Path, coach: type[PlayedCoach]) -> None:
    async def work() -> None:
        coach.held = asyncio.Event()
        async with opened(tmp_path) as queue:
            long = queue.follow("a", asked(LONG))
            assert (await told(long))["type"] == "judging"
            assert (await told(long))["done"] == 1
            short = queue.follow("b", asked("short"))
            await told(short)
            while (await told(long))["type"] == "judging":
                pass
            assert coach.stopped == [LONG]
            coach.held.set()
            everything = await asyncio.gather(last(short), last(long))
            assert [line["type"] for line in everything] == ["reviewed"] * 2
            assert coach.asked == [LONG, "short", LONG]

    run(work())


def test_a_players_review_is_postponed_for_no_passer_by(tmp_path: Path, coach: type[PlayedCoach]) -> None:
    async def work() -> None:
        coach.held = asyncio.Event()
        async with opened(tmp_path) as queue:
            own = queue.follow("a", asked(LONG))
            await told(own)
            queue._join("a", msgspec.structs.replace(asked(LONG), own=True))
            short = queue.follow("b", asked("short"))
            await told(short)
            coach.held.set()
            await asyncio.gather(last(short), last(own))
            assert coach.asked == [LONG, "short"]

    run(work())


def test_who_used_many_seconds_waits_for_who_used_none(
    tmp_path: Path, coach: type[PlayedCoach], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(queues, "_now", lambda: now[0])

    async def work() -> None:
        async with opened(tmp_path) as queue:
            coach.held = asyncio.Event()
            greedy = queue.follow("a", asked("1"))
            for _ in range(2):
                await told(greedy)
            now[0] += 60.0
            coach.held.set()
            await last(greedy)
            coach.held = asyncio.Event()
            lines = [queue.follow(*one) for one in (("b", asked("2")), ("a", asked("3")), ("c", asked("4\n")))]
            for one in lines:
                await told(one)
            coach.held.set()
            await asyncio.gather(*map(last, lines))
            assert coach.asked == ["1", "2", "4\n", "3"]
            now[0] += 100 * queues.HALF_LIFE
            assert queue._spent.of("a") < 0.01

    run(work())


def test_one_address_has_one_review_worked_out_at_a_time(tmp_path: Path, coach: type[PlayedCoach]) -> None:
    async def work() -> None:
        coach.held = asyncio.Event()
        async with opened(tmp_path, workers=2) as queue:
            lines = [queue.follow(address, asked(record)) for address, record in (("a", "1"), ("a", "2"), ("b", "3"))]
            kinds = [(await told(one))["type"] for one in lines]
            assert kinds == ["judging", "waiting", "judging"]
            coach.held.set()
            await asyncio.gather(*map(last, lines))

    run(work())


def test_whoever_asks_for_the_same_waits_with_the_others(tmp_path: Path, coach: type[PlayedCoach]) -> None:
    async def work() -> None:
        coach.held = asyncio.Event()
        async with opened(tmp_path, reviews=1) as queue:
            lines = [queue.follow(address, asked("1")) for address in "abc"]
            for one in lines:
                await told(one)
            await hang_up(lines[0])
            assert coach.stopped == []
            coach.held.set()
            assert [(await last(one))["type"] for one in lines[1:]] == ["reviewed", "reviewed"]
            assert coach.asked == ["1"]

    run(work())


def test_too_many_are_refused_and_may_come_back(
    tmp_path: Path, coach: type[PlayedCoach], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "MAX_WAITING", 2)

    async def work() -> None:
        coach.held = asyncio.Event()
        async with opened(tmp_path, reviews=2) as queue:
            lines = [queue.follow("a", asked(record)) for record in "12"]
            for one in lines:
                await told(one)
            with pytest.raises(TooMany) as refusal:
                await told(queue.follow("a", asked("3")))
            assert (refusal.value.key, refusal.value.values) == ("server.too_many", {"what": "reviews"})
            lines.append(queue.follow("b", asked("4")))
            await told(lines[-1])
            with pytest.raises(TooMany) as refusal:
                await told(queue.follow("c", asked("long\n" * 9)))
            assert refusal.value.key == "review.full"
            lines.append(queue.follow("c", asked("5")))
            await told(lines[-1])
            full = await last(lines.pop(1))
            assert full["problem"]["key"] == "review.full", "whoever had more makes room"
            coach.held.set()
            await asyncio.gather(*map(last, lines))
            assert sorted(coach.asked) == ["1", "4", "5"]
            again = queue.follow("a", asked("3"))
            assert (await last(again))["type"] == "reviewed"

    run(work())


def test_nothing_is_worked_out_for_nobody(tmp_path: Path, coach: type[PlayedCoach]) -> None:
    async def work() -> None:
        coach.held = asyncio.Event()
        async with opened(tmp_path, reviews=2) as queue:
            running, waiting = (queue.follow("a", asked(record)) for record in "12")
            await told(running)
            await told(waiting)
            await told(running)
            await hang_up(waiting, running)
            assert coach.asked == coach.stopped == ["1"]
            coach.held.set()
            again = queue.follow("a", asked("1"))
            assert (await last(again))["type"] == "reviewed"
            assert coach.asked == ["1", "1"]

    run(work())


def test_an_abandoned_review_is_freed_without_the_garbage_collector(tmp_path: Path, coach: type[PlayedCoach]) -> None:
    async def work() -> None:
        coach.held = asyncio.Event()
        async with opened(tmp_path) as queue:
            lines = queue.follow("a", asked("1"))
            await told(lines)
            await told(lines)
            (job,) = map(weakref.ref, queue._running)
            gc.disable()
            try:
                await hang_up(lines)
                del lines
                await asyncio.sleep(0.02)
                assert coach.stopped == ["1"]
                assert job() is None
            finally:
                gc.enable()

    run(work())


def test_whoever_is_back_in_a_moment_goes_on(
    tmp_path: Path, coach: type[PlayedCoach], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "LINGER", 60.0)

    async def work() -> None:
        coach.held = asyncio.Event()
        async with opened(tmp_path) as queue:
            lines = queue.follow("a", asked("1"))
            await told(lines)
            await told(lines)
            await hang_up(lines)
            coach.held.set()
            assert (await last(queue.follow("a", asked("1"))))["type"] == "reviewed"
            assert (coach.asked, coach.stopped) == (["1"], [])

    run(work())


def test_a_review_is_kept_by_record_and_evaluator(tmp_path: Path, coach: type[PlayedCoach]) -> None:
    async def work() -> None:
        async with opened(tmp_path) as queue:
            assert await queue.cached(asked("1")) is None
            made_now = await last(queue.follow("a", asked("1")))
            kept = await queue.cached(asked("1"))
            assert kept is not None
            assert msgspec.json.decode(kept) == made_now
            assert await queue.cached(asked("2")) is None

        async with opened(tmp_path / "newer") as newer:
            coach.evaluator_name = "two"
            assert (await last(newer.follow("a", asked("1"))))["review"] == {"evaluator": "two"}
            assert coach.asked == ["1", "1"]

    run(work())


@pytest.mark.parametrize(
    ("fault", "key"),
    [
        (NoReview(Problem("record.action", {"line": 3}, "no")), "record.action"),
        (ChildLost("it died"), "review.failed"),
        (TimeoutError(), "review.long"),
    ],
)
def test_what_fails_is_told_and_the_next_one_is_reviewed(
    fault: Exception, key: str, tmp_path: Path, coach: type[PlayedCoach]
) -> None:
    async def work() -> None:
        coach.fault = fault
        async with opened(tmp_path) as queue:
            failed = await last(queue.follow("a", asked("1")))
            assert (failed["type"], failed["problem"]["key"]) == ("unreviewed", key)
            coach.fault = None
            assert (await last(queue.follow("a", asked("1"))))["type"] == "reviewed"

    run(work())


def test_a_server_that_closes_says_so(tmp_path: Path, coach: type[PlayedCoach]) -> None:
    async def work() -> None:
        coach.held = asyncio.Event()
        async with opened(tmp_path) as queue:
            lines = [queue.follow("a", asked(record)) for record in "12"]
            for one in lines:
                await told(one)
            await queue.close()
            assert [(await last(one))["problem"]["key"] for one in lines] == ["server.closing"] * 2

    run(work())
