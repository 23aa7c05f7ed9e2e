"""Random plies per second of a game, beside python-chess making random games in the same run.

A ply: the legal actions listed, one chosen, applied; dice count as plies.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import chess

import serai

ROUNDS = 7
SECONDS_PER_ROUND = 0.7


def chess_plies(rng: random.Random, until: float) -> int:
    plies = 0
    while time.perf_counter() < until:
        board = chess.Board()
        for _ in range(300):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
            plies += 1
    return plies


def game_plies(name: str, players: int) -> Callable[[random.Random, float], int]:
    game = serai.game(name)

    def run(rng: random.Random, until: float) -> int:
        plies = 0
        while time.perf_counter() < until:
            state: Any = game.new(players=players)
            while not state.over:
                state = state.apply(rng.choice(state.actions()))
                plies += 1
        return plies

    return run


def rate(run: Callable[[random.Random, float], int], rng: random.Random) -> float:
    began = time.perf_counter()
    plies = run(rng, began + SECONDS_PER_ROUND)
    return plies / (time.perf_counter() - began)


def compare(name: str, players: int) -> None:
    """Turn about, so that the machine's moods hit both alike; the ratio is the median over rounds."""
    rng = random.Random(1)
    ours, theirs = game_plies(name, players), chess_plies
    rate(ours, rng), rate(theirs, rng)
    pairs = [(rate(ours, rng), rate(theirs, rng)) for _ in range(ROUNDS)]
    ratio = statistics.median(our / their for our, their in pairs)
    our, their = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(f"{name}, {players} players: {our:,.0f} plies/s; python-chess: {their:,.0f} plies/s; ratio {ratio:.2f}")
