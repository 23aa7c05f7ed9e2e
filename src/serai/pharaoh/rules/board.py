"""Tables of the board: the neighbours of the 6 × 6 cells, orientations of tiles, rings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Literal

from serai.pharaoh.rules.pieces import (
    ALL_OPEN,
    CELL_NAMES,
    CELLS,
    EAST,
    NORTH,
    NOWHERE,
    OPENINGS,
    PASSAGES,
    SIDES,
    SIZE,
    SOUTH,
    WEST,
    Cells,
)

RingShape = Literal["king", "rook"]


def openings_of(sides: str) -> int:
    """The openings written as ``NES``."""
    return sum(1 << SIDES.index(side) for side in sides)


def _neighbour(cell: int, side: int) -> int | None:
    row, column = divmod(cell, SIZE)
    row += {NORTH: 1, SOUTH: -1}.get(side, 0)
    column += {EAST: 1, WEST: -1}.get(side, 0)
    return row * SIZE + column if 0 <= row < SIZE and 0 <= column < SIZE else None


def opposite(side: int) -> int:
    """The side that a neighbour on ``side`` turns towards us."""
    return side << 2 & ALL_OPEN or side >> 2


def _exits(cell: int, openings: int) -> tuple[tuple[int, int], ...]:
    return tuple(
        (other, opposite(side))
        for side in (SOUTH, WEST, EAST, NORTH)
        if side & openings and (other := _neighbour(cell, side)) is not None
    )


EXITS = tuple(tuple(_exits(cell, openings) for openings in OPENINGS) for cell in CELLS)
"""By cell and what lies there (for a passage its openings): the neighbours it opens to, ascending, each with the side
it needs open to be linked.
"""
NEIGHBOURS = tuple(tuple(other for other, _ in EXITS[cell][ALL_OPEN]) for cell in CELLS)


def side_towards(cell: int, neighbour: int) -> int:
    """The side of ``cell`` on which its neighbour lies."""
    return opposite(dict(EXITS[cell][ALL_OPEN])[neighbour])


def _turned(openings: int) -> tuple[int, ...]:
    """All ways a tile can lie, ascending, each look once."""
    ways = {openings}
    for _ in SIDES:
        openings = (openings << 1 | openings >> 3) & ALL_OPEN
        ways.add(openings)
    return tuple(sorted(ways))


ORIENTATIONS = tuple(_turned(openings_of(sides)) for _, sides, _ in PASSAGES)
"""For each kind of passage tile the openings it can be laid with."""
SHAPE_OF = {openings: kind for kind, ways in enumerate(ORIENTATIONS) for openings in ways}
"""Which kind of passage tile has these openings."""

CORNER_CELLS = (0, SIZE - 1, SIZE * (SIZE - 1), SIZE * SIZE - 1)
ENTRANCES = tuple(CELL_NAMES[cell] for cell in CELLS if len(NEIGHBOURS[cell]) < len(SIDES) and cell not in CORNER_CELLS)
"""Where the start tile may lie (rule 1.2): on the border, not in a corner."""


def outermost(cells: Iterable[int], start: int) -> int:
    """The cell with most steps to the start, walls or no walls; of several the last (rule 11.5.3)."""
    return max(cells, key=lambda cell: (_distance(start, cell, "rook"), cell))


@cache
def fall_order(centre: int, start: int, shape: RingShape) -> Cells:
    """For each cell the ring it falls with, its distance from the centre; ``NOWHERE`` for the start (rule 10.4)."""
    return tuple(NOWHERE if cell == start else _distance(centre, cell, shape) for cell in CELLS)


def _distance(one: int, other: int, shape: RingShape) -> int:
    rows = abs(one // SIZE - other // SIZE)
    columns = abs(one % SIZE - other % SIZE)
    return max(rows, columns) if shape == "king" else rows + columns
