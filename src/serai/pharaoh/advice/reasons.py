"""Why not: what the rules answer to whoever touches a cell, or a figure, that offers nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from serai.core import IllegalAction, phrase
from serai.pharaoh.actions import (
    ARCHAEOLOGISTS,
    HELPERS,
    LAMP,
    LAYS,
    REVEALS,
    TURNS,
    AnyAction,
    Archaeologist,
    Helper,
    Lamp,
    Reveal,
    Turn,
    Unlamp,
)
from serai.pharaoh.advice.answer import Ability, Hand, Kind, Lack, Why
from serai.pharaoh.board import ORIENTATIONS, SHAPE_OF
from serai.pharaoh.pieces import CELL_NAMES, CELLS, FACE_DOWN, NOWHERE, Figure, is_passage
from serai.pharaoh.rules import PharaohState

HANDS: tuple[Hand, ...] = ("archaeologist", "helper", "turn")
KINDS: dict[Figure, tuple[Kind, ...]] = {
    "archaeologist": ("walk", "reveal"),
    "helper": ("walk", "turn", "lamp", "unlamp"),
}


def touched(state: PharaohState, hand: Hand, cell: int) -> AnyAction:
    """What somebody who touches a cell with this in hand wants to do there."""
    code = state.tiles[cell]
    if hand == "archaeologist":
        return REVEALS[cell] if code == FACE_DOWN else ARCHAEOLOGISTS[cell]
    if hand == "helper":
        return HELPERS[cell]
    ways = ORIENTATIONS[SHAPE_OF[code]] if is_passage(code) else tuple(LAYS)
    return TURNS[cell][next(way for way in ways if way != code)]


def whys(state: PharaohState, actions: tuple[AnyAction, ...]) -> tuple[Why, ...]:
    """For every hand and cell where nothing is on offer the reason; the tile in hand is no cell to be touched."""
    offered = {pair for action in actions for pair in _touching(action)}
    found: list[Why] = []
    for hand in HANDS:
        for cell in CELLS:
            if (hand, cell) not in offered and cell != state.site:
                refusal = _refusal(state, touched(state, hand, cell))
                found.append(Why(hand, cell, refusal.key, _plain(refusal)))
    return tuple(found)


def abilities(state: PharaohState, seat: int, actions: tuple[AnyAction, ...]) -> tuple[Ability, ...]:
    """What each figure of the seat to act can do, and why not the rest."""
    offered = {_KIND_OF.get(type(action)) for action in actions}
    found: list[Ability] = []
    for figure, kinds in KINDS.items():
        can = tuple(kind for kind in kinds if (figure, kind) in offered)
        # a lamp is either put up or taken down
        missing = [
            kind for kind in kinds if kind not in can and kind != "unlamp" and not (kind == "lamp" and "unlamp" in can)
        ]
        found.append(Ability(figure, can, _lacks(state, seat, figure, missing)))
    return tuple(found)


def _lacks(state: PharaohState, seat: int, figure: Figure, kinds: Sequence[Kind]) -> tuple[Lack, ...]:
    """Why it can do none of these; one reason for all where there is one: a tile to lay, no moves, a lost figure."""
    archaeologist = figure == "archaeologist"
    stands = (state.archaeologists if archaeologist else state.helpers)[seat]
    if kinds and (state.drawn != NOWHERE or not state.moves_left or stands == NOWHERE):
        refusal = _refusal(state, (ARCHAEOLOGISTS if archaeologist else HELPERS)[state.start])
        return (Lack(kinds[0], refusal.key, _plain(refusal)),)
    found: list[Lack] = []
    for kind in kinds:
        refusal = _refusal(state, LAMP) if kind == "lamp" else IllegalAction(_NONE[kind], cell=CELL_NAMES[stands])
        found.append(Lack(kind, refusal.key, _plain(refusal)))
    return tuple(found)


def _touching(action: AnyAction) -> tuple[tuple[Hand, int], ...]:
    """The hands and cells by which an action is done."""
    match action:
        case Archaeologist(cell) | Reveal(cell):
            return (("archaeologist", cell),)
        case Helper(cell):
            return (("helper", cell),)
        case Turn(cell, _):
            return (("helper", cell), ("turn", cell))
    return ()


def _refusal(state: PharaohState, action: AnyAction) -> IllegalAction:
    try:
        state.step(action)
    except IllegalAction as refusal:
        return refusal
    raise AssertionError(f"{action} is on offer")


def _plain(refusal: IllegalAction) -> dict[str, Any]:
    """The values of a refusal without its lists: what else could be done is on the board to be seen."""
    return {name: value for name, value in refusal.values.items() if not isinstance(value, tuple)}


_KIND_OF: dict[type[Any], tuple[Figure, Kind]] = {
    Archaeologist: ("archaeologist", "walk"),
    Reveal: ("archaeologist", "reveal"),
    Helper: ("helper", "walk"),
    Turn: ("helper", "turn"),
    Lamp: ("helper", "lamp"),
    Unlamp: ("helper", "unlamp"),
}
_NONE: dict[Kind, str] = {
    "walk": "pharaoh.walk.nowhere",
    "reveal": "pharaoh.reveal.nothing",
    "turn": "pharaoh.turn.nothing",
}

phrase(
    {
        "pharaoh.walk.nowhere": "no way leads on from {cell}",
        "pharaoh.reveal.nothing": "no opening of {cell} leads to a face-down tile",
        "pharaoh.turn.nothing": "no tile that can be turned is in reach on {cell}",
    }
)
