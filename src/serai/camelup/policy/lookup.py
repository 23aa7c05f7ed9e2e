"""A fast table of rounded chances and of expected stops on each space, for playouts, compiled.

The race table is exact and large, and playouts ask for chances several times a microsecond. So the look-up table has
for every position and set of dice one short line of 16-bit numbers: the chances of each rank, and the stops expected on
each space. Where desert tiles lie, the rest of the leg is counted once (:class:`LegOutcomes`) and looked up by every
playout.
"""

from __future__ import annotations

import threading
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.layout import DESERT_SPACES, FIRST_DESERT_SPACE, ORDER
from serai.camelup.odds.race_table import DICE_SETS, POSITIONS, RANKS, RaceTable, race_table
from serai.camelup.policy.bets import KINDS, Row, Values, canonical
from serai.camelup.policy.leg import count_chances, moved, table_chances
from serai.camelup.policy.scratch import CHANCES_SIZE, MOST_STATES, Scratch
from serai.camelup.rules.pieces import FACES, LAST_SPACE
from serai.lab.jit import compiled
from serai.lab.preparing import preparing
from serai.lab.rng import count as count_bits

LookupTable = npt.NDArray[np.uint16]
"""By position, set of dice and place of a line."""
Chances = npt.NDArray[np.float64]
"""What is looked up for a row, at the places below."""

FIRST_CHANCE: Final = 0
"""By camel (in a line by rank): the chance to lead at the end of the leg; the next three likewise."""
SECOND_CHANCE: Final = FIRST_CHANCE + RANKS
WINNER_CHANCE: Final = SECOND_CHANCE + RANKS
LOSER_CHANCE: Final = WINNER_CHANCE + RANKS
EXPECTED_STOPS: Final = LOSER_CHANCE + RANKS
"""By space from :data:`FIRST_DESERT_SPACE` on: the stops expected there in the rest of the leg."""
LINE_SIZE: Final = EXPECTED_STOPS + DESERT_SPACES
MOST_STOPS: Final = CHANCES_SIZE - 1
"""The most stops of any space; a line has no place for it."""

_CHANCE: Final = 1.0 / 65535.0
_STOP: Final = 1.0 / 8192.0
"""A space is met at most once per die, so this fits into 16 bits."""
_FACES: Final = len(FACES)
NO_LOOKUP: Final[LookupTable] = np.zeros((0, DICE_SETS, LINE_SIZE), np.uint16)
"""For players that look nothing up."""
NO_LOOKUP.flags.writeable = False
_lock = threading.Lock()
_loaded: LookupTable | None = None


def lookup_table() -> LookupTable:
    """The table, built once per process in a fraction of a second."""
    global _loaded
    with _lock, preparing():
        if _loaded is None:
            lookup = np.zeros((POSITIONS, DICE_SETS, LINE_SIZE), np.uint16)
            stops = np.zeros((POSITIONS + 1, DICE_SETS, DESERT_SPACES), np.float32)
            _build(race_table(), np.empty((RANKS, KINDS)), stops, lookup)
            lookup.flags.writeable = False
            _loaded = lookup
        return _loaded


def as_looked_up(chances: Chances) -> Chances:
    """Exact chances as rounded as those of the table."""
    units = np.full(len(chances), _STOP)
    units[:EXPECTED_STOPS] = _CHANCE
    return np.asarray(np.round(chances / units) * units)


@compiled
def look_up(row: Row, lookup: LookupTable, chances: Chances) -> None:
    """Fill in the chances of a row as if no desert tiles lay."""
    position, dice = canonical(row)
    for rank in range(RANKS):
        camel = row[ORDER + rank]
        for kind in range(FIRST_CHANCE, EXPECTED_STOPS, RANKS):
            chances[kind + camel] = lookup[position, dice, kind + rank] * _CHANCE
    most = 0.0
    for place in range(EXPECTED_STOPS, LINE_SIZE):
        stops = lookup[position, dice, place] * _STOP
        chances[place] = stops
        most = max(most, stops)
    chances[MOST_STOPS] = most


@compiled
def _build(table: RaceTable, chances: Values, stops: npt.NDArray[np.float32], lookup: LookupTable) -> None:
    """Sets of fewer dice first: larger ones depend on them."""
    for count in range(RANKS + 1):
        for dice in range(DICE_SETS):
            if count_bits(dice) == count:
                for position in range(POSITIONS):
                    table_chances(table, position, dice, chances)
                    for rank in range(RANKS):
                        for kind in range(KINDS):
                            lookup[position, dice, kind * RANKS + rank] = round(chances[rank, kind] / _CHANCE)
                    _add_stops(table, position, dice, count, stops)
                    for place in range(DESERT_SPACES):
                        lookup[position, dice, EXPECTED_STOPS + place] = round(stops[position, dice, place] / _STOP)


@compiled
def _add_stops(table: RaceTable, position: int, dice: int, dice_left: int, stops: npt.NDArray[np.float32]) -> None:
    """The stops of the next die, and those expected after it."""
    for rank in range(RANKS):
        if not dice >> rank & 1:
            continue
        for pips in range(1, _FACES + 1):
            landing = table.spaces[position, rank] + pips
            share = np.float32(1.0 / (_FACES * dice_left))
            if FIRST_DESERT_SPACE <= landing <= LAST_SPACE:
                stops[position, dice, landing - FIRST_DESERT_SPACE] += share
            _, after = moved(table.moves, position, dice, rank, pips, 0)
            for place in range(DESERT_SPACES):
                stops[position, dice, place] += share * stops[after // DICE_SETS, after % DICE_SETS, place]


# -- this leg, with its desert tiles -----------------------------------------------------------------------------------

NO_TILES: Final = -1
"""The number of a track where no tile can be met."""
_BUCKETS: Final = 2 * MOST_STATES
_MIX: Final = 2654435761


class LegOutcomes(NamedTuple):
    """Hash tables of the chances of every state that can still come, by number: one for each layout of tiles.

    States in which no tile can be met any more are left to the look-up table.
    """

    states: npt.NDArray[np.int32]
    """By number and bucket: position * DICE_SETS + dice, or -1."""
    places: npt.NDArray[np.int32]
    chances: npt.NDArray[np.float32]
    """By number, place, and kind and rank."""


def new_outcomes(count: int) -> LegOutcomes:
    """Empty tables."""
    return LegOutcomes(
        np.full((count, _BUCKETS), -1, np.int32),
        np.empty((count, _BUCKETS), np.int32),
        np.empty((count, MOST_STATES, KINDS * RANKS), np.float32),
    )


@compiled
def count_outcomes(
    table: RaceTable, scratch: Scratch, position: int, dice: int, outcomes: LegOutcomes, number: int
) -> None:
    """Count the rest of the leg from here, with ``scratch.tiles`` as they lie."""
    count = count_chances(table, scratch, position, dice)
    for bucket in range(_BUCKETS):
        outcomes.states[number, bucket] = -1
    for here in range(count):
        if scratch.walk.child[here, 0] < 0:
            continue
        state = scratch.walk.states[here]
        bucket = state * _MIX >> 8 & _BUCKETS - 1
        while outcomes.states[number, bucket] >= 0:
            bucket = bucket + 1 & _BUCKETS - 1
        outcomes.states[number, bucket] = state
        outcomes.places[number, bucket] = here
        for rank in range(RANKS):
            for kind in range(KINDS):
                outcomes.chances[number, here, kind * RANKS + rank] = scratch.flows[here, rank, kind]


@compiled
def look_up_with_tiles(row: Row, lookup: LookupTable, outcomes: LegOutcomes, number: int, chances: Chances) -> None:
    """Fill in the chances of a row, desert tiles included."""
    look_up(row, lookup, chances)
    if number == NO_TILES:
        return
    position, dice = canonical(row)
    state = position * DICE_SETS + dice
    bucket = state * _MIX >> 8 & _BUCKETS - 1
    while outcomes.states[number, bucket] != state:
        if outcomes.states[number, bucket] < 0:
            return
        bucket = bucket + 1 & _BUCKETS - 1
    place = outcomes.places[number, bucket]
    for kind in range(0, EXPECTED_STOPS, RANKS):
        for rank in range(RANKS):
            chances[kind + row[ORDER + rank]] = outcomes.chances[number, place, kind + rank]
