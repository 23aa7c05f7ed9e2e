"""Executors do numbered work in chunks: in this process, in threads, in worker processes, or on a Dask cluster.

Every executor calls one function with the arguments of each task. :func:`hand_out` cuts work into chunks of about equal
time and feeds an executor with them.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import time
import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, ClassVar, NamedTuple, Self

from serai.errors import SeraiError

_TAIL = 4
"""Near the end a chunk is this part of a worker's share, so that all workers finish at about the same time."""
_LEAST = 0.1
"""But not below this part of the executor's chunk time: that much waiting nobody minds."""
_WAIT_SECONDS = 0.2
"""How often ``stopped`` is asked while nothing is finished."""


class Piece(NamedTuple):
    """Numbered work of one kind."""

    kind: Any
    numbers: range


class Task(NamedTuple):
    """The arguments of an executor's function for a chunk."""

    arguments: tuple[Any, ...]
    apart: frozenset[Hashable] = frozenset()
    """As :meth:`Executor.submit` takes it."""


def hand_out(
    executor: Executor,
    pieces: Iterable[Piece],
    task: Callable[[Piece], Task],
    *,
    unit: int = 1,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[Piece, Any]]:
    """Do all pieces, cut into chunks of whole units, and yield results with their chunks, in any order.

    ``task`` makes the task of a chunk. ``stopped`` is asked several times a second whether to stop early.
    """
    queue = _Queue(pieces, unit)
    unfinished = 0
    try:
        while queue or unfinished:
            while queue and unfinished < executor.capacity:
                piece = queue.cut(executor)
                arguments, apart = task(piece)
                executor.submit(piece, *arguments, apart=apart)
                unfinished += 1
            for piece, value, seconds in executor.finished(_WAIT_SECONDS):
                unfinished -= 1
                queue.note(len(piece.numbers), seconds)
                yield piece, value
            if stopped():
                return
    finally:
        executor.cancel()


def in_order(
    executor: Executor, count: int, arguments: Callable[[range], tuple[Any, ...]]
) -> Iterator[tuple[range, Any]]:
    """Do the numbers 0 to ``count`` - 1 and yield results in their order."""
    ready: dict[int, tuple[range, Any]] = {}
    following = 0
    for piece, value in hand_out(executor, [Piece(None, range(count))], lambda piece: Task(arguments(piece.numbers))):
        ready[piece.numbers.start] = piece.numbers, value
        while following in ready:
            numbers, result = ready.pop(following)
            yield numbers, result
            following = numbers.stop


class _Queue:
    """Pieces that are still to be cut, and how long a unit takes."""

    def __init__(self, pieces: Iterable[Piece], unit: int) -> None:
        self._pieces = deque(piece for piece in pieces if piece.numbers)
        self._unit = unit
        self._units = sum(len(numbers) for _, numbers in self._pieces) // unit
        self._unit_seconds = 0.0

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def note(self, count: int, seconds: float) -> None:
        """A chunk of ``count`` took that long."""
        self._unit_seconds = seconds * self._unit / count

    def cut(self, executor: Executor) -> Piece:
        """The next chunk: as much of the first piece as should take ``executor.chunk_seconds``."""
        kind, numbers = self._pieces.popleft()
        count = self._size(executor) * self._unit
        now, rest = numbers[:count], numbers[count:]
        if rest:
            self._pieces.appendleft(Piece(kind, rest))
        self._units -= len(now) // self._unit
        return Piece(kind, now)

    def _size(self, executor: Executor) -> int:
        if not self._unit_seconds:
            return 1
        most = int(executor.chunk_seconds / self._unit_seconds)
        evenly = self._units // (max(1, executor.parallel) * _TAIL)
        return max(1, min(most, max(int(_LEAST * most), evenly)))


# -- executors ---------------------------------------------------------------------------------------------------------


class Done(NamedTuple):
    """A finished task."""

    label: Any
    """As given to :meth:`Executor.submit`."""
    value: Any
    """What the function returned."""
    seconds: float
    """How long that took."""


class Executor(ABC):
    """Does tasks, several at once. One caller submits them and collects what is finished, in any order."""

    chunk_seconds: ClassVar[float] = 0.25
    """How long a task should take: short enough for a lively progress bar, long enough to be worth handing out."""

    @property
    @abstractmethod
    def parallel(self) -> int:
        """How many tasks are done at once at this moment."""

    @property
    def capacity(self) -> int:
        """How many tasks may be submitted and unfinished at this moment, at least 1."""
        return self.parallel

    @abstractmethod
    def submit(self, label: Any, *arguments: Any, apart: frozenset[Hashable] = frozenset()) -> None:
        """Call the function with these arguments.

        No process that runs bots is there at two tasks with a common key of ``apart``: it is ended between them.
        """

    @abstractmethod
    def finished(self, seconds: float) -> list[Done]:
        """The tasks finished since the last call; waits up to ``seconds`` for the first. Raises what a task raised."""

    @abstractmethod
    def cancel(self) -> None:
        """Forget all tasks that are not finished."""

    def close(self) -> None:
        """End it."""
        self.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Here(Executor):
    """Runs each task in this thread, when its result is asked for."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._waiting: deque[tuple[Any, tuple[Any, ...]]] = deque()

    @property
    def parallel(self) -> int:
        return 1

    def submit(self, label: Any, *arguments: Any, apart: frozenset[Hashable] = frozenset()) -> None:
        self._waiting.append((label, arguments))

    def finished(self, seconds: float) -> list[Done]:
        label, arguments = self._waiting.popleft()
        return [Done(label, *timed(self._function, arguments))]

    def cancel(self) -> None:
        self._waiting.clear()


class Threads(Executor):
    """Runs tasks in threads: for compiled games, which let go of Python's lock."""

    def __init__(self, function: Callable[..., Any], count: int) -> None:
        self._function, self._count = function, count
        self._pool = ThreadPoolExecutor(count)
        self._futures: dict[Future[tuple[Any, float]], Any] = {}

    @property
    def parallel(self) -> int:
        return self._count

    @property
    def capacity(self) -> int:
        return 2 * self._count  # no thread waits while this one stores results

    def submit(self, label: Any, *arguments: Any, apart: frozenset[Hashable] = frozenset()) -> None:
        self._futures[self._pool.submit(timed, self._function, arguments)] = label

    def finished(self, seconds: float) -> list[Done]:
        done = wait(self._futures, seconds, FIRST_COMPLETED).done
        return [Done(self._futures.pop(future), *future.result()) for future in done]

    def cancel(self) -> None:
        for future in self._futures:
            future.cancel()
        wait(self._futures)
        self._futures.clear()

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


def timed(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, float]:
    """What the function returns, and the seconds it took."""
    began = time.perf_counter()
    value = function(*arguments)
    return value, time.perf_counter() - began


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Exception | None, Any]:
    """For another process: what the function raised, or ``None`` and what :func:`timed` returns."""
    try:
        return None, timed(function, arguments)
    except SeraiError as error:
        with contextlib.suppress(Exception):
            pickle.loads(pickle.dumps(error))  # noqa: S301 (made in this line)
            return error, None
        return SeraiError(str(error)), None
    except Exception as error:
        return RuntimeError("".join(traceback.format_exception(error))), None


def processors() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
