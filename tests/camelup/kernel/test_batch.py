"""A batch of Camel Up is lawful, and blind for others' cards."""

from __future__ import annotations

import random

import numpy as np
import pytest

import serai
from serai.camelup import GAME, CamelUpState
from serai.camelup.actions import ALL_ACTIONS
from serai.camelup.kernel import layout
from serai.camelup.kernel.batch import Batch
from serai.camelup.kernel.bridge import NUMBERS, to_row, to_state
from serai.camelup.kernel.lanes import observe
from tests.support import random_play


@pytest.mark.parametrize("players", GAME.players)
def test_mask_observation_and_reward_follow_the_rules(players: int) -> None:
    batch = Batch(6, players, seed=players, first=players - 1)
    seen = batch.buffers
    rng = random.Random(players)
    for _ in range(150):
        states = [to_state(row) for row in seen.rows]
        actions = []
        for lane, state in enumerate(states):
            assert seen.actors[lane] == state.actor
            assert [ALL_ACTIONS[action] for action in np.flatnonzero(seen.mask[lane])] == list(state.actions())
            assert isinstance(state.actor, int)
            assert seen.observations[lane].tolist() == _observed(state, state.actor)
            actions.append(NUMBERS[rng.choice(state.actions())])
        batch.step(np.array(actions))
        for lane, (state, action) in enumerate(zip(states, actions, strict=True)):
            after = state.apply(ALL_ACTIONS[action])
            money = seen.results[lane] if seen.finished[lane] else seen.rows[lane, layout.MONEY :]
            if after.actor is not serai.CHANCE:
                assert to_state(seen.rows[lane]) == after
            else:
                followers = [after.apply(die) for die in after.actions()]
                assert to_state(seen.rows[lane]) in followers or seen.finished[lane]
            assert seen.rewards[lane, :players].tolist() == (money[:players] - np.array(state.money)).tolist()


def _observed(state: CamelUpState, seat: int) -> list[int]:
    """The documented observation, made from the view of the readable rules."""
    observation: list[int] = GAME.encoding.observation(state.seen_by(seat), seat).tolist()
    return observation


def test_8_1_an_observation_never_depends_on_what_the_view_hides() -> None:
    rng = random.Random(1)
    one, other = np.empty(layout.SEEN_SIZE, np.int16), np.empty(layout.SEEN_SIZE, np.int16)
    compared = 0
    for state, *_ in random_play(GAME, 5, rng):
        if state.leg == 0:
            continue
        for seat in range(5):
            twin = GAME.imagine(state.seen_by(seat), rng)
            compared += twin != state
            observe(to_row(state), seat, one)
            observe(to_row(twin), seat, other)
            assert one.tolist() == other.tolist() == _observed(state, seat)
    assert compared > 100


def test_any_seat_can_be_observed_not_only_the_one_to_act() -> None:
    batch = Batch(3, 4, seed=2)
    out = np.empty((3, layout.SEEN_SIZE), np.int16)
    batch.observe(np.array([1, 2, 3]), out)
    assert out.tolist() == [_observed(to_state(batch.buffers.rows[lane]), lane + 1) for lane in range(3)]
