"""Numbered work cut into errands of about a second, for however many workers there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from serai.arena.cluster.reach import Cluster

_SECONDS = 1.0
"""How long an errand should take: a hundred times what it costs to hand it out."""
_PARTS = 4
"""Near the end errands get so much smaller that all workers finish at about the same time."""
_LEAST = 0.1
"""How short an errand gets at the end: so much of a second nobody minds waiting."""
_WAIT = 0.2
"""Seconds between two looks at anything else."""


class Pace:
    """How much fits into an errand, as those before tell."""

    def __init__(self) -> None:
        self._each = 0.0

    def note(self, count: float, seconds: float) -> None:
        """So many took so long."""
        self._each = seconds / count

    def size(self, left: int, at_once: int) -> int:
        """How many to ask for next, of those that are left."""
        least, most = (int(seconds / self._each) if self._each else 1 for seconds in (_LEAST, _SECONDS))
        evenly = left // (max(1, at_once) * _PARTS)
        return max(1, min(left, most, max(least, evenly)))


def in_order(cluster: Cluster, ask: Callable[[range], Any], count: int) -> Iterator[tuple[range, Any]]:
    """What is answered for the numbers 0, 1, …, portion by portion, in order. ``ask`` can be pickled."""
    pace = Pace()
    given = told = 0
    waiting: dict[int, tuple[range, Any]] = {}
    try:
        while told < count:
            while given < count and cluster.room > 0:
                numbers = range(given, given + pace.size(count - given, cluster.at_once))
                cluster.ask(numbers, ask, numbers)
                given = numbers.stop
            for numbers, value, seconds in cluster.done(_WAIT):
                pace.note(len(numbers), seconds)
                waiting[numbers.start] = numbers, value
            while told in waiting:
                numbers, value = waiting.pop(told)
                yield numbers, value
                told = numbers.stop
    finally:
        cluster.drop()
