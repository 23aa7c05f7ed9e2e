"""The schedule: which line-ups play next, and whether it is time to stop. It depends on the games so far alone."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from functools import lru_cache

from serai.arena.executors import Piece
from serai.arena.ratings import Ratings
from serai.arena.statistics import student
from serai.arena.tournament.archive import Archive
from serai.arena.tournament.description import Lineup, Stop
from serai.arena.tournament.standings import ratings_of

_WRONG = 0.05
"""How often a sequential test may call the worse one better, or overlook that one is better."""
_PLAIN = 4.0
"""A lead of this many standard errors is clear, however often one looks."""
_FEWEST = 10
"""Groups per entrant before anything counts as settled."""
_GROWTH = 4
"""If ratings decide what is next, a round adds one part in this many to the games so far."""
_NEED = 100.0
"""Two neighbours get at most this many times the games of two whose lead is just clear."""


def next_round(archive: Archive) -> list[Piece]:
    """The games of the next round, whole groups; none if it is time to stop."""
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
    planned: list[Piece] = []
    for seated, groups in wanted:
        count = int(min(groups, left))
        if count <= 0:
            break
        left -= count
        lineup = archive.lineup(seated)
        first = max((games.numbers.stop for games in archive.stored.get(lineup, ())), default=0)
        first = math.ceil(first / seats) * seats
        planned.append(Piece(lineup, range(first, first + count * seats)))
    return planned


def settled(ratings: Ratings, stop: Stop) -> list[bool]:
    """Of every two neighbours, best first: whether it is known who is better, or that they are equal."""
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
    evidence = stop.points * (lead - stop.points / 2) / error**2
    return abs(evidence) >= math.log((1 - _WRONG) / _WRONG)


def _everybody(archive: Archive, *, looking: bool, left: float) -> list[tuple[Lineup, int]]:
    """The same number of groups for all line-ups."""
    tournament = archive.tournament
    lineups = all_lineups(len(tournament.entrants), tournament.seats)
    each = archive.games // tournament.seats // len(lineups)
    if looking:
        return [(seated, max(1, each // _GROWTH)) for seated in lineups]
    if math.isinf(left):
        return [(seated, max(1, each)) for seated in lineups]
    share, more = divmod(int(left), len(lineups))
    return [(seated, share + (place < more)) for place, seated in enumerate(lineups)]


def _ladder(archive: Archive, ratings: Ratings | None) -> list[tuple[Lineup, int]]:
    """Most games for the neighbours that are hardest to rank, at tables with those nearest to them."""
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
    wanted: dict[Lineup, int] = {}
    for place, need in enumerate(needs):
        groups = math.ceil(budget * need / sum(needs)) if need else 0
        if groups:
            seatings = orders(window(order, place, seats))
            seated = seatings[archive.rounds % len(seatings)]
            wanted[seated] = wanted.get(seated, 0) + groups
    return list(wanted.items())


def _need(ratings: Ratings, one: int, other: int) -> float:
    """How many more games these two need than two whose lead is just twice its error."""
    lead = abs(float(ratings.points[one] - ratings.points[other]))
    return min(_NEED, (2 * ratings.error(one, other) / max(lead, 1e-9)) ** 2)


# -- line-ups ----------------------------------------------------------------------------------------------------------

_ORDERS = 6
"""Most orders of a table that are played: of four players all."""
_MOST = 2000
"""Most tables that are listed; with more entrants line-ups are drawn."""


@lru_cache(maxsize=16)
def all_lineups(entrants: int, seats: int) -> tuple[Lineup, ...]:
    """All tables of this many entrants, ordered so that everybody soon has met everybody.

    Where there are fewer entrants than seats, each holds at least one.
    """
    rng = random.Random(f"line-ups {entrants} {seats}")
    if math.comb(entrants, seats) > _MOST:
        return _dealt(entrants, seats, rng)
    tables = list(itertools.combinations(range(entrants), seats))
    if entrants < seats:
        tables = [
            table
            for table in itertools.combinations_with_replacement(range(entrants), seats)
            if len(set(table)) == entrants
        ]
    sweeps = []
    for turn in range(_ORDERS):
        sweep = [found[turn] for table in tables if turn < len(found := orders(table))]
        rng.shuffle(sweep)
        sweeps.extend(sweep)
    return tuple(sweeps)


@lru_cache(maxsize=4096)
def orders(table: Lineup) -> tuple[Lineup, ...]:
    """Orders in which these can sit that differ in who follows whom; a selection if they are many."""
    first, *rest = table
    found = {(first, *rest): None}
    if len(table) <= 4:
        found.update(dict.fromkeys((first, *order) for order in itertools.permutations(rest)))
    else:
        rng = random.Random(f"orders {table}")
        while len(found) < min(_ORDERS, len(set(table)) - 1):
            found[first, *rng.sample(rest, len(rest))] = None
    different: dict[Lineup, Lineup] = {}
    for order in found:
        rounds = [order[shift:] + order[:shift] for shift in range(len(order))]
        different.setdefault(min(rounds), order)
    return tuple(different.values())[:_ORDERS]


def window(ranking: Sequence[int], place: int, seats: int) -> Lineup:
    """The entrants around two neighbours in a ranking."""
    start = min(max(0, place - (seats - 2) // 2), len(ranking) - seats)
    return tuple(sorted(ranking[start : start + seats]))


def _dealt(entrants: int, seats: int, rng: random.Random) -> tuple[Lineup, ...]:
    """Line-ups of those who have sat down least often so far."""
    seated = [0] * entrants
    found: list[Lineup] = []
    for _ in range(_MOST // 2):
        order = sorted(range(entrants), key=lambda entrant: (seated[entrant], rng.random()))
        found.append(tuple(order[:seats]))
        for entrant in order[:seats]:
            seated[entrant] += 1
    return tuple(found)
