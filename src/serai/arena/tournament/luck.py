"""The luck of every game of a tournament, judged by the coach, and standings without luck.

Luck has a mean of zero before every draw. So the part of it that explains most is subtracted from the results, by least
squares over groups of games: expected results stay the same, and intervals get narrower.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from serai.arena.executors import Piece, Task, hand_out
from serai.arena.ratings import Floats, RatedGames, by_entrant, explained_by, group_sums, rate
from serai.arena.statistics import student
from serai.arena.tournament.archive import Archive
from serai.arena.tournament.description import Lineup, Tournament
from serai.arena.tournament.runner import simulator_of
from serai.arena.tournament.standings import Games, gathered
from serai.arena.worker_processes import Processes
from serai.core.record import Record

Luck = list[tuple[int, tuple[float, ...]]]
"""Number of a game, and by seat the share of victory that chance brought."""
Luckiness = Callable[[Record], tuple[float, ...]]
"""Returns by seat of a game: the share of victory that chance brought."""


class LuckJudge(NamedTuple):
    """Who judges luck: the coach, of which the arena knows nothing else."""

    name: str
    """Judgements by different names are not mixed."""
    luck: Luckiness


def judge(
    archive: Archive, by: LuckJudge, *, jobs: int, tell: Callable[[int], None], stopped: Callable[[], bool]
) -> bool:
    """Judge the luck of all games that are not judged yet; whether that is done.

    Judgements are stored as they come, so that the next call continues after a stop.
    """
    archive.judge_by(by.name)
    due = _due(archive)

    def task(piece: Piece) -> Task:
        lineup, (first, last) = piece.kind, (piece.numbers.start, piece.numbers.stop)
        numbers = [number for group in due[lineup][first:last] for number in group]
        return Task((archive.lineups[lineup], [(number, archive.record(lineup, number)) for number in numbers]))

    pieces = [Piece(lineup, range(len(groups))) for lineup, groups in due.items()]
    with Processes(partial(_judged, by.luck, archive.tournament, archive.secret), jobs) as executor:
        for piece, luck in hand_out(executor, pieces, task, stopped=stopped):
            archive.store_luck(piece.kind, luck)
            tell(len(luck))
    return not any(_due(archive).values())


def _due(archive: Archive) -> dict[int, list[list[int]]]:
    """By line-up: the numbers that are not judged yet, by groups; always in the same order."""
    size = archive.tournament.seats
    due = {}
    for _, lineup in sorted((seated, lineup) for lineup, seated in archive.lineups.items()):
        judged = archive.luck(lineup)
        groups: dict[int, list[int]] = {}
        for number in sorted(number for games in archive.stored.get(lineup, ()) for number in games.numbers):
            if number not in judged:
                groups.setdefault(number // size, []).append(number)
        due[lineup] = list(groups.values())
    return due


def _judged(
    luck_of: Luckiness, tournament: Tournament, secret: str, lineup: Lineup, records: Sequence[tuple[int, str | None]]
) -> Luck:
    """In a worker process: the luck of every seat in these games."""
    simulator = simulator_of(tournament, secret, lineup)
    luck = []
    for number, text in records:
        if text is None:
            assert simulator is not None, "a game without a record was compiled"
            text = simulator.record(number).write()
        luck.append((number, luck_of(Record.read(text))))
    return luck


# -- standings without luck --------------------------------------------------------------------------------------------


class Estimate(msgspec.Struct, frozen=True):
    """A figure with its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """Of the interval."""
        return self.high - self.low


class AdjustedStanding(msgspec.Struct, frozen=True):
    """An entrant by the games whose luck is known, with luck and without."""

    name: str
    rating: Estimate
    adjusted_rating: Estimate
    wins: Estimate
    """The share of victory."""
    adjusted_wins: Estimate
    """Without luck; it may be below 0 or above 1."""


class Adjusted(msgspec.Struct, frozen=True):
    """Standings without luck, best first."""

    games: int
    groups: int
    evaluator: str
    entrants: tuple[AdjustedStanding, ...]


def adjusted_of(archive: Archive) -> Adjusted | None:
    """The standings without luck, by the groups of which all games were judged; ``None`` if they are too few."""
    tournament = archive.tournament
    entrants = len(tournament.entrants)
    found = [judged for games in gathered(archive) if len((judged := _Judged.of(archive, games)).group)]
    groups = sum(len(np.unique(games.group)) for games in found)
    if groups < 2:
        return None
    lineups = [RatedGames(games.seated, games.places, games.group, games.luck) for games in found]
    plain, without = (
        rate(lineups, entrants, anchor=tournament.anchored, rank=tournament.rank, without_luck=out)
        for out in (False, True)
    )
    wins = np.concatenate([group_sums(by_entrant(one.wins, one.seated, entrants), one.group) for one in found])
    chance = np.concatenate([group_sums(by_entrant(one.luck, one.seated, entrants), one.group) for one in found])
    seats = np.concatenate(
        [group_sums(by_entrant(np.ones_like(one.wins), one.seated, entrants), one.group) for one in found]
    )
    return Adjusted(
        games=sum(len(games.group) for games in found),
        groups=groups,
        evaluator=archive.evaluator,
        entrants=tuple(
            AdjustedStanding(
                name=tournament.names[entrant],
                rating=Estimate(float(plain.points[entrant]), *plain.interval(entrant)),
                adjusted_rating=Estimate(float(without.points[entrant]), *without.interval(entrant)),
                wins=_share(wins[:, entrant], seats[:, entrant], np.zeros(groups)),
                adjusted_wins=_share(wins[:, entrant], seats[:, entrant], chance[:, entrant]),
            )
            for entrant in without.order()
        ),
    )


class _Judged(NamedTuple):
    """The games of a line-up in whole groups that were judged."""

    seated: Lineup
    group: npt.NDArray[np.int64]
    """By game."""
    places: npt.NDArray[np.int64]
    wins: Floats
    luck: Floats
    """Both by game and slot."""

    @classmethod
    def of(cls, archive: Archive, games: Games) -> _Judged:
        size = len(games.seated)
        known = archive.luck(archive.lineup(games.seated))
        judged = np.array([number in known for number in games.numbers.tolist()], bool)
        _, group = np.unique(games.numbers // size, return_inverse=True)
        whole = np.bincount(group, judged)[group] == size
        numbers, seats = games.numbers[whole], games.seats[whole]
        winners = games.results["winners"][whole]
        shares = winners / np.maximum(1, winners.sum(axis=1, keepdims=True))
        by_seat = np.array([known[number] for number in numbers.tolist()], np.float64).reshape(-1, size)
        return cls(
            games.seated,
            numbers // size,
            games.places[whole],
            np.take_along_axis(shares, seats, axis=1),
            np.take_along_axis(by_seat, seats, axis=1),
        )


def _share(wins: Floats, seats: Floats, chance: Floats) -> Estimate:
    """A share of victory, minus the luck that explains most of its deviations, by groups."""
    total, groups = float(seats.sum()), len(wins)
    if not total:
        return Estimate(math.nan, math.nan, math.nan)
    taken = explained_by((wins - seats * (wins.sum() / total))[:, None], chance[:, None])[:, 0]
    mean = float((wins - taken).sum()) / total
    left = wins - taken - seats * mean
    reach = student(groups) * math.sqrt(float(left @ left) * groups / (groups - 1)) / total
    return Estimate(mean, mean - reach, mean + reach)
