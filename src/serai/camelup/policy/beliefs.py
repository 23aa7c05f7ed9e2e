"""Guesses about others' hidden race cards: how likely each colour is, and random deals by that.

People lay cards of camels they believe in: a card weighs e^(trust * the chance its camel had when it was laid). All
ways in which one owner's hidden cards can be different colours are counted, at most 120, so a deal is exact and quick.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel import layout
from serai.camelup.memory import Moment, RaceMemory
from serai.camelup.policy.bets import Row
from serai.camelup.policy.lookup import LOSER_CHANCE, WINNER_CHANCE, Chances, look_up, lookup_table
from serai.camelup.policy.scratch import CHANCES_SIZE
from serai.camelup.rules.pieces import CAMELS
from serai.camelup.rules.rules import CamelUpState
from serai.lab.jit import compiled
from serai.lab.rng import Words, drawn_place

Hopes = npt.NDArray[np.float64]
"""By deck (winner, loser), place on it and camel: the logarithm of the weight of this colour."""

TRUST: Final = 30.0
"""The trust of a player at the table."""
COACH_TRUST: Final = 60.0
"""The trust of the coach, which takes everybody for experienced."""
HINDSIGHT: Final = 10.0
"""The trust where the moment is not remembered: then the chance of now counts."""
MOST_WAYS: Final = 120
_FULL_HAND: Final = (1 << layout.CAMEL_COUNT) - 1


class Beliefs(NamedTuple):
    """What may lie under hidden cards."""

    ways: npt.NDArray[np.int64]
    """By seat: the number of ways in which their hidden cards can be different colours."""
    colours: npt.NDArray[np.int64]
    """By seat and way: the colours in the order of the places below, three bits each."""
    up_to: npt.NDArray[np.float64]
    """By seat and way: the chance of this way or one before it."""
    cards: npt.NDArray[np.int64]
    """By seat: the number of hidden cards; -1 where nothing is hidden."""
    places: npt.NDArray[np.int64]
    """By seat and card: its place in the row."""


def beliefs_of(view: CamelUpState, row: Row, memory: RaceMemory | None, trust: float = TRUST) -> Beliefs:
    """What lies under the hidden cards of a view, judged by the moments in which they were laid."""
    beliefs = Beliefs(
        np.zeros(layout.MAX_SEATS, np.int64),
        np.zeros((layout.MAX_SEATS, MOST_WAYS), np.int64),
        np.zeros((layout.MAX_SEATS, MOST_WAYS)),
        np.full(layout.MAX_SEATS, -1, np.int64),
        np.zeros((layout.MAX_SEATS, layout.CAMEL_COUNT), np.int64),
    )
    _weigh(row, hopes_of(view, memory, trust), beliefs)
    return beliefs


def hopes_of(view: CamelUpState, memory: RaceMemory | None, trust: float = TRUST) -> Hopes:
    """The weight of every colour of every hidden card."""
    hopes = np.zeros((2, layout.DECK_SIZE, layout.CAMEL_COUNT))
    now = Moment(view.track, frozenset(camel for camel in CAMELS if view.tents[camel]))
    for number, (deck, cards, kind) in enumerate(
        (("winner", view.winner_deck, WINNER_CHANCE), ("loser", view.loser_deck, LOSER_CHANCE))
    ):
        for place, (_, camel) in enumerate(cards):
            if camel is None:
                then = memory.moment(deck, place) if memory is not None else None  # type: ignore[arg-type]
                trusted = HINDSIGHT if then is None else trust
                hopes[number, place] = trusted * _chances_at(then or now)[kind : kind + len(CAMELS)]
    return hopes


def _chances_at(moment: Moment) -> Chances:
    row = np.zeros(layout.ROW_SIZE, np.int16)
    place = 0
    for space, stack in enumerate(moment.track):
        for camel in stack:
            row[layout.ORDER + place] = camel
            row[layout.SPACE + camel] = space
            row[layout.TENT + camel] = camel in moment.dice_out
            place += 1
    chances = np.empty(CHANCES_SIZE)
    look_up(row, lookup_table(), chances)
    return chances


# -- compiled ----------------------------------------------------------------------------------------------------------


@compiled
def _weigh(row: Row, hopes: Hopes, beliefs: Beliefs) -> None:
    """Weigh every way in which the hidden cards of a row may have been laid."""
    ways, colours, up_to, cards, places = beliefs
    held = np.empty((layout.CAMEL_COUNT, layout.CAMEL_COUNT))
    for seat in range(row[layout.PLAYERS]):
        cards[seat] = -1
        count = 0
        for deck, base, size in (
            (0, layout.WINNER_DECK, row[layout.WINNER_COUNT]),
            (1, layout.LOSER_DECK, row[layout.LOSER_COUNT]),
        ):
            for place in range(size):
                if row[base + place] == seat << 3 | layout.HIDDEN_CAMEL:
                    places[seat, count] = base + place
                    for camel in range(layout.CAMEL_COUNT):
                        held[count, camel] = hopes[deck, place, camel]
                    count += 1
        # an empty hand is not hidden, though cards of it may be
        if count == 0 and row[layout.HAND + seat] != layout.HIDDEN_HAND:
            continue
        cards[seat] = count
        ways[seat] = _count_ways(count, held, colours[seat], up_to[seat])


@compiled
def _count_ways(count: int, held: Hopes, colours: npt.NDArray[np.int64], up_to: npt.NDArray[np.float64]) -> int:
    """Go through all choices of ``count`` different colours, written in base 5."""
    choices = layout.CAMEL_COUNT**count
    ways = 0
    total = 0.0
    for choice in range(choices):
        rest = choice
        used = 0
        packed = 0
        weight = 0.0
        for card in range(count):
            camel = rest % layout.CAMEL_COUNT
            rest //= layout.CAMEL_COUNT
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
    """Fill in the hidden cards of a row at random, by these beliefs."""
    for seat in range(row[layout.PLAYERS]):
        count = beliefs.cards[seat]
        if count < 0:
            continue
        packed = beliefs.colours[seat, drawn_place(beliefs.up_to[seat], beliefs.ways[seat], words, lane)]
        hand = _FULL_HAND
        for card in range(count):
            camel = packed >> 3 * card & 7
            row[beliefs.places[seat, card]] = seat << 3 | camel
            hand &= ~(1 << camel)
        row[layout.HAND + seat] = hand
