"""How long bots that are tried one after the other still need."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serai.server.bots.trial_times import TrialTimes


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_what_is_left_shrinks_with_the_clock_and_with_every_trial() -> None:
    clock = Clock()
    times = TrialTimes({"weak": 2.0, "strong": 12.0, "best": 1.0}, clock)
    clock.now += 5
    assert times.seconds_left() == {"weak": 2.0, "strong": 14.0, "best": 15.0}, "nothing has begun yet"
    times.begin()
    clock.now += 1.5
    assert times.seconds_left() == {"weak": 0.5, "strong": 12.5, "best": 13.5}
    clock.now += 0.5
    times.end()
    assert times.seconds_left() == {"strong": 12.0, "best": 13.0}


def test_a_slow_machine_is_noticed_by_what_it_did() -> None:
    clock = Clock()
    times = TrialTimes({"weak": 2.0, "strong": 12.0}, clock)
    times.begin()
    clock.now += 6
    times.end()
    assert times.seconds_left() == {"strong": pytest.approx(24.0)}
    times.begin()
    clock.now += 40
    assert times.seconds_left() == {"strong": 10.0}, "later than expected: it is not said to be ready at once"
    times.end()
    assert times.seconds_left() == {}


def test_short_trials_do_not_promise_that_compiling_is_short() -> None:
    times = TrialTimes({"a": 5.0, "b": 5.0, "strong": 12.0}, Clock())
    for _ in "ab":
        times.begin()
        times.end()
    assert times.seconds_left() == {"strong": 12.0}


@given(st.lists(st.floats(0.1, 60), min_size=1, max_size=6), st.lists(st.floats(0, 100), max_size=6), st.floats(0, 100))
def test_those_tried_later_are_never_ready_earlier(expected: list[float], taken: list[float], gone: float) -> None:
    clock = Clock()
    times = TrialTimes({str(bot): seconds for bot, seconds in enumerate(expected)}, clock)
    for seconds in taken[: len(expected) - 1]:
        times.begin()
        clock.now += seconds
        times.end()
    times.begin()
    clock.now += gone
    left = list(times.seconds_left().values())
    assert left == sorted(left)
    assert all(seconds >= 0 for seconds in left)
