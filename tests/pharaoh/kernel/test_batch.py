"""A batch of Das Gold des Pharao is lawful and shows what the rules show."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import serai
from serai.pharaoh import GAME, PharaohState
from serai.pharaoh.kernel import layout
from serai.pharaoh.kernel.bridge import to_state
from serai.pharaoh.rules.actions import ALL_ACTIONS


@pytest.mark.parametrize("players", GAME.players)
def test_mask_observation_and_reward_follow_the_rules(players: int) -> None:
    options: dict[str, Any] = {"max_rounds": 20, "restless": 2, "ring": "rook", "entrance": "f2"}
    batch = GAME.compiled.batch(8, players, reward="points", seed=players, first=players - 1, **options)
    seen = batch.buffers
    rng = random.Random(players)
    words, actions = np.arange(8, dtype=np.uint64), np.empty(8, np.int64)
    drew = finished = 0
    for _ in range(300):
        states = [to_state(row) for row in seen.rows]
        for lane, state in enumerate(states):
            assert seen.actors[lane] == state.actor
            assert [ALL_ACTIONS[action] for action in np.flatnonzero(seen.mask[lane])] == list(state.actions())
            assert isinstance(state.actor, int)
            assert seen.observations[lane].tolist() == _observed(state, state.actor)
        batch.random_actions(words, actions)
        for lane in range(8):
            reveals = [action for action in np.flatnonzero(seen.mask[lane]) if ALL_ACTIONS[action].kind == "reveal"]
            if reveals and rng.random() < 0.5:
                actions[lane] = rng.choice(reveals)
        batch.step(actions)
        for lane, (state, action) in enumerate(zip(states, actions, strict=True)):
            after = state.apply(ALL_ACTIONS[action])
            points = seen.results[lane] if seen.finished[lane] else seen.rows[lane, layout.POINTS :]
            assert seen.rewards[lane, :players].tolist() == (points[:players] - np.array(state.points)).tolist()
            finished += int(seen.finished[lane])
            if after.over:
                assert seen.results[lane, :players].tolist() == list(after.scores())
                assert np.flatnonzero(seen.shares[lane]).tolist() == list(after.winners())
            elif after.actor is serai.CHANCE:
                drew += 1
                assert seen.finished[lane] or to_state(seen.rows[lane]) in _followers(after)
            else:
                assert to_state(seen.rows[lane]) == after
    assert drew > 50
    assert finished > 3


def _followers(state: PharaohState) -> list[PharaohState]:
    """All states in which a player acts again."""
    if state.actor is not serai.CHANCE:
        return [state]
    return [found for action in state.actions() for found in _followers(state.apply(action))]


def _observed(state: PharaohState, seat: int) -> list[int]:
    """The documented observation, made by the readable rules."""
    observation: list[int] = GAME.encoding.observation(state, seat).tolist()
    return observation


def test_any_seat_can_be_observed_not_only_the_one_to_act() -> None:
    batch = GAME.compiled.batch(3, 4, seed=2)
    words, actions = np.arange(3, dtype=np.uint64), np.empty(3, np.int64)
    for _ in range(100):
        batch.random_actions(words, actions)
        batch.step(actions)
    out = np.empty((3, layout.SEEN_SIZE), np.int16)
    batch.observe(np.array([1, 2, 3]), out)
    assert out.tolist() == [_observed(to_state(batch.buffers.rows[lane]), lane + 1) for lane in range(3)]
