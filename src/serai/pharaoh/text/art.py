"""SVG drawings of the pieces: tiles and their passages, chambers, figures, lamps, treasures."""

from __future__ import annotations

from typing import Final

from serai.drawing import SERIF, Value, at, circle, path, rect, seat_colour, strokes, text, titled
from serai.pharaoh.rules.pieces import (
    CHAMBER_CODE,
    CHAMBER_NAMES,
    EAST,
    FACE_DOWN,
    FALLEN,
    MASK,
    NORTH,
    OPENINGS,
    SOUTH,
    START,
    WEST,
    Figure,
    is_chamber,
)

TILE: Final = 100
"""The width of a tile."""
_FLOOR, _WALL, _LIP = "#ecd9ab", "#241509", "#a97f49"
_ARMS: Final = {NORTH: "M32 0H68V50H32Z", EAST: "M50 32H100V68H50Z", SOUTH: "M32 50H68V100H32Z", WEST: "M0 32H50V68H0Z"}
_SIGNS: Final = (
    (
        "M50 74V58M50 58C41 50 41 36 50 24 59 36 59 50 50 58ZM50 58C38 60 27 52 25 35 35 36 42 41 45 49M50"
        " 58C62 60 73 52 75 35 65 36 58 41 55 49M30 70C37 62 44 62 50 68 56 62 63 62 70 70"
    ),
    (
        "M24 36C36 24 62 23 77 35M23 48C36 34 62 34 78 47 63 59 37 60 23 48ZM47 57C47 65 44 72 37 77M60"
        " 55C63 64 70 71 76 69 78 64 73 61 70 65M45 47a5 5 0 1 0 10 0a5 5 0 1 0-10 0"
    ),
    (
        "M38 27C44 21 55 22 59 30L68 35 59 38C60 46 67 52 69 62L72 78 60 68C49 70 40 64 38 52 36 42 34 33 38"
        " 27ZM46 66V78M54 69V78M41 78H60M44 40C47 50 52 57 60 62"
    ),
    (
        "M54 27C58 22 65 24 66 30 66 38 56 40 54 48 56 54 52 62 42 64 34 66 26 62 22 66 26 54 36 46 46 46 50"
        " 42 50 33 54 27ZM66 31C74 34 78 42 77 52M42 64V78M50 61V78M37 78H55"
    ),
    (
        "M30 76C30 66 29 58 26 48H60L66 22H73C71 42 73 60 70 76ZM34 48C33 38 38 31 42 25 40 18 50 16 50 23"
        " 54 31 58 39 57 48M60 44C54 35 45 39 39 35 34 31 40 27 42 31"
    ),
)


def tile(code: int) -> str:
    """What lies on a cell, from (0, 0) to (100, 100)."""
    if code == FALLEN:
        rubble = path("M12 18l7 3-2 6-8-2zM78 74l9-3 4 7-9 6zM70 22l6 2-3 5zM24 80l5-4 4 5-5 3z", fill="#2c1b0f")
        return titled(rect(2, 2, 96, 96, rx=6, fill="#0b0603"), rubble, by="fallen")
    if code == FACE_DOWN:
        return titled(
            rect(2, 2, 96, 96, rx=8, fill="#98703d"),
            path("M9 91V9H91", stroke="#c39a5e", stroke_width=1.6, opacity=0.7),
            strokes("M50 26 77 74H23ZM50 52a6 6 0 1 1-.1 0", "#d9b36c", 3),
            by="face down",
        )
    openings = OPENINGS[code]
    drawn = [rect(2, 2, 96, 96, rx=6, fill="#5a4028"), path("M32 32H68V68H32Z", fill=_FLOOR)]
    drawn += [path(arm, fill=_FLOOR) for side, arm in _ARMS.items() if side & openings]
    drawn.append(strokes(_walls(openings), _WALL, 5))
    drawn.append(strokes(_walls(openings), _LIP, 1.5))
    name = ""
    if is_chamber(code):
        name = f"chamber: {CHAMBER_NAMES[code - CHAMBER_CODE]}"
        drawn.append(circle(50, 50, 31, fill="#fbeec7", stroke="#b98a2b", stroke_width=3))
        drawn.append(at(12, 12, strokes(_SIGNS[code - CHAMBER_CODE], "#633a0a", 4.4), scale=0.76))
    elif code == START:
        name = "start"
        drawn.append(path("M32 86V52a18 18 0 0 1 36 0v34z", fill="#b6833f", stroke="#6a431a", stroke_width=2))
        drawn.append(path("M38 86V54a12 12 0 0 1 24 0v32z", fill="#fff3cf"))
        drawn.append(strokes("M50 27c-4-4-10-5-16-2 5 1 9 3 12 6M50 27c4-4 10-5 16-2-5 1-9 3-12 6", "#1b8a8f", 3))
    return titled(*drawn, by=name) if name else "".join(drawn)


def _walls(openings: int) -> str:
    """Along the passages; the gaps at the edge are the openings."""
    north, east, south, west = (bool(openings & side) for side in (NORTH, EAST, SOUTH, WEST))
    walls = ["M32 0V32M68 0V32" if north else "M32 32H68", "M32 68V100M68 68V100" if south else "M32 68H68"]
    walls += ["M0 32H32M0 68H32" if west else "M32 32V68", "M68 32H100M68 68H100" if east else "M68 32V68"]
    return "".join(walls)


def cracks() -> str:
    """Over a tile that falls with the next ring."""
    return strokes(
        "M3 38 18 44 26 37 41 50 52 46 60 58 76 55 84 64 97 61M41 50 36 64 44 74 38 97M52 46 57 31 50 20 56 3",
        "#c8482f",
        2.2,
    )


def figure_drawing(seat: int, figure: Figure) -> str:
    """An archaeologist in a broad hat, or a helper with a scarf and a pick; 30 wide, 40 high."""
    colour = seat_colour(seat)
    line: dict[str, Value] = {"stroke": "#22140a", "stroke_width": 1.5, "stroke_linejoin": "round"}
    ground = circle(15, 38, 9, fill="#fff3d6", opacity=0.5)
    if figure == "archaeologist":
        drawn = [
            path("M3.5 39C3 28.5 7 22 15 22s12 6.5 11.5 17Z", fill=colour, **line),
            circle(15, 16, 6.2, fill="#d99f6c", **line),
            path("M9.5 19c1.5 4 9.5 4 11 0c-1 5.5-10 5.5-11 0", fill="#5a3a22"),
            path(
                "M3 12.8C7 10.4 9 11 9.2 10 9.2 3.5 12 2 15 3c3-1 5.8 .5 5.8 7 .2 1 2.2 .4 6.2 2.8-6 3-18 3-24 0Z",
                fill="#c9a66b",
                **line,
            ),
            path("M9.3 9.6c3.5 1.6 8 1.6 11.4 0v2.2c-3.5 1.5-8 1.5-11.4 0Z", fill=colour),
        ]
    else:
        drawn = [
            strokes("M24.5 39 27 13", "#6e4520", 2.6),
            path("M19.5 16c3-5 8-5.5 10-1-3.5-1.5-6.5-1-10 1Z", fill="#a8adb4", **line),
            path("M6 39c-.5-9.5 2-15 9-15s9.5 5.5 9 15Z", fill=colour, **line),
            circle(15, 18.5, 5.6, fill="#d99f6c", **line),
            path(
                "M8.6 21C7.5 11.5 11 9 15 9s7.5 2.5 6.4 12c-1.2-1-1.6-3.6-2.4-5-2.5-1.5-5.5-1.5-8 0-.8 1.4-1 4-2.4 5Z",
                fill="#f3e6c8",
                **line,
            ),
        ]
    said = text(15, 36, str(seat), 12, fill="#fff", anchor="middle", bold=True)
    return titled(ground, *drawn, said, by=f"{figure} of seat {seat}")


def lamp_drawing(seat: int) -> str:
    """A burning lamp in its owner's colour, its middle at (0, 0), some 28 wide."""
    bowl = "M-11 2C-6 3.5-2 3.2 3 2.4 6 2 9-.6 13-2 12.5 3.6 9 8 4 9.4H-4C-8.5 8.4-11 5.4-11 2Z"
    return titled(
        circle(6, -4, 20, fill="#ffd76a", opacity=0.35),
        path(bowl, fill=seat_colour(seat), stroke="#fff0cc", stroke_width=1.3, stroke_linejoin="round"),
        path("M11-3C6-7 8-12 12-17c1.8 5 4 9 0 14Z", fill="#ffc93f", stroke="#d9791d"),
        by=f"lamp of seat {seat}",
    )


def treasure_drawing(value: int) -> str:
    """A treasure with its value, or the mask; 40 wide and high."""
    line: dict[str, Value] = {"stroke": "#4a2f06", "stroke_width": 2, "stroke_linejoin": "round"}
    if value == MASK:
        hood = "M20 2C30 2 35 9 35.5 19L38 36H29C27 38 13 38 11 36H2L4.5 19C5 9 10 2 20 2Z"
        face = "M20 9c6 0 9 4 9 10 0 8-4 14-9 14s-9-6-9-14c0-6 3-10 9-10Z"
        return titled(
            path(hood, fill="#26408b", **line),
            strokes("M6 20h6M5 25h7M4 30h8M34 20h-6M35 25h-7M36 30h-8M12 6l3 5M28 6l-3 5M20 3v6", "#f0c453", 2.2),
            path(face, fill="#f0c453", **line),
            strokes("M14 18q2.5-2 5 0M21 18q2.5-2 5 0M17.5 27q2.5 1.5 5 0M20 19v4", "#3b2a17", 1.8),
            by="the death mask, 5",
        )
    said = text(20, 30, str(value), 28, fill="#2f1f04", anchor="middle", bold=True, font=SERIF)
    return titled(circle(20, 20, 17.5, fill="#f0c453", **line), said, by=f"treasure, {value}")
