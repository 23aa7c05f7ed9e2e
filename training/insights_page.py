"""*How to play well* as a page of the documentation, with its pictures: made from a game's file of insights."""

from __future__ import annotations

import json
import textwrap
from functools import cache
from pathlib import Path
from typing import Any, Final

from serai.coach.insights import Insight, Insights
from serai.drawing import EDGE, GOLD, INK, INK_SOFT, at, picture, rect, strokes, text
from serai.wire.bodies import InsightBar

ROOT: Final = Path(__file__).parents[1]
PICTURES: Final = "pictures/play-well"
_WIDTH, _LABELS, _FIGURES, _ROW, _TOP = 720, 230, 140, 24, 14
_INTRODUCTION = """# How to play {name} well

What {games} games between bots show, and what follows. On the page of Serai every finding has a position to try. One
command plays the games, finds the positions, leaves out what no longer holds, and writes this page:

```sh
{command}
```

{how}
"""
_MARGIN: Final = "*±* is half of the 95 % interval, like the strokes in the pictures."
_HOW: Final = {
    "camelup": "Leads, in points of a hundred, are by the coach's own playouts, whose players are of all kinds; all "
    "other figures are from whole games of such players. The bot "
    "[`examples/taught.py`](strength.md#what-we-teach-works) plays by these sentences alone.",
    "pharaoh": "Habits are those of one player among others who all play like `jackal`; all other figures are from "
    "games of `jackal` alone. They are true of such players: against others they may matter less.",
}


def files(taught: Insights) -> dict[Path, str]:
    """The page and its pictures, by path."""
    page = [
        _INTRODUCTION.format(
            name=_words()[f"game.{taught.game}"],
            games=f"{taught.games:,}",
            command=taught.command,
            how=textwrap.fill(f"{_MARGIN} {_HOW[taught.game]}", 120),
        )
    ]
    made: dict[Path, str] = {}
    for number, insight in enumerate(taught.insights, 1):
        name = f"{taught.game}-{insight.key}.svg"
        sentence, shows = (_said(taught.game, insight, part) for part in ("", ".shows"))
        made[ROOT / "docs" / PICTURES / name] = f"{_drawn(taught.game, insight, shows)}\n"
        page.append(
            f"## {number}. {sentence}\n\n![{shows}]({PICTURES}/{name})\n\n{shows} From {insight.games:,} games.\n"
        )
    return {ROOT / "docs" / f"play-well-{taught.game}.md": "\n".join(page), **made}


def write(taught: Insights) -> None:
    """Write them; pictures of what is no longer told go."""
    made = files(taught)
    folder = ROOT / "docs" / PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{taught.game}-*.svg"):
        if old not in made:
            old.unlink()
    for path, said in made.items():
        path.write_text(said, encoding="utf-8")


@cache
def _words() -> dict[str, Any]:
    words: dict[str, Any] = json.loads((ROOT / "locales" / "en.json").read_text(encoding="utf-8"))
    return words


def _filled(key: str, values: dict[str, Any]) -> str:
    sentence = _words()[key]
    if isinstance(sentence, dict):
        sentence = sentence["one" if values["count"] == 1 else "other"]
    said: str = sentence.format(**values)
    return said


def _said(game: str, insight: Insight, part: str) -> str:
    return _filled(
        f"insights.{game}.{insight.key}{part}", {bar.name: within(insight.unit, bar.value) for bar in insight.bars}
    )


def figure(unit: str, value: float) -> str:
    """A figure as the page writes it."""
    match unit:
        case "share":
            said = f"{value:.1f} %"
        case "lead":
            said = f"{value:+.1f}"
        case _:
            said = f"{value:.{2 if abs(value) < 10 else 1}f}"
    return said.replace("-", "−")


def within(unit: str, value: float) -> str:
    """The same within a sentence, which says itself whether a lead is won or lost."""
    return f"{abs(value):.1f}" if unit == "lead" else figure(unit, value)


def _margin(unit: str, bar: InsightBar) -> str:
    half = (bar.high - bar.low) / 2
    return f"± {half:.{1 if unit in ('share', 'lead') and half >= 0.1 else 2}f}"


def _drawn(game: str, insight: Insight, title: str) -> str:
    """One row for each bar, with its interval."""
    ends = [0.0, insight.mark or 0.0, *(end for bar in insight.bars for end in (bar.low, bar.high))]
    low, high = min(ends), max(ends)
    wide = _WIDTH - _LABELS - _FIGURES

    def x(value: float) -> float:
        return _LABELS + wide * (value - low) / (high - low or 1)

    height = 2 * _TOP + _ROW * len(insight.bars)
    rows = [strokes(f"M{x(0):.1f} {_TOP}V{height - _TOP}", EDGE, 1)]
    for row, bar in enumerate(insight.bars):
        left, right = sorted((x(0), x(bar.value)))
        rows.append(
            at(
                0,
                _TOP + row * _ROW,
                text(
                    _LABELS - 10, 16, _filled(f"insights.{game}.label.{bar.label}", dict(bar.values)), 13, anchor="end"
                ),
                rect(left, 4, max(right - left, 0.5), 15, fill=GOLD if bar.value >= 0 else INK_SOFT, rx=3),
                strokes(f"M{x(bar.low):.1f} 11.5H{x(bar.high):.1f}", INK, 2),
                text(_WIDTH - _FIGURES + 12, 16, figure(insight.unit, bar.value), 13, bold=True),
                text(_WIDTH - 12, 16, _margin(insight.unit, bar), 12, fill=INK_SOFT, anchor="end"),
            )
        )
    if insight.mark is not None:
        rows.append(strokes(f"M{x(insight.mark):.1f} {_TOP}V{height - _TOP}", INK_SOFT, 1.5, stroke_dasharray="4 4"))
    return picture(_WIDTH, height, *rows, title=title)
