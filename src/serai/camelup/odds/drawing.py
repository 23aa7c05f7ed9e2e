"""Odds drawn as text for a terminal and as an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from serai.camelup.odds.answer import Odds
from serai.camelup.rules.pieces import CAMEL_NAMES
from serai.camelup.text.art import LOOKS, sign
from serai.drawing import (
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

# -- text --------------------------------------------------------------------------------------------------------------

_BEST: Final = 3
"""Actions in the short form."""
_BAR: Final = 14
"""Columns of a chance of 1."""
_EIGHTHS: Final = " ▏▎▍▌▋▊▉"
_STRONG, _FAINT = "1", "2"


def draw_odds(found: Odds, *, colour: bool) -> str:
    """The whole answer, the camel most likely to lead the leg first."""

    def paint(words: str, code: str) -> str:
        return f"\033[{code}m{words}\033[0m" if colour else words

    ranked = sorted(found.leg, key=lambda camel: -found.leg[camel].first)
    ways = paint(f"the dice can fall in {found.sequences:,} ways", _FAINT)
    lines = [f"{paint(found.position, _STRONG)}   {ways}", ""]
    lines.append(_row("this leg", ("first", "second", "last")))
    lines += [_row(camel, _shares(found.leg[camel])) for camel in ranked]
    lines += ["", _row("the race", ("winner", "loser"))]
    lines += [_row(camel, _shares(found.race[camel])) for camel in ranked]
    lines += ["", f"the race ends in this leg: {found.ends:.1%}"]
    if found.actions:
        lines += ["", "pounds to be expected of every action:", *_valued(found)]
    return "\n".join([*lines, "", *(paint(f"assumed: {assumption}", _FAINT) for assumption in found.assumes)])


def brief_odds(found: Odds) -> str:
    """A line for each camel in per cent, the one most likely to lead first, and one with the best actions."""
    ranked = sorted(found.leg, key=lambda camel: -found.leg[camel].first)
    lines = [found.position, f"{'':8}  leg: first second   last  race: winner  loser"]
    for camel in ranked:
        leg, race = found.leg[camel], found.race[camel]
        chances = f"{leg.first:>11.1%} {leg.second:>6.1%} {leg.last:>6.1%} {race.winner:>13.1%} {race.loser:>6.1%}"
        lines.append(f"{camel:8}{chances}")
    if found.actions:
        best = [f"{action} {value:+.2f}" for action, value in found.ranked()[:_BEST]]
        lines.append(f"best of {len(found.actions)} actions, in pounds: {', '.join(best)}")
    return "\n".join(lines)


def _shares(chances: msgspec.Struct) -> tuple[str, ...]:
    return tuple(_share(chance) for chance in msgspec.structs.astuple(chances))


def _row(name: str, cells: Sequence[str]) -> str:
    return (f"{name:9}" + "".join(f"{cell:{_BAR + 10}}" for cell in cells)).rstrip()


def _share(chance: float) -> str:
    return f"{chance:6.1%} {_bar(chance)}"


def _bar(share: float) -> str:
    """A bar for this share of :data:`_BAR` columns, to an eighth of a column."""
    whole, rest = divmod(round(max(0.0, min(1.0, share)) * _BAR * 8), 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")


def _valued(found: Odds) -> list[str]:
    """Best first, equals in the order of the actions, with a bar from 0 to the best."""
    best = max(1.0, *found.actions.values())
    return [f"{action:14}{value:+7.3f} {_bar(value / best)}".rstrip() for action, value in found.ranked()]


# -- the picture -------------------------------------------------------------------------------------------------------

_MARGIN: Final = 18
_CHANCE: Final = 132
_COLUMNS: Final = (
    Column("camel", 104, "start"),
    *(Column(title, _CHANCE) for title in ("leg first", "second", "last", "race winner", "race loser")),
)
_WIDTH: Final = 2 * _MARGIN + sum(column.width for column in _COLUMNS)
_PICTURE_ACTIONS: Final = 10
"""Actions shown in the picture, the best."""


def draw_picture(found: Odds) -> str:
    """The whole answer but for the chances with each desert tile."""
    ranked = sorted(found.leg, key=lambda camel: -found.leg[camel].first)
    top = 62
    rows = [_camel_cells(found, camel) for camel in ranked]
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
        drawn.append(_action_tables(found, height + 14))
        height += 14 + table_height(-(-min(_PICTURE_ACTIONS, len(found.actions)) // 2))
        left = len(found.actions) - _PICTURE_ACTIONS
        if left > 0:
            height += 20
            drawn.append(text(_MARGIN + 4, height, f"and {left} more, worth less", 13, fill=INK_SOFT))
    return picture(_WIDTH, height + _MARGIN, *drawn, title=f"Odds of {found.position}")


def _camel_cells(found: Odds, camel: str) -> list[Cell]:
    number = CAMEL_NAMES.index(camel)
    look = LOOKS[number]
    disc = circle(14, ROW / 2, 10, fill=look.coat, stroke=look.dark, stroke_width=1.5)
    disc += at(14, ROW / 2, sign(number), scale=0.6)
    leg, race = found.leg[camel], found.race[camel]
    shares = (leg.first, leg.second, leg.last, race.winner, race.loser)
    # the name of a camel stands behind its disc
    named = Cell("", disc + text(30, 18, camel, 14, bold=True))
    return [named, *(Cell(f"{share:.1%}", bar(10, 9, 64, 8, share, look.dark)) for share in shares)]


def _action_tables(found: Odds, top: float) -> str:
    """The best actions in two columns, each with a bar from nothing to the best."""
    ordered = found.ranked()[:_PICTURE_ACTIONS]
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
