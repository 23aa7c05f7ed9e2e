"""The collapse: countdown, clock, rings, what falls with a cell (chapter 10 of the rules), and restlessness (11.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from serai.pharaoh.rules.board import CORNER_CELLS, fall_order, outermost
from serai.pharaoh.rules.events import (
    AnyEvent,
    Calmed,
    ChamberFell,
    ClockMoved,
    CollapseBegan,
    CountdownWent,
    FigureLost,
    LampLost,
    MaskCarriedOut,
    RingFell,
    Rumbled,
    TreasureLost,
)
from serai.pharaoh.rules.pieces import (
    CELLS,
    FACE_DOWN,
    FALLEN,
    LOST_ARCHAEOLOGIST,
    LOST_HELPER,
    NOWHERE,
    Cells,
    Figure,
    is_chamber,
)

if TYPE_CHECKING:
    from serai.pharaoh.rules.rules import PharaohState


def carry_mask_out(state: PharaohState, seat: int, events: list[AnyEvent]) -> PharaohState:
    """The mask has left its chamber with this seat's archaeologist: the chamber falls at once (10.2)."""
    events.append(MaskCarriedOut(seat, state.mask_chamber))
    after = replace(state, countdown=0, clock=seat)
    after = _drop_chamber(after, events)
    events.append(ClockMoved(seat))
    return after


def take_the_clock(state: PharaohState, seat: int, events: list[AnyEvent]) -> PharaohState:
    """The player who takes or steals the mask after its chamber has fallen becomes the clock (10.3), unless the pyramid
    falls by itself (11.5.6).
    """
    if state.clock in (NOWHERE, seat) or state.falls_by_itself:
        return state
    events.append(ClockMoved(seat))
    return replace(state, clock=seat)


def tick(state: PharaohState, seat: int, events: list[AnyEvent]) -> PharaohState:
    """The end of a turn: count down (10.1), or let the next ring fall (10.4)."""
    if state.countdown:
        if seat != state.finder:
            return state
        left = state.countdown - 1
        events.append(CountdownWent(seat, left))
        if left:
            return replace(state, countdown=left)
        after = _drop_chamber(replace(state, countdown=0, clock=seat), events)
        events.append(ClockMoved(seat))
        return after
    return _drop_ring(state, events) if seat == state.clock else state


# -- a pyramid that grows restless (11.5) ------------------------------------------------------------------------------


def stir(state: PharaohState, events: list[AnyEvent]) -> PharaohState:
    """A tile is revealed or points rise: the round is not quiet, nothing is announced any more (11.5.1, 11.5.2)."""
    if state.options.restless is None or state.falling:
        return state
    if state.falls:
        events.append(Calmed())
    return replace(state, stirred=state.round, falls=())


def end_round(state: PharaohState, events: list[AnyEvent]) -> PharaohState:
    """After enough quiet rounds the fall is announced, and a round later the pyramid begins to fall (11.5)."""
    options = state.options
    if options.restless is None or state.falling:
        return state
    if state.falls:
        events.append(CollapseBegan(state.centre))
        return _fall(replace(state, clock=state.turn), (state.centre,), events)
    if state.round == options.max_rounds or state.round + 1 - state.stirred < options.restless:
        return state
    after = announce(state)
    events.append(Rumbled(after.centre))
    return after


def announce(state: PharaohState) -> PharaohState:
    """From now on everybody knows from which cell the pyramid will fall (11.5.2, 11.5.3)."""
    chambers = [cell for cell in CELLS if is_chamber(state.tiles[cell])]
    centre = outermost(chambers or CORNER_CELLS, state.start)
    return replace(state, falls=fall_order(centre, state.start, state.options.ring))


# -- what falls --------------------------------------------------------------------------------------------------------


def _drop_chamber(state: PharaohState, events: list[AnyEvent]) -> PharaohState:
    events.append(ChamberFell(state.mask_chamber))
    return _fall(state, (state.mask_chamber,), events)


def _drop_ring(state: PharaohState, events: list[AnyEvent]) -> PharaohState:
    number = state.ring + 1
    tiles = state.tiles
    cells = tuple(cell for cell, falls_with in enumerate(state.falls) if falls_with == number)
    events.append(RingFell(number, cells, sum(tiles[cell] == FACE_DOWN for cell in cells)))
    return _fall(replace(state, ring=number), cells, events)


def _fall(state: PharaohState, cells: Cells, events: list[AnyEvent]) -> PharaohState:
    """Remove these cells with everything on them (10.5)."""
    archaeologists, helpers = list(state.archaeologists), list(state.helpers)
    carried, lamps = list(state.carried), list(state.lamps)
    lost = list(state.lost)
    figures: list[tuple[int, Figure, int, int]] = []
    for seat in range(state.players):
        cell = archaeologists[seat]
        if cell in cells:
            figures.append((seat, "archaeologist", cell, LOST_ARCHAEOLOGIST))
            archaeologists[seat] = NOWHERE
            if carried[seat]:
                events.append(TreasureLost(seat, cell, carried[seat]))
                lost.append(carried[seat])
                carried[seat] = 0
        if helpers[seat] in cells:
            figures.append((seat, "helper", helpers[seat], LOST_HELPER))
            helpers[seat] = NOWHERE
        gone = [lamp for lamp in lamps[seat] if lamp in cells]
        if gone:
            events += [LampLost(seat, lamp) for lamp in gone]
            lamps[seat] = tuple(lamp for lamp in lamps[seat] if lamp not in cells)
    for cell, value in state.lying:
        if cell in cells:
            events.append(TreasureLost(NOWHERE, cell, value))
            lost.append(value)
    running = list(state.points)
    losses: list[AnyEvent] = []
    for seat, figure, cell, points in figures:
        running[seat] += points
        losses.append(FigureLost(seat, figure, cell, points, running[seat]))
    hit = {seat for seat, *_ in figures}
    after = replace(
        state,
        tiles=tuple(FALLEN if cell in cells else code for cell, code in enumerate(state.tiles)),
        archaeologists=tuple(archaeologists),
        helpers=tuple(helpers),
        carried=tuple(carried),
        lamps=tuple(lamps),
        lying=tuple(pair for pair in state.lying if pair[0] not in cells),
        lost=tuple(sorted(lost)),
        points=tuple(running),
        changed=tuple(state.plies if seat in hit else before for seat, before in enumerate(state.changed)),
    )
    events += losses
    return after
