"""Two workers beside one, in the same run: processes of the arena (``--jobs``), and those of a local Dask cluster."""

from __future__ import annotations

import contextlib
import os
import statistics
import tempfile
import time
from pathlib import Path

from serai.arena.cluster.client import Cluster, connect
from serai.arena.tournament.archive import Archive
from serai.arena.tournament.description import Description, Stop
from serai.arena.tournament.runner import Runner

FIELDS = [
    ("compiled", "camelup", ["jerboa", "donkey", "fennec", "random"], 480_000),
    ("one by one", "camelup", ["cheetah(rollouts=10, seconds=None)", "quick"], 240),
    ("waiting", "camelup", ["waits.py:decide", "random"], 60),  # what handing out costs, whatever else the machine does
]
WAITS = "import time\n\ndef decide(view, rng):\n    time.sleep(0.003)\n    return rng.choice(view.actions())\n"
TURNS = 5


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("waits.py").write_text(WAITS)
        measure()


def measure() -> None:
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    for title, game, entrants, games in FIELDS:
        asked = Description(game, list(entrants), seats=len(entrants), seed="1", stop=Stop(games=games))
        with contextlib.ExitStack() as stack:
            local = [stack.enter_context(connect(f"local:{count}", "bench", game, entrants)) for count in (1, 2)]
            for cluster in local:
                played(asked, games // 10, cluster=cluster)  # loaded and compiled by now
            played(asked, games // 10)
            ratios: dict[str, list[float]] = {"--jobs": [], "--cluster local:": []}
            for turn in range(TURNS):
                one, two = (played(asked, games, jobs=jobs) for jobs in (1, 2))
                alone, both = (played(asked, games, cluster=cluster) for cluster in local)
                ratios["--jobs"].append(two / one)
                ratios["--cluster local:"].append(both / alone)
                print(
                    f"{title}, turn {turn}: {one:,.1f} and {two:,.1f} games/s by --jobs 1 and 2, "
                    f"{alone:,.1f} and {both:,.1f} by --cluster local:1 and 2",
                    flush=True,
                )
        for flag, found in ratios.items():
            spread = f"median of {TURNS}; {min(found):.2f} to {max(found):.2f}"
            print(f"{title}: {flag} 2 plays {statistics.median(found):.2f} × as fast as {flag} 1 ({spread})")


def played(asked: Description, games: int, *, jobs: int = 1, cluster: Cluster | None = None) -> float:
    """Games per second of a new tournament, everything stored."""
    tournament, _ = asked.settle()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.arena"
        with Archive(path, create=(tournament, Stop(games=games), asked.seed)) as archive:
            archive.note(times='{"measured": 0}')
            began = time.perf_counter()
            Runner(archive, jobs=jobs, tell=lambda count: None, stopped=lambda: False, cluster=cluster).play()
            return archive.games / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
