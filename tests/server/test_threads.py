"""Whoever waits for work gets it in turn, and who is at a table does not wait for those who study."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from serai.server.limits import NO_LIMITS, Gate
from serai.server.threads import Threads
from tests.server.support import PATIENCE, run


class Held:
    """Work that lasts until it is let go, and tells when it began."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.go_on = threading.Event()

    def __call__(self) -> None:
        self.began.set()
        assert self.go_on.wait(PATIENCE)


def noting(done: list[str], name: str) -> Callable[[], None]:
    return lambda: done.append(name)


def test_addresses_take_turns_however_much_one_of_them_brings() -> None:
    async def work() -> None:
        threads, first, done = Threads(Gate(NO_LIMITS)), Held(), list[str]()
        waiting = [asyncio.create_task(threads.run("study", "loud", first))]
        await asyncio.to_thread(first.began.wait, PATIENCE)
        brought = [*(("loud", f"loud {k}") for k in range(40)), ("10.0.0.1", "quiet"), ("10.0.0.2", "calm")]
        for address, name in brought:
            waiting += [asyncio.create_task(threads.run("study", address, noting(done, name)))]
        await asyncio.sleep(0)
        first.go_on.set()
        await asyncio.gather(*waiting)
        assert done[:5] == ["loud 0", "quiet", "calm", "loud 1", "loud 2"]
        threads.close()

    run(work())


def test_what_is_at_a_table_never_waits_for_studies() -> None:
    async def work() -> None:
        threads, study = Threads(Gate(NO_LIMITS)), Held()
        studies = [asyncio.create_task(threads.run("study", f"10.0.0.{k}", study)) for k in range(50)]
        await asyncio.to_thread(study.began.wait, PATIENCE)
        assert await threads.run("table", "10.0.0.1", lambda: 7) == 7
        assert not any(task.done() for task in studies)
        study.go_on.set()
        await asyncio.gather(*studies)
        threads.close()

    run(work())


def test_whoever_stops_waiting_gets_nothing_done_and_failures_reach_their_owner() -> None:
    async def work() -> None:
        threads, first, done = Threads(Gate(NO_LIMITS)), Held(), list[str]()

        def fail() -> None:
            raise ZeroDivisionError

        begun = asyncio.create_task(threads.run("table", "a", first))
        await asyncio.to_thread(first.began.wait, PATIENCE)
        gone = asyncio.create_task(threads.run("table", "a", noting(done, "gone")))
        failing = asyncio.create_task(threads.run("table", "b", fail))
        last = asyncio.create_task(threads.run("table", "a", noting(done, "last")))
        await asyncio.sleep(0)
        gone.cancel()
        begun.cancel()
        first.go_on.set()
        await last
        assert done == ["last"]
        with pytest.raises(ZeroDivisionError):
            await failing
        left, held = Held(), Held()
        running = asyncio.create_task(threads.run("table", "a", held))
        await asyncio.to_thread(held.began.wait, PATIENCE)
        waiting = asyncio.create_task(threads.run("table", "a", left))
        await asyncio.sleep(0)
        threads.close()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        held.go_on.set()
        await running
        assert not left.began.is_set()

    run(work())
