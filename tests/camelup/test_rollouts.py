"""Playouts: lawful to the last action, the same from the same seed, by however many threads."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import serai
from serai.camelup import GAME
from serai.camelup.rules import CamelUpState


def some_view(seed: int = 5, players: int = 4, actions: int = 18) -> CamelUpState:
    """A view of the seat to act after so many actions of random play."""
    rng = random.Random(seed)
    state: Any = GAME.new(players=players)
    while True:
        if state.actor is serai.CHANCE:
            state = state.apply(state.sample(rng))
        elif actions:
            actions -= 1
            state = state.apply(rng.choice(state.actions()))
        else:
            return state.seen_by(state.actor)  # type: ignore[no-any-return]


def test_the_same_seed_gives_the_same_playouts_in_any_portion_and_on_any_number_of_threads() -> None:
    view = some_view()
    whole = GAME.rollouts(view, n=30, seed=3)
    again = GAME.rollouts(view, n=30, seed=3, threads=3)
    part = GAME.rollouts(view, n=10, seed=3, first=20)
    other = GAME.rollouts(view, n=30, seed=4)
    assert whole.actions == view.actions()
    assert np.array_equal(whole.wins, again.wins)
    assert np.array_equal(whole.scores, again.scores)
    assert np.array_equal(whole.wins[:, 20:], part.wins)
    assert not np.array_equal(whole.wins, other.wins)


def test_shares_of_victory_add_up_to_one() -> None:
    for whole in (False, True):
        found = GAME.rollouts(some_view(), n=20, whole=whole)
        assert np.allclose(found.wins.sum(axis=2), 1, atol=1e-5)
        assert (found.scores >= 0).all() or not whole
