"""The value of a position before the mask is found, compiled: each seat's chance to win, by fitted features.

Once the mask is found the end is so near that playouts go on to it.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from serai.lab.jit import compiled, inlined
from serai.lab.rng import count
from serai.pharaoh.kernel import layout as at
from serai.pharaoh.kernel.legal import Row, first_of, frontier, lies
from serai.pharaoh.policy.scratch import Scratch
from serai.pharaoh.policy.ways import FAR, measure
from serai.pharaoh.rules.pieces import FIRST_CHAMBER, MASK, MOVES, TILE_COUNTS

FEATURES: Final = 10
POINTS_NOW, IN_HAND, IN_REACH, LIT, TO_MOVE, SHUT_IN, ALONE, CUT_OFF, THREATENED, PREY = range(FEATURES)
"""By seat: points; what is carried, less for each move home; what lies about, shared by who is nearer; lamps up; moves
left; whether the archaeologist has no way home, and whether its helper could not come to its aid either; how far it is
to something unknown; what it carries in reach of a thief, and what others carry in its own reach.
"""
_KINDS_OF_TILE: Final = len(TILE_COUNTS)
_LONG_WAY: Final = 15
_SLIGHT: Final = 0.002
"""A share of every treasure that belongs to no seat, so that one out of reach counts for none."""
Table = npt.NDArray[np.float64]


@compiled
def describe(row: Row, scratch: Scratch, features: Table, pull: Table) -> float:
    """Write the features of each seat; returns the points still to be had."""
    players = row[at.PLAYERS]
    for seat in range(players):
        features[seat, THREATENED] = 0.0
    for seat in range(players):
        _describe_seat(row, seat, scratch, features, pull)
    left = float(MASK)
    for kind in range(2):
        value = float(at.FIRST_VALUE + kind)
        left += value * row[at.STACK + kind]
        cells = lies(row, kind)
        while cells:
            cell = first_of(cells)
            cells &= cells - 1
            left += value
            total = _SLIGHT
            for seat in range(players):
                total += pull[seat, cell]
            for seat in range(players):
                features[seat, IN_REACH] += value * pull[seat, cell] / total
    for seat in range(players):
        left += row[at.CARRIED + seat]
    for kind in range(FIRST_CHAMBER, _KINDS_OF_TILE):
        left += row[at.UNSEEN + kind]
    return left


@inlined
def _describe_seat(row: Row, seat: int, scratch: Scratch, features: Table, pull: Table) -> None:
    """Write the features of one seat, except its share of what lies about."""
    lamps = row[at.LAMPS + seat]
    stands = row[at.ARCHAEOLOGIST + seat]
    carried = row[at.CARRIED + seat]
    measure(row, lamps, row[at.START_CELL], scratch.home)
    home = scratch.home[stands]
    shut_in = home >= FAR
    home = min(home, _LONG_WAY)
    moves = row[at.MOVES_LEFT] if seat == row[at.TURN] else MOVES
    measure(row, lamps, stands, scratch.far)
    nearest = FAR
    cells = frontier(row)
    while cells:
        nearest = min(nearest, scratch.far[first_of(cells)])
        cells &= cells - 1
    features[seat, POINTS_NOW] = row[at.POINTS + seat]
    features[seat, IN_HAND] = carried / (1.0 + 0.15 * home)
    features[seat, IN_REACH] = 0.0
    features[seat, LIT] = count(lamps)
    features[seat, TO_MOVE] = moves / MOVES if seat == row[at.TURN] else 0.0
    features[seat, SHUT_IN] = 1.0 if shut_in else 0.0
    features[seat, ALONE] = 1.0 if shut_in and scratch.far[row[at.HELPER + seat]] >= FAR else 0.0
    features[seat, CUT_OFF] = min(nearest, _LONG_WAY) / _LONG_WAY
    features[seat, PREY] = 0.0
    if carried == 0:
        for victim in range(row[at.PLAYERS]):
            prey = row[at.CARRIED + victim]
            if prey > 0 and scratch.far[row[at.ARCHAEOLOGIST + victim]] <= moves:
                features[seat, PREY] = max(features[seat, PREY], float(prey))
                features[victim, THREATENED] = prey
    before = 2 * home if carried > 0 else 0
    for cell in range(at.CELL_COUNT):
        way = before + scratch.far[cell] + scratch.home[cell]
        pull[seat, cell] = 0.0 if way >= FAR else 1.0 / ((way + 2.0) * (way + 2.0))


@compiled
def chances(
    row: Row, early: Table, weights: Table, scratch: Scratch, features: Table, pull: Table, out: Table
) -> float:
    """Each seat's chance to win, by these weights; ``early`` is what points count more for having come soon.

    Returns by how much the weighted features, which end in ``features``, move the logarithm of the odds.
    """
    players = row[at.PLAYERS]
    left = describe(row, scratch, features, pull)
    for seat in range(players):
        features[seat, POINTS_NOW] += early[seat]
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
    for seat in range(players, at.MAX_SEATS):
        out[seat] = 0.0
    return scale
