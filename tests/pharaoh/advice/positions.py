"""Positions out of whole games, in which somebody is to act."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from serai.pharaoh import PharaohState
from serai.pharaoh.advice.answer import Advice
from serai.pharaoh.rules.pieces import NOWHERE
from tests.pharaoh.positions import GAME
from tests.pharaoh.test_properties import game_of
from tests.support import amount

_OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"turn_reach": "linked", "ring": "rook"},
    {"no_sealed_tiles": True, "mask_exit_ends_turn": False},
    {"entrance": "f3", "max_rounds": 30},
)


@cache
def some_positions(*, collapsing: bool = False) -> tuple[tuple[PharaohState, Advice], ...]:
    """A few out of every game with their advice; with ``collapsing`` only such as come after the mask was found."""
    rng = random.Random(7)
    found: list[PharaohState] = []
    for number in range(amount(8, 160)):
        kind = "explorer" if number % 2 else "mixed"
        game = [state for state, *_ in game_of(kind, 2 + number % 3, number, _OPTIONS[number % len(_OPTIONS)])]
        played = [state for state in game if isinstance(state.actor, int)]
        if collapsing:
            played = [state for state in played if state.mask_chamber != NOWHERE]
        found += rng.sample(played, min(amount(5, 12), len(played)))
    return tuple((state, GAME.advice(state)) for state in found)
