"""What many games say: wins, scores and lengths with their 95 % intervals. Knows nothing of how games are played."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

_Z = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations."""


class Share(msgspec.Struct, frozen=True):
    """A share between 0 and 1 with its interval."""

    share: float
    low: float
    high: float


class Spread(msgspec.Struct, frozen=True):
    """Numbers seen: their mean with its interval, deviation and extremes."""

    mean: float
    low: float
    high: float
    deviation: float
    least: int
    most: int


class Side(msgspec.Struct, frozen=True):
    """How a bot or a seat fared. A shared victory counts its part; a bot on several seats counts per seat."""

    name: str
    seats: int
    """How many seats it had in all games together."""
    wins: Share
    scores: Spread


class Summary(msgspec.Struct, frozen=True):
    """The statistics of a series."""

    games: int
    bots: tuple[Side, ...]
    seats: tuple[Side, ...]
    plies: Spread
    ties: int


class Tally:
    """Counts games as they come in."""

    def __init__(self, bots: Sequence[str]) -> None:
        """``bots`` names each entrant; entrants of the same name are counted together."""
        self._names = tuple(bots)
        self._by_bot = {name: _Side() for name in bots}
        self._by_seat = [_Side() for _ in bots]
        self._plies = _Numbers()
        self._ties = 0
        self.games = 0

    @property
    def plies(self) -> int:
        """How many plies were played in all."""
        return self._plies.total

    def add(self, seating: Sequence[int], scores: Sequence[int], winners: Sequence[int], plies: int) -> None:
        """Count one game: which entrant sat on each seat, and what became of it."""
        self.games += 1
        self._plies.add(plies)
        self._ties += len(winners) > 1
        parts = [1 / len(winners) if seat in winners else 0.0 for seat in range(len(scores))]
        for seat, (side, score, part) in enumerate(zip(self._by_seat, scores, parts, strict=True)):
            side.scores.add(score)
            side.wins += part
            bot = self._by_bot[self._names[seating[seat]]]
            bot.scores.add(score)
            bot.wins += part

    def summary(self) -> Summary:
        """What the games so far say."""
        bots = tuple(self._side(name, side) for name, side in self._by_bot.items())
        seats = tuple(self._side(f"seat {seat}", side) for seat, side in enumerate(self._by_seat))
        return Summary(self.games, bots, seats, self._plies.spread(self.games), self._ties)

    def _side(self, name: str, side: _Side) -> Side:
        # The interval counts games, not seats: one game's seats depend on each other, and this errs on the wide side.
        return Side(
            name, side.scores.count, wilson(side.wins / side.scores.count, self.games), side.scores.spread(self.games)
        )


def wilson(share: float, count: int) -> Share:
    """The Wilson interval of a share seen in ``count`` trials: sound also for shares near 0 and 1.

    With parts of wins (ties) the true spread is smaller than of whole ones, so the interval is, if anything, wide.
    """
    square = _Z * _Z / count
    centre = (share + square / 2) / (1 + square)
    reach = _Z * math.sqrt(share * (1 - share) / count + square / (4 * count)) / (1 + square)
    return Share(share, max(0.0, centre - reach), min(1.0, centre + reach))


class _Numbers:
    """Whole numbers, summed exactly."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0
        self.squares = 0
        self.least: int | None = None
        self.most: int | None = None

    def add(self, number: int) -> None:
        self.count += 1
        self.total += number
        self.squares += number * number
        self.least = number if self.least is None else min(self.least, number)
        self.most = number if self.most is None else max(self.most, number)

    def spread(self, independent: int) -> Spread:
        """Their spread; ``independent`` of them at least do not depend on each other."""
        mean = self.total / self.count
        spare = self.squares - self.total * self.total / self.count
        deviation = math.sqrt(max(0.0, spare) / (self.count - 1)) if self.count > 1 else 0.0
        reach = _Z * deviation / math.sqrt(independent)
        return Spread(mean, mean - reach, mean + reach, deviation, self.least or 0, self.most or 0)


class _Side:
    def __init__(self) -> None:
        self.scores = _Numbers()
        self.wins = 0.0


def percent(share: Share) -> str:
    """A share for people: ``25.1 %  (22.5–27.9)``."""
    return f"{100 * share.share:.1f} % ({100 * share.low:.1f}–{100 * share.high:.1f})"


def around(spread: Spread) -> str:
    """A mean for people: ``11.4 (11.1–11.7)``."""
    return f"{spread.mean:.2f} ({spread.low:.2f}–{spread.high:.2f})"
