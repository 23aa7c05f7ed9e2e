"""Batched steps per second, legal mask and observation included: on one core beside OpenSpiel's backgammon; on two."""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

import serai
from bench._beside_backgammon import Portion, compare
from serai.core.parts import compiled

LANES = (1, 32, 1024)
STEPS_PER_PORTION = 100
MANY = 16_384
ROUNDS = 7


def stepping(lanes: int, game: str = "camelup", steps: int = STEPS_PER_PORTION, **settings: Any) -> Portion:
    """Steps drawn by the compiled ``random``."""
    batch = compiled(serai.game(game)).batch(lanes, 4, seed=1, **settings)
    assert batch is not None
    words, actions = np.arange(lanes, dtype=np.uint64), np.empty(lanes, np.int64)

    def portion() -> int:
        for _ in range(steps):
            batch.random_actions(words, actions)
            batch.step(actions)
        return steps * lanes

    return portion


def main() -> None:
    rates = {f"Camel Up, 4 players, {lanes} lanes": stepping(lanes) for lanes in LANES}
    rates["Camel Up, 4 players, 1024 lanes, 8 bits"] = stepping(1024, packed=True)
    rates["Camel Up, three quick inside, 1024 lanes"] = stepping(1024, steps=10, opponents="quick")
    rates["Das Gold des Pharao, 4 players, 1024 lanes"] = stepping(1024, "pharaoh", steps=20)
    compare(rates)
    one, two = (stepping(MANY, steps=5, packed=True, threads=threads) for threads in (1, 2))
    ratios = [_rate(two) / _rate(one) for _ in range(ROUNDS)]
    print(f"two threads beside one, {MANY:,} lanes, by the clock: {statistics.median(ratios):.2f} times")


def _rate(portion: Portion) -> float:
    portion()
    began = time.perf_counter()
    return portion() / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
