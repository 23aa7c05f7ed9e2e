"""Running for life, compiled: who must go home now, and whether a trip into the pyramid still ends well."""

from __future__ import annotations

from serai.core.jit import compiled, inlined
from serai.pharaoh.kernel.foresight import FAR, turns_to_escape, turns_with_mask
from serai.pharaoh.kernel.layout import (
    ARCHAEOLOGIST,
    ARCHAEOLOGIST_ACTION,
    CLOCK,
    HELPER,
    HELPER_ACTION,
    LAMPS,
    MASK_CHAMBER,
    MOVES_LEFT,
    START_CELL,
)
from serai.pharaoh.kernel.steps import Desk, homeward
from serai.pharaoh.kernel.tempers import FEAR, Temper
from serai.pharaoh.kernel.ways import Row
from serai.pharaoh.pieces import MASK, MOVES, NOWHERE


@compiled
def flee(row: Row, seat: int, temper: Temper, desk: Desk) -> int:
    """Home now, if one turn later would be too late: the archaeologist first, who is worth more."""
    if row[MASK_CHAMBER] == NOWHERE:
        return -1
    lamps = row[LAMPS + seat]
    for figure in range(2):
        cell = row[(ARCHAEOLOGIST if figure == 0 else HELPER) + seat]
        if cell >= 0 and cell != row[START_CELL] and desk.home[cell] < FAR:
            late = turns_to_escape(row, lamps, cell, 0, int(temper[FEAR])) == FAR
            if late and turns_to_escape(row, lamps, cell, row[MOVES_LEFT], 0) < FAR:
                action = homeward(row, seat, cell, ARCHAEOLOGIST_ACTION if figure == 0 else HELPER_ACTION, desk)
                if action >= 0:
                    return action
    return -1


@inlined
def carried_out(row: Row, seat: int, value: int) -> bool:
    """Whether the archaeologist gets home, from where it stands, with a treasure of this value before its way falls."""
    if row[MASK_CHAMBER] == NOWHERE:
        return True
    lamps = row[LAMPS + seat]
    if value == MASK and row[CLOCK] == NOWHERE:
        return turns_with_mask(row, lamps) < FAR
    return turns_to_escape(row, lamps, row[ARCHAEOLOGIST + seat], row[MOVES_LEFT], 0) < FAR


@compiled
def trip_is_safe(row: Row, seat: int, cell: int, lies_mask: bool, temper: Temper, desk: Desk) -> bool:
    """Whether the archaeologist can go to that cell and home again before the way falls."""
    if row[MASK_CHAMBER] == NOWHERE:
        return True
    left = row[MOVES_LEFT] - desk.far[cell]
    turns = 0
    while left < 0:
        turns += 1
        left += MOVES
    lamps = row[LAMPS + seat]
    if lies_mask and row[CLOCK] == NOWHERE:
        return turns <= 2 and turns_with_mask(row, lamps) < FAR
    return turns_to_escape(row, lamps, cell, left, turns + int(temper[FEAR])) < FAR
