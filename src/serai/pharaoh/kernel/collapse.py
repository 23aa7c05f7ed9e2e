"""The pyramid falls, compiled: countdown, clock, rings, and what a falling cell takes (chapter 10 of the rules)."""

from __future__ import annotations

from typing import Final

import numpy as np

from serai.core.jit import compiled
from serai.core.splitmix import count
from serai.pharaoh.board import fall_order
from serai.pharaoh.kernel.layout import (
    ARCHAEOLOGIST,
    CARRIED,
    CELL_COUNT,
    CHAMBER_AT,
    CHAMBERS,
    CHANGED,
    CLOCK,
    COUNTDOWN,
    DOWN,
    FALLEN,
    FINDER,
    HELPER,
    LAMPS,
    LOST,
    LYING,
    MASK_AT,
    MASK_CHAMBER,
    OPEN,
    PLAYERS,
    PLIES,
    POINTS,
    RING,
    RING_SHAPE,
    START_CELL,
)
from serai.pharaoh.kernel.treasure import kind_of
from serai.pharaoh.kernel.ways import Row
from serai.pharaoh.pieces import CELLS, CHAMBER_NAMES, LOST_ARCHAEOLOGIST, LOST_HELPER, NOWHERE, SIZE

_CHAMBER_COUNT: Final = len(CHAMBER_NAMES)
MOST_RINGS: Final = 2 * SIZE - 1


def _ring_cells() -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    table = np.zeros((2, CELL_COUNT, MOST_RINGS), np.int64)
    for shape, name in enumerate(("king", "rook")):
        for chamber in CELLS:
            for cell, ring in enumerate(fall_order(chamber, NOWHERE, name)):
                table[shape, chamber, ring] |= 1 << cell
    return table


RING_CELLS: Final = _ring_cells()
"""By shape, chamber and ring: the cells that fall with it, the start not left out."""


@compiled
def carry_mask_out(row: Row, seat: int) -> None:
    """The mask has left its chamber with this seat's archaeologist: the chamber falls at once (10.2)."""
    row[COUNTDOWN] = 0
    row[CLOCK] = seat
    _fall(row, 1 << row[MASK_CHAMBER])


@compiled
def tick(row: Row, seat: int) -> None:
    """A turn has ended that counts for the collapse: the countdown goes on (10.1), or the next ring falls (10.4)."""
    if row[COUNTDOWN] > 0:
        if seat == row[FINDER]:
            row[COUNTDOWN] -= 1
            if row[COUNTDOWN] == 0:
                row[CLOCK] = seat
                _fall(row, 1 << row[MASK_CHAMBER])
    elif seat == row[CLOCK]:
        row[RING] += 1
        falling = RING_CELLS[row[RING_SHAPE], row[MASK_CHAMBER], row[RING]] if row[RING] < MOST_RINGS else 0
        _fall(row, falling & ~(1 << row[START_CELL]))


@compiled
def _fall(row: Row, cells: int) -> None:
    """These cells are gone with everything on them (10.5)."""
    for seat in range(row[PLAYERS]):
        lost = 0
        if row[ARCHAEOLOGIST + seat] >= 0 and cells >> row[ARCHAEOLOGIST + seat] & 1:
            lost += LOST_ARCHAEOLOGIST
            row[ARCHAEOLOGIST + seat] = NOWHERE
            if row[CARRIED + seat] > 0:
                row[LOST + kind_of(row[CARRIED + seat])] += 1
                row[CARRIED + seat] = 0
        if row[HELPER + seat] >= 0 and cells >> row[HELPER + seat] & 1:
            lost += LOST_HELPER
            row[HELPER + seat] = NOWHERE
        row[LAMPS + seat] &= ~cells
        if lost != 0:
            row[POINTS + seat] += lost
            row[CHANGED + seat] = row[PLIES]
    for kind in range(2):
        for place in range(3):
            row[LOST + kind] += count(row[LYING + 3 * kind + place] & cells) << place
            row[LYING + 3 * kind + place] &= ~cells
    if row[MASK_AT] >= 0 and cells >> row[MASK_AT] & 1:
        row[LOST + 2] += 1
        row[MASK_AT] = NOWHERE
    for side in range(4):
        row[OPEN + side] &= ~cells
    row[DOWN] &= ~cells
    row[CHAMBERS] &= ~cells
    row[FALLEN] |= cells
    for chamber in range(_CHAMBER_COUNT):
        if row[CHAMBER_AT + chamber] >= 0 and cells >> row[CHAMBER_AT + chamber] & 1:
            row[CHAMBER_AT + chamber] = NOWHERE
