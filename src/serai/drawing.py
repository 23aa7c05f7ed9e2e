"""SVG pictures as text: shapes, colours, tables and charts.

A picture brings its own ground, so that it can be read on light and dark pages alike. It holds no ids and no style
sheets: any number of pictures may stand in one page, and each is also good as a file of its own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final, Literal, NamedTuple

PAPER: Final = "#fbf3e4"
PANEL: Final = "#fffaf0"
EDGE: Final = "#e5c793"
INK: Final = "#3b2a17"
INK_SOFT: Final = "#6b4e2e"
HEAD: Final = "#7a4a2b"
GOLD: Final = "#d9a21b"
GOLD_DEEP: Final = "#8a6207"
TURN: Final = "#fce9c3"
ACCENT: Final = "#14757a"
GAIN: Final = "#24683a"
LOSS: Final = "#a5351f"
SERIF: Final = "Alegreya, 'Iowan Old Style', Palatino, Georgia, 'DejaVu Serif', serif"
SANS: Final = "'Alegreya Sans', 'Gill Sans', 'Segoe UI', system-ui, 'DejaVu Sans', sans-serif"
MONO: Final = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"

SEAT_COLOURS: Final = ("#b5432e", "#26408b", "#2f6b3a", "#7a4a2b", "#6f3a8a", "#14696d", "#a1356a", "#4b5563")
_SEAT_SIGNS: Final = (
    "M12 11c-3-2-4-4-4-5.5a4 4 0 0 1 8 0c0 1.5-1 3.5-4 5.5M12 11v10M6.5 13.5h11",
    "M3 11q9-9 18 0q-9 7-18 0M9.5 11a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M12 15v5M8 15q-1 4-4 4",
    "M12 20v-5M12 15c-3-3-3-7 0-11c3 4 3 8 0 11M12 15c-4 0-7-3-7-8c3 1 5 3 6 5M12 15c4 0 7-3 7-8c-3 1-5 3-6 5",
    "M7 13a5 6 0 0 0 10 0a5 6 0 0 0-10 0M12 8v11M8 9l-3-4M16 9l3-4M7 13H3M17 13h4M8 17l-3 3M16 17l3 3",
    "M8 21C8 12 10 6 16 3c2 6 0 12-7 14M9.5 14l4-5",
    "M9 3h6M10 3v3c-4 2-5 5-5 8c0 4 3 7 7 7s7-3 7-7c0-3-1-6-5-8V3M6 13h12",
    "M8.5 9a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M5 4c-2 7 1 12 7 12s9-5 7-12M12 16v5",
    "M10 21V8a3.5 3.5 0 0 1 7 0c0 2-1 3-2.5 3",
)

Value = str | float | None
"""The value of an attribute."""
Anchor = Literal["start", "middle", "end"]


# -- elements ----------------------------------------------------------------------------------------------------------


def element(name: str, *children: str, **attributes: Value) -> str:
    """An element with its attributes (``stroke_width`` is written ``stroke-width``; ``None`` is left out).

    Children are drawings; words become one by :func:`words`.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_written(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(children)
    return f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"


def words(text: str) -> str:
    """Text as it may stand within an element; what no XML may hold is shown as a replacement mark."""
    return escape("".join(char if char.isprintable() else "\ufffd" for char in text))


def _written(value: str | float) -> str:
    if isinstance(value, str):
        return words(value)
    return f"{round(float(value), 2):g}" if abs(value) < 1e5 else f"{value:.0f}"


def picture(width: float, height: float, *children: str, title: str, ground: str = PAPER) -> str:
    """A whole picture on its ground; ``title`` describes it in words."""
    return element(
        "svg",
        element("title", words(title)),
        rect(0, 0, width, height, fill=ground, rx=18),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_written(width)} {_written(height)}",
        width=width,
        height=height,
        role="img",
        style="max-width:100%;height:auto",
    )


def rect(x: float, y: float, width: float, height: float, **attributes: Value) -> str:
    """A rectangle by its upper left corner."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def circle(x: float, y: float, r: float, **attributes: Value) -> str:
    """A circle by its middle."""
    return element("circle", cx=x, cy=y, r=r, **attributes)


def path(d: str, **attributes: Value) -> str:
    """A line, or an area where a fill is given."""
    return element("path", d=d, **({"fill": "none"} | attributes))


def strokes(d: str, colour: str, width: float, **attributes: Value) -> str:
    """A line with round ends."""
    return path(d, stroke=colour, stroke_width=width, stroke_linecap="round", stroke_linejoin="round", **attributes)


def text(
    x: float,
    y: float,
    said: str,
    size: float = 14,
    *,
    fill: str = INK,
    anchor: Anchor = "start",
    bold: bool = False,
    font: str = SANS,
    **attributes: Value,
) -> str:
    """Text that starts, is centred or ends at ``x``, on the baseline ``y``."""
    return element(
        "text",
        words(said),
        x=x,
        y=y,
        font_family=font,
        font_size=size,
        font_weight=700 if bold else None,
        fill=fill,
        text_anchor=None if anchor == "start" else anchor,
        **attributes,
    )


def at(x: float, y: float, *children: str, scale: float = 1, mirrored: bool = False, turned: float = 0) -> str:
    """A group moved to a place; ``mirrored`` looks the other way, ``turned`` is in degrees."""
    steps = f"translate({_written(x)} {_written(y)})"
    if turned:
        steps += f" rotate({_written(turned)})"
    if mirrored:
        steps += f" scale({_written(-scale)} {_written(scale)})"
    elif scale != 1:
        steps += f" scale({_written(scale)})"
    return element("g", *children, transform=steps)


def titled(*children: str, by: str) -> str:
    """Shapes with a title, which browsers show when they are pointed at."""
    return element("g", element("title", words(by)), *children)


def shortened(said: str, most: int) -> str:
    """The text cut to ``most`` characters."""
    return said if len(said) <= most else f"{said[: most - 1]}…"


# -- what games share --------------------------------------------------------------------------------------------------


def seat_colour(seat: int) -> str:
    """The colour of a seat."""
    return SEAT_COLOURS[seat % len(SEAT_COLOURS)]


def seat_disc(x: float, y: float, r: float, seat: int) -> str:
    """A seat's sign on a disc of its colour."""
    sign = strokes(_SEAT_SIGNS[seat % len(_SEAT_SIGNS)], "#fff", 2.2)
    return circle(x, y, r, fill=seat_colour(seat), stroke="#fff", stroke_width=1.5) + at(
        x - 0.6 * r, y - 0.6 * r, sign, scale=r / 20
    )


def panel(x: float, y: float, width: float, height: float, *, fill: str = PANEL, edge: str = EDGE) -> str:
    """A sheet that things lie on."""
    return rect(x, y, width, height, rx=14, fill=fill, stroke=edge, stroke_width=1.5)


def bar(x: float, y: float, width: float, height: float, share: float, fill: str) -> str:
    """A bar, of which ``share`` is filled."""
    full = width * max(0.0, min(1.0, share))
    ground = rect(x, y, width, height, rx=2, fill=EDGE, opacity=0.45)
    return ground + rect(x, y, full, height, rx=min(2, full / 2), fill=fill)


def printed(said: str) -> str:
    """Text of a terminal as a picture."""
    lines = said.splitlines() or [""]
    rows = [text(18, 30 + 18 * row, line, 14, font=MONO, xml_space="preserve") for row, line in enumerate(lines)]
    width = 36 + 8.6 * max(map(len, lines))
    return picture(width, 28 + 18 * len(lines), *rows, title=textwrap.shorten(said, 200))


# -- tables ------------------------------------------------------------------------------------------------------------

ROW: Final = 26


class Column(NamedTuple):
    """A column of a table."""

    title: str
    width: float
    anchor: Anchor = "end"


class Cell(NamedTuple):
    """A cell of a table: words, with a drawing before or below them."""

    said: str
    drawing: str = ""
    """Within a box from (0, 0) to the column's width and the row's height."""
    bold: bool = False
    fill: str = INK


def table(x: float, y: float, columns: Sequence[Column], rows: Sequence[Sequence[str | Cell]]) -> str:
    """A table with headed columns; :func:`table_height` is its height."""
    edges = [x]
    for column in columns:
        edges.append(edges[-1] + column.width)
    drawn = [
        text(_stand(column, edge), y + 17, column.title, 13, fill=HEAD, anchor=column.anchor, bold=True, font=SERIF)
        for column, edge in zip(columns, edges, strict=False)
    ]
    drawn.append(_rule(x, edges[-1], y + ROW))
    for number, row in enumerate(rows, start=1):
        top = y + ROW * number
        for column, edge, given in zip(columns, edges, row, strict=False):
            cell = given if isinstance(given, Cell) else Cell(given)
            if cell.drawing:
                drawn.append(at(edge, top, cell.drawing))
            if cell.said:
                look: dict[str, Any] = {"anchor": column.anchor, "bold": cell.bold, "fill": cell.fill}
                drawn.append(text(_stand(column, edge), top + 18, cell.said, 14, **look))
        drawn.append(_rule(x, edges[-1], top + ROW, faint=True))
    return "".join(drawn)


def table_height(rows: int) -> float:
    """The height of a table with ``rows`` rows and its head."""
    return ROW * (rows + 1)


def _stand(column: Column, edge: float) -> float:
    return {"start": edge + 4, "middle": edge + column.width / 2, "end": edge + column.width - 4}[column.anchor]


def _rule(left: float, right: float, y: float, *, faint: bool = False) -> str:
    return path(f"M{_written(left)} {_written(y)}H{_written(right)}", stroke=EDGE, stroke_width=0.7 if faint else 1.5)


# -- charts ------------------------------------------------------------------------------------------------------------


class Box(NamedTuple):
    """Where a chart lies, without its words at the edges."""

    x: float
    y: float
    width: float
    height: float

    def across(self, part: float) -> float:
        """The place of a part of the way from left to right."""
        return self.x + self.width * part

    def up(self, part: float) -> float:
        """The place of a part of the way from the bottom to the top."""
        return self.y + self.height * (1 - part)


def polyline(points: Iterable[tuple[float, float]], colour: str, width: float = 2) -> str:
    """A line through some points."""
    through = " ".join(f"{_written(x)},{_written(y)}" for x, y in points)
    return element("polyline", points=through, fill="none", stroke=colour, stroke_width=width, stroke_linejoin="round")


def share_lines(box: Box, *, labels: bool = True) -> str:
    """Lines across a chart at 0, 25, 50, 75 and 100 per cent."""
    drawn = []
    for percent in (0, 25, 50, 75, 100):
        y = box.up(percent / 100)
        drawn.append(path(f"M{_written(box.x)} {_written(y)}h{_written(box.width)}", stroke=EDGE, stroke_width=1))
        if labels:
            drawn.append(text(box.x - 6, y + 4, f"{percent} %", 13, fill=INK_SOFT, anchor="end"))
    return "".join(drawn)


def histogram(box: Box, counts: Sequence[tuple[int, int]], colour: str) -> str:
    """How often each number was seen: bars over their numbers, as many of which are written as fit."""
    if not counts:
        return ""
    low, high = counts[0][0], counts[-1][0]
    most = max(count for _, count in counts)
    pitch = box.width / (high - low + 1)
    every = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, high + 1) if step * pitch >= 30)
    drawn = [path(f"M{_written(box.x)} {_written(box.up(0))}h{_written(box.width)}", stroke=EDGE, stroke_width=1.5)]
    for number, count in counts:
        x = box.x + (number - low) * pitch
        height = box.height * count / most
        gap = min(2.0, pitch / 5)
        column = rect(x + gap / 2, box.up(0) - height, pitch - gap, height, fill=colour)
        drawn.append(titled(column, by=f"{number}: {count:,}"))
    drawn += [
        text(box.x + (number - low + 0.5) * pitch, box.up(0) + 16, str(number), 13, fill=INK_SOFT, anchor="middle")
        for number in range(low, high + 1)
        if number % every == 0
    ]
    return "".join(drawn)
