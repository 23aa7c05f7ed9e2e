"""The moves of a turn: walking, revealing, turning, lamps (chapters 4 to 7 of the rules)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from serai.core import CHANCE
from serai.core.game import put
from serai.pharaoh.rules import legal, refusals
from serai.pharaoh.rules.actions import Archaeologist, Helper, Lamp, Lay, Reveal, Tile, Turn, Unlamp
from serai.pharaoh.rules.board import EXITS
from serai.pharaoh.rules.collapse import carry_mask_out, stir
from serai.pharaoh.rules.events import (
    AnyEvent,
    FigureShutIn,
    LampPutUp,
    LampTakenDown,
    TileDrawn,
    TileLaid,
    TileOpened,
    TileTurned,
    Walked,
)
from serai.pharaoh.rules.pieces import (
    CHAMBER_CODE,
    FACE_DOWN,
    FIGURES,
    FIRST_CHAMBER,
    MASK,
    NOWHERE,
    Cells,
    Figure,
    Tiles,
    is_passage,
)
from serai.pharaoh.rules.scoring import bank
from serai.pharaoh.rules.turns import end_turn, mover
from serai.pharaoh.rules.ways import distances, route, walks

if TYPE_CHECKING:
    from serai.pharaoh.rules.rules import PharaohState, Step

# -- walking (4) -------------------------------------------------------------------------------------------------------


def walk_archaeologist(state: PharaohState, action: Archaeologist) -> Step:
    seat = mover(state)
    cell, goal = state.archaeologists[seat], action.cell
    events: list[AnyEvent] = [_walked(state, seat, "archaeologist", cell, goal)]
    after = replace(
        state,
        moves_left=state.moves_left - 1,
        archaeologists=put(state.archaeologists, seat, goal),
    )
    carried = state.carried[seat]
    if not carried:
        return after, tuple(events)
    leaves_chamber = carried == MASK and cell == state.mask_chamber and bool(state.countdown)
    if goal == state.start:
        after = bank(after, seat, events)
    if leaves_chamber:
        after = carry_mask_out(after, seat, events)
        if state.options.mask_exit_ends_turn:
            return end_turn(after, "mask", events)
    return after, tuple(events)


def walk_helper(state: PharaohState, action: Helper) -> Step:
    seat = mover(state)
    walked = _walked(state, seat, "helper", state.helpers[seat], action.cell)
    helpers = put(state.helpers, seat, action.cell)
    return replace(state, moves_left=state.moves_left - 1, helpers=helpers), (walked,)


def _walked(state: PharaohState, seat: int, figure: Figure, cell: int, goal: int) -> Walked:
    tiles, lamps = state.tiles, state.lamps[seat]
    if goal not in walks(tiles, lamps, cell):
        raise refusals.of_walk(state, seat, figure, goal)
    return Walked(seat, figure, route(tiles, lamps, cell, goal) if lamps else (cell, goal))


# -- revealing (5) -----------------------------------------------------------------------------------------------------


def reveal(state: PharaohState, action: Reveal) -> Step:
    seat = mover(state)
    stands, cell = state.archaeologists[seat], action.cell
    if action not in legal.reveals(state, seat):
        raise refusals.of_reveal(state, seat, cell)
    events: list[AnyEvent] = [TileOpened(seat, cell, stands)]
    after = stir(replace(state, actor=CHANCE, moves_left=state.moves_left - 1, site=cell), events)
    return after, tuple(events)


def draw_tile(state: PharaohState, action: Tile) -> Step:
    """A passage waits to be laid; a chamber lies at once and a photo is due (5.2, 5.3)."""
    kind = action.tile
    if state.actor is not CHANCE or action not in legal.draws(state):
        raise refusals.of_draw(state, action)
    event = TileDrawn(state.turn, state.site, kind)
    unseen = put(state.unseen, kind, state.unseen[kind] - 1)
    if kind < FIRST_CHAMBER:
        return replace(state, actor=state.turn, unseen=unseen, drawn=kind), (event,)
    tiles = put(state.tiles, state.site, CHAMBER_CODE + kind - FIRST_CHAMBER)
    return replace(state, unseen=unseen, drawn=kind, tiles=tiles), (event,)


def lay(state: PharaohState, action: Lay) -> Step:
    seat = state.actor
    if not isinstance(seat, int) or state.drawn == NOWHERE:
        raise refusals.of_phase(state)
    if action not in legal.lays(state):
        raise refusals.of_lay(state, action.openings)
    tiles = put(state.tiles, state.site, action.openings)
    after = replace(state, tiles=tiles, site=NOWHERE, drawn=NOWHERE)
    return after, (TileLaid(seat, state.site, action.openings), *shut_in_by(seat, state, tiles))


# -- turning and lamps (6, 7) ------------------------------------------------------------------------------------------


def turn_tile(state: PharaohState, action: Turn) -> Step:
    seat = mover(state)
    cell, openings = action.cell, action.openings
    if action not in legal.turns(state, seat):
        raise refusals.of_turn(state, seat, cell, openings)
    event = TileTurned(seat, cell, state.tiles[cell], openings)
    tiles = put(state.tiles, cell, openings)
    return replace(state, moves_left=state.moves_left - 1, tiles=tiles), (event, *shut_in_by(seat, state, tiles))


def put_up_lamp(state: PharaohState, action: Lamp) -> Step:
    seat = mover(state)
    cell, lamps, supply = state.helpers[seat], state.lamps[seat], state.supplies[seat]
    if action not in legal.lamp_acts(state, seat):
        raise refusals.of_lamp(state, seat)
    return _with_lamps(state, seat, tuple(sorted((*lamps, cell))), supply - 1), (LampPutUp(seat, cell, supply - 1),)


def take_down_lamp(state: PharaohState, action: Unlamp) -> Step:
    seat = mover(state)
    cell, lamps, supply = state.helpers[seat], state.lamps[seat], state.supplies[seat]
    if action not in legal.lamp_acts(state, seat):
        raise refusals.of_unlamp(state, seat)
    left = tuple(lamp for lamp in lamps if lamp != cell)
    return _with_lamps(state, seat, left, supply + 1), (LampTakenDown(seat, cell, supply + 1),)


def _with_lamps(state: PharaohState, seat: int, lamps: Cells, supply: int) -> PharaohState:
    return replace(
        state,
        moves_left=state.moves_left - 1,
        lamps=put(state.lamps, seat, lamps),
        supplies=put(state.supplies, seat, supply),
    )


# -- figures that are shut in: without a way home, perhaps without a figure of their player to open one (5.2) ----------


def shut_in_by(by: int, state: PharaohState, tiles: Tiles) -> tuple[FigureShutIn, ...]:
    """The figures that lose their way home, or whoever could open one, if a seat makes the tiles lie like this."""
    before, after = distances(state.tiles, state.start), distances(tiles, state.start)
    found: list[FigureShutIn] = []
    for figure, cells in zip(FIGURES, (state.archaeologists, state.helpers), strict=True):
        for seat, cell in enumerate(cells):
            if cell == NOWHERE or after[cell] != NOWHERE:
                continue
            alone = is_alone(state, tiles, seat, cell)
            if before[cell] != NOWHERE or (alone and not is_alone(state, state.tiles, seat, cell)):
                found.append(FigureShutIn(seat, figure, cell, by, alone))
    return tuple(found)


def is_alone(state: PharaohState, tiles: Tiles, seat: int, cell: int) -> bool:
    """Whether neither archaeologist nor helper of that seat is inside with something to reveal or to turn."""
    inside = [other for other, far in enumerate(distances(tiles, cell)) if far != NOWHERE]
    onward = {other for here in inside for other, _ in EXITS[here][tiles[here]]}
    if state.archaeologists[seat] in inside and any(tiles[other] == FACE_DOWN for other in onward):
        return False
    if state.helpers[seat] not in inside:
        return True
    reached = {*inside, *(() if state.options.turn_reach == "linked" else onward)}
    return not any(is_passage(tiles[here]) for here in reached)
