"""The luck of every game of a tournament, judged in processes of their own and kept as it comes."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import NamedTuple

from serai.arena.tournament.archive import Archive
from serai.arena.tournament.description import Tournament
from serai.arena.tournament.games import simulator_of
from serai.arena.tournament.lineups import Seated
from serai.core.record import Record

_AHEAD = 3
"""So many groups wait for each process."""

Luck = list[tuple[int, tuple[float, ...]]]
"""Number of a game, and by seat the share of victory that chance brought."""


class Judge(NamedTuple):
    """Who tells the luck of a game: the coach, of which the arena knows nothing else."""

    name: str
    """Another name, other judgements."""
    luck: Callable[[Record], tuple[float, ...]]
    """By seat: the share of victory that chance brought. It can be pickled."""


class _Task(NamedTuple):
    """The games of a group, with the records of those that cannot be made again."""

    luck: Callable[[Record], tuple[float, ...]]
    tournament: Tournament
    secret: str
    seated: Seated
    records: tuple[tuple[int, str | None], ...]


def judge(archive: Archive, by: Judge, *, jobs: int, tell: Callable[[int], None], stopped: Callable[[], bool]) -> bool:
    """Judge the luck of all games of which it is not known yet; whether that is done.

    Every group is kept as it is judged, so that whoever is stopped goes on from there.
    """
    archive.judge_by(by.name)
    due = _due(archive, by)
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    pool = ProcessPoolExecutor(jobs, context, _quietly)
    waiting: list[tuple[int, Future[Luck]]] = []
    try:
        for lineup, task in due:
            waiting.append((lineup, pool.submit(_judged, task)))
            while len(waiting) > _AHEAD * jobs:
                _kept(archive, waiting.pop(0), tell)
            if stopped():
                break
        left = 0
        while waiting:
            if stopped() and waiting[0][1].cancel():
                waiting.pop(0)
                left += 1
            else:
                _kept(archive, waiting.pop(0), tell)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return next(due, None) is None and not left


def _due(archive: Archive, by: Judge) -> Iterator[tuple[int, _Task]]:
    """Group by group what was not judged yet, always in the same order."""
    size = archive.tournament.seats
    for seated, lineup in sorted((seated, lineup) for lineup, seated in archive.lineups.items()):
        known = archive.luck(lineup)
        numbers = sorted(number for kept in archive.kept.get(lineup, ()) for number in kept.numbers)
        left = [number for number in numbers if number not in known]
        for group in sorted({number // size for number in left}):
            records = tuple((number, archive.record(lineup, number)) for number in left if number // size == group)
            yield lineup, _Task(by.luck, archive.tournament, archive.secret, seated, records)


def _kept(archive: Archive, done: tuple[int, Future[Luck]], tell: Callable[[int], None]) -> None:
    lineup, future = done
    found = future.result()
    archive.keep_luck(lineup, found)
    tell(len(found))


def _quietly() -> None:
    """Ctrl-C is for the first process, which ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _judged(task: _Task) -> Luck:
    """In a process: the luck of every seat in these games."""
    simulator = simulator_of(task.tournament, task.secret, task.seated)
    found = []
    for number, text in task.records:
        if text is None:
            assert simulator is not None, "a game without a record was compiled"
            text = simulator.record(number).write()
        found.append((number, task.luck(Record.read(text))))
    return found
