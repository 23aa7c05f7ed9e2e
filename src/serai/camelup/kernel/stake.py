"""What a player holds, compiled: the prices of leg tiles and race cards, and the values of bets.

Chances and prices have a place for every rank and *kind*: first and second in the leg, winner and loser of the race.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.layout import (
    ACTOR,
    CAMEL_COUNT,
    DESERT,
    HAND,
    LEG_ACTION,
    LEG_TAKEN,
    LEG_TILE,
    LOSER_ACTION,
    LOSER_COUNT,
    LOSER_DECK,
    MAX_SEATS,
    ORDER,
    PLAYER_ACTIONS,
    PLAYERS,
    ROLL_ACTION,
    SPACE,
    TENT,
    WINNER_ACTION,
    WINNER_COUNT,
    WINNER_DECK,
)
from serai.camelup.odds.canonical import CHOOSE, RANKS
from serai.camelup.odds.race_table import TIE
from serai.camelup.pieces import LEG_VALUES, RACE_PRIZES
from serai.core.jit import compiled

Row = npt.NDArray[np.int16]
Values = npt.NDArray[np.float64]

FIRST_PLACE: Final = 0
SECOND_PLACE: Final = 1
WINNER_PLACE: Final = 2
LOSER_PLACE: Final = 3
KINDS: Final = 4

LEG_STAKE: Final = 1
"""Bits: what the stake hangs on."""
WINNER_STAKE: Final = 2
LOSER_STAKE: Final = 4

_LEG_TILES: Final = len(LEG_VALUES)
_FURTHER_PRIZE: Final = 1.0
_CHOOSE: Final = np.array(CHOOSE)
_RIGHT: Final = np.arange(CAMEL_COUNT + 1) / CAMEL_COUNT
"""By an owner's cards on a deck: the chance that one of them is right."""


@compiled
def canonical(row: Row) -> tuple[int, int]:
    """The position and the dice left by rank."""
    position = 0
    dice = 0
    for rank in range(RANKS):
        camel = row[ORDER + rank]
        position += _CHOOSE[rank, row[SPACE + camel]]
        dice |= (row[TENT + camel] == 0) << rank
    return position, dice


@compiled
def value_bets(row: Row, chances: Values, values: Values) -> None:
    """Fill in what leg tiles, roll and race cards are worth to the actor, given the chances by rank and kind."""
    seat = row[ACTOR]
    hand = row[HAND + seat]
    values[ROLL_ACTION] = 1.0
    winner_prize, loser_prize = 0.0, 0.0
    if hand:
        winner_prize = _expected_prize(row, WINNER_DECK, row[WINNER_COUNT], seat)
        loser_prize = _expected_prize(row, LOSER_DECK, row[LOSER_COUNT], seat)
    for rank in range(RANKS):
        camel = row[ORDER + rank]
        taken = row[LEG_TAKEN + camel]
        if taken < _LEG_TILES:
            first, second = chances[rank, FIRST_PLACE], chances[rank, SECOND_PLACE]
            values[LEG_ACTION + camel] = LEG_VALUES[taken] * first + second - (1.0 - first - second)
        if hand >> camel & 1:
            winner, loser = chances[rank, WINNER_PLACE], chances[rank, LOSER_PLACE]
            values[WINNER_ACTION + camel] = winner_prize * winner - (1.0 - winner)
            values[LOSER_ACTION + camel] = loser_prize * loser - (1.0 - loser)


@compiled
def best_bet(row: Row, chances: Values) -> int:
    """The first action of the highest such value, by number. It works in the place of the chances: room is dear."""
    seat = row[ACTOR]
    hand = row[HAND + seat]
    winner_prize, loser_prize = 0.0, 0.0
    if hand:
        winner_prize = _expected_prize(row, WINNER_DECK, row[WINNER_COUNT], seat)
        loser_prize = _expected_prize(row, LOSER_DECK, row[LOSER_COUNT], seat)
    best = 1.0
    for rank in range(RANKS):
        camel = row[ORDER + rank]
        taken = row[LEG_TAKEN + camel]
        first, second = chances[rank, FIRST_PLACE], chances[rank, SECOND_PLACE]
        winner, loser = chances[rank, WINNER_PLACE], chances[rank, LOSER_PLACE]
        held = hand >> camel & 1
        tile = LEG_VALUES[taken if taken < _LEG_TILES else 0] * first + second - (1.0 - first - second)
        chances[rank, FIRST_PLACE] = tile if taken < _LEG_TILES else -np.inf
        chances[rank, WINNER_PLACE] = winner_prize * winner - (1.0 - winner) if held else -np.inf
        chances[rank, LOSER_PLACE] = loser_prize * loser - (1.0 - loser) if held else -np.inf
        best = max(best, chances[rank, FIRST_PLACE], chances[rank, WINNER_PLACE], chances[rank, LOSER_PLACE])
    chosen = ROLL_ACTION if best - TIE <= 1.0 else PLAYER_ACTIONS
    for rank in range(RANKS):
        camel = row[ORDER + rank]
        if chances[rank, LOSER_PLACE] >= best - TIE:
            chosen = min(chosen, LOSER_ACTION + camel)
        if chances[rank, WINNER_PLACE] >= best - TIE:
            chosen = min(chosen, WINNER_ACTION + camel)
        if chances[rank, FIRST_PLACE] >= best - TIE:
            chosen = min(chosen, LEG_ACTION + camel)
    return chosen


@compiled
def _expected_prize(row: Row, deck: int, count: int, seat: int) -> float:
    """What this seat's next right card earns behind the first ``count`` cards of the deck.

    Each other owner has at most one right card among those before, with one chance in five per card; the owners are
    independent. The seat's own cards there are of other colours.
    """
    laid = 0
    for place in range(count):
        laid += 1 << 4 * (row[deck + place] >> 3)
    none, one, two, three = 1.0, 0.0, 0.0, 0.0
    for owner in range(MAX_SEATS):
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
def price_stake(row: Row, prices: Values) -> int:
    """What the actor's tiles and cards pay per chance, by rank; whether anything hangs on leg, winner, loser."""
    prices[:] = 0.0
    seat = row[ACTOR]
    staked = 0
    for rank in range(RANKS):
        camel = row[ORDER + rank]
        for tile in range(row[LEG_TAKEN + camel]):
            if row[LEG_TILE + _LEG_TILES * camel + tile] == seat:
                prices[rank, FIRST_PLACE] += LEG_VALUES[tile] + 1.0
                prices[rank, SECOND_PLACE] += 2.0
                staked |= LEG_STAKE
    for kind, flag, deck, count in (
        (WINNER_PLACE, WINNER_STAKE, WINNER_DECK, WINNER_COUNT),
        (LOSER_PLACE, LOSER_STAKE, LOSER_DECK, LOSER_COUNT),
    ):
        for place in range(row[count]):
            if row[deck + place] >> 3 == seat:
                staked |= flag
                for rank in range(RANKS):
                    if row[ORDER + rank] == row[deck + place] & 7:
                        prices[rank, kind] = _expected_prize(row, deck, place, seat) + 1.0
    return staked


@compiled
def spread(prices: Values) -> float:
    """At most so much lies between the worst and the best outcome of the stake."""
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
    for owner in range(row[PLAYERS]):
        placed = row[DESERT + owner]
        if placed:
            tiles[abs(placed)] = 1 if placed > 0 else -1
