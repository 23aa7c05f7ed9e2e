"""What a line per game costs: ``serai.simulate`` with rows beside the bare kernel, as many random games each, one core.

By the time of the core, so that other work on the machine disturbs it less; both play in turn. Each draws chance of its
own, which makes no difference among this many games.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable

import numpy as np

import serai
from serai.camelup.kernel.bridge import to_row
from serai.camelup.policy import driver
from serai.core.arguments import MAX_PLIES
from serai.lab.driver import driver_of
from serai.lab.simulator import NO_LOG

GAMES = int(os.environ.get("SERAI_BENCH_GAMES", "1000000"))
BOTS = ["random"] * 4
ROUNDS = 3


def bare() -> None:
    """Compiled games and their results, as the kernel writes them."""
    out = np.empty((GAMES, driver.RESULT_SIZE), np.int32)
    seats = np.zeros((1, len(BOTS)), np.int8)
    start = to_row(serai.game("camelup").new(len(BOTS)))
    driver_of(driver).play_games(np.uint64(1), 0, 1, start, seats, None, MAX_PLIES, NO_LOG, out)


def with_rows() -> None:
    """The front door."""
    assert len(serai.simulate("camelup", BOTS, games=GAMES, seed=1).rows) == GAMES


def seconds(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    serai.simulate("camelup", BOTS, games=10)
    taken: dict[str, list[float]] = {"bare kernel": [], "simulate with rows": []}
    for _ in range(ROUNDS):
        taken["bare kernel"].append(seconds(bare))
        taken["simulate with rows"].append(seconds(with_rows))
    middle = {name: statistics.median(found) for name, found in taken.items()}
    for name, found in middle.items():
        print(f"{name:20}{GAMES / found:12,.0f} games/s of the core   {found:6.2f} s")
    print(f"rows take {middle['simulate with rows'] / middle['bare kernel']:.2f} times the bare kernel's time")


if __name__ == "__main__":
    main()
