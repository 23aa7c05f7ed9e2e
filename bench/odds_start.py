"""How soon ``serai odds`` answers from a cold start, its table kept, beside a bare interpreter."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 9
SERAI = str(Path(sys.executable).with_name("serai"))
POSITION = "1gyo 3bw | +5 -9 | bgoyw"


def seconds(*command: str) -> float:
    began = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    return time.perf_counter() - began


def main() -> None:
    commands = {
        "bare interpreter": (sys.executable, "-c", "pass"),
        "serai odds: leg and race": (SERAI, "odds", "camelup", POSITION),
        "serai odds --actions: the values too": (SERAI, "odds", "camelup", POSITION, "--actions"),
    }
    seconds(SERAI, "odds", "camelup", POSITION)
    rounds = [[seconds(*command) for command in commands.values()] for _ in range(ROUNDS)]
    for name, taken in zip(commands, zip(*rounds, strict=True), strict=True):
        print(f"{name}: {statistics.median(taken):.3f} s")


if __name__ == "__main__":
    main()
