"""Odd corners of Camel Up that some golden record must turn."""

from __future__ import annotations

from typing import Any

from serai.camelup.rules.events import (
    CardScored,
    DesertMet,
    FinishCrossed,
    LegScored,
    UnitHopped,
    UnitLifted,
    UnitSlidUnder,
)
from tests.golden.make import Corner


def _events(events: tuple[Any, ...], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def _mirage_into_own_stack(state: Any, action: Any, after: Any, events: Any) -> bool:
    slid, lifted = _events(events, UnitSlidUnder), _events(events, UnitLifted)
    return bool(slid) and slid[0].space == lifted[0].space and bool(lifted[0].left)


def _mirage_under_others(state: Any, action: Any, after: Any, events: Any) -> bool:
    slid, lifted = _events(events, UnitSlidUnder), _events(events, UnitLifted)
    return bool(slid) and slid[0].space != lifted[0].space and bool(slid[0].stack)


def _oasis_on_16(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(event.space == 16 and event.side > 0 for event in _events(events, DesertMet))


def _whole_stack_moves(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(len(event.unit) == 5 for event in _events(events, UnitLifted))


def _several_cross(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(len(event.unit) >= 3 for event in _events(events, FinishCrossed))


def _race_ends_with_the_fifth_die(state: Any, action: Any, after: Any, events: Any) -> bool:
    return after.over and 0 not in after.tents


def _race_ends_with_the_first_die(state: Any, action: Any, after: Any, events: Any) -> bool:
    return bool(after.over and after.tents.count(0) == 4)


def _netted_floor(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(event.paid > event.total for event in _events(events, LegScored))


def _card_floor(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(event.paid > event.amount for event in _events(events, CardScored))


def _sixth_right_card(state: Any, action: Any, after: Any, events: Any) -> bool:
    right = [event.deck for event in _events(events, CardScored) if event.right]
    return max(right.count("winner"), right.count("loser")) >= 6


def _tie(state: Any, action: Any, after: Any, events: Any) -> bool:
    return after.over and len(after.winners()) > 1


def _own_tile_next_door(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(old and abs(abs(new) - abs(old)) == 1 for old, new in zip(state.deserts, after.deserts, strict=True))


def _all_leg_tiles_of_a_colour_with_one_player(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(len(takers) == 3 and len(set(takers)) == 1 for takers in after.leg_bets)


def _all_cards_laid(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(not hand for hand in after.hands)


def _lands_on_own_tile(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(event.owner == state.turn for event in _events(events, DesertMet))


def _hops_three_then_one(state: Any, action: Any, after: Any, events: Any) -> bool:
    hops = [len(event.spaces) for event in _events(events, UnitHopped)]
    return hops == [3, 1]


CORNERS: dict[str, Corner] = {
    name.strip("_").replace("_", "-"): corner
    for name, corner in list(globals().items())
    if name.startswith("_") and getattr(corner, "__module__", "") == __name__ and name != "_events"
}
