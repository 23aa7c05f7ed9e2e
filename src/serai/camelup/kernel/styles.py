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
    LEG_TILE,
    LOSER_ACTION,
    LOSER_COUNT,
    LOSER_DECK,
    OASIS_ACTION,
    PLAYERS,
    ROLL_ACTION,
    SPACE,
    TENT,
    WINNER_ACTION,
    WINNER_COUNT,
    WINNER_DECK,
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
from serai.camelup.pieces import FACES, LEG_VALUES, RACE_PRIZES
from serai.core.jit import compiled
from serai.core.splitmix import Words, draw

Styles = npt.NDArray[np.float64]

TILES: Final = 0
"""What a stop on one's own desert tile counts for, in pounds; 0 for who never lays it."""
WINNERS: Final = 1
"""What a pound expected of a race card counts for; 0 for who lays none. Then the same for cards on the loser."""
LOSERS: Final = 2
LEGS: Final = 3
"""What a pound expected of a leg tile counts for."""
ROLL: Final = 4
"""What a roll counts for, in pounds."""
WHIM: Final = 5
"""By so much, at most and in pounds, moods shift the value of an action either way."""
CARD_EAGER: Final = 6
"""Pounds that are added to what a race card is worth."""
LEG_EAGER: Final = 7
"""Pounds that are added to what a leg tile is worth, for each of its colour that is taken."""
TILE_EAGER: Final = 8
"""Pounds that are added to what a desert tile is worth."""
STYLE_SIZE: Final = 9

STYLES: Final = {
    "quick": (0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0),
    "nomad": (1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.3),
    "keen": (1.38, 1.09, 0.66, 0.85, 0.56, 0.0, -0.37, -0.19, -0.54),
    "duel": (0.69, 0.92, 0.57, 1.66, 1.07, 0.0, -0.66, -0.03, -0.72),
    "moody": (1.0, 1.0, 1.0, 1.0, 1.0, 0.8, 0.0, 0.0, 0.0),
    "fennec": (1.0, 0.95, 0.95, 0.9, 1.0, 0.0, 0.0, 0.0, 0.6),
}
"""Ways to play, by name: like the bot ``quick``; the same, fond of its desert tile; as wins most among these, and as
does so between two; by moods; and as the bot ``fennec``, fonder still of its tile."""

_FACES: Final = len(FACES)
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
    best = styles[style, ROLL]
    if whim > 0.0:
        best += whim * _mood(words, lane)
    choice = ROLL_ACTION
    for camel in range(CAMEL_COUNT):
        taken = row[LEG_TAKEN + camel]
        if taken < len(LEG_VALUES):
            value = (LEG_VALUES[taken] + 1.0) * sight[SEEN_FIRST + camel] + 2.0 * sight[SEEN_SECOND + camel] - 1.0
            value = value * styles[style, LEGS] + styles[style, LEG_EAGER] * taken
            if whim > 0.0:
                value += whim * _mood(words, lane)
            if value > best:
                best = value
                choice = LEG_ACTION + camel
    hand = row[HAND + seat]
    if hand != 0:
        prize = prize_after(row, WINNER_DECK, row[WINNER_COUNT], seat)
        weight = styles[style, WINNERS]
        for camel in range(CAMEL_COUNT):
            if hand >> camel & 1:
                value = weight * (prize * sight[SEEN_WINNER + camel] - 1.0) + styles[style, CARD_EAGER]
                if whim > 0.0:
                    value += whim * _mood(words, lane)
                if value > best:
                    best = value
                    choice = WINNER_ACTION + camel
        prize = prize_after(row, LOSER_DECK, row[LOSER_COUNT], seat)
        weight = styles[style, LOSERS]
        for camel in range(CAMEL_COUNT):
            if hand >> camel & 1:
                value = weight * (prize * sight[SEEN_LOSER + camel] - 1.0) + styles[style, CARD_EAGER]
                if value > best:
                    best = value
                    choice = LOSER_ACTION + camel
    stop = styles[style, TILES]
    best -= styles[style, TILE_EAGER]
    if stop * sight[MOST_STOPS] > best:
        choice = _tile(row, seat, stop, best, sight, choice)
    return choice


@compiled
def prize_after(row: Row, deck: int, count: int, seat: int) -> float:
    """What the next card of this seat on a deck earns more if it is right than if it is not.

    Of the cards before it only others' can be right, too: one's own there are of other colours.
    """
    others = 0
    for place in range(count):
        others += row[deck + place] >> 3 != seat
    return float(_PRIZES[min(others, _DECK_MOST)] + 1.0)


@compiled
def _tile(row: Row, seat: int, stop: float, best: float, sight: Sight, choice: int) -> int:
    """The desert tile where most stops are expected, if that beats ``best``."""
    lies = abs(row[DESERT + seat])
    held = sight[SEEN_STOPS + lies - FIRST_DESERT_SPACE] if lies else 0.0
    free = free_spaces(row, seat)
    for place in range(DESERT_SPACES):
        if free >> place & 1:
            value = stop * (sight[SEEN_STOPS + place] - held)
            if value > best:
                best = value
                choice = OASIS_ACTION + place
    if OASIS_ACTION <= choice < ROLL_ACTION and not _helps(row, seat, choice - OASIS_ACTION + FIRST_DESERT_SPACE):
        choice += DESERT_SPACES
    return choice


@compiled
def _helps(row: Row, seat: int, space: int) -> bool:
    """Whether a step forward from here is more to the seat's liking than to the others', by the leg tiles they hold."""
    liking = 0
    for camel in range(CAMEL_COUNT):
        if row[TENT + camel] == 0 and 1 <= space - row[SPACE + camel] <= _FACES:
            for tile in range(row[LEG_TAKEN + camel]):
                liking += row[PLAYERS] - 1 if row[LEG_TILE + len(LEG_VALUES) * camel + tile] == seat else -1
    return liking > 0


@compiled
def _mood(words: Words, lane: int) -> float:
    """A number between -1 and 1."""
    return np.int64(draw(words, lane)) * _UNIT
