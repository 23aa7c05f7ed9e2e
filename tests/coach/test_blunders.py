"""Planted blunders are found and named, in positions where nobody would doubt them; sound play is left alone."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import serai
from serai.arena.simulate import Simulation
from serai.coach.decisions import LOOK, Alternative, Decision, judge_decision, verdict_on
from serai.coach.evaluator import Evaluator
from serai.coach.review import Rate, plays_like, rate_of
from serai.core.parts import Coach
from serai.core.record import replay
from serai.core.rollouts import HABIT, Playouts
from serai.lab.rollouts import ArrayPlayouts
from tests.camelup import positions as camels
from tests.pharaoh import positions as pyramid


def decided(game: str, state: Any, action: str) -> Decision:
    found = serai.game(game)
    decision = judge_decision(Evaluator(found, effort="usual", seed=1), state, found.parse(action), None)
    assert decision is not None
    return decision


def test_a_leg_tile_on_a_camel_that_cannot_lead() -> None:
    state = camels.at("1b 9gyow", out="gyow", money=(9, 9))
    found = decided("camelup", state, "leg blue")
    assert found.verdict == "very bad"
    reason = found.alternatives[found.chosen].reasons[0]
    assert (reason.key, reason.values["seats"]) == ("coach.camelup.gets.leg_of", (0,))
    assert reason.values["pounds"] < -2
    pounds, most = reason.values["pounds"], ", ".join(reason.values["most"])
    assert str(reason) == f"leg tiles bring seat 0 {pounds:+.1f} pounds on average, above all {most}"
    assert found.alternatives[0].action == "loser blue"
    assert decided("camelup", state, "loser blue").verdict == "fine"


def test_a_race_card_laid_late_on_a_camel_that_cannot_win() -> None:
    hands = ((0, 1, 2, 3, 4), (0, 1, 2))
    state = camels.at("3b 15gyow", out="gyow", money=(9, 9), winner_deck=((1, 4), (1, 3)), hands=hands)
    found = decided("camelup", state, "winner blue")
    assert found.verdict in ("bad", "very bad")
    *_, last = reasons = found.alternatives[found.chosen].reasons
    assert reasons[0].key == "coach.camelup.gets.tile_poor", "what the better action takes comes first"
    assert (last.key, last.values["seats"]) == ("coach.camelup.gets.loser_later", (0,)), "where it would have paid"
    assert (last.values["camel"], last.weight < 0) == ("blue", True)


def test_a_desert_tile_that_pays_a_rival() -> None:
    bets: Any = ((), (), (), (0,), (1, 1, 1))
    found = decided("camelup", camels.at("3bg 5o 6w 9y", out="bgoy", money=(10, 10), leg_bets=bets), "oasis 8")
    assert found.verdict == "very bad"
    helped = [reason for reason in found.alternatives[found.chosen].reasons if reason.values["seats"] == (1,)]
    assert [reason.key for reason in helped] == ["coach.camelup.gets.race_of"], "several cards: the largest are named"
    assert all(reason.values["pounds"] > 1 > 0 > reason.weight for reason in helped)


def test_a_walk_with_no_way_home() -> None:
    state = pyramid.at("""
        ? x x x ? ?
        ? x x x ? ?
        ? ? │ ? ? ?
        ? ? │ ? ? ?
        ? ? │ ? ? ?
        ? ? S ? ? ?
        0 A=c3+3
        1 museum=2
        lost mask
        mask c6 finder=1 clock=0 ring=1
        turn 0 moves=1
    """)
    found = decided("pharaoh", state, "archaeologist c4")
    assert found.verdict == "very bad"
    reason = found.alternatives[found.chosen].reasons[0]
    assert (reason.key, reason.values["seats"]) == ("coach.pharaoh.gets.home_far", (0,))
    assert (reason.values["share"], reason.values["before"]) == (0, 100)
    assert decided("pharaoh", state, found.alternatives[0].action).verdict == "fine"


@pytest.mark.parametrize(
    ("loss", "error", "verdict"),
    [
        (0.0, 0.0, "fine"),
        (0.019, 0.001, "fine"),
        (0.031, 0.01, "doubtful"),
        (0.05, 0.03, "fine"),
        (0.05, 0.02, "doubtful"),
        (0.061, 0.02, "bad"),
        (0.09, 0.01, "very bad"),
    ],
)
def test_a_loss_is_called_what_it_is_at_least_and_nothing_below_two_standard_errors(
    loss: float, error: float, verdict: str
) -> None:
    assert verdict_on(loss, error) == verdict


def regret(wins: npt.NDArray[np.float32]) -> float:
    """By compiled rollouts and by plain ones alike."""
    by_seat = wins[:, :, None]
    found = ArrayPlayouts((), by_seat, by_seat).regret(0)
    assert Playouts(tuple(wins), by_seat.tolist(), ()).regret(0) == pytest.approx(found)
    return found


def test_noise_cancels_in_regrets_as_it_would_not_in_losses() -> None:
    rng = np.random.default_rng(1)
    looks = [rng.random((4, 30), np.float32) for _ in range(400)]
    regrets = [regret(wins) for wins in looks]
    assert abs(statistics.mean(regrets)) < 4 * statistics.stdev(regrets) / len(regrets) ** 0.5
    assert statistics.mean(float((wins.mean(axis=1) - wins[0].mean()).max()) for wins in looks) > 0.05


def test_a_regret_is_the_whole_distance_where_the_best_is_clear() -> None:
    rng = np.random.default_rng(1)
    wins = 0.1 * rng.random((3, 21), np.float32)
    wins[2] += 0.5
    assert regret(wins) == pytest.approx(float(wins[2].mean() - wins[0].mean()), abs=1e-6)
    assert regret(wins[::-1]) == 0
    assert regret(wins[:, :1]) == 0  # nobody has a favourite before the first


class Beside(Coach):
    """Levels of a game that is made up."""

    level_rates: Mapping[str, float] = {"weak": 0.03, "middling": 0.01, "strong": 0.002}


def test_somebody_plays_like_the_level_that_loses_as_much() -> None:
    class ByStakes(Beside):
        def measure(self, as_hard: float, at_stake: float) -> float:
            return at_stake

    class Unrated(Beside):
        level_rates: Mapping[str, float] = {}

    assert plays_like(Rate(20, 20 * 0.028, 20, 5), Beside()) == "weak"
    assert plays_like(Rate(20, 0.0, 20, 5), Beside()) == "strong"
    assert plays_like(Rate(20, 20 * 0.011, 20, 5), Beside()) == "middling"
    assert plays_like(Rate(20, 20 * 0.011, 20, 5), ByStakes()) == "weak"
    assert plays_like(Rate(4, 0.4, 4, 4), Beside()) is None
    assert plays_like(Rate(20, 0.4, -0.1, 5), Beside()) is None
    assert plays_like(Rate(20, 0.4, 20, 5), Unrated()) is None


def test_losses_are_set_against_what_those_who_play_on_would_lose() -> None:
    def lost(regret: float, difficulty: float) -> Decision:
        best = Alternative("end", 0.1, 0.0, 0.0, 64)
        return Decision(0, "end", (best,), 0, 0.0, 0.0, 0.0, 0.0, "fine", True, regret=regret, difficulty=difficulty)

    hard, easy = [lost(0.1, 0.1)] * 3, [lost(0.02, 0.02)] * 20
    as_they_do = [rate_of(some, 0.05).error_rate for some in (hard, easy, hard + easy)]
    assert as_they_do == pytest.approx([0.05] * 3)
    twice = rate_of([lost(0.1, 0.05)], 0.05)
    assert (twice.each, twice.error_rate, twice.at_stake) == pytest.approx((0.1, 0.1, 0.36))
    assert rate_of([lost(0.01, 0.0)], 0.05).error_rate is None


def test_difficulty_is_what_the_best_would_gain_on_those_who_play_on() -> None:
    evaluator = Evaluator(serai.game("pharaoh"), effort="low", seed=3)
    record = Simulation(evaluator.game, ("scarab",) * 2, seed="hard").record(0)
    found = []
    for ply in list(replay(record))[10:60:10]:
        if (
            ply.drawn
            or (decision := judge_decision(evaluator, ply.before, ply.action, None)) is None
            or not decision.counts
        ):
            continue
        look = max(4, evaluator.compared // LOOK)
        habit = evaluator.play_on(ply.before, (HABIT,), evaluator.compared, None, first=look)
        chosen = decision.alternatives[decision.chosen].wins
        gained = chosen - float(habit.means(ply.before.actor)[0])
        assert decision.difficulty == pytest.approx(decision.regret + gained)
        found.append(decision.difficulty)
    assert any(found)


@pytest.mark.parametrize("name", serai.games())
def test_every_level_was_measured_and_the_strongest_errs_least(name: str) -> None:
    game = serai.game(name)
    coach = game.coach
    assert coach is not None
    assert tuple(coach.level_rates) == game.levels
    assert coach.reference in game.levels
    assert min(coach.level_rates, key=coach.level_rates.__getitem__) == game.levels[-1]
