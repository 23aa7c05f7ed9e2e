"""Where each seat's points come from in a playout, compiled: what the coach's reasons are made of."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.lab.jit import compiled
from serai.pharaoh.kernel import layout as at
from serai.pharaoh.kernel.legal import Row, falling
from serai.pharaoh.kernel.rules import stands_before
from serai.pharaoh.parts import (
    ARCHAEOLOGIST_PART,
    BARRED_COUNT,
    CARRIED_PART,
    EARLY_PART,
    FALLING_COUNT,
    FETCHED_PART,
    HELPER_PART,
    HOME_COUNT,
    MASK_PART,
    PARTS,
    PHOTO_PART,
    ROBBED_COUNT,
    SCALE_PLACE,
    STANDING_PART,
    STOLEN_PART,
    TIE_PART,
)
from serai.pharaoh.policy.value import FEATURES, POINTS_NOW, SHUT_IN, Table
from serai.pharaoh.rules.pieces import LOST_ARCHAEOLOGIST, LOST_HELPER, PHOTO_POINTS

Parts = npt.NDArray[np.float32]
"""By seat and place: points."""
AllParts = npt.NDArray[np.float32]
"""By action, playout, seat and place; of no actions where nobody asks."""
Origins = npt.NDArray[np.int64]
"""By seat: the place of the part that its treasure counts for when it is brought home."""

NO_PARTS: Final[AllParts] = np.empty((0, 1, 1, PARTS), np.float32)
"""For playouts whose parts nobody asks for."""
_DECIDED: Final = 3.0
"""The scale of a finished game: who is a point ahead has won."""
_AHEAD: Final = 0.75
"""Of equals, being ahead is worth nearly a point."""
_MASK_KIND: Final = 2


# -- compiled ----------------------------------------------------------------------------------------------------------


@compiled
def count_action(before: Row, after: Row, action: int, origins: Origins, parts: Parts) -> None:
    """Add the points that an action brought or cost, and note where treasures come from."""
    mover = before[at.TURN]
    if at.PHOTO_ACTION <= action < at.TREASURE_ACTION:
        parts[mover, PHOTO_PART] += PHOTO_POINTS
    for seat in range(before[at.PLAYERS]):
        for kind in range(_MASK_KIND + 1):
            if after[at.MUSEUM + 3 * seat + kind] > before[at.MUSEUM + 3 * seat + kind]:
                place = MASK_PART if kind == _MASK_KIND else origins[seat]
                parts[seat, place] += before[at.CARRIED + seat]
                if origins[seat] == CARRIED_PART:
                    parts[seat, HOME_COUNT] = 1.0
        if before[at.ARCHAEOLOGIST + seat] >= 0 and after[at.ARCHAEOLOGIST + seat] < 0:
            parts[seat, ARCHAEOLOGIST_PART] += LOST_ARCHAEOLOGIST
        if before[at.HELPER + seat] >= 0 and after[at.HELPER + seat] < 0:
            parts[seat, HELPER_PART] += LOST_HELPER
    if at.TAKE_ACTION <= action < at.DROP_ACTION:
        origins[mover] = FETCHED_PART + before[at.ARCHAEOLOGIST + mover]
    elif at.STEAL_ACTION <= action < at.END_ACTION:
        victim = action - at.STEAL_ACTION
        origins[mover] = STOLEN_PART + victim
        parts[victim, ROBBED_COUNT + mover] = 1.0


@compiled
def count_end(row: Row, parts: Parts) -> None:
    """How a finished game stands: points are all that counts, and among equals who is ahead (11.3)."""
    for seat in range(row[at.PLAYERS]):
        for other in range(row[at.PLAYERS]):
            if row[at.POINTS + other] == row[at.POINTS + seat] and stands_before(row, seat, other):
                parts[seat, TIE_PART] += _AHEAD
        parts[seat, SCALE_PLACE] = _DECIDED
        parts[seat, FALLING_COUNT] = 1.0 if falling(row) else 0.0


@compiled
def count_standing(row: Row, early: Table, features: Table, weights: Table, scale: float, parts: Parts) -> None:
    """How seats stand where a playout is cut short, in what is worth as much as a point."""
    point = weights[POINTS_NOW]
    for seat in range(row[at.PLAYERS]):
        parts[seat, EARLY_PART] = early[seat]
        for feature in range(1, FEATURES):
            parts[seat, STANDING_PART + feature - 1] = weights[feature] / point * features[seat, feature]
        parts[seat, BARRED_COUNT] = features[seat, SHUT_IN]
        parts[seat, FALLING_COUNT] = 1.0 if falling(row) else 0.0
        parts[seat, SCALE_PLACE] = point * scale
