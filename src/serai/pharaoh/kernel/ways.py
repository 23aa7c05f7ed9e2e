"""Links and walks over sets of cells: all of a set go one step in a few instructions (rules 4.1 to 4.3, 9.2)."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.core.jit import inlined
from serai.pharaoh.kernel.layout import ALL_CELLS, DOWN, OPEN
from serai.pharaoh.pieces import SIZE

Row = npt.NDArray[np.int64]

WEST_COLUMN: Final = sum(1 << SIZE * row for row in range(SIZE))
EAST_COLUMN: Final = WEST_COLUMN << SIZE - 1
_NOT_WEST: Final = ALL_CELLS ^ WEST_COLUMN
_NOT_EAST: Final = ALL_CELLS ^ EAST_COLUMN


@inlined
def neighbours(cells: int) -> int:
    """All cells next to any of these."""
    return (cells << SIZE | cells >> SIZE | (cells & _NOT_EAST) << 1 | (cells & _NOT_WEST) >> 1) & ALL_CELLS


@inlined
def facing(row: Row, cells: int) -> int:
    """The cells towards which the tiles on these are open, whatever lies there."""
    north = (cells & row[OPEN]) << SIZE
    east = (cells & row[OPEN + 1] & _NOT_EAST) << 1
    south = (cells & row[OPEN + 2]) >> SIZE
    west = (cells & row[OPEN + 3] & _NOT_WEST) >> 1
    return int((north | east | south | west) & ALL_CELLS)


@inlined
def step(row: Row, cells: int) -> int:
    """The cells linked with any of these (4.1)."""
    north = (cells & row[OPEN]) << SIZE & row[OPEN + 2]
    east = (cells & row[OPEN + 1] & _NOT_EAST) << 1 & row[OPEN + 3]
    south = (cells & row[OPEN + 2]) >> SIZE & row[OPEN]
    west = (cells & row[OPEN + 3] & _NOT_WEST) >> 1 & row[OPEN + 1]
    return int(north | east | south | west)


@inlined
def walks(row: Row, lamps: int, cell: int) -> int:
    """Where one move takes a figure whose player has these lamps (4.2, 4.3); a lost one goes nowhere."""
    if cell < 0:
        return 0
    here = 1 << cell
    reached = step(row, here)
    lit = reached & lamps
    while lit:
        new = step(row, lit) & ~(reached | here)
        reached |= new
        lit = new & lamps
    return reached


@inlined
def flood(row: Row, cells: int) -> int:
    """All cells to which a way leads from these."""
    front = cells
    while front:
        front = step(row, front) & ~cells
        cells |= front
    return cells


@inlined
def frontier(row: Row) -> int:
    """The cells whose tile opens towards a face-down one."""
    down = row[DOWN]
    north = row[OPEN] & down >> SIZE
    south = row[OPEN + 2] & down << SIZE
    east = row[OPEN + 1] & (down & ~WEST_COLUMN) >> 1
    west = row[OPEN + 3] & (down & ~EAST_COLUMN) << 1
    return int(north | east | south | west)
