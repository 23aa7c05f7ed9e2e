"""Camels on the track: how a unit moves (rules 4.1 to 4.6) and who is ahead (rules 5.1, 5.2)."""

from __future__ import annotations

from collections.abc import Sequence

from serai.camelup.rules.events import (
    AnyEvent,
    DesertMet,
    FinishCrossed,
    PoundPaid,
    UnitHopped,
    UnitLanded,
    UnitLifted,
    UnitSlidUnder,
)
from serai.camelup.rules.pieces import LAST_SPACE, MIRAGE, Money, Stack, Track
from serai.core.game import put


def move(
    track: Track, camel: int, pips: int, deserts: Sequence[int], money: Money
) -> tuple[Track, Money, list[AnyEvent]]:
    """Move a camel and its riders, a desert tile's push and pound included; the new track, the money, the events."""
    space = space_of(track, camel)
    left, unit = _lift(track[space], camel)
    landing = space + pips
    events: list[AnyEvent] = [
        UnitLifted(space, unit, left),
        UnitHopped(unit, tuple(range(space + 1, landing + 1))),
    ]
    spaces = list(track)
    spaces[space] = left
    side, owner = _tile_at(deserts, landing)
    target = landing + side
    if owner is not None:
        purse = money[owner] + 1
        money = put(money, owner, purse)
        events += (DesertMet(landing, side, owner), PoundPaid(owner, 1, purse))
    if side == MIRAGE:
        events.append(UnitSlidUnder(unit, target, spaces[target]))
        spaces[target] = unit + spaces[target]
    else:
        if target != landing:
            events.append(UnitHopped(unit, (target,)))
        events.append(UnitLanded(unit, target, spaces[target]))
        spaces[target] = spaces[target] + unit
    if target > LAST_SPACE:
        events.append(FinishCrossed(unit, target))
    return tuple(spaces), money, events


def space_of(track: Track, camel: int) -> int:
    """Where a camel stands."""
    for space, stack in enumerate(track):
        if camel in stack:
            return space
    raise ValueError(f"camel {camel} is not on the track")


def ranking(track: Track) -> Stack:
    """The camels from first to last."""
    return tuple(camel for stack in reversed(track) for camel in reversed(stack))


def crossed(track: Track) -> bool:
    """Whether a camel stands beyond the finish line."""
    return any(track[LAST_SPACE + 1 :])


def _lift(stack: Stack, camel: int) -> tuple[Stack, Stack]:
    """Those beneath, who stay, and the unit that moves (rule 4.1)."""
    height = stack.index(camel)
    return stack[:height], stack[height:]


def _tile_at(deserts: Sequence[int], space: int) -> tuple[int, int | None]:
    """The step (0 without a tile) that a unit makes on this space, and the tile's owner."""
    for seat, placed in enumerate(deserts):
        if placed == space:
            return 1, seat
        if placed == -space:
            return -1, seat
    return 0, None
