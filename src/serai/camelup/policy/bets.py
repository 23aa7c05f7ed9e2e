"""Prices and values of bets, compiled: leg tiles and race cards, by the formulas of :mod:`serai.camelup.odds.bets`.

Chances and prices have a place for every rank and *kind*: first and second in the leg, winner and loser of the race.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel import layout
from serai.camelup.odds import bets
from serai.camelup.odds.race_table import CHOOSE, RANKS, TIE
from serai.camelup.rules.pieces import LEG_VALUES, RACE_PRIZES
from serai.lab.jit import compiled, inlined

Row = npt.NDArray[np.int16]
Values = npt.NDArray[np.float64]

FIRST_PLACE: Final = 0
SECOND_PLACE: Final = 1
WINNER_PLACE: Final = 2
LOSER_PLACE: Final = 3
KINDS: Final = 4

LEG_BETS: Final = 1
"""Bits: kinds of bets that a player holds."""
WINNER_BETS: Final = 2
LOSER_BETS: Final = 4

_LEG_TILES: Final = len(LEG_VALUES)
_FURTHER_PRIZE: Final = 1.0
_CHOOSE: Final = np.array(CHOOSE)
_RIGHT: Final = np.arange(layout.CAMEL_COUNT + 1) / layout.CAMEL_COUNT
"""By an owner's cards on a deck: the chance that one of them is right."""
_leg_tile_value = inlined(bets.leg_tile_value)
_card_value = inlined(bets.card_value)


@compiled
def canonical(row: Row) -> tuple[int, int]:
    """The position and the dice left by rank."""
    position = 0
    dice = 0
    for rank in range(RANKS):
        camel = row[layout.ORDER + rank]
        position += _CHOOSE[rank, row[layout.SPACE + camel]]
        dice |= (row[layout.TENT + camel] == 0) << rank
    return position, dice


@compiled
def value_bets(row: Row, chances: Values, values: Values) -> None:
    """Fill in what leg tiles, roll and race cards are worth to the actor, given the chances by rank and kind."""
    seat = row[layout.ACTOR]
    hand = row[layout.HAND + seat]
    values[layout.ROLL_ACTION] = 1.0
    winner_prize, loser_prize = 0.0, 0.0
    if hand:
        winner_prize = _expected_prize(row, layout.WINNER_DECK, row[layout.WINNER_COUNT], seat)
        loser_prize = _expected_prize(row, layout.LOSER_DECK, row[layout.LOSER_COUNT], seat)
    for rank in range(RANKS):
        camel = row[layout.ORDER + rank]
        taken = row[layout.LEG_TAKEN + camel]
        if taken < _LEG_TILES:
            first, second = chances[rank, FIRST_PLACE], chances[rank, SECOND_PLACE]
            values[layout.LEG_ACTION + camel] = _leg_tile_value(LEG_VALUES[taken], first, second)
        if hand >> camel & 1:
            winner, loser = chances[rank, WINNER_PLACE], chances[rank, LOSER_PLACE]
            values[layout.WINNER_ACTION + camel] = _card_value(winner_prize, winner)
            values[layout.LOSER_ACTION + camel] = _card_value(loser_prize, loser)


@compiled
def best_bet(row: Row, chances: Values) -> int:
    """The number of the first action of the highest such value. It overwrites the chances: a GPU has little memory."""
    seat = row[layout.ACTOR]
    hand = row[layout.HAND + seat]
    winner_prize, loser_prize = 0.0, 0.0
    if hand:
        winner_prize = _expected_prize(row, layout.WINNER_DECK, row[layout.WINNER_COUNT], seat)
        loser_prize = _expected_prize(row, layout.LOSER_DECK, row[layout.LOSER_COUNT], seat)
    best = 1.0
    for rank in range(RANKS):
        camel = row[layout.ORDER + rank]
        taken = row[layout.LEG_TAKEN + camel]
        first, second = chances[rank, FIRST_PLACE], chances[rank, SECOND_PLACE]
        winner, loser = chances[rank, WINNER_PLACE], chances[rank, LOSER_PLACE]
        held = hand >> camel & 1
        tile = _leg_tile_value(LEG_VALUES[taken if taken < _LEG_TILES else 0], first, second)
        chances[rank, FIRST_PLACE] = tile if taken < _LEG_TILES else -np.inf
        chances[rank, WINNER_PLACE] = _card_value(winner_prize, winner) if held else -np.inf
        chances[rank, LOSER_PLACE] = _card_value(loser_prize, loser) if held else -np.inf
        best = max(best, chances[rank, FIRST_PLACE], chances[rank, WINNER_PLACE], chances[rank, LOSER_PLACE])
    chosen = layout.ROLL_ACTION if best - TIE <= 1.0 else layout.PLAYER_ACTIONS
    for rank in range(RANKS):
        camel = row[layout.ORDER + rank]
        if chances[rank, LOSER_PLACE] >= best - TIE:
            chosen = min(chosen, layout.LOSER_ACTION + camel)
        if chances[rank, WINNER_PLACE] >= best - TIE:
            chosen = min(chosen, layout.WINNER_ACTION + camel)
        if chances[rank, FIRST_PLACE] >= best - TIE:
            chosen = min(chosen, layout.LEG_ACTION + camel)
    return chosen


@compiled
def _expected_prize(row: Row, deck: int, count: int, seat: int) -> float:
    """What this seat's next right card is expected to earn behind the first ``count`` cards of the deck.

    Each other owner has at most one right card among those before, with one chance in five per card; the owners are
    independent. The seat's own cards there are of other colours.
    """
    laid = 0
    for place in range(count):
        laid += 1 << 4 * (row[deck + place] >> 3)
    none, one, two, three = 1.0, 0.0, 0.0, 0.0
    for owner in range(layout.MAX_SEATS):
        cards = laid >> 4 * owner & 15
        if cards and owner != seat:
            right = _RIGHT[cards]
            wrong = 1.0 - right
            three = three * wrong + two * right
            two = two * wrong + one * right
            one = one * wrong + none * right
            none *= wrong
    more = 1.0 - none - one - two - three
    return (
        RACE_PRIZES[0] * none
        + RACE_PRIZES[1] * one
        + RACE_PRIZES[2] * two
        + RACE_PRIZES[3] * three
        + _FURTHER_PRIZE * more
    )


@compiled
def price_bets(row: Row, prices: Values) -> int:
    """Fill in what the actor's tiles and cards pay per chance, by rank and kind; returns the kinds of bets held."""
    prices[:] = 0.0
    seat = row[layout.ACTOR]
    kinds = 0
    for rank in range(RANKS):
        camel = row[layout.ORDER + rank]
        for tile in range(row[layout.LEG_TAKEN + camel]):
            if row[layout.LEG_TILE + _LEG_TILES * camel + tile] == seat:
                prices[rank, FIRST_PLACE] += LEG_VALUES[tile] + 1.0
                prices[rank, SECOND_PLACE] += 2.0
                kinds |= LEG_BETS
    for kind, flag, deck, count in (
        (WINNER_PLACE, WINNER_BETS, layout.WINNER_DECK, layout.WINNER_COUNT),
        (LOSER_PLACE, LOSER_BETS, layout.LOSER_DECK, layout.LOSER_COUNT),
    ):
        for place in range(row[count]):
            if row[deck + place] >> 3 == seat:
                kinds |= flag
                for rank in range(RANKS):
                    if row[layout.ORDER + rank] == row[deck + place] & 7:
                        prices[rank, kind] = _expected_prize(row, deck, place, seat) + 1.0
    return kinds


@compiled
def spread(prices: Values) -> float:
    """An upper bound of the difference between the worst and the best outcome of the bets."""
    return _spread_over_pairs(prices, FIRST_PLACE, SECOND_PLACE) + _spread_over_pairs(prices, WINNER_PLACE, LOSER_PLACE)


@compiled
def _spread_over_pairs(prices: Values, one: int, other: int) -> float:
    """The same for two places that no camel can hold at once."""
    low, high = np.inf, -np.inf
    for rank in range(RANKS):
        for rival in range(RANKS):
            if rival != rank:
                paid = prices[rank, one] + prices[rival, other]
                low, high = min(low, paid), max(high, paid)
    return high - low


@compiled
def lay_tiles(row: Row, tiles: npt.NDArray[np.int8]) -> None:
    tiles[:] = 0
    for owner in range(row[layout.PLAYERS]):
        placed = row[layout.DESERT + owner]
        if placed:
            tiles[abs(placed)] = 1 if placed > 0 else -1
