"""Steps of figures, compiled, and what every thought about them needs: distances, the nearest cell, a little chance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from serai.core.jit import inlined
from serai.core.splitmix import Words, count, draw
from serai.pharaoh.kernel.foresight import FAR, Distances, measure
from serai.pharaoh.kernel.layout import CELL_COUNT, DOWN, LAMPS, OPEN
from serai.pharaoh.kernel.ways import EAST_COLUMN, WEST_COLUMN, Row, walks
from serai.pharaoh.pieces import SIZE


class Desk(NamedTuple):
    """Room to think in, used again and again; two threads must not share one."""

    home: Distances
    """Moves between each cell and the start."""
    far: Distances
    """Moves from the archaeologist to each cell."""
    rival: Distances
    """Moves from each cell to the nearest rival with empty hands."""
    work: Distances


def desk() -> Desk:
    """Fresh room."""
    return Desk(*(np.empty(CELL_COUNT, np.int64) for _ in Desk._fields))


@inlined
def homeward(row: Row, seat: int, cell: int, base: int, desk: Desk) -> int:
    """A step home for the figure there; -1 if there is none to take."""
    if cell < 0 or desk.home[cell] == 0 or desk.home[cell] >= FAR:
        return -1
    return base + nearest(walks(row, row[LAMPS + seat], cell), desk.home)


@inlined
def towards(row: Row, seat: int, cell: int, goal: int, base: int, desk: Desk) -> int:
    """A step of the figure there to that cell; -1 if no way leads there."""
    measure(row, row[LAMPS + seat], goal, desk.work)
    if desk.work[cell] >= FAR:
        return -1
    return base + nearest(walks(row, row[LAMPS + seat], cell), desk.work)


@inlined
def nearest(cells: int, far: Distances) -> int:
    """The cell that is least far."""
    best = FAR + 1
    found = 0
    while cells:
        cell = count((cells & -cells) - 1)
        cells &= cells - 1
        if far[cell] < best:
            best, found = far[cell], cell
    return found


@inlined
def frontier(row: Row) -> int:
    """The cells whose tile opens towards a face-down one."""
    down = row[DOWN]
    north = row[OPEN] & down >> SIZE
    south = row[OPEN + 2] & down << SIZE
    east = row[OPEN + 1] & (down & ~WEST_COLUMN) >> 1
    west = row[OPEN + 3] & (down & ~EAST_COLUMN) << 1
    return int(north | east | south | west)


@inlined
def chance(words: Words, lane: int) -> float:
    """A number from 0 to 1."""
    return float(draw(words, lane) >> np.uint64(11)) * 2.0**-53
