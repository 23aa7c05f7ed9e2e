"""Games per second of the arena with two workers beside one, in turns of one run: compiled bots, and programs in C."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from bench.arena import games_per_second
from serai.arena.executors import processors
from serai.arena.tournament.description import Description, Stop

COMPILED = [
    ("camelup", ["jerboa", "donkey", "fennec", "random"], 480_000),
    ("pharaoh", ["scarab", "gecko", "jackal"], 48_000),
]
SOURCE = Path(__file__).parents[1] / "examples" / "bots" / "drover.c"
PROGRAM_GAMES = 480
TURNS = 3


def main() -> None:
    if processors() < 2:
        print("arena workers: one processor cannot tell what a second worker brings")
        return
    for game, entrants, games in COMPILED:
        _measure(
            f"{game}, compiled",
            Description(game, list(entrants), seats=len(entrants), seed="1", stop=Stop(games=games)),
        )
    compiler = shutil.which("cc")
    if compiler is None:
        print("arena workers: no C compiler (cc) on the PATH, so programs cannot be measured")
        return
    with tempfile.TemporaryDirectory() as folder:
        drover = Path(folder) / "drover"
        subprocess.run([compiler, "-O2", "-o", drover, SOURCE], check=True)
        entrants = [f"{name}=process:{drover}" for name in ("one", "two")]
        _measure(
            "camelup, programs",
            Description("camelup", list(entrants), seats=2, seed="1", stop=Stop(games=PROGRAM_GAMES)),
        )


def _measure(what: str, asked: Description) -> None:
    """Each turn one worker, two, and one again: other load on the machine spoils one turn, not all."""
    games_per_second(asked, jobs=2)  # compiled by now
    ratios = []
    for turn in range(TURNS):
        before, two, after = (games_per_second(asked, jobs=jobs) for jobs in (1, 2, 1))
        one = (before + after) / 2
        ratios.append(two / one)
        print(f"{what}, turn {turn}: {one:,.0f} games/s with one worker, {two:,.0f} with two", flush=True)
    spread = f"median of {TURNS}; {min(ratios):.2f} to {max(ratios):.2f}"
    print(f"{what}: two workers play {statistics.median(ratios):.2f} times as many games as one ({spread})", flush=True)


if __name__ == "__main__":
    main()
