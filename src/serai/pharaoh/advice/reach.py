"""How far: the cells that each figure can still walk to this turn, and by which way."""

from __future__ import annotations

from serai.pharaoh.advice.answer import Reached
from serai.pharaoh.pieces import MASK, NOWHERE, Figure
from serai.pharaoh.rules import PharaohState
from serai.pharaoh.ways import route, walks


def reach(state: PharaohState, seat: int) -> tuple[Reached, ...]:
    """What both figures of the seat to act reach with the moves that are left, each alone."""
    return (*_figure_reach(state, seat, "archaeologist"), *_figure_reach(state, seat, "helper"))


def _figure_reach(state: PharaohState, seat: int, figure: Figure) -> list[Reached]:
    """Fewest moves first; nobody walks on from where something happens, since that may change everything."""
    stands = (state.archaeologists if figure == "archaeologist" else state.helpers)[seat]
    if stands == NOWHERE:
        return []
    tiles, lamps = state.tiles, state.lamps[seat]
    found = {stands: Reached(figure, stands, (), (stands,))}
    edge = [stands]
    for _ in range(state.moves_left):
        onward: list[int] = []
        for here in edge:
            before = found[here]
            for cell in walks(tiles, lamps, here):
                if cell not in found:
                    way = before.way + route(tiles, lamps, here, cell)[1:]
                    found[cell] = Reached(figure, cell, (*before.steps, cell), way)
                    if not _stirs(state, seat, figure, here, cell):
                        onward.append(cell)
        edge = onward
    del found[stands]
    return list(found.values())


def _stirs(state: PharaohState, seat: int, figure: Figure, here: int, cell: int) -> bool:
    """Whether that move sets something going: a treasure is banked (8.3), the mask carried out (10.2)."""
    carried = state.carried[seat] if figure == "archaeologist" else 0
    return bool(carried) and (cell == state.start or (carried == MASK and here == state.mask_chamber))
