"""Legal actions, compiled (chapters 3 to 8 of the rules). Sets of cells, ways and seats are bits of a number."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.lab.jit import compiled, inlined
from serai.lab.rng import count
from serai.pharaoh.kernel import layout as at
from serai.pharaoh.rules.board import ORIENTATIONS, SHAPE_OF
from serai.pharaoh.rules.pieces import NOWHERE, SIZE

Row = npt.NDArray[np.int64]

WEST_COLUMN: Final = sum(1 << SIZE * row for row in range(SIZE))
EAST_COLUMN: Final = WEST_COLUMN << SIZE - 1
_NOT_WEST: Final = at.ALL_CELLS ^ WEST_COLUMN
_NOT_EAST: Final = at.ALL_CELLS ^ EAST_COLUMN
WAY_COUNT: Final = len(at.WAYS)


def _ways_of(openings: int) -> int:
    """The ways, as bits over ``WAYS``, in which a tile with these openings can lie."""
    return sum(1 << at.WAYS.index(way) for way in ORIENTATIONS[SHAPE_OF[openings]])


_SAME_TILE: Final = tuple(_ways_of(openings) if openings in SHAPE_OF else 0 for openings in range(16))
"""By openings: every way that tile can lie."""
_OF_KIND: Final = tuple(_ways_of(ways[0]) for ways in ORIENTATIONS)
"""By kind of passage tile."""
_PLACE: Final = tuple(at.WAYS.index(openings) if openings in at.WAYS else 0 for openings in range(16))


@compiled
def legal(row: Row, mask: npt.NDArray[np.uint8]) -> None:
    """Write 1 for every legal action of the actor, and 0 for all others.

    The mask has room for all actions, or for those of players if it is not chance that acts.
    """
    for action in range(len(mask)):
        mask[action] = 0
    seat = row[at.ACTOR]
    if seat == at.CHANCE_ACTS:
        base = draw_base(row)
        for piece in range(pieces(base)):
            mask[base + piece] = weight_of(row, base, piece) > 0
    elif seat >= 0 and row[at.DRAWN] != NOWHERE:
        _mark(mask, at.LAY_ACTION, lays(row))
    elif seat >= 0:
        if row[at.MOVES_LEFT] > 0:
            lamps = row[at.LAMPS + seat]
            _mark(mask, at.ARCHAEOLOGIST_ACTION, walks(row, lamps, row[at.ARCHAEOLOGIST + seat]))
            _mark(mask, at.HELPER_ACTION, walks(row, lamps, row[at.HELPER + seat]))
            _mark(mask, at.REVEAL_ACTION, reveals(row, seat))
            cells = turnable(row, seat)
            for cell in range(at.CELL_COUNT):
                if cells >> cell & 1:
                    _mark(mask, at.TURN_ACTION + WAY_COUNT * cell, turns(row, cell))
            mask[at.LAMP_ACTION] = may_light(row, seat)
            mask[at.UNLAMP_ACTION] = stands_in_own_light(row, seat)
        if row[at.ACTS_LEFT] > 0:
            mask[at.DROP_ACTION] = row[at.CARRIED + seat] > 0
            _mark(mask, at.TAKE_ACTION, takes(row, seat))
            _mark(mask, at.STEAL_ACTION, steals(row, seat))
        mask[at.END_ACTION] = 1


@inlined
def falling(row: Row) -> bool:
    """Whether the pyramid falls, or its countdown runs (10.1, 11.5.4)."""
    return bool(row[at.COUNTDOWN] > 0 or row[at.CLOCK] != NOWHERE)


@inlined
def reveals(row: Row, seat: int) -> int:
    """The cells that the archaeologist may turn over (5.1)."""
    cell = row[at.ARCHAEOLOGIST + seat]
    return 0 if cell < 0 else facing(row, 1 << cell) & row[at.DOWN]


@inlined
def turnable(row: Row, seat: int) -> int:
    """The cells with a passage tile that the helper reaches (6.1)."""
    cell = row[at.HELPER + seat]
    if cell < 0:
        return 0
    here = 1 << cell
    near = facing(row, here) if row[at.TURN_REACH] else step(row, here)
    return int((near | here) & ~(row[at.DOWN] | row[at.FALLEN] | row[at.CHAMBERS] | 1 << row[at.START_CELL]))


@inlined
def turns(row: Row, cell: int) -> int:
    """The other ways, as bits over ``WAYS``, in which the passage tile there may be turned (6.1)."""
    openings = openings_at(row, cell)
    return _unsealed(row, cell, _SAME_TILE[openings] & ~(1 << _PLACE[openings]))


@inlined
def lays(row: Row) -> int:
    """The ways, as bits over ``WAYS``, in which the drawn passage tile may be laid (5.2)."""
    return _unsealed(row, row[at.SITE], _OF_KIND[row[at.DRAWN]])


@inlined
def may_light(row: Row, seat: int) -> bool:
    """Whether the helper may put up a lamp (7.1)."""
    cell = row[at.HELPER + seat]
    lit = row[at.LAMPS + seat] >> cell & 1
    return bool(cell >= 0 and cell != row[at.START_CELL] and row[at.SUPPLY + seat] > 0 and not lit)


@inlined
def stands_in_own_light(row: Row, seat: int) -> bool:
    """Whether the helper may take a lamp down (7.2)."""
    cell = row[at.HELPER + seat]
    return bool(cell >= 0 and row[at.LAMPS + seat] >> cell & 1)


@inlined
def takes(row: Row, seat: int) -> int:
    """What the archaeologist may take: bit 0 for value 2, 1 for value 3, 2 for the mask (8.1)."""
    cell = row[at.ARCHAEOLOGIST + seat]
    if cell < 0 or row[at.CARRIED + seat] > 0:
        return 0
    return int(lies(row, 0) >> cell & 1 | (lies(row, 1) >> cell & 1) << 1 | (lies(row, 2) >> cell & 1) << 2)


@inlined
def steals(row: Row, seat: int) -> int:
    """From which seats, as bits, the archaeologist may steal (8.2)."""
    cell = row[at.ARCHAEOLOGIST + seat]
    found = 0
    if cell >= 0 and row[at.CARRIED + seat] == 0:
        for victim in range(row[at.PLAYERS]):
            if row[at.CARRIED + victim] > 0 and row[at.ARCHAEOLOGIST + victim] == cell:
                found |= 1 << victim
    return found


@inlined
def openings_at(row: Row, cell: int) -> int:
    """The open sides of the tile there."""
    sides = 0
    for side in range(4):
        sides |= (row[at.OPEN + side] >> cell & 1) << side
    return sides


@inlined
def _unsealed(row: Row, cell: int, ways: int) -> int:
    """Of these ways those that the option on sealed tiles allows: one opening faces a cell that still exists (5.2)."""
    if not row[at.NO_SEALED]:
        return ways
    near = neighbours(1 << cell) & ~row[at.FALLEN]
    sides = 0
    if cell + SIZE < at.CELL_COUNT:
        sides |= near >> (cell + SIZE) & 1
    if cell % SIZE < SIZE - 1:
        sides |= (near >> (cell + 1) & 1) << 1
    if cell >= SIZE:
        sides |= (near >> (cell - SIZE) & 1) << 2
    if cell % SIZE > 0:
        sides |= (near >> (cell - 1) & 1) << 3
    for place in range(WAY_COUNT):
        if not at.WAYS[place] & sides:
            ways &= ~(1 << place)
    return ways


# -- ways and what lies on cells (4, 8.1, 9.2) -------------------------------------------------------------------------


@inlined
def first_of(bits: int) -> int:
    """The place of the lowest bit: the first cell of a set."""
    return count((bits & -bits) - 1)


@inlined
def neighbours(cells: int) -> int:
    """All cells next to any of these."""
    return (cells << SIZE | cells >> SIZE | (cells & _NOT_EAST) << 1 | (cells & _NOT_WEST) >> 1) & at.ALL_CELLS


@inlined
def facing(row: Row, cells: int) -> int:
    """The cells towards which the tiles on these are open, whatever lies there."""
    north = (cells & row[at.OPEN]) << SIZE
    east = (cells & row[at.OPEN + 1] & _NOT_EAST) << 1
    south = (cells & row[at.OPEN + 2]) >> SIZE
    west = (cells & row[at.OPEN + 3] & _NOT_WEST) >> 1
    return int((north | east | south | west) & at.ALL_CELLS)


@inlined
def step(row: Row, cells: int) -> int:
    """The cells linked with any of these (4.1)."""
    north = (cells & row[at.OPEN]) << SIZE & row[at.OPEN + 2]
    east = (cells & row[at.OPEN + 1] & _NOT_EAST) << 1 & row[at.OPEN + 3]
    south = (cells & row[at.OPEN + 2]) >> SIZE & row[at.OPEN]
    west = (cells & row[at.OPEN + 3] & _NOT_WEST) >> 1 & row[at.OPEN + 1]
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
    down = row[at.DOWN]
    north = row[at.OPEN] & down >> SIZE
    south = row[at.OPEN + 2] & down << SIZE
    east = row[at.OPEN + 1] & (down & ~WEST_COLUMN) >> 1
    west = row[at.OPEN + 3] & (down & ~EAST_COLUMN) << 1
    return int(north | east | south | west)


@inlined
def lies(row: Row, kind: int) -> int:
    """The cells on which a treasure of this kind lies."""
    if kind == 2:
        return 0 if row[at.MASK_AT] == NOWHERE else 1 << row[at.MASK_AT]
    base = at.LYING + 3 * kind
    return int(row[base] | row[base + 1] | row[base + 2])


# -- chance (2.2) ------------------------------------------------------------------------------------------------------


@inlined
def draw_base(row: Row) -> int:
    """The first of the actions that chance has now: a tile, a photo or a treasure."""
    if row[at.DRAWN] == NOWHERE:
        return at.TILE_ACTION
    return at.PHOTO_ACTION if row[at.PHOTO] == 0 else at.TREASURE_ACTION


@inlined
def pieces(base: int) -> int:
    """How many kinds of draws there are from this first one on."""
    return 8 if base == at.TILE_ACTION else 5 if base == at.PHOTO_ACTION else 2


@inlined
def weight_of(row: Row, base: int, piece: int) -> int:
    """How many pieces of a kind are left."""
    if base == at.TILE_ACTION:
        return int(row[at.UNSEEN + piece])
    if base == at.PHOTO_ACTION:
        return int(row[at.PHOTO_OWNER + piece] == NOWHERE)
    return int(row[at.STACK + piece])


@inlined
def _mark(mask: npt.NDArray[np.uint8], base: int, bits: int) -> None:
    """The actions from ``base`` on whose bits are set may be done."""
    place = base
    while bits:
        mask[place] = bits & 1
        bits >>= 1
        place += 1
