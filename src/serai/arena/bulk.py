"""A series of games played in bulk, where a game has something faster than the referee for these bots."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from serai.arena.portions import in_portions
from serai.core.simulation import Simulator, Tally


def play_in_bulk(simulator: Simulator, games: int, jobs: int) -> Iterator[tuple[range, Tally]]:
    """Play all games with that many threads; portion by portion the games' numbers and what they came to."""

    def play(portion: range) -> tuple[range, Tally]:
        return portion, simulator.play(portion.start, len(portion))

    pool = ThreadPoolExecutor(jobs)
    try:
        yield from in_portions(pool, play, games, jobs)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
