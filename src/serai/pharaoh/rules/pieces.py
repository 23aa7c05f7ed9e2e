"""The pieces (rules 1.1 to 1.6): cells, tiles, photos, treasures. Cells and tiles are numbers."""

from __future__ import annotations

from typing import Literal, NamedTuple

SIZE = 6
CELLS = range(SIZE * SIZE)
"""a1 is 0, f1 is 5, a2 is 6, f6 is 35."""
CELL_NAMES = tuple(f"{column}{row}" for row in range(1, SIZE + 1) for column in "abcdef")
CELL_NUMBERS = {name: cell for cell, name in enumerate(CELL_NAMES)}
NOWHERE = -1
"""In place of a cell or a seat: a lost figure, no chamber yet, nobody."""

SIDES = "NESW"
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
ALL_OPEN = NORTH | EAST | SOUTH | WEST
SIDE_NAMES = tuple(
    "".join(side for bit, side in enumerate(SIDES) if openings >> bit & 1) for openings in range(ALL_OPEN + 1)
)
"""The open sides of a set of openings, as they are written."""

PASSAGES = (("tee", "NES", 12), ("corner", "NE", 10), ("straight", "NS", 8))
"""Name, open sides in one orientation, and how many there are."""
CHAMBER_NAMES = ("lotus", "eye", "falcon", "ibis", "crown")
TILE_NAMES = (*(name for name, _, _ in PASSAGES), *CHAMBER_NAMES)
TILE_COUNTS = (*(count for _, _, count in PASSAGES), *(1 for _ in CHAMBER_NAMES))
FIRST_CHAMBER = len(PASSAGES)
"""Kinds of tiles below this number are passages."""

FACE_DOWN = 0
CHAMBER_CODE = 16
"""What lies on a cell: 0 face down; 1 to 15 a passage, by its openings; 16 to 20 the chambers; then these two."""
START, FALLEN = 21, 22
OPENINGS = (*range(ALL_OPEN + 1), *(ALL_OPEN for _ in CHAMBER_NAMES), ALL_OPEN, 0)
"""The openings of each code that can lie on a cell."""

Omen = Literal["", "mummy", "curse"]


class Shown(NamedTuple):
    """What a photo shows."""

    treasures: int
    omen: Omen


PHOTOS = (Shown(1, ""), Shown(1, "curse"), Shown(2, "mummy"), Shown(2, "curse"), Shown(3, "mummy"))
"""Photo 1 is the first."""

TREASURE_VALUES = (2, 3)
TREASURE_COUNTS = (4, 4)
MASK = 5
"""The death mask, by its value."""

PLAYERS = range(2, 5)
LAMPS = 5
MOVES = 3
FREE_ACTS = 12
COUNTDOWN = 3
"""The finder's turns after the finding turn until the chamber of the mask falls (rule 10.1)."""
PHOTO_POINTS = 1
LOST_ARCHAEOLOGIST = -2
LOST_HELPER = -1

Figure = Literal["archaeologist", "helper"]
FIGURES: tuple[Figure, ...] = ("archaeologist", "helper")
Tiles = tuple[int, ...]
"""What lies on every cell."""
Cells = tuple[int, ...]
Lying = tuple[tuple[int, int], ...]
"""Treasures on the board as (cell, value), ascending."""


def treasure_name(value: int) -> str:
    """The notation of a treasure: its value, or ``mask``."""
    return "mask" if value == MASK else str(value)


def is_chamber(code: int) -> bool:
    """Whether a cell holds a chamber."""
    return CHAMBER_CODE <= code < START


def is_passage(code: int) -> bool:
    """Whether a cell holds a revealed passage tile, which can be turned."""
    return FACE_DOWN < code < CHAMBER_CODE
