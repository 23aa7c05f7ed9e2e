"""The race table: for every canonical position and every set of dice left, how leg and race end if no tile is met.

Its sweep goes backwards: without tiles every die moves a camel forward, so a position depends only on positions
with a greater sum of spaces, also across the end of a leg, where the dice come back. There are 15,504 positions and
31 sets of dice; a 32nd set, none, stands for the end of the leg, and one position more for the end of the race.

Building takes about a second; afterwards the table is mapped from the user's cache folder.
"""

from __future__ import annotations

import threading
from math import prod
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.odds import cachefile
from serai.camelup.odds.canonical import (
    ALL_DICE,
    DICE_SETS,
    MOVE_KINDS,
    NEW_DICE,
    NEW_RANK,
    ON_TOP,
    OVER,
    POSITIONS,
    RANKS,
    SEQUENCES,
    SWAP_BITS,
    build_moves,
    spaces,
)
from serai.camelup.pieces import FACES, LAST_SPACE

FIRST: Final = 0
"""Columns of the leg counts: ``FIRST + rank``."""
SECOND: Final = FIRST + RANKS
LAST: Final = SECOND + RANKS
ENDS: Final = LAST + RANKS
"""The race ends within the leg."""
LEG_COLUMNS: Final = ENDS + 1

PAIRS: Final = tuple((winner, loser) for winner in range(RANKS) for loser in range(RANKS) if winner != loser)
"""Columns of the race chances: (rank of the winner, rank of the loser)."""

TIE: Final = 1e-9
"""Chances are rounded in their last digits: values in pounds that differ by no more than this count as equal."""
VERSION: Final = 1
"""Of the file: raise it whenever a number in the table changes its value or its place."""
_NAME: Final = "camelup-race"


class RaceTable(NamedTuple):
    """Plain arrays, read-only, so that compiled code can take them as they are."""

    spaces: npt.NDArray[np.int8]
    """By position and rank: the space."""
    moves: npt.NDArray[np.int32]
    """By position, rank and kind of move: ``new position << SWAP_BITS | swap``."""
    reach: npt.NDArray[np.uint32]
    """By position and dice: bit s is set if a unit can stop on space s before the leg ends."""
    leg: npt.NDArray[np.uint16]
    """By position, dice and column: in how many of ``SEQUENCES[dice left]`` ways it happens."""
    race: npt.NDArray[np.float64]
    """By position, dice and pair: the chance of this winner and this loser."""


_SHAPES: Final = {
    "spaces": ((POSITIONS, RANKS), "<i1"),
    "moves": ((POSITIONS, RANKS, MOVE_KINDS), "<i4"),
    "reach": ((POSITIONS + 1, DICE_SETS), "<u4"),
    "leg": ((POSITIONS + 1, DICE_SETS, LEG_COLUMNS), "<u2"),
    "race": ((POSITIONS + 1, DICE_SETS, len(PAIRS)), "<f8"),
}
_LINE: Final = 64
_lock = threading.Lock()
_loaded: RaceTable | None = None


def race_table() -> RaceTable:
    """The table, once per process: from the cache folder, or built and kept there."""
    global _loaded
    with _lock:
        if _loaded is None:
            _loaded = kept()
            if _loaded is None:
                _loaded = build()
                keep(_loaded)
        return _loaded


def build() -> RaceTable:
    """Compute the table; its arrays are read-only, like those of a mapped file."""
    moves = build_moves()
    table = RaceTable(spaces(), moves, _reach(moves), _leg(moves), _race(moves))
    for array in table:
        array.flags.writeable = False
    return table


# -- the sweeps --------------------------------------------------------------------------------------------------------

DICE_LEFT: Final = tuple(dice.bit_count() for dice in range(DICE_SETS))


def _with_die(rank: int, count: int | None = None) -> npt.NDArray[np.int64]:
    """The sets of dice that hold this rank's die (and ``count`` dice in all)."""
    return np.array([d for d in range(DICE_SETS) if d >> rank & 1 and count in (None, DICE_LEFT[d])])


def _steps(moves: npt.NDArray[np.int32], rank: int, pips: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    packed = moves[:, rank, ON_TOP + pips - 1].astype(np.int64)
    return packed >> SWAP_BITS, packed & (1 << SWAP_BITS) - 1


def _reach(moves: npt.NDArray[np.int32]) -> npt.NDArray[np.uint32]:
    reach = np.zeros((POSITIONS + 1, DICE_SETS), np.uint32)
    for count in range(1, RANKS + 1):
        for rank in range(RANKS):
            dice = _with_die(rank, count)
            for pips in FACES:
                position, swap = _steps(moves, rank, pips)
                landing = spaces()[:, rank] + pips
                bit = np.where(landing <= LAST_SPACE, 1 << landing.astype(np.uint32), 0).astype(np.uint32)
                rest = NEW_DICE[swap][:, dice ^ 1 << rank]
                reach[:POSITIONS, dice] |= reach[position[:, None], rest] | bit[:, None]
    return reach


def _leg(moves: npt.NDArray[np.int32]) -> npt.NDArray[np.uint16]:
    leg = np.zeros((POSITIONS + 1, DICE_SETS, LEG_COLUMNS), np.uint16)
    sure = np.array([SEQUENCES[left] for left in DICE_LEFT])
    for column, rank in ((FIRST, RANKS - 1), (SECOND, RANKS - 2), (LAST, 0)):
        leg[:, 0, column + rank] = 1
        leg[OVER, :, column + rank] = sure
    leg[OVER, :, ENDS] = sure
    columns = np.concatenate([NEW_RANK, NEW_RANK + SECOND, NEW_RANK + LAST, np.full((len(NEW_RANK), 1), ENDS)], axis=1)
    flat = leg.reshape(-1)
    for count in range(1, RANKS + 1):
        for rank in range(RANKS):
            dice = _with_die(rank, count)
            for pips in FACES:
                position, swap = _steps(moves, rank, pips)
                rows = position[:, None] * DICE_SETS + NEW_DICE[swap][:, dice ^ 1 << rank]
                leg[:POSITIONS, dice] += flat[rows[:, :, None] * LEG_COLUMNS + columns[swap][:, None, :]]
    return leg


def _race(moves: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    race = np.zeros((POSITIONS + 1, DICE_SETS, len(PAIRS)))
    race[OVER, :, PAIRS.index((RANKS - 1, 0))] = 1
    columns = np.array([[PAIRS.index((ranks[won], ranks[lost])) for won, lost in PAIRS] for ranks in NEW_RANK.tolist()])
    flat = race.reshape(-1)
    outcomes = len(FACES) * np.array(DICE_LEFT[1:])[:, None]
    for layer in _by_falling_sum():
        chances = np.zeros((len(layer), DICE_SETS, len(PAIRS)))
        for rank in range(RANKS):
            dice = _with_die(rank)
            for pips in FACES:
                packed = moves[layer, rank, ON_TOP + pips - 1].astype(np.int64)
                position, swap = packed >> SWAP_BITS, packed & (1 << SWAP_BITS) - 1
                rows = position[:, None] * DICE_SETS + NEW_DICE[swap][:, dice ^ 1 << rank]
                chances[:, dice] += flat[rows[:, :, None] * len(PAIRS) + columns[swap][:, None, :]]
        chances[:, 1:] /= outcomes
        chances[:, 0] = chances[:, ALL_DICE]
        race[layer] = chances
    return race


def _by_falling_sum() -> list[npt.NDArray[np.int64]]:
    """Positions in groups of equal sums of spaces: nothing within a group depends on the group."""
    sums = spaces().sum(axis=1)
    order = np.argsort(-sums, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(sums[order])) + 1)


# -- the file ----------------------------------------------------------------------------------------------------------


def _sizes() -> list[int]:
    """Bytes of each array in the file, rounded up to whole cache lines."""
    return [-(-prod(shape) * np.dtype(kind).itemsize // _LINE) * _LINE for shape, kind in _SHAPES.values()]


def kept() -> RaceTable | None:
    """The table of an earlier process, mapped into memory, if its file is whole and of this version."""
    block = cachefile.read(_NAME, VERSION, sum(_sizes()))
    if block is None:
        return None
    arrays = []
    start = 0
    for (shape, kind), size in zip(_SHAPES.values(), _sizes(), strict=True):
        arrays.append(np.frombuffer(block, kind, prod(shape), start).reshape(shape))
        start += size
    return RaceTable(*arrays)


def keep(table: RaceTable) -> None:
    """Write the table for later processes, if the disk lets us."""
    parts = []
    for array, (_, kind), size in zip(table, _SHAPES.values(), _sizes(), strict=True):
        data = np.ascontiguousarray(array, kind).reshape(-1).view(np.uint8)
        parts += [data.data, memoryview(bytes(size - data.nbytes))]
    cachefile.write(_NAME, VERSION, parts)
