"""How long ``import serai`` takes in a fresh interpreter, beside a bare one."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

ROUNDS = 15


def seconds(code: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - began


def main() -> None:
    seconds("import serai")
    pairs = [(seconds("import serai"), seconds("pass")) for _ in range(ROUNDS)]
    with_serai, bare = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(f"import serai: {with_serai - bare:.3f} s on top of {bare:.3f} s for a bare interpreter")


if __name__ == "__main__":
    main()
