"""What a compiled player does with a row: one policy for all styles, and the archaeologist's choices.

A style holds the weights. Everything an archaeologist may want has a worth per move; helpers light its way, open and
bar ways; a figure that could be buried runs home.
"""

from __future__ import annotations

from typing import Final

from serai.lab.jit import compiled, inlined
from serai.lab.rng import Words, count
from serai.pharaoh.kernel import layout as at
from serai.pharaoh.kernel.legal import Row, falling, first_of, frontier, lies, neighbours, reveals
from serai.pharaoh.policy.helper import bar, best_lay, clear_way, light, open_way, shorten, stir, stuck
from serai.pharaoh.policy.scratch import Scratch
from serai.pharaoh.policy.styles import (
    AMBUSH,
    BAR,
    EXPLORE,
    LIGHT,
    LONGING,
    NOISE,
    PACE,
    RETURN,
    RIVALRY,
    SHORTCUT,
    STEAL,
    Style,
)
from serai.pharaoh.policy.ways import FAR, carried_out, chance, flee, homeward, measure, towards, trip_is_safe
from serai.pharaoh.rules.pieces import FIRST_CHAMBER, MASK, MOVES, NOWHERE, TILE_COUNTS

_KINDS_OF_TILE: Final = len(TILE_COUNTS)
_CHAMBER_WORTH: Final = 3.5
"""The expected worth of a chamber: a photo and a share of its treasures."""
_LONG_WAY: Final = 12
"""Longer ways home count like this one: tiles can be turned."""


@compiled
def decide(row: Row, style: Style, scratch: Scratch, words: Words, lane: int) -> int:
    """The first of these choices that finds an action, the most important first."""
    seat = row[at.ACTOR]
    if row[at.DRAWN] != NOWHERE:
        return best_lay(row, seat, words, lane)
    measure(row, row[at.LAMPS + seat], row[at.START_CELL], scratch.home)
    action = grab(row, seat, style) if row[at.ARCHAEOLOGIST + seat] >= 0 and row[at.ACTS_LEFT] > 0 else -1
    if action < 0 and row[at.MOVES_LEFT] > 0:
        action = flee(row, seat, style, scratch)
        if action < 0 and chance(words, lane) < style[AMBUSH]:
            action = bar(row, seat, scratch)
        if action < 0 and chance(words, lane) < style[SHORTCUT]:
            action = shorten(row, seat, scratch)
        if action < 0 and chance(words, lane) < style[LIGHT]:
            action = light(row, seat, scratch)
        if action < 0:
            action = pursue(row, seat, style, scratch, words, lane)
        if action < 0:
            action = open_way(row, seat, scratch)
        if action < 0 and stuck(row, seat, scratch):
            action = clear_way(row, seat, scratch.work, scratch.costs, scratch.came)
        if action < 0 and chance(words, lane) < style[BAR]:
            action = bar(row, seat, scratch)
        if action < 0 and falling(row):
            action = homeward(row, seat, row[at.HELPER + seat], at.HELPER_ACTION, scratch)
        if action < 0 and stuck(row, seat, scratch):
            action = stir(row, seat, words, lane)
    return at.END_ACTION if action < 0 else action


# -- the archaeologist -------------------------------------------------------------------------------------------------


@compiled
def grab(row: Row, seat: int, style: Style) -> int:
    """Take or steal the dearest thing here that can be carried out in time; drop what is cheaper for it."""
    stands = row[at.ARCHAEOLOGIST + seat]
    carried = row[at.CARRIED + seat]
    best = carried
    action = -1
    for kind in range(3):
        value = MASK if kind == 2 else at.FIRST_VALUE + kind
        longed_for = kind < 2 or style[LONGING] > 0.0
        if value > best and lies(row, kind) >> stands & 1 and longed_for and carried_out(row, seat, value):
            best, action = value, at.TAKE_ACTION + kind
    if style[STEAL] > 0.0:
        for victim in range(row[at.PLAYERS]):
            value = row[at.CARRIED + victim]
            # of equals the rival's, who loses it
            dearer = value > best or (value == best and action >= 0)
            if dearer and victim != seat and row[at.ARCHAEOLOGIST + victim] == stands and carried_out(row, seat, value):
                best, action = value, at.STEAL_ACTION + victim
    if action >= 0 and carried > 0:
        return at.DROP_ACTION if row[at.ACTS_LEFT] > 1 else -1
    return action


@compiled
def pursue(row: Row, seat: int, style: Style, scratch: Scratch, words: Words, lane: int) -> int:
    """Go for what is worth most per move, or home with what is carried."""
    stands = row[at.ARCHAEOLOGIST + seat]
    if stands < 0:
        return -1
    if row[at.CARRIED + seat] > 0 and scratch.home[stands] < FAR:
        return homeward(row, seat, stands, at.ARCHAEOLOGIST_ACTION, scratch)
    measure(row, row[at.LAMPS + seat], stands, scratch.far)
    best = 0.0
    goal = -1
    if row[at.CARRIED + seat] == 0:
        best, goal = _best_treasure(row, seat, style, scratch, words, lane)
        if style[STEAL] > 0.0:
            worth, cell = _best_victim(row, seat, style, scratch, words, lane)
            if worth > best:
                best, goal = worth, cell
    hope = _hope(row) * style[EXPLORE]
    if hope > 0.0:
        cells = frontier(row)
        while cells:
            cell = first_of(cells)
            cells &= cells - 1
            if scratch.far[cell] < FAR:
                way = scratch.far[cell] + 1 + style[RETURN] * min(scratch.home[cell], _LONG_WAY)
                worth = hope / way * _blur(style, words, lane)
                if worth > best and trip_is_safe(row, seat, cell, False, style, scratch):
                    best, goal = worth, cell
    if goal < 0:
        if falling(row):
            return homeward(row, seat, stands, at.ARCHAEOLOGIST_ACTION, scratch)
        return -1
    if goal == stands:
        return at.REVEAL_ACTION + _promising(row, reveals(row, seat), words, lane)
    return towards(row, seat, stands, goal, at.ARCHAEOLOGIST_ACTION, scratch)


@compiled
def _best_treasure(row: Row, seat: int, style: Style, scratch: Scratch, words: Words, lane: int) -> tuple[float, int]:
    """The worth per move of the best treasure on the board, and its cell."""
    best = 0.0
    goal = -1
    measured = False
    for kind in range(3):
        cells = lies(row, kind)
        value = style[LONGING] * MASK if kind == 2 else float(at.FIRST_VALUE + kind)
        while cells:
            cell = first_of(cells)
            cells &= cells - 1
            away = scratch.far[cell] + scratch.home[cell]
            if not (0 < away < FAR and scratch.far[cell] > 0):
                continue
            worth = value / (away + style[PACE])
            if worth > best and style[RIVALRY] < 1.0:
                if not measured:
                    _measure_rivals(row, seat, scratch)
                    measured = True
                if _rival_is_first(row, cell, scratch):
                    worth *= style[RIVALRY]
            worth *= _blur(style, words, lane)
            if worth > best and trip_is_safe(row, seat, cell, kind == 2, style, scratch):
                best, goal = worth, cell
    return best, goal


@inlined
def _best_victim(row: Row, seat: int, style: Style, scratch: Scratch, words: Words, lane: int) -> tuple[float, int]:
    """The worth per move of the best rival to rob, and its cell."""
    best = 0.0
    goal = -1
    for victim in range(row[at.PLAYERS]):
        cell = row[at.ARCHAEOLOGIST + victim]
        if row[at.CARRIED + victim] > 0 and 0 < scratch.far[cell] <= row[at.MOVES_LEFT] and scratch.home[cell] < FAR:
            away = scratch.far[cell] + scratch.home[cell]
            worth = style[STEAL] * row[at.CARRIED + victim] / (away + style[PACE]) * _blur(style, words, lane)
            if worth > best and trip_is_safe(row, seat, cell, False, style, scratch):
                best, goal = worth, cell
    return best, goal


@inlined
def _measure_rivals(row: Row, seat: int, scratch: Scratch) -> None:
    """Measure how far every cell is from the nearest rival with empty hands."""
    for cell in range(at.CELL_COUNT):
        scratch.rival[cell] = FAR
    for rival in range(row[at.PLAYERS]):
        if rival != seat and row[at.CARRIED + rival] == 0 and row[at.ARCHAEOLOGIST + rival] >= 0:
            measure(row, row[at.LAMPS + rival], row[at.ARCHAEOLOGIST + rival], scratch.work)
            for cell in range(at.CELL_COUNT):
                scratch.rival[cell] = min(scratch.rival[cell], scratch.work[cell])


@inlined
def _rival_is_first(row: Row, cell: int, scratch: Scratch) -> bool:
    """Whether a rival gets there before our turn in which we do."""
    missing = scratch.far[cell] - row[at.MOVES_LEFT]
    turns = 0 if missing <= 0 else (missing + MOVES - 1) // MOVES
    return bool((scratch.rival[cell] + MOVES - 1) // MOVES <= turns)


@inlined
def _hope(row: Row) -> float:
    """The expected worth of a face-down tile."""
    chambers = 0
    tiles = 0
    for kind in range(_KINDS_OF_TILE):
        tiles += row[at.UNSEEN + kind]
        if kind >= FIRST_CHAMBER:
            chambers += row[at.UNSEEN + kind]
    return _CHAMBER_WORTH * chambers / tiles if tiles > 0 else 0.0


@compiled
def _promising(row: Row, cells: int, words: Words, lane: int) -> int:
    """The cell with most face-down neighbours; ties at random."""
    best = -1.0
    found = 0
    while cells:
        cell = first_of(cells)
        cells &= cells - 1
        merit = count(neighbours(1 << cell) & row[at.DOWN]) + chance(words, lane)
        if merit > best:
            best, found = merit, cell
    return found


@inlined
def _blur(style: Style, words: Words, lane: int) -> float:
    return 1.0 + style[NOISE] * (chance(words, lane) - 0.5) if style[NOISE] > 0.0 else 1.0
