"""Statistics of many games: wins, scores and lengths with their 95 % intervals.

For paired games the intervals of bots come from the means of groups (they are *cluster-robust*).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from serai.drawing import (
    ACCENT,
    HEAD,
    INK,
    INK_SOFT,
    ROW,
    SERIF,
    Box,
    Cell,
    Column,
    bar,
    histogram,
    path,
    picture,
    seat_colour,
    shortened,
    table,
    table_height,
    text,
)
from serai.lab.tally import Distribution, Tally

_Z = 1.959963984540054
"""The 0.975 quantile of the normal distribution."""


class Share(msgspec.Struct, frozen=True):
    """A share between 0 and 1 with its interval."""

    share: float
    low: float
    high: float


class Spread(msgspec.Struct, frozen=True):
    """Numbers: their mean with its interval, deviation and extremes."""

    mean: float
    low: float
    high: float
    deviation: float
    least: int
    most: int


class Side(msgspec.Struct, frozen=True):
    """The results of a bot or a seat. A shared victory counts in part; a bot on several seats counts once for each."""

    name: str
    seats: int
    """Its seats in all games together."""
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
    truncated: int
    """Games that were cut short as too long, and count as they stood."""
    measures: dict[str, Distribution]
    """What else the game counts, by name."""

    def __str__(self) -> str:
        return brief_summary(self)

    def _repr_svg_(self) -> str:
        return draw_summary(self, ", ".join(side.name for side in self.bots))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


def summarise(tally: Tally, bots: Sequence[str]) -> Summary:
    """The statistics of a tally; ``bots`` names each entrant, and those of one name are counted together."""
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
        truncated=tally.truncated,
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
    """The factor of a 95 % interval around a mean whose standard error comes from this many groups, at least 2.

    It is the 0.975 quantile of Student's t distribution with ``groups`` - 1 degrees of freedom.
    """
    if groups < 2:
        raise ValueError("an interval needs two groups or more")
    return _student(groups - 1) if groups <= _FEW else _student_of_many(groups - 1)


_FEW = 40
"""Up to this many groups the quantile is computed exactly, beyond it by a series whose error is below 1e-6."""


@cache
def _student(free: int) -> float:
    """By bisection of the distribution, which has a closed form for whole degrees of freedom."""
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if _within(angle, free) < 0.95 else (low, angle)
    return math.sqrt(free) * math.tan((low + high) / 2)


def _within(angle: float, free: int) -> float:
    """The probability of a t between plus and minus sqrt(free) * tan(angle)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    term = cosine if free % 2 else 1.0
    total = term if free > 1 else 0.0
    for power in range(2 + free % 2, free - 1, 2):
        term *= cosine * cosine * (power - 1) / power
        total += term
    return 2 / math.pi * (angle + sine * total) if free % 2 else sine * total


def _student_of_many(free: int) -> float:
    """The expansion of Cornish and Fisher around the normal quantile."""
    powers = [_Z**power for power in range(10)]
    first = (powers[3] + _Z) / 4
    second = (5 * powers[5] + 16 * powers[3] + 3 * _Z) / 96
    third = (3 * powers[7] + 19 * powers[5] + 17 * powers[3] - 15 * _Z) / 384
    return _Z + first / free + second / free**2 + third / free**3


def _side(tally: Tally, name: str, places: Sequence[tuple[int, int]]) -> Side:
    # The interval counts games, not seats: the seats of a game depend on each other, so it is rather too wide.
    scores = _together(tally.scores[entrant][seat] for entrant, seat in places)
    wins = sum(tally.wins[entrant][seat] for entrant, seat in places)
    count = sum(scores.values())
    independent = _independent(tally)
    return Side(name, count, wilson(wins / count, independent), spread(scores, independent), scores)


def _independent(tally: Tally) -> int:
    """How many games are independent at least: of paired ones, which may be alike, one of each group."""
    return tally.games if tally.groups is None else max(1, tally.groups.count)


def _together(parts: Iterable[Distribution]) -> Distribution:
    whole: Counter[int] = Counter()
    for part in parts:
        whole.update(part)
    return dict(sorted(whole.items()))


def wilson(share: float, count: float, z: float = _Z) -> Share:
    """The Wilson interval of a share seen in ``count`` trials: sound also for shares near 0 and 1.

    Shared victories vary less than whole ones, so with them the interval is rather too wide.
    """
    square = z * z / count
    centre = (share + square / 2) / (1 + square)
    reach = z * math.sqrt(share * (1 - share) / count + square / (4 * count)) / (1 + square)
    return Share(share, max(0.0, centre - reach), min(1.0, centre + reach))


def spread(numbers: Mapping[int, int], independent: int) -> Spread:
    """The spread of numbers, each with its count; at least ``independent`` of them are independent."""
    count = sum(numbers.values())
    total = sum(number * times for number, times in numbers.items())
    squares = sum(number * number * times for number, times in numbers.items())
    mean = total / count
    deviation = math.sqrt(max(0.0, squares - total * mean) / (count - 1)) if count > 1 else 0.0
    reach = _Z * deviation / math.sqrt(independent)
    return Spread(mean, mean - reach, mean + reach, deviation, min(numbers), max(numbers))


def quantile(numbers: Mapping[int, int], part: float) -> int:
    """The smallest number that at least this part of all numbers does not exceed."""
    wanted = part * sum(numbers.values())
    seen = 0
    for number in sorted(numbers):
        seen += numbers[number]
        if seen >= wanted:
            return number
    raise ValueError("a part is between 0 and 1")


def percent(share: Share) -> str:
    """A share as text: ``25.1 % (22.5–27.9)``."""
    return f"{100 * share.share:.1f} % ({100 * share.low:.1f}–{100 * share.high:.1f})"


def around(spread: Spread) -> str:
    """A mean as text: ``11.40 (11.10–11.70)``."""
    return f"{spread.mean:.2f} ({spread.low:.2f}–{spread.high:.2f})"


# -- as text and as a picture ------------------------------------------------------------------------------------------

_MARGIN: Final = 18
_COLUMNS: Final = (
    Column("", 170, "start"),
    Column("victories", 300, "start"),
    Column("95 %", 120),
    Column("score", 84),
    Column("95 %", 118),
)
_WIDTH: Final = 2 * _MARGIN + sum(column.width for column in _COLUMNS)
_CHART: Final = 96
_BAR: Final = 220
_CHARTS_SHOWN: Final = 4


def draw_summary(found: Summary, title: str) -> str:
    """Bots and seats with their shares of victory and scores, and histograms of what else the game counts."""
    top = 56.0
    drawn = [
        text(_MARGIN, 29, shortened(title, 80), 18, fill=HEAD, bold=True, font=SERIF),
        text(_MARGIN, 48, _headline(found), 14, fill=INK_SOFT),
    ]
    for heading, sides in (("bot", found.bots), ("seat", found.seats)):
        columns = (Column(heading, 170, "start"), *_COLUMNS[1:])
        drawn.append(table(_MARGIN, top, columns, [_side_cells(place, side) for place, side in enumerate(sides)]))
        top += table_height(len(sides)) + 10
    charts = list(found.measures.items())[:_CHARTS_SHOWN]
    for row in range(0, len(charts), 2):
        for place, (name, counts) in enumerate(charts[row : row + 2]):
            width = (_WIDTH - 2 * _MARGIN - 24) / 2
            x = _MARGIN + place * (width + 24)
            drawn.append(text(x, top + 16, name, 14, fill=HEAD, bold=True, font=SERIF))
            drawn.append(histogram(Box(x, top + 24, width, _CHART - 24), sorted(counts.items()), ACCENT))
        top += _CHART + 28
    return picture(_WIDTH, top + 6, *drawn, title=f"{title}. {_headline(found)}")


def brief_summary(found: Summary) -> str:
    """A line for each bot and each seat."""
    width = max(len(side.name) for side in (*found.bots, *found.seats))
    lines = [_headline(found)]
    if found.truncated:
        lines.append(cut_short(found))
    for side in (*found.bots, *found.seats):
        wins, scores = side.wins, side.scores
        lines.append(
            f"{side.name:{width}}  wins {wins.share:6.1%} ({wins.low:.1%} to {wins.high:.1%})"
            f"  score {scores.mean:6.2f} ({scores.low:.2f} to {scores.high:.2f})"
        )
    return "\n".join(lines)


def cut_short(found: Summary) -> str:
    """A sentence about the games that were cut short."""
    return (
        f"{found.truncated:,} of {found.games:,} games were cut short after {found.plies.most:,} actions (max_plies)"
        " and count as they stood: a bot that always takes the first action, for example, may never end a game"
    )


def _headline(found: Summary) -> str:
    games = "1 game" if found.games == 1 else f"{found.games:,} games"
    return f"{games}, {found.ties:,} ties, {found.plies.mean:.1f} actions a game"


def _side_cells(place: int, side: Side) -> list[Cell]:
    wins, scores = side.wins, side.scores
    return [
        Cell(shortened(side.name, 20), bold=True),
        Cell("", _share_bar(wins, seat_colour(place))),
        Cell(f"{100 * wins.low:.1f} – {100 * wins.high:.1f}", fill=INK_SOFT),
        Cell(f"{scores.mean:.2f}", bold=True),
        Cell(f"{scores.low:.2f} – {scores.high:.2f}", fill=INK_SOFT),
    ]


def _share_bar(wins: Share, colour: str) -> str:
    """A bar with a whisker for the interval."""
    low, high = 4 + _BAR * wins.low, 4 + _BAR * wins.high
    middle = ROW / 2
    whisker = f"M{low:.1f} {middle - 5}v10M{low:.1f} {middle}H{high:.1f}M{high:.1f} {middle - 5}v10"
    figure = text(_BAR + 14, 18, f"{wins.share:.1%}", 14, bold=True)
    return bar(4, middle - 5, _BAR, 10, wins.share, colour) + path(whisker, stroke=INK, stroke_width=1.2) + figure
