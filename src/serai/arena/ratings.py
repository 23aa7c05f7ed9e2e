"""Ratings for games of any number of players: Plackett–Luce by maximum likelihood, with intervals.

Every entrant has a strength. A game's order comes about as if its first were drawn in proportion to strength, then the
second among the rest, and so on. Places that are shared count as the mean of all orders that could have been. The
likelihood is concave, so Newton's method finds the one maximum; a weak prior keeps an entrant who always wins finite.
Games with the same dice depend on each other, so intervals come from whole groups of them (a sandwich estimator).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple

from serai.errors import requiring

with requiring("fast", "ratings"):
    import numpy as np
    import numpy.typing as npt

from serai.arena.statistics import student
from serai.errors import BadArgument

Rank = Literal["places", "victories"]
"""What counts in a game: all places, or only who won."""
Floats = npt.NDArray[np.float64]

ELO = 400 / math.log(10)
"""Points for a factor of e in strength: 400 points are ten to one between two players."""
ANCHOR = 1500.0
"""The rating of the anchor, or of the mean if there is no anchor."""
_PRIOR = 5.0
"""The standard deviation of strengths before any game, in logarithms: some 870 points, which few games outweigh."""
_BITS = 4
"""For a place in a code of all places: there are at most 8 seats."""


class RatedGames(NamedTuple):
    """Games of the same entrants."""

    entrants: tuple[int, ...]
    """By slot; one may hold several."""
    places: npt.NDArray[np.int64]
    """By game and slot: how many were strictly ahead."""
    groups: npt.NDArray[np.int64]
    """By game: its group. Games of a group have the same dice."""
    luck: Floats | None = None
    """By game and slot: the share of victory that chance brought, with a mean of zero; ``None`` if unknown."""


class Ratings(NamedTuple):
    """The strengths of entrants, in points."""

    points: Floats
    covariance: Floats
    """Of the points. Only differences of points mean anything."""
    anchor: int | None
    groups: int
    """How many independent groups of games they come from."""
    bounded: bool
    """Whether games alone bound all ratings: everybody has lost to somebody who has, in turn, lost to them."""

    def error(self, one: int, other: int | None) -> float:
        """The standard error of the difference of two ratings, or of one and the mean of all."""
        contrast = np.zeros(len(self.points))
        contrast[one] += 1.0
        if other is None:
            contrast -= 1 / len(self.points)
        else:
            contrast[other] -= 1.0
        return math.sqrt(max(0.0, float(contrast @ self.covariance @ contrast)))

    def interval(self, one: int) -> tuple[float, float]:
        """The 95 % interval of a rating on this scale; that of the anchor is a single point."""
        reach = student(max(2, self.groups)) * self.error(one, self.anchor)
        return float(self.points[one]) - reach, float(self.points[one]) + reach

    def order(self) -> list[int]:
        """The entrants, best first; of equal ones the first of the list."""
        return sorted(range(len(self.points)), key=lambda entrant: (-self.points[entrant], entrant))


def places_of(scores: npt.NDArray[np.int64], winners: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """By game and seat: how many are strictly ahead. Winners share the first place, others go by score."""
    keys = scores.astype(np.int64) * 2
    keys[winners] = np.iinfo(np.int64).max
    return np.asarray((keys[:, None, :] > keys[:, :, None]).sum(axis=2))


def rate(
    lineups: Sequence[RatedGames],
    entrants: int,
    *,
    anchor: int | None = None,
    rank: Rank = "places",
    without_luck: bool = False,
) -> Ratings:
    """The ratings of ``entrants`` entrants by these games.

    ``without_luck``: what each group says of an entrant is lessened by as much of the entrant's luck in it as explains
    most, one factor for each. Since luck has a mean of zero, the ratings are those of the same strengths, less noisy.
    """
    chance = _luck(lineups, entrants) if without_luck else None
    terms = _Terms(lineups, entrants, rank)
    strengths = _maximum(terms, entrants)
    shares = terms.shares(strengths)
    information = _information(terms.weights, shares) + np.eye(entrants) / _PRIOR**2
    inverse: Floats = np.asarray(np.linalg.inv(information), np.float64)
    bounded = _all_comparable(lineups, entrants)
    said = terms.grouped(shares)
    groups = len(said)
    if bounded and groups > 1:
        if chance is not None:
            explained = explained_by(said, chance)
            strengths = strengths - inverse @ explained.sum(axis=0)
            said = said - explained
            said = said - said.mean(axis=0)
        middle = said.T @ said * groups / (groups - 1) + np.eye(entrants) / _PRIOR**2
        inverse = inverse @ middle @ inverse
    base = strengths[anchor] if anchor is not None else strengths.mean()
    return Ratings(ANCHOR + ELO * (strengths - base), ELO**2 * inverse, anchor, groups, bounded)


def explained_by(said: Floats, luck: Floats) -> Floats:
    """The part of each column that the same column of luck explains, by least squares through zero, luck's mean."""
    squares = (luck * luck).sum(axis=0)
    return np.asarray(luck * ((said * luck).sum(axis=0) / np.where(squares > 0, squares, 1.0)))


class _Terms:
    """The likelihood: ``linear @ t - sum(weights * log(members @ exp(t)))`` for strengths ``exp(t)``.

    A term is a set of players of whom one was first; equal sets of all games are one term.
    """

    def __init__(self, lineups: Sequence[RatedGames], entrants: int, rank: Rank) -> None:
        known: dict[tuple[int, ...], int] = {}
        pattern_linear: list[Floats] = []
        triples: list[tuple[int, int, float]] = []
        """Pattern, term, weight."""
        counts: list[int] = []
        self._codes: list[npt.NDArray[np.int64]] = []
        self._groups = [lineup.groups for lineup in lineups]
        for lineup in lineups:
            codes = lineup.places @ (1 << (_BITS * np.arange(len(lineup.entrants), dtype=np.int64)))
            _, firsts, inverse, times = np.unique(codes, return_index=True, return_inverse=True, return_counts=True)
            self._codes.append(inverse.reshape(-1) + len(counts))
            counts.extend(times.tolist())
            for places in lineup.places[firsts].tolist():
                linear, stages = _stages(tuple(places), rank)
                line = np.zeros(entrants)
                np.add.at(line, list(lineup.entrants), linear)
                for slots, weight in stages:
                    members = tuple(sorted(lineup.entrants[slot] for slot in slots))
                    triples.append((len(pattern_linear), known.setdefault(members, len(known)), weight))
                pattern_linear.append(line)
        self._linear = np.array(pattern_linear).reshape(-1, entrants)
        self._patterns = np.array([pattern for pattern, _, _ in triples], np.int64)
        self._terms = np.array([term for _, term, _ in triples], np.int64)
        self._parts: Floats = np.array([weight for _, _, weight in triples], np.float64)
        repeats = np.array(counts, np.float64)
        self.linear = repeats @ self._linear
        self.weights: Floats = np.zeros(len(known))
        np.add.at(self.weights, self._terms, self._parts * repeats[self._patterns])
        self.members = np.zeros((len(known), entrants))
        for members, place in known.items():
            np.add.at(self.members[place], list(members), 1.0)

    def value(self, strengths: Floats) -> float:
        return float(self.linear @ strengths - self.weights @ np.log(self.members @ np.exp(strengths)))

    def shares(self, strengths: Floats) -> Floats:
        """By term and entrant: how likely it is the first of them."""
        weighed = self.members * np.exp(strengths)
        return np.asarray(weighed / weighed.sum(axis=1, keepdims=True))

    def grouped(self, shares: Floats) -> Floats:
        """By group, all line-ups in turn, and entrant: the gradient of its games."""
        gradients = self._linear.copy()
        np.subtract.at(gradients, self._patterns, shares[self._terms] * self._parts[:, None])
        parts = [group_sums(gradients[codes], groups) for codes, groups in zip(self._codes, self._groups, strict=True)]
        return np.concatenate([np.zeros((0, shares.shape[1])), *parts])


def group_sums(values: Floats, groups: npt.NDArray[np.int64]) -> Floats:
    """Sums of lines by game over the games of each group, in the order of groups."""
    if not len(groups):
        return values
    order = np.argsort(groups, kind="stable")
    of_game = groups[order]
    starts = np.flatnonzero(np.r_[True, of_game[1:] != of_game[:-1]])
    return np.asarray(np.add.reduceat(values[order], starts, axis=0))


def _luck(lineups: Sequence[RatedGames], entrants: int) -> Floats:
    """By group, in the same order as gradients, and entrant."""
    parts = [np.zeros((0, entrants))]
    for lineup in lineups:
        if lineup.luck is None:
            raise BadArgument("ratings without luck need the luck of every game")
        parts.append(group_sums(by_entrant(lineup.luck, lineup.entrants, entrants), lineup.groups))
    return np.concatenate(parts)


def by_entrant(values: Floats, seated: Sequence[int], entrants: int) -> Floats:
    """Values by slot summed by entrant, who may hold several slots."""
    found = np.zeros((len(values), entrants))
    for slot, entrant in enumerate(seated):
        found[:, entrant] += values[:, slot]
    return found


def _maximum(terms: _Terms, entrants: int) -> Floats:
    """Newton's method, with steps cut in half until they lead up."""
    precision = 1 / _PRIOR**2
    strengths = np.zeros(entrants)

    def height(at: Floats) -> float:
        return terms.value(at) - precision / 2 * float(at @ at)

    for _ in range(100):
        shares = terms.shares(strengths)
        slope = terms.linear - terms.weights @ shares - precision * strengths
        step = np.linalg.solve(_information(terms.weights, shares) + precision * np.eye(entrants), slope)
        gain = float(slope @ step)
        if gain < 1e-16 * max(1.0, float(terms.weights.sum())):
            break
        size, here = 1.0, height(strengths)
        while size > 1e-6 and height(strengths + size * step) < here + 1e-4 * size * gain:
            size /= 2
        strengths = strengths + size * step
    return strengths


def _information(weights: Floats, shares: Floats) -> Floats:
    weighed = shares * weights[:, None]
    return np.asarray(np.diag(weighed.sum(axis=0)) - weighed.T @ shares)


@lru_cache(maxsize=1 << 16)
def _stages(places: tuple[int, ...], rank: Rank) -> tuple[tuple[float, ...], tuple[tuple[tuple[int, ...], float], ...]]:
    """What an order of slots adds: a weight for each slot, and the sets of which one was first, with their weights."""
    slots = range(len(places))
    if rank == "victories":
        winners = [slot for slot in slots if places[slot] == 0]
        return tuple((slot in winners) / len(winners) for slot in slots), ((tuple(slots), 1.0),)
    linear = [0.0] * len(places)
    stages: list[tuple[tuple[int, ...], float]] = []
    left = set(slots)
    for place in sorted(set(places)):
        tied = [slot for slot in slots if places[slot] == place]
        for slot in tied:
            linear[slot] += 1.0
        for gone in range(len(tied)):
            ways = list(combinations(tied, gone))
            for way in ways:
                rest = tuple(sorted(left - set(way)))
                if len(rest) == 1:  # nobody to be compared with
                    linear[rest[0]] -= 1 / len(ways)
                else:
                    stages.append((rest, 1 / len(ways)))
        left -= set(tied)
    return tuple(linear), tuple(stages)


def _all_comparable(lineups: Sequence[RatedGames], entrants: int) -> bool:
    """Whether a chain of games that were not lost leads from everybody to everybody."""
    ahead = np.eye(entrants, dtype=bool)
    for lineup in lineups:
        for one, entrant in enumerate(lineup.entrants):
            for other, opponent in enumerate(lineup.entrants):
                if entrant != opponent and not ahead[entrant, opponent]:
                    ahead[entrant, opponent] = bool((lineup.places[:, one] <= lineup.places[:, other]).any())
    for middle in range(entrants):
        ahead |= ahead[:, middle : middle + 1] & ahead[middle : middle + 1, :]
    return bool(ahead.all())
