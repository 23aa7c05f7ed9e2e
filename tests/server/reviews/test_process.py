"""The process that reviews: what it says, and that it stops and goes on."""

from __future__ import annotations

import asyncio
import zlib

import msgspec
import pytest

from serai.server.reviews import process as processes
from serai.server.reviews.lines import Line, Reviewed
from serai.server.reviews.process import Lost, NoReview, ReviewProcess
from tests.server.reviews.support import short_record
from tests.server.support import PATIENCE, run


def test_a_review_is_told_as_it_goes_stopped_when_nobody_waits_and_made_by_the_same_process_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "STOPPED_WITHIN", PATIENCE)  # it may have to compile something first

    async def work() -> None:
        process = ReviewProcess(nice=0)
        steps: list[tuple[int, int]] = []
        heard = asyncio.Event()

        def hear(done: int, of: int) -> None:
            steps.append((done, of))
            heard.set()

        record = short_record(9)
        try:
            begun = asyncio.create_task(process.review(record, "low", hear))
            await heard.wait()
            pid = process.pid
            begun.cancel()
            with pytest.raises(asyncio.CancelledError):
                await begun
            assert steps[-1][0] < 9

            steps.clear()
            line = msgspec.json.decode(zlib.decompress(await process.review(record, "low", hear)), type=Line)
            assert process.pid == pid
            assert steps == [(done, 9) for done in range(6, 10)]
            assert isinstance(line, Reviewed)
            assert line.review.evaluator == await process.name("camelup")
            for account in line.review.accounts:
                way = account.wins
                assert way.final - way.first == pytest.approx(
                    way.own + way.others + way.chance + way.revealed, abs=1e-4
                )

            with pytest.raises(NoReview) as failed:
                await process.review(record.replace("result ", "result 9"), "low", hear)
            assert failed.value.problem.key == "record.result"

            heard.clear()
            doomed = asyncio.create_task(process.review(record, "low", hear))
            await heard.wait()
            await process.end()
            with pytest.raises(Lost):
                await doomed
        finally:
            await process.end()

    run(work())
