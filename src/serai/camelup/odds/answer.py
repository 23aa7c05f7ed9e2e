"""What odds tell: the types of the answer, which need no NumPy."""

from __future__ import annotations

import msgspec


class LegChances(msgspec.Struct, frozen=True):
    """How a camel may end this leg."""

    first: float
    second: float
    last: float


class LegCounts(msgspec.Struct, frozen=True):
    """The same as exact counts out of ``Odds.sequences``."""

    first: int
    second: int
    last: int


class RaceChances(msgspec.Struct, frozen=True):
    """How a camel may end the race."""

    winner: float
    loser: float


class Placement(msgspec.Struct, frozen=True):
    """A desert tile that the actor could put there: what it earns, and everybody's chances with it."""

    earns: float
    """Stops expected on it in this leg: a pound each."""
    leg: dict[str, LegChances]
    race: dict[str, RaceChances]


class Odds(msgspec.Struct, frozen=True, omit_defaults=True):
    """All there is to know of a position; camels by name, actions by their notation."""

    position: str
    sequences: int
    """In how many equally likely ways the dice of this leg can still fall: n! * 3^n."""
    leg: dict[str, LegChances]
    counts: dict[str, LegCounts]
    race: dict[str, RaceChances]
    joint: dict[str, dict[str, float]]
    """By winner and loser."""
    ends: float
    """The chance that the race ends in this leg."""
    stops: dict[int, float]
    """By space: the units expected to stop there in this leg as the tiles lie; its owner's pounds where one lies."""
    assumes: tuple[str, ...]
    deserts: dict[str, Placement] = {}
    actions: dict[str, float] = {}
    """Expected pounds of every legal action of the actor, in the order of ``actions()``."""
    best: str | None = None
    """The first action of the highest value."""
