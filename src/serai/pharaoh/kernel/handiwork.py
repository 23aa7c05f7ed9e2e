"""What helpers do, compiled: light the way, turn tiles for their own archaeologist and against others."""

from __future__ import annotations

from typing import Final

from serai.core.jit import compiled, inlined
from serai.core.splitmix import Words, below, count, draw, picked_bit
from serai.pharaoh.kernel.foresight import FAR, measure
from serai.pharaoh.kernel.layout import (
    ARCHAEOLOGIST,
    ARCHAEOLOGIST_ACTION,
    CARRIED,
    CELL_COUNT,
    CHAMBERS,
    CLOCK,
    HELPER,
    HELPER_ACTION,
    LAMP_ACTION,
    LAMPS,
    MASK_AT,
    MASK_CHAMBER,
    PLAYERS,
    REVEAL_ACTION,
    START_CELL,
    SUPPLY,
    TURN_ACTION,
    WAYS,
)
from serai.pharaoh.kernel.legal import WAY_COUNT, openings_at, reveals, turnable, turns
from serai.pharaoh.kernel.rules import lay_tile
from serai.pharaoh.kernel.steps import Desk, frontier, nearest, towards
from serai.pharaoh.kernel.ways import Row, flood, step, walks
from serai.pharaoh.pieces import NOWHERE

_DETOUR: Final = 2
"""A tile in the way home is turned when that saves more moves than this."""


@compiled
def light(row: Row, seat: int, desk: Desk) -> int:
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
    return HELPER_ACTION + nearest(reach, desk.work) if reach else -1


@compiled
def bar(row: Row, seat: int, desk: Desk) -> int:
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
def shorten(row: Row, seat: int, desk: Desk) -> int:
    """Turn a tile near the helper so that what is carried has a much shorter way home."""
    stands = row[ARCHAEOLOGIST + seat]
    if row[CARRIED + seat] == 0 or row[HELPER + seat] < 0 or desk.home[stands] <= _DETOUR:
        return -1
    best = min(desk.home[stands], 2 * CELL_COUNT) - _DETOUR
    found = -1
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
            measure(row, row[LAMPS + seat], row[START_CELL], desk.work)
            if desk.work[stands] < best:
                best, found = desk.work[stands], TURN_ACTION + WAY_COUNT * place + way
            lay_tile(row, place, openings)
    return found


@compiled
def open_way(row: Row, seat: int, desk: Desk) -> int:
    """Nothing can be reached, or there is no way home: turn the nearest tile that changes this, or walk there."""
    stands = row[ARCHAEOLOGIST + seat]
    helper = row[HELPER + seat]
    if stands < 0 or helper < 0 or not stuck(row, seat, desk):
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
    return towards(row, seat, helper, found // WAY_COUNT, HELPER_ACTION, desk)


@inlined
def _leads_on(row: Row, seat: int, stands: int) -> bool:
    """Whether the archaeologist there has a way home, and something to go for."""
    reached = flood(row, 1 << stands)
    if not reached >> row[START_CELL] & 1:
        return False
    return bool(row[CARRIED + seat] > 0 or row[MASK_CHAMBER] != NOWHERE or reached & frontier(row))


@inlined
def stuck(row: Row, seat: int, desk: Desk) -> bool:
    """Whether the archaeologist has no way home, or nobody has anything to do before the mask is found."""
    stands = row[ARCHAEOLOGIST + seat]
    if stands < 0:
        return False
    return bool(desk.home[stands] >= FAR or row[MASK_CHAMBER] == NOWHERE)


@compiled
def stir(row: Row, seat: int, words: Words, lane: int) -> int:
    """Shut in, with no plan that works: try something, so that the game goes on."""
    found = reveals(row, seat)
    if found:
        return REVEAL_ACTION + picked_bit(found, draw(words, lane))
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
