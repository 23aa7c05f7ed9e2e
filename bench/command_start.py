"""How soon a command answers: ``serai games``, and ``make play`` up to the first prompt, beside a bare interpreter."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 9
SERAI = str(Path(sys.executable).with_name("serai"))
ROOT = Path(__file__).parents[1]


def seconds(*command: str, home: str) -> float:
    """With no input a game stops at its first prompt, so its end is when the prompt was there."""
    began = time.perf_counter()
    subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "SERAI_HOME": home},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return time.perf_counter() - began


def main() -> None:
    commands = {
        "bare interpreter": (sys.executable, "-c", "pass"),
        "serai games": (SERAI, "games"),
        "make play, to the first prompt": ("make", "play"),
    }
    with tempfile.TemporaryDirectory() as home:
        rounds = [[seconds(*command, home=home) for command in commands.values()] for _ in range(ROUNDS)]
    for name, taken in zip(commands, zip(*rounds, strict=True), strict=True):
        print(f"{name}: {statistics.median(taken):.3f} s")


if __name__ == "__main__":
    main()
