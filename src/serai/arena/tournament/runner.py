"""Plays a tournament: what is due, stored as it is finished, round after round until a stopping rule applies."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import math
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from serai.arena.executors import Executor, Piece, Task, Threads, hand_out
from serai.arena.series import GameResult, Played, Player, Series, play_on_worker
from serai.arena.tournament.archive import Archive, Results, StoredGames, result_type
from serai.arena.tournament.description import Lineup, Tournament
from serai.arena.tournament.schedule import next_round
from serai.arena.worker_processes import Processes
from serai.core.registry import game as find_game
from serai.lab.rows import ACTIONS, PLIES, SHARE
from serai.lab.simulator import Simulator
from serai.lab.tally import group

if TYPE_CHECKING:
    from serai.arena.cluster.client import Cluster

_APART = 64
"""Games between two with the same dice, where there are enough."""
_NOTED = 5.0
"""Seconds after which the time played is stored again."""
_TIMED_GROUPS = 16
"""Groups that are played at once to measure how fast a compiled bot is."""
_TIMED_SECONDS = 0.05
"""How long that is measured."""


class Runner:
    """Continues the tournament of an archive."""

    def __init__(
        self,
        archive: Archive,
        *,
        jobs: int,
        tell: Callable[[int], None],
        stopped: Callable[[], bool],
        cluster: Cluster | None = None,
    ) -> None:
        """``tell`` gets the number of games just stored; ``stopped`` is asked now and then whether to stop.

        With a ``cluster`` its workers play, and ``jobs`` is ignored.
        """
        self._archive, self._jobs, self._tell, self._stopped = archive, jobs, tell, stopped
        self._cluster = cluster
        self._player = player_of(archive.tournament)
        self._executors: dict[bool, Executor] = {}
        """By whether the games are compiled."""

    def play(self) -> bool:
        """Play until it is finished or stopped; whether it is finished."""
        archive = self._archive
        archive.note_walls()
        self._before, self._began = archive.seconds, time.monotonic()
        self._noted = self._before
        with contextlib.ExitStack() as self._open:
            try:
                while due := archive.due() or self._plan():
                    self._play(due)
                    if self._is_over():
                        break
                if not self._stopped():
                    archive.note(finished="yes")
            finally:
                archive.note(seconds=str(self._seconds))
        return archive.finished

    @property
    def _seconds(self) -> float:
        return self._before + time.monotonic() - self._began

    def _plan(self) -> list[Piece]:
        planned = next_round(self._archive)
        if planned:
            self._archive.plan(planned)
        return planned

    def _play(self, due: list[Piece]) -> None:
        compiled, others = self._sorted(due)
        if compiled:
            if not self._archive.times:
                times = _compiled_times(self._archive.tournament)
                self._archive.note(times=msgspec.json.encode(times).decode())
            self._hand_out(True, compiled, self._archive.tournament.seats)
        if others and not (compiled and self._is_over()):
            self._hand_out(False, self._in_turn(others), 1)

    def _sorted(self, due: list[Piece]) -> tuple[list[Piece], list[Piece]]:
        """Compiled games, and those for the referee."""
        archive = self._archive
        sides: tuple[list[Piece], list[Piece]] = ([], [])
        for number, numbers in due:
            lineup = archive.lineups[number]
            simulator = self._player.simulator(series_of(archive.tournament, archive.secret, lineup), lineup)
            sides[simulator is None].append(Piece(number, numbers))
        return sides

    def _in_turn(self, pieces: list[Piece]) -> list[Piece]:
        """The same games, cut by rotations of the seats, so that two with the same dice are far apart.

        On this machine they are not much further apart than needed, so that a stop leaves few incomplete groups.
        """
        seats = self._archive.tournament.seats
        first = min(piece.numbers.start for piece in pieces) // seats * seats
        games = max(piece.numbers.stop for piece in pieces) - first
        block = seats * (math.ceil(_APART / len(pieces)) if self._cluster is None else games)
        return [
            Piece(lineup, turn)
            for start in range(first, first + games, block)
            for rotation in range(seats)
            for lineup, numbers in pieces
            if (turn := _common(range(start + rotation, start + block, seats), numbers))
        ]

    def _hand_out(self, compiled: bool, pieces: list[Piece], unit: int) -> None:
        executor = self._executor(compiled)
        for piece, games in hand_out(executor, pieces, self._task, unit=unit, stopped=self._is_over):
            self._archive.store(piece.kind, games)
            self._tell(len(piece.numbers))

    def _executor(self, compiled: bool) -> Executor:
        if self._cluster is not None:
            return self._cluster.executor(partial(play_on_worker, self._player))
        if compiled not in self._executors:
            executor = (Threads if compiled else Processes)(self._player, self._jobs)
            self._executors[compiled] = self._open.enter_context(executor)
        return self._executors[compiled]

    def _task(self, piece: Piece) -> Task:
        tournament, lineup = self._archive.tournament, self._archive.lineups[piece.kind]
        dice: frozenset[object] = frozenset()
        if not self._player.trusts(lineup):
            dice = frozenset((lineup, group(tournament.seats, number)) for number in piece.numbers)
        return Task((series_of(tournament, self._archive.secret, lineup), lineup, piece.numbers), dice)

    def _is_over(self) -> bool:
        """Whether the time is over or the user wants to stop; notes now and then how long it has been played."""
        minutes = self._archive.stop.minutes
        if self._seconds > self._noted + _NOTED:
            self._noted = self._seconds
            self._archive.note(seconds=str(self._noted))
        return self._stopped() or (minutes is not None and self._seconds >= 60 * minutes)


def _common(some: range, numbers: range) -> range:
    """The numbers of ``some`` that are within ``numbers``, a range without gaps."""
    skipped = max(0, math.ceil((numbers.start - some.start) / some.step))
    return range(some.start + skipped * some.step, min(some.stop, numbers.stop), some.step)


# -- the games of a line-up --------------------------------------------------------------------------------------------


def player_of(tournament: Tournament) -> Player:
    """What plays the games of this tournament; it returns a list of :class:`StoredGames`."""
    specs = [entrant.spec for entrant in tournament.entrants]
    return Player(tournament.game, specs, rows=True, convert=partial(_stored, find_game(tournament.game).score_name))


def series_of(tournament: Tournament, secret: str, lineup: Lineup) -> Series:
    """The series of a line-up. Its seed reveals neither the secret nor the seeds of other line-ups."""
    return Series(
        game=tournament.game,
        bots=tuple(tournament.entrants[entrant].name for entrant in lineup),
        options=tournament.options,
        games=0,
        seed=hmac.new(secret.encode(), repr(lineup).encode(), hashlib.sha256).hexdigest(),
        rotate=True,
        paired=True,
        seconds=tournament.limits.decision,
        game_seconds=tournament.limits.game,
        tolerate=True,
        keep_records=True,
    )


def simulator_of(tournament: Tournament, secret: str, lineup: Lineup) -> Simulator | None:
    """The simulator of a line-up, if all its bots are compiled."""
    return player_of(tournament).simulator(series_of(tournament, secret, lineup), lineup)


def _stored(score: str, played: Played) -> list[StoredGames]:
    """What is stored of a chunk of games; ``score`` is the column of their scores."""
    rows, (games, seats) = played.rows, played.rows[SHARE].shape
    results = np.zeros(games, result_type(seats))
    results["scores"] = rows[score]
    results["winners"] = rows[SHARE] > 0
    results["plies"] = rows[PLIES]
    results["decisions"] = rows[ACTIONS].sum(axis=2)
    if not played.results:
        return [StoredGames(played.numbers, results)]
    return [_stored_game(result, results[place : place + 1]) for place, result in enumerate(played.results)]


def _stored_game(result: GameResult, line: Results) -> StoredGames:
    assert result.record is not None
    line["thought"] = [min(round(seconds * 1e6), 2**32 - 1) for seconds in result.thought]
    for fault in result.faults:
        line["faults"][0, fault.seat] += 1
    seats = tuple(msgspec.structs.replace(seat, bot=_word(seat.bot or "")) for seat in result.record.seats)
    record = msgspec.structs.replace(result.record, seats=seats)
    return StoredGames(range(result.number, result.number + 1), line, record.write(), result.faults)


def _word(name: str) -> str:
    """A bot's name, with only the letters that a record allows."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name) or "bot"


def _compiled_times(tournament: Tournament) -> dict[str, float]:
    """By name of each compiled entrant: microseconds for a decision, in games against itself."""
    times = {}
    player, games = player_of(tournament), range(_TIMED_GROUPS * tournament.seats)
    for place, entrant in enumerate(tournament.entrants):
        lineup = (place,) * tournament.seats
        series = series_of(tournament, "", lineup)
        if player.simulator(series, lineup) is not None:
            player(series, lineup, range(tournament.seats))  # compiles
            decisions, began = 0, time.perf_counter()
            while time.perf_counter() < began + _TIMED_SECONDS:
                decisions += int(player(series, lineup, games)[0].results["decisions"].sum())
            times[entrant.name] = (time.perf_counter() - began) * 1e6 / decisions
    return times
