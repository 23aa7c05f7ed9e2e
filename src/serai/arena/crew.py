"""Processes that play the games of a series, watched from outside: a bot that hangs or takes its process along is told.

Inside a process an alarm breaks into a bot that thinks for too long. One that catches even that, or ends the process,
is seen from here: its process is replaced, and the game, which follows from its number, is played again up to there.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

import msgspec

from serai.arena.series import Played, Series, makers_of, play_game
from serai.bots.referee import BotFailed, Spared, Watchman
from serai.bots.specs import BotSpec
from serai.core.errors import SeraiError
from serai.core.registry import game as find_game

_SECONDS = 0.25
"""How long a process should play before it is given more: often enough for a lively bar."""
_AHEAD = 4
"""Near the end portions get so much smaller that all processes finish at about the same time."""
_LOOK = 0.2
"""Seconds between two looks at what the bots are doing."""
_PATIENCE = 2.0
"""Seconds beyond its limit after which a bot is taken for one that the alarm does not stop."""

_THINKING, _NUMBER, _SEAT, _PLY, _WATCHING = range(5)
"""What a process tells of itself in shared memory: since when a bot thinks (0: none does), and where."""

_CONTEXT: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


class Order(msgspec.Struct, frozen=True):
    """What a process is to play next."""

    series: Series
    entrants: tuple[int, ...]
    """Those of the series, by their place among all entrants that the process knows."""
    numbers: range


def play_in_crew(series: Series, entrants: Sequence[BotSpec], first: int, jobs: int) -> Iterator[Played]:
    """Play all games with that many processes, in order."""
    crew = [Worker(series.game, entrants) for _ in range(jobs)]
    everybody = tuple(range(len(entrants)))
    given, told, size, end = first, first, 1, first + series.games
    waiting: dict[int, Played] = {}
    try:
        while told < end:
            for worker in crew:
                if worker.idle and given < end:
                    numbers = range(given, min(given + size, end))
                    worker.give(Order(series, everybody, numbers))
                    given = numbers.stop
            wait([watched for worker in crew if not worker.idle for watched in worker.watched], _LOOK)
            for worker in crew:
                for played in worker.take():
                    waiting[played.number] = played
                    fitting = int(_SECONDS / max(played.seconds, 1e-6))
                    size = max(1, min(fitting, (end - given) // (jobs * _AHEAD)))
            while told in waiting:
                yield waiting.pop(told)
                told += 1
    finally:
        for worker in crew:
            worker.end()


class Worker:
    """One process, and what it has been given."""

    def __init__(self, game: str, entrants: Sequence[BotSpec]) -> None:
        self._game = game
        self._entrants = entrants
        self._order: Order | None = None
        self._rest = range(0)
        self._spared: Spared = {}
        """Where bots have failed so badly in the next game that they are not asked there again."""
        self._start()

    @property
    def idle(self) -> bool:
        """Whether it has nothing to do."""
        return not self._rest

    @property
    def watched(self) -> tuple[Any, ...]:
        """What becomes ready when there is something to see to."""
        return self._pipe, self._process.sentinel

    def give(self, order: Order) -> None:
        """These are the next games of it."""
        self._order, self._rest = order, order.numbers
        self._send()

    def renew(self) -> None:
        """Let a process take its place that knows nothing of the games this one has played."""
        self.end()
        self._start()

    def _send(self) -> None:
        assert self._order is not None
        with contextlib.suppress(BrokenPipeError):  # it died meanwhile: `take` sees to that
            self._pipe.send((self._order.series, self._order.entrants, self._rest, self._spared))

    def take(self) -> list[Played]:
        """What it has played since. Where it died, or will not stop, another takes its place."""
        if self.idle:
            return []
        dead = not self._process.is_alive()  # asked first: whatever it had said before then comes out below
        found = []
        try:
            while self._rest and self._pipe.poll():
                answer = self._pipe.recv()
                if isinstance(answer, Exception):
                    raise answer
                found.append(answer)
                self._rest, self._spared = self._rest[1:], {}
        except (EOFError, ConnectionError):
            dead = True
        if self._rest and (dead or self._overdue()):
            self._replace(dead=dead)
        return found

    def end(self) -> None:
        """Be done with it, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _start(self) -> None:
        self._pipe, other = _CONTEXT.Pipe()
        self._notes = _CONTEXT.RawArray("d", 5)
        try:
            self._process = _CONTEXT.Process(
                target=_work, args=(self._game, self._entrants, other, self._notes), daemon=True
            )
            self._process.start()
        except (pickle.PicklingError, AttributeError, TypeError):
            raise SeraiError(
                "a bot that is a function of a running program cannot be taken along into processes on this system; "
                "name it as FILE.py:NAME, or let it play here with jobs=1 and limit=None"
            ) from None
        other.close()

    @property
    def _limit(self) -> float | None:
        assert self._order is not None
        series = self._order.series
        return series.game_seconds if series.seconds is None else series.seconds

    def _overdue(self) -> bool:
        limit, since = self._limit, self._notes[_THINKING]
        return bool(limit is not None and since and time.monotonic() - since > limit + max(limit / 2, _PATIENCE))

    def _replace(self, *, dead: bool) -> None:
        since, number, seat, ply, watching = self._notes
        limit, code = self._limit, self._process.exitcode
        self.end()
        if not since:
            raise SeraiError("a process that played games was ended from outside; fewer --jobs need less memory")
        reason = f"ended its process (exit code {code})" if dead else f"took longer than {limit:g} s and would not stop"
        if int(number) == self._rest.start:
            self._spared = {**self._spared, (int(seat), int(ply), bool(watching)): reason}
        self._start()
        self._send()


class _Notes(Watchman):
    """Tells, in shared memory, what a bot is asked."""

    def __init__(self, notes: Any) -> None:
        self._notes = notes
        self.number = 0

    def asked(self, seat: int, ply: int, *, watching: bool) -> None:
        self._notes[_NUMBER], self._notes[_SEAT], self._notes[_PLY] = self.number, seat, ply
        self._notes[_WATCHING] = watching
        self._notes[_THINKING] = time.monotonic()

    def answered(self) -> None:
        self._notes[_THINKING] = 0.0


def _work(name: str, entrants: Sequence[BotSpec], pipe: Connection, notes: Any) -> None:
    """In a process: play what is asked for, until nobody asks any more."""
    # Ctrl-C reaches all processes of a terminal: it is for the first one, which ends these and tells what it has
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    watchman = _Notes(notes)
    with contextlib.suppress(EOFError, ConnectionError):
        _serve(name, entrants, pipe, watchman)


def _serve(name: str, entrants: Sequence[BotSpec], pipe: Connection, watchman: _Notes) -> None:
    try:
        game = find_game(name)
        makers = makers_of(game, entrants)
    except Exception as error:
        pipe.recv()
        pipe.send(error)
        return
    parent = multiprocessing.parent_process()
    assert parent is not None
    # the pipe alone would not tell that the first process was killed, since its other end was taken along here
    while pipe in wait([pipe, parent.sentinel]):
        series, seated, numbers, spared = pipe.recv()
        bots = [makers[entrant] for entrant in seated]
        for number in numbers:
            watchman.number = number
            try:
                pipe.send(play_game(game, bots, series, number, watchman=watchman, spared=spared))
            except BotFailed as error:
                pipe.send(error)
                return
            spared = {}
