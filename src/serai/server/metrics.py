"""Counters and histograms for ``GET /metrics``, in the text format of Prometheus."""

from __future__ import annotations

import asyncio
import bisect
import contextlib
import itertools
import time
from collections.abc import Iterator, Mapping

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_LAG_EVERY = 0.5
"""Seconds between two measurements of the event loop's lag."""


class Counter:
    def __init__(self, help_text: str) -> None:
        self.help = help_text
        self.value = 0

    def add(self, count: int = 1) -> None:
        self.value += count

    def lines(self, name: str) -> list[str]:
        return [*_head(f"{name}_total", self.help, "counter"), f"{name}_total {self.value}"]


class Histogram:
    """A histogram of durations."""

    def __init__(self, help_text: str) -> None:
        self.help = help_text
        self.sum = 0.0
        self.counts = [0] * (len(_SECONDS) + 1)

    def observe(self, seconds: float) -> None:
        """Count one that took this long."""
        self.sum += seconds
        self.counts[bisect.bisect_left(_SECONDS, seconds)] += 1

    @contextlib.contextmanager
    def timed(self) -> Iterator[None]:
        """Count one that takes as long as the block."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - began)

    def lines(self, name: str) -> list[str]:
        labels = [*(f"{bound:g}" for bound in _SECONDS), "+Inf"]
        totals = zip(labels, itertools.accumulate(self.counts), strict=True)
        buckets = [f'{name}_bucket{{le="{label}"}} {total}' for label, total in totals]
        last = [f"{name}_sum {self.sum:.6f}", f"{name}_count {sum(self.counts)}"]
        return [*_head(name, self.help, "histogram"), *buckets, *last]


class Metrics:
    """All counters and histograms of one server process."""

    def __init__(self) -> None:
        self.moves = Counter("Actions played at tables, by people and bots")
        self.refusals = Counter("Messages and requests that were refused")
        self.limited = Counter("Messages and requests refused because of a limit")
        self.cut_off = Counter("Connections ended because they read too slowly")
        self.bot_replacements = Counter("Random actions played for bots that failed or took too long")
        self.reviews = Counter("Reviews of finished games")
        self.store_failures = Counter("Entries that could not be saved")
        self.move_seconds = Histogram("From a person's action received to its answer")
        self.store_seconds = Histogram("From an entry handed to the store to its being durable")
        self.bot_seconds = Histogram("How long bots thought")
        self.loop_lag_seconds = Histogram("How late the event loop was")
        self.sweep_seconds = Histogram("How long full garbage collections took")

    async def watch_the_loop(self) -> None:
        """Measure the event loop's lag until cancelled."""
        while True:
            began = time.perf_counter()
            await asyncio.sleep(_LAG_EVERY)
            self.loop_lag_seconds.observe(max(time.perf_counter() - began - _LAG_EVERY, 0.0))

    def write(self, gauges: Mapping[str, tuple[str, float]]) -> str:
        """Everything as text; ``gauges`` are current values: name to (help, value)."""
        metrics: dict[str, Counter | Histogram] = vars(self)
        lines = [line for name, metric in metrics.items() for line in metric.lines(f"serai_{name}")]
        for name, (help_text, value) in gauges.items():
            lines += [*_head(f"serai_{name}", help_text, "gauge"), f"serai_{name} {value:g}"]
        return "\n".join(lines) + "\n"


def _head(name: str, help_text: str, kind: str) -> list[str]:
    return [f"# HELP {name} {help_text}", f"# TYPE {name} {kind}"]
