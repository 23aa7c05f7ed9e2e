"""Where each seat's money comes from in a playout, compiled: what the coach's reasons are made of."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel import layout
from serai.camelup.odds.race_table import ALL_DICE, RANKS
from serai.camelup.parts import (
    DESERT_PART,
    ENDED_PART,
    FIRST_PART,
    HAND_PART,
    LEG_PART,
    LOSER_PART,
    LOSER_SLOPE,
    LOSES_PART,
    PARTS,
    PYRAMID_PART,
    SLOPE_PART,
    SPARED_PART,
    STAKE_PARTS,
    TURN_PART,
    WINNER_PART,
    WINNER_SLOPE,
    WINS_PART,
)
from serai.camelup.policy.bets import Row, canonical
from serai.camelup.policy.lookup import Chances
from serai.camelup.policy.value import (
    PAY_LOSER,
    PAY_WINNER,
    Pays,
    RaceChances,
    Weights,
    hand_advantage,
    leg_values,
    sharpness,
    track_ahead,
    turn_advantage,
)
from serai.camelup.rules.pieces import LEG_VALUES, RACE_PRIZES
from serai.lab.jit import compiled

Parts = npt.NDArray[np.float32]
"""By seat and place: pounds."""
AllParts = npt.NDArray[np.float32]
"""By playout, action, seat and place; of no playouts where nobody asks."""

_LEG_TILES: Final = len(LEG_VALUES)
_STAKED: Final = len(STAKE_PARTS)
"""How far before what a race card pays its stake is counted."""
_RARE: Final = 1e-6
"""A chance below which no bet depends on it."""

NO_PARTS: Final[AllParts] = np.empty((0, 1, 1, PARTS), np.float32)
"""For playouts whose parts nobody asks for."""


# -- compiled ----------------------------------------------------------------------------------------------------------


@compiled
def count_die(before: Row, after: Row, action: int, parts: Parts) -> None:
    """Add what a die brought: stops on desert tiles and, if it ends the leg or the race, what bets paid."""
    landing = before[layout.SPACE + (action - layout.DIE_ACTION) // 3] + (action - layout.DIE_ACTION) % 3 + 1
    over = after[layout.ACTOR] == layout.NOBODY_ACTS
    scored = over or after[layout.LEG] != before[layout.LEG]
    leader = after[layout.ORDER + layout.CAMEL_COUNT - 1]
    second = after[layout.ORDER + layout.CAMEL_COUNT - 2]
    for seat in range(before[layout.PLAYERS]):
        money = int(before[layout.MONEY + seat])
        if abs(before[layout.DESERT + seat]) == landing:
            parts[seat, DESERT_PART] += 1.0
            money += 1
        if not scored:
            continue
        pyramid = int(before[layout.PYRAMID + seat])
        parts[seat, PYRAMID_PART] += pyramid
        money += pyramid
        for camel in range(layout.CAMEL_COUNT):
            for tile in range(before[layout.LEG_TAKEN + camel]):
                if before[layout.LEG_TILE + _LEG_TILES * camel + tile] == seat:
                    pays = LEG_VALUES[tile] if camel == leader else 1 if camel == second else -1
                    parts[seat, LEG_PART + _LEG_TILES * camel + tile] += pays
                    money += pays
        parts[seat, SPARED_PART] += max(0, -money)
        money = max(0, money)
        if over:
            parts[seat, ENDED_PART] = 1.0
            parts[seat, WINS_PART + leader] = 1.0
            parts[seat, LOSES_PART + after[layout.ORDER]] = 1.0
            money = _count_deck(after, seat, money, layout.WINNER_DECK, layout.WINNER_COUNT, leader, WINNER_PART, parts)
            _count_deck(
                after, seat, money, layout.LOSER_DECK, layout.LOSER_COUNT, after[layout.ORDER], LOSER_PART, parts
            )


@compiled
def _count_deck(row: Row, seat: int, money: int, deck: int, size: int, right: int, base: int, parts: Parts) -> int:
    """Add what this seat's cards on a deck paid (7.3); returns its money after that."""
    right_before = 0
    for place in range(row[size]):
        card = row[deck + place]
        hit = card & 7 == right
        if card >> 3 == seat:
            if hit:
                prize = RACE_PRIZES[right_before] if right_before < len(RACE_PRIZES) else 1
                parts[seat, base + (card & 7) - _STAKED] -= 1.0
                parts[seat, base + (card & 7)] += prize + 1.0
                money += prize
            elif money > 0:
                parts[seat, base + (card & 7) - _STAKED] -= 1.0
                money -= 1
        right_before += hit
    return money


@compiled
def slopes_at_the_end(row: Row, weights: Weights, mover: int, parts: Parts) -> None:
    """Fill in the slopes when the race is over: as if the result were a little uncertain still."""
    players = row[layout.PLAYERS]
    sharp = sharpness(0.0, weights)
    most = row[layout.MONEY : layout.MONEY + players].max()
    total = 0.0
    for seat in range(players):
        parts[seat, SLOPE_PART] = math.exp((row[layout.MONEY + seat] - most) * sharp)
        total += parts[seat, SLOPE_PART]
    own = parts[mover, SLOPE_PART] / total
    for seat in range(players):
        slope = own * sharp * ((seat == mover) - parts[seat, SLOPE_PART] / total)
        for place in range(SLOPE_PART, PARTS):
            parts[seat, place] = slope


@compiled
def count_hopes(
    row: Row, race: RaceChances, chances: Chances, weights: Weights, sums: Pays, mover: int, parts: Parts
) -> None:
    """Add what race cards are expected to pay at the start of a leg, camels' chances, how seats stand, and the slopes.

    ``sums`` is as :func:`evaluate` left it.
    """
    players = row[layout.PLAYERS]
    position, _ = canonical(row)
    ahead = track_ahead(row)
    sharp = sharpness(ahead, weights)
    wins, loses = np.zeros(layout.CAMEL_COUNT), np.zeros(layout.CAMEL_COUNT)
    likely = np.empty(players)
    column = 0
    for winner in range(RANKS):
        won = row[layout.ORDER + winner]
        for loser in range(RANKS):
            if winner == loser:
                continue
            lost = row[layout.ORDER + loser]
            chance = race[position, ALL_DICE, column]
            column += 1
            if chance == 0.0:
                continue
            wins[won] += chance
            loses[lost] += chance
            total = 0.0
            for seat in range(players):
                likely[seat] = sums[1, seat] * sums[2 + PAY_WINNER + won, seat] * sums[2 + PAY_LOSER + lost, seat]
                total += likely[seat]
            own = chance * sharp * likely[mover] / total
            for seat in range(players):
                slope = own * ((seat == mover) - likely[seat] / total)
                parts[seat, SLOPE_PART] += slope
                parts[seat, WINNER_SLOPE + won] += slope
                parts[seat, LOSER_SLOPE + lost] += slope
    for camel in range(layout.CAMEL_COUNT):
        for seat in range(players):
            parts[seat, WINS_PART + camel] = wins[camel]
            parts[seat, LOSES_PART + camel] = loses[camel]
            parts[seat, WINNER_SLOPE + camel] /= max(wins[camel], _RARE)
            parts[seat, LOSER_SLOPE + camel] /= max(loses[camel], _RARE)
    for deck, size, chance_of, base in (
        (layout.WINNER_DECK, layout.WINNER_COUNT, wins, WINNER_PART),
        (layout.LOSER_DECK, layout.LOSER_COUNT, loses, LOSER_PART),
    ):
        for place in range(row[size]):
            camel = row[deck + place] & 7
            before = 0
            for earlier in range(place):
                before += row[deck + earlier] & 7 == camel
            prize = float(RACE_PRIZES[before]) if before < len(RACE_PRIZES) else 1.0
            parts[row[deck + place] >> 3, base + camel - _STAKED] -= 1.0
            parts[row[deck + place] >> 3, base + camel] += chance_of[camel] * (prize + 1.0)
    best, second = leg_values(chances)
    for seat in range(players):
        parts[seat, TURN_PART] = turn_advantage(row, seat, ahead, weights, best, second)
        parts[seat, HAND_PART] = hand_advantage(row, seat, ahead, chances, weights)
        parts[seat, FIRST_PART] = row[layout.TURN] == seat
