"""Statistics of many games: known intervals, ties, pooled bots, coverage."""

from __future__ import annotations

import random

import pytest

from serai.cli.statistics import Tally, wilson


@pytest.mark.parametrize(
    ("share", "count", "low", "high"),
    [
        # textbook values of the Wilson score interval at 95 %
        (0.5, 100, 0.4038, 0.5962),
        (0.0, 10, 0.0, 0.2775),
        (1.0, 10, 0.7225, 1.0),
        (0.2, 10, 0.0567, 0.5098),
    ],
)
def test_wilson(share: float, count: int, low: float, high: float) -> None:
    found = wilson(share, count)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_a_shared_victory_counts_its_part() -> None:
    tally = Tally(["a", "b"])
    tally.add((0, 1), (5, 5), (0, 1), 10)
    tally.add((1, 0), (9, 3), (0,), 20)
    summary = tally.summary()
    assert [side.wins.share for side in summary.bots] == [0.25, 0.75]
    assert [side.wins.share for side in summary.seats] == [0.75, 0.25]
    assert summary.ties == 1
    assert (summary.plies.mean, summary.plies.least, summary.plies.most) == (15, 10, 20)
    assert [side.scores.mean for side in summary.bots] == [4, 7]


def test_entrants_of_one_name_are_counted_together() -> None:
    tally = Tally(["x", "y", "x"])
    tally.add((0, 1, 2), (1, 2, 6), (2,), 5)
    x, y = tally.summary().bots
    assert (x.name, x.seats, x.wins.share, x.scores.mean) == ("x", 2, 0.5, 3.5)
    assert (y.name, y.seats, y.wins.share) == ("y", 1, 0.0)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng = random.Random(3)
    wins = scores = 0
    rounds = 400
    for _ in range(rounds):
        tally = Tally(["a", "b"])
        for _ in range(60):
            winner = 0 if rng.random() < 0.3 else 1
            tally.add((0, 1), (rng.randint(0, 20), 0), (winner,), 1)
        side = tally.summary().bots[0]
        wins += side.wins.low <= 0.3 <= side.wins.high
        scores += side.scores.low <= 10 <= side.scores.high
    assert 0.92 * rounds <= wins <= 0.98 * rounds
    assert 0.91 * rounds <= scores <= 0.98 * rounds
