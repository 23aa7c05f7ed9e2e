"""The notation of actions. That of positions is in ``position``."""

from __future__ import annotations

from serai.core.notation import ActionNotation
from serai.pharaoh.rules.actions import ALL_ACTIONS, AnyAction
from serai.pharaoh.rules.board import SHAPE_OF
from serai.pharaoh.rules.pieces import CELL_NUMBERS, SIDE_NAMES, SIDES, TILE_NAMES

_FORMS = {
    "archaeologist": "archaeologist CELL",
    "helper": "helper CELL",
    "reveal": "reveal CELL",
    "lay": "lay SIDES",
    "turn": "turn CELL SIDES",
    "lamp": "lamp",
    "unlamp": "unlamp",
    "take": "take 2|3|mask",
    "drop": "drop",
    "steal": "steal SEAT",
    "end": "end",
    "tile": f"tile {'|'.join(TILE_NAMES)}",
    "photo": "photo 1|2|3|4|5",
    "treasure": "treasure 2|3",
}
_SIDE_TEXTS = tuple(SIDE_NAMES[openings] for openings in SHAPE_OF)


def _why_not(want: str, word: str) -> str:
    if want == "CELL" and word not in CELL_NUMBERS:
        return "is no cell; cells are a1 to f6"
    if want == "SIDES" and word not in _SIDE_TEXTS:
        return _wrong_sides(word)
    return "is no seat from 0 to 3" if want == "SEAT" else ""


def _wrong_sides(word: str) -> str:
    if set(word) - set(SIDES) or not word:
        return f"is no set of open sides; they are written with {', '.join(SIDES)}"
    ordered = "".join(side for side in SIDES if side in word)
    if ordered in _SIDE_TEXTS:
        return f"must be written as {ordered!r}: each side once, in the order N E S W"
    return f"fits no passage tile; open sides are one of {', '.join(_SIDE_TEXTS)}"


NOTATION: ActionNotation[AnyAction] = ActionNotation(
    ALL_ACTIONS, _FORMS, called="action of Das Gold des Pharao", why_not=_why_not
)
