"""A series of games played in bulk, where a game has something faster than the referee for these bots."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from serai.arena.portions import in_portions
from serai.core.simulation import Simulator, Tally


def play_in_bulk(simulator: Simulator, games: int, jobs: int, group: int = 1) -> Iterator[tuple[range, Tally]]:
    """Play all games with that many threads; portion by portion the games' numbers and what they came to.

    Games of a ``group`` (paired ones) stay together; there are only whole ones.
    """

    def play(groups: range) -> tuple[range, Tally]:
        portion = range(groups.start * group, groups.stop * group)
        return portion, simulator.play(portion.start, len(portion))

    pool = ThreadPoolExecutor(jobs)
    try:
        yield from in_portions(pool, play, games // group, jobs)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
