"""Worker processes, watched from outside: a bot that hangs or ends its process is reported and its process replaced.

Inside a process an alarm interrupts a bot that thinks too long. One that catches even that, or ends the process, is
seen from here. The task, which follows from its arguments, is then repeated without asking the bot at that point.
"""

from __future__ import annotations

import contextlib
import pickle
import time
from collections.abc import Callable, Hashable
from multiprocessing.connection import Connection, wait
from typing import Any

from serai.arena.executors import Done, Executor, outcome
from serai.bots.referee import Skipped, Watchman
from serai.errors import SeraiError
from serai.lab.preparing import watchers
from serai.processes.fork import Fork, receive, shared_numbers

_PATIENCE = 2.0
"""Seconds beyond its limit after which a bot counts as one that the alarm does not stop."""

_LONG = 0.2
"""Seconds between two looks whether a worker that is waited for must be replaced."""

_NOTES = range(7)
_THINKING, _LIMIT, _NUMBER, _SEAT, _PLY, _WATCHING, _PREPARING = _NOTES
"""What a process notes in shared memory: since when a bot thinks (0: none does), its limit (0: none), and where; and
whether something is being compiled for it, which is on no clock."""

SkippedByGame = dict[int, Skipped]
"""By the number of a game: where a bot is not asked again, since its process ended there."""


class Processes(Executor):
    """Worker processes that each do one task at a time."""

    def __init__(self, function: Callable[..., Any], count: int) -> None:
        """``function`` is inherited by the processes where the system forks, and pickled elsewhere."""
        self._workers = [_Worker(function) for _ in range(count)]
        self._done: list[Done] = []
        """Finished while another task was submitted."""

    @property
    def parallel(self) -> int:
        return len(self._workers)

    def submit(self, label: Any, *arguments: Any, apart: frozenset[Hashable] = frozenset()) -> None:
        while any(worker.busy and apart & worker.met for worker in self._workers):
            self._done += self._take(_LONG)
        for worker in self._workers:
            if apart & worker.met:
                worker.end()  # with all bots that it started
        next(worker for worker in self._workers if not worker.busy).begin(label, arguments, apart)

    def finished(self, seconds: float) -> list[Done]:
        done, self._done = self._done, []
        return done or self._take(seconds)

    def _take(self, seconds: float) -> list[Done]:
        busy = [worker for worker in self._workers if worker.busy]
        wait([one for worker in busy for one in worker.waitable], seconds)
        return [done for worker in busy if (done := worker.take()) is not None]

    def cancel(self) -> None:
        self._done.clear()
        for worker in self._workers:
            if worker.busy:
                worker.end()

    def close(self) -> None:
        for worker in self._workers:
            worker.end()


class Watch(Watchman):
    """The game that this process plays, for the process that watches it. This one notes nothing."""

    def begin(self, number: int, limit: float | None) -> Skipped:
        """Game ``number`` begins; where its bots are not to be asked."""
        return {}


class _SharedWatch(Watch):
    """Notes in shared memory what a bot is asked."""

    def __init__(self, notes: Any) -> None:
        self._notes = notes
        self.skipped: SkippedByGame = {}

    def begin(self, number: int, limit: float | None) -> Skipped:
        self._notes[_NUMBER], self._notes[_LIMIT] = number, limit or 0.0
        return self.skipped.get(number, {})

    def asked(self, seat: int, ply: int, *, watching: bool) -> None:
        self._notes[_SEAT], self._notes[_PLY], self._notes[_WATCHING] = seat, ply, watching
        self._notes[_THINKING] = time.monotonic()

    def answered(self) -> None:
        self._notes[_THINKING] = 0.0

    def preparing(self, begins: bool) -> None:
        """What a bot has compiled does not count: its time begins anew."""
        self._notes[_PREPARING] = begins
        if not begins and self._notes[_THINKING]:
            self._notes[_THINKING] = time.monotonic()


_watch = Watch()


def current_watch() -> Watch:
    """The watch of this process."""
    return _watch


class _Worker:
    """One process and its task."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._fork: Fork | None = None
        self._task: tuple[Any, tuple[Any, ...]] | None = None
        self._skipped: SkippedByGame = {}
        self.met: frozenset[Hashable] = frozenset()
        """The keys of ``apart`` that this process has met."""

    @property
    def busy(self) -> bool:
        return self._task is not None

    @property
    def waitable(self) -> tuple[Any, ...]:
        return () if self._fork is None else self._fork.waitable

    def begin(self, label: Any, arguments: tuple[Any, ...], apart: frozenset[Hashable]) -> None:
        self._task, self._skipped = (label, arguments), {}
        self._send()
        self.met |= apart

    def take(self) -> Done | None:
        """The task, if it is finished. Where the process died or will not stop, another takes its place."""
        assert self._task is not None
        assert self._fork is not None
        dead = not self._fork.alive  # asked first: a result sent before it died is read below
        try:
            if self._fork.connection.poll():
                error, result = self._fork.connection.recv()
                label, self._task = self._task[0], None
                if error is not None:
                    raise error
                return Done(label, *result)
        except (EOFError, ConnectionError):
            dead = True
        if dead or self._overdue():
            self._replace(self._fork, dead=dead)
        return None

    def end(self) -> None:
        """Kill the process, whatever it is doing; the next task starts another."""
        self._task = None
        if self._fork is not None:
            self._fork.end()
            self._fork, self.met = None, frozenset()

    def _send(self) -> None:
        assert self._task is not None
        if self._fork is None:
            self._notes = shared_numbers(len(_NOTES))
            try:
                self._fork = Fork(_serve, self._function, self._notes)
            except (pickle.PicklingError, AttributeError, TypeError):
                raise SeraiError(
                    "a bot that is a function of a running program cannot be sent to another process on this system; "
                    "name it as FILE.py:NAME, or let it play here with jobs=1 and limit=None"
                ) from None
        with contextlib.suppress(BrokenPipeError):  # it died meanwhile: `take` sees to that
            self._fork.connection.send((self._task[1], self._skipped))

    def _overdue(self) -> bool:
        since, limit = self._notes[_THINKING], self._notes[_LIMIT]
        if self._notes[_PREPARING]:
            return False
        return bool(since and limit and time.monotonic() - since > limit + max(limit / 2, _PATIENCE))

    def _replace(self, fork: Fork, *, dead: bool) -> None:
        since, limit, number, seat, ply, watching, _ = self._notes
        task, met, code = self._task, self.met, fork.exit_code
        self.end()
        if not since:
            raise SeraiError("a worker process was ended from outside; fewer --jobs need less memory")
        reason = f"ended its process (exit code {code})" if dead else f"took longer than {limit:g} s and would not stop"
        where = (int(seat), int(ply), bool(watching))
        self._skipped[int(number)] = {**self._skipped.get(int(number), {}), where: reason}
        self._task = task
        self._send()
        self.met = met


def _serve(connection: Connection, function: Callable[..., Any], notes: Any) -> None:
    """In a worker process: do tasks until no more come."""
    global _watch
    _watch = watch = _SharedWatch(notes)
    watchers.append(watch.preparing)
    while True:
        arguments, watch.skipped = receive(connection)
        connection.send(outcome(function, arguments))
