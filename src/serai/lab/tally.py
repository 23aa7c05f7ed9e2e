"""Counts over many games between bots, played one by one by the referee or in bulk by compiled code."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Self

import msgspec

from serai.core.arguments import check_whole

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Distribution = dict[int, int]
"""How many games had this value."""


class Groups(msgspec.Struct):
    """Counts over groups of paired games: all rotations of the seats, played with the same chance.

    Games of a group are not independent, so intervals come from the groups: from their sums, and from the sums of
    products of two bots' sums, which give variances and covariances.
    """

    wins: list[list[float]]
    """``wins[bot][other]``: over all groups, the victories of one bot times those of another (or of itself)."""
    scores: list[list[float]]
    """The same of scores."""
    count: int = 0
    """Whole groups."""
    begun: list[tuple[list[float], list[float]]] = []
    """Games of a group that is not whole yet: victories and scores by bot."""

    @classmethod
    def empty(cls, players: int) -> Self:
        """No groups yet."""
        return cls([[0.0] * players for _ in range(players)], [[0.0] * players for _ in range(players)])

    @classmethod
    def of(cls, wins: npt.NDArray[np.float64], scores: npt.NDArray[np.float64]) -> Self:
        """The groups of games in order, given victories and scores by game and *bot* (not seat); whole groups only."""
        players = wins.shape[1]
        won, made = (array.reshape(-1, players, players).sum(axis=1) for array in (wins, scores))
        return cls((won.T @ won).tolist(), (made.T @ made).tolist(), len(won))

    def add(self, wins: list[float], scores: list[float]) -> None:
        """Count the next game, by bot."""
        self.begun.append((wins, scores))
        if len(self.begun) == len(wins):
            for products, games in zip((self.wins, self.scores), zip(*self.begun, strict=True), strict=True):
                sums = [sum(bot) for bot in zip(*games, strict=True)]
                _add_all(products, [[one * other for other in sums] for one in sums])
            self._settle()
            self.count += 1
            self.begun.clear()

    def merge(self, other: Groups) -> None:
        """Add other groups of the same bots."""
        self.count += other.count
        _add_all(self.wins, other.wins)
        _add_all(self.scores, other.scores)
        self._settle()

    def _settle(self) -> None:
        parts = _parts(len(self.wins)) ** 2
        for line in self.wins:
            line[:] = [_settled(products, parts) for products in line]


class Tally(msgspec.Struct):
    """Counts over many games. A *bot* is a place in the list of bots asked for; with rotation it sits anywhere."""

    scores: list[list[Distribution]]
    """``scores[bot][seat]``: the final scores of that bot on that seat."""
    wins: list[list[float]]
    """``wins[bot][seat]``: victories, a shared one counted as its share."""
    measures: dict[str, Distribution] = {}
    """What else the game counts (``Game.measures``), by name."""
    lengths: Distribution = {}
    """The plies of a game: all actions, those of chance included."""
    games: int = 0
    decisions: int = 0
    """The actions of players, in all games together."""
    ties: int = 0
    """Shared victories."""
    truncated: int = 0
    """Games that were cut short as too long; they count as they stood."""
    groups: Groups | None = None
    """Of paired games only."""

    @classmethod
    def empty(cls, players: int, *, paired: bool = False) -> Self:
        """No games yet."""
        scores: list[list[Distribution]] = [[{} for _ in range(players)] for _ in range(players)]
        wins = [[0.0] * players for _ in range(players)]
        return cls(scores, wins, groups=Groups.empty(players) if paired else None)

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.wins)

    @property
    def plies(self) -> int:
        """The plies of all games together."""
        return sum(plies * games for plies, games in self.lengths.items())

    def add(
        self,
        seating: Sequence[int],
        scores: Sequence[int],
        winners: Sequence[int],
        *,
        plies: int,
        decisions: int,
        truncated: bool = False,
        measures: Mapping[str, int],
    ) -> None:
        """Count one game, in which bot ``seating[seat]`` sat on each seat. Paired games come in their order."""
        self.games += 1
        self.decisions += decisions
        self.ties += len(winners) > 1
        self.truncated += truncated
        _count(self.lengths, plies, 1)
        for seat, (bot, score) in enumerate(zip(seating, scores, strict=True)):
            _count(self.scores[bot][seat], score, 1)
        for seat in winners:
            bot = seating[seat]
            self.wins[bot][seat] = _settled(self.wins[bot][seat] + 1 / len(winners), _parts(self.players))
        for name, value in measures.items():
            _count(self.measures.setdefault(name, {}), value, 1)
        if self.groups is not None:
            seats = [seating.index(bot) for bot in range(self.players)]
            shares = [(seat in winners) / len(winners) for seat in seats]
            self.groups.add(shares, [scores[seat] for seat in seats])

    def merge(self, other: Tally) -> None:
        """Add the games of another tally of the same bots."""
        self.games += other.games
        self.decisions += other.decisions
        self.ties += other.ties
        self.truncated += other.truncated
        _count_all(self.lengths, other.lengths)
        for bot in range(self.players):
            for seat in range(self.players):
                _count_all(self.scores[bot][seat], other.scores[bot][seat])
                self.wins[bot][seat] = _settled(self.wins[bot][seat] + other.wins[bot][seat], _parts(self.players))
        for name, counts in other.measures.items():
            _count_all(self.measures.setdefault(name, {}), counts)
        if self.groups is not None and other.groups is not None:
            self.groups.merge(other.groups)


RANDOM = "random"
"""The bot of every game that needs no tables to choose."""
MOST_NUMBER = 2**62
"""The largest number of a game; numbers have 64 bits."""


def check_games(first: int, games: int) -> None:
    """Check the number of the first game and how many there are."""
    check_whole("the number of the first game", first, 0, MOST_NUMBER)
    check_whole("the number of games", games, 1)


def seating(players: int, number: int, *, rotate: bool) -> tuple[int, ...]:
    """Which bot sits on each seat in that game: with rotation all move up one seat from game to game."""
    shift = number % players if rotate else 0
    return tuple((seat - shift) % players for seat in range(players))


def group(players: int, number: int) -> int:
    """The group of a paired game: all its games, one for each rotation of the seats, have the same chance."""
    return number // players


def _settled(victories: float, parts: int) -> float:
    """A sum of shares of victory without its rounding error: the same in whatever order it was added."""
    return round(victories * parts) / parts


@cache
def _parts(players: int) -> int:
    """Shares of victory are multiples of one over this."""
    return math.lcm(*range(1, players + 1))


def _add_all(sums: list[list[float]], more: list[list[float]]) -> None:
    for line, others in zip(sums, more, strict=True):
        line[:] = [one + other for one, other in zip(line, others, strict=True)]


def _count(counts: Distribution, value: int, games: int) -> None:
    counts[value] = counts.get(value, 0) + games


def _count_all(counts: Distribution, more: Distribution) -> None:
    for value, games in more.items():
        _count(counts, value, games)
