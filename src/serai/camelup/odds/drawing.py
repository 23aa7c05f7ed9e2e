"""Odds as text for a terminal: chances with bars, and actions by what they are worth."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from serai.camelup.odds.answer import Odds

_BEST = 3
"""Actions in the short form."""
_BAR = 14
"""Columns of a chance of 1."""
_EIGHTHS = " ▏▎▍▌▋▊▉"
_STRONG, _FAINT = "1", "2"


def draw_odds(found: Odds, *, colour: bool) -> str:
    """The whole answer, the camel most likely to lead the leg first."""

    def paint(text: str, code: str) -> str:
        return f"\033[{code}m{text}\033[0m" if colour else text

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
    """A bar of so much of :data:`_BAR` columns, to an eighth of a column."""
    whole, rest = divmod(round(max(0.0, min(1.0, share)) * _BAR * 8), 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")


def _valued(found: Odds) -> list[str]:
    """Best first, equals in the order of the actions, with a bar from 0 to the best."""
    best = max(1.0, *found.actions.values())
    return [f"{action:14}{value:+7.3f} {_bar(value / best)}".rstrip() for action, value in found.ranked()]
