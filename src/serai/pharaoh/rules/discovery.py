"""A newly found chamber: photo, treasures, mummy, curse (chapter 9 of the rules)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from serai.core import CHANCE
from serai.core.game import put
from serai.pharaoh.rules import legal, refusals
from serai.pharaoh.rules.actions import Photo, Treasure
from serai.pharaoh.rules.board import fall_order
from serai.pharaoh.rules.events import (
    AnyEvent,
    CurseSpread,
    FigureFled,
    LampBlownOut,
    MaskFound,
    MummyWoke,
    OmenSlept,
    PhotoTaken,
    TreasureDropped,
    TreasureLaidOut,
)
from serai.pharaoh.rules.pieces import COUNTDOWN, MASK, NOWHERE, PHOTO_POINTS, PHOTOS, TREASURE_VALUES, Cells
from serai.pharaoh.rules.scoring import bank
from serai.pharaoh.rules.turns import end_turn
from serai.pharaoh.rules.ways import shortest_way

if TYPE_CHECKING:
    from serai.pharaoh.rules.rules import PharaohState, Step


def draw_photo(state: PharaohState, action: Photo) -> Step:
    number, seat = action.number, state.turn
    if state.actor is not CHANCE or action not in legal.draws(state):
        raise refusals.of_draw(state, action)
    shown = PHOTOS[number - 1]
    after = replace(
        state,
        photo=number,
        photos=put(state.photos, number - 1, seat),
        due=shown.treasures,
        points=put(state.points, seat, state.points[seat] + PHOTO_POINTS),
        changed=put(state.changed, seat, state.plies),
    )
    event = PhotoTaken(seat, state.site, number, shown.treasures, shown.omen, after.points[seat])
    return _go_on_with_chamber(after, [event])


def draw_treasure(state: PharaohState, action: Treasure) -> Step:
    value = action.value
    if state.actor is not CHANCE or action not in legal.draws(state):
        raise refusals.of_draw(state, action)
    place = TREASURE_VALUES.index(value)
    after = replace(
        state,
        stack=put(state.stack, place, state.stack[place] - 1),
        lying=tuple(sorted((*state.lying, (state.site, value)))),
        due=state.due - 1,
    )
    return _go_on_with_chamber(after, [TreasureLaidOut(state.site, value)])


def _go_on_with_chamber(state: PharaohState, events: list[AnyEvent]) -> Step:
    """The next treasure is drawn; or the mask comes, then mummy or curse, and the turn may be over (9.1 to 9.5)."""
    if state.due and any(state.stack):
        return state, tuple(events)
    if state.due:
        state = _lay_out_mask(state, events)
    state, turn_is_over = _meet_omen(state, events)
    after = replace(state, actor=state.turn, site=NOWHERE, drawn=NOWHERE, photo=0, due=0)
    return end_turn(after, "omen", events) if turn_is_over else (after, tuple(events))


def _lay_out_mask(state: PharaohState, events: list[AnyEvent]) -> PharaohState:
    """The stack is used up: the next treasure is the mask (9.1), and the finder's countdown begins (10.1), unless the
    pyramid falls already (11.5.6).
    """
    if state.mask_chamber != NOWHERE:
        return state
    lying = tuple(sorted((*state.lying, (state.site, MASK))))
    found = replace(state, lying=lying, mask_chamber=state.site, finder=state.turn)
    if state.falling:
        events.append(MaskFound(state.turn, state.site, 0))
        return found
    events.append(MaskFound(state.turn, state.site, COUNTDOWN))
    return replace(
        found,
        countdown=COUNTDOWN + 1,  # the end of the finding turn already counts one down
        falls=fall_order(state.site, state.start, state.options.ring),
    )


def _meet_omen(state: PharaohState, events: list[AnyEvent]) -> tuple[PharaohState, bool]:
    """Mummy or curse, if the photo shows one; and whether the finder's turn is over (9.3 to 9.5)."""
    omen = PHOTOS[state.photo - 1].omen
    if not omen:
        return state, False
    way = shortest_way(state.tiles, state.site, state.start)
    if not way:
        events.append(OmenSlept(state.turn, omen))
        return state, state.options.event_without_way_ends_turn
    if omen == "mummy":
        events.append(MummyWoke(state.turn, way))
        return _frighten(state, way, events), True
    events.append(CurseSpread(state.turn, way))
    return _blow_out_lamps(state, way, events), True


def _frighten(state: PharaohState, way: Cells, events: list[AnyEvent]) -> PharaohState:
    start = state.start
    archaeologists, helpers = list(state.archaeologists), list(state.helpers)
    carried, lying = list(state.carried), list(state.lying)
    carriers: list[int] = []
    for seat in range(state.players):
        cell = archaeologists[seat]
        if cell in way and cell != start:
            events.append(FigureFled(seat, "archaeologist", cell))
            archaeologists[seat] = start
            if carried[seat] and state.options.frightened_drop:
                events.append(TreasureDropped(seat, cell, carried[seat], frightened=True))
                lying.append((cell, carried[seat]))
                carried[seat] = 0
            elif carried[seat]:
                carriers.append(seat)
        if helpers[seat] in way and helpers[seat] != start:
            events.append(FigureFled(seat, "helper", helpers[seat]))
            helpers[seat] = start
    after = replace(
        state,
        archaeologists=tuple(archaeologists),
        helpers=tuple(helpers),
        carried=tuple(carried),
        lying=tuple(sorted(lying)),
    )
    for seat in carriers:
        after = bank(after, seat, events)
    return after


def _blow_out_lamps(state: PharaohState, way: Cells, events: list[AnyEvent]) -> PharaohState:
    lamps, supplies = list(state.lamps), list(state.supplies)
    for seat, lit in enumerate(state.lamps):
        out = [cell for cell in lit if cell in way]
        events += [LampBlownOut(seat, cell) for cell in out]
        lamps[seat] = tuple(cell for cell in lit if cell not in way)
        supplies[seat] += len(out)
    return replace(state, lamps=tuple(lamps), supplies=tuple(supplies))
