"""What goes on inside, counted: for ``GET /metrics`` in the text format that Prometheus reads."""

from __future__ import annotations

import asyncio
import bisect
import contextlib
import time
from collections.abc import Iterator, Mapping

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_LAG_EVERY = 0.5
"""Seconds between two looks at how late the event loop is."""


class Counter:
    """Something that only ever grows."""

    def __init__(self, help_text: str) -> None:
        self.help = help_text
        self.value = 0

    def add(self, count: int = 1) -> None:
        """Count one more, or some."""
        self.value += count


class Histogram:
    """How long something took, in steps."""

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


class Metrics:
    """All counts of one server process."""

    def __init__(self) -> None:
        self.moves = Counter("Actions played at tables, by people and bots")
        self.refusals = Counter("Messages and requests that were refused")
        self.limited = Counter("Messages and requests refused because of a limit")
        self.cut_off = Counter("Connections ended because they read too slowly")
        self.reviews = Counter("Reviews of finished games that were worked out")
        self.store_failures = Counter("Entries that could not be saved")
        self.move_seconds = Histogram("From a person's action heard to its answer")
        self.store_seconds = Histogram("From an entry handed to the store to its being durable")
        self.bot_seconds = Histogram("How long bots thought")
        self.loop_lag_seconds = Histogram("How late the event loop was")
        self.sweep_seconds = Histogram("How long everything stood still for a sweep of the memory")

    async def watch_the_loop(self) -> None:
        """Measure, for ever, how late this loop wakes up."""
        while True:
            began = time.perf_counter()
            await asyncio.sleep(_LAG_EVERY)
            self.loop_lag_seconds.observe(max(time.perf_counter() - began - _LAG_EVERY, 0.0))

    def write(self, gauges: Mapping[str, tuple[str, float]]) -> str:
        """Everything as text; ``gauges`` are what stands now, as name to (help, value)."""
        lines: list[str] = []
        for name, kept in vars(self).items():
            if isinstance(kept, Counter):
                _head(lines, f"serai_{name}_total", kept.help, "counter")
                lines.append(f"serai_{name}_total {kept.value}")
            elif isinstance(kept, Histogram):
                _histogram(lines, f"serai_{name}", kept)
        for name, (help_text, value) in gauges.items():
            _head(lines, f"serai_{name}", help_text, "gauge")
            lines.append(f"serai_{name} {value:g}")
        return "\n".join(lines) + "\n"


def _head(lines: list[str], name: str, help_text: str, kind: str) -> None:
    lines += [f"# HELP {name} {help_text}", f"# TYPE {name} {kind}"]


def _histogram(lines: list[str], name: str, kept: Histogram) -> None:
    _head(lines, name, kept.help, "histogram")
    total = 0
    for bound, count in zip((*_SECONDS, float("inf")), kept.counts, strict=True):
        total += count
        label = "+Inf" if bound == float("inf") else f"{bound:g}"
        lines.append(f'{name}_bucket{{le="{label}"}} {total}')
    lines += [f"{name}_sum {kept.sum:.6f}", f"{name}_count {total}"]
