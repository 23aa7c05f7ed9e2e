"""Das Gold des Pharao: fits the value of a position before the mask is found to games of compiled players.

The players change their styles from game to game and sometimes act at random, so that bad positions occur: shut in,
robbed, far from everything. The position of every sixth turn on average is stored with the shares of victory that its
game ended with. The reported figures come from the half of the games that is not fitted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np
import numpy.typing as npt

from serai.lab.rng import Words, count, draw, seed_of
from serai.pharaoh.game import GAME
from serai.pharaoh.kernel.bridge import to_row
from serai.pharaoh.kernel.layout import (
    ACTOR,
    CHANCE_ACTS,
    DRAWN,
    MASK_CHAMBER,
    MAX_SEATS,
    MOVES_LEFT,
    NOBODY_ACTS,
    PLAYERS,
    ROW_SIZE,
)
from serai.pharaoh.kernel.legal import Row
from serai.pharaoh.kernel.rules import act, drawn_piece, random_action, winners
from serai.pharaoh.policy.decide import decide
from serai.pharaoh.policy.scratch import Scratch, new_scratch
from serai.pharaoh.policy.styles import SEASONED, STYLES
from serai.pharaoh.policy.value import FEATURES, describe
from serai.pharaoh.rules.pieces import MOVES, NOWHERE

FILE = Path(__file__).parents[1] / "src/serai/pharaoh/data/value.json"
GAMES = 6000
"""Games for each number of players."""
_PLAYERS = ("jackal", SEASONED)
_SLIPS = 50
"""One action in this many is random."""
_STORED = 6
_PER_GAME = 24
_SMALL = 1e-2
"""Regularisation: pulls weights that the games do not determine towards 0."""
_NAMES = ["points", "in_hand", "in_reach", "lit", "to_move", "shut_in", "alone", "cut_off", "threatened", "prey"]

Floats = npt.NDArray[np.float64]


def train(seed: int) -> Iterator[str]:
    """Fit the weights for every number of players and write the file."""
    weights: dict[str, list[float]] = {}
    figures: dict[str, dict[str, float]] = {}
    for players in GAME.players:
        features, left, shares = _positions(seed, players)
        scaled = features / np.sqrt(left)[:, None, None]
        half = len(scaled) // 2
        fitted = _fit(scaled[:half], shares[:half])
        weights[str(players)] = [round(float(weight), 4) for weight in fitted]
        figures[str(players)] = {
            "positions": len(scaled),
            "log_loss": round(_loss(scaled[half:], shares[half:], fitted), 4),
            "log_loss_of_equal_chances": round(float(np.log(players)), 4),
        }
        yield f"{players} players: {figures[str(players)]} {dict(zip(_NAMES, weights[str(players)], strict=True))}"
    result = {
        "command": f"python -m training pharaoh --seed {seed}",
        "data": f"{GAMES} games of {' and '.join(_PLAYERS)} for each number of players, 1 action in {_SLIPS} random",
        "figures": figures,
        "features": _NAMES,
        "weights": weights,
    }
    FILE.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def _positions(seed: int, players: int) -> tuple[Floats, Floats, Floats]:
    """Features by position and seat, the points still to be had, and each seat's share of victory in the end."""
    room = GAMES * _PER_GAME
    features = np.zeros((room, players, FEATURES))
    left, shares = np.zeros(room), np.zeros((room, players))
    styles = np.array([STYLES[name] for name in _PLAYERS])
    kept = _play(np.uint64(seed), to_row(GAME.new(players)), styles, new_scratch(), features, left, shares)
    return features[:kept], left[:kept], shares[:kept]


def _chances(features: Floats, weights: Floats) -> Floats:
    pull = features @ weights
    odds = np.exp(pull - pull.max(1, keepdims=True))
    chances: Floats = odds / odds.sum(1, keepdims=True)
    return chances


def _loss(features: Floats, shares: Floats, weights: Floats) -> float:
    return -float((shares * np.log(_chances(features, weights) + 1e-12)).sum(1).mean())


def _fit(features: Floats, shares: Floats) -> Floats:
    """The weights that make these shares most likely, by Newton's method."""
    weights = np.zeros(FEATURES)
    for _ in range(30):
        chances = _chances(features, weights)
        slope = np.einsum("nsk,ns->k", features, shares - chances) - _SMALL * weights
        mean = np.einsum("nsk,ns->nk", features, chances)
        bend = np.einsum("nsk,ns,nsl->kl", features, chances, features) - mean.T @ mean
        step = np.linalg.solve(bend + _SMALL * np.eye(FEATURES), slope)
        weights = weights + step
        if np.abs(step).max() < 1e-7:
            break
    return weights


# -- compiled ----------------------------------------------------------------------------------------------------------


@numba.njit(error_model="numpy")
def _play(
    seed: np.uint64, start: Row, styles: Floats, scratch: Scratch, features: Floats, left: Floats, shares: Floats
) -> int:
    """Play games one after the other; returns the number of positions stored."""
    row = np.empty(ROW_SIZE, np.int64)
    words: Words = np.empty(1, np.uint64)
    pull = np.empty((MAX_SEATS, 36))
    ways = np.zeros(MAX_SEATS, np.int64)
    players = start[PLAYERS]
    kept = 0
    for game in range(GAMES):
        words[0] = seed_of(seed, np.uint64(game * MAX_SEATS + players - 1))
        for place in range(ROW_SIZE):
            row[place] = start[place]
        for seat in range(players):
            ways[seat] = draw(words, 0) % np.uint64(len(styles))
        first = kept
        while row[ACTOR] != NOBODY_ACTS:
            if row[ACTOR] == CHANCE_ACTS:
                act(row, drawn_piece(row, words, 0))
                continue
            early = row[MASK_CHAMBER] == NOWHERE and row[DRAWN] == NOWHERE and row[MOVES_LEFT] == MOVES
            if early and kept < len(left) and draw(words, 0) % np.uint64(_STORED) == 0:
                left[kept] = describe(row, scratch, features[kept], pull)
                kept += 1
            if draw(words, 0) % np.uint64(_SLIPS) == 0:
                act(row, random_action(row, words, 0))
            else:
                act(row, decide(row, styles[ways[row[ACTOR]]], scratch, words, 0))
        won = winners(row)
        for position in range(first, kept):
            for seat in range(players):
                shares[position, seat] = (won >> seat & 1) / count(won)
    return kept
