"""Ways that are not there yet, compiled: which tiles must be turned so that an archaeologist gets somewhere.

The archaeologist's way goes through tiles that, turned or not, can be open on both sides it needs. The helper turns the
tile it stands on, so it gets wherever the next tile is open towards it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.core.jit import compiled, inlined
from serai.core.splitmix import count
from serai.pharaoh.kernel.layout import (
    ARCHAEOLOGIST,
    CARRIED,
    CELL_COUNT,
    CHAMBERS,
    DOWN,
    FALLEN,
    HELPER,
    HELPER_ACTION,
    MASK_CHAMBER,
    START_CELL,
    TURN_ACTION,
    WAYS,
)
from serai.pharaoh.kernel.legal import WAY_COUNT, openings_at, turnable, turns
from serai.pharaoh.kernel.treasure import lies
from serai.pharaoh.kernel.ways import Row, flood, frontier
from serai.pharaoh.pieces import NOWHERE, SIZE

Costs = npt.NDArray[np.int64]

NEVER: Final = 999
TURN_COST: Final = 4
"""Moves that turning a tile is taken to cost, with the helper's way to it."""


@inlined
def beside(cell: int, side: int) -> int:
    """The cell on that side, -1 beyond the border."""
    if side == 0:
        return cell + SIZE if cell + SIZE < CELL_COUNT else -1
    if side == 1:
        return cell + 1 if cell % SIZE < SIZE - 1 else -1
    if side == 2:
        return cell - SIZE
    return cell - 1 if cell % SIZE > 0 else -1


@compiled
def clear_way(row: Row, seat: int, helper_costs: Costs, costs: Costs, came: Costs) -> int:
    """The helper's next move on the cheapest plan that gets the archaeologist on; -1 if there is none."""
    stands = row[ARCHAEOLOGIST + seat]
    helper = row[HELPER + seat]
    if stands < 0 or helper < 0:
        return -1
    _helper_costs(row, helper, helper_costs)
    goals = 1 << row[START_CELL]
    if row[CARRIED + seat] == 0 and row[MASK_CHAMBER] == NOWHERE:
        goals = row[DOWN] | lies(row, 0) | lies(row, 1)
    place = _find_route(row, stands, goals & ~(1 << stands), helper_costs, costs, came)
    # back along the route: the last tile to be turned that is met is the first one on the way
    tile = -1
    needed = 0
    while place >= 0:
        before = came[place]
        cell = stands if before < 0 else before // 4
        side = (place % 4 + 2) % 4
        sides = 1 << side if before < 0 else 1 << side | 1 << before % 4
        if openings_at(row, cell) & sides != sides:
            tile, needed = cell, sides
        place = before
    if tile < 0:
        return -1
    if turnable(row, seat) >> tile & 1:
        return _turned(row, tile, needed)
    return _lead_helper(row, helper, tile, helper_costs)


@compiled
def shut_in(row: Row, seat: int) -> bool:
    """Whether an archaeologist has no way home, nothing to turn over, and no helper near who could change that."""
    stands = row[ARCHAEOLOGIST + seat]
    if stands < 0:
        return False
    reached = flood(row, 1 << stands)
    helped = row[HELPER + seat] >= 0 and reached >> row[HELPER + seat] & 1
    return bool(not (reached >> row[START_CELL] & 1 or helped or reached & frontier(row)))


@inlined
def _turned(row: Row, tile: int, needed: int) -> int:
    """The turn after which that tile is open on these sides; -1 if none is allowed."""
    ways = turns(row, tile)
    while ways:
        way = count((ways & -ways) - 1)
        ways &= ways - 1
        if WAYS[way] & needed == needed:
            return TURN_ACTION + WAY_COUNT * tile + way
    return -1


@inlined
def _may_turn(row: Row, cell: int) -> bool:
    return bool(not (row[CHAMBERS] | 1 << row[START_CELL] | row[DOWN] | row[FALLEN]) >> cell & 1)


@compiled
def _helper_costs(row: Row, helper: int, costs: Costs) -> None:
    """What it costs a helper to get to every cell: a move each, more where it must turn the tile that it leaves."""
    for cell in range(CELL_COUNT):
        costs[cell] = NEVER
    costs[helper] = 0
    changed = True
    while changed:
        changed = False
        for cell in range(CELL_COUNT):
            if costs[cell] < NEVER:
                openings = openings_at(row, cell)
                for side in range(4):
                    other = beside(cell, side)
                    if other >= 0 and openings_at(row, other) >> (side + 2) % 4 & 1:
                        if openings >> side & 1:
                            cost = costs[cell] + 1
                        elif _may_turn(row, cell):
                            cost = costs[cell] + 2
                        else:
                            continue
                        if cost < costs[other]:
                            costs[other] = cost
                            changed = True


@compiled
def _lead_helper(row: Row, helper: int, goal: int, costs: Costs) -> int:
    """The helper's first move to that cell, or the turn of its own tile that makes it possible."""
    if costs[goal] >= NEVER:
        return -1
    cell = goal
    side = 0
    while cell != helper:
        found = False
        for way in range(4):
            other = beside(cell, way)
            # the helper comes from there if the cost fits
            if not found and other >= 0 and costs[other] < costs[cell] and openings_at(row, cell) >> way & 1:
                open_there = openings_at(row, other) >> (way + 2) % 4 & 1
                cost = costs[other] + 1 if open_there else costs[other] + 2
                if cost == costs[cell] and (open_there or _may_turn(row, other)):
                    found = True
                    side = (way + 2) % 4
                    onward = other
        if not found:
            return -1
        if onward == helper:
            break
        cell = onward
    if openings_at(row, helper) >> side & 1:
        return HELPER_ACTION + beside(helper, side)
    return _turned(row, helper, 1 << side)


@compiled
def _find_route(row: Row, stands: int, goals: int, helper_costs: Costs, costs: Costs, came: Costs) -> int:
    """The cheapest way to one of the goals: its last place, a place being a cell and the side it is entered by.

    ``came`` tells for every place the one before it, -1 for the cell where the way begins.
    """
    for place in range(4 * CELL_COUNT):
        costs[place] = NEVER
        came[place] = -1
    for side in range(4):
        _go_on(row, stands, -1, side, 0, goals, helper_costs, costs, came)
    changed = True
    while changed:
        changed = False
        for place in range(4 * CELL_COUNT):
            cell = place // 4
            if costs[place] < NEVER and not row[DOWN] >> cell & 1:
                for side in range(4):
                    if side != place % 4:
                        changed |= _go_on(row, cell, place, side, costs[place], goals, helper_costs, costs, came)
    best = NEVER
    found = -1
    for place in range(4 * CELL_COUNT):
        if goals >> place // 4 & 1 and costs[place] < best:
            best, found = costs[place], place
    return found


@inlined
def _go_on(
    row: Row, cell: int, place: int, side: int, cost: int, goals: int, helper_costs: Costs, costs: Costs, came: Costs
) -> bool:
    """Leave a cell by that side, its tile turned if need be; whether this is the cheapest way so far."""
    other = beside(cell, side)
    if other < 0 or row[FALLEN] >> other & 1:
        return False
    sides = 1 << side if place < 0 else 1 << side | 1 << place % 4
    cost += 1
    if openings_at(row, cell) & sides != sides:
        if not _may_turn(row, cell) or helper_costs[cell] >= NEVER or _turned(row, cell, sides) < 0:
            return False
        cost += TURN_COST
    entry = (side + 2) % 4
    if row[DOWN] >> other & 1:
        if not goals >> other & 1:
            return False
    elif not openings_at(row, other) >> entry & 1 and (not _may_turn(row, other) or helper_costs[other] >= NEVER):
        return False
    if cost >= costs[4 * other + entry]:
        return False
    costs[4 * other + entry] = cost
    came[4 * other + entry] = place
    return True
