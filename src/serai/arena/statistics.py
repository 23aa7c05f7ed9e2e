"""What many games say: wins, scores and lengths with their 95 % intervals. Knows nothing of how games are played.

Of paired games the intervals of bots come from the means of their groups (they are *cluster-robust*).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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

    def __str__(self) -> str:
        from serai.arena.picture import brief_summary

        return brief_summary(self)

    def _repr_svg_(self) -> str:
        from serai.arena.picture import draw_summary

        return draw_summary(self, ", ".join(side.name for side in self.bots))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


def summarise(tally: Tally, bots: Sequence[str]) -> Summary:
    """What the games of a tally say; ``bots`` names each entrant, and those of one name are counted together."""
    seats = range(tally.players)
    return Summary(
        games=tally.games,
        bots=tuple(
            _bot_side(tally, name, [entrant for entrant in seats if bots[entrant] == name])
            for name in dict.fromkeys(bots)
        ),
        seats=tuple(_side(tally, f"seat {seat}", [(entrant, seat) for entrant in seats]) for seat in seats),
        plies=spread(tally.lengths, _independent(tally)),
        ties=tally.ties,
        measures={name: dict(sorted(counts.items())) for name, counts in tally.measures.items()},
    )


def _bot_side(tally: Tally, name: str, entrants: Sequence[int]) -> Side:
    side = _side(tally, name, [(entrant, seat) for entrant in entrants for seat in range(tally.players)])
    groups = tally.groups
    if groups is None or groups.count < 2:
        return side
    places = len(entrants) * tally.players
    wins, scores = (
        math.sqrt(max(0.0, squares / places**2 / groups.count - mean * mean) / (groups.count - 1))
        for squares, mean in (
            (sum(groups.wins[one][other] for one in entrants for other in entrants), side.wins.share),
            (sum(groups.scores[one][other] for one in entrants for other in entrants), side.scores.mean),
        )
    )
    reach = student(groups.count) * scores
    low, high = side.scores.mean - reach, side.scores.mean + reach
    found = msgspec.structs.replace(side.scores, low=low, high=high)
    return msgspec.structs.replace(side, wins=_of_groups(side.wins, wins, groups.count), scores=found)


def _of_groups(wins: Share, error: float, groups: int) -> Share:
    """The Wilson interval of as many independent games as would have this standard error."""
    share = wins.share
    if error == 0 or not 0 < share < 1:
        return wins
    return wilson(share, share * (1 - share) / error**2, student(groups))


def student(groups: int) -> float:
    """95 % of Student's distribution, for a deviation estimated from so many groups, lie within so many of these."""
    free = groups - 1
    return _Z + (_Z**3 + _Z) / (4 * free) + (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / (96 * free**2)


def _side(tally: Tally, name: str, places: Sequence[tuple[int, int]]) -> Side:
    # The interval counts games, not seats: one game's seats depend on each other, and this errs on the wide side.
    scores = _together(tally.scores[entrant][seat] for entrant, seat in places)
    wins = sum(tally.wins[entrant][seat] for entrant, seat in places)
    count = sum(scores.values())
    independent = _independent(tally)
    return Side(name, count, wilson(wins / count, independent), spread(scores, independent), scores)


def _independent(tally: Tally) -> int:
    """How many games at least do not hang together: of paired ones, which may be alike, one of each group."""
    return tally.games if tally.groups is None else max(1, tally.groups.count)


def _together(parts: Iterable[Distribution]) -> Distribution:
    whole: Counter[int] = Counter()
    for part in parts:
        whole.update(part)
    return dict(sorted(whole.items()))


def wilson(share: float, count: float, z: float = _Z) -> Share:
    """The Wilson interval of a share seen in ``count`` trials: sound also for shares near 0 and 1.

    With parts of wins (ties) the true spread is smaller than of whole ones, so the interval is, if anything, wide.
    """
    square = z * z / count
    centre = (share + square / 2) / (1 + square)
    reach = z * math.sqrt(share * (1 - share) / count + square / (4 * count)) / (1 + square)
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
