"""What the games teach: figures out of many games, and the positions that show them. What both games share.

A game has a module ``training.GAME_insights`` with ``counted`` (sums over numbered games), ``compared`` (actions
compared by the coach's playouts in positions of such games) and ``INSIGHTS`` (what is made of them). Every block of
games depends on the seed and its number alone, so the figures do not depend on the number of processes.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec
import numba
import numpy as np
import numpy.typing as npt

from serai.coach.exercise_search import check_position
from serai.coach.exercises import Exercise
from serai.coach.insights import Insight, Insights
from serai.core.game import Game
from serai.core.registry import game as find_game
from serai.wire.bodies import InsightBar

Sums = npt.NDArray[np.float64]
"""By cell: the sums over games of x, n, x², x n and n²."""
X, N, XX, XN, NN = range(5)
CERTAIN: Final = 1.96
TRIED: Final = 1500
"""Positions that are checked at most until one shows an insight."""


class Estimate(NamedTuple):
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def around(cls, value: float, error: float) -> Estimate:
        """The value with ``CERTAIN`` standard errors on both sides."""
        return cls(value, value - CERTAIN * error, value + CERTAIN * error)

    def times(self, factor: float) -> Estimate:
        """The same in another unit."""
        return Estimate(*(factor * one for one in self))


@numba.njit(error_model="numpy", nogil=True)
def add(x: npt.NDArray[np.float64], n: npt.NDArray[np.float64], cell: int, value: float) -> None:
    """Count what a cell saw once more in this game."""
    x[cell] += value
    n[cell] += 1.0


@numba.njit(error_model="numpy", nogil=True)
def add_game(x: npt.NDArray[np.float64], n: npt.NDArray[np.float64], sums: Sums) -> None:
    """Add what a whole game brought to each cell."""
    for cell in range(len(x)):
        if n[cell] > 0.0:
            sums[cell, X] += x[cell]
            sums[cell, N] += n[cell]
            sums[cell, XX] += x[cell] * x[cell]
            sums[cell, XN] += x[cell] * n[cell]
            sums[cell, NN] += n[cell] * n[cell]


class Counted:
    """Cells that many games were counted into: in each the mean of x, where it was seen n times in a game."""

    def __init__(self, sums: Sums, games: int) -> None:
        self.sums, self.games = sums, games

    def mean(self, cell: int) -> Estimate:
        """The mean of a cell; its error is that of a ratio of sums by game, since what one game brings is not
        independent.
        """
        x, n, xx, xn, nn = self.sums[cell]
        if n == 0:
            return Estimate(math.nan, math.nan, math.nan)
        mean = x / n
        spread = max(0.0, xx - 2 * mean * xn + mean * mean * nn)
        return Estimate.around(mean, math.sqrt(spread) / n)


class Compared:
    """Leads of one way to act over another, one from each position, by case."""

    def __init__(self) -> None:
        self.leads: dict[str, list[float]] = {}
        self.games: dict[str, int] = {}

    def add(self, case: str, lead: float, games: int) -> None:
        """A position of this case."""
        self.leads.setdefault(case, []).append(lead)
        self.games[case] = self.games.get(case, 0) + games

    def take(self, other: Compared) -> None:
        """Add another's positions."""
        for case, leads in other.leads.items():
            self.leads.setdefault(case, []).extend(leads)
            self.games[case] = self.games.get(case, 0) + other.games[case]

    def mean(self, case: str) -> Estimate:
        """The mean lead of a case, in per cent of victories."""
        leads = np.array(self.leads.get(case, ()))
        if len(leads) < 2:
            return Estimate(math.nan, math.nan, math.nan)
        return Estimate.around(100 * float(leads.mean()), 100 * float(leads.std(ddof=1)) / math.sqrt(len(leads)))


class Found(NamedTuple):
    """All that was measured."""

    counted: Counted
    compared: Compared

    def games(self, *cases: str) -> int:
        """The games that were played on in these cases."""
        return sum(self.compared.games.get(case, 0) for case in cases)


class Asked(NamedTuple):
    """One insight before it is measured."""

    key: str
    unit: str
    bars: Callable[[Found], list[InsightBar]]
    games: Callable[[Found], int]
    holds: Callable[[Insight], bool]
    """Whether the figures, with their intervals, are as the sentence says."""
    shows: Callable[[Any, Any], bool] | None = None
    """Whether a position and its best action show it."""
    mark: float | None = None


def bar(name: str, label: str, estimate: Estimate, /, **values: int | str) -> InsightBar:
    """A bar of the figures, rounded as far as the interval allows."""
    digits = 3
    return InsightBar(name, label, values, *(round(float(one), digits) for one in estimate))


def above(insight: Insight, name: str, least: float) -> bool:
    """Whether a figure is surely larger than that."""
    return insight.bar(name).low > least


def below(insight: Insight, name: str, most: float) -> bool:
    """Whether a figure is surely smaller than that."""
    return insight.bar(name).high < most


def apart(insight: Insight, more: str, less: str) -> bool:
    """Whether one figure is surely larger than another: their intervals do not touch."""
    return insight.bar(more).low > insight.bar(less).high


def make(name: str, seed: int, *, blocks: int, positions: int, jobs: int) -> Iterator[str | Insights]:
    """Measure a game's insights; yields lines to print and the :class:`Insights`, with more positions each time.

    What does not hold (any more) is left out.
    """
    module, game = importlib.import_module(f"training.{name}_insights"), find_game(name)
    with ProcessPoolExecutor(jobs) as pool:
        parts = list(pool.map(_counted, *zip(*((name, seed, block) for block in range(blocks)), strict=True)))
        counted = Counted(np.sum(parts, axis=0), blocks * module.BLOCK)
        yield f"{counted.games:,} games counted"
        compared = Compared()
        for part in pool.map(_compared, *zip(*((name, seed, block) for block in range(positions)), strict=True)):
            compared.take(part)
        yield f"{sum(compared.games.values()):,} games played on"
        found = Found(counted, compared)
        made = {
            asked: Insight(asked.key, asked.unit, tuple(asked.bars(found)), asked.games(found), asked.mark)
            for asked in module.INSIGHTS
        }
        for asked, one in made.items():
            yield f"{'holds' if asked.holds(one) else 'FAILS'}  {asked.key}"
            for each in one.bars:
                yield f"    {each.name:12} {each.value:8.3f} ({each.low:.3f} to {each.high:.3f})"
        told = [(asked, one) for asked, one in made.items() if asked.holds(one)]
        command = f"python -m training {name} --insights --seed {seed} --blocks {blocks} --positions {positions}"
        games = counted.games + sum(compared.games.values())
        shown = [one for _, one in told]
        yield Insights(name, game.version, command, games, tuple(shown))
        work = pool.map(_exercise, *zip(*((name, seed, asked.key) for asked, _ in told), strict=True))
        for place, ((asked, one), exercise) in enumerate(zip(told, work, strict=True)):
            yield f"{asked.key}: {'no position' if exercise is None else exercise.best.action}"
            shown[place] = msgspec.structs.replace(one, exercise=exercise)
            yield Insights(name, game.version, command, games, tuple(shown))


def _counted(name: str, seed: int, block: int) -> Sums:
    sums: Sums = importlib.import_module(f"training.{name}_insights").counted(seed, block)
    return sums


def _compared(name: str, seed: int, block: int) -> Compared:
    compared = Compared()
    importlib.import_module(f"training.{name}_insights").compared(seed, block, compared)
    return compared


def _exercise(name: str, seed: int, key: str) -> Exercise | None:
    """A position that shows an insight: an exercise like any other, whose best action is the one that it speaks of."""
    module, game = importlib.import_module(f"training.{name}_insights"), find_game(name)
    asked = next(one for one in module.INSIGHTS if one.key == key)
    if asked.shows is None:
        return None
    for number, view in enumerate(islice(module.positions(seed, key), TRIED)):
        if (exercise := check_position(game, view, f"insights {seed} {key}", asked.shows, number)) is not None:
            return exercise
    return None


def leads(game: Game, view: Any, classes: Sequence[Sequence[Any]], n: int, seed: int) -> tuple[list[float], int]:
    """By how much the best action of each class leads the best of the last, and the games played on for that.

    Which of a class is best is found by other playouts than those that count, or luck would speak for large classes.
    """
    policy, seat = game.coach.policy if game.coach else "", view.actor
    first = [action for actions in classes for action in actions]
    look = game.rollouts(view, first, n // 2, policy=policy, seed=seed)
    means = list(look.means(seat))
    best, start = [], 0
    for actions in classes:
        own = means[start : start + len(actions)]
        best.append(actions[own.index(max(own))])
        start += len(actions)
    final = game.rollouts(view, best, n, policy=policy, seed=seed, first=n // 2)
    last = len(best) - 1
    return [final.lead(seat, place, last)[0] for place in range(last)], n // 2 * len(first) + n * len(best)
