"""The race table of 480,624 states: built, and mapped from its file.

Times are those of one core, so that whoever else uses the machine does not count.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable

from serai.camelup.odds import race_table

ROUNDS = 3


def seconds(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SERAI_CACHE"] = folder
        race_table.save(race_table.build())
        works = {
            "built": race_table.build,
            "mapped from its file, checksum included": race_table.load,
        }
        rounds = [[seconds(work) for work in works.values()] for _ in range(ROUNDS)]
    for name, taken in zip(works, zip(*rounds, strict=True), strict=True):
        print(f"{name}: {statistics.median(taken):.3f} s")


if __name__ == "__main__":
    main()
