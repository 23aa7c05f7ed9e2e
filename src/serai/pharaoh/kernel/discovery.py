"""What a newly found chamber sets going, compiled: photo, treasures, mummy, curse (chapter 9 of the rules)."""

from __future__ import annotations

from typing import Final

from serai.core.jit import compiled
from serai.core.splitmix import count
from serai.pharaoh.kernel.layout import (
    ALL_CELLS,
    ARCHAEOLOGIST,
    CARRIED,
    CHANGED,
    COUNTDOWN,
    DUE,
    EVENT_ENDS,
    FINDER,
    FRIGHTENED_DROP,
    HELPER,
    LAMPS,
    MASK_CHAMBER,
    PHOTO,
    PHOTO_OWNER,
    PLAYERS,
    PLIES,
    POINTS,
    SITE,
    STACK,
    START_CELL,
    SUPPLY,
    TURN,
)
from serai.pharaoh.kernel.treasure import bank, lay_out
from serai.pharaoh.kernel.ways import Row, step
from serai.pharaoh.pieces import COUNTDOWN as COUNTDOWN_TURNS
from serai.pharaoh.pieces import MASK, NOWHERE, PHOTO_POINTS, PHOTOS

_SHOWN: Final = tuple(photo.treasures for photo in PHOTOS)
_MUMMY: Final = tuple(photo.omen == "mummy" for photo in PHOTOS)
_CURSE: Final = tuple(photo.omen == "curse" for photo in PHOTOS)


@compiled
def take_photo(row: Row, number: int) -> None:
    """The photo, counted from 0, goes into the finder's collection (9.1)."""
    seat = row[TURN]
    row[PHOTO] = number + 1
    row[PHOTO_OWNER + number] = seat
    row[DUE] = _SHOWN[number]
    row[POINTS + seat] += PHOTO_POINTS
    row[CHANGED + seat] = row[PLIES]


@compiled
def treasures_left(row: Row) -> bool:
    """Whether a treasure has to be drawn for the photo."""
    return bool(row[DUE] > 0 and row[STACK] + row[STACK + 1] > 0)


@compiled
def complete_chamber(row: Row) -> bool:
    """All treasures lie there: the mask comes if it is due, then mummy or curse; whether that ends the turn."""
    if row[DUE] > 0 and row[MASK_CHAMBER] == NOWHERE:
        lay_out(row, row[SITE], MASK)
        row[MASK_CHAMBER] = row[SITE]
        row[FINDER] = row[TURN]
        row[COUNTDOWN] = COUNTDOWN_TURNS + 1
    photo = row[PHOTO] - 1
    if not (_MUMMY[photo] or _CURSE[photo]):
        return False
    way = shortest_way(row, row[SITE], row[START_CELL])
    if way == 0:
        return bool(row[EVENT_ENDS])
    if _MUMMY[photo]:
        _frighten(row, way & ~(1 << row[START_CELL]))
    else:
        for seat in range(row[PLAYERS]):
            row[SUPPLY + seat] += count(row[LAMPS + seat] & way)
            row[LAMPS + seat] &= ~way
    return True


@compiled
def shortest_way(row: Row, chamber: int, start: int) -> int:
    """All cells on ways of least length from the chamber to the start; none if there is no way (9.2)."""
    goal = 1 << start
    reached = 1 << chamber
    front = reached
    length = 0
    while not front & goal:
        front = step(row, front) & ~reached
        if front == 0:
            return 0
        reached |= front
        length += 1
    # from the chamber on, only to cells that are as far from the start as the way still is
    way = front = 1 << chamber
    for left in range(length - 1, -1, -1):
        near = goal
        at = goal
        for _ in range(left):
            at = step(row, at) & ~near
            near |= at
        front = step(row, front) & at
        way |= front
    return way & ALL_CELLS


@compiled
def _frighten(row: Row, way: int) -> None:
    """Every figure on the way flees to the start; what it carried stays, or is banked (9.3)."""
    for seat in range(row[PLAYERS]):
        cell = row[ARCHAEOLOGIST + seat]
        if cell >= 0 and way >> cell & 1:
            row[ARCHAEOLOGIST + seat] = row[START_CELL]
            if row[CARRIED + seat] > 0:
                if row[FRIGHTENED_DROP]:
                    lay_out(row, cell, row[CARRIED + seat])
                    row[CARRIED + seat] = 0
                else:
                    bank(row, seat)
        cell = row[HELPER + seat]
        if cell >= 0 and way >> cell & 1:
            row[HELPER + seat] = row[START_CELL]
