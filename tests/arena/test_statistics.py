"""Statistics of many games: known intervals, ties, pooled bots, coverage."""

from __future__ import annotations

import random

import pytest

from serai.arena.statistics import quantile, student, summarise, wilson
from serai.lab.tally import Tally

Seats = tuple[int, ...]


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


@pytest.mark.parametrize(
    ("free", "expected"),
    [
        # 0.975 quantiles of Student's t distribution by degrees of freedom
        (1, 12.706204736),
        (2, 4.302652730),
        (3, 3.182446305),
        (4, 2.776445105),
        (5, 2.570581836),
        (10, 2.228138852),
        (30, 2.042272456),
        (38, 2.024394164),
        (39, 2.022690920),
        (40, 2.021075390),
        (41, 2.019540970),
        (120, 1.979930405),
        (100_000, 1.959987708),
    ],
)
def test_the_factor_of_an_interval_is_students_quantile(free: int, expected: float) -> None:
    assert student(free + 1) == pytest.approx(expected, abs=2e-6)


def test_one_group_gives_no_interval() -> None:
    with pytest.raises(ValueError, match="two groups"):
        student(1)


def add(tally: Tally, seating: Seats, scores: Seats, winners: Seats, *, plies: int) -> None:
    tally.add(seating, scores, winners, plies=plies, decisions=plies - 1, measures={"rounds": plies // 5})


def test_a_shared_victory_counts_its_part() -> None:
    tally = Tally.empty(2)
    add(tally, (0, 1), (5, 5), (0, 1), plies=10)
    add(tally, (1, 0), (9, 3), (0,), plies=20)
    summary = summarise(tally, ["a", "b"])
    assert [side.wins.share for side in summary.bots] == [0.25, 0.75]
    assert [side.wins.share for side in summary.seats] == [0.75, 0.25]
    assert summary.ties == 1
    assert (summary.plies.mean, summary.plies.least, summary.plies.most) == (15, 10, 20)
    assert [side.scores.mean for side in summary.bots] == [4, 7]
    assert [side.distribution for side in summary.bots] == [{3: 1, 5: 1}, {5: 1, 9: 1}]
    assert summary.measures == {"rounds": {2: 1, 4: 1}}
    assert (tally.plies, tally.decisions) == (30, 28)


def test_tallies_add_up() -> None:
    rng = random.Random(1)
    games = [((0, 1), (rng.randint(0, 3), rng.randint(0, 3)), (rng.choice([(0,), (1,), (0, 1)]))) for _ in range(20)]
    whole, parts = Tally.empty(2), [Tally.empty(2), Tally.empty(2)]
    for number, (seating, scores, winners) in enumerate(games):
        add(whole, seating, scores, winners, plies=number)
        add(parts[number % 2], seating, scores, winners, plies=number)
    parts[0].merge(parts[1])
    assert summarise(parts[0], ["a", "b"]) == summarise(whole, ["a", "b"])


def test_quantiles_are_numbers_that_were_seen() -> None:
    numbers = {1: 1, 2: 2, 9: 1}
    assert [quantile(numbers, part) for part in (0.0, 0.25, 0.5, 0.75, 0.76, 1.0)] == [1, 1, 2, 2, 9, 9]


def test_entrants_of_one_name_are_counted_together() -> None:
    tally = Tally.empty(3)
    add(tally, (0, 1, 2), (1, 2, 6), (2,), plies=5)
    x, y = summarise(tally, ["x", "y", "x"]).bots
    assert (x.name, x.seats, x.wins.share, x.scores.mean) == ("x", 2, 0.5, 3.5)
    assert (y.name, y.seats, y.wins.share) == ("y", 1, 0.0)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    rng = random.Random(3)
    wins = scores = 0
    rounds = 400
    for _ in range(rounds):
        tally = Tally.empty(2)
        for _ in range(60):
            winner = 0 if rng.random() < 0.3 else 1
            add(tally, (0, 1), (rng.randint(0, 20), 0), (winner,), plies=1)
        side = summarise(tally, ["a", "b"]).bots[0]
        wins += side.wins.low <= 0.3 <= side.wins.high
        scores += side.scores.low <= 10 <= side.scores.high
    assert 0.92 * rounds <= wins <= 0.98 * rounds
    assert 0.91 * rounds <= scores <= 0.98 * rounds


def test_intervals_of_paired_games_hold_the_truth_though_games_of_a_group_are_alike() -> None:
    """The winner's seat is decided by the dice of the group, half the time: games alone would promise too much."""
    rng = random.Random(4)
    held = held_by_games = 0
    rounds = 400
    for _ in range(rounds):
        paired, alone = Tally.empty(2, paired=True), Tally.empty(2)
        for _ in range(40):
            lucky = rng.random() < 0.5
            for seating in ((0, 1), (1, 0)):
                winner = seating.index(0) if lucky else rng.randrange(2)
                for tally in (paired, alone):
                    add(tally, seating, (winner == 0, winner == 1), (winner,), plies=1)
        side, other = (summarise(tally, ["a", "b"]).bots[0] for tally in (paired, alone))
        held += side.wins.low <= 0.75 <= side.wins.high and side.scores.low <= 0.75 <= side.scores.high
        held_by_games += other.wins.low <= 0.75 <= other.wins.high
    assert 0.91 * rounds <= held <= 0.98 * rounds
    assert held_by_games < held


def test_what_follows_from_the_pairing_alone_is_certain() -> None:
    tally = Tally.empty(2, paired=True)
    for winner in (0, 1, 1):
        for seating in ((0, 1), (1, 0)):
            add(tally, seating, (winner == 0, winner == 1), (winner,), plies=1)
    a, b = summarise(tally, ["a", "b"]).bots
    assert (a.wins.share, a.scores.low, a.scores.high) == (0.5, 0.5, 0.5)
    assert a.wins == b.wins
    assert summarise(tally, ["a", "b"]).seats[1].wins == wilson(2 / 3, 3)  # three groups, not six games
