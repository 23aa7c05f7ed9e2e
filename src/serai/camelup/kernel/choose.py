"""What a bot with a compiled twin does, compiled: one ``choose`` for all of them, from a row as its actor sees it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from serai.camelup.kernel.layout import (
    ACTOR,
    CAMEL_COUNT,
    DONKEY_POLICY,
    DONKEY_SURE,
    FENNEC_POLICY,
    GREEDY_POLICY,
    HAND,
    JERBOA_FAR,
    JERBOA_POLICY,
    JERBOA_TILES,
    LEG_ACTION,
    LEG_TAKEN,
    LEG_TILE,
    ORDER,
    PLAYER_ACTIONS,
    QUICK_POLICY,
    ROLL_ACTION,
    SPACE,
    WINNER_ACTION,
)
from serai.camelup.kernel.policies import ChoiceRoom, first_of_the_best, greedy_choice, quick_choice, quick_values
from serai.camelup.kernel.rules import Row, random_action
from serai.camelup.kernel.sight import NO_LINES, Lines, look, sight_lines
from serai.camelup.kernel.styles import STYLES, glance
from serai.camelup.odds.race_table import RaceTable, race_table
from serai.camelup.pieces import LEG_VALUES
from serai.core.jit import compiled
from serai.core.splitmix import Words

_TILES: Final = len(LEG_VALUES)
_FENNEC: Final = list(STYLES).index("fennec")
_STYLES: Final = np.array(list(STYLES.values()))


class Knowledge(NamedTuple):
    """What they look things up in."""

    table: RaceTable
    lines: Lines


def knowledge(policies: set[int]) -> Knowledge:
    """As much of it as these policies need."""
    return Knowledge(race_table(), sight_lines() if FENNEC_POLICY in policies else NO_LINES)


@compiled
def choose(
    row: Row, policy: int, table: RaceTable, lines: Lines | None, room: ChoiceRoom, words: Words, lane: int
) -> int:
    """The action of the player to act, who plays by this policy; ``words`` are for those who need chance.

    Without lines only the policies that need little room are here (:data:`LIGHT`): that is known while compiling.
    """
    if lines is not None:
        if policy == GREEDY_POLICY:
            return greedy_choice(row, table, room)
        if policy == FENNEC_POLICY:
            look(row, lines, room.sight)
            return glance(row, _STYLES, _FENNEC, room.sight, words, lane)
    if policy == QUICK_POLICY:
        return quick_choice(row, table, room)
    if policy == JERBOA_POLICY:
        return _jerboa(row)
    if policy == DONKEY_POLICY:
        return _donkey(row, table, room)
    return random_action(row, words, lane)


@compiled
def _jerboa(row: Row) -> int:
    """Backs who leads: with a leg tile, far on the track with a card."""
    leader = int(row[ORDER + CAMEL_COUNT - 1])
    if row[LEG_TAKEN + leader] < JERBOA_TILES:
        return LEG_ACTION + leader
    if row[SPACE + leader] >= JERBOA_FAR and row[HAND + row[ACTOR]] >> leader & 1:
        return WINNER_ACTION + leader
    return ROLL_ACTION


@compiled
def _donkey(row: Row, table: RaceTable, room: ChoiceRoom) -> int:
    """Sticks to the camel it has backed in this leg; race cards only where they are nearly sure."""
    quick_values(row, table, room)
    seat = row[ACTOR]
    backed = 0
    for camel in range(CAMEL_COUNT):
        for tile in range(row[LEG_TAKEN + camel]):
            if row[LEG_TILE + _TILES * camel + tile] == seat:
                backed |= 1 << camel
    for camel in range(CAMEL_COUNT):
        if backed and not backed >> camel & 1:
            room.values[LEG_ACTION + camel] = -np.inf
    for action in range(WINNER_ACTION, PLAYER_ACTIONS):
        if room.values[action] < DONKEY_SURE:
            room.values[action] = -np.inf
    return first_of_the_best(room.values)
