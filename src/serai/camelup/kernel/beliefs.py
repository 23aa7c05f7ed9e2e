"""Hidden race cards, compiled: how likely each way is in which somebody may have laid them, and a deal by that.

A card says something about its owner's hopes: it weighs e^(trust * the chance its camel had when it was laid). All ways
in which one owner's hidden cards can be different colours are counted, at most 120, so a deal is exact and quick.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.layout import (
    CAMEL_COUNT,
    DECK_SIZE,
    HAND,
    HIDDEN_CAMEL,
    HIDDEN_HAND,
    LOSER_COUNT,
    LOSER_DECK,
    MAX_SEATS,
    PLAYERS,
    WINNER_COUNT,
    WINNER_DECK,
)
from serai.core.jit import compiled
from serai.core.splitmix import Words, draw

Row = npt.NDArray[np.int16]
Hopes = npt.NDArray[np.float64]
"""By deck (winner, loser), place on it and camel: what the colour of this card weighs, as a logarithm."""

MOST_WAYS: Final = 120
_FULL_HAND: Final = (1 << CAMEL_COUNT) - 1
_UNIT: Final = 1.0 / 2**64


class Beliefs(NamedTuple):
    """What may lie under hidden cards."""

    ways: npt.NDArray[np.int64]
    """By seat: in how many ways their hidden cards can be different colours."""
    colours: npt.NDArray[np.int64]
    """By seat and way: the colours in the order of the places below, three bits each."""
    up_to: npt.NDArray[np.float64]
    """By seat and way: the chance of this way or one before it."""
    cards: npt.NDArray[np.int64]
    """By seat: how many of their cards are hidden; -1 where nothing is."""
    places: npt.NDArray[np.int64]
    """By seat and card: where in the row it lies."""


def room_for_beliefs() -> Beliefs:
    """Fresh room."""
    return Beliefs(
        np.zeros(MAX_SEATS, np.int64),
        np.zeros((MAX_SEATS, MOST_WAYS), np.int64),
        np.zeros((MAX_SEATS, MOST_WAYS)),
        np.full(MAX_SEATS, -1, np.int64),
        np.zeros((MAX_SEATS, CAMEL_COUNT), np.int64),
    )


def no_hopes() -> Hopes:
    """Every colour weighs the same."""
    return np.zeros((2, DECK_SIZE, CAMEL_COUNT))


@compiled
def believe(row: Row, hopes: Hopes, beliefs: Beliefs) -> None:
    """Weigh every way in which the cards that a row hides may have been laid."""
    ways, colours, up_to, cards, places = beliefs
    held = np.empty((CAMEL_COUNT, CAMEL_COUNT))
    for seat in range(row[PLAYERS]):
        cards[seat] = -1
        count = 0
        for deck, base, size in ((0, WINNER_DECK, row[WINNER_COUNT]), (1, LOSER_DECK, row[LOSER_COUNT])):
            for place in range(size):
                if row[base + place] == seat << 3 | HIDDEN_CAMEL:
                    places[seat, count] = base + place
                    for camel in range(CAMEL_COUNT):
                        held[count, camel] = hopes[deck, place, camel]
                    count += 1
        # a hand that has laid all its cards hides nothing itself
        if count == 0 and row[HAND + seat] != HIDDEN_HAND:
            continue
        cards[seat] = count
        ways[seat] = _count_ways(count, held, colours[seat], up_to[seat])


@compiled
def _count_ways(count: int, held: Hopes, colours: npt.NDArray[np.int64], up_to: npt.NDArray[np.float64]) -> int:
    """Go through all choices of ``count`` different colours, written in base 5."""
    choices = CAMEL_COUNT**count
    ways = 0
    total = 0.0
    for choice in range(choices):
        rest = choice
        used = 0
        packed = 0
        weight = 0.0
        for card in range(count):
            camel = rest % CAMEL_COUNT
            rest //= CAMEL_COUNT
            if used >> camel & 1:
                break
            used |= 1 << camel
            packed |= camel << 3 * card
            weight += held[card, camel]
        else:
            total += math.exp(weight)
            colours[ways] = packed
            up_to[ways] = total
            ways += 1
    for way in range(ways):
        up_to[way] /= total
    return ways


@compiled
def imagine(row: Row, beliefs: Beliefs, words: Words, lane: int) -> None:
    """Fill in the hidden cards of a row, as likely as believed."""
    for seat in range(row[PLAYERS]):
        count = beliefs.cards[seat]
        if count < 0:
            continue
        luck = draw(words, lane) * _UNIT
        way = 0
        while way < beliefs.ways[seat] - 1 and beliefs.up_to[seat, way] <= luck:
            way += 1
        packed = beliefs.colours[seat, way]
        hand = _FULL_HAND
        for card in range(count):
            camel = packed >> 3 * card & 7
            row[beliefs.places[seat, card]] = seat << 3 | camel
            hand &= ~(1 << camel)
        row[HAND + seat] = hand
