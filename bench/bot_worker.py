"""How long a decision takes through a real worker process, as at a live table: warmed up and not, turn about.

Counted by the clock from the question to the answer, so the pipe, the encoding of views and whoever else uses the
machine are in it.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Sequence

import msgspec

from bench.odds_greedy import views
from serai.server.bots.process import Worker

BOTS = ("greedy", "quick")
SECONDS = 120.0


def main() -> None:
    asyncio.run(_measure())


async def _measure() -> None:
    cold, warm = Worker(SECONDS), Worker(SECONDS)
    try:
        began = time.perf_counter()
        await warm.renew([("camelup", bot) for bot in BOTS], SECONDS)
        print(f"a process made ready, compiled code loaded: {time.perf_counter() - began:.2f} s")
        seen = [msgspec.json.encode(view) for view in views()]
        ways = {(bot, way): worker for bot in BOTS for way, worker in (("compiled", warm), ("NumPy", cold))}
        taken: dict[tuple[str, str], list[float]] = {way: [] for way in ways}
        for (bot, _), worker in ways.items():
            await _milliseconds(worker, bot, seen[0])
        for view in seen:
            for (bot, way), worker in ways.items():
                taken[bot, way].append(await _milliseconds(worker, bot, view))
    finally:
        await cold.stop()
        await warm.stop()
    for (bot, way), times in taken.items():
        most = sorted(times)[int(len(times) * 0.99)]
        print(f"{bot}, {way}: median {statistics.median(times):.2f} ms, 99 of 100 within {most:.1f} ms")
    for bot in BOTS:
        ratios = [slow / fast for slow, fast in zip(taken[bot, "NumPy"], taken[bot, "compiled"], strict=True)]
        print(f"{bot}: compiled {statistics.median(ratios):.1f} times as fast in the middle")


async def _milliseconds(worker: Worker, bot: str, view: bytes) -> float:
    began = time.perf_counter()
    answer = await worker.decide(bot, "camelup", bot, view, _nothing_happened)
    assert answer is not None
    return (time.perf_counter() - began) * 1000


def _nothing_happened(seen: int) -> Sequence[bytes]:
    return ()


if __name__ == "__main__":
    main()
