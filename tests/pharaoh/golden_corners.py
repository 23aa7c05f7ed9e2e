"""Odd corners of Das Gold des Pharao that some golden record must turn."""

from __future__ import annotations

from typing import Any

from serai.pharaoh.rules.events import (
    Calmed,
    CollapseBegan,
    CurseSpread,
    FigureFled,
    FigureLost,
    FigureShutIn,
    GameEnded,
    LampBlownOut,
    MaskCarriedOut,
    MaskFound,
    MummyWoke,
    OmenSlept,
    RingFell,
    TreasureBanked,
    TreasureDropped,
    TreasureLost,
    TreasureStolen,
    Walked,
)
from serai.pharaoh.rules.pieces import MASK, is_chamber
from tests.golden.make import Corner


def _events(events: tuple[Any, ...], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def _lit_run_onto_the_start(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(len(event.way) > 3 and event.way[-1] == state.start for event in _events(events, Walked))


def _mummy_on_several_equally_short_ways(state: Any, action: Any, after: Any, events: Any) -> bool:
    for event in _events(events, MummyWoke):
        distances = [abs(cell // 6 - event.way[0] // 6) + abs(cell % 6 - event.way[0] % 6) for cell in event.way]
        if len(distances) > len(set(distances)):
            return True
    return False


def _mummy_frightens_a_carrier(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(event.frightened for event in _events(events, TreasureDropped))


def _mummy_frightens_rivals(state: Any, action: Any, after: Any, events: Any) -> bool:
    return len({event.seat for event in _events(events, FigureFled)}) > 1


def _curse_blows_out_lamps_of_several(state: Any, action: Any, after: Any, events: Any) -> bool:
    return len({event.seat for event in _events(events, LampBlownOut)}) > 1


def _curse_hits_nothing(state: Any, action: Any, after: Any, events: Any) -> bool:
    return bool(_events(events, CurseSpread)) and not _events(events, LampBlownOut)


def _omen_without_a_way(state: Any, action: Any, after: Any, events: Any) -> bool:
    return bool(_events(events, OmenSlept))


def _somebody_is_shut_in(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(event.alone for event in _events(events, FigureShutIn))


def _theft(state: Any, action: Any, after: Any, events: Any) -> bool:
    return bool(_events(events, TreasureStolen))


def _mask_with_the_photo_that_wakes_nothing(state: Any, action: Any, after: Any, events: Any) -> bool:
    return bool(_events(events, MaskFound)) and bool(after.photo == 0) and after.actor == state.turn


def _mask_carried_out_by_another_than_the_finder(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(event.seat != state.finder for event in _events(events, MaskCarriedOut))


def _mask_brought_to_safety(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(event.value == MASK for event in _events(events, TreasureBanked))


def _mask_lost_in_its_chamber(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(event.value == MASK and event.cell == state.mask_chamber for event in _events(events, TreasureLost))


def _ring_takes_several_figures(state: Any, action: Any, after: Any, events: Any) -> bool:
    return bool(_events(events, RingFell)) and len(_events(events, FigureLost)) > 1


def _ring_takes_hidden_tiles(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(event.unseen > 2 for event in _events(events, RingFell))


def _a_player_without_figures_plays_on(state: Any, action: Any, after: Any, events: Any) -> bool:
    return bool(action.kind == "end" and state.archaeologists[state.turn] == state.helpers[state.turn] == -1)


def _end_by_the_round_limit(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(event.why == "rounds" for event in _events(events, GameEnded))


def _restless_pyramid_is_calmed(state: Any, action: Any, after: Any, events: Any) -> bool:
    return bool(_events(events, Calmed))


def _restless_pyramid_begins_to_fall_at_a_chamber(state: Any, action: Any, after: Any, events: Any) -> bool:
    return any(is_chamber(state.tiles[event.cell]) for event in _events(events, CollapseBegan))


def _restless_pyramid_falls_to_the_end(state: Any, action: Any, after: Any, events: Any) -> bool:
    return bool(after.falls_by_itself) and any(event.why == "collapse" for event in _events(events, GameEnded))


def _tie_broken(state: Any, action: Any, after: Any, events: Any) -> bool:
    best = max(after.scores())
    return bool(after.over) and after.scores().count(best) > len(after.winners())


CORNERS: dict[str, Corner] = {
    name.strip("_").replace("_", "-"): corner
    for name, corner in list(globals().items())
    if name.startswith("_") and getattr(corner, "__module__", "") == __name__ and name != "_events"
}
