"""Camel positions up to the names of the colours, and how a unit moves between them.

Seen without colours, a track is the five spaces of the camels from last to first, bottom to top within a stack: a
non-decreasing vector of five numbers from 1 to 16. There are C(20, 5) = 15,504 of them, and their combinatorial
number is their index. A place in that vector is a *rank*: 0 is the last camel, 4 the leader.

A move takes a unit (a run of ranks) past some of its neighbours: two adjacent runs change places. So the new rank of
every camel follows from one of 21 *swaps*, whatever the position.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb, factorial
from typing import Final

import numpy as np
import numpy.typing as npt

from serai.camelup.pieces import CAMELS, FACES, LAST_SPACE

RANKS: Final = len(CAMELS)
POSITIONS: Final = comb(LAST_SPACE + RANKS - 1, RANKS)
OVER: Final = POSITIONS
"""Stands for every position in which a camel has crossed the line."""
DICE_SETS: Final = 1 << RANKS
ALL_DICE: Final = DICE_SETS - 1

ON_TOP: Final = 0
"""Kinds of move: ``ON_TOP + n - 1`` ends n = 1 to 4 spaces ahead on top of who stands there."""
UNDERNEATH: Final = 4
"""``UNDERNEATH + n`` ends n = 0 to 2 spaces ahead, below who stands there."""
MOVE_KINDS: Final = 7
SWAP_BITS: Final = 5

SEQUENCES: Final[tuple[int, ...]] = tuple(factorial(dice) * len(FACES) ** dice for dice in range(RANKS + 1))
"""In how many equally likely ways so many dice can still fall: n! * 3^n."""


def _swaps() -> list[tuple[int, int, int]]:
    """(first rank, length of the lower run, length of the upper run); the first one changes nothing."""
    return [(0, 0, 0)] + [
        (start, lower, upper)
        for start in range(RANKS)
        for lower in range(1, RANKS - start)
        for upper in range(1, RANKS - start - lower + 1)
    ]


def _new_ranks() -> npt.NDArray[np.int8]:
    table = np.tile(np.arange(RANKS, dtype=np.int8), (len(SWAPS), 1))
    for swap, (start, lower, upper) in enumerate(SWAPS):
        table[swap, start : start + lower] += upper
        table[swap, start + lower : start + lower + upper] -= lower
    return table


def _new_dice() -> npt.NDArray[np.int8]:
    dice = np.arange(DICE_SETS)
    table = np.zeros((len(SWAPS), DICE_SETS), np.int8)
    for swap, ranks in enumerate(NEW_RANK):
        for rank, moved_to in enumerate(ranks):
            table[swap] |= ((dice >> rank & 1) << int(moved_to)).astype(np.int8)
    return table


SWAPS: Final = tuple(_swaps())
NEW_RANK: Final = _new_ranks()
"""By swap and rank before the move: the rank after it."""
NEW_DICE: Final = _new_dice()
"""By swap and set of dice (bit r: the die of rank r is in the pyramid): the same set after the move."""
_SWAP_ID: Final = {swap: number for number, swap in enumerate(SWAPS)}
CHOOSE: Final = tuple(
    tuple(comb(max(space - 1, 0) + rank, rank + 1) for space in range(LAST_SPACE + 1)) for rank in range(RANKS)
)
"""By rank and space: what this camel adds to the index of its position."""


@cache
def spaces() -> npt.NDArray[np.int8]:
    """By position and rank: the space."""
    chosen = np.array(list(combinations(range(LAST_SPACE + RANKS - 1), RANKS)), np.int8)
    table: npt.NDArray[np.int8] = (chosen - np.arange(RANKS) + 1).astype(np.int8)
    return np.ascontiguousarray(table[np.argsort(_indices(table))])


def index_of(ranked_spaces: tuple[int, ...]) -> int:
    """The index of the position with these spaces, from the last camel to the first."""
    return sum(CHOOSE[rank][space] for rank, space in enumerate(ranked_spaces))


def build_moves() -> npt.NDArray[np.int32]:
    """By position, rank and kind of move: ``new position << SWAP_BITS | swap``."""
    track = spaces()
    moves = np.empty((POSITIONS, RANKS, MOVE_KINDS), np.int32)
    for rank in range(RANKS):
        start = track[:, rank]
        below = (track[:, :rank] == start[:, None]).sum(axis=1)
        unit = (track[:, rank:] == start[:, None]).sum(axis=1)
        ahead = track[:, rank:] > start[:, None]
        for step in range(1, 5):
            passed = (ahead & (track[:, rank:] <= (start + step)[:, None])).sum(axis=1)
            moves[:, rank, ON_TOP + step - 1] = _moved(track, rank, unit, step, _swap_numbers(rank, unit, passed))
        back = _swap_numbers(rank - below, below, unit)
        moves[:, rank, UNDERNEATH] = np.arange(POSITIONS) << SWAP_BITS | back
        for step in range(1, 3):
            passed = (ahead & (track[:, rank:] < (start + step)[:, None])).sum(axis=1)
            moves[:, rank, UNDERNEATH + step] = _moved(track, rank, unit, step, _swap_numbers(rank, unit, passed))
    return moves


def _swap_numbers(
    start: int | npt.NDArray[np.int64], lower: npt.NDArray[np.int64], upper: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    known = np.zeros((RANKS + 1,) * 3, np.int64)
    for (first, below, above), number in _SWAP_ID.items():
        known[first, below, above] = number
    found: npt.NDArray[np.int64] = known[np.broadcast_to(start, lower.shape), lower, upper]
    return found


def _moved(
    track: npt.NDArray[np.int8], rank: int, unit: npt.NDArray[np.int64], step: int, swap: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    ranks = np.arange(RANKS)
    moving = (ranks >= rank) & (ranks < rank + unit[:, None])
    after = np.sort(np.where(moving, track + np.int8(step), track), axis=1)
    position = np.where(after[:, -1] > LAST_SPACE, OVER, _indices(np.minimum(after, np.int8(LAST_SPACE))))
    return position << SWAP_BITS | swap


def _indices(track: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    parts: npt.NDArray[np.int64] = np.array(CHOOSE)[np.arange(RANKS), track]
    return np.asarray(parts.sum(axis=1))
