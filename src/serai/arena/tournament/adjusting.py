"""Standings with luck taken out, where the coach has judged the draws of the games.

Luck has a mean of zero before every draw, whoever plays. So as much of it as explains most is taken off the results,
by least squares over groups of games: what is expected stays the same, and intervals get narrower.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from serai.arena.ratings import Floats, Lineup, by_entrant, explained_by, group_sums, rate
from serai.arena.statistics import student
from serai.arena.tournament.archive import Archive
from serai.arena.tournament.lineups import Seated
from serai.arena.tournament.standings import Games, gathered


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
    """An entrant by the games whose luck is known, as they ended and with luck taken out."""

    name: str
    rating: Estimate
    adjusted_rating: Estimate
    wins: Estimate
    """The share of victory."""
    adjusted_wins: Estimate
    """Without luck; it may lie outside of 0 to 1."""


class Adjusted(msgspec.Struct, frozen=True):
    """Standings with luck taken out, best first by them."""

    games: int
    groups: int
    evaluator: str
    entrants: tuple[AdjustedStanding, ...]


def adjusted_of(archive: Archive) -> Adjusted | None:
    """The standings without luck, by the groups of which all games were judged; ``None`` where these are too few."""
    tournament = archive.tournament
    entrants = len(tournament.entrants)
    found = [judged for games in gathered(archive) if len((judged := _Judged.of(archive, games)).group)]
    groups = sum(len(np.unique(games.group)) for games in found)
    if groups < 2:
        return None
    lineups = [Lineup(games.seated, games.places, games.group, games.luck) for games in found]
    plain, without = (
        rate(lineups, entrants, anchor=tournament.anchored, rank=tournament.rank, without_luck=out)
        for out in (False, True)
    )
    wins = np.concatenate([group_sums(by_entrant(one.wins, one.seated, entrants), one.group) for one in found])
    chance = np.concatenate([group_sums(by_entrant(one.luck, one.seated, entrants), one.group) for one in found])
    seats = np.concatenate([_seats(one, entrants) for one in found])
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

    seated: Seated
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


def _seats(games: _Judged, entrants: int) -> Floats:
    """By group and entrant: in how many seats of its games it sat."""
    return group_sums(by_entrant(np.ones_like(games.wins), games.seated, entrants), games.group)


def _share(wins: Floats, seats: Floats, chance: Floats) -> Estimate:
    """A share of victory, less the luck that explains most of what is not expected, by groups."""
    total, groups = float(seats.sum()), len(wins)
    if not total:
        return Estimate(math.nan, math.nan, math.nan)
    taken = explained_by((wins - seats * (wins.sum() / total))[:, None], chance[:, None])[:, 0]
    mean = float((wins - taken).sum()) / total
    left = wins - taken - seats * mean
    reach = student(groups) * math.sqrt(float(left @ left) * groups / (groups - 1)) / total
    return Estimate(mean, mean - reach, mean + reach)
