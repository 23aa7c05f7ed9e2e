"""In how many seconds the bots that are tried one after the other are ready."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

STEADY = 2.0
"""How many seconds as expected are counted before the first trial, so that a short one does not decide the pace."""
LATE = 0.25
"""Of the time that a trial has taken already: what it is given more when it takes longer than expected."""


class TrialTimes:
    """What the trials are expected to take, corrected by what those before took here."""

    def __init__(self, expected: Mapping[str, float], clock: Callable[[], float] = time.monotonic) -> None:
        """``expected``: seconds by bot, in the order of the trials."""
        self._left = dict(expected)
        self._clock = clock
        self._began: float | None = None
        self._done_expected = self._done_taken = STEADY

    def begin(self) -> None:
        """The next trial begins."""
        self._began = self._clock()

    def end(self) -> None:
        """It is over."""
        assert self._began is not None
        bot = next(iter(self._left))
        self._done_expected += self._left.pop(bot)
        self._done_taken += self._clock() - self._began
        self._began = None

    def seconds_left(self) -> dict[str, float]:
        """By bot whose trial is not over: in how many seconds it will be."""
        # Short trials that were even shorter do not make compiling faster.
        pace = max(self._done_taken / self._done_expected, 1.0)
        total, left = 0.0, {}
        gone = 0.0 if self._began is None else self._clock() - self._began
        for bot, expected in self._left.items():
            # Only the first of them can have begun.
            total += max(expected * pace - gone, gone * LATE)
            gone = 0.0
            left[bot] = total
        return left
