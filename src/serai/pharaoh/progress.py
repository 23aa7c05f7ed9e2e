"""What gets a seat on and what only lets time pass: for searchers and the coach, where playouts see no difference."""

from __future__ import annotations

from typing import Final

from serai.pharaoh.rules.actions import AnyAction, Archaeologist, Drop, End, Reveal, Steal, Take
from serai.pharaoh.rules.board import EXITS
from serai.pharaoh.rules.pieces import CELLS, FACE_DOWN, MASK, NOWHERE
from serai.pharaoh.rules.rules import PharaohState
from serai.pharaoh.rules.ways import moves_from

_NEVER: Final = len(CELLS)
"""More moves than any way has."""


def idles(view: PharaohState, action: AnyAction) -> bool:
    """Ending the turn, as long as no time presses: once a countdown runs home may be the best place."""
    return isinstance(action, End) and not view.falling


def gets_on(view: PharaohState, action: AnyAction) -> bool:
    """Discovering, picking up, and walking towards what the seat is there for."""
    match action:
        case Reveal() | Take() | Steal():
            return True
        case Archaeologist():
            return _to_go(view.apply(action), view.turn) < _to_go(view, view.turn)
    return False


def fumbles(view: PharaohState, action: AnyAction) -> bool:
    """Dropping a treasure unless for a dearer one, and picking up the cheaper of two."""
    match action:
        case Drop():
            return view.acts_left < 2 or _dearest(view) <= view.carried[view.turn]
        case Take(value):
            here = view.archaeologists[view.turn]
            return any(cell == here and value < other < MASK for cell, other in view.lying)
    return False


def _dearest(view: PharaohState) -> int:
    """The greatest value that lies or is carried by a rival where the archaeologist stands; 0 for nothing."""
    seat, here = view.turn, view.archaeologists[view.turn]
    lying = [value for cell, value in view.lying if cell == here]
    held = [
        value
        for rival, value in enumerate(view.carried)
        if rival != seat and view.archaeologists[rival] == here != NOWHERE
    ]
    return max([*lying, *held], default=0)


def _to_go(state: PharaohState, seat: int) -> int:
    """How many moves the archaeologist is from home with a treasure; else, or if no way leads there, from a treasure or
    a tile to turn over.
    """
    cell, tiles = state.archaeologists[seat], state.tiles
    if cell == NOWHERE:
        return _NEVER
    far = moves_from(tiles, state.lamps[seat], cell)
    if state.carried[seat] and far[state.start] != NOWHERE:
        return far[state.start]
    opens = [here for here in CELLS if any(tiles[other] == FACE_DOWN for other, _ in EXITS[here][tiles[here]])]
    lying = [] if state.carried[seat] else [here for here, _ in state.lying]
    return min((far[end] for end in [*opens, *lying] if far[end] != NOWHERE), default=_NEVER)
