"""Camel Up: fits the value of a position between two legs to games of the players in rollouts.

Positions at the start of each leg are stored with the shares of victory that their games ended with; the weights are
those that make these endings most likely. The reported figures come from the half of the games that is not fitted. All
players of a game have one style: otherwise the cards in a hand would show how well their owner plays.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np
import numpy.typing as npt

from serai.camelup.game import GAME
from serai.camelup.kernel.bridge import to_row
from serai.camelup.kernel.layout import ACTOR, CAMEL_COUNT, CHANCE_ACTS, LEG, MAX_SEATS, NOBODY_ACTS, ROW_SIZE
from serai.camelup.kernel.rules import Row, act, drawn_die
from serai.camelup.odds.race_table import race_table
from serai.camelup.policy.lookup import LookupTable, look_up, lookup_table
from serai.camelup.policy.scratch import CHANCES_SIZE
from serai.camelup.policy.styles import Company, company_of, style_choice
from serai.camelup.policy.value import (
    PAY_SIZE,
    SHARP,
    SHARP_AHEAD,
    WEIGHTS,
    WEIGHTS_FILE,
    RaceChances,
    evaluate,
    victory_shares,
)
from serai.camelup.rules.pieces import PLAYERS
from serai.lab.rng import draw, seed_of

FILE = Path(__file__).parents[1] / f"src/serai/camelup/{WEIGHTS_FILE}"
SEATS = 48_000
"""Seats of all games of one number of players together."""
_MOST_LEGS = 16
_ROUNDS = 40
_STEP = 1e-3
_SMALL = 1e-6
"""Regularisation: pulls weights that the games do not determine towards 0."""

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int16]


def train(seed: int) -> Iterator[str]:
    """Fit the weights for every number of players and write the file."""
    weights: dict[str, list[float]] = {}
    figures: dict[str, dict[str, float]] = {}
    for players in PLAYERS:
        rows, shares = _positions(seed, players)
        half = len(rows) // 2
        fitted = _fit(rows[:half], shares[:half])
        loss = _loss(rows[half:], shares[half:], race_table().race, lookup_table(), fitted)
        weights[str(players)] = [round(float(weight), 4) for weight in fitted]
        figures[str(players)] = {
            "positions": len(rows),
            "log_loss": round(loss, 4),
            "log_loss_of_equal_chances": round(float(np.log(players)), 4),
        }
        yield f"{players} players: {figures[str(players)]} {weights[str(players)]}"
    result = {
        "command": f"python -m training camelup --seed {seed}",
        "data": f"games of {SEATS} seats by number of players, all of one style: the start of every leg but the first",
        "figures": figures,
        "weights": weights,
    }
    FILE.write_text(json.dumps(result, indent=1) + "\n")


def _positions(seed: int, players: int) -> tuple[Rows, Floats]:
    """Leg starts of many games, and each seat's share of victory in the end."""
    games = SEATS // players
    rows = np.empty((games * _MOST_LEGS, ROW_SIZE), np.int16)
    shares = np.empty((games * _MOST_LEGS, MAX_SEATS))
    start, company = to_row(GAME.new(players, first=0)), company_of("nomad", players)
    count = _play(np.uint64(seed), games, start, players, company, lookup_table(), rows, shares)
    return rows[:count], shares[:count]


def _fit(rows: Rows, shares: Floats) -> Floats:
    """BFGS with a numerical gradient."""
    race, lookup = race_table().race, lookup_table()

    def loss(weights: Floats) -> float:
        return float(_loss(rows, shares, race, lookup, weights) + _SMALL * float(weights @ weights))

    def gradient(weights: Floats) -> Floats:
        steps = _STEP * np.eye(WEIGHTS)
        return np.array([(loss(weights + step) - loss(weights - step)) / (2 * _STEP) for step in steps])

    weights = np.zeros(WEIGHTS)
    weights[SHARP], weights[SHARP_AHEAD] = 1.0, 1.0
    inverse = np.eye(WEIGHTS)
    here, slope = loss(weights), gradient(weights)
    for _ in range(_ROUNDS):
        way = -inverse @ slope
        length = 1.0
        while length > 1e-4 and loss(weights + length * way) > here + 1e-4 * length * float(slope @ way):
            length /= 2
        moved = length * way
        weights = weights + moved
        there, steeper = loss(weights), gradient(weights)
        turned = steeper - slope
        if here - there < 1e-7:
            break
        here, slope = there, steeper
        along = float(moved @ turned)
        if along > 0:
            left = np.eye(WEIGHTS) - np.outer(moved, turned) / along
            inverse = left @ inverse @ left.T + np.outer(moved, moved) / along
    return weights


# -- compiled ----------------------------------------------------------------------------------------------------------


@numba.njit(error_model="numpy")
def _play(
    seed: np.uint64,
    games: int,
    start: Row,
    players: int,
    company: Company,
    lookup: LookupTable,
    rows: Rows,
    shares: Floats,
) -> int:
    """Play games one after the other; returns the number of positions stored."""
    row = np.empty(ROW_SIZE, np.int16)
    words = np.empty(1, np.uint64)
    chances = np.empty(CHANCES_SIZE)
    won = np.empty((2, MAX_SEATS))
    other = int(np.argmax(company.up_to > 0.0))
    count = 0
    for game in range(games):
        words[0] = seed_of(seed, np.uint64(game * MAX_SEATS + players))
        style = company.own if draw(words, 0) & np.uint64(1) else other
        for place in range(ROW_SIZE):
            row[place] = start[place]
        for _ in range(CAMEL_COUNT):
            act(row, drawn_die(row, words, 0))
        began = count
        leg = row[LEG]
        while row[ACTOR] != NOBODY_ACTS:
            if row[ACTOR] == CHANCE_ACTS:
                act(row, drawn_die(row, words, 0))
                if row[LEG] != leg and row[ACTOR] != NOBODY_ACTS:
                    leg = row[LEG]
                    if count - began < _MOST_LEGS:
                        for place in range(ROW_SIZE):
                            rows[count, place] = row[place]
                        count += 1
                continue
            look_up(row, lookup, chances)
            act(row, style_choice(row, company.styles, style, chances, words, 0))
        victory_shares(row, won)
        for position in range(began, count):
            for seat in range(players):
                shares[position, seat] = won[0, seat]
    return count


@numba.njit(error_model="numpy")
def _loss(rows: Rows, shares: Floats, race: RaceChances, lookup: LookupTable, weights: Floats) -> float:
    """The mean log loss of a position."""
    pays, wins, sums = np.empty((MAX_SEATS, PAY_SIZE)), np.empty((2, MAX_SEATS)), np.empty((2 + PAY_SIZE, MAX_SEATS))
    chances = np.empty(CHANCES_SIZE)
    total = 0.0
    for position in range(len(rows)):
        row = rows[position]
        look_up(row, lookup, chances)
        evaluate(row, race, chances, weights, pays, wins, sums)
        for seat in range(row[0]):
            if shares[position, seat] > 0.0:
                total -= shares[position, seat] * np.log(max(wins[0, seat], 1e-9))
    return total / len(rows)
