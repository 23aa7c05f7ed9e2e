"""What a quick eye sees, compiled: chances and stops of a position in one look-up, as if no desert tiles lay.

The race table is exact and large; playouts ask it several times a microsecond. Here every position and set of dice has
one short line of 16-bit numbers: the chances of each rank, and the stops expected on each space, summed in one sweep.
"""

from __future__ import annotations

import threading
from typing import Final

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.layout import DESERT_SPACES, FIRST_DESERT_SPACE, ORDER, SPACE, TENT
from serai.camelup.kernel.leg import WAYS, moved
from serai.camelup.odds.canonical import CHOOSE, DICE_SETS, POSITIONS, RANKS
from serai.camelup.odds.race_table import SECOND, RaceTable, race_table
from serai.camelup.pieces import FACES, LAST_SPACE
from serai.core.jit import compiled

Row = npt.NDArray[np.int16]
Lines = npt.NDArray[np.uint16]
Sight = npt.NDArray[np.float64]

SEEN_FIRST: Final = 0
"""By camel (in a line: by rank): the chance to lead at the end of the leg; the next three likewise."""
SEEN_SECOND: Final = SEEN_FIRST + RANKS
SEEN_WINNER: Final = SEEN_SECOND + RANKS
SEEN_LOSER: Final = SEEN_WINNER + RANKS
SEEN_STOPS: Final = SEEN_LOSER + RANKS
"""By space from :data:`FIRST_DESERT_SPACE` on: the stops expected there in the rest of the leg."""
LINE_SIZE: Final = SEEN_STOPS + DESERT_SPACES
MOST_STOPS: Final = LINE_SIZE
"""The most of those."""
SIGHT_SIZE: Final = LINE_SIZE + 1

_CHANCE: Final = 1.0 / 65535.0
_STOP: Final = 1.0 / 8192.0
"""No space is met more often than there are dice, so this fits into 16 bits."""
_FACES: Final = len(FACES)
_CHOOSE: Final = np.array(CHOOSE)
_lock = threading.Lock()
_loaded: Lines | None = None


def sight_lines() -> Lines:
    """The lines, made once per process in a fraction of a second."""
    global _loaded
    with _lock:
        if _loaded is None:
            lines = np.zeros((POSITIONS, DICE_SETS, LINE_SIZE), np.uint16)
            _sum_up(race_table(), np.zeros((POSITIONS + 1, DICE_SETS, DESERT_SPACES), np.float32), lines)
            lines.flags.writeable = False
            _loaded = lines
        return _loaded


@compiled
def look(row: Row, lines: Lines, sight: Sight) -> None:
    """Fill ``sight`` with what lies ahead of the camels of a row."""
    position = 0
    dice = 0
    for rank in range(RANKS):
        camel = row[ORDER + rank]
        position += _CHOOSE[rank, row[SPACE + camel]]
        dice |= (row[TENT + camel] == 0) << rank
    for rank in range(RANKS):
        camel = row[ORDER + rank]
        for kind in range(SEEN_FIRST, SEEN_STOPS, RANKS):
            sight[kind + camel] = lines[position, dice, kind + rank] * _CHANCE
    most = 0.0
    for place in range(SEEN_STOPS, LINE_SIZE):
        stops = lines[position, dice, place] * _STOP
        sight[place] = stops
        most = max(most, stops)
    sight[MOST_STOPS] = most


@compiled
def _sum_up(table: RaceTable, stops: npt.NDArray[np.float32], lines: Lines) -> None:
    """Sets of fewer dice are smaller numbers or come from them by a swap: so go by their count."""
    for count in range(RANKS + 1):
        for dice in range(DICE_SETS):
            dice_left = 0
            for rank in range(RANKS):
                dice_left += dice >> rank & 1
            if dice_left == count:
                for position in range(POSITIONS):
                    _write_chances(table, position, dice, lines)
                    _add_stops(table, position, dice, dice_left, stops)
                    for place in range(DESERT_SPACES):
                        lines[position, dice, SEEN_STOPS + place] = round(stops[position, dice, place] / _STOP)


@compiled
def _write_chances(table: RaceTable, position: int, dice: int, lines: Lines) -> None:
    winner = np.zeros(RANKS)
    loser = np.zeros(RANKS)
    column = 0
    for first in range(RANKS):
        for last in range(RANKS):
            if first != last:
                chance = table.race[position, dice, column]
                winner[first] += chance
                loser[last] += chance
                column += 1
    for rank in range(RANKS):
        lines[position, dice, SEEN_FIRST + rank] = round(table.leg[position, dice, rank] / WAYS[dice] / _CHANCE)
        lines[position, dice, SEEN_SECOND + rank] = round(
            table.leg[position, dice, SECOND + rank] / WAYS[dice] / _CHANCE
        )
        lines[position, dice, SEEN_WINNER + rank] = round(winner[rank] / _CHANCE)
        lines[position, dice, SEEN_LOSER + rank] = round(loser[rank] / _CHANCE)


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
