"""Rewards of learning agents, by name: the same for batches and all environments."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Final

from serai.errors import BadOptions, phrase

LEAD: Final = "lead"
"""The change of the score above the average over the table: the default, which learners learn from soonest."""
WIN: Final = "win"
"""At the end: the share of the victory."""
RANK: Final = "rank"
"""At the end: the place, from 1 (before all others) to -1 (behind them all).

It is the number of players behind less the number before, divided by the number of others; the winner of a tie is
before those with equal scores.
"""
SHAPED: Final = "shaped"
"""Victory, and a fiftieth of the lead."""
_SHAPED: Final = {LEAD: 0.02, WIN: 1.0}

Reward = str | Mapping[str, float]
"""A name, or a sum: weights by name."""


def reward_weights(reward: Reward | None, score: str) -> dict[str, float]:
    """The weights of a reward by name, without those that are 0; ``score`` is what the game calls its score."""
    names = (score, LEAD, WIN, RANK)
    if reward is None:
        reward = LEAD
    if isinstance(reward, str):
        reward = _SHAPED if reward == SHAPED else {reward: 1.0}
    weights = dict(reward) if isinstance(reward, Mapping) else {}
    if (
        not weights
        or not set(weights) <= set(names)
        or not all(isinstance(w, int | float) and isfinite(w) for w in weights.values())
    ):
        raise BadOptions("lab.reward", names=names)
    return weights


phrase({"lab.reward": "a reward is one of {names}, 'shaped', or a sum of them such as {{'win': 1.0}}"})
