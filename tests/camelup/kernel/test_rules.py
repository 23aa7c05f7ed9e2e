"""The compiled rules are the rules: both are played side by side and compared after every ply."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest

import serai
from serai.bots.random import RandomBot
from serai.camelup import GAME, CamelUpState
from serai.camelup.kernel import layout, rules
from serai.camelup.kernel.bridge import NUMBERS, actions_of, to_row, to_state
from serai.camelup.rules.actions import ALL_ACTIONS, Roll
from tests.support import amount, assert_frequencies, random_play


@pytest.mark.parametrize("players", GAME.players)
def test_rules_and_kernel_agree_on_every_field_and_every_action_after_every_ply(players: int) -> None:
    rng = random.Random(players)
    plies = 0
    while plies < amount(8_000, 720_000):
        state = GAME.new(players, first=rng.randrange(players), hide_money=rng.random() < 0.5)
        row = to_row(state)
        eager = rng.random()
        while True:
            assert row.tolist() == to_row(state).tolist(), state
            assert actions_of(rules.legal(row)) == state.actions(), state
            if state.over:
                break
            action = _choice(state, rng, eager)
            state = state.apply(action)
            rules.act(row, NUMBERS[action])
            plies += 1
        assert to_state(row) == state


def _choice(state: CamelUpState, rng: random.Random, eager: float) -> Any:
    """Games of all tempers: from those that empty every hand and move tiles all the time to those that only roll."""
    if state.actor is serai.CHANCE:
        return state.sample(rng)
    if rng.random() < eager:
        return RandomBot().decide(state, rng)
    return rng.choice([state.actions()[-1], Roll(), rng.choice(state.actions())])


def test_every_state_and_every_view_crosses_the_bridge_unchanged() -> None:
    rng = random.Random(3)
    for players in GAME.players:
        for state, *_ in random_play(GAME, players, rng, first=players - 1):
            for view in (state, state.seen_by(None), *map(state.seen_by, range(players))):
                assert to_state(to_row(view)) == view


def test_action_numbers_follow_the_order_of_the_rules() -> None:
    assert [NUMBERS[action] for action in ALL_ACTIONS] == list(range(layout.ALL_ACTIONS))
    assert ALL_ACTIONS[layout.ROLL_ACTION] == Roll()
    assert str(ALL_ACTIONS[layout.MIRAGE_ACTION]) == "mirage 2"
    assert str(ALL_ACTIONS[layout.LOSER_ACTION]) == "loser blue"
    assert str(ALL_ACTIONS[layout.DIE_ACTION + 5]) == "die green 3"


def test_random_picks_a_kind_uniformly_then_an_action_of_that_kind() -> None:
    rng = random.Random(4)
    states = [state for state, *_ in random_play(GAME, 3, rng) if state.actor is not serai.CHANCE]
    for state in rng.sample(states, 8):
        row, words = to_row(state), np.array([rng.getrandbits(64)], np.uint64)
        kinds = Counter(action.kind for action in state.actions())
        chances = {action: 1 / len(kinds) / kinds[action.kind] for action in state.actions()}
        assert_frequencies(lambda: ALL_ACTIONS[rules.random_action(row, words, 0)], chances)  # noqa: B023


def test_dice_are_drawn_like_the_chances_of_the_rules() -> None:
    state = GAME.new(2).apply(GAME.parse("die orange 2")).apply(GAME.parse("die blue 1"))
    row, words = to_row(state), np.array([9], np.uint64)
    chances = {action: float(chance) for action, chance in state.chances()}
    assert_frequencies(lambda: ALL_ACTIONS[rules.drawn_die(row, words, 0)], chances)


def test_nobody_waits_for_numba_who_did_not_ask_for_speed() -> None:
    code = "import sys, serai, serai.camelup; serai.game('camelup').new(4); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
