"""Camel Up: the value of a position between two legs, fitted to games of the players who play on in rollouts.

Positions at the start of each leg are kept with the shares of victory that their games ended with; the weights are
those that make these endings most likely. Half of the games are put aside: what is told comes from them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.layout import ACTOR, CAMEL_COUNT, CHANCE_ACTS, LEG, MAX_SEATS, NOBODY_ACTS, ROW_SIZE
from serai.camelup.kernel.play_on import Company
from serai.camelup.kernel.rules import act, drawn_die, set_up
from serai.camelup.kernel.sight import SIGHT_SIZE, Lines, look, sight_lines
from serai.camelup.kernel.styles import glance
from serai.camelup.kernel.value import PAY_SIZE, SHARP, SHARP_AHEAD, WEIGHTS, RaceChances, judge, share
from serai.camelup.odds.race_table import race_table
from serai.camelup.pieces import PLAYERS
from serai.camelup.rollouts import company_of
from serai.core.splitmix import draw, seed_of

FILE = Path(__file__).parents[1] / "src/serai/camelup/value.json"
GAMES = 8000
"""For each number of players."""
_MOST_LEGS = 16
_ROUNDS = 40
_STEP = 1e-3
_SMALL = 1e-6
"""Pulls weights that the games say nothing about towards 0."""

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int16]


def train(seed: int) -> Iterator[str]:
    """Fit the weights for every number of players and write them down."""
    weights: dict[str, list[float]] = {}
    figures: dict[str, dict[str, float]] = {}
    for players in PLAYERS:
        rows, shares = _positions(seed, players)
        half = len(rows) // 2
        fitted = _fit(rows[:half], shares[:half])
        loss = _loss(rows[half:], shares[half:], race_table().race, sight_lines(), fitted)
        weights[str(players)] = [round(float(weight), 4) for weight in fitted]
        figures[str(players)] = {
            "positions": len(rows),
            "log_loss": round(loss, 4),
            "log_loss_of_equal_chances": round(float(np.log(players)), 4),
        }
        yield f"{players} players: {figures[str(players)]} {weights[str(players)]}"
    told = {
        "command": f"python -m training camelup --seed {seed}",
        "data": f"{GAMES} games of 'mixed' for each number of players, the start of every leg from the second on",
        "figures": figures,
        "weights": weights,
    }
    FILE.write_text(json.dumps(told, indent=1) + "\n")


def _positions(seed: int, players: int) -> tuple[Rows, Floats]:
    """Leg starts of many games, and what each seat's share of victory came to."""
    rows = np.empty((GAMES * _MOST_LEGS, ROW_SIZE), np.int16)
    shares = np.empty((GAMES * _MOST_LEGS, MAX_SEATS))
    count = _play(np.uint64(seed), players, company_of("mixed"), sight_lines(), rows, shares)
    return rows[:count], shares[:count]


def _fit(rows: Rows, shares: Floats) -> Floats:
    """Newton's way with curvatures from the gradient's own differences (BFGS), the gradient by differences."""
    race, lines = race_table().race, sight_lines()

    def loss(weights: Floats) -> float:
        return float(_loss(rows, shares, race, lines, weights) + _SMALL * float(weights @ weights))

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
def _play(seed: np.uint64, players: int, company: Company, lines: Lines, rows: Rows, shares: Floats) -> int:
    """Play games one after the other; how many positions were kept."""
    row = np.empty(ROW_SIZE, np.int16)
    words = np.empty(1, np.uint64)
    sight = np.empty(SIGHT_SIZE)
    won = np.empty((2, MAX_SEATS))
    seats = np.zeros(MAX_SEATS, np.int64)
    count = 0
    for game in range(GAMES):
        words[0] = seed_of(seed, np.uint64(game * MAX_SEATS + players))
        for seat in range(players):
            luck = draw(words, 0) / 2.0**64
            style = 0
            while style < len(company.up_to) - 1 and company.up_to[style] <= luck:
                style += 1
            seats[seat] = style
        set_up(row, players, 0, 0)
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
            look(row, lines, sight)
            act(row, glance(row, company.styles, seats[row[ACTOR]], sight, words, 0))
        share(row, won)
        for position in range(began, count):
            for seat in range(players):
                shares[position, seat] = won[0, seat]
    return count


@numba.njit(error_model="numpy")
def _loss(rows: Rows, shares: Floats, race: RaceChances, lines: Lines, weights: Floats) -> float:
    """How surprising the endings are, a position on average."""
    pays, wins, sums = np.empty((MAX_SEATS, PAY_SIZE)), np.empty((2, MAX_SEATS)), np.empty((2 + PAY_SIZE, MAX_SEATS))
    sight = np.empty(SIGHT_SIZE)
    total = 0.0
    for position in range(len(rows)):
        row = rows[position]
        look(row, lines, sight)
        judge(row, race, sight, weights, pays, wins, sums)
        for seat in range(row[0]):
            if shares[position, seat] > 0.0:
                total -= shares[position, seat] * np.log(max(wins[0, seat], 1e-9))
    return total / len(rows)
