"""Batched steps per second on one core, legal mask and observation included, beside OpenSpiel's backgammon."""

from __future__ import annotations

import numpy as np

from bench._beside_backgammon import Portion, compare
from serai.camelup.kernel.batch import Batch

LANES = (1, 32, 1024)
STEPS_PER_PORTION = 100


def stepping(lanes: int) -> Portion:
    batch = Batch(lanes, 4, seed=1)
    words, actions = np.arange(lanes, dtype=np.uint64), np.empty(lanes, np.int64)

    def portion() -> int:
        for _ in range(STEPS_PER_PORTION):
            batch.random_actions(words, actions)
            batch.step(actions)
        return STEPS_PER_PORTION * lanes

    return portion


def main() -> None:
    compare({f"Camel Up, 4 players, {lanes} lanes": stepping(lanes) for lanes in LANES})


if __name__ == "__main__":
    main()
