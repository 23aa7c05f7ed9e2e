"""Free acts with treasure: take, drop, steal (chapter 8 of the rules)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from serai.core.game import put
from serai.pharaoh.rules import legal, refusals
from serai.pharaoh.rules.actions import Drop, Steal, Take
from serai.pharaoh.rules.collapse import take_the_clock
from serai.pharaoh.rules.events import AnyEvent, TreasureDropped, TreasureStolen, TreasureTaken
from serai.pharaoh.rules.pieces import MASK
from serai.pharaoh.rules.turns import free_actor

if TYPE_CHECKING:
    from serai.pharaoh.rules.rules import PharaohState, Step


def take(state: PharaohState, action: Take) -> Step:
    seat = free_actor(state)
    cell, value = state.archaeologists[seat], action.value
    if action not in legal.free_acts(state, seat):
        raise refusals.of_take(state, seat, value)
    lying = list(state.lying)
    lying.remove((cell, value))
    after = replace(
        state,
        acts_left=state.acts_left - 1,
        lying=tuple(lying),
        carried=put(state.carried, seat, value),
    )
    events: list[AnyEvent] = [TreasureTaken(seat, cell, value)]
    if value == MASK:
        after = take_the_clock(after, seat, events)
    return after, tuple(events)


def drop(state: PharaohState, action: Drop) -> Step:
    seat = free_actor(state)
    cell, value = state.archaeologists[seat], state.carried[seat]
    if action not in legal.free_acts(state, seat):
        raise refusals.of_drop(state, seat)
    after = replace(
        state,
        acts_left=state.acts_left - 1,
        lying=tuple(sorted((*state.lying, (cell, value)))),
        carried=put(state.carried, seat, 0),
    )
    return after, (TreasureDropped(seat, cell, value),)


def steal(state: PharaohState, action: Steal) -> Step:
    seat, victim = free_actor(state), action.seat
    cell = state.archaeologists[seat]
    if action not in legal.free_acts(state, seat):
        raise refusals.of_steal(state, seat, victim)
    value = state.carried[victim]
    after = replace(
        state,
        acts_left=state.acts_left - 1,
        carried=put(put(state.carried, victim, 0), seat, value),
    )
    events: list[AnyEvent] = [TreasureStolen(seat, victim, cell, value)]
    if value == MASK:
        after = take_the_clock(after, seat, events)
    return after, tuple(events)
