"""All advice of a view: reasons, reach, dangers, what tiles would do, ways home, what is left to find."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from serai.core.game import put
from serai.errors import IllegalAction, phrase
from serai.pharaoh.advice import escape
from serai.pharaoh.advice.answer import Ability, Advice, Hand, Kind, Lack, OmenWay, PhotoLeft, Reached, ShutIn, Why
from serai.pharaoh.rules.actions import (
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
    Lay,
    Reveal,
    Turn,
    Unlamp,
)
from serai.pharaoh.rules.board import ORIENTATIONS, SHAPE_OF
from serai.pharaoh.rules.moves import is_alone
from serai.pharaoh.rules.pieces import (
    CELL_NAMES,
    CELLS,
    CHAMBER_CODE,
    FACE_DOWN,
    FIGURES,
    MASK,
    NOWHERE,
    PHOTOS,
    Figure,
    is_passage,
)
from serai.pharaoh.rules.rules import PharaohState
from serai.pharaoh.rules.ways import distances, linked, shortest_way

_HANDS: tuple[Hand, ...] = ("archaeologist", "helper", "turn")
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


def advise(view: PharaohState) -> Advice:
    """The advice of a view, the same for everybody: nothing is secret (12.1), and nothing is drawn for it."""
    seat = view.actor
    to_act = isinstance(seat, int)
    actions = view.actions() if to_act else ()
    future = escape.Future(view) if view.falls and not view.over else None
    return Advice(
        whys=_whys(view, actions) if to_act else (),
        abilities=_abilities(view, view.turn, actions) if to_act else (),
        reach=_reach(view, view.turn) if to_act and view.drawn == NOWHERE else (),
        dangers=escape.dangers(view, view.turn, actions, future),
        shut_in=_shut_in(view, actions),
        omens=_omens(view, actions),
        homes=escape.homes(view, future),
        collapse=escape.collapse(view),
        photos=_photos(view),
    )


# -- why touching a cell does nothing, and what a figure cannot do -----------------------------------------------------


def touched(state: PharaohState, hand: Hand, cell: int) -> AnyAction:
    """The action that is meant by touching a cell with this selected."""
    code = state.tiles[cell]
    if hand == "archaeologist":
        return REVEALS[cell] if code == FACE_DOWN else ARCHAEOLOGISTS[cell]
    if hand == "helper":
        return HELPERS[cell]
    ways = ORIENTATIONS[SHAPE_OF[code]] if is_passage(code) else tuple(LAYS)
    return TURNS[cell][next(way for way in ways if way != code)]


def _whys(state: PharaohState, actions: tuple[AnyAction, ...]) -> tuple[Why, ...]:
    """The reason for every selection and cell without a legal action; the cell of a drawn tile is left out."""
    legal = {pair for action in actions for pair in _touching(action)}
    found: list[Why] = []
    for hand in _HANDS:
        for cell in CELLS:
            if (hand, cell) not in legal and cell != state.site:
                refusal = _refusal(state, touched(state, hand, cell))
                found.append(Why(hand, cell, refusal.key, _plain(refusal)))
    return tuple(found)


def _abilities(state: PharaohState, seat: int, actions: tuple[AnyAction, ...]) -> tuple[Ability, ...]:
    """What each figure of the seat to act can do, and why it cannot do the rest."""
    legal = {_KIND_OF.get(type(action)) for action in actions}
    found: list[Ability] = []
    for figure in FIGURES:
        kinds = [kind for one, kind in _KIND_OF.values() if one == figure]
        can = tuple(kind for kind in kinds if (figure, kind) in legal)
        # a lamp is either put up or taken down
        missing = [
            kind for kind in kinds if kind not in can and kind != "unlamp" and not (kind == "lamp" and "unlamp" in can)
        ]
        found.append(Ability(figure, can, _lacks(state, seat, figure, missing)))
    return tuple(found)


def _lacks(state: PharaohState, seat: int, figure: Figure, kinds: Sequence[Kind]) -> tuple[Lack, ...]:
    """Why a figure can do none of these; one reason for all where there is one: a tile to lay, no moves, it is lost."""
    stands = state.cell_of(seat, figure)
    if kinds and (state.drawn != NOWHERE or not state.moves_left or stands == NOWHERE):
        refusal = _refusal(state, (ARCHAEOLOGISTS if figure == "archaeologist" else HELPERS)[state.start])
        return (Lack(kinds[0], refusal.key, _plain(refusal)),)
    found: list[Lack] = []
    for kind in kinds:
        refusal = _refusal(state, LAMP) if kind == "lamp" else IllegalAction(_NONE[kind], cell=CELL_NAMES[stands])
        found.append(Lack(kind, refusal.key, _plain(refusal)))
    return tuple(found)


def _touching(action: AnyAction) -> tuple[tuple[Hand, int], ...]:
    """The selections and cells by which an action is done."""
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
    raise AssertionError(f"{action} is legal")


def _plain(refusal: IllegalAction) -> dict[str, Any]:
    """The values of a refusal without its lists of alternatives, which the board shows."""
    return {name: value for name, value in refusal.values.items() if not isinstance(value, tuple)}


# -- the cells that figures can still reach this turn ------------------------------------------------------------------


def _reach(state: PharaohState, seat: int) -> tuple[Reached, ...]:
    return tuple(reached for figure in FIGURES for reached in _figure_reach(state, seat, figure))


def _figure_reach(state: PharaohState, seat: int, figure: Figure) -> list[Reached]:
    """The cells that a figure can reach alone with the moves left, fewest moves first.

    Walks end where something happens, since that may change everything: a treasure is banked (8.3), the mask carried
    out (10.2).
    """
    carried = state.carried[seat] if figure == "archaeologist" else 0
    guarded = state.mask_chamber if carried == MASK and state.countdown else NOWHERE

    def ends(here: int, cell: int) -> bool:
        return bool(carried) and (cell == state.start or here == guarded)

    found = escape.walks_from(state, seat, state.cell_of(seat, figure), state.moves_left, ends)
    return [Reached(figure, cell, steps, way) for cell, (steps, way) in found.items() if steps]


# -- what a tile would do, and what is left to find --------------------------------------------------------------------


def _shut_in(state: PharaohState, actions: tuple[AnyAction, ...]) -> tuple[ShutIn, ...]:
    """For every legal way to lay or turn a tile, the figures that would lose their way home by it."""
    before = distances(state.tiles, state.start)
    found: list[ShutIn] = []
    for action in actions:
        if isinstance(action, Lay | Turn):
            cell = action.cell if isinstance(action, Turn) else state.site
            tiles = put(state.tiles, cell, action.openings)
            after = distances(tiles, state.start)
            for seat in range(state.players):
                for figure in FIGURES:
                    stands = state.cell_of(seat, figure)
                    if stands != NOWHERE and before[stands] != NOWHERE and after[stands] == NOWHERE:
                        alone = is_alone(state, tiles, seat, stands)
                        found.append(ShutIn(cell, action.openings, seat, figure, alone))
    return tuple(found)


def _omens(state: PharaohState, actions: tuple[AnyAction, ...]) -> tuple[OmenWay, ...]:
    """The shortest ways to the start from every cell that can be revealed, if it turned out to be a chamber."""
    return tuple(
        OmenWay(action.cell, _steps_out(state, action.cell)) for action in actions if isinstance(action, Reveal)
    )


def _photos(state: PharaohState) -> tuple[PhotoLeft, ...]:
    """The photos that are still in the camera."""
    return tuple(
        PhotoLeft(number, shown.treasures, shown.omen)
        for number, (shown, owner) in enumerate(zip(PHOTOS, state.photos, strict=True), start=1)
        if owner == NOWHERE
    )


def _steps_out(state: PharaohState, chamber: int) -> tuple[tuple[int, int], ...]:
    tiles = put(state.tiles, chamber, CHAMBER_CODE)
    way, far = shortest_way(tiles, chamber, state.start), distances(tiles, chamber)
    return tuple((one, other) for one in way for other in linked(tiles, one) if other in way and far[other] > far[one])


phrase(
    {
        "pharaoh.walk.nowhere": "no way leads on from {cell}",
        "pharaoh.reveal.nothing": "no opening of {cell} leads to a face-down tile",
        "pharaoh.turn.nothing": "no tile that can be turned is in reach on {cell}",
    }
)
