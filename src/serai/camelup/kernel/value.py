"""What a position between two legs is worth to each seat, compiled: the share of victory, and the pounds expected.

Who wins and who loses the race is gone through exactly, and with it what every race card pays. What the rest of the
game adds to that is a guess: the higher somebody's sum, the better, by a softmax whose sharpness and small advantages
(who begins, which cards are still in hand) were fitted to finished games.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.layout import (
    CAMEL_COUNT,
    HAND,
    LOSER_COUNT,
    LOSER_DECK,
    MAX_SEATS,
    MONEY,
    ORDER,
    PLAYERS,
    SPACE,
    TURN,
    WINNER_COUNT,
    WINNER_DECK,
)
from serai.camelup.kernel.sight import SEEN_LOSER, SEEN_WINNER, Row, Sight
from serai.camelup.kernel.stake import canonical
from serai.camelup.odds.canonical import ALL_DICE, RANKS
from serai.camelup.pieces import LAST_SPACE, RACE_PRIZES
from serai.core.jit import compiled

Weights = npt.NDArray[np.float64]
Pays = npt.NDArray[np.float64]
RaceChances = npt.NDArray[np.float64]

SHARP: Final = 0
"""The logarithm of pounds that change the odds of victory by e, when the leader stands at the finish."""
SHARP_AHEAD: Final = 1
"""What the track ahead of the leader adds to it, by its share."""
SHARP_SQUARE: Final = 2
FIRST_TURN: Final = 3
"""Pounds: to begin the leg, and with the track ahead; then to be second."""
SECOND_TURN: Final = 5
HAND_WINNER: Final = 7
"""Pounds by the best winner chance among the cards in hand, and with the track ahead; then the same for the loser."""
HAND_LOSER: Final = 9
HAND_SIZE: Final = 11
"""By the share of cards in hand."""
WEIGHTS: Final = 13

PAY_WINNER: Final = 0
PAY_LOSER: Final = CAMEL_COUNT
PAY_SIZE: Final = 2 * CAMEL_COUNT


@compiled
def pay_cards(row: Row, pays: Pays) -> None:
    """By seat and camel: what the cards laid pay if that camel wins, and if it loses (7.3, the floor ignored)."""
    for seat in range(row[PLAYERS]):
        for place in range(PAY_SIZE):
            pays[seat, place] = 0.0
    for base, deck, count in (
        (PAY_WINNER, WINNER_DECK, row[WINNER_COUNT]),
        (PAY_LOSER, LOSER_DECK, row[LOSER_COUNT]),
    ):
        right = 0
        for place in range(count):
            seat = row[deck + place] >> 3
            camel = row[deck + place] & 7
            before = right >> 4 * camel & 15
            right += 1 << 4 * camel
            for other in range(CAMEL_COUNT):
                pays[seat, base + other] -= 1.0
            pays[seat, base + camel] += 1.0 + (RACE_PRIZES[before] if before < len(RACE_PRIZES) else 1.0)


@compiled
def judge(row: Row, race: RaceChances, sight: Sight, weights: Weights, pays: Pays, wins: Pays, sums: Pays) -> None:
    """Fill in each seat's share of victory and expected pounds at the start of a leg; ``sight`` is of this row."""
    players = row[PLAYERS]
    ahead = (LAST_SPACE - row[SPACE + row[ORDER + CAMEL_COUNT - 1]]) / LAST_SPACE
    sharp = np.exp(-(weights[SHARP] + weights[SHARP_AHEAD] * ahead + weights[SHARP_SQUARE] * ahead * ahead))
    pay_cards(row, pays)
    position, _ = canonical(row)
    best = -np.inf
    for seat in range(players):
        sums[0, seat] = row[MONEY + seat]
        sums[1, seat] = (row[MONEY + seat] + _advantage(row, seat, ahead, sight, weights)) * sharp
        best = max(best, sums[1, seat])
        for place in range(PAY_SIZE):
            sums[2 + place, seat] = np.exp(pays[seat, place] * sharp)
        wins[0, seat] = 0.0
    for seat in range(players):
        sums[1, seat] = np.exp(sums[1, seat] - best)
    column = 0
    for winner in range(RANKS):
        won = row[ORDER + winner]
        for loser in range(RANKS):
            if winner == loser:
                continue
            chance = race[position, ALL_DICE, column]
            column += 1
            if chance < 1e-4:
                continue
            lost = row[ORDER + loser]
            total = 0.0
            for seat in range(players):
                likely = sums[1, seat] * sums[2 + PAY_WINNER + won, seat] * sums[2 + PAY_LOSER + lost, seat]
                wins[1, seat] = likely
                total += likely
                sums[0, seat] += chance * (pays[seat, PAY_WINNER + won] + pays[seat, PAY_LOSER + lost])
            for seat in range(players):
                wins[0, seat] += chance * wins[1, seat] / total


@compiled
def _advantage(row: Row, seat: int, ahead: float, sight: Sight, weights: Weights) -> float:
    players = row[PLAYERS]
    turns = (seat - row[TURN] + players) % players
    winner = 0.0
    loser = 0.0
    cards = 0.0
    for camel in range(CAMEL_COUNT):
        if row[HAND + seat] >> camel & 1:
            winner = max(winner, sight[SEEN_WINNER + camel])
            loser = max(loser, sight[SEEN_LOSER + camel])
            cards += 1.0 / CAMEL_COUNT
    worth = winner * (weights[HAND_WINNER] + weights[HAND_WINNER + 1] * ahead)
    worth += loser * (weights[HAND_LOSER] + weights[HAND_LOSER + 1] * ahead)
    worth += cards * (weights[HAND_SIZE] + weights[HAND_SIZE + 1] * ahead)
    if turns == 0:
        worth += weights[FIRST_TURN] + weights[FIRST_TURN + 1] * ahead
    elif turns == 1:
        worth += weights[SECOND_TURN] + weights[SECOND_TURN + 1] * ahead
    return float(worth)


@compiled
def share(row: Row, wins: Pays) -> None:
    """Each seat's share of victory when the race is over (7.5)."""
    most = 0
    winners = 0
    for seat in range(row[PLAYERS]):
        if row[MONEY + seat] > most or winners == 0:
            most = row[MONEY + seat]
            winners = 0
        winners += row[MONEY + seat] == most
    for seat in range(row[PLAYERS]):
        wins[0, seat] = 1.0 / winners if row[MONEY + seat] == most else 0.0


def room_for_judging() -> tuple[Pays, Pays, Pays]:
    """Fresh room for :func:`judge`: pays, wins, sums."""
    return np.empty((MAX_SEATS, PAY_SIZE)), np.empty((2, MAX_SEATS)), np.empty((2 + PAY_SIZE, MAX_SEATS))
