"""How compiled players decide: one policy with a temper, from careless tourists to tomb raiders.

A *temper* says how much each thing counts. Everything an archaeologist may want has a worth per move; helpers
light its way, open and bar ways; whoever may be buried runs.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.core.jit import compiled, inlined
from serai.core.splitmix import Words, below, count, draw, picked_bit
from serai.pharaoh.kernel.foresight import FAR, Distances, measure, turns_to_escape, turns_with_mask
from serai.pharaoh.kernel.layout import (
    ACTOR,
    ACTS_LEFT,
    ARCHAEOLOGIST,
    ARCHAEOLOGIST_ACTION,
    CARRIED,
    CELL_COUNT,
    CHAMBERS,
    CLOCK,
    DOWN,
    DRAWN,
    DROP_ACTION,
    END_ACTION,
    HELPER,
    HELPER_ACTION,
    LAMP_ACTION,
    LAMPS,
    LAY_ACTION,
    MASK_AT,
    MASK_CHAMBER,
    MOVES_LEFT,
    OPEN,
    PLAYERS,
    REVEAL_ACTION,
    SITE,
    START_CELL,
    STEAL_ACTION,
    SUPPLY,
    TAKE_ACTION,
    TURN_ACTION,
    UNSEEN,
    WAYS,
)
from serai.pharaoh.kernel.legal import WAY_COUNT, lays, openings_at, reveals, turnable, turns
from serai.pharaoh.kernel.rules import lay_tile
from serai.pharaoh.kernel.treasure import FIRST_VALUE, lies
from serai.pharaoh.kernel.ways import EAST_COLUMN, WEST_COLUMN, Row, flood, neighbours, step, walks
from serai.pharaoh.pieces import FIRST_CHAMBER, MASK, MOVES, NOWHERE, SIZE, TILE_COUNTS

_KINDS_OF_TILE: Final = len(TILE_COUNTS)


Temper = npt.NDArray[np.float64]
"""What a player cares for, in the order of the next constants; 1 is the measure of a seasoned one."""
EXPLORE: Final = 0
"""Turning tiles over, against fetching treasure."""
STEAL: Final = 1
"""Robbing others; 0 never does."""
LIGHT: Final = 2
"""Chance, each time, to spend a move on lamps where they pay."""
BAR: Final = 3
"""Chance to bar the way of a rival who carries, where the helper can."""
LONGING: Final = 4
"""For the mask."""
FEAR: Final = 5
"""Rings that might fall sooner than they should."""
NOISE: Final = 6
"""How much worths are blurred: the same position is not always played alike."""
TEMPER_SIZE: Final = 7


class Desk(NamedTuple):
    """Room to think in, used again and again; two threads must not share one."""

    home: Distances
    """Moves between each cell and the start."""
    far: Distances
    """Moves from the archaeologist to each cell."""
    work: Distances
    board: Row
    """Four sets of openings, to try a turned tile."""


def desk() -> Desk:
    """Fresh room."""
    home, far, work = (np.empty(CELL_COUNT, np.int64) for _ in range(3))
    return Desk(home, far, work, np.empty(4, np.int64))


@compiled
def choose(row: Row, temper: Temper, desk: Desk, words: Words, lane: int) -> int:
    """What this temper does: the first of these that has an answer, in the order of importance."""
    seat = row[ACTOR]
    if row[DRAWN] != NOWHERE:
        return _best_lay(row, seat, words, lane)
    stands = row[ARCHAEOLOGIST + seat]
    measure(row, row[LAMPS + seat], row[START_CELL], desk.home)
    action = _grab(row, seat, temper, desk) if stands >= 0 and row[ACTS_LEFT] > 0 else -1
    if action < 0 and row[MOVES_LEFT] > 0:
        action = _flee(row, seat, temper, desk)
        if action < 0 and _chance(words, lane) < temper[LIGHT]:
            action = _light(row, seat, desk)
        if action < 0:
            action = _pursue(row, seat, temper, desk, words, lane)
        if action < 0:
            action = _open_way(row, seat, desk)
        if action < 0 and _chance(words, lane) < temper[BAR]:
            action = _bar(row, seat, desk)
        if action < 0 and row[MASK_CHAMBER] != NOWHERE:
            action = _homeward(row, seat, row[HELPER + seat], HELPER_ACTION, desk)
        if action < 0 and _stuck(row, seat, desk):
            action = _stir(row, seat, words, lane)
    return END_ACTION if action < 0 else action


# -- treasure ----------------------------------------------------------------------------------------------------------


@compiled
def _grab(row: Row, seat: int, temper: Temper, desk: Desk) -> int:
    """Take or steal the dearest thing here that can be carried out in time; drop what is cheaper for it."""
    stands = row[ARCHAEOLOGIST + seat]
    carried = row[CARRIED + seat]
    best = 0
    action = -1
    for kind in range(3):
        value = MASK if kind == 2 else FIRST_VALUE + kind
        if lies(row, kind) >> stands & 1 and _carried_out(row, seat, value):
            best, action = value, TAKE_ACTION + kind
    if carried > 0:
        return DROP_ACTION if best > carried and row[ACTS_LEFT] > 1 else -1
    if temper[STEAL] > 0.0:
        for victim in range(row[PLAYERS]):
            value = row[CARRIED + victim]
            if value >= max(best, 1) and row[ARCHAEOLOGIST + victim] == stands and _carried_out(row, seat, value):
                best, action = value, STEAL_ACTION + victim
    return action


@inlined
def _carried_out(row: Row, seat: int, value: int) -> bool:
    """Whether the archaeologist, who stands there, gets home with it before its way falls."""
    if row[MASK_CHAMBER] == NOWHERE:
        return True
    lamps = row[LAMPS + seat]
    stands = row[ARCHAEOLOGIST + seat]
    if value == MASK and row[CLOCK] == NOWHERE:
        return turns_with_mask(row, lamps) < FAR
    return turns_to_escape(row, lamps, stands, row[MOVES_LEFT], 0) < FAR


@compiled
def _pursue(row: Row, seat: int, temper: Temper, desk: Desk, words: Words, lane: int) -> int:
    """Go for what is worth most per move, or home with what is carried."""
    stands = row[ARCHAEOLOGIST + seat]
    if stands < 0:
        return -1
    if row[CARRIED + seat] > 0 and desk.home[stands] < FAR:
        return _homeward(row, seat, stands, ARCHAEOLOGIST_ACTION, desk)
    measure(row, row[LAMPS + seat], stands, desk.far)
    best = 0.0
    goal = -1
    if row[CARRIED + seat] == 0:
        for kind in range(3):
            cells = lies(row, kind)
            worth = temper[LONGING] * MASK if kind == 2 else FIRST_VALUE + kind
            while cells:
                cell = count((cells & -cells) - 1)
                cells &= cells - 1
                away = desk.far[cell] + desk.home[cell]
                if 0 < away < FAR and desk.far[cell] > 0 and _trip_is_safe(row, seat, cell, kind, temper, desk):
                    worth_here = worth / (away + 0.5) * _blur(temper, words, lane)
                    if worth_here > best:
                        best, goal = worth_here, cell
        if temper[STEAL] > 0.0:
            for victim in range(row[PLAYERS]):
                cell = row[ARCHAEOLOGIST + victim]
                if row[CARRIED + victim] > 0 and 0 < desk.far[cell] <= row[MOVES_LEFT] and desk.home[cell] < FAR:
                    away = desk.far[cell] + desk.home[cell]
                    worth_here = temper[STEAL] * row[CARRIED + victim] / (away + 0.5) * _blur(temper, words, lane)
                    if worth_here > best and _trip_is_safe(row, seat, cell, 0, temper, desk):
                        best, goal = worth_here, cell
    hope = _hope(row) * temper[EXPLORE]
    if hope > 0.0:
        cells = _frontier(row)
        while cells:
            cell = count((cells & -cells) - 1)
            cells &= cells - 1
            if desk.far[cell] < FAR:
                worth_here = hope / (desk.far[cell] + 1 + 0.3 * min(desk.home[cell], 12)) * _blur(temper, words, lane)
                if worth_here > best:
                    best, goal = worth_here, cell
    if goal < 0:
        if row[MASK_CHAMBER] != NOWHERE:
            return _homeward(row, seat, stands, ARCHAEOLOGIST_ACTION, desk)
        return -1
    if goal == stands:
        return REVEAL_ACTION + _promising(row, reveals(row, seat), words, lane)
    return _towards(row, seat, stands, goal, ARCHAEOLOGIST_ACTION, desk)


@inlined
def _hope(row: Row) -> float:
    """What a face-down tile promises: a photo, and part of what lies there."""
    chambers = 0
    tiles = 0
    for kind in range(_KINDS_OF_TILE):
        tiles += row[UNSEEN + kind]
        if kind >= FIRST_CHAMBER:
            chambers += row[UNSEEN + kind]
    return 3.5 * chambers / tiles if tiles > 0 else 0.0


@inlined
def _frontier(row: Row) -> int:
    """The cells whose tile opens towards a face-down one."""
    down = row[DOWN]
    north = row[OPEN] & down >> SIZE
    south = row[OPEN + 2] & down << SIZE
    east = row[OPEN + 1] & (down & ~WEST_COLUMN) >> 1
    west = row[OPEN + 3] & (down & ~EAST_COLUMN) << 1
    return int(north | east | south | west)


@compiled
def _trip_is_safe(row: Row, seat: int, cell: int, kind: int, temper: Temper, desk: Desk) -> bool:
    """Whether one can go to that cell and home again before the way falls."""
    if row[MASK_CHAMBER] == NOWHERE:
        return True
    left = row[MOVES_LEFT] - desk.far[cell]
    turns = 0
    while left < 0:
        turns += 1
        left += MOVES
    lamps = row[LAMPS + seat]
    if kind == 2 and row[CLOCK] == NOWHERE:
        return turns <= 2 and turns_with_mask(row, lamps) < FAR
    return turns_to_escape(row, lamps, cell, left, turns + int(temper[FEAR])) < FAR


@compiled
def _promising(row: Row, cells: int, words: Words, lane: int) -> int:
    """The face-down cell with most others around it."""
    best = -1.0
    found = 0
    while cells:
        cell = count((cells & -cells) - 1)
        cells &= cells - 1
        merit = count(neighbours(1 << cell) & row[DOWN]) + _chance(words, lane)
        if merit > best:
            best, found = merit, cell
    return found


@compiled
def _best_lay(row: Row, seat: int, words: Words, lane: int) -> int:
    """Open towards the finder and towards what is unknown, not against walls."""
    site = row[SITE]
    stands = row[ARCHAEOLOGIST + seat]
    ways = lays(row)
    best = -1.0
    found = 0
    for place in range(WAY_COUNT):
        if ways >> place & 1:
            merit = _chance(words, lane)
            for side in range(4):
                other = _beside(site, side)
                if WAYS[place] >> side & 1 and other >= 0:
                    if other == stands:
                        merit += 10.0
                    elif row[DOWN] >> other & 1:
                        merit += 2.0
                    elif row[OPEN + (side + 2) % 4] >> other & 1:
                        merit += 1.0
            if merit > best:
                best, found = merit, place
    return LAY_ACTION + found


# -- running for life --------------------------------------------------------------------------------------------------


@compiled
def _flee(row: Row, seat: int, temper: Temper, desk: Desk) -> int:
    """Home now, if one turn later would be too late: the archaeologist first, who is worth more."""
    if row[MASK_CHAMBER] == NOWHERE:
        return -1
    lamps = row[LAMPS + seat]
    for figure in range(2):
        base = ARCHAEOLOGIST if figure == 0 else HELPER
        cell = row[base + seat]
        if cell >= 0 and cell != row[START_CELL] and desk.home[cell] < FAR:
            late = turns_to_escape(row, lamps, cell, 0, int(temper[FEAR])) == FAR
            if late and turns_to_escape(row, lamps, cell, row[MOVES_LEFT], 0) < FAR:
                action = _homeward(row, seat, cell, ARCHAEOLOGIST_ACTION if figure == 0 else HELPER_ACTION, desk)
                if action >= 0:
                    return action
    return -1


@inlined
def _homeward(row: Row, seat: int, cell: int, base: int, desk: Desk) -> int:
    """A step home for the figure there; -1 if there is none to take."""
    if cell < 0 or desk.home[cell] == 0 or desk.home[cell] >= FAR:
        return -1
    return base + _nearest(walks(row, row[LAMPS + seat], cell), desk.home)


@inlined
def _towards(row: Row, seat: int, cell: int, goal: int, base: int, desk: Desk) -> int:
    """A step of the figure there to that cell."""
    measure(row, row[LAMPS + seat], goal, desk.work)
    if desk.work[cell] >= FAR:
        return -1
    return base + _nearest(walks(row, row[LAMPS + seat], cell), desk.work)


@inlined
def _nearest(cells: int, far: Distances) -> int:
    best = FAR + 1
    found = 0
    while cells:
        cell = count((cells & -cells) - 1)
        cells &= cells - 1
        if far[cell] < best:
            best, found = far[cell], cell
    return found


# -- the helper's work -------------------------------------------------------------------------------------------------


@compiled
def _light(row: Row, seat: int, desk: Desk) -> int:
    """A lamp on the unlit cell where the helper stands on the way home, or a step to the next such cell."""
    helper = row[HELPER + seat]
    target = row[ARCHAEOLOGIST + seat]
    start = row[START_CELL]
    if row[MASK_CHAMBER] != NOWHERE:
        # only a run from the chamber of the mask is still worth its moves
        if row[CLOCK] != NOWHERE or row[MASK_AT] != row[MASK_CHAMBER] or desk.home[row[MASK_CHAMBER]] == 1:
            return -1
        target = row[MASK_CHAMBER]
    if helper < 0 or target < 0 or target == start or row[SUPPLY + seat] == 0:
        return -1
    lamps = row[LAMPS + seat]
    measure(row, 0, start, desk.work)
    if not 2 < desk.work[target] < FAR:
        return -1
    way = 0
    cell = target
    while desk.work[cell] > 1:
        near = step(row, 1 << cell)
        onward = 0
        while near:
            other = count((near & -near) - 1)
            near &= near - 1
            if desk.work[other] == desk.work[cell] - 1 and (onward == 0 or lamps >> other & 1):
                onward = other
        cell = onward
        way |= 1 << cell
    unlit = way & ~lamps
    if unlit >> helper & 1:
        return LAMP_ACTION
    reach = walks(row, lamps, helper) & unlit
    return HELPER_ACTION + _nearest(reach, desk.work) if reach else -1


@compiled
def _bar(row: Row, seat: int, desk: Desk) -> int:
    """Turn a tile near the helper so that a rival who carries has a longer way home, and we have not."""
    best = 2
    found = -1
    stands = row[ARCHAEOLOGIST + seat]
    own = desk.home[stands] if stands >= 0 else 0
    for victim in range(row[PLAYERS]):
        cell = row[ARCHAEOLOGIST + victim]
        if victim == seat or row[CARRIED + victim] == 0 or cell < 0:
            continue
        measure(row, row[LAMPS + victim], row[START_CELL], desk.work)
        before = min(desk.work[cell], 12)
        if before >= 12:
            continue
        cells = turnable(row, seat)
        while cells:
            place = count((cells & -cells) - 1)
            cells &= cells - 1
            openings = openings_at(row, place)
            ways = turns(row, place)
            while ways:
                way = count((ways & -ways) - 1)
                ways &= ways - 1
                lay_tile(row, place, WAYS[way])
                measure(row, row[LAMPS + victim], row[START_CELL], desk.work)
                gain = min(desk.work[cell], 12) - before
                if gain > best:
                    measure(row, row[LAMPS + seat], row[START_CELL], desk.work)
                    if stands < 0 or desk.work[stands] <= own:
                        best, found = gain, TURN_ACTION + WAY_COUNT * place + way
                lay_tile(row, place, openings)
    return found


@compiled
def _open_way(row: Row, seat: int, desk: Desk) -> int:
    """Nothing can be reached, or there is no way home: turn the nearest tile that changes this, or walk there."""
    stands = row[ARCHAEOLOGIST + seat]
    helper = row[HELPER + seat]
    if stands < 0 or helper < 0 or not _stuck(row, seat, desk):
        return -1
    lamps = row[LAMPS + seat]
    measure(row, lamps, helper, desk.far)
    at_hand = turnable(row, seat)
    cells = (at_hand | flood(row, 1 << helper)) & ~(row[CHAMBERS] | 1 << row[START_CELL])
    best = FAR
    found = -1
    while cells:
        place = count((cells & -cells) - 1)
        cells &= cells - 1
        away = 0 if at_hand >> place & 1 else desk.far[place]
        if away >= best:
            continue
        openings = openings_at(row, place)
        ways = turns(row, place)
        while ways:
            way = count((ways & -ways) - 1)
            ways &= ways - 1
            lay_tile(row, place, WAYS[way])
            if _leads_on(row, seat, stands):
                best, found = away, WAY_COUNT * place + way
            lay_tile(row, place, openings)
    if found < 0:
        return -1
    if best == 0:
        return TURN_ACTION + found
    return _towards(row, seat, helper, found // WAY_COUNT, HELPER_ACTION, desk)


@inlined
def _leads_on(row: Row, seat: int, stands: int) -> bool:
    """Whether the archaeologist there has a way home, and something to go for."""
    reached = flood(row, 1 << stands)
    if not reached >> row[START_CELL] & 1:
        return False
    return bool(row[CARRIED + seat] > 0 or row[MASK_CHAMBER] != NOWHERE or reached & _frontier(row))


@inlined
def _stuck(row: Row, seat: int, desk: Desk) -> bool:
    """Whether the archaeologist has no way home, or nobody has anything to do before the mask is found."""
    stands = row[ARCHAEOLOGIST + seat]
    if stands < 0:
        return False
    return bool(desk.home[stands] >= FAR or row[MASK_CHAMBER] == NOWHERE)


@compiled
def _stir(row: Row, seat: int, words: Words, lane: int) -> int:
    """Shut in, with no plan that works: try something, so that the game goes on."""
    found = reveals(row, seat)
    if found:
        return REVEAL_ACTION + _promising(row, found, words, lane)
    lamps = row[LAMPS + seat]
    pick = below(draw(words, lane), 3)
    if pick == 0:
        cells = walks(row, lamps, row[ARCHAEOLOGIST + seat])
        return ARCHAEOLOGIST_ACTION + picked_bit(cells, draw(words, lane)) if cells else -1
    if pick == 1:
        cells = walks(row, lamps, row[HELPER + seat])
        return HELPER_ACTION + picked_bit(cells, draw(words, lane)) if cells else -1
    helper = row[HELPER + seat]
    if helper >= 0 and turnable(row, seat) >> helper & 1:
        ways = turns(row, helper)
        if ways:
            return int(TURN_ACTION + WAY_COUNT * helper + picked_bit(ways, draw(words, lane)))
    return -1


# -- details -----------------------------------------------------------------------------------------------------------


@inlined
def _chance(words: Words, lane: int) -> float:
    """A number from 0 to 1."""
    return float(draw(words, lane) >> np.uint64(11)) * 2.0**-53


@inlined
def _blur(temper: Temper, words: Words, lane: int) -> float:
    return 1.0 + temper[NOISE] * (_chance(words, lane) - 0.5) if temper[NOISE] > 0.0 else 1.0


@inlined
def _beside(cell: int, side: int) -> int:
    """The cell on that side, -1 beyond the border."""
    if side == 0:
        return cell + SIZE if cell + SIZE < CELL_COUNT else -1
    if side == 1:
        return cell + 1 if cell % SIZE < SIZE - 1 else -1
    if side == 2:
        return cell - SIZE
    return cell - 1 if cell % SIZE > 0 else -1
