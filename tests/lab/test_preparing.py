"""Compiling is on no clock: not on that of the referee, nor of the process that watches over bots."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import numba
import pytest

from serai import simulate
from serai.arena import worker_processes
from serai.bots.referee import BotFailed, play
from serai.lab import preparing
from serai.lab.preparing import Clock

LIMIT = 0.1


class Compiler:
    """Compiles for longer than it may think, then answers."""

    def __init__(self, then: float = 0.0) -> None:
        self._then = then

    def decide(self, view: Any, rng: random.Random) -> Any:
        with preparing.preparing():
            time.sleep(3 * LIMIT)
        time.sleep(self._then)
        return next(action for action in view.actions() if action.kind == "roll")


def test_a_clock_stands_while_something_is_prepared() -> None:
    clock = Clock()
    with preparing.preparing(), preparing.preparing():
        time.sleep(LIMIT)
        assert not clock.runs
        assert clock.seconds < LIMIT / 2
    assert clock.runs
    assert clock.seconds < LIMIT / 2


def test_a_clock_runs_on_while_another_thread_prepares_something() -> None:
    clock = Clock()
    begun, over = threading.Event(), threading.Event()

    def prepare() -> None:
        with preparing.preparing():
            begun.set()
            over.wait()

    thread = threading.Thread(target=prepare)
    thread.start()
    begun.wait()
    assert clock.runs
    over.set()
    thread.join()


def test_what_numba_compiles_is_preparation() -> None:
    heard: list[bool] = []
    preparing.watchers.append(heard.append)
    try:
        numba.njit(lambda x: x + 1)(1)
    finally:
        preparing.watchers.remove(heard.append)
    assert heard == [True, False]


def test_the_referee_does_not_count_compiling_as_thinking() -> None:
    bots: list[Any] = [("compiler", Compiler()), "random"]
    outcome = play("camelup", bots, seed=1, seconds=LIMIT, max_plies=8)
    assert outcome.faults == ()
    assert max(outcome.thought) < LIMIT
    with pytest.raises(BotFailed, match="longer than"):
        play("camelup", [("compiler", Compiler(then=2 * LIMIT)), "random"], seed=1, seconds=LIMIT, max_plies=8)


def test_worker_processes_do_not_count_it_either() -> None:
    def decide(view: Any, rng: random.Random) -> Any:
        return Compiler().decide(view, rng)

    run = simulate("camelup", [decide, "random"], games=1, limit=LIMIT, max_plies=8)
    assert run.faults == ()


def test_a_process_that_compiles_is_not_overdue() -> None:
    watch = worker_processes._SharedWatch(notes := [0.0] * len(worker_processes._NOTES))
    worker = worker_processes._Worker(lambda: None)
    worker._notes = notes
    watch.begin(1, LIMIT)
    watch.asked(0, 3, watching=False)
    notes[worker_processes._THINKING] -= 3600
    assert worker._overdue()
    watch.preparing(True)
    assert not worker._overdue()
    watch.preparing(False)
    assert not worker._overdue(), "its time begins anew"
