"""The helper's choices, compiled: light the way, lay and turn tiles for its own archaeologist and against others."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.lab.jit import compiled, inlined
from serai.lab.rng import Words, below, draw, picked_bit
from serai.pharaoh.kernel import layout as at
from serai.pharaoh.kernel.legal import (
    WAY_COUNT,
    Row,
    falling,
    first_of,
    flood,
    frontier,
    lays,
    lies,
    openings_at,
    reveals,
    step,
    turnable,
    turns,
    walks,
)
from serai.pharaoh.kernel.rules import lay_tile
from serai.pharaoh.policy.scratch import Scratch
from serai.pharaoh.policy.ways import FAR, chance, measure, nearest, towards
from serai.pharaoh.rules.pieces import NOWHERE, SIZE

Costs = npt.NDArray[np.int64]

NEVER: Final = 999
TURN_COST: Final = 4
"""The assumed cost of turning a tile in moves, with the helper's way to it."""
_DETOUR: Final = 2
"""A tile is turned when that makes a way home shorter, or a rival's longer, by more moves than this."""
_LONG_WAY: Final = 12
"""A rival's longer way home counts like this one."""


@compiled
def best_lay(row: Row, seat: int, words: Words, lane: int) -> int:
    """The lay that opens towards the finder and the unknown, not against walls; ties at random."""
    site = row[at.SITE]
    stands = row[at.ARCHAEOLOGIST + seat]
    ways = lays(row)
    best = -1.0
    found = 0
    for place in range(WAY_COUNT):
        if ways >> place & 1:
            merit = chance(words, lane)
            for side in range(4):
                other = beside(site, side)
                if at.WAYS[place] >> side & 1 and other >= 0:
                    if other == stands:
                        merit += 10.0
                    elif row[at.DOWN] >> other & 1:
                        merit += 2.0
                    elif row[at.OPEN + (side + 2) % 4] >> other & 1:
                        merit += 1.0
            if merit > best:
                best, found = merit, place
    return at.LAY_ACTION + found


@compiled
def light(row: Row, seat: int, scratch: Scratch) -> int:
    """Put up a lamp on the archaeologist's way home, or step to its next unlit cell."""
    helper = row[at.HELPER + seat]
    target = row[at.ARCHAEOLOGIST + seat]
    start = row[at.START_CELL]
    if falling(row):
        # lamps still pay only on the way from the chamber of the mask
        if (
            row[at.CLOCK] != NOWHERE
            or row[at.MASK_AT] != row[at.MASK_CHAMBER]
            or scratch.home[row[at.MASK_CHAMBER]] == 1
        ):
            return -1
        target = row[at.MASK_CHAMBER]
    if helper < 0 or target < 0 or target == start or row[at.SUPPLY + seat] == 0:
        return -1
    lamps = row[at.LAMPS + seat]
    measure(row, 0, start, scratch.work)
    if not 2 < scratch.work[target] < FAR:
        return -1
    way = 0
    cell = target
    while scratch.work[cell] > 1:
        near = step(row, 1 << cell)
        onward = 0
        while near:
            other = first_of(near)
            near &= near - 1
            if scratch.work[other] == scratch.work[cell] - 1 and (onward == 0 or lamps >> other & 1):
                onward = other
        cell = onward
        way |= 1 << cell
    unlit = way & ~lamps
    if unlit >> helper & 1:
        return at.LAMP_ACTION
    reach = walks(row, lamps, helper) & unlit
    return at.HELPER_ACTION + nearest(reach, scratch.work) if reach else -1


@compiled
def bar(row: Row, seat: int, scratch: Scratch) -> int:
    """Turn a tile near the helper so that a rival who carries something has a longer way home, and we have not."""
    best, found = _DETOUR, -1
    for victim in range(row[at.PLAYERS]):
        cell = row[at.ARCHAEOLOGIST + victim]
        if victim != seat and row[at.CARRIED + victim] > 0 and cell >= 0:
            measure(row, row[at.LAMPS + victim], row[at.START_CELL], scratch.work)
            before = scratch.work[cell]
            if before < _LONG_WAY:
                best, found = _best_turn(row, seat, victim, before, 1, best, found, scratch)
    return found


@compiled
def shorten(row: Row, seat: int, scratch: Scratch) -> int:
    """Turn a tile near the helper so that its archaeologist has a much shorter way home with a treasure."""
    stands = row[at.ARCHAEOLOGIST + seat]
    if row[at.CARRIED + seat] == 0 or scratch.home[stands] <= _DETOUR:
        return -1
    before = min(scratch.home[stands], 2 * at.CELL_COUNT)
    return _best_turn(row, seat, seat, before, -1, _DETOUR, -1, scratch)[1]


@inlined
def _best_turn(
    row: Row, seat: int, walker: int, before: int, sign: int, best: int, found: int, scratch: Scratch
) -> tuple[int, int]:
    """The turn near the helper that makes ``walker``'s way home longer (``sign`` 1) or shorter (-1) by most, and by
    how much; ``found`` and ``best`` if none does so by more. Our own way must not get longer.
    """
    stands = row[at.ARCHAEOLOGIST + seat]
    own = scratch.home[stands] if stands >= 0 else 0
    cells = turnable(row, seat)
    while cells:
        place = first_of(cells)
        cells &= cells - 1
        openings = openings_at(row, place)
        ways = turns(row, place)
        while ways:
            way = first_of(ways)
            ways &= ways - 1
            lay_tile(row, place, at.WAYS[way])
            measure(row, row[at.LAMPS + walker], row[at.START_CELL], scratch.work)
            after = scratch.work[row[at.ARCHAEOLOGIST + walker]]
            gain = min(after, _LONG_WAY) - before if sign > 0 else before - after
            if gain > best:
                if walker != seat:
                    measure(row, row[at.LAMPS + seat], row[at.START_CELL], scratch.work)
                if stands < 0 or scratch.work[stands] <= own:
                    best, found = gain, at.TURN_ACTION + WAY_COUNT * place + way
            lay_tile(row, place, openings)
    return best, found


@compiled
def matters(row: Row, seat: int, action: int, scratch: Scratch) -> bool:
    """Whether this turn of a tile brings one's archaeologist nearer to the start or to something to fetch or find, or
    lengthens, before the pyramid falls, the way home of a rival who carries something.
    """
    place = (action - at.TURN_ACTION) // WAY_COUNT
    openings = openings_at(row, place)
    stands = row[at.ARCHAEOLOGIST + seat]
    home, goal = _ways_from(row, seat, stands, scratch)
    lay_tile(row, place, at.WAYS[(action - at.TURN_ACTION) % WAY_COUNT])
    new_home, new_goal = _ways_from(row, seat, stands, scratch)
    found = new_home < home or new_goal < goal
    if not falling(row):
        for victim in range(row[at.PLAYERS]):
            if victim != seat and row[at.CARRIED + victim] > 0:
                cell = row[at.ARCHAEOLOGIST + victim]
                measure(row, row[at.LAMPS + victim], row[at.START_CELL], scratch.work)
                after = scratch.work[cell]
                turned = openings_at(row, place)
                lay_tile(row, place, openings)
                measure(row, row[at.LAMPS + victim], row[at.START_CELL], scratch.work)
                found |= after > scratch.work[cell]
                lay_tile(row, place, turned)
    lay_tile(row, place, openings)
    return bool(found)


@inlined
def _ways_from(row: Row, seat: int, stands: int, scratch: Scratch) -> tuple[int, int]:
    """How many moves the start is away from there, and the nearest thing to fetch or find."""
    measure(row, row[at.LAMPS + seat], stands, scratch.work)
    cells = lies(row, 0) | lies(row, 1) | lies(row, 2) | frontier(row)
    goal = FAR
    while cells:
        goal = min(goal, scratch.work[first_of(cells)])
        cells &= cells - 1
    return scratch.work[row[at.START_CELL]], goal


@compiled
def open_way(row: Row, seat: int, scratch: Scratch) -> int:
    """Turn the nearest tile that gives a stuck archaeologist a way home or something to reach, or walk there."""
    stands = row[at.ARCHAEOLOGIST + seat]
    helper = row[at.HELPER + seat]
    if stands < 0 or helper < 0 or not stuck(row, seat, scratch):
        return -1
    lamps = row[at.LAMPS + seat]
    measure(row, lamps, helper, scratch.far)
    near = turnable(row, seat)
    cells = (near | flood(row, 1 << helper)) & ~(row[at.CHAMBERS] | 1 << row[at.START_CELL])
    best = FAR
    found = -1
    while cells:
        place = first_of(cells)
        cells &= cells - 1
        away = 0 if near >> place & 1 else scratch.far[place]
        if away >= best:
            continue
        openings = openings_at(row, place)
        ways = turns(row, place)
        while ways:
            way = first_of(ways)
            ways &= ways - 1
            lay_tile(row, place, at.WAYS[way])
            if _leads_on(row, seat, stands):
                best, found = away, WAY_COUNT * place + way
            lay_tile(row, place, openings)
    if found < 0:
        return -1
    if best == 0:
        return at.TURN_ACTION + found
    return towards(row, seat, helper, found // WAY_COUNT, at.HELPER_ACTION, scratch)


@inlined
def _leads_on(row: Row, seat: int, stands: int) -> bool:
    """Whether the archaeologist there has a way home, and something to go for."""
    reached = flood(row, 1 << stands)
    if not reached >> row[at.START_CELL] & 1:
        return False
    return bool(row[at.CARRIED + seat] > 0 or falling(row) or reached & frontier(row))


@inlined
def stuck(row: Row, seat: int, scratch: Scratch) -> bool:
    """Whether the archaeologist has no way home, or the pyramid stands and nothing better was chosen."""
    stands = row[at.ARCHAEOLOGIST + seat]
    if stands < 0:
        return False
    return bool(scratch.home[stands] >= FAR or not falling(row))


@compiled
def stir(row: Row, seat: int, words: Words, lane: int) -> int:
    """Shut in without a plan: try something at random, so that the game goes on."""
    found = reveals(row, seat)
    if found:
        return at.REVEAL_ACTION + picked_bit(found, draw(words, lane))
    lamps = row[at.LAMPS + seat]
    pick = below(draw(words, lane), 3)
    if pick == 0:
        cells = walks(row, lamps, row[at.ARCHAEOLOGIST + seat])
        return at.ARCHAEOLOGIST_ACTION + picked_bit(cells, draw(words, lane)) if cells else -1
    if pick == 1:
        cells = walks(row, lamps, row[at.HELPER + seat])
        return at.HELPER_ACTION + picked_bit(cells, draw(words, lane)) if cells else -1
    helper = row[at.HELPER + seat]
    if helper >= 0 and turnable(row, seat) >> helper & 1:
        ways = turns(row, helper)
        if ways:
            return int(at.TURN_ACTION + WAY_COUNT * helper + picked_bit(ways, draw(words, lane)))
    return -1


@compiled
def shut_in(row: Row, seat: int) -> bool:
    """Whether an archaeologist has no way home, nothing to turn over, and no helper near who could change that."""
    stands = row[at.ARCHAEOLOGIST + seat]
    if stands < 0:
        return False
    reached = flood(row, 1 << stands)
    helped = row[at.HELPER + seat] >= 0 and reached >> row[at.HELPER + seat] & 1
    return bool(not (reached >> row[at.START_CELL] & 1 or helped or reached & frontier(row)))


# -- a plan that opens a way -------------------------------------------------------------------------------------------


@compiled
def clear_way(row: Row, seat: int, helper_costs: Costs, costs: Costs, came: Costs) -> int:
    """The helper's next move on the cheapest plan that opens a way for the archaeologist; -1 if there is none.

    That way goes through tiles that, turned or not, can be open on both sides it needs. The helper turns the tile it
    stands on, so it can go on wherever the next tile is open towards it.
    """
    stands = row[at.ARCHAEOLOGIST + seat]
    helper = row[at.HELPER + seat]
    if stands < 0 or helper < 0:
        return -1
    _helper_costs(row, helper, helper_costs)
    goals = 1 << row[at.START_CELL]
    if row[at.CARRIED + seat] == 0 and not falling(row):
        goals = row[at.DOWN] | lies(row, 0) | lies(row, 1)
    place = _find_route(row, stands, goals & ~(1 << stands), helper_costs, costs, came)
    # backwards along the route: the last tile found is the first to be turned
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


@inlined
def _turned(row: Row, tile: int, needed: int) -> int:
    """The turn after which that tile is open on these sides; -1 if none is allowed."""
    ways = turns(row, tile)
    while ways:
        way = first_of(ways)
        ways &= ways - 1
        if at.WAYS[way] & needed == needed:
            return at.TURN_ACTION + WAY_COUNT * tile + way
    return -1


@inlined
def _may_turn(row: Row, cell: int) -> bool:
    return bool(not (row[at.CHAMBERS] | 1 << row[at.START_CELL] | row[at.DOWN] | row[at.FALLEN]) >> cell & 1)


@compiled
def _helper_costs(row: Row, helper: int, costs: Costs) -> None:
    """What it costs a helper to get to every cell: a move each, more where it must turn the tile that it leaves."""
    for cell in range(at.CELL_COUNT):
        costs[cell] = NEVER
    costs[helper] = 0
    changed = True
    while changed:
        changed = False
        for cell in range(at.CELL_COUNT):
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
        return at.HELPER_ACTION + beside(helper, side)
    return _turned(row, helper, 1 << side)


@compiled
def _find_route(row: Row, stands: int, goals: int, helper_costs: Costs, costs: Costs, came: Costs) -> int:
    """The cheapest way to one of the goals: its last place, a place being a cell and the side it is entered by.

    ``came`` has for every place the one before it, -1 for the cell where the way begins.
    """
    for place in range(4 * at.CELL_COUNT):
        costs[place] = NEVER
        came[place] = -1
    for side in range(4):
        _go_on(row, stands, -1, side, 0, goals, helper_costs, costs, came)
    changed = True
    while changed:
        changed = False
        for place in range(4 * at.CELL_COUNT):
            cell = place // 4
            if costs[place] < NEVER and not row[at.DOWN] >> cell & 1:
                for side in range(4):
                    if side != place % 4:
                        changed |= _go_on(row, cell, place, side, costs[place], goals, helper_costs, costs, came)
    best = NEVER
    found = -1
    for place in range(4 * at.CELL_COUNT):
        if goals >> place // 4 & 1 and costs[place] < best:
            best, found = costs[place], place
    return found


@inlined
def _go_on(
    row: Row, cell: int, place: int, side: int, cost: int, goals: int, helper_costs: Costs, costs: Costs, came: Costs
) -> bool:
    """Leave a cell by that side, its tile turned if needed; returns whether this is the cheapest way so far."""
    other = beside(cell, side)
    if other < 0 or row[at.FALLEN] >> other & 1:
        return False
    sides = 1 << side if place < 0 else 1 << side | 1 << place % 4
    cost += 1
    if openings_at(row, cell) & sides != sides:
        if not _may_turn(row, cell) or helper_costs[cell] >= NEVER or _turned(row, cell, sides) < 0:
            return False
        cost += TURN_COST
    entry = (side + 2) % 4
    if row[at.DOWN] >> other & 1:
        if not goals >> other & 1:
            return False
    elif not openings_at(row, other) >> entry & 1 and (not _may_turn(row, other) or helper_costs[other] >= NEVER):
        return False
    if cost >= costs[4 * other + entry]:
        return False
    costs[4 * other + entry] = cost
    came[4 * other + entry] = place
    return True


@inlined
def beside(cell: int, side: int) -> int:
    """The cell on that side, -1 beyond the border."""
    if side == 0:
        return cell + SIZE if cell + SIZE < at.CELL_COUNT else -1
    if side == 1:
        return cell + 1 if cell % SIZE < SIZE - 1 else -1
    if side == 2:
        return cell - SIZE
    return cell - 1 if cell % SIZE > 0 else -1
