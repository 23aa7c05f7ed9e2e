"""The count of a leg, compiled: number for number as :mod:`serai.camelup.odds.leg` has it in NumPy."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.odds.canonical import DICE_SETS, NEW_DICE, POSITIONS, RANKS, SEQUENCES, SWAP_BITS, UNDERNEATH
from serai.camelup.odds.leg import COLUMNS, MOVED_COLUMNS, RACE, STOPS
from serai.camelup.odds.race_table import LEG_COLUMNS, PAIRS, RaceTable
from serai.camelup.pieces import FACES, LAST_SPACE, TRACK_SIZE
from serai.core.jit import compiled, inlined

_FACES: Final = len(FACES)
_SWAP_MASK: Final = (1 << SWAP_BITS) - 1
_PAIRS: Final = len(PAIRS)
MOST_STATES: Final = 1 << 13
"""Of one leg. From all positions, with and without tiles, none was found with more than 2,900."""

WAYS: Final = np.array([SEQUENCES[dice.bit_count()] for dice in range(DICE_SETS)], np.float64)
"""By set of dice: in how many ways they can fall."""
_MOVED: Final = MOVED_COLUMNS.astype(np.uint64)
"""Unsigned, which spares compiled code a check."""


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
    # taken from table and room once: compiled code would count references whenever the loop reads them there
    slots, states, child, swaps, landings = walk.slots, walk.states, walk.child, walk.swap, walk.landing
    reach, spaces, moves = table.reach, table.spaces, table.moves
    watched = np.uint32(0)
    for space in range(LAST_SPACE + 1):
        if all_stops or tiles[space] != 0:
            watched |= np.uint32(1 << space)
    states[0] = position * DICE_SETS + dice
    slots[states[0]] = 0
    count = 1
    here = 0
    while here < count:
        state = states[here]
        where, left = state // DICE_SETS, state % DICE_SETS
        child[here, 0] = -1
        if reach[where, left] & watched:
            outcome = 0
            for rank in range(RANKS):
                if not left >> rank & 1:
                    continue
                for pips in range(1, _FACES + 1):
                    landing = spaces[where, rank] + pips
                    swap, after = moved(moves, where, left, rank, pips, tiles[landing])
                    slot = place_of(slots, states, after, count)
                    count = max(count, slot + 1)
                    child[here, outcome] = slot
                    swaps[here, outcome] = swap
                    landings[here, outcome] = landing
                    outcome += 1
        here += 1
    for place in range(count):
        slots[states[place]] = -1
    return count


@inlined
def moved(moves: npt.NDArray[np.int32], where: int, left: int, rank: int, pips: int, step: int) -> tuple[int, int]:
    """One die, for a unit that stops where the tile's ``step`` is this: the swap of the ranks, and the next state."""
    packed = moves[where, rank, UNDERNEATH + pips - 1 if step < 0 else pips - 1 + step]
    swap = packed & _SWAP_MASK
    return swap, (packed >> SWAP_BITS) * DICE_SETS + NEW_DICE[swap, left & ~(1 << rank)]


@inlined
def place_of(slots: npt.NDArray[np.int32], states: npt.NDArray[np.int32], state: int, count: int) -> int:
    """The place of a state among those met so far; the next one, ``count``, if it is new."""
    slot: int = slots[state]
    if slot >= 0:
        return slot
    if count == MOST_STATES:
        raise MemoryError("a leg has more states than were ever seen")
    slots[state] = count
    states[count] = state
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
