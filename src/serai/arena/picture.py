"""Many games as a picture: who won how often, what they had in the end, and how long it took; and the same as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from serai.core.drawing import (
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

if TYPE_CHECKING:
    from serai.arena.statistics import Share, Side, Summary

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
    """Bots and seats with their shares of victory and scores, and how often each length and measure was seen."""
    top = 56.0
    drawn = [
        text(_MARGIN, 29, shortened(title, 80), 18, fill=HEAD, bold=True, font=SERIF),
        text(_MARGIN, 48, _said(found), 14, fill=INK_SOFT),
    ]
    for heading, sides in (("bot", found.bots), ("seat", found.seats)):
        columns = (Column(heading, 170, "start"), *_COLUMNS[1:])
        drawn.append(table(_MARGIN, top, columns, [_side(place, side) for place, side in enumerate(sides)]))
        top += table_height(len(sides)) + 10
    charts = list(found.measures.items())[:_CHARTS_SHOWN]
    for row in range(0, len(charts), 2):
        for place, (name, counts) in enumerate(charts[row : row + 2]):
            width = (_WIDTH - 2 * _MARGIN - 24) / 2
            x = _MARGIN + place * (width + 24)
            drawn.append(text(x, top + 16, name, 14, fill=HEAD, bold=True, font=SERIF))
            drawn.append(histogram(Box(x, top + 24, width, _CHART - 24), sorted(counts.items()), ACCENT))
        top += _CHART + 28
    return picture(_WIDTH, top + 6, *drawn, title=f"{title}. {_said(found)}")


def brief_summary(found: Summary) -> str:
    """A line for each bot and each seat."""
    width = max(len(side.name) for side in (*found.bots, *found.seats))
    lines = [_said(found)]
    for side in (*found.bots, *found.seats):
        wins, scores = side.wins, side.scores
        lines.append(
            f"{side.name:{width}}  wins {wins.share:6.1%} ({wins.low:.1%} to {wins.high:.1%})"
            f"  score {scores.mean:6.2f} ({scores.low:.2f} to {scores.high:.2f})"
        )
    return "\n".join(lines)


def _said(found: Summary) -> str:
    games = "1 game" if found.games == 1 else f"{found.games:,} games"
    return f"{games}, {found.ties:,} ties, {found.plies.mean:.1f} actions a game"


def _side(place: int, side: Side) -> list[Cell]:
    wins, scores = side.wins, side.scores
    return [
        Cell(shortened(side.name, 20), bold=True),
        Cell("", _share(wins, seat_colour(place))),
        Cell(f"{100 * wins.low:.1f} – {100 * wins.high:.1f}", fill=INK_SOFT),
        Cell(f"{scores.mean:.2f}", bold=True),
        Cell(f"{scores.low:.2f} – {scores.high:.2f}", fill=INK_SOFT),
    ]


def _share(wins: Share, colour: str) -> str:
    """A bar with a whisker from one end of the interval to the other."""
    low, high = 4 + _BAR * wins.low, 4 + _BAR * wins.high
    middle = ROW / 2
    whisker = f"M{low:.1f} {middle - 5}v10M{low:.1f} {middle}H{high:.1f}M{high:.1f} {middle - 5}v10"
    said = text(_BAR + 14, 18, f"{wins.share:.1%}", 14, bold=True)
    return bar(4, middle - 5, _BAR, 10, wins.share, colour) + path(whisker, stroke=INK, stroke_width=1.2) + said
