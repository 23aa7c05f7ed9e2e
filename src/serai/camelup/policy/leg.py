"""Counting the rest of a leg, compiled: for reports, and the chances that players go by.

Reports use it where numba is loaded anyway (:mod:`serai.camelup.odds.leg` says why not always); the numbers are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from serai.camelup.odds.leg import COLUMNS, MOVED_COLUMNS, RACE, STOPS, steps_on
from serai.camelup.odds.race_table import (
    DICE_SETS,
    LEG_COLUMNS,
    NEW_DICE,
    NEW_RANK,
    PAIRS,
    RANKS,
    SECOND,
    SWAP_BITS,
    UNDERNEATH,
    WAYS,
    RaceTable,
)
from serai.camelup.policy.bets import FIRST_PLACE, KINDS, LOSER_PLACE, SECOND_PLACE, WINNER_PLACE, Values
from serai.camelup.policy.scratch import MOST_STATES, Scratch, Walk, own_scratch
from serai.camelup.rules.pieces import FACES, LAST_SPACE
from serai.lab.jit import compiled, inlined
from serai.lab.rng import count as count_bits

_FACES: Final = len(FACES)
_SWAP_MASK: Final = (1 << SWAP_BITS) - 1
_PAIRS: Final = len(PAIRS)
# unsigned indices spare compiled code a check
_MOVED: Final = MOVED_COLUMNS.astype(np.uint64)
UNSIGNED_RANK: Final = NEW_RANK.astype(np.uint64)


def count_leg(
    table: RaceTable, position: int, dice: int, cases: Sequence[Sequence[int]], *, all_stops: bool = False
) -> npt.NDArray[np.float64]:
    """As :func:`serai.camelup.odds.leg.count_leg`."""
    rows = np.empty((len(cases), COLUMNS))
    count_cases(table, own_scratch().walk, position, dice, steps_on(cases).astype(np.int8), all_stops, rows)
    return rows


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
    # taken from table and scratch once: compiled code would count references whenever the loop reads them there
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
        outcomes = _FACES * count_bits(left)
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


# -- chances -----------------------------------------------------------------------------------------------------------


@compiled
def count_chances(table: RaceTable, scratch: Scratch, position: int, dice: int) -> int:
    """Fill ``scratch.chances``: every camel's, by rank, with ``scratch.tiles`` as they lie.

    ``scratch.flows`` has those of every state that was met on the way; returns how many there are.
    """
    count = walk_leg(table, scratch.walk, position, dice, scratch.tiles, False)
    for here in range(count - 1, -1, -1):
        state = scratch.walk.states[here]
        left = state % DICE_SETS
        if scratch.walk.child[here, 0] < 0:
            table_chances(table, state // DICE_SETS, left, scratch.flows[here])
        else:
            _average(scratch, here, _FACES * count_bits(left))
    # one by one, since copying slices would add seconds to the time of compiling
    for rank in range(RANKS):
        for kind in range(KINDS):
            scratch.chances[rank, kind] = scratch.flows[0, rank, kind]
    return count


@compiled
def _average(scratch: Scratch, here: int, outcomes: int) -> None:
    chances = scratch.flows[here]
    for rank in range(RANKS):
        for kind in range(KINDS):
            chances[rank, kind] = 0.0
    for outcome in range(outcomes):
        child, swap = scratch.walk.child[here, outcome], scratch.walk.swap[here, outcome]
        for rank in range(RANKS):
            for kind in range(KINDS):
                chances[rank, kind] += scratch.flows[child, UNSIGNED_RANK[swap, rank], kind]
    for rank in range(RANKS):
        for kind in range(KINDS):
            chances[rank, kind] /= outcomes


@compiled
def table_chances(table: RaceTable, position: int, dice: int, chances: Values) -> None:
    """The chances of each rank if no tile is met."""
    for rank in range(RANKS):
        chances[rank, FIRST_PLACE] = table.leg[position, dice, rank] / WAYS[dice]
        chances[rank, SECOND_PLACE] = table.leg[position, dice, SECOND + rank] / WAYS[dice]
        chances[rank, WINNER_PLACE] = 0.0
        chances[rank, LOSER_PLACE] = 0.0
    column = 0
    for winner in range(RANKS):
        for loser in range(RANKS):
            if loser != winner:
                chance = table.race[position, dice, column]
                chances[winner, WINNER_PLACE] += chance
                chances[loser, LOSER_PLACE] += chance
                column += 1
