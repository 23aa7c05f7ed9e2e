"""Scratch arrays of compiled players, one set per thread."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.layout import DESERT_SPACES, PLAYER_ACTIONS
from serai.camelup.odds.leg import COLUMNS
from serai.camelup.odds.race_table import DICE_SETS, POSITIONS, RANKS
from serai.camelup.policy.bets import KINDS
from serai.camelup.rules.pieces import FACES, TRACK_SIZE
from serai.lab import per_thread

MOST_STATES: Final = 1 << 13
"""Of one leg. Over all positions, with and without tiles, the most found was 2,900."""
CHANCES_SIZE: Final = KINDS * RANKS + DESERT_SPACES + 1
"""Numbers that :mod:`serai.camelup.policy.lookup` gives for a row."""

Floats = npt.NDArray[np.float64]


class Walk(NamedTuple):
    """The states of one leg. ``slots`` is all -1 between two uses."""

    slots: npt.NDArray[np.int32]
    """By state (position * DICE_SETS + dice): its place in the arrays below."""
    states: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    """By place and outcome; a leaf has -1 at outcome 0."""
    swap: npt.NDArray[np.int8]
    landing: npt.NDArray[np.int8]
    values: Floats


class Scratch(NamedTuple):
    """Arrays that a decision works in; two threads must not share a set."""

    walk: Walk
    flows: Floats
    """By place, rank and kind: the prices that flow through a state, or its chances."""
    mass: Floats
    """By place: the chance to get there."""
    tiles: npt.NDArray[np.int8]
    """By space: the step of the tile there."""
    prices: Floats
    """By rank and kind: what the actor's bets pay per chance."""
    chances: Floats
    """By rank and kind."""
    landings: Floats
    """By space: the stops expected there."""
    values: Floats
    """By action: expected pounds."""
    looked_up: Floats


def new_walk() -> Walk:
    """A fresh set."""
    outcomes = RANKS * len(FACES)
    return Walk(
        np.full((POSITIONS + 1) * DICE_SETS, -1, np.int32),
        np.empty(MOST_STATES, np.int32),
        np.empty((MOST_STATES, outcomes), np.int32),
        np.empty((MOST_STATES, outcomes), np.int8),
        np.empty((MOST_STATES, outcomes), np.int8),
        np.empty((MOST_STATES, COLUMNS)),
    )


def new_scratch() -> Scratch:
    """A fresh set, about 8 MB."""
    return Scratch(
        new_walk(),
        np.empty((MOST_STATES, RANKS, KINDS)),
        np.empty(MOST_STATES),
        np.zeros(TRACK_SIZE, np.int8),
        np.empty((RANKS, KINDS)),
        np.empty((RANKS, KINDS)),
        np.empty(TRACK_SIZE),
        np.empty(PLAYER_ACTIONS),
        np.empty(CHANCES_SIZE),
    )


own_scratch = per_thread(new_scratch)
"""The set of the calling thread."""
