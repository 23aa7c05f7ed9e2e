"""Odds against brute force, published counts and Monte Carlo through the rules."""

from __future__ import annotations

import random
import subprocess
import sys
from math import sqrt
from typing import Any

import numpy as np
import pytest

import serai
from serai.camelup.odds import report
from serai.camelup.odds.answer import Odds
from serai.camelup.odds.leg import count_leg
from serai.camelup.odds.race_table import ALL_DICE, POSITIONS, race_table, spaces
from serai.camelup.odds.report import expected_money, odds
from serai.camelup.policy import leg
from serai.camelup.policy.scratch import new_walk
from serai.camelup.rules.pieces import CAMEL_NAMES, CAMELS, TRACK_SIZE
from serai.camelup.rules.track import crossed, ranking
from serai.camelup.text.position import Position, parse_position, situation
from tests.camelup.odds.brute import race_ends, random_position, tally_leg
from tests.camelup.positions import GAME
from tests.support import amount

COMPILED = [False, True]


def counts(found: Odds) -> list[tuple[int, int, int]]:
    return [(c.first, c.second, c.last) for c in found.counts.values()]


@pytest.mark.parametrize("compiled", COMPILED)
def test_published_counts_of_a_single_stack(compiled: bool) -> None:
    found = odds("1bgoyw", compiled=compiled)
    assert found.sequences == 29160
    assert [row[0] for row in counts(found)] == [2435, 4769, 5956, 6834, 9166]
    assert [row[1] for row in counts(found)] == [2857, 4858, 6076, 8272, 7097]


@pytest.mark.parametrize("compiled", COMPILED)
def test_published_counts_with_an_oasis(compiled: bool) -> None:
    assert [row[0] for row in counts(odds("3bgo 5yw | +6", compiled=compiled))] == [2994, 5369, 7868, 4773, 8156]


def test_leg_counts_equal_brute_force() -> None:
    rng = random.Random(4)
    for number in range(amount(30, 1000)):
        # every number of dice and of tiles in turn, every fifth near the finish
        position = random_position(
            rng, dice=1 + number % 5, tiles=number % 9, least_space=11 + number % 6 if number % 5 == 0 else None
        )
        tally = tally_leg(position)
        for compiled in COMPILED:
            found = odds(position, actions=False, compiled=compiled)
            assert counts(found) == [(tally.first[c], tally.second[c], tally.last[c]) for c in CAMELS], str(position)
            assert found.ends == tally.ends / found.sequences
            assert found.stops == {space: tally.stops[space] / found.sequences for space in range(1, 17)}


@pytest.mark.parametrize("compiled", COMPILED)
def test_race_chances_near_the_finish_are_exact(compiled: bool) -> None:
    """Leg by brute force with tiles, then every further leg without, in fractions."""
    rng = random.Random(5)
    for number in range(amount(12, 100)):
        position = random_position(rng, dice=1 + number % 4, tiles=number % 4, least_space=13 + number % 3)
        expected: dict[tuple[int, int], float] = {}
        tally = tally_leg(position)
        found = odds(position, actions=False, compiled=compiled)
        for track, ways in tally.leaves.items():
            for pair, exact in race_ends(track, ()).items():
                expected[pair] = expected.get(pair, 0.0) + ways * float(exact) / found.sequences
        for winner, row in found.joint.items():
            for loser, chance in row.items():
                pair = CAMEL_NAMES.index(winner), CAMEL_NAMES.index(loser)
                assert chance == pytest.approx(expected.get(pair, 0.0), abs=1e-12), str(position)


def test_joint_chances_agree_with_the_single_ones() -> None:
    found = odds("1gyo 3bw | +5 -9")
    for name in CAMEL_NAMES:
        assert found.race[name].winner == pytest.approx(sum(found.joint[name].values()), abs=1e-12)
        assert found.race[name].loser == pytest.approx(sum(row.get(name, 0.0) for row in found.joint.values()))
    assert sum(chances.winner for chances in found.race.values()) == pytest.approx(1)


def test_monte_carlo_through_the_rules_agrees() -> None:
    """Play the race on with nobody but the roller acting; every chance within five standard errors."""
    rng = random.Random(6)
    games = amount(600, 20000)
    for text in ("1gyo 3bw | +5 -9 | bgoyw", "6b 9gyo 11w | -10 +13 | bow"):
        start = situation(parse_position(text))
        wins, losses, firsts = [0] * 5, [0] * 5, [0] * 5
        for _ in range(games):
            state = GAME.imagine(start, rng)
            leader: int | None = None
            while not crossed(state.track):
                state = state.apply(GAME.parse("roll"))
                leg = state.leg
                state = state.apply(state.sample(rng))
                if leader is None and (state.leg > leg or state.over):
                    leader = ranking(state.track)[0]
            assert leader is not None
            firsts[leader] += 1
            wins[ranking(state.track)[0]] += 1
            losses[ranking(state.track)[-1]] += 1
        found = odds(text, actions=False)
        for camel, name in enumerate(CAMEL_NAMES):
            for seen, chance in (
                (firsts[camel], found.leg[name].first),
                (wins[camel], found.race[name].winner),
                (losses[camel], found.race[name].loser),
            ):
                assert abs(seen / games - chance) <= 5 * sqrt(chance * (1 - chance) / games) + 1e-12, (text, name)


def test_who_asks_more_often_gets_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []

    def counting(*given: Any, **how: Any) -> Any:
        counted.append(1)
        return count_leg(*given, **how)

    monkeypatch.setattr(report, "_asked", 0)
    monkeypatch.setattr(report, "count_leg", counting)
    game: Any = serai.game("camelup")
    view = game.position("1gyo 3bw | +5 -9 | bgoyw")
    reports = [game.odds(view, actions=False) for _ in range(5)]
    assert len(counted) == report._WORTH_COMPILING
    assert {found.counts["white"].first for found in reports} == {8271}


def test_both_paths_give_the_same_report() -> None:
    rng = random.Random(8)
    for number in range(amount(20, 200)):
        position = random_position(rng, dice=1 + number % 5, tiles=number % 8)
        plain, fast = odds(position, compiled=False), odds(position, compiled=True)
        assert plain.counts == fast.counts
        assert plain.stops == fast.stops
        assert plain.best == fast.best
        assert list(plain.actions) == list(fast.actions)
        assert list(plain.actions.values()) == pytest.approx(list(fast.actions.values()), abs=1e-11)
        for action, placement in plain.deserts.items():
            assert placement.earns == fast.deserts[action].earns
            assert placement.leg == fast.deserts[action].leg
            for name, chances in placement.race.items():
                assert chances.winner == pytest.approx(fast.deserts[action].race[name].winner, abs=1e-12)
                assert chances.loser == pytest.approx(fast.deserts[action].race[name].loser, abs=1e-12)


def test_no_odds_before_the_first_leg_and_after_the_race() -> None:
    state = GAME.new(players=2)
    with pytest.raises(serai.errors.SeraiError, match="first leg"):
        odds(state)
    rng = random.Random(1)
    while not state.over:
        state = state.apply(state.sample(rng) if state.actor is serai.CHANCE else state.actions()[-1])
    with pytest.raises(serai.errors.SeraiError, match="over"):
        odds(state)


def test_a_state_while_its_die_falls_has_the_odds_from_before() -> None:
    view = situation(Position(parse_position("1gyo 3bw").track))
    rolling = view.apply(GAME.parse("roll"))
    assert odds(rolling).leg == odds(view).leg
    assert odds(rolling).actions == {}


def test_scratch_arrays_hold_every_leg() -> None:
    """From every position with all dice left, under random tiles: the most states of a leg, far below the limit."""
    rng = random.Random(9)
    walk = new_walk()
    most = 0
    for position in range(0, POSITIONS, amount(12, 1)):
        tiles = np.zeros(TRACK_SIZE, np.int8)
        for space in rng.sample(range(2, 17), rng.choice((0, 4, 15))):
            if space not in spaces()[position] and not tiles[space - 1] and not tiles[space + 1]:
                tiles[space] = rng.choice((1, -1))
        most = max(most, leg.walk_leg(race_table(), walk, position, ALL_DICE, tiles, True))
    assert 2000 < most < len(walk.states) / 2


def test_odds_are_loaded_when_they_are_needed() -> None:
    code = """
import sys, serai
game = serai.game("camelup")
assert "numpy" not in sys.modules, "a game needs no NumPy"
from serai.bots import find_bot
view = game.new(players=2)
import random
rng = random.Random(1)
while view.actor is serai.CHANCE:
    view = view.apply(view.sample(rng))
find_bot(game, "greedy")().decide(view.seen_by(view.actor), rng)
assert "numpy" in sys.modules and "numba" not in sys.modules, "a bot at a table needs no numba"
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_expected_money_is_what_the_dice_bring_on_average() -> None:
    """Against the dice themselves; purses that ran dry would earn a little more than expected."""
    rng = random.Random(4)
    state: Any = GAME.new(players=3)
    for text in ("die blue 1", "die green 2", "die orange 3", "die yellow 2", "die white 1"):
        state = state.apply(GAME.parse(text))
    for text in ("leg blue", "winner green", "oasis 5", "leg white", "leg blue", "loser white", "winner orange"):
        state = state.apply(GAME.parse(text))
    expected = expected_money(state)
    games = amount(600, 20_000)
    sums = np.zeros(3)
    for _ in range(games):
        end: Any = state
        while not end.over:
            if end.actor is serai.CHANCE:
                end = end.apply(end.sample(rng))
            else:
                sums[end.actor] -= 1  # a pyramid tile for who rolls, which nobody expected
                end = end.apply(GAME.parse("roll"))
        sums += end.money
    assert sums / games == pytest.approx(expected, abs=0.45)
