"""How compiled players decide: one policy with a temper, from careless tourists to tomb raiders.

A temper says how much each thing counts. Everything an archaeologist may want has a worth per move; helpers light its
way, open and bar ways; whoever may be buried runs.
"""

from __future__ import annotations

from serai.core.jit import compiled
from serai.core.splitmix import Words
from serai.pharaoh.kernel.errands import grab, pursue
from serai.pharaoh.kernel.escape import flee
from serai.pharaoh.kernel.foresight import measure
from serai.pharaoh.kernel.handiwork import bar, light, open_way, shorten, stir, stuck
from serai.pharaoh.kernel.laying import best_lay
from serai.pharaoh.kernel.layout import (
    ACTOR,
    ACTS_LEFT,
    ARCHAEOLOGIST,
    DRAWN,
    END_ACTION,
    HELPER,
    HELPER_ACTION,
    LAMPS,
    MASK_CHAMBER,
    MOVES_LEFT,
    START_CELL,
)
from serai.pharaoh.kernel.steps import Desk, chance, homeward
from serai.pharaoh.kernel.tempers import AMBUSH, BAR, LIGHT, SHORTCUT, Temper
from serai.pharaoh.kernel.ways import Row
from serai.pharaoh.pieces import NOWHERE


@compiled
def choose(row: Row, temper: Temper, desk: Desk, words: Words, lane: int) -> int:
    """What this temper does: the first of these that has an answer, in the order of importance."""
    seat = row[ACTOR]
    if row[DRAWN] != NOWHERE:
        return best_lay(row, seat, words, lane)
    measure(row, row[LAMPS + seat], row[START_CELL], desk.home)
    action = grab(row, seat, temper) if row[ARCHAEOLOGIST + seat] >= 0 and row[ACTS_LEFT] > 0 else -1
    if action < 0 and row[MOVES_LEFT] > 0:
        action = flee(row, seat, temper, desk)
        if action < 0 and chance(words, lane) < temper[AMBUSH]:
            action = bar(row, seat, desk)
        if action < 0 and chance(words, lane) < temper[SHORTCUT]:
            action = shorten(row, seat, desk)
        if action < 0 and chance(words, lane) < temper[LIGHT]:
            action = light(row, seat, desk)
        if action < 0:
            action = pursue(row, seat, temper, desk, words, lane)
        if action < 0:
            action = open_way(row, seat, desk)
        if action < 0 and chance(words, lane) < temper[BAR]:
            action = bar(row, seat, desk)
        if action < 0 and row[MASK_CHAMBER] != NOWHERE:
            action = homeward(row, seat, row[HELPER + seat], HELPER_ACTION, desk)
        if action < 0 and stuck(row, seat, desk):
            action = stir(row, seat, words, lane)
    return END_ACTION if action < 0 else action
