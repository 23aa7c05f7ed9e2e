"""What is done once and takes a while, such as compiling: how long a thread was at it, for clocks that leave it out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class _Thread(threading.local):
    depth = 0
    began = 0.0
    seconds = 0.0


_thread = _Thread()
watchers: list[Callable[[bool], None]] = []
"""Called when a thread of this process begins to prepare something (``True``), and when it is done."""


@contextmanager
def preparing() -> Iterator[None]:
    """What happens within counts as preparation."""
    begin()
    try:
        yield
    finally:
        end()


def begin() -> None:
    """Something begins to be prepared in this thread; nested preparations count once."""
    _thread.depth += 1
    if _thread.depth == 1:
        _thread.began = time.perf_counter()
        for watch in watchers:
            watch(True)


def end() -> None:
    """What was begun last is done."""
    _thread.depth -= 1
    if _thread.depth == 0:
        _thread.seconds += time.perf_counter() - _thread.began
        for watch in watchers:
            watch(False)


class Clock:
    """The seconds that this thread has taken since, without those of preparation."""

    def __init__(self) -> None:
        self._began = _counted()

    @property
    def seconds(self) -> float:
        """So far."""
        return _counted() - self._began

    @property
    def runs(self) -> bool:
        """Whether it runs now: not while something is being prepared."""
        return _thread.depth == 0


def _counted() -> float:
    now = time.perf_counter() if _thread.depth == 0 else _thread.began
    return now - _thread.seconds
