"""What may be done, compiled: sets of cells, ways and seats as bits (chapters 3 to 8 of the rules)."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.core.jit import compiled, inlined
from serai.pharaoh.board import ORIENTATIONS, SHAPE_OF
from serai.pharaoh.kernel.layout import (
    ACTOR,
    ACTS_LEFT,
    ARCHAEOLOGIST,
    ARCHAEOLOGIST_ACTION,
    CARRIED,
    CELL_COUNT,
    CHAMBERS,
    CHANCE_ACTS,
    DOWN,
    DRAWN,
    DROP_ACTION,
    END_ACTION,
    FALLEN,
    HELPER,
    HELPER_ACTION,
    LAMP_ACTION,
    LAMPS,
    LAY_ACTION,
    MOVES_LEFT,
    NO_SEALED,
    OPEN,
    PHOTO,
    PHOTO_ACTION,
    PHOTO_OWNER,
    PLAYERS,
    REVEAL_ACTION,
    SITE,
    STACK,
    START_CELL,
    STEAL_ACTION,
    SUPPLY,
    TAKE_ACTION,
    TILE_ACTION,
    TREASURE_ACTION,
    TURN_ACTION,
    TURN_REACH,
    UNLAMP_ACTION,
    UNSEEN,
    WAYS,
)
from serai.pharaoh.kernel.treasure import lies
from serai.pharaoh.kernel.ways import Row, facing, neighbours, step, walks
from serai.pharaoh.pieces import NOWHERE, SIZE

WAY_COUNT: Final = len(WAYS)


def _ways_of(openings: int) -> int:
    """The ways, as bits over ``WAYS``, in which a tile with these openings can lie."""
    return sum(1 << WAYS.index(way) for way in ORIENTATIONS[SHAPE_OF[openings]])


_SAME_TILE: Final = tuple(_ways_of(openings) if openings in SHAPE_OF else 0 for openings in range(16))
"""By openings: every way that tile can lie."""
_OF_KIND: Final = tuple(_ways_of(ways[0]) for ways in ORIENTATIONS)
"""By kind of passage tile."""
_PLACE: Final = tuple(WAYS.index(openings) if openings in WAYS else 0 for openings in range(16))


@compiled
def legal(row: Row, mask: npt.NDArray[np.uint8]) -> None:
    """Write 1 for every legal action of the actor, and 0 for all others.

    The mask has room for all actions, or for those of players if it is not chance that acts.
    """
    for action in range(len(mask)):
        mask[action] = 0
    seat = row[ACTOR]
    if seat == CHANCE_ACTS:
        base = draw_base(row)
        for piece in range(pieces(base)):
            mask[base + piece] = weight_of(row, base, piece) > 0
    elif seat >= 0 and row[DRAWN] != NOWHERE:
        _mark(mask, LAY_ACTION, lays(row))
    elif seat >= 0:
        if row[MOVES_LEFT] > 0:
            lamps = row[LAMPS + seat]
            _mark(mask, ARCHAEOLOGIST_ACTION, walks(row, lamps, row[ARCHAEOLOGIST + seat]))
            _mark(mask, HELPER_ACTION, walks(row, lamps, row[HELPER + seat]))
            _mark(mask, REVEAL_ACTION, reveals(row, seat))
            cells = turnable(row, seat)
            for cell in range(CELL_COUNT):
                if cells >> cell & 1:
                    _mark(mask, TURN_ACTION + WAY_COUNT * cell, turns(row, cell))
            mask[LAMP_ACTION] = may_light(row, seat)
            mask[UNLAMP_ACTION] = stands_in_own_light(row, seat)
        if row[ACTS_LEFT] > 0:
            mask[DROP_ACTION] = row[CARRIED + seat] > 0
            _mark(mask, TAKE_ACTION, takes(row, seat))
            _mark(mask, STEAL_ACTION, steals(row, seat))
        mask[END_ACTION] = 1


@inlined
def reveals(row: Row, seat: int) -> int:
    """The cells that the archaeologist may turn over (5.1)."""
    cell = row[ARCHAEOLOGIST + seat]
    return 0 if cell < 0 else facing(row, 1 << cell) & row[DOWN]


@inlined
def turnable(row: Row, seat: int) -> int:
    """The cells with a passage tile that the helper reaches (6.1)."""
    cell = row[HELPER + seat]
    if cell < 0:
        return 0
    here = 1 << cell
    near = facing(row, here) if row[TURN_REACH] else step(row, here)
    return int((near | here) & ~(row[DOWN] | row[FALLEN] | row[CHAMBERS] | 1 << row[START_CELL]))


@inlined
def turns(row: Row, cell: int) -> int:
    """The other ways, as bits over ``WAYS``, in which the passage tile there may be turned (6.1)."""
    openings = openings_at(row, cell)
    return _unsealed(row, cell, _SAME_TILE[openings] & ~(1 << _PLACE[openings]))


@inlined
def lays(row: Row) -> int:
    """The ways, as bits over ``WAYS``, in which the drawn passage tile may be laid (5.2)."""
    return _unsealed(row, row[SITE], _OF_KIND[row[DRAWN]])


@inlined
def may_light(row: Row, seat: int) -> bool:
    """Whether the helper may put up a lamp (7.1)."""
    cell = row[HELPER + seat]
    lit = row[LAMPS + seat] >> cell & 1
    return bool(cell >= 0 and cell != row[START_CELL] and row[SUPPLY + seat] > 0 and not lit)


@inlined
def stands_in_own_light(row: Row, seat: int) -> bool:
    """Whether the helper may take a lamp down (7.2)."""
    cell = row[HELPER + seat]
    return bool(cell >= 0 and row[LAMPS + seat] >> cell & 1)


@inlined
def takes(row: Row, seat: int) -> int:
    """What the archaeologist may take: bit 0 for value 2, 1 for value 3, 2 for the mask (8.1)."""
    cell = row[ARCHAEOLOGIST + seat]
    if cell < 0 or row[CARRIED + seat] > 0:
        return 0
    return int(lies(row, 0) >> cell & 1 | (lies(row, 1) >> cell & 1) << 1 | (lies(row, 2) >> cell & 1) << 2)


@inlined
def steals(row: Row, seat: int) -> int:
    """From which seats, as bits, the archaeologist may steal (8.2)."""
    cell = row[ARCHAEOLOGIST + seat]
    found = 0
    if cell >= 0 and row[CARRIED + seat] == 0:
        for victim in range(row[PLAYERS]):
            if row[CARRIED + victim] > 0 and row[ARCHAEOLOGIST + victim] == cell:
                found |= 1 << victim
    return found


@inlined
def openings_at(row: Row, cell: int) -> int:
    """The open sides of the tile there."""
    sides = 0
    for side in range(4):
        sides |= (row[OPEN + side] >> cell & 1) << side
    return sides


@inlined
def _unsealed(row: Row, cell: int, ways: int) -> int:
    """Of these ways those that the option on sealed tiles allows: one opening faces a cell that still exists (5.2)."""
    if not row[NO_SEALED]:
        return ways
    near = neighbours(1 << cell) & ~row[FALLEN]
    sides = 0
    if cell + SIZE < CELL_COUNT:
        sides |= near >> (cell + SIZE) & 1
    if cell % SIZE < SIZE - 1:
        sides |= (near >> (cell + 1) & 1) << 1
    if cell >= SIZE:
        sides |= (near >> (cell - SIZE) & 1) << 2
    if cell % SIZE > 0:
        sides |= (near >> (cell - 1) & 1) << 3
    for place in range(WAY_COUNT):
        if not WAYS[place] & sides:
            ways &= ~(1 << place)
    return ways


# -- chance (2.2) ------------------------------------------------------------------------------------------------------


@inlined
def draw_base(row: Row) -> int:
    """The first of the actions that chance has now: a tile, a photo or a treasure."""
    if row[DRAWN] == NOWHERE:
        return TILE_ACTION
    return PHOTO_ACTION if row[PHOTO] == 0 else TREASURE_ACTION


@inlined
def pieces(base: int) -> int:
    """How many kinds of draws there are from this first one on."""
    return 8 if base == TILE_ACTION else 5 if base == PHOTO_ACTION else 2


@inlined
def weight_of(row: Row, base: int, piece: int) -> int:
    """How many pieces of a kind are left."""
    if base == TILE_ACTION:
        return int(row[UNSEEN + piece])
    if base == PHOTO_ACTION:
        return int(row[PHOTO_OWNER + piece] == NOWHERE)
    return int(row[STACK + piece])


@inlined
def _mark(mask: npt.NDArray[np.uint8], base: int, bits: int) -> None:
    """The actions from ``base`` on whose bits are set may be done."""
    place = base
    while bits:
        mask[place] = bits & 1
        bits >>= 1
        place += 1
