"""Who sits down together: line-ups of all against all, and those of a ladder."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from functools import lru_cache

Seated = tuple[int, ...]
"""Entrants in the order in which they sit; the seats go round, so only who follows whom matters."""

_ORDERS = 6
"""Of a table so many orders are played at most: all there are of four."""
_MOST = 2000
"""Line-ups; with more entrants than that allows, line-ups are dealt instead of listed."""


@lru_cache(maxsize=16)
def all_lineups(entrants: int, seats: int) -> tuple[Seated, ...]:
    """All tables of so many entrants, in an order in which soon everybody has met everybody.

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
def orders(table: Seated) -> tuple[Seated, ...]:
    """Orders in which these can sit, of those that differ in who follows whom; some of them, where they are many."""
    first, *rest = table
    found = {(first, *rest): None}
    if len(table) <= 4:
        found.update(dict.fromkeys((first, *order) for order in itertools.permutations(rest)))
    else:
        rng = random.Random(f"orders {table}")
        while len(found) < min(_ORDERS, len(set(table)) - 1):
            found[first, *rng.sample(rest, len(rest))] = None
    different: dict[Seated, Seated] = {}
    for order in found:
        rounds = [order[shift:] + order[:shift] for shift in range(len(order))]
        different.setdefault(min(rounds), order)
    return tuple(different.values())[:_ORDERS]


def window(ranking: Sequence[int], place: int, seats: int) -> Seated:
    """The entrants around those two neighbours in a ranking who are to be told apart."""
    start = min(max(0, place - (seats - 2) // 2), len(ranking) - seats)
    return tuple(sorted(ranking[start : start + seats]))


def _dealt(entrants: int, seats: int, rng: random.Random) -> tuple[Seated, ...]:
    """Line-ups for which always those are drawn who have sat down least often."""
    seated = [0] * entrants
    found: list[Seated] = []
    for _ in range(_MOST // 2):
        order = sorted(range(entrants), key=lambda entrant: (seated[entrant], rng.random()))
        found.append(tuple(order[:seats]))
        for entrant in order[:seats]:
            seated[entrant] += 1
    return tuple(found)
