"""What many games say: wins, scores and lengths with their 95 % intervals. Knows nothing of how games are played."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from serai.core.simulation import Distribution, Tally

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
    distribution: Distribution
    """How often it had each score."""


class Summary(msgspec.Struct, frozen=True):
    """The statistics of a series."""

    games: int
    bots: tuple[Side, ...]
    seats: tuple[Side, ...]
    plies: Spread
    ties: int
    measures: dict[str, Distribution]
    """What else the game counts."""


def summarise(tally: Tally, bots: Sequence[str]) -> Summary:
    """What the games of a tally say; ``bots`` names each entrant, and those of one name are counted together."""
    seats = range(tally.players)
    return Summary(
        games=tally.games,
        bots=tuple(
            _side(tally, name, [(entrant, seat) for entrant in seats if bots[entrant] == name for seat in seats])
            for name in dict.fromkeys(bots)
        ),
        seats=tuple(_side(tally, f"seat {seat}", [(entrant, seat) for entrant in seats]) for seat in seats),
        plies=spread(tally.lengths, tally.games),
        ties=tally.ties,
        measures={name: dict(sorted(counts.items())) for name, counts in tally.measures.items()},
    )


def _side(tally: Tally, name: str, places: Sequence[tuple[int, int]]) -> Side:
    # The interval counts games, not seats: one game's seats depend on each other, and this errs on the wide side.
    scores = _together(tally.scores[entrant][seat] for entrant, seat in places)
    wins = sum(tally.wins[entrant][seat] for entrant, seat in places)
    count = sum(scores.values())
    return Side(name, count, wilson(wins / count, tally.games), spread(scores, tally.games), scores)


def _together(parts: Iterable[Distribution]) -> Distribution:
    whole: Counter[int] = Counter()
    for part in parts:
        whole.update(part)
    return dict(sorted(whole.items()))


def wilson(share: float, count: int) -> Share:
    """The Wilson interval of a share seen in ``count`` trials: sound also for shares near 0 and 1.

    With parts of wins (ties) the true spread is smaller than of whole ones, so the interval is, if anything, wide.
    """
    square = _Z * _Z / count
    centre = (share + square / 2) / (1 + square)
    reach = _Z * math.sqrt(share * (1 - share) / count + square / (4 * count)) / (1 + square)
    return Share(share, max(0.0, centre - reach), min(1.0, centre + reach))


def spread(numbers: Mapping[int, int], independent: int) -> Spread:
    """The spread of numbers, each with its count; ``independent`` of them at least do not depend on each other."""
    count = sum(numbers.values())
    total = sum(number * times for number, times in numbers.items())
    squares = sum(number * number * times for number, times in numbers.items())
    mean = total / count
    deviation = math.sqrt(max(0.0, squares - total * mean) / (count - 1)) if count > 1 else 0.0
    reach = _Z * deviation / math.sqrt(independent)
    return Spread(mean, mean - reach, mean + reach, deviation, min(numbers), max(numbers))


def quantile(numbers: Mapping[int, int], part: float) -> int:
    """The smallest number that at least this part of all do not exceed."""
    wanted = part * sum(numbers.values())
    seen = 0
    for number in sorted(numbers):
        seen += numbers[number]
        if seen >= wanted:
            return number
    raise ValueError("a part is between 0 and 1")


def percent(share: Share) -> str:
    """A share for people: ``25.1 %  (22.5–27.9)``."""
    return f"{100 * share.share:.1f} % ({100 * share.low:.1f}–{100 * share.high:.1f})"


def around(spread: Spread) -> str:
    """A mean for people: ``11.4 (11.1–11.7)``."""
    return f"{spread.mean:.2f} ({spread.low:.2f}–{spread.high:.2f})"
