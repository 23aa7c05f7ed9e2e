"""How soon ``serai serve`` takes requests, beside a bare interpreter."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 7


def main() -> None:
    served, bare = zip(*[(_serve(), _bare()) for _ in range(ROUNDS)], strict=True)
    print(f"serai serve, to its first line: {statistics.median(served):.2f} s")
    print(f"a bare interpreter: {statistics.median(bare):.2f} s")


def _serve() -> float:
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("serai")), "serve", "--no-open", "--port", "0"]
        began = time.perf_counter()
        with subprocess.Popen([*command, "--database", f"{folder}/tables.db"], stdout=subprocess.PIPE) as server:
            assert server.stdout is not None
            server.stdout.readline()
            taken = time.perf_counter() - began
            server.terminate()
    return taken


def _bare() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - began
