"""How far things are and who gets out in time, compiled: distances in moves, and escapes from the falling rings."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.core.jit import compiled, inlined
from serai.core.splitmix import count
from serai.pharaoh.kernel.collapse import MOST_RINGS, RING_CELLS
from serai.pharaoh.kernel.layout import CELL_COUNT, CLOCK, COUNTDOWN, MASK_CHAMBER, RING, RING_SHAPE, START_CELL
from serai.pharaoh.kernel.ways import Row, step
from serai.pharaoh.pieces import MOVES, NOWHERE

Distances = npt.NDArray[np.int64]

FAR: Final = 99
"""Where no way leads."""
_MOST_TURNS: Final = 12


@inlined
def moved(row: Row, lamps: int, cells: int) -> int:
    """Where one move takes figures on any of these cells whose player has these lamps (4.2, 4.3)."""
    reached = step(row, cells)
    lit = reached & lamps
    while lit:
        new = step(row, lit) & ~reached
        reached |= new
        lit = new & lamps
    return reached


@compiled
def measure(row: Row, lamps: int, source: int, far: Distances) -> None:
    """How many moves every cell is away from this one, and this one from every cell."""
    for cell in range(CELL_COUNT):
        far[cell] = FAR
    if source < 0:
        return
    front = seen = 1 << source
    moves = 0
    while front:
        left = front
        while left:
            far[count((left & -left) - 1)] = moves
            left &= left - 1
        front = moved(row, lamps, front) & ~seen
        seen |= front
        moves += 1


@compiled
def turns_to_escape(row: Row, lamps: int, cell: int, moves: int, haste: int) -> int:
    """How many of the player's turns, this one with so many moves, a figure needs to the start; ``FAR`` if the ceiling
    is faster.

    Every end of a turn is taken to bring a ring down, and ``haste`` more rings fall at the end of this one. While the
    countdown runs, its ends bring down nothing.
    """
    start = 1 << row[START_CELL]
    here = 1 << cell
    if row[MASK_CHAMBER] == NOWHERE or here & start:
        return 0
    ring = row[RING]
    quiet = row[COUNTDOWN] if row[CLOCK] == NOWHERE else 0
    if quiet > 0:
        ring = -1
    fallen = 0
    for turn in range(_MOST_TURNS):
        for _ in range(moves):
            here |= moved(row, lamps & ~fallen, here) & ~fallen
        if here & start:
            return turn
        moves = MOVES
        if turn == 0:
            ring += haste
        if quiet > 0:
            quiet -= 1
        if quiet == 0:
            ring += 1
        fallen = rings_down_to(row, ring)
        here &= ~fallen
        if here == 0:
            return FAR
    return FAR


@inlined
def rings_down_to(row: Row, ring: int) -> int:
    """All cells that are gone once this ring has fallen; the chamber is ring 0."""
    cells = 0
    for number in range(min(ring + 1, MOST_RINGS)):
        cells |= RING_CELLS[row[RING_SHAPE], row[MASK_CHAMBER], number]
    return int(cells & ~(1 << row[START_CELL]))


@compiled
def turns_with_mask(row: Row, lamps: int) -> int:
    """How many turns the mask takes from its standing chamber to the start, the one that carries it out included;
    ``FAR`` if the ceiling is faster (10.2, 10.4).
    """
    start = 1 << row[START_CELL]
    fallen = chamber = 1 << row[MASK_CHAMBER]
    here = moved(row, lamps, chamber)
    for turn in range(1, _MOST_TURNS):
        if here & start:
            return turn
        for _ in range(MOVES):
            here |= moved(row, lamps & ~fallen, here) & ~fallen
        if here & start:
            return turn + 1
        fallen = rings_down_to(row, turn)
        here &= ~fallen
        if here == 0:
            break
    return FAR
