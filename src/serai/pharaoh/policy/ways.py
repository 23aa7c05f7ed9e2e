"""Ways in moves, compiled: how far cells are, and whether a figure gets home before its way falls."""

from __future__ import annotations

from typing import Final

import numpy as np

from serai.lab.jit import compiled, inlined
from serai.lab.rng import Words, draw
from serai.pharaoh.kernel import layout as at
from serai.pharaoh.kernel.legal import Row, first_of, step, walks
from serai.pharaoh.kernel.rules import MOST_RINGS, RING_CELLS
from serai.pharaoh.policy.scratch import Distances, Scratch
from serai.pharaoh.policy.styles import FEAR, Style
from serai.pharaoh.rules.pieces import MASK, MOVES, NOWHERE

FAR: Final = 99
"""The distance of a cell to which no way leads."""
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
    for cell in range(at.CELL_COUNT):
        far[cell] = FAR
    if source < 0:
        return
    front = seen = 1 << source
    moves = 0
    while front:
        left = front
        while left:
            far[first_of(left)] = moves
            left &= left - 1
        front = moved(row, lamps, front) & ~seen
        seen |= front
        moves += 1


@inlined
def homeward(row: Row, seat: int, cell: int, base: int, scratch: Scratch) -> int:
    """A step home for the figure there; -1 if there is none to take."""
    if cell < 0 or scratch.home[cell] == 0 or scratch.home[cell] >= FAR:
        return -1
    return base + nearest(walks(row, row[at.LAMPS + seat], cell), scratch.home)


@inlined
def towards(row: Row, seat: int, cell: int, goal: int, base: int, scratch: Scratch) -> int:
    """A step of the figure there to that cell; -1 if no way leads there."""
    measure(row, row[at.LAMPS + seat], goal, scratch.work)
    if scratch.work[cell] >= FAR:
        return -1
    return base + nearest(walks(row, row[at.LAMPS + seat], cell), scratch.work)


@inlined
def nearest(cells: int, far: Distances) -> int:
    """The cell that is least far."""
    best = FAR + 1
    found = 0
    while cells:
        cell = first_of(cells)
        cells &= cells - 1
        if far[cell] < best:
            best, found = far[cell], cell
    return found


@inlined
def chance(words: Words, lane: int) -> float:
    """A number from 0 to 1."""
    return float(draw(words, lane) >> np.uint64(11)) * 2.0**-53


# -- before the pyramid falls ------------------------------------------------------------------------------------------


@compiled
def flee(row: Row, seat: int, style: Style, scratch: Scratch) -> int:
    """Go home if one turn later would be too late: the archaeologist first, which is worth more."""
    if row[at.CENTRE] == NOWHERE:
        return -1
    lamps = row[at.LAMPS + seat]
    for figure in range(2):
        cell = row[(at.ARCHAEOLOGIST if figure == 0 else at.HELPER) + seat]
        if cell >= 0 and cell != row[at.START_CELL] and scratch.home[cell] < FAR:
            late = turns_to_escape(row, lamps, cell, 0, int(style[FEAR])) == FAR
            if late and turns_to_escape(row, lamps, cell, row[at.MOVES_LEFT], 0) < FAR:
                base = at.ARCHAEOLOGIST_ACTION if figure == 0 else at.HELPER_ACTION
                action = homeward(row, seat, cell, base, scratch)
                if action >= 0:
                    return action
    return -1


@inlined
def carried_out(row: Row, seat: int, value: int) -> bool:
    """Whether the archaeologist gets home from here with a treasure of this value before its way falls."""
    if row[at.CENTRE] == NOWHERE:
        return True
    lamps = row[at.LAMPS + seat]
    if value == MASK and row[at.CLOCK] == NOWHERE:
        return turns_with_mask(row, lamps) < FAR
    return turns_to_escape(row, lamps, row[at.ARCHAEOLOGIST + seat], row[at.MOVES_LEFT], 0) < FAR


@compiled
def trip_is_safe(row: Row, seat: int, cell: int, lies_mask: bool, style: Style, scratch: Scratch) -> bool:
    """Whether the archaeologist can go to that cell and home again before the way falls."""
    if row[at.CENTRE] == NOWHERE:
        return True
    left = row[at.MOVES_LEFT] - scratch.far[cell]
    turns = 0
    while left < 0:
        turns += 1
        left += MOVES
    lamps = row[at.LAMPS + seat]
    if lies_mask and row[at.CLOCK] == NOWHERE:
        return turns < row[at.COUNTDOWN] and turns_with_mask(row, lamps) < FAR
    return turns_to_escape(row, lamps, cell, left, turns + int(style[FEAR])) < FAR


@compiled
def turns_to_escape(row: Row, lamps: int, cell: int, moves: int, haste: int) -> int:
    """The turns that a figure needs to the start, this one with ``moves`` moves; ``FAR`` if the ceiling is faster.

    A ring is assumed to fall at the end of every turn, and ``haste`` more at the end of this one; none falls while the
    countdown runs, and the first where a fall is announced is the centre.
    """
    start = 1 << row[at.START_CELL]
    here = 1 << cell
    if row[at.CENTRE] == NOWHERE or here & start:
        return 0
    ring = row[at.RING]
    quiet = 0
    if row[at.CLOCK] == NOWHERE:
        ring = -1
        quiet = row[at.COUNTDOWN]
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
    """All cells that are gone once this ring has fallen; the centre is ring 0."""
    cells = 0
    for number in range(min(ring + 1, MOST_RINGS)):
        cells |= RING_CELLS[row[at.RING_SHAPE], row[at.CENTRE], number]
    return int(cells & ~(1 << row[at.START_CELL]))


@compiled
def turns_with_mask(row: Row, lamps: int) -> int:
    """The turns that the mask needs from its standing chamber to the start, the one that carries it out included;
    ``FAR`` if the ceiling is faster (10.2, 10.4).
    """
    start = 1 << row[at.START_CELL]
    fallen = chamber = 1 << row[at.MASK_CHAMBER]
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
