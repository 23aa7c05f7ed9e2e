"""The compiled rules are the rules: both are played side by side and compared after every ply."""

from __future__ import annotations

import random

import numpy as np
import pytest

import serai
from serai.bots.random import RandomBot
from serai.camelup import CamelUpState, kernel, layout
from serai.camelup.bridge import NUMBERS, actions_of, to_row, to_state
from tests.support import amount

GAME = serai.game("camelup")


@pytest.mark.parametrize("players", GAME.players)
def test_rules_and_kernel_agree_on_every_field_and_every_action_after_every_ply(players: int) -> None:
    rng = random.Random(players)
    row = np.full(layout.ROW_SIZE, 99, np.int16)
    plies = 0
    while plies < amount(15_000, 720_000):
        state: CamelUpState = GAME.new(players, first=rng.randrange(players), hide_money=rng.random() < 0.5)
        kernel.set_up(row, players, state.options.first, state.options.hide_money)
        eager = rng.random()
        while True:
            assert row.tolist() == to_row(state).tolist(), state
            assert actions_of(kernel.legal(row)) == state.actions(), state
            if state.over:
                break
            action = _choice(state, rng, eager)
            state = state.apply(action)
            kernel.act(row, NUMBERS[action])
            plies += 1
        assert to_state(row) == state


def _choice(state: CamelUpState, rng: random.Random, eager: float) -> object:
    """Games of all tempers: from those that empty every hand and move tiles all the time to those that only roll."""
    if state.actor is serai.CHANCE:
        return state.sample(rng)
    if rng.random() < eager:
        return RandomBot().decide(state, rng)
    return rng.choice([state.actions()[-1], serai.camelup.Roll(), rng.choice(state.actions())])
