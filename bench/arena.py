"""Compiled games per second through the arena, everything stored, beside the bare simulator in the same run."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from serai.arena.tournament.archive import Archive
from serai.arena.tournament.description import Description, Stop
from serai.arena.tournament.runner import Runner, simulator_of
from serai.arena.tournament.schedule import all_lineups

FIELDS = [
    ("camelup", ["jerboa", "donkey", "fennec", "random"], 12_000),
    ("camelup", ["one=random", "two=random", "three=random", "four=random"], 120_000),  # where overhead weighs most
    ("pharaoh", ["scarab", "gecko", "jackal"], 2_400),
]
TURNS = 5


def main() -> None:
    for game, entrants, games in FIELDS:
        seats = len(entrants)
        asked = Description(game, list(entrants), seats=seats, seed="1", stop=Stop(games=games))
        bare(asked, seats * 12)  # compiled by now
        ratios = []
        for turn in range(TURNS):
            through = games_per_second(asked)
            alone = bare(asked, games)
            ratios.append(through / alone)
            print(f"{game}, turn {turn}: {through:,.0f} games/s through the arena, {alone:,.0f} bare", flush=True)
        spread = f"median of {TURNS}; {min(ratios):.2f} to {max(ratios):.2f}"
        print(f"{game}: {100 * statistics.median(ratios):.0f} % of the bare simulator ({spread})")


def games_per_second(asked: Description, *, jobs: int = 1) -> float:
    """Games per second of a whole tournament with this many workers."""
    tournament, stop = asked.settle()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.arena"
        with Archive(path, create=(tournament, stop, asked.seed)) as archive:
            archive.note(times='{"measured": 0}')
            began = time.perf_counter()
            Runner(archive, jobs=jobs, tell=lambda count: None, stopped=lambda: False).play()
            seconds = time.perf_counter() - began
            return archive.games / seconds


def bare(asked: Description, games: int) -> float:
    tournament, _ = asked.settle()
    lineups = all_lineups(len(tournament.entrants), tournament.seats)
    began = time.perf_counter()
    for lineup in lineups:
        simulator = simulator_of(tournament, asked.seed or "", lineup)
        assert simulator is not None
        simulator.play(0, games // len(lineups))
    return games / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
