"""How soon a command answers: ``serai games``, ``serai play`` up to its first prompt, ``make play`` until it serves."""

from __future__ import annotations

import os
import signal
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


def seconds_to_serve(home: str) -> float:
    """Until ``make play`` names the address at which it can be visited."""
    began = time.perf_counter()
    process = subprocess.Popen(
        ("make", "play", "ARGS=--no-open --port 0"),
        cwd=ROOT,
        env={**os.environ, "SERAI_HOME": home},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if "http://" in line:
            break
    taken = time.perf_counter() - began
    os.killpg(process.pid, signal.SIGTERM)
    process.stdout.close()
    process.wait()
    return taken


def main() -> None:
    commands = {
        "bare interpreter": (sys.executable, "-c", "pass"),
        "serai games": (SERAI, "games"),
        "serai play, to the first prompt": (SERAI, "play"),
    }
    with tempfile.TemporaryDirectory() as home:
        rounds = [
            [*(seconds(*command, home=home) for command in commands.values()), seconds_to_serve(home)]
            for _ in range(ROUNDS)
        ]
    for name, taken in zip((*commands, "make play, until it serves"), zip(*rounds, strict=True), strict=True):
        print(f"{name}: {statistics.median(taken):.3f} s")


if __name__ == "__main__":
    main()
