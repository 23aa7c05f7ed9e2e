"""Pyramids that are hard to draw, shown to the page as if a server had sent them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, cast

import serai
from serai.bots import find_bot
from serai.pharaoh.rules.rules import Options, PharaohState, new_state
from tests.pharaoh.positions import at


def half_fallen() -> PharaohState:
    """Two rings are down, the mask is being carried, figures of four players run for the exit."""
    return at("""
        ┌ ┬ x x x x
        │ ├ x x x x
        E ┘ x x x x
        │ ? x x x x
        ├ ┬ ┐ F ┐ ?
        └ ┴ S ┴ ┘ ?
        0 A=c2+mask H=b2 lamps=c2,a5 photos=1,4 museum=3 changed=90
        1 A=d2+3 H=lost lamps=b2,d1 photos=2 changed=120
        2 A=c2 H=c2 lamps=c2 photos=3 museum=2,2 changed=80
        3 A=lost H=a3 lamps=c2 photos=5 changed=120
        lying b6=3 d2=2 a4=3
        lost 2
        unseen tee=4 corner=2
        mask e5 finder=1 clock=0 ring=2
        turn 0 moves=2 acts=11 round=24 ply=130
    """)


def last_ring() -> PharaohState:
    """Only the last ring stands; the turn of seat 0 brings it down and ends the game."""
    return at("""
        ┌ x x x x x
        │ x x x x x
        E x x x x x
        │ x x x x x
        ├ x x x x x
        └ ┴ S ┴ ┘ ?
        0 A=c1 H=b1 photos=1,4 museum=3,mask changed=90
        1 A=c1 H=lost photos=2 museum=3 changed=120
        2 A=c1 H=c1 photos=3 museum=2,2 changed=80
        3 A=lost H=a3 photos=5 changed=120
        lying a4=3
        lost 2,3
        unseen tee=4 corner=2
        mask e5 finder=1 clock=0 ring=3
        turn 0 moves=2 acts=11 round=24 ply=130
    """)


def crowded_start() -> PharaohState:
    """All eight figures on the start tile, nothing revealed."""
    return new_state(4, Options())


def played(wanted: Callable[[PharaohState], bool], players: int = 4, seed: int = 1) -> PharaohState:
    """A game of explorers up to the first position that is wanted and in which seat 0 is to act."""
    game = serai.game("pharaoh")
    for attempt in range(200):
        rng = random.Random(seed * 1000 + attempt)
        state: Any = game.new(players=players)
        bots = [find_bot(game, "explorer")() for _ in range(players)]
        while not state.over:
            if state.actor == 0 and wanted(state):
                return cast(PharaohState, state)
            if isinstance(state.actor, int):
                state = state.apply(bots[state.actor].decide(state.seen_by(state.actor), rng))
            else:
                state = state.apply(state.sample(rng))
    raise AssertionError("no such position was met")
