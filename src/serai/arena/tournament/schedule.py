"""What is played next, and whether enough has been played. Follows from the games so far alone, not from who played."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from serai.arena.ratings import Ratings
from serai.arena.statistics import student
from serai.arena.tournament.archive import Archive, Planned
from serai.arena.tournament.description import Stop
from serai.arena.tournament.lineups import Seated, all_lineups, orders, window
from serai.arena.tournament.standings import ratings_of

_WRONG = 0.05
"""How often a sequential test may call the worse one better, or overlook that one is better."""
_PLAIN = 4.0
"""A lead of so many standard errors is plain, however often one looks."""
_FEWEST = 10
"""Groups per entrant before anything counts as settled."""
_GROWTH = 4
"""A round that ends with a look at the ratings adds one part of so many to what has been played."""
_NEED = 100.0
"""Two neighbours get at most so many times the games of two who are just apart."""


def next_round(archive: Archive) -> list[Planned]:
    """The games of the next round: whole groups, none if it is time to stop."""
    stop, seats = archive.stop, archive.tournament.seats
    left = math.inf if stop.games is None else math.ceil((stop.games - archive.games) / seats)
    looking = stop.settled is not None or archive.tournament.schedule == "ladder"
    ratings = ratings_of(archive) if looking and archive.games else None
    if left <= 0 or (stop.settled is not None and ratings is not None and all(settled(ratings, stop))):
        return []
    entrants = len(archive.tournament.entrants)
    if archive.tournament.schedule == "ladder" and entrants >= seats:
        wanted = _ladder(archive, ratings)
    else:
        wanted = _everybody(archive, looking=looking, left=left)
    planned: list[Planned] = []
    for seated, groups in wanted:
        count = int(min(groups, left))
        if count <= 0:
            break
        left -= count
        lineup = archive.lineup(seated)
        first = max((kept.numbers.stop for kept in archive.kept.get(lineup, ())), default=0)
        first = math.ceil(first / seats) * seats
        planned.append(Planned(lineup, range(first, first + count * seats)))
    return planned


def settled(ratings: Ratings, stop: Stop) -> list[bool]:
    """Of every two neighbours, best first: whether it is known who is better, or that they are no further apart."""
    order = ratings.order()
    enough = ratings.groups >= _FEWEST * len(order)
    return [enough and _apart(ratings, one, other, stop) for one, other in itertools.pairwise(order)]


def _apart(ratings: Ratings, one: int, other: int, stop: Stop) -> bool:
    lead, error = float(ratings.points[one] - ratings.points[other]), ratings.error(one, other)
    if error == 0:
        return False
    if stop.settled == "interval":
        reach = student(max(2, ratings.groups)) * error
        return lead > reach or lead + reach < stop.points
    if lead > _PLAIN * error:  # far apart: a test made for small differences would ask for more than it needs
        return True
    # the sequential probability ratio test of "no better" against "better by that much", with a normal likelihood
    told = stop.points * (lead - stop.points / 2) / error**2
    return abs(told) >= math.log((1 - _WRONG) / _WRONG)


def _everybody(archive: Archive, *, looking: bool, left: float) -> list[tuple[Seated, int]]:
    """The same number of groups for all line-ups; those that are cut off had one more before."""
    tournament = archive.tournament
    lineups = all_lineups(len(tournament.entrants), tournament.seats)
    each = archive.games // tournament.seats // len(lineups)
    if looking:
        return [(seated, max(1, each // _GROWTH)) for seated in lineups]
    if math.isinf(left):
        return [(seated, max(1, each)) for seated in lineups]
    share, more = divmod(int(left), len(lineups))
    return [(seated, share + (place < more)) for place, seated in enumerate(lineups)]


def _ladder(archive: Archive, ratings: Ratings | None) -> list[tuple[Seated, int]]:
    """Most games where two neighbours are hardest to tell apart; those who sit with them are the nearest."""
    seats, entrants = archive.tournament.seats, len(archive.tournament.entrants)
    if ratings is None:
        ring = [*range(entrants), *range(seats)]
        return [(tuple(ring[place : place + seats]), 2) for place in range(entrants)]
    order = ratings.order()
    needs = [
        0.0 if done else _need(ratings, one, other)
        for done, (one, other) in zip(settled(ratings, archive.stop), itertools.pairwise(order), strict=True)
    ]
    if not any(needs):
        needs = [_need(ratings, one, other) for one, other in itertools.pairwise(order)]
    budget = max(entrants, archive.games // seats // _GROWTH)
    wanted: dict[Seated, int] = {}
    for place, need in enumerate(needs):
        groups = math.ceil(budget * need / sum(needs)) if need else 0
        if groups:
            seated = _order(window(order, place, seats), archive.rounds)
            wanted[seated] = wanted.get(seated, 0) + groups
    return list(wanted.items())


def _order(table: Seated, turn: int) -> Seated:
    found: Sequence[Seated] = orders(table)
    return found[turn % len(found)]


def _need(ratings: Ratings, one: int, other: int) -> float:
    """How many more games these two want, beside those whose lead is just twice its error."""
    lead = abs(float(ratings.points[one] - ratings.points[other]))
    return min(_NEED, (2 * ratings.error(one, other) / max(lead, 1e-9)) ** 2)
