"""The rest of a leg with the desert tiles as they lie, compiled: the chances of every state that can still come.

Counted once and looked up by every playout. States in which no tile can be met any more are left to
:mod:`serai.camelup.kernel.sight`, which knows them already.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.layout import ORDER
from serai.camelup.kernel.leg import MOST_STATES
from serai.camelup.kernel.policies import ChoiceRoom, count_chances
from serai.camelup.kernel.sight import SEEN_STOPS, Lines, Row, Sight, look
from serai.camelup.kernel.stake import KINDS, canonical
from serai.camelup.odds.canonical import DICE_SETS, RANKS
from serai.camelup.odds.race_table import RaceTable
from serai.core.jit import compiled

NO_TILES: Final = -1
"""Stands for a track where no tile can be met."""
_BUCKETS: Final = 2 * MOST_STATES
_MIX: Final = 2654435761


class Foresights(NamedTuple):
    """Several of them, by number: one for each way in which tiles lie."""

    states: npt.NDArray[np.int32]
    """By number and bucket: position * DICE_SETS + dice, or -1."""
    places: npt.NDArray[np.int32]
    chances: npt.NDArray[np.float32]
    """By number, place, and kind and rank."""


def room_for_foresights(count: int) -> Foresights:
    """Fresh room for so many."""
    return Foresights(
        np.full((count, _BUCKETS), -1, np.int32),
        np.empty((count, _BUCKETS), np.int32),
        np.empty((count, MOST_STATES, KINDS * RANKS), np.float32),
    )


@compiled
def foresee(table: RaceTable, room: ChoiceRoom, position: int, dice: int, ahead: Foresights, number: int) -> None:
    """Count the rest of the leg from here, with ``room.tiles`` as they lie."""
    count = count_chances(table, room, position, dice)
    for bucket in range(_BUCKETS):
        ahead.states[number, bucket] = -1
    for here in range(count):
        if room.walk.child[here, 0] < 0:
            continue
        state = room.walk.states[here]
        bucket = state * _MIX >> 8 & _BUCKETS - 1
        while ahead.states[number, bucket] >= 0:
            bucket = bucket + 1 & _BUCKETS - 1
        ahead.states[number, bucket] = state
        ahead.places[number, bucket] = here
        for rank in range(RANKS):
            for kind in range(KINDS):
                ahead.chances[number, here, kind * RANKS + rank] = room.flows[here, rank, kind]


@compiled
def look_ahead(row: Row, lines: Lines, ahead: Foresights, number: int, sight: Sight) -> None:
    """Fill ``sight`` with what lies ahead of the camels of a row, tiles included."""
    look(row, lines, sight)
    if number == NO_TILES:
        return
    position, dice = canonical(row)
    state = position * DICE_SETS + dice
    bucket = state * _MIX >> 8 & _BUCKETS - 1
    while ahead.states[number, bucket] != state:
        if ahead.states[number, bucket] < 0:
            return
        bucket = bucket + 1 & _BUCKETS - 1
    place = ahead.places[number, bucket]
    for kind in range(0, SEEN_STOPS, RANKS):
        for rank in range(RANKS):
            sight[kind + row[ORDER + rank]] = ahead.chances[number, place, kind + rank]
