"""SVG drawings of the pieces: camels, tents and dice, tiles and cards, the pyramid. Upper left corner at (0, 0)."""

from __future__ import annotations

from typing import Final, NamedTuple

from serai.camelup.rules.pieces import CAMEL_NAMES
from serai.drawing import SERIF, at, circle, path, rect, seat_colour, seat_disc, strokes, text, titled


class Look(NamedTuple):
    """The look of a camel and of everything in its colour."""

    coat: str
    dark: str
    """Outline and blanket."""
    ink: str
    """What is written on the coat."""
    symbol: str
    """Strokes within -10 … 10 in both directions."""
    brow: str


LOOKS: Final = (
    Look("#2f6fb3", "#173a63", "#ffffff", "M-8-3q4-6 8 0t8 0M-8 4q4-6 8 0t8 0", "M89.6 12.2a3.7 3.7 0 0 1 7.4 0z"),
    Look(
        "#37804a",
        "#1a4425",
        "#ffffff",
        "M0 9V-3M0-3q-8-4-9 3M0-3q8-4 9 3M0-3q-4-7-7-5M0-3q4-7 7-5",
        "M90.2 7.4q3.2-2.2 6.2-.2",
    ),
    Look(
        "#e07b2a",
        "#783a0b",
        "#2b1a0a",
        "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0M0-9v1M0 8v1M-9 0h1M8 0h1",
        "M89.6 7.6l7 2.6",
    ),
    Look(
        "#ebc033",
        "#755804",
        "#2b1a0a",
        "M0-9L2.6-3 9-2.6 4.2 1.8 5.6 8.4 0 5-5.6 8.4-4.2 1.8-9-2.6-2.6-3Z",
        "M90.4 6.6q2.8-1.6 5.6 0",
    ),
    Look(
        "#f6f1e8",
        "#655b4f",
        "#2b1a0a",
        "M4-8A9 9 0 1 0 4 8A6.8 6.8 0 1 1 4-8Z",
        "M90.6 10.2l-2.4-1.2m4-.4l-1.2-2.4",
    ),
)
_BODY: Final = (
    "M17 81 19.5 60C14 57 11.5 50 15 46 17 43.2 22 43 27 43 31.5 43 32 36 36.5 31.5 41 27 48 27 52 31.5 57 36.5 58 43 "
    "62.5 43 68 43 72 40 75 34 78 28 77.5 20 81.5 14 83.5 10.5 85.5 8.5 88 8 87.5 5 89.5 2.5 92 4.5L93.5 8C99 8 105.5 "
    "10.5 106.5 15.5 107 20 102 22 97 22 93 22 91.5 24 90.5 29 88.5 40 84 51 76.5 57L76.5 81C76.5 83 75.3 84 73.5 84L"
    "65 84C63.2 84 62 83 61.8 81L60.5 65C52 67 40 67 32 65L30.8 81C30.6 83 29.4 84 27.6 84L19.8 84C18 84 16.8 83 17 81Z"
)
_TAIL: Final = "M15 48C9 51 9 58 8.5 64"
_BLANKET: Final = (
    "M36.5 31.8C41 27.3 48 27.3 52 31.8 56 36 57 41.5 60 43.2L60.5 61C52 63.5 40 63.5 31.5 61L30 43.2C32.5 41 33 35.5 "
    "36.5 31.8Z"
)
_LIGHT: Final = "M19 46.5C23 45 27 45.6 29.5 45.2M64 45.4C72 44.5 77 37 79 28 80 22 81 17 84 13"
_PIPS: Final = {1: ((16, 16),), 2: ((10, 22), (22, 10)), 3: ((9, 23), (16, 16), (23, 9))}
_OASIS, _MIRAGE = "#12666a", "#6b2c7c"


def camel_drawing(camel: int) -> str:
    """A camel from the side, 108 wide and 84 high, looking right; its flat back carries the next."""
    look = LOOKS[camel]
    return "".join(
        [
            strokes(_TAIL, look.dark, 4),
            strokes(_TAIL, look.coat, 1.6),
            path(_BODY, fill=look.coat, stroke=look.dark, stroke_width=2.6, stroke_linejoin="round"),
            strokes(_LIGHT, "#fff", 2, stroke_opacity=0.45),
            path(_BLANKET, fill=look.dark),
            strokes("M98.5 17.4q3.6 2 7-.8M103.4 12.6v.1", look.dark, 1.5),
            circle(93.3, 12.2, 3.5, fill="#fff", stroke=look.dark),
            circle(94.5, 12.8, 1.9, fill="#20130a"),
            path(look.brow, fill=look.coat, stroke=look.dark, stroke_width=1.3, stroke_linecap="round"),
            at(45.5, 46.5, strokes(look.symbol, "#fff", 2.6)),
        ]
    )


def sign(camel: int, colour: str | None = None) -> str:
    """A camel's sign, its middle at (0, 0), 20 wide."""
    return strokes(LOOKS[camel].symbol, colour or LOOKS[camel].ink, 2.6)


def tent(camel: int, pips: int) -> str:
    """The tent of a die, 72 wide; the die lies on it once it is out."""
    look = LOOKS[camel]
    drawn = path("M36 4 4 54h64Z", fill=look.coat, stroke=look.dark, stroke_width=3, stroke_linejoin="round")
    drawn += path("M36 18 25 54h22Z", fill=look.dark, opacity=0.75)
    if not pips:
        return titled(drawn, by=f"the {CAMEL_NAMES[camel]} die is in the pyramid")
    spots = [circle(x, y, 3.6, fill=look.ink) for x, y in _PIPS[pips]]
    face = rect(1.5, 1.5, 29, 29, rx=7, fill=look.coat, stroke=look.dark, stroke_width=2.4)
    return titled(drawn, at(9, 20, face, *spots, scale=1.7), by=f"the {CAMEL_NAMES[camel]} die is out: {pips}")


def pyramid() -> str:
    """The pyramid, 300 wide and 262 high."""
    courses = (
        "M123 46 152 53 177 44M96 88 153 101 204 84M69 130 155 149 230 124M41 174 157 198 258 164M137 26l1 25"
        "M110 67l2 27M140 51l1 47M83 109l2 33M124 95l3 47M55 152l3 36M98 143l3 51M135 146l2 48M36 182l2 39"
        "M84 183l3 48M127 192l2 49"
    )
    return "".join(
        [
            path("M16 240a140 17 0 1 0 280 0a140 17 0 1 0-280 0", fill="#5b3413", opacity=0.25),
            path("M150 4 14 216 160 248Z", fill="#e9c17a"),
            path("M150 4 160 248 284 204Z", fill="#a46f34"),
            path(courses, stroke="#6d4318", stroke_opacity=0.32, stroke_width=1.8),
            path("M104 236v-22q0-14 13-12t13 17v22Z", fill="#4a2b12", opacity=0.75),
        ]
    )


def desert_tile(placed: int, owner: int | None = None, *, small: bool = False) -> str:
    """A desert tile. On the track it shows its owner's sign; a small one shows its space."""
    colour = _OASIS if placed > 0 else _MIRAGE
    name, step = ("oasis", "+1") if placed > 0 else ("mirage", "−1")
    if small:
        face = rect(0, 0, 34, 22, rx=6, fill=colour)
        said = text(17, 16, f"{step[0]}{abs(placed)}", 14, fill="#fff", anchor="middle", bold=True, font=SERIF)
        return titled(face, said, by=f"{name} on space {abs(placed)}")
    face = rect(0, 0, 110, 78, rx=16, fill=colour, stroke="#3b2a17", stroke_width=2)
    said = text(46, 46, step, 38, fill="#fff", anchor="middle", bold=True, font=SERIF)
    said += text(55, 69, name, 20, fill="#fff", anchor="middle")
    whose = "" if owner is None else seat_disc(90, 20, 17, owner)
    return titled(face, said, whose, by=f"{name} of seat {owner}")


def leg_tile(camel: int, value: int, *, small: bool = False) -> str:
    """A leg tile with its value; 0 for one of which only the edge is seen."""
    look = LOOKS[camel]
    by = f"{CAMEL_NAMES[camel]} leg tile, {value}"
    if small:
        face = rect(0, 0, 19, 22, rx=5, fill=look.coat, stroke=look.dark, stroke_width=1.5)
        said = text(9.5, 16.5, str(value), 15, fill=look.ink, anchor="middle", bold=True, font=SERIF)
        return titled(face, said, by=by)
    face = rect(0, 0, 74, 58, rx=10, fill=look.coat, stroke=look.dark, stroke_width=2)
    if not value:
        return face
    said = text(50, 40, str(value), 30, fill=look.ink, anchor="middle", bold=True, font=SERIF)
    return titled(face, at(24, 29, sign(camel)), said, by=by)


def race_card(camel: int | None, owner: int) -> str:
    """A race card, 15 wide and 22 high; one that is not shown lies face down, in its owner's colour."""
    if camel is None:
        back = rect(0, 0, 15, 22, rx=3, fill=seat_colour(owner), stroke="#fff", stroke_width=1)
        mark = text(7.5, 16, "?", 14, fill="#fff", anchor="middle", bold=True, font=SERIF)
        return titled(back, mark, by=f"a race card of seat {owner}, face down")
    look = LOOKS[camel]
    face = rect(0, 0, 15, 22, rx=3, fill=look.coat, stroke=look.dark, stroke_width=1.5)
    return titled(face, at(7.5, 11, sign(camel), scale=0.55), by=f"{CAMEL_NAMES[camel]} race card of seat {owner}")
