"""Chance as an actor, and random choice among weighted outcomes."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from serai.core.parts import A


class Chance(enum.Enum):
    """The actor where no player decides. Its only member is :data:`CHANCE`."""

    CHANCE = "chance"

    def __repr__(self) -> str:
        return "CHANCE"


CHANCE: Final = Chance.CHANCE

Actor = int | Chance | None
"""A seat, ``CHANCE``, or ``None`` when the game is over."""


def seat_of(actor: Actor) -> int:
    """The seat to act, where it is known that a player is."""
    assert isinstance(actor, int)
    return actor


def any_kind(actions: Iterable[A], rng: Random) -> A:
    """A kind of action uniformly, then one of that kind uniformly, so that rare kinds come up too."""
    kinds: dict[str, list[A]] = {}
    for action in actions:
        kinds.setdefault(action.kind, []).append(action)
    return rng.choice(rng.choice(list(kinds.values())))


def outcome_at(weights: Sequence[int], point: int) -> int:
    """The index of the outcome that holds ``point`` when the weights are laid end to end from 0."""
    for index, weight in enumerate(weights):
        point -= weight
        if point < 0:
            return index
    raise ValueError("point lies beyond the sum of the weights")
