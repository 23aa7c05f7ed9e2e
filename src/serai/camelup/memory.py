"""What a seat that watched remembers: how the race stood when each race card was laid."""

from __future__ import annotations

from typing import NamedTuple

from serai.camelup.rules.events import CamelPlaced, CardLaid, DieDrawn, LegBegan, UnitLanded, UnitLifted, UnitSlidUnder
from serai.camelup.rules.pieces import CAMELS, TRACK_SIZE, Deck, Stack
from serai.core import Event


class Moment(NamedTuple):
    """The camels and the dice, as they were."""

    track: tuple[Stack, ...]
    dice_out: frozenset[int]


class RaceMemory:
    """Follows the camels from event to event, and remembers how they stood when each card was laid."""

    def __init__(self) -> None:
        self._track: list[Stack] = [()] * TRACK_SIZE
        self._dice_out: set[int] = set()
        self._moments: dict[tuple[Deck, int], Moment] = {}

    def moment(self, deck: Deck, place: int) -> Moment | None:
        """How the race stood when the card at this place (from 0) was laid; ``None`` if that was not watched."""
        return self._moments.get((deck, place))

    def watch(self, event: Event) -> None:
        """Take note of an event."""
        match event:
            case CamelPlaced(camel, space, stack):
                self._track[space] = (*stack, camel)
            case LegBegan():
                self._dice_out.clear()
            case DieDrawn(_, camel, _):
                self._dice_out.add(camel)
            case UnitLifted(space, _, left):
                self._track[space] = left
            case UnitLanded(unit, space, stack):
                self._track[space] = stack + unit
            case UnitSlidUnder(unit, space, stack):
                self._track[space] = unit + stack
            case CardLaid(_, deck, _, place) if self._knows_all():
                self._moments[deck, place - 1] = Moment(tuple(self._track), frozenset(self._dice_out))

    def _knows_all(self) -> bool:
        return sum(map(len, self._track)) == len(CAMELS)
