"""The odds compiled by numba: the race table and the count of a leg, number for number as in NumPy.

Whoever imports this module waits for numba; :mod:`serai.camelup.engines` decides when that is worth it.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.jit import compiled
from serai.camelup.odds.canonical import (
    ALL_DICE,
    CHOOSE,
    DICE_SETS,
    MOVE_KINDS,
    NEW_DICE,
    NEW_RANK,
    OVER,
    POSITIONS,
    RANKS,
    SEQUENCES,
    SWAP_BITS,
    SWAPS,
    UNDERNEATH,
    spaces,
)
from serai.camelup.odds.leg import COLUMNS, MOVED_COLUMNS, RACE, STOPS
from serai.camelup.odds.race_table import ENDS, LAST, LEG_COLUMNS, PAIRS, SECOND, RaceTable, frozen
from serai.camelup.pieces import FACES, LAST_SPACE, TRACK_SIZE

_FACES: Final = len(FACES)
_SWAP_MASK: Final = (1 << SWAP_BITS) - 1
_PAIRS: Final = len(PAIRS)
MOST_STATES: Final = 1 << 13
"""Of one leg. From all positions, with and without tiles, none was found with more than 2,900."""

PAIR_COLUMN: Final = np.array(
    [[PAIRS.index((winner, loser)) if winner != loser else -1 for loser in range(RANKS)] for winner in range(RANKS)]
)
"""By ranks of winner and loser."""
SWAP_NUMBER: Final = np.zeros((RANKS + 1,) * 3, np.int64)
"""By first rank, length of the lower run, length of the upper run."""
for _number, _swap in enumerate(SWAPS):
    SWAP_NUMBER[_swap] = _number
WAYS: Final = np.array([SEQUENCES[dice.bit_count()] for dice in range(DICE_SETS)], np.float64)
"""By set of dice: in how many ways they can fall."""
_CHOOSE: Final = np.array(CHOOSE)
_MOVED: Final = MOVED_COLUMNS.astype(np.uint64)
"""Unsigned, which spares compiled code a check."""


# -- the race table ----------------------------------------------------------------------------------------------------


def build() -> RaceTable:
    """The race table, equal to that of :func:`serai.camelup.odds.race_table.build` up to rounding."""
    moves = np.empty((POSITIONS, RANKS, MOVE_KINDS), np.int32)
    reach = np.zeros((POSITIONS + 1, DICE_SETS), np.uint32)
    leg = np.zeros((POSITIONS + 1, DICE_SETS, LEG_COLUMNS), np.uint16)
    race = np.zeros((POSITIONS + 1, DICE_SETS, _PAIRS))
    _fill_moves(spaces(), moves)
    _sweep(spaces(), moves, reach, leg, race)
    return frozen(RaceTable(spaces().copy(), moves, reach, leg, race))


@compiled
def _fill_moves(track: npt.NDArray[np.int8], moves: npt.NDArray[np.int32]) -> None:
    after = np.empty(RANKS, np.int64)
    for position in range(POSITIONS):
        for rank in range(RANKS):
            start = track[position, rank]
            high = rank + 1
            while high < RANKS and track[position, high] == start:
                high += 1
            low = rank
            while low > 0 and track[position, low - 1] == start:
                low -= 1
            for kind in range(MOVE_KINDS):
                under = kind >= UNDERNEATH
                target = start + (kind - UNDERNEATH if under else kind + 1)
                if target == start:
                    swap = SWAP_NUMBER[low, rank - low, high - rank]
                    moves[position, rank, kind] = position << SWAP_BITS | swap
                    continue
                behind = high
                while behind < RANKS and track[position, behind] + under <= target:
                    behind += 1
                for other in range(RANKS):
                    after[other] = track[position, other]
                for other in range(high, behind):
                    after[other - high + rank] = track[position, other]
                for other in range(rank + behind - high, behind):
                    after[other] = target
                index = OVER
                if target <= LAST_SPACE:
                    index = 0
                    for other in range(RANKS):
                        index += _CHOOSE[other, after[other]]
                moves[position, rank, kind] = index << SWAP_BITS | SWAP_NUMBER[rank, high - rank, behind - high]


@compiled
def _sweep(
    track: npt.NDArray[np.int8],
    moves: npt.NDArray[np.int32],
    reach: npt.NDArray[np.uint32],
    leg: npt.NDArray[np.uint16],
    race: npt.NDArray[np.float64],
) -> None:
    """Backwards by index: a move forward always raises it."""
    for dice in range(DICE_SETS):
        for position in range(POSITIONS + 1):
            if dice == 0 or position == OVER:
                leg[position, dice, RANKS - 1] = WAYS[dice]
                leg[position, dice, SECOND + RANKS - 2] = WAYS[dice]
                leg[position, dice, LAST] = WAYS[dice]
        leg[OVER, dice, ENDS] = WAYS[dice]
        race[OVER, dice, PAIR_COLUMN[RANKS - 1, 0]] = 1.0
    sums = np.empty(_PAIRS)
    for position in range(POSITIONS - 1, -1, -1):
        for dice in range(1, DICE_SETS):
            sums[:] = 0.0
            outcomes = 0
            for rank in range(RANKS):
                if not dice >> rank & 1:
                    continue
                for pips in range(1, _FACES + 1):
                    outcomes += 1
                    packed = moves[position, rank, pips - 1]
                    after = packed >> SWAP_BITS
                    new = NEW_RANK[packed & _SWAP_MASK]
                    left = NEW_DICE[packed & _SWAP_MASK, dice & ~(1 << rank)]
                    landing = track[position, rank] + pips
                    if landing <= LAST_SPACE:
                        reach[position, dice] |= np.uint32(1 << landing)
                    reach[position, dice] |= reach[after, left]
                    leg[position, dice, ENDS] += leg[after, left, ENDS]
                    column = 0
                    for other in range(RANKS):
                        leg[position, dice, other] += leg[after, left, new[other]]
                        leg[position, dice, SECOND + other] += leg[after, left, SECOND + new[other]]
                        leg[position, dice, LAST + other] += leg[after, left, LAST + new[other]]
                        for loser in range(RANKS):
                            if loser != other:
                                sums[column] += race[after, left, PAIR_COLUMN[new[other], new[loser]]]
                                column += 1
            for column in range(_PAIRS):
                race[position, dice, column] = sums[column] / outcomes
        for column in range(_PAIRS):
            race[position, 0, column] = race[position, ALL_DICE, column]


# -- a leg -------------------------------------------------------------------------------------------------------------


class Walk(NamedTuple):
    """Room for the states of one leg, used again and again; ``slots`` is all -1 between two uses."""

    slots: npt.NDArray[np.int32]
    """By state (position * DICE_SETS + dice): its place in the arrays below."""
    states: npt.NDArray[np.int32]
    child: npt.NDArray[np.int32]
    """By place and outcome; a leaf has -1 at outcome 0."""
    swap: npt.NDArray[np.int8]
    landing: npt.NDArray[np.int8]
    values: npt.NDArray[np.float64]


def room_for_walk() -> Walk:
    """Fresh room: two threads must not share it."""
    outcomes = RANKS * _FACES
    return Walk(
        np.full((POSITIONS + 1) * DICE_SETS, -1, np.int32),
        np.empty(MOST_STATES, np.int32),
        np.empty((MOST_STATES, outcomes), np.int32),
        np.empty((MOST_STATES, outcomes), np.int8),
        np.empty((MOST_STATES, outcomes), np.int8),
        np.empty((MOST_STATES, COLUMNS)),
    )


def count_leg(
    table: RaceTable, position: int, dice: int, cases: Sequence[Sequence[int]], *, all_stops: bool = False
) -> npt.NDArray[np.float64]:
    """As :func:`serai.camelup.odds.leg.count_leg`."""
    tiles = np.zeros((len(cases), TRACK_SIZE), np.int8)
    for case, placed in enumerate(cases):
        for tile in placed:
            tiles[case, abs(tile)] = 1 if tile > 0 else -1
    rows = np.empty((len(cases), COLUMNS))
    count_cases(table, _own_room(), position, dice, tiles, all_stops, rows)
    return rows


_rooms = threading.local()


def _own_room() -> Walk:
    """The room of this thread."""
    try:
        room: Walk = _rooms.walk
    except AttributeError:
        room = _rooms.walk = room_for_walk()
    return room


@compiled
def count_cases(
    table: RaceTable,
    walk: Walk,
    position: int,
    dice: int,
    tiles: npt.NDArray[np.int8],
    all_stops: bool,
    rows: npt.NDArray[np.float64],
) -> None:
    """One row of weighted counts per row of tiles."""
    for case in range(len(tiles)):
        count = walk_leg(table, walk, position, dice, tiles[case], all_stops)
        _sum_up(table, walk, count)
        for column in range(COLUMNS):
            rows[case, column] = walk.values[0, column]


@compiled
def walk_leg(
    table: RaceTable, walk: Walk, position: int, dice: int, tiles: npt.NDArray[np.int8], all_stops: bool
) -> int:
    """Find all distinct states, those with more dice left first; how many there are."""
    watched = np.uint32(0)
    for space in range(LAST_SPACE + 1):
        if all_stops or tiles[space] != 0:
            watched |= np.uint32(1 << space)
    walk.states[0] = position * DICE_SETS + dice
    walk.slots[walk.states[0]] = 0
    count = 1
    here = 0
    while here < count:
        state = walk.states[here]
        where, left = state // DICE_SETS, state % DICE_SETS
        walk.child[here, 0] = -1
        if table.reach[where, left] & watched:
            outcome = 0
            for rank in range(RANKS):
                if not left >> rank & 1:
                    continue
                for pips in range(1, _FACES + 1):
                    landing = table.spaces[where, rank] + pips
                    step = tiles[landing]
                    kind = UNDERNEATH + pips - 1 if step < 0 else pips - 1 + step
                    packed = table.moves[where, rank, kind]
                    swap = packed & _SWAP_MASK
                    after = (packed >> SWAP_BITS) * DICE_SETS + NEW_DICE[swap, left & ~(1 << rank)]
                    slot = walk.slots[after]
                    if slot < 0:
                        if count == MOST_STATES:
                            raise MemoryError("a leg has more states than were ever seen")
                        slot = count
                        walk.slots[after] = slot
                        walk.states[slot] = after
                        count += 1
                    walk.child[here, outcome] = slot
                    walk.swap[here, outcome] = swap
                    walk.landing[here, outcome] = landing
                    outcome += 1
        here += 1
    for place in range(count):
        walk.slots[walk.states[place]] = -1
    return count


@compiled
def _sum_up(table: RaceTable, walk: Walk, count: int) -> None:
    """Weighted counts of every state from its outcomes, the last first."""
    values = walk.values
    for here in range(count - 1, -1, -1):
        state = walk.states[here]
        where, left = state // DICE_SETS, state % DICE_SETS
        sums = values[here]
        for column in range(COLUMNS):
            sums[column] = 0.0
        if walk.child[here, 0] < 0:
            for column in range(LEG_COLUMNS):
                sums[column] = table.leg[where, left, column]
            for column in range(_PAIRS):
                sums[RACE + column] = table.race[where, left, column] * WAYS[left]
            continue
        outcomes = 0
        for rank in range(RANKS):
            outcomes += _FACES * (left >> rank & 1)
        each = WAYS[left] / outcomes
        for outcome in range(outcomes):
            child = values[walk.child[here, outcome]]
            if walk.swap[here, outcome] == 0:
                for column in range(STOPS):
                    sums[column] += child[column]
            else:
                moved = _MOVED[walk.swap[here, outcome]]
                for column in range(STOPS):
                    sums[column] += child[moved[column]]
            for column in range(STOPS, COLUMNS):
                sums[column] += child[column]
            if walk.landing[here, outcome] <= LAST_SPACE:
                sums[STOPS + walk.landing[here, outcome]] += each
