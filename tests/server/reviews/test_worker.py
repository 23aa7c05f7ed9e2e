"""The process that reviews: what it says, and that it stops and goes on."""

from __future__ import annotations

import asyncio
import zlib

import msgspec
import pytest

from serai import game as find_game
from serai.core.record import Record, replay
from serai.processes.parent import ChildLost
from serai.server.bots.worker import MOST_EVENTS
from serai.server.reviews import hints
from serai.server.reviews import worker as workers
from serai.server.reviews.hints import HintWorker, NoHints
from serai.server.reviews.worker import NoReview, ReviewWorker, ShowEvents
from serai.table.errors import Refusal
from serai.wire.bodies import Hint
from serai.wire.schema import Reviewed, ReviewLine
from tests.server.reviews.support import short_record
from tests.server.support import PATIENCE, run


def test_a_review_is_told_as_it_goes_stopped_when_nobody_waits_and_made_by_the_same_process_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "STOPPED_WITHIN", PATIENCE)  # it may have to compile something first

    async def work() -> None:
        worker = ReviewWorker(nice=0)
        steps: list[tuple[int, int]] = []
        heard = asyncio.Event()

        def hear(done: int, of: int) -> None:
            steps.append((done, of))
            heard.set()

        record = short_record(9)
        try:
            begun = asyncio.create_task(worker.review(record, "low", hear))
            await heard.wait()
            pid = worker.pid
            begun.cancel()
            with pytest.raises(asyncio.CancelledError):
                await begun
            assert steps[-1][0] < 9

            steps.clear()
            line = msgspec.json.decode(zlib.decompress(await worker.review(record, "low", hear)), type=ReviewLine)
            assert worker.pid == pid
            assert steps == [(done, 9) for done in range(6, 10)]
            assert isinstance(line, Reviewed)
            assert line.review.evaluator == await worker.evaluator("camelup")
            for account in line.review.accounts:
                way = account.wins
                assert way.final - way.first == pytest.approx(
                    way.own + way.others + way.chance + way.revealed, abs=1e-4
                )

            with pytest.raises(NoReview) as failed:
                await worker.review(record.replace("result ", "result 9"), "low", hear)
            assert failed.value.problem.key == "record.result"

            heard.clear()
            doomed = asyncio.create_task(worker.review(record, "low", hear))
            await heard.wait()
            await worker.end()
            with pytest.raises(ChildLost):
                await doomed
        finally:
            await worker.end()

    run(work())


def test_hints_come_from_such_a_process_and_an_error_is_an_answer() -> None:
    async def work() -> None:
        coach = HintWorker()
        state = next(ply.before for ply in replay(Record.read(short_record(9))) if not ply.drawn)
        view = msgspec.json.encode(state.seen_by(state.actor))

        async def asked(view: bytes) -> bytes:
            return await coach.hints("camelup", state.actor, "a story", lambda known: (view, []), "here")

        try:
            found = msgspec.json.decode(await asked(view), type=list[Hint])
            assert {hint.notation for hint in found} <= {str(action) for action in state.actions()}
            pid = coach._worker.pid
            with pytest.raises(NoHints):
                await asked(b"{}")
            assert await asked(view)
            assert coach._worker.pid == pid
        finally:
            await coach.stop()
        assert coach._worker.pid is None

    run(work())


def test_the_coach_is_told_only_what_is_new_and_by_another_process_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    async def decided(self: ReviewWorker, game: str, story: str, view: bytes) -> bytes:
        return view

    monkeypatch.setattr(ReviewWorker, "hints", decided)
    monkeypatch.setattr(hints, "MOST_STORIES", 2)
    plies = list(replay(Record.read(short_record(9))))
    story = [msgspec.json.encode(event) for ply in plies for event in ply.events] * 45
    assert len(story) > 2 * MOST_EVENTS
    state = next(ply.before for ply in plies if not ply.drawn)
    asked: list[int] = []

    def seen(known: int) -> tuple[bytes, list[bytes]]:
        asked.append(known)
        return msgspec.json.encode(state.seen_by(state.actor)), story[known : known + MOST_EVENTS]

    def moved_on(known: int) -> tuple[bytes, list[bytes]]:
        raise Refusal("table.stale")

    async def work() -> None:
        coach = HintWorker()

        async def told(name: str, seen: hints.Seen = seen) -> list[int]:
            asked.clear()
            assert await coach.hints("camelup", state.actor, name, seen, "here")
            return list(asked)

        try:
            parts = list(range(0, len(story) + 1, MOST_EVENTS))
            assert await told("one") == parts
            assert await told("one") == [len(story)]
            with pytest.raises(Refusal):
                await told("one", moved_on)
            assert await told("one") == parts, "it may have been told only a part"
            assert await told("two") == parts
            assert await told("three") == parts
            assert await told("two") == [len(story)]
            assert await told("one") == parts, "it remembers two"
            await coach.stop()
            assert await told("two") == parts
        finally:
            await coach.stop()

    run(work())


def test_a_process_that_is_not_asked_any_more_ends_and_the_next_request_starts_another() -> None:
    async def work() -> None:
        worker = ReviewWorker(nice=0, idle=0.0)
        pids = set()
        try:
            for _ in range(2):
                asked = asyncio.ensure_future(worker.evaluator("nothing of the kind"))
                while worker.pid is None:
                    await asyncio.sleep(0)
                pids.add(worker.pid)
                with pytest.raises(NoReview):
                    await asked
                while worker.pid is not None:
                    await asyncio.sleep(0)
        finally:
            await worker.end()
        assert len(pids) == 2

    run(work())


def test_hints_that_nobody_waits_for_are_ended_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "STOPPED_WITHIN", 10 * PATIENCE)  # nobody waits until it stops by itself

    async def work() -> None:
        worker = ReviewWorker(nice=0)
        await worker.evaluator("camelup")
        view = msgspec.json.encode(find_game("camelup").position("1gyo 3bw"))
        await worker.show(ShowEvents("camelup", 0, "a story", []))
        asked = asyncio.create_task(worker.hints("camelup", "a story", view))
        await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(asked, PATIENCE)
        assert worker.pid is None

    run(work())
