"""Ratings find the strengths they come from, and say how sure they are."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest

from serai.arena.ratings import ANCHOR, ELO, RatedGames, places_of, rate
from serai.errors import BadArgument

SOAK = bool(os.environ.get("SERAI_SOAK"))


def tournament(rng, strengths, seats, groups, shared, known=0.0):
    """Line-ups drawn at random; each group has a game per rotation of the seats.

    An order is that of exponential times, which is Plackett and Luce's. The luck of a seat is shared between the games
    of a group to that degree, as dice are, while each game for itself keeps to the model. Somebody who judges it knows
    that part of it.
    """
    made = []
    for group in range(groups):
        entrants = tuple(rng.choice(len(strengths), seats, replace=False).tolist())
        common = rng.standard_normal(seats)
        times, seen = [], []
        for shift in range(seats):
            own = rng.standard_normal(seats)
            luck = shared * np.roll(common, -shift) + math.sqrt(1 - shared**2) * own
            noisy = known * luck + math.sqrt(1 - known**2) * rng.standard_normal(seats) if known else luck
            seen.append((noisy.mean() - noisy) / 4)  # who has less of it comes in sooner
            upper = np.array([math.erfc(value / math.sqrt(2)) / 2 for value in luck])
            times.append(-np.log(upper) / np.exp(strengths[list(entrants)]))
        order = np.array(times)
        made.append(
            RatedGames(entrants, (order[:, None, :] < order[:, :, None]).sum(2), np.full(seats, group), np.array(seen))
        )
    return made


@pytest.mark.parametrize(("seats", "shared"), [(2, 0.0), (2, 0.9), (4, 0.9), (8, 0.9)])
def test_intervals_hold_the_true_strength_95_times_of_100(seats, shared):
    strengths = np.linspace(-0.8, 0.8, 8)
    rng = np.random.default_rng(5 + seats)
    held = total = 0
    for _ in range(400 if SOAK else 40):
        found = rate(tournament(rng, strengths, seats, 480 // seats, shared), 8, anchor=3)
        for entrant in range(8):
            if entrant != 3:
                low, high = found.interval(entrant)
                held += low <= ANCHOR + ELO * (strengths[entrant] - strengths[3]) <= high
                total += 1
    least, most = (0.92, 0.98) if SOAK else (0.90, 0.99)
    assert least <= held / total <= most


@pytest.mark.parametrize("seats", [2, 4])
def test_without_luck_intervals_are_narrower_and_hold_the_truth_as_often(seats):
    strengths = np.linspace(-0.8, 0.8, 8)
    rng = np.random.default_rng(11 + seats)
    held = total = 0
    narrower = []
    for _ in range(400 if SOAK else 25):
        games = tournament(rng, strengths, seats, 480 // seats, 0.5, known=0.95)
        plain, found = (rate(games, 8, anchor=3, without_luck=out) for out in (False, True))
        narrower.append(found.error(0, 7) / plain.error(0, 7))
        for entrant in range(8):
            if entrant != 3:
                low, high = found.interval(entrant)
                held += low <= ANCHOR + ELO * (strengths[entrant] - strengths[3]) <= high
                total += 1
    least, most = (0.92, 0.98) if SOAK else (0.90, 0.99)
    assert least <= held / total <= most
    assert np.mean(narrower) < 0.8


def test_luck_that_tells_nothing_changes_next_to_nothing():
    rng, strengths = np.random.default_rng(4), np.zeros(3)
    games = [one._replace(luck=rng.standard_normal((3, 3))) for one in tournament(rng, strengths, 3, 400, 0.0)]
    plain, found = (rate(games, 3, without_luck=out) for out in (False, True))
    assert found.error(0, 1) == pytest.approx(plain.error(0, 1), rel=0.02)
    assert found.points == pytest.approx(plain.points, abs=plain.error(0, 1))


def test_luck_that_nobody_knows_cannot_be_taken_out():
    (game,) = tournament(np.random.default_rng(4), np.zeros(2), 2, 1, 0.0)
    other = game._replace(groups=game.groups + 1, places=game.places[::-1], luck=None)
    with pytest.raises(BadArgument, match="luck of every game"):
        rate([game, other], 2, without_luck=True)


def test_games_with_the_same_dice_are_not_taken_for_as_many_independent_ones():
    rng, strengths = np.random.default_rng(3), np.zeros(2)
    found = tournament(rng, strengths, 2, 300, 0.0)
    twice = [RatedGames(one.entrants, np.repeat(one.places, 8, axis=0), np.repeat(one.groups, 8)) for one in found]
    assert rate(twice, 2).error(0, 1) == pytest.approx(rate(found, 2).error(0, 1), rel=0.02)


def test_pairs_of_two_are_elo():
    places = np.array([[0, 1]] * 30 + [[1, 0]] * 10)
    found = rate([RatedGames((0, 1), places, np.arange(40))], 2, anchor=1)
    assert found.points[0] - found.points[1] == pytest.approx(400 * math.log10(3), rel=0.01)
    assert found.points[1] == ANCHOR


def test_ties_are_shared_and_pull_together():
    tied = np.array([[0, 0], [0, 1]])
    won = np.array([[0, 1], [0, 1]])
    lead = [
        float(np.subtract(*rate([RatedGames((0, 1), np.repeat(places, 50, axis=0), np.arange(100))], 2).points))
        for places in (tied, won)
    ]
    assert lead[0] == pytest.approx(400 * math.log10(3), rel=0.02)
    assert lead[1] > 1000


def test_an_entrant_who_always_wins_gets_a_wide_interval_instead_of_infinity():
    found = rate([RatedGames((0, 1), np.array([[0, 1]] * 200), np.arange(200))], 2, anchor=1)
    low, high = found.interval(0)
    assert not found.bounded
    assert 400 < low - ANCHOR < 400 * math.log10(200) + 200
    assert high - low > 400


def test_without_games_nobody_is_ahead():
    found = rate([], 3)
    assert found.points.tolist() == [ANCHOR] * 3
    low, high = found.interval(0)
    assert high - low > 1000


def test_an_entrant_on_several_seats_is_one():
    places = np.array([[0, 1, 2, 3], [1, 0, 2, 3], [2, 1, 0, 3], [3, 1, 2, 0]])
    found = rate([RatedGames((0, 1, 1, 1), places, np.zeros(4, int))], 2)
    assert found.points[0] == pytest.approx(found.points[1], abs=60)


def test_only_victories_count_if_asked():
    places = np.array([[0, 1, 2], [1, 0, 2], [0, 1, 2], [1, 0, 2], [1, 2, 0], [1, 2, 0]])
    lineups = [RatedGames((0, 1, 2), places, np.arange(6))]
    assert rate(lineups, 3, rank="victories").points == pytest.approx([ANCHOR] * 3, abs=1e-6)
    assert rate(lineups, 3).points[0] > ANCHOR


def test_winners_share_the_first_place_and_others_go_by_score():
    scores = np.array([[5, 9, 9, 2], [7, 9, 9, 7]])
    winners = np.array([[False, True, True, False], [False, False, True, False]])
    assert places_of(scores, winners).tolist() == [[2, 0, 0, 3], [2, 1, 0, 2]]
