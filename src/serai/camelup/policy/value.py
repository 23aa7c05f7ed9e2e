"""The value of a position between two legs to each seat, compiled: the share of victory and the expected pounds.

Every winner and loser of the race is gone through with its exact chance, and with it what every race card pays. What
the rest of the game adds is a guess: a softmax over the seats' sums, whose sharpness and small advantages (who begins,
which cards are still in hand) were fitted to finished games.
"""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel import layout
from serai.camelup.odds.race_table import ALL_DICE, RANKS
from serai.camelup.policy.bets import Row, canonical
from serai.camelup.policy.lookup import FIRST_CHANCE, LOSER_CHANCE, SECOND_CHANCE, WINNER_CHANCE, Chances
from serai.camelup.policy.styles import prize_after
from serai.camelup.rules.pieces import LAST_SPACE, LEG_VALUES, RACE_PRIZES
from serai.lab.jit import compiled

Weights = npt.NDArray[np.float64]
Pays = npt.NDArray[np.float64]
RaceChances = npt.NDArray[np.float64]

SHARP: Final = 0
"""The logarithm of pounds that change the odds of victory by e, when the leader stands at the finish."""
SHARP_AHEAD: Final = 1
"""What the track ahead of the leader adds to it, by its share."""
SHARP_SQUARE: Final = 2
FIRST_TURN: Final = 3
"""Pounds, to begin the leg: as such, with the track ahead, and by what the best leg tile is worth; then to be second,
by what the second best is worth."""
SECOND_TURN: Final = 6
HAND_WINNER: Final = 9
"""Pounds by what the best winner card in hand is worth, and with the track ahead; then the same for the loser."""
HAND_LOSER: Final = 11
HAND_SIZE: Final = 13
"""By the share of cards in hand."""
WEIGHTS: Final = 15

WEIGHTS_FILE: Final = "data/value.json"

PAY_WINNER: Final = 0
PAY_LOSER: Final = layout.CAMEL_COUNT
PAY_SIZE: Final = 2 * layout.CAMEL_COUNT


@cache
def fitted_weights(players: int) -> Weights:
    """The weights for this number of players, as training wrote them."""
    fitted = json.loads(files("serai.camelup").joinpath(WEIGHTS_FILE).read_text())
    return np.array(fitted["weights"][str(players)])


@compiled
def _pay_cards(row: Row, pays: Pays) -> None:
    """By seat and camel: what the cards laid pay if that camel wins, and if it loses (7.3, the floor ignored)."""
    for seat in range(row[layout.PLAYERS]):
        for place in range(PAY_SIZE):
            pays[seat, place] = 0.0
    for base, deck, count in (
        (PAY_WINNER, layout.WINNER_DECK, row[layout.WINNER_COUNT]),
        (PAY_LOSER, layout.LOSER_DECK, row[layout.LOSER_COUNT]),
    ):
        right = 0
        for place in range(count):
            seat = row[deck + place] >> 3
            camel = row[deck + place] & 7
            before = right >> 4 * camel & 15
            right += 1 << 4 * camel
            for other in range(layout.CAMEL_COUNT):
                pays[seat, base + other] -= 1.0
            pays[seat, base + camel] += 1.0 + (RACE_PRIZES[before] if before < len(RACE_PRIZES) else 1.0)


@compiled
def evaluate(
    row: Row, race: RaceChances, chances: Chances, weights: Weights, pays: Pays, wins: Pays, sums: Pays
) -> None:
    """Fill in each seat's share of victory and expected pounds at the start of a leg; ``chances`` is of this row."""
    players = row[layout.PLAYERS]
    ahead = track_ahead(row)
    sharp = sharpness(ahead, weights)
    _pay_cards(row, pays)
    position, _ = canonical(row)
    leg_best, leg_second = leg_values(chances)
    best = -np.inf
    for seat in range(players):
        sums[0, seat] = row[layout.MONEY + seat]
        sums[1, seat] = (
            row[layout.MONEY + seat]
            + hand_advantage(row, seat, ahead, chances, weights)
            + turn_advantage(row, seat, ahead, weights, leg_best, leg_second)
        ) * sharp
        best = max(best, sums[1, seat])
        for place in range(PAY_SIZE):
            sums[2 + place, seat] = math.exp(pays[seat, place] * sharp)
        wins[0, seat] = 0.0
    for seat in range(players):
        sums[1, seat] = math.exp(sums[1, seat] - best)
    column = 0
    for winner in range(RANKS):
        won = row[layout.ORDER + winner]
        for loser in range(RANKS):
            if winner == loser:
                continue
            chance = race[position, ALL_DICE, column]
            column += 1
            if chance == 0.0:
                continue
            lost = row[layout.ORDER + loser]
            total = 0.0
            for seat in range(players):
                likely = sums[1, seat] * sums[2 + PAY_WINNER + won, seat] * sums[2 + PAY_LOSER + lost, seat]
                wins[1, seat] = likely
                total += likely
                sums[0, seat] += chance * (pays[seat, PAY_WINNER + won] + pays[seat, PAY_LOSER + lost])
            for seat in range(players):
                wins[0, seat] += chance * wins[1, seat] / total


@compiled
def track_ahead(row: Row) -> float:
    """The share of the track that the leader has ahead."""
    return float((LAST_SPACE - row[layout.SPACE + row[layout.ORDER + layout.CAMEL_COUNT - 1]]) / LAST_SPACE)


@compiled
def sharpness(ahead: float, weights: Weights) -> float:
    """By how much a pound changes the logarithm of the odds of victory."""
    return math.exp(-(weights[SHARP] + weights[SHARP_AHEAD] * ahead + weights[SHARP_SQUARE] * ahead * ahead))


@compiled
def leg_values(chances: Chances) -> tuple[float, float]:
    """What the two best leg tiles are worth while all are there."""
    best, second = 0.0, 0.0
    for camel in range(layout.CAMEL_COUNT):
        value = (LEG_VALUES[0] + 1.0) * chances[FIRST_CHANCE + camel] + 2.0 * chances[SECOND_CHANCE + camel] - 1.0
        if value > best:
            best, second = value, best
        elif value > second:
            second = value
    return best, second


@compiled
def hand_advantage(row: Row, seat: int, ahead: float, chances: Chances, weights: Weights) -> float:
    """What the race cards in hand count for, in pounds."""
    winner = 0.0
    loser = 0.0
    cards = 0.0
    for camel in range(layout.CAMEL_COUNT):
        if row[layout.HAND + seat] >> camel & 1:
            winner = max(winner, chances[WINNER_CHANCE + camel])
            loser = max(loser, chances[LOSER_CHANCE + camel])
            cards += 1.0 / layout.CAMEL_COUNT
    if cards > 0.0:
        winner = max(0.0, prize_after(row, layout.WINNER_DECK, row[layout.WINNER_COUNT], seat) * winner - 1.0)
        loser = max(0.0, prize_after(row, layout.LOSER_DECK, row[layout.LOSER_COUNT], seat) * loser - 1.0)
    worth = winner * (weights[HAND_WINNER] + weights[HAND_WINNER + 1] * ahead)
    worth += loser * (weights[HAND_LOSER] + weights[HAND_LOSER + 1] * ahead)
    worth += cards * (weights[HAND_SIZE] + weights[HAND_SIZE + 1] * ahead)
    return float(worth)


@compiled
def turn_advantage(row: Row, seat: int, ahead: float, weights: Weights, leg_best: float, leg_second: float) -> float:
    """What it counts for to begin the leg, or to be second, in pounds."""
    turns = (seat - row[layout.TURN] + row[layout.PLAYERS]) % row[layout.PLAYERS]
    worth = 0.0
    if turns == 0:
        worth = weights[FIRST_TURN] + weights[FIRST_TURN + 1] * ahead + weights[FIRST_TURN + 2] * leg_best
    elif turns == 1:
        worth = weights[SECOND_TURN] + weights[SECOND_TURN + 1] * ahead + weights[SECOND_TURN + 2] * leg_second
    return float(worth)


@compiled
def victory_shares(row: Row, wins: Pays) -> None:
    """Each seat's share of victory when the race is over (7.5)."""
    most = 0
    winners = 0
    for seat in range(row[layout.PLAYERS]):
        if row[layout.MONEY + seat] > most or winners == 0:
            most = row[layout.MONEY + seat]
            winners = 0
        winners += row[layout.MONEY + seat] == most
    for seat in range(row[layout.PLAYERS]):
        wins[0, seat] = 1.0 / winners if row[layout.MONEY + seat] == most else 0.0
