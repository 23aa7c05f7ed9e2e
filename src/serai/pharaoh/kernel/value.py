"""Who stands better before the mask is found, compiled: a few features of each seat, and what they are worth.

Once the mask is found a game is so near its end that playouts are played to it.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from serai.core.jit import compiled, inlined
from serai.core.splitmix import count
from serai.pharaoh.kernel.foresight import FAR, measure
from serai.pharaoh.kernel.layout import (
    ARCHAEOLOGIST,
    CARRIED,
    CELL_COUNT,
    HELPER,
    LAMPS,
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
from serai.pharaoh.kernel.ways import Row, frontier
from serai.pharaoh.pieces import FIRST_CHAMBER, MASK, MOVES, TILE_COUNTS

FEATURES: Final = 10
POINTS_NOW, IN_HAND, IN_REACH, LIT, TO_MOVE, SHUT_IN, ALONE, CUT_OFF, THREATENED, PREY = range(FEATURES)
"""By seat: points; what is carried, less for each move home; what lies about, shared by who is nearer; lamps up; moves
left; whether the archaeologist has no way home, and whether its helper could not come to its aid either; how far it is
to something unknown; what it carries in reach of a thief, and what others carry in its own reach.
"""
_KINDS_OF_TILE: Final = len(TILE_COUNTS)
_LONG_WAY: Final = 15
_SLIGHT: Final = 0.002
"""The pull on a treasure that nobody can reach, so that it is nobody's."""
Table = npt.NDArray[np.float64]


@compiled
def describe(row: Row, desk: Desk, features: Table, pull: Table) -> float:
    """Write the features of each seat, and tell how many points are still to be had."""
    players = row[PLAYERS]
    for seat in range(players):
        features[seat, THREATENED] = 0.0
    for seat in range(players):
        _describe_seat(row, seat, desk, features, pull)
    left = float(MASK)
    for kind in range(2):
        value = float(FIRST_VALUE + kind)
        left += value * row[STACK + kind]
        cells = lies(row, kind)
        while cells:
            cell = count((cells & -cells) - 1)
            cells &= cells - 1
            left += value
            total = _SLIGHT
            for seat in range(players):
                total += pull[seat, cell]
            for seat in range(players):
                features[seat, IN_REACH] += value * pull[seat, cell] / total
    for seat in range(players):
        left += row[CARRIED + seat]
    for kind in range(FIRST_CHAMBER, _KINDS_OF_TILE):
        left += row[UNSEEN + kind]
    return left


@inlined
def _describe_seat(row: Row, seat: int, desk: Desk, features: Table, pull: Table) -> None:
    """Write the features of one seat, but for its share of what lies about."""
    lamps = row[LAMPS + seat]
    stands = row[ARCHAEOLOGIST + seat]
    carried = row[CARRIED + seat]
    measure(row, lamps, row[START_CELL], desk.home)
    home = desk.home[stands]
    shut_in = home >= FAR
    home = min(home, _LONG_WAY)
    moves = row[MOVES_LEFT] if seat == row[TURN] else MOVES
    measure(row, lamps, stands, desk.far)
    nearest = FAR
    cells = frontier(row)
    while cells:
        nearest = min(nearest, desk.far[count((cells & -cells) - 1)])
        cells &= cells - 1
    features[seat, POINTS_NOW] = row[POINTS + seat]
    features[seat, IN_HAND] = carried / (1.0 + 0.15 * home)
    features[seat, IN_REACH] = 0.0
    features[seat, LIT] = count(lamps)
    features[seat, TO_MOVE] = moves / MOVES if seat == row[TURN] else 0.0
    features[seat, SHUT_IN] = 1.0 if shut_in else 0.0
    features[seat, ALONE] = 1.0 if shut_in and desk.far[row[HELPER + seat]] >= FAR else 0.0
    features[seat, CUT_OFF] = min(nearest, _LONG_WAY) / _LONG_WAY
    features[seat, PREY] = 0.0
    if carried == 0:
        for victim in range(row[PLAYERS]):
            prey = row[CARRIED + victim]
            if prey > 0 and desk.far[row[ARCHAEOLOGIST + victim]] <= moves:
                features[seat, PREY] = max(features[seat, PREY], float(prey))
                features[victim, THREATENED] = prey
    before = 2 * home if carried > 0 else 0
    for cell in range(CELL_COUNT):
        way = before + desk.far[cell] + desk.home[cell]
        pull[seat, cell] = 0.0 if way >= FAR else 1.0 / ((way + 2.0) * (way + 2.0))


@compiled
def chances(row: Row, weights: Table, desk: Desk, features: Table, pull: Table, out: Table) -> None:
    """Each seat's chance to win, as the weights see it."""
    players = row[PLAYERS]
    left = describe(row, desk, features, pull)
    scale = 1.0 / math.sqrt(left)
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
