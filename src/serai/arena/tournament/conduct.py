"""Holds a tournament: plays what is due, keeps every game as it ends, and plans the next round when one is over."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import wait

import msgspec

from serai.arena.cluster.reach import Cluster
from serai.arena.tournament.abroad import play_abroad
from serai.arena.tournament.archive import Archive, Planned
from serai.arena.tournament.games import Bulk, compiled_times, finished, in_bulk, simulator_of
from serai.arena.tournament.processes import FairWorker
from serai.arena.tournament.schedule import next_round
from serai.core.simulation import Simulator

_SECONDS = 0.25
"""How long compiled games are played before they are kept."""
_LOOK = 0.2
"""Seconds between two looks at the clock."""
_APART = 64
"""So many games lie between two with the same dice, where there are so many."""
_NOTED = 5.0
"""Seconds after which the time that was played is noted again."""

Tell = Callable[[int], None]
"""Is told that so many games more are kept."""


class _Enough(Exception):
    """The time is over, or somebody wants to stop."""


class Conductor:
    """Plays the tournament of an archive on from where it is."""

    def __init__(
        self,
        archive: Archive,
        *,
        jobs: int,
        tell: Tell,
        stopped: Callable[[], bool],
        cluster: Cluster | None = None,
    ) -> None:
        """``stopped`` is asked now and then whether to leave off; the rest is played another time.

        With a ``cluster`` its workers play, however many ``jobs`` there could be here.
        """
        self._archive, self._jobs, self._tell, self._stopped = archive, jobs, tell, stopped
        self._cluster = cluster
        self._crew: list[FairWorker] = []

    def play(self) -> bool:
        """Play until it is finished, or stopped; whether it is finished."""
        archive = self._archive
        self._before, self._began = archive.seconds, time.monotonic()
        self._noted = self._before
        try:
            while due := archive.due() or self._planned():
                self._play(due)
            self._finish()
        except _Enough:
            if not self._stopped():
                self._finish()
        finally:
            for worker in self._crew:
                worker.end()
            archive.note(seconds=str(self._seconds))
        return archive.finished

    @property
    def _seconds(self) -> float:
        return self._before + time.monotonic() - self._began

    def _planned(self) -> list[Planned]:
        planned = next_round(self._archive)
        if planned:
            self._archive.plan(planned)
        return planned

    def _finish(self) -> None:
        self._archive.note(finished="yes")

    def _check(self) -> None:
        minutes = self._archive.stop.minutes
        if self._seconds > self._noted + _NOTED:
            self._noted = self._seconds
            self._archive.note(seconds=str(self._noted))
        if self._stopped() or (minutes is not None and self._seconds >= 60 * minutes):
            raise _Enough

    def _play(self, due: list[Planned]) -> None:
        archive = self._archive
        one_by_one: list[Planned] = []
        compiled: list[tuple[Planned, Simulator]] = []
        for planned in due:
            simulator = simulator_of(archive.tournament, archive.secret, archive.lineups[planned.lineup])
            if simulator is None:
                one_by_one.append(planned)
            else:
                compiled.append((planned, simulator))
        if compiled:
            self._time_compiled()
        if self._cluster is not None:
            play_abroad(archive, due, self._cluster, self._tell, self._check)
            return
        if compiled:
            self._play_compiled(compiled)
        if one_by_one:
            self._play_in_crew(one_by_one)

    # -- compiled ----------------------------------------------------------------------------------------------------

    def _time_compiled(self) -> None:
        if not self._archive.times:
            times = compiled_times(self._archive.tournament, time.perf_counter)
            self._archive.note(times=msgspec.json.encode(times).decode())

    def _play_compiled(self, due: list[tuple[Planned, Simulator]]) -> None:
        pool = ThreadPoolExecutor(self._jobs)
        waiting: list[tuple[int, Future[tuple[Bulk, float]]]] = []
        size, seats = 1, self._archive.tournament.seats
        try:
            for planned, simulator in due:
                numbers = planned.numbers
                while numbers:
                    now, numbers = numbers[: size * seats], numbers[size * seats :]
                    waiting.append((planned.lineup, pool.submit(_timed, simulator, self._archive, now)))
                    if len(waiting) > self._jobs:
                        size = self._kept(*waiting.pop(0))
            while waiting:
                self._kept(*waiting.pop(0))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _kept(self, lineup: int, future: Future[tuple[Bulk, float]]) -> int:
        """Keep what was played; how many groups fit the time that it should take."""
        played, seconds = future.result()
        self._archive.keep(lineup, played)
        self._tell(len(played.results))
        self._check()
        groups = len(played.results) / self._archive.tournament.seats
        return max(1, int(_SECONDS * groups / max(seconds, 1e-6)))

    # -- one by one --------------------------------------------------------------------------------------------------

    def _play_in_crew(self, due: list[Planned]) -> None:
        archive = self._archive
        if not self._crew:
            self._crew = [FairWorker(archive.tournament) for _ in range(self._jobs)]
        games = self._in_turn(due)
        doing: dict[FairWorker, int] = {}
        more = True
        while more or doing:
            for worker in self._crew:
                if worker.idle and more:
                    game = next(games, None)
                    more = game is not None
                    if game is not None:
                        doing[worker] = game[0]
                        worker.give_game(archive.secret, archive.lineups[game[0]], game[1])
            wait([watched for worker in doing for watched in worker.watched], _LOOK)
            for worker in list(doing):
                for played in worker.take():
                    archive.keep(doing.pop(worker), finished(played))
                    self._tell(1)
            self._check()

    def _in_turn(self, due: list[Planned]) -> Iterator[tuple[int, int]]:
        """Line-up and number of every game, so that those with the same dice are far apart, but not much further.

        Whoever stops in the middle has then whole groups of everybody.
        """
        seats = self._archive.tournament.seats
        block = seats * math.ceil(_APART / max(1, len(due)))
        listed = [(lineup, number) for lineup, numbers in due for number in numbers]
        return iter(sorted(listed, key=lambda game: (game[1] // block, game[1] % seats)))


def _timed(simulator: Simulator, archive: Archive, numbers: range) -> tuple[Bulk, float]:
    began = time.perf_counter()
    played = in_bulk(simulator, archive.tournament, numbers)
    return played, time.perf_counter() - began
