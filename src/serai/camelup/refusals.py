"""Why an action of Camel Up is refused: the reasons in English, and which of them forbids a space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from serai.camelup.pieces import LAST_SPACE
from serai.core import IllegalAction, phrase

if TYPE_CHECKING:
    from serai.camelup.rules import CamelUpState

_SPACES = range(1, LAST_SPACE + 1)


def why_not_there(state: CamelUpState, seat: int, space: int) -> IllegalAction:
    """Which part of 3.3 forbids this space, in the order in which a player would notice."""
    free = tuple(place for place in _SPACES if state._free_spaces(seat) >> place & 1)
    if space == 1 or space not in _SPACES:
        return IllegalAction("camelup.desert.start", space=space, free=free)
    if state.track[space]:
        return IllegalAction("camelup.desert.camel", space=space, free=free)
    if abs(state.deserts[seat]) == space:
        return IllegalAction("camelup.desert.same", space=space, free=free)
    for owner, placed in enumerate(state.deserts):
        if abs(placed) == space:
            return IllegalAction("camelup.desert.tile", space=space, seat=owner, free=free)
    owner, tile = next(
        (owner, abs(placed))
        for owner, placed in enumerate(state.deserts)
        if placed and owner != seat and abs(abs(placed) - space) == 1
    )
    return IllegalAction("camelup.desert.adjacent", space=space, tile=tile, seat=owner, free=free)


phrase(
    {
        "camelup.leg.empty": "no {camel} leg tile is left; colours left: {left}",
        "camelup.desert.start": "no desert tile may lie on space {space}; free spaces: {free}",
        "camelup.desert.camel": "a camel stands on space {space}; free spaces: {free}",
        "camelup.desert.same": "your tile lies on {space} already: move it to a different space; free spaces: {free}",
        "camelup.desert.tile": "seat {seat}'s desert tile lies on space {space}; free spaces: {free}",
        "camelup.desert.adjacent": "space {space} is next to seat {seat}'s desert tile on {tile}; free spaces: {free}",
        "camelup.race.spent": "the {camel} race card is no longer in your hand; cards left: {held}",
        "camelup.die.face": "a die shows 1, 2 or 3, not {pips}",
        "camelup.die.out": "the {camel} die is out already this leg",
    }
)
