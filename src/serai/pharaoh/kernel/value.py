"""Who stands better, compiled: a few features of a position, and what they are worth in chances to win."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from serai.core.jit import compiled
from serai.core.splitmix import count
from serai.pharaoh.kernel.foresight import FAR, measure, turns_to_escape, turns_with_mask
from serai.pharaoh.kernel.layout import (
    ARCHAEOLOGIST,
    CARRIED,
    CLOCK,
    HELPER,
    LAMPS,
    MASK_AT,
    MASK_CHAMBER,
    MAX_SEATS,
    MOVES_LEFT,
    PLAYERS,
    POINTS,
    STACK,
    START_CELL,
    TURN,
    UNSEEN,
)
from serai.pharaoh.kernel.steps import Desk
from serai.pharaoh.kernel.treasure import FIRST_VALUE, lies
from serai.pharaoh.kernel.ways import Row
from serai.pharaoh.pieces import FIRST_CHAMBER, LOST_ARCHAEOLOGIST, LOST_HELPER, MASK, MOVES, NOWHERE, TILE_COUNTS

FEATURES: Final = 8
POINTS_NOW, IN_HAND, IN_REACH, LIT, DANGER, NEAR, TO_MOVE, MASK_RUN = range(FEATURES)
"""By seat: points; what is carried, less for each move home; what lies about, shared by who is nearer; lamps up while
they pay; points that the ceiling will take; how near the start the archaeologist is once it falls; whose turn it is;
whether the mask could be carried home.
"""
_KINDS_OF_TILE: Final = len(TILE_COUNTS)
Table = npt.NDArray[np.float64]


@compiled
def describe(row: Row, desk: Desk, features: Table, pull: Table) -> float:
    """Write the features of each seat, and tell how many points are still to be had."""
    players = row[PLAYERS]
    collapsing = row[MASK_CHAMBER] != NOWHERE
    for seat in range(players):
        lamps = row[LAMPS + seat]
        stands = row[ARCHAEOLOGIST + seat]
        measure(row, lamps, row[START_CELL], desk.home)
        home = min(desk.home[stands], 15) if stands >= 0 else 15
        moves = row[MOVES_LEFT] if seat == row[TURN] else MOVES
        danger = 0.0
        if collapsing:
            if stands >= 0 and turns_to_escape(row, lamps, stands, moves, 0) >= FAR:
                danger += LOST_ARCHAEOLOGIST
            if row[HELPER + seat] >= 0 and turns_to_escape(row, lamps, row[HELPER + seat], moves, 0) >= FAR:
                danger += LOST_HELPER
        carried = row[CARRIED + seat]
        features[seat, POINTS_NOW] = row[POINTS + seat]
        features[seat, IN_HAND] = carried / (1.0 + 0.15 * home) if danger > -2.0 else 0.0
        features[seat, IN_REACH] = 0.0
        features[seat, LIT] = 0.0 if collapsing else float(count(lamps))
        features[seat, DANGER] = danger
        features[seat, NEAR] = 1.0 / (1.0 + home) if collapsing else 0.0
        features[seat, TO_MOVE] = moves / 3.0 if seat == row[TURN] else 0.0
        run = FAR
        if collapsing and row[CLOCK] == NOWHERE and row[MASK_AT] >= 0 and stands >= 0:
            run = turns_with_mask(row, lamps)
        features[seat, MASK_RUN] = 0.0
        # the pull of each treasure on this seat
        if stands >= 0:
            measure(row, lamps, stands, desk.far)
            before = home * 2 if carried > 0 else 0
            for cell in range(36):
                way = before + desk.far[cell] + desk.home[cell]
                pull[seat, cell] = 0.0 if way >= FAR else 1.0 / ((way + 2.0) * (way + 2.0))
            if run < FAR:
                way = before + desk.far[row[MASK_AT]]
                if way < FAR:
                    features[seat, MASK_RUN] = 1.0 / (way + run)
        else:
            for cell in range(36):
                pull[seat, cell] = 0.0
    left = 0.0
    for kind in range(3):
        value = float(MASK) if kind == 2 else float(FIRST_VALUE + kind)
        cells = lies(row, kind)
        while cells:
            cell = count((cells & -cells) - 1)
            cells &= cells - 1
            left += value
            if kind == 2 and row[CLOCK] == NOWHERE:
                continue
            total = 0.002
            for seat in range(players):
                total += pull[seat, cell]
            for seat in range(players):
                features[seat, IN_REACH] += value * pull[seat, cell] / total
    for seat in range(players):
        left += row[CARRIED + seat]
    for kind in range(FIRST_CHAMBER, _KINDS_OF_TILE):
        left += row[UNSEEN + kind]
    left += FIRST_VALUE * row[STACK] + (FIRST_VALUE + 1) * row[STACK + 1]
    if not collapsing:
        left += MASK
    return float(left)


@compiled
def chances(row: Row, weights: Table, desk: Desk, features: Table, pull: Table, out: Table) -> None:
    """Each seat's chance to win, as the weights see it."""
    players = row[PLAYERS]
    left = describe(row, desk, features, pull)
    scale = 1.0 / math.sqrt(left + 2.0)
    best = -1e9
    for seat in range(players):
        total = 0.0
        for feature in range(FEATURES):
            total += weights[feature] * features[seat, feature]
        out[seat] = total * scale
        best = max(best, out[seat])
    total = 0.0
    for seat in range(players):
        out[seat] = math.exp(out[seat] - best)
        total += out[seat]
    for seat in range(players):
        out[seat] /= total
    for seat in range(players, MAX_SEATS):
        out[seat] = 0.0
