"""Worker processes: none of them is there at two tasks with the same dice."""

from __future__ import annotations

import os
import time
from pathlib import Path

from serai.arena.worker_processes import Processes


def look(others: list[int], seconds: float = 0.0) -> tuple[int, list[int]]:
    """This process, and which of the others are there."""
    time.sleep(seconds)
    return os.getpid(), [pid for pid in others if Path(f"/proc/{pid}").exists()]


def test_processes_that_met_some_dice_are_gone_when_they_come_again() -> None:
    with Processes(look, 3) as executor:
        for label in (1, 2, 3):
            executor.submit(label, [], apart=frozenset({label}))
        found: dict[int, int] = {}
        while len(found) < 3:
            found.update({done.label: done.value[0] for done in executor.finished(1.0)})
        executor.submit("again", list(found.values()), apart=frozenset({1, 2}))
        ((again, there),) = [done.value for done in executor.finished(30.0)]
        assert there == [found[3]], "only the one that met other dice"
        assert again not in (found[1], found[2])


def test_a_task_waits_for_one_with_the_same_dice() -> None:
    with Processes(look, 2) as executor:
        executor.submit("first", [], 0.5, apart=frozenset({"dice"}))
        executor.submit("second", [], apart=frozenset({"dice"}))
        (first,) = executor.finished(0.0)
        assert first.label == "first", "it was over before the second began"
        (second,) = executor.finished(30.0)
        assert second.value[0] != first.value[0]
