"""What archaeologists do, compiled: pick up, rob, and go for what is worth most per move."""

from __future__ import annotations

from typing import Final

from serai.core.jit import compiled, inlined
from serai.core.splitmix import Words, count
from serai.pharaoh.kernel.escape import carried_out, trip_is_safe
from serai.pharaoh.kernel.foresight import FAR, measure
from serai.pharaoh.kernel.layout import (
    ACTS_LEFT,
    ARCHAEOLOGIST,
    ARCHAEOLOGIST_ACTION,
    CARRIED,
    CELL_COUNT,
    DOWN,
    DROP_ACTION,
    LAMPS,
    MASK_CHAMBER,
    MOVES_LEFT,
    PLAYERS,
    REVEAL_ACTION,
    STEAL_ACTION,
    TAKE_ACTION,
    UNSEEN,
)
from serai.pharaoh.kernel.legal import reveals
from serai.pharaoh.kernel.steps import Desk, chance, frontier, homeward, towards
from serai.pharaoh.kernel.tempers import EXPLORE, LONGING, NOISE, PACE, RETURN, RIVALRY, STEAL, Temper
from serai.pharaoh.kernel.treasure import FIRST_VALUE, lies
from serai.pharaoh.kernel.ways import Row, neighbours
from serai.pharaoh.pieces import FIRST_CHAMBER, MASK, MOVES, NOWHERE, TILE_COUNTS

_KINDS_OF_TILE: Final = len(TILE_COUNTS)
_CHAMBER_WORTH: Final = 3.5
"""A photo, and what one may hope to carry home of what it shows."""
_LONG_WAY: Final = 12
"""Longer ways home count like this one: tiles can be turned."""


@compiled
def grab(row: Row, seat: int, temper: Temper) -> int:
    """Take or steal the dearest thing here that can be carried out in time; drop what is cheaper for it."""
    stands = row[ARCHAEOLOGIST + seat]
    carried = row[CARRIED + seat]
    best = carried
    action = -1
    for kind in range(3):
        value = MASK if kind == 2 else FIRST_VALUE + kind
        longed_for = kind < 2 or temper[LONGING] > 0.0
        if value > best and lies(row, kind) >> stands & 1 and longed_for and carried_out(row, seat, value):
            best, action = value, TAKE_ACTION + kind
    if temper[STEAL] > 0.0:
        for victim in range(row[PLAYERS]):
            value = row[CARRIED + victim]
            # of equals the rival's: it pays for it too
            dearer = value > best or (value == best and action >= 0)
            if dearer and victim != seat and row[ARCHAEOLOGIST + victim] == stands and carried_out(row, seat, value):
                best, action = value, STEAL_ACTION + victim
    if action >= 0 and carried > 0:
        return DROP_ACTION if row[ACTS_LEFT] > 1 else -1
    return action


@compiled
def pursue(row: Row, seat: int, temper: Temper, desk: Desk, words: Words, lane: int) -> int:
    """Go for what is worth most per move, or home with what is carried."""
    stands = row[ARCHAEOLOGIST + seat]
    if stands < 0:
        return -1
    if row[CARRIED + seat] > 0 and desk.home[stands] < FAR:
        return homeward(row, seat, stands, ARCHAEOLOGIST_ACTION, desk)
    measure(row, row[LAMPS + seat], stands, desk.far)
    best = 0.0
    goal = -1
    if row[CARRIED + seat] == 0:
        best, goal = _best_treasure(row, seat, temper, desk, words, lane)
        if temper[STEAL] > 0.0:
            worth, cell = _best_victim(row, seat, temper, desk, words, lane)
            if worth > best:
                best, goal = worth, cell
    hope = _hope(row) * temper[EXPLORE]
    if hope > 0.0:
        cells = frontier(row)
        while cells:
            cell = count((cells & -cells) - 1)
            cells &= cells - 1
            if desk.far[cell] < FAR:
                way = desk.far[cell] + 1 + temper[RETURN] * min(desk.home[cell], _LONG_WAY)
                worth = hope / way * _blur(temper, words, lane)
                if worth > best:
                    best, goal = worth, cell
    if goal < 0:
        if row[MASK_CHAMBER] != NOWHERE:
            return homeward(row, seat, stands, ARCHAEOLOGIST_ACTION, desk)
        return -1
    if goal == stands:
        return REVEAL_ACTION + _promising(row, reveals(row, seat), words, lane)
    return towards(row, seat, stands, goal, ARCHAEOLOGIST_ACTION, desk)


@compiled
def _best_treasure(row: Row, seat: int, temper: Temper, desk: Desk, words: Words, lane: int) -> tuple[float, int]:
    """The treasure lying somewhere that is worth most per move, and its cell."""
    best = 0.0
    goal = -1
    watched = False
    for kind in range(3):
        cells = lies(row, kind)
        value = temper[LONGING] * MASK if kind == 2 else float(FIRST_VALUE + kind)
        while cells:
            cell = count((cells & -cells) - 1)
            cells &= cells - 1
            away = desk.far[cell] + desk.home[cell]
            if not (0 < away < FAR and desk.far[cell] > 0):
                continue
            worth = value / (away + temper[PACE])
            if worth > best and temper[RIVALRY] < 1.0:
                if not watched:
                    _watch_rivals(row, seat, desk)
                    watched = True
                if _rival_is_first(row, cell, desk):
                    worth *= temper[RIVALRY]
            worth *= _blur(temper, words, lane)
            if worth > best and trip_is_safe(row, seat, cell, kind == 2, temper, desk):
                best, goal = worth, cell
    return best, goal


@inlined
def _best_victim(row: Row, seat: int, temper: Temper, desk: Desk, words: Words, lane: int) -> tuple[float, int]:
    """The rival within reach whom it pays most to rob, by its cell."""
    best = 0.0
    goal = -1
    for victim in range(row[PLAYERS]):
        cell = row[ARCHAEOLOGIST + victim]
        if row[CARRIED + victim] > 0 and 0 < desk.far[cell] <= row[MOVES_LEFT] and desk.home[cell] < FAR:
            away = desk.far[cell] + desk.home[cell]
            worth = temper[STEAL] * row[CARRIED + victim] / (away + temper[PACE]) * _blur(temper, words, lane)
            if worth > best and trip_is_safe(row, seat, cell, False, temper, desk):
                best, goal = worth, cell
    return best, goal


@inlined
def _watch_rivals(row: Row, seat: int, desk: Desk) -> None:
    """How far every cell is from the nearest rival with empty hands."""
    for cell in range(CELL_COUNT):
        desk.rival[cell] = FAR
    for rival in range(row[PLAYERS]):
        if rival != seat and row[CARRIED + rival] == 0 and row[ARCHAEOLOGIST + rival] >= 0:
            measure(row, row[LAMPS + rival], row[ARCHAEOLOGIST + rival], desk.work)
            for cell in range(CELL_COUNT):
                desk.rival[cell] = min(desk.rival[cell], desk.work[cell])


@inlined
def _rival_is_first(row: Row, cell: int, desk: Desk) -> bool:
    """Whether a rival gets there before our turn in which we do."""
    missing = desk.far[cell] - row[MOVES_LEFT]
    turns = 0 if missing <= 0 else (missing + MOVES - 1) // MOVES
    return bool((desk.rival[cell] + MOVES - 1) // MOVES <= turns)


@inlined
def _hope(row: Row) -> float:
    """What a face-down tile promises."""
    chambers = 0
    tiles = 0
    for kind in range(_KINDS_OF_TILE):
        tiles += row[UNSEEN + kind]
        if kind >= FIRST_CHAMBER:
            chambers += row[UNSEEN + kind]
    return _CHAMBER_WORTH * chambers / tiles if tiles > 0 else 0.0


@compiled
def _promising(row: Row, cells: int, words: Words, lane: int) -> int:
    """The face-down cell with most others around it."""
    best = -1.0
    found = 0
    while cells:
        cell = count((cells & -cells) - 1)
        cells &= cells - 1
        merit = count(neighbours(1 << cell) & row[DOWN]) + chance(words, lane)
        if merit > best:
            best, found = merit, cell
    return found


@inlined
def _blur(temper: Temper, words: Words, lane: int) -> float:
    return 1.0 + temper[NOISE] * (chance(words, lane) - 0.5) if temper[NOISE] > 0.0 else 1.0
