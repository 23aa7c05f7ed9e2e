"""How playouts go on: players who judge at a glance, each in a style of their own, several decisions a microsecond.

A style is a line of weights. It values bets as ``quick`` does, and its desert tile by the stops expected on its space;
what a tile does to bets it does not see.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.layout import (
    ACTOR,
    CAMEL_COUNT,
    DESERT,
    DESERT_SPACES,
    FIRST_DESERT_SPACE,
    HAND,
    LEG_ACTION,
    LEG_TAKEN,
    LOSER_ACTION,
    LOSER_COUNT,
    MIRAGE_ACTION,
    OASIS_ACTION,
    ROLL_ACTION,
    WINNER_ACTION,
    WINNER_COUNT,
)
from serai.camelup.kernel.rules import free_spaces
from serai.camelup.kernel.sight import (
    MOST_STOPS,
    SEEN_FIRST,
    SEEN_LOSER,
    SEEN_SECOND,
    SEEN_STOPS,
    SEEN_WINNER,
    Row,
    Sight,
)
from serai.camelup.pieces import LEG_VALUES, RACE_PRIZES
from serai.core.jit import compiled
from serai.core.splitmix import Words, draw

Styles = npt.NDArray[np.float64]

TILES: Final = 0
"""What a stop on one's own desert tile counts for, in pounds; 0 for who never lays it."""
CARDS: Final = 1
"""What a pound expected of a race card counts for."""
WHIM: Final = 2
"""By so much, at most and in pounds, moods shift the value of an action either way."""
STYLE_SIZE: Final = 3

_DECK_MOST: Final = 8
_RIGHT: Final = 0.2
"""The chance that a card laid before is right, too."""


def _prizes() -> npt.NDArray[np.float64]:
    """By the number of cards before: what a right card earns."""
    prizes = np.array([*RACE_PRIZES, *[1] * _DECK_MOST], float)
    right_before = np.zeros(_DECK_MOST + 1)
    right_before[0] = 1.0
    table = np.empty(_DECK_MOST + 1)
    for cards in range(_DECK_MOST + 1):
        table[cards] = right_before @ prizes[: _DECK_MOST + 1]
        right_before[1:] = right_before[1:] * (1 - _RIGHT) + right_before[:-1] * _RIGHT
        right_before[0] *= 1 - _RIGHT
    return table


_PRIZES: Final = _prizes()
_UNIT: Final = 1.0 / 2**63


@compiled
def glance(row: Row, styles: Styles, style: int, sight: Sight, words: Words, lane: int) -> int:
    """What a player of this style does, given the sight of the row: the number of the action."""
    seat = row[ACTOR]
    whim = styles[style, WHIM]
    best = 1.0
    if whim > 0.0:
        best += whim * _mood(words, lane)
    choice = ROLL_ACTION
    for camel in range(CAMEL_COUNT):
        taken = row[LEG_TAKEN + camel]
        if taken < len(LEG_VALUES):
            value = (LEG_VALUES[taken] + 1.0) * sight[SEEN_FIRST + camel] + 2.0 * sight[SEEN_SECOND + camel] - 1.0
            if whim > 0.0:
                value += whim * _mood(words, lane)
            if value > best:
                best = value
                choice = LEG_ACTION + camel
    hand = row[HAND + seat]
    weight = styles[style, CARDS]
    if hand != 0 and weight > 0.0:
        winner_prize = _PRIZES[min(row[WINNER_COUNT], _DECK_MOST)] + 1.0
        loser_prize = _PRIZES[min(row[LOSER_COUNT], _DECK_MOST)] + 1.0
        for camel in range(CAMEL_COUNT):
            if hand >> camel & 1:
                value = weight * (winner_prize * sight[SEEN_WINNER + camel] - 1.0)
                if whim > 0.0:
                    value += whim * _mood(words, lane)
                if value > best:
                    best = value
                    choice = WINNER_ACTION + camel
                value = weight * (loser_prize * sight[SEEN_LOSER + camel] - 1.0)
                if value > best:
                    best = value
                    choice = LOSER_ACTION + camel
    stop = styles[style, TILES]
    if stop * sight[MOST_STOPS] > best:
        choice = _tile(row, seat, stop, best, sight, choice)
    return choice


@compiled
def _tile(row: Row, seat: int, stop: float, best: float, sight: Sight, choice: int) -> int:
    """The desert tile where most stops are expected, if that beats ``best``: an oasis unless it helps the leader."""
    lies = abs(row[DESERT + seat])
    held = sight[SEEN_STOPS + lies - FIRST_DESERT_SPACE] if lies else 0.0
    free = free_spaces(row, seat)
    for place in range(DESERT_SPACES):
        if free >> place & 1:
            value = stop * (sight[SEEN_STOPS + place] - held)
            if value > best:
                best = value
                choice = (OASIS_ACTION if place & 1 else MIRAGE_ACTION) + place
    return choice


@compiled
def _mood(words: Words, lane: int) -> float:
    """A number between -1 and 1."""
    return np.int64(draw(words, lane)) * _UNIT
