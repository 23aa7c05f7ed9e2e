"""A leg and a whole report: compiled, in NumPy, and by brute force over every sequence of dice, in one run.

Times are those of one core, so that whoever else uses the machine does not count.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from serai.camelup.odds.leg import COLUMNS, count_leg
from serai.camelup.odds.race_table import race_table
from serai.camelup.odds.report import Start, odds
from serai.camelup.policy import leg
from serai.camelup.policy.scratch import new_walk
from serai.camelup.rules.pieces import FACES, TRACK_SIZE, Track
from serai.camelup.rules.track import crossed, move
from serai.camelup.text.position import parse_position

POSITION = parse_position("1gyo 3bw | +5 -9 | bgoyw")
NO_TILES = parse_position("1gyo 3bw")
ROUNDS = 7


def brute(track: Track = POSITION.track, dice: tuple[int, ...] = POSITION.dice) -> int:
    """Play every sequence with the readable rules' movement."""
    if not dice or crossed(track):
        return 1
    tiles = POSITION.tiles
    return sum(
        brute(move(track, camel, pips, tiles, (0,) * len(tiles))[0], tuple(d for d in dice if d != camel))
        for camel in dice
        for pips in FACES
    )


def median_ms(work: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        began = time.thread_time()
        work()
        times.append(time.thread_time() - began)
    return statistics.median(times) * 1000


def main() -> None:
    odds(POSITION, compiled=True)
    table, start = race_table(), Start.of(POSITION)
    tiles = np.zeros((1, TRACK_SIZE), np.int8)
    for tile in start.tiles:
        tiles[0, abs(tile)] = np.sign(tile)
    walk, rows = new_walk(), np.empty((1, COLUMNS))

    def leg_compiled() -> None:
        leg.count_cases(table, walk, start.position, start.dice, tiles, True, rows)

    def leg_numpy() -> None:
        count_leg(table, start.position, start.dice, [start.tiles], all_stops=True)

    works: dict[str, tuple[Callable[[], object], int]] = {
        "leg with two tiles, compiled": (leg_compiled, 200),
        "leg with two tiles, NumPy": (leg_numpy, 20),
        "leg with two tiles, brute force in Python": (brute, 1),
        "report with two tiles and every placement, compiled": (lambda: odds(POSITION, compiled=True), 20),
        "report with two tiles and every placement, NumPy": (lambda: odds(POSITION), 3),
        "report without tiles and every placement, compiled": (lambda: odds(NO_TILES, compiled=True), 20),
        "report without tiles and every placement, NumPy": (lambda: odds(NO_TILES), 3),
    }
    rounds = [{name: median_ms(*work) for name, work in works.items()} for _ in range(ROUNDS)]
    middle = {name: statistics.median(taken[name] for taken in rounds) for name in works}
    for name, taken in middle.items():
        print(f"{name}: {taken:.3f} ms")
    fastest, *others = list(middle)[:3]
    ratios = ", ".join(f"{middle[name] / middle[fastest]:,.0f} times the {name.split(', ')[1]}" for name in others)
    print(f"compiled leg: {ratios}")


if __name__ == "__main__":
    main()
