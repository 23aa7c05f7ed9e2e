"""Why an action is refused: the rule that forbids it; the most obvious one first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from serai.core import CHANCE
from serai.errors import IllegalAction, phrase, shown
from serai.pharaoh.rules import legal
from serai.pharaoh.rules.actions import Lay, Photo, Steal, Take, Tile, Treasure, Turn
from serai.pharaoh.rules.board import NEIGHBOURS, ORIENTATIONS, SHAPE_OF, side_towards
from serai.pharaoh.rules.pieces import (
    CELL_NAMES,
    CELLS,
    FACE_DOWN,
    FALLEN,
    NOWHERE,
    OPENINGS,
    PHOTOS,
    SIDE_NAMES,
    START,
    TILE_NAMES,
    TREASURE_VALUES,
    Figure,
    is_passage,
    treasure_name,
)
from serai.pharaoh.rules.ways import moves_from, walks

if TYPE_CHECKING:
    from serai.pharaoh.rules.rules import PharaohState


def of_phase(state: PharaohState) -> IllegalAction:
    """Something else is due first: a draw, a tile to be laid, or (for ``lay``) a tile to be revealed."""
    if state.actor is CHANCE:
        return IllegalAction("core.chance_first", kinds=_due(state)[0])
    if state.drawn != NOWHERE:
        tile, cell = TILE_NAMES[state.drawn], CELL_NAMES[state.site]
        return IllegalAction("pharaoh.lay.first", tile=tile, cell=cell, ways=_ways(legal.lays(state)))
    return IllegalAction("pharaoh.lay.nothing")


def of_walk(state: PharaohState, seat: int, figure: Figure, goal: int) -> IllegalAction:
    """4.1 to 4.3."""
    cell = state.cell_of(seat, figure)
    if cell == NOWHERE:
        return _lost(figure)
    if goal not in CELLS:
        return _no_cell(goal)
    reach = _cells(walks(state.tiles, state.lamps[seat], cell))
    here, there = CELL_NAMES[cell], CELL_NAMES[goal]
    if goal == cell:
        return IllegalAction("pharaoh.walk.here", figure=figure, cell=there, reach=reach)
    key = {FACE_DOWN: "pharaoh.walk.face_down", FALLEN: "pharaoh.walk.fallen"}.get(state.tiles[goal])
    if key is None:
        far = moves_from(state.tiles, state.lamps[seat], cell)[goal]
        if far != NOWHERE:
            return IllegalAction("pharaoh.walk.far", figure=figure, stands=here, cell=there, count=far, reach=reach)
        key = "pharaoh.walk.no_way"
    return IllegalAction(key, figure=figure, stands=here, cell=there, reach=reach)


def of_reveal(state: PharaohState, seat: int, cell: int) -> IllegalAction:
    """5.1."""
    stands = state.archaeologists[seat]
    if stands == NOWHERE:
        return _lost("archaeologist")
    if cell not in CELLS:
        return _no_cell(cell)
    if state.tiles[cell] == FALLEN:
        key = "pharaoh.reveal.fallen"
    elif state.tiles[cell] != FACE_DOWN:
        key = "pharaoh.reveal.known"
    else:
        key = "pharaoh.reveal.wall" if cell in NEIGHBOURS[stands] else "pharaoh.reveal.far"
    choices = _cells(reveal.cell for reveal in legal.reveals(state, seat))
    return IllegalAction(key, cell=CELL_NAMES[cell], stands=CELL_NAMES[stands], choices=choices)


def of_lay(state: PharaohState, openings: int) -> IllegalAction:
    """5.2."""
    key = "pharaoh.lay.sealed" if openings in ORIENTATIONS[state.drawn] else "pharaoh.lay.shape"
    tile, cell = TILE_NAMES[state.drawn], CELL_NAMES[state.site]
    return IllegalAction(key, tile=tile, cell=cell, openings=_sides(openings), ways=_ways(legal.lays(state)))


def of_turn(state: PharaohState, seat: int, cell: int, openings: int) -> IllegalAction:
    """6.1."""
    helper = state.helpers[seat]
    if helper == NOWHERE:
        return _lost("helper")
    if cell not in CELLS:
        return _no_cell(cell)
    code = state.tiles[cell]
    choices = legal.turnable(state, seat)
    values: dict[str, Any] = {"cell": CELL_NAMES[cell], "stands": CELL_NAMES[helper], "choices": _cells(choices)}
    if code == FALLEN:
        return IllegalAction("pharaoh.turn.fallen", **values)
    if code == FACE_DOWN:
        return IllegalAction("pharaoh.turn.face_down", **values)
    if not is_passage(code):
        return IllegalAction("pharaoh.turn.start" if code == START else "pharaoh.turn.chamber", **values)
    if cell != helper and cell not in NEIGHBOURS[helper]:
        return IllegalAction("pharaoh.turn.far", **values)
    if cell not in choices and cell != helper:
        own_wall = not OPENINGS[state.tiles[helper]] & side_towards(helper, cell)
        return IllegalAction("pharaoh.turn.own_wall" if own_wall else "pharaoh.turn.wall", **values)
    kind = SHAPE_OF[code]
    values = {**values, "tile": TILE_NAMES[kind], "openings": _sides(openings)}
    values["ways"] = _ways(turn for turn in legal.turns(state, seat) if turn.cell == cell)
    if openings == code:
        return IllegalAction("pharaoh.turn.same", **values)
    if openings not in ORIENTATIONS[kind]:
        return IllegalAction("pharaoh.turn.shape", **values)
    return IllegalAction("pharaoh.turn.sealed", **values)


def of_lamp(state: PharaohState, seat: int) -> IllegalAction:
    """7.1."""
    helper = state.helpers[seat]
    if helper == NOWHERE:
        return _lost("helper")
    cell = CELL_NAMES[helper]
    if helper == state.start:
        return IllegalAction("pharaoh.lamp.start", cell=cell)
    if helper in state.lamps[seat]:
        return IllegalAction("pharaoh.lamp.lit", cell=cell)
    return IllegalAction("pharaoh.lamp.none", cell=cell, lit=_cells(state.lamps[seat]))


def of_unlamp(state: PharaohState, seat: int) -> IllegalAction:
    """7.2."""
    helper = state.helpers[seat]
    if helper == NOWHERE:
        return _lost("helper")
    return IllegalAction("pharaoh.unlamp.none", cell=CELL_NAMES[helper], lit=_cells(state.lamps[seat]))


def of_take(state: PharaohState, seat: int, value: int) -> IllegalAction:
    """8.1."""
    cell = state.archaeologists[seat]
    if cell == NOWHERE:
        return _lost("archaeologist")
    if state.carried[seat]:
        return _hands_full(state, seat)
    lying = tuple(treasure_name(act.value) for act in legal.free_acts(state, seat) if isinstance(act, Take))
    return IllegalAction("pharaoh.take.absent", treasure=treasure_name(value), cell=CELL_NAMES[cell], lying=lying)


def of_drop(state: PharaohState, seat: int) -> IllegalAction:
    """8.1."""
    if state.archaeologists[seat] == NOWHERE:
        return _lost("archaeologist")
    return IllegalAction("pharaoh.drop.empty")


def of_steal(state: PharaohState, seat: int, victim: int) -> IllegalAction:
    """8.2."""
    cell = state.archaeologists[seat]
    if cell == NOWHERE:
        return _lost("archaeologist")
    if victim not in range(state.players):
        return IllegalAction("pharaoh.steal.seat", victim=victim, last=state.players - 1)
    if victim == seat:
        return IllegalAction("pharaoh.steal.self")
    if state.carried[seat]:
        return _hands_full(state, seat)
    victims = tuple(act.seat for act in legal.free_acts(state, seat) if isinstance(act, Steal))
    key = "pharaoh.steal.nothing" if state.archaeologists[victim] == cell else "pharaoh.steal.apart"
    return IllegalAction(key, victim=victim, cell=CELL_NAMES[cell], victims=victims)


def of_draw(state: PharaohState, action: Tile | Photo | Treasure) -> IllegalAction:
    """2.2: nothing is to be drawn, something else is, or that piece is used up."""
    if state.actor is not CHANCE:
        return IllegalAction("core.player_first", seat=state.actor)
    due, left = _due(state)
    if action.kind != due:
        return IllegalAction("core.chance_first", kinds=due)
    match action:
        case Tile(tile) if tile in range(len(TILE_NAMES)):
            return IllegalAction("pharaoh.tile.seen", tile=TILE_NAMES[tile], left=left)
        case Photo(number) if 1 <= number <= len(PHOTOS):
            return IllegalAction("pharaoh.photo.taken", photo=number, left=left)
        case Treasure(value) if value in TREASURE_VALUES:
            return IllegalAction("pharaoh.treasure.drawn", value=value, left=left)
    return IllegalAction("core.foreign", action=shown(action), game="pharaoh")


# -- details -----------------------------------------------------------------------------------------------------------


def _due(state: PharaohState) -> tuple[str, tuple[str, ...]]:
    """The kind of draw that is due, and the possible draws without that word."""
    draws = legal.draws(state)
    return draws[0].kind, tuple(str(draw).partition(" ")[2] for draw in draws)


def _lost(figure: Figure) -> IllegalAction:
    return IllegalAction("pharaoh.lost.figure", figure=figure)


def _no_cell(cell: int) -> IllegalAction:
    return IllegalAction("pharaoh.cell", cell=cell, last=CELLS[-1])


def _hands_full(state: PharaohState, seat: int) -> IllegalAction:
    return IllegalAction("pharaoh.hands_full", treasure=treasure_name(state.carried[seat]))


def _cells(cells: Iterable[int]) -> tuple[str, ...]:
    return tuple(CELL_NAMES[cell] for cell in cells)


def _ways(ways: Iterable[Lay | Turn]) -> tuple[str, ...]:
    return tuple(SIDE_NAMES[way.openings] for way in ways)


def _sides(openings: int) -> str:
    return SIDE_NAMES[openings] if openings in range(len(SIDE_NAMES)) else str(openings)


phrase(
    {
        "pharaoh.moves": "all {moves} moves of this turn are used: take, drop or steal if you like, then end the turn",
        "pharaoh.acts": "{acts} free acts are the most one turn may have: move, or end the turn",
        "pharaoh.cell": "there is no cell {cell}: cells are numbered from 0 (a1) to {last} (f6)",
        "pharaoh.lost.figure": "your {figure} is lost: play on with what you have, or end the turn",
        "pharaoh.hands_full": "your archaeologist carries {treasure} already: drop it or bring it to safety first",
        "pharaoh.walk.here": "your {figure} stands on {cell} already; one move reaches: {reach}",
        "pharaoh.walk.face_down": "{cell} is face down: it must be revealed first; one move reaches: {reach}",
        "pharaoh.walk.fallen": "{cell} has fallen; one move reaches: {reach}",
        "pharaoh.walk.far": "{cell} is {count} moves away from your {figure} on {stands}; one move reaches: {reach}",
        "pharaoh.walk.no_way": "no way leads your {figure} from {stands} to {cell}; one move reaches: {reach}",
        "pharaoh.reveal.fallen": "{cell} has fallen; from {stands} you can reveal: {choices}",
        "pharaoh.reveal.known": "{cell} lies open already; from {stands} you can reveal: {choices}",
        "pharaoh.reveal.far": "{cell} is not next to your archaeologist on {stands}; it can reveal: {choices}",
        "pharaoh.reveal.wall": "a wall on {stands} keeps your archaeologist from {cell}; it can reveal: {choices}",
        "pharaoh.lay.first": "lay the {tile} on {cell} first: {ways}",
        "pharaoh.lay.nothing": "there is no tile to lay: reveal one first",
        "pharaoh.lay.shape": "a {tile} cannot lie as {openings}; it can lie as: {ways}",
        "pharaoh.lay.sealed": "{openings} on {cell} faces no cell that still exists; this table allows: {ways}",
        "pharaoh.turn.fallen": "{cell} has fallen; from {stands} your helper can turn: {choices}",
        "pharaoh.turn.face_down": "{cell} is face down; from {stands} your helper can turn: {choices}",
        "pharaoh.turn.start": "the start tile is never turned; from {stands} your helper can turn: {choices}",
        "pharaoh.turn.chamber": "chambers look alike on all sides; your helper can turn: {choices}",
        "pharaoh.turn.far": "{cell} is not next to your helper on {stands}; it can turn: {choices}",
        "pharaoh.turn.own_wall": "the tile under your helper has a wall towards {cell}; it can turn: {choices}",
        "pharaoh.turn.wall": "{cell} has a wall towards your helper on {stands}; it can turn: {choices}",
        "pharaoh.turn.same": "{cell} lies as {openings} already; turn it to one of: {ways}",
        "pharaoh.turn.shape": "the {tile} on {cell} cannot lie as {openings}; turn it to one of: {ways}",
        "pharaoh.turn.sealed": "{openings} on {cell} faces no cell that still exists; this table allows: {ways}",
        "pharaoh.lamp.start": "no lamp stands on the start tile {cell}: walk your helper into the pyramid first",
        "pharaoh.lamp.lit": "your lamp lights {cell} already: put the next one up elsewhere",
        "pharaoh.lamp.none": "no lamp is left in your supply; take one down where your helper stands, lit are: {lit}",
        "pharaoh.unlamp.none": "none of your lamps stands on {cell}, where your helper is; lit are: {lit}",
        "pharaoh.take.absent": "no {treasure} lies on {cell}, where your archaeologist is; there lies: {lying}",
        "pharaoh.drop.empty": "your archaeologist carries nothing: take something first",
        "pharaoh.steal.seat": "there is no seat {victim}: seats are 0 to {last}",
        "pharaoh.steal.self": "you cannot rob yourself: name another seat",
        "pharaoh.steal.apart": "seat {victim}'s archaeologist is not on {cell} with yours; you can rob: {victims}",
        "pharaoh.steal.nothing": "seat {victim}'s archaeologist carries nothing; you can rob: {victims}",
        "pharaoh.tile.seen": "no {tile} is left among the unseen tiles; left are: {left}",
        "pharaoh.photo.taken": "photo {photo} is no longer in the camera; left are: {left}",
        "pharaoh.treasure.drawn": "no treasure of {value} is left in the stack; left are: {left}",
    }
)
