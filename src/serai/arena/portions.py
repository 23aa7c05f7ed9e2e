"""Numbered games cut into portions of about equal time, for any pool of workers."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import TypeVar

_T = TypeVar("_T")

_SECONDS = 0.25
"""How long one worker should play before it reports: often enough for a lively bar, seldom enough to cost nothing."""
_AHEAD = 4
"""How many portions per worker may wait."""


def in_portions(pool: Executor, play: Callable[[range], _T], games: int, jobs: int) -> Iterator[_T]:
    """What ``play`` answers for the games 0, 1, …, portion by portion, in order."""
    waiting: deque[tuple[int, Future[tuple[_T, float]]]] = deque()
    given = 0
    size = 1
    while given < games or waiting:
        while given < games and len(waiting) < jobs * _AHEAD:
            portion = range(given, min(given + size, games))
            waiting.append((len(portion), pool.submit(_timed, play, portion)))
            given = portion.stop
        count, future = waiting.popleft()
        played, seconds = future.result()
        yield played
        fitting = _SECONDS * count / max(seconds, 1e-6)
        # near the end portions get small, so that all workers finish at about the same time
        size = max(1, min(int(fitting), (games - given) // (jobs * _AHEAD)))


def _timed(play: Callable[[range], _T], portion: range) -> tuple[_T, float]:
    began = time.perf_counter()
    played = play(portion)
    return played, time.perf_counter() - began
