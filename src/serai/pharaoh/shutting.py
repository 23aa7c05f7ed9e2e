"""Who is shut in: no way home, and nobody of one's own inside who could open one (rule 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from serai.pharaoh.board import EXITS
from serai.pharaoh.events import FigureShutIn
from serai.pharaoh.pieces import FACE_DOWN, NOWHERE, Figure, Tiles, is_passage
from serai.pharaoh.ways import distances

if TYPE_CHECKING:
    from serai.pharaoh.rules import PharaohState


def shut_in_by(state: PharaohState, tiles: Tiles) -> tuple[FigureShutIn, ...]:
    """The figures that are shut in once the tiles lie like this, and were not before."""
    now = _shut_in(state, tiles)
    return tuple(one for one in now if one not in _shut_in(state, state.tiles)) if now else ()


def is_alone(state: PharaohState, tiles: Tiles, seat: int, cell: int) -> bool:
    """Whether neither archaeologist nor helper of that seat is inside with something to reveal or to turn."""
    inside = [other for other, far in enumerate(distances(tiles, cell)) if far != NOWHERE]
    if state.archaeologists[seat] in inside and any(
        tiles[other] == FACE_DOWN for here in inside for other, _ in EXITS[here][tiles[here]]
    ):
        return False
    return state.helpers[seat] not in inside or not any(is_passage(tiles[here]) for here in inside)


def _shut_in(state: PharaohState, tiles: Tiles) -> list[FigureShutIn]:
    home = distances(tiles, state.start)
    figures: tuple[tuple[Figure, tuple[int, ...]], ...] = (
        ("archaeologist", state.archaeologists),
        ("helper", state.helpers),
    )
    return [
        FigureShutIn(seat, figure, cell)
        for figure, cells in figures
        for seat, cell in enumerate(cells)
        if cell != NOWHERE and home[cell] == NOWHERE and is_alone(state, tiles, seat, cell)
    ]
