"""What odds tell: the types of the answer, which need no NumPy."""

from __future__ import annotations

import msgspec


class LegChances(msgspec.Struct, frozen=True):
    """How a camel may end this leg."""

    first: float
    """The chance to lead when the leg ends."""
    second: float
    """To come second."""
    last: float
    """To be last."""


class LegCounts(msgspec.Struct, frozen=True):
    """The same as exact counts out of ``Odds.sequences``."""

    first: int
    """Ways in which it leads."""
    second: int
    """Ways in which it comes second."""
    last: int
    """Ways in which it is last."""


class RaceChances(msgspec.Struct, frozen=True):
    """How a camel may end the race."""

    winner: float
    """The chance to win the race."""
    loser: float
    """To be its last."""


class Placement(msgspec.Struct, frozen=True):
    """A desert tile that the actor could put there: what it earns, and everybody's chances with it."""

    earns: float
    """Stops expected on it in this leg: a pound each."""
    leg: dict[str, LegChances]
    """By camel, with the tile there."""
    race: dict[str, RaceChances]
    """By camel, with the tile there."""


class Odds(msgspec.Struct, frozen=True, omit_defaults=True):
    """All there is to know of a position; camels by name, actions by their notation."""

    position: str
    """In notation."""
    sequences: int
    """In how many equally likely ways the dice of this leg can still fall: n! * 3^n."""
    leg: dict[str, LegChances]
    """By camel: how it may end this leg."""
    counts: dict[str, LegCounts]
    """By camel: the same in whole numbers."""
    race: dict[str, RaceChances]
    """By camel: how it may end the race."""
    joint: dict[str, dict[str, float]]
    """By the camel that wins and the one that loses: the chance of both."""
    ends: float
    """The chance that the race ends in this leg."""
    stops: dict[int, float]
    """By space: the units expected to stop there in this leg as the tiles lie; its owner's pounds where one lies."""
    assumes: tuple[str, ...]
    """What was taken for granted, in words."""
    deserts: dict[str, Placement] = {}
    """By notation: every desert tile that the actor could place."""
    actions: dict[str, float] = {}
    """Expected pounds of every legal action of the actor, in the order of ``actions()``."""
    best: str | None = None
    """The first action of the highest value."""
