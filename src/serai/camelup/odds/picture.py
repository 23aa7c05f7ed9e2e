"""Odds as a picture: the chances of every camel in leg and race with bars, and the actions by what they are worth."""

from __future__ import annotations

from typing import Final

from serai.camelup.art import LOOKS, sign
from serai.camelup.odds.answer import Odds
from serai.camelup.pieces import CAMEL_NAMES
from serai.core.drawing import (
    GAIN,
    HEAD,
    INK_SOFT,
    LOSS,
    ROW,
    SERIF,
    Cell,
    Column,
    at,
    bar,
    circle,
    picture,
    table,
    table_height,
    text,
)

_MARGIN: Final = 18
_CHANCE: Final = 132
_COLUMNS: Final = (
    Column("camel", 104, "start"),
    *(Column(title, _CHANCE) for title in ("leg first", "second", "last", "race winner", "race loser")),
)
_WIDTH: Final = 2 * _MARGIN + sum(column.width for column in _COLUMNS)
_ACTIONS: Final = 10
"""So many are shown, the best."""


def draw_picture(found: Odds) -> str:
    """The whole answer but for the chances with each desert tile."""
    ranked = sorted(found.leg, key=lambda camel: -found.leg[camel].first)
    top = 62
    rows = [_camel(found, camel) for camel in ranked]
    drawn = [
        text(_MARGIN, 30, found.position, 18, fill=HEAD, bold=True, font=SERIF),
        text(
            _MARGIN,
            50,
            f"the dice can fall in {found.sequences:,} ways; the race ends in this leg: {found.ends:.1%}",
            14,
            fill=INK_SOFT,
        ),
        table(_MARGIN, top, _COLUMNS, rows),
    ]
    height = top + table_height(len(rows))
    if found.actions:
        drawn.append(_actions(found, height + 14))
        height += 14 + table_height(-(-min(_ACTIONS, len(found.actions)) // 2))
        left = len(found.actions) - _ACTIONS
        if left > 0:
            height += 20
            drawn.append(text(_MARGIN + 4, height, f"and {left} more, worth less", 13, fill=INK_SOFT))
    return picture(_WIDTH, height + _MARGIN, *drawn, title=f"Odds of {found.position}")


def _camel(found: Odds, camel: str) -> list[Cell]:
    number = CAMEL_NAMES.index(camel)
    look = LOOKS[number]
    disc = circle(14, ROW / 2, 10, fill=look.coat, stroke=look.dark, stroke_width=1.5)
    disc += at(14, ROW / 2, sign(number), scale=0.6)
    leg, race = found.leg[camel], found.race[camel]
    shares = (leg.first, leg.second, leg.last, race.winner, race.loser)
    # the name of a camel stands behind its disc
    named = Cell("", disc + text(30, 18, camel, 14, bold=True))
    return [named, *(Cell(f"{share:.1%}", bar(10, 9, 64, 8, share, look.dark)) for share in shares)]


def _actions(found: Odds, top: float) -> str:
    """The best actions in two columns, each with a bar from nothing to the best."""
    ordered = found.ranked()[:_ACTIONS]
    most = max(1.0, *found.actions.values())
    half = -(-len(ordered) // 2)
    width = (_WIDTH - 2 * _MARGIN - 24) / 2
    columns = (Column("action", width - 200, "start"), Column("", 120), Column("pounds", 80))
    drawn = []
    for side, part in enumerate((ordered[:half], ordered[half:])):
        rows = [
            [
                Cell(action, bold=action == found.best),
                Cell("", bar(4, 9, 112, 8, value / most, GAIN)),
                Cell(f"{value:+.2f}", fill=GAIN if value > 0 else LOSS, bold=action == found.best),
            ]
            for action, value in part
        ]
        if rows:
            drawn.append(table(_MARGIN + side * (width + 24), top, columns, rows))
    return "".join(drawn)
