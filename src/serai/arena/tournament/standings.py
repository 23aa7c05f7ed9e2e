"""The standings of a tournament: ratings with intervals, shares of victory, places, scores and times."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from serai.arena.ratings import RatedGames, Ratings, places_of, rate
from serai.arena.statistics import Share, wilson
from serai.arena.tournament.archive import Archive, StoredGames
from serai.arena.tournament.description import Lineup, Tournament
from serai.core.arguments import MAX_PLIES


class Standing(msgspec.Struct, frozen=True):
    """One entrant; a game counts once for each of its seats."""

    place: int
    name: str
    spec: str
    rating: float
    low: float
    high: float
    better: float | None
    """The probability that it is better than the next; ``None`` for the last."""
    games: int
    wins: float
    """Share of victories; a shared one counts in part."""
    mean_place: float
    """From 1; a shared place counts as the mean of the places shared."""
    score: float
    decisions: int
    microseconds: float | None
    """Mean time of a decision; of compiled entrants measured in games against itself."""
    faults: int


class Standings(msgspec.Struct, frozen=True):
    """The standings of all entrants, best first."""

    games: int
    truncated: int
    """Games that were cut short as too long, and count as they stood."""
    groups: int
    bounded: bool
    anchor: str
    entrants: tuple[Standing, ...]
    seats: tuple[Share, ...]
    """By seat: its share of victories, all entrants taken together."""
    beats: tuple[tuple[float | None, ...], ...]
    """By entrant, in this order, and opponent: the part of their games in which it came in before them."""


def ratings_of(archive: Archive) -> Ratings:
    """The ratings by all games so far."""
    return _rated(archive.tournament, gathered(archive))


def standings_of(archive: Archive) -> Standings:
    """The standings by all games so far."""
    tournament, found = archive.tournament, gathered(archive)
    entrants = len(tournament.entrants)
    ratings = _rated(tournament, found)
    count, wins, places, scores, thought, timed, decisions, faults = (np.zeros(entrants) for _ in range(8))
    ahead, met = np.zeros((entrants, entrants)), np.zeros((entrants, entrants))
    by_seat = np.zeros(tournament.seats)
    for games in found:
        who = list(games.seated)
        results, seats = games.results, games.seats
        shares = results["winners"] / results["winners"].sum(axis=1, keepdims=True)
        by_seat += shares.sum(axis=0)
        for total, values in (
            (wins, shares),
            (scores, results["scores"]),
            (thought, results["thought"]),
            (decisions, results["decisions"]),
            (timed, results["decisions"] * (results["thought"] > 0)),
            (faults, results["faults"]),
        ):
            np.add.at(total, who, np.take_along_axis(values, seats, axis=1).sum(axis=0, dtype=np.float64))
        np.add.at(count, who, float(len(results)))
        tied = (games.places[:, None, :] == games.places[:, :, None]).sum(axis=2) - 1
        np.add.at(places, who, (1 + games.places + tied / 2).sum(axis=0))
        for one, entrant in enumerate(who):
            for other, opponent in enumerate(who):
                if entrant != opponent:
                    mine, theirs = games.places[:, one], games.places[:, other]
                    ahead[entrant, opponent] += float((mine < theirs).sum() + (mine == theirs).sum() / 2)
                    met[entrant, opponent] += len(results)
    cut = int(sum((games.results["plies"] >= MAX_PLIES).sum() for games in found))
    played = int(sum(len(games.results) for games in found))
    order, times = ratings.order(), archive.times

    def standing(place: int) -> Standing:
        entrant = order[place]
        asked = tournament.entrants[entrant]
        low, high = ratings.interval(entrant)
        many = max(1.0, float(count[entrant]))
        return Standing(
            place=place + 1,
            name=asked.name,
            spec=asked.spec,
            rating=float(ratings.points[entrant]),
            low=low,
            high=high,
            better=None if place + 1 == entrants else probability_better(ratings, entrant, order[place + 1]),
            games=int(count[entrant]),
            wins=float(wins[entrant]) / many,
            mean_place=float(places[entrant]) / many,
            score=float(scores[entrant]) / many,
            decisions=int(decisions[entrant]),
            microseconds=float(thought[entrant] / timed[entrant]) if timed[entrant] else times.get(asked.name),
            faults=int(faults[entrant]),
        )

    return Standings(
        games=played,
        truncated=cut,
        groups=ratings.groups,
        bounded=ratings.bounded,
        anchor=tournament.anchor,
        entrants=tuple(standing(place) for place in range(entrants)),
        seats=tuple(wilson(float(won) / max(1, played), max(1, ratings.groups)) for won in by_seat),
        beats=tuple(
            tuple(float(ahead[one, other] / met[one, other]) if met[one, other] else None for other in order)
            for one in order
        ),
    )


def probability_better(ratings: Ratings, one: int, other: int) -> float:
    """The probability that the first is better than the second, by the normal distribution."""
    error = ratings.error(one, other)
    lead = float(ratings.points[one] - ratings.points[other])
    return 0.5 if error == 0 else 0.5 * math.erfc(-lead / error / math.sqrt(2))


class Games(msgspec.Struct, frozen=True):
    """The games of a line-up, in their order."""

    seated: Lineup
    numbers: npt.NDArray[np.int64]
    results: npt.NDArray[np.void]
    seats: npt.NDArray[np.int64]
    """By game and slot."""
    places: npt.NDArray[np.int64]
    """By game and slot."""


def gathered(archive: Archive) -> list[Games]:
    """All games by line-up, in an order that does not depend on which finished first."""
    by_seated = sorted((archive.lineups[lineup], stored) for lineup, stored in archive.stored.items() if stored)
    return [_games(seated, stored) for seated, stored in by_seated]


def _games(seated: Lineup, stored: Sequence[StoredGames]) -> Games:
    ordered = sorted(stored, key=lambda one: one.numbers.start)
    numbers = np.concatenate([np.arange(one.numbers.start, one.numbers.stop) for one in ordered])
    results = np.concatenate([one.results for one in ordered])
    seats = seats_of(seated, numbers)
    by_seat = places_of(results["scores"], results["winners"].astype(bool))
    return Games(seated, numbers, results, seats, np.take_along_axis(by_seat, seats, axis=1))


def seats_of(lineup: Sequence[int], numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """By game and slot of the line-up: the seat."""
    size = len(lineup)
    return np.asarray((np.arange(size)[None, :] + numbers[:, None]) % size)


def _rated(tournament: Tournament, found: Sequence[Games]) -> Ratings:
    lineups = [RatedGames(games.seated, games.places, games.numbers // tournament.seats) for games in found]
    return rate(lineups, len(tournament.entrants), anchor=tournament.anchored, rank=tournament.rank)
