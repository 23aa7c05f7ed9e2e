"""Turns: who may act, what the turn still allows, and its end (rules 3.1, 3.3, 10.1, 10.4, 11.1, 11.4, 11.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from serai.errors import IllegalAction
from serai.pharaoh.rules import refusals
from serai.pharaoh.rules.actions import End
from serai.pharaoh.rules.collapse import end_round, tick
from serai.pharaoh.rules.events import AnyEvent, TurnBegan, TurnEnded
from serai.pharaoh.rules.pieces import CELLS, FALLEN, FREE_ACTS, MOVES, NOWHERE
from serai.pharaoh.rules.scoring import finish

if TYPE_CHECKING:
    from serai.pharaoh.rules.rules import PharaohState, Step


def player_to_act(state: PharaohState) -> int:
    seat = state.actor
    if not isinstance(seat, int) or state.drawn != NOWHERE:
        raise refusals.of_phase(state)
    return seat


def mover(state: PharaohState) -> int:
    """The seat to act, if it has a move left (3.1)."""
    seat = player_to_act(state)
    if not state.moves_left:
        raise IllegalAction("pharaoh.moves", moves=MOVES)
    return seat


def free_actor(state: PharaohState) -> int:
    """The seat to act, if it may still take, drop or steal this turn (3.3)."""
    seat = player_to_act(state)
    if not state.acts_left:
        raise IllegalAction("pharaoh.acts", acts=FREE_ACTS)
    return seat


def end(state: PharaohState, action: End) -> Step:
    player_to_act(state)
    return end_turn(state, "end", [])


def end_turn(state: PharaohState, why: Literal["end", "omen", "mask"], events: list[AnyEvent]) -> Step:
    seat = state.turn
    events.append(TurnEnded(seat, why))
    if why != "mask":  # the turn in which the chamber itself falls is exempt (10.4)
        state = tick(state, seat, events)
        if state.tiles.count(FALLEN) == len(CELLS) - 1:
            return finish(state, "collapse", events), tuple(events)
    following = (seat + 1) % len(state.carried)
    options = state.options
    if following == options.first:
        state = end_round(state, events)
    number = state.round + (following == options.first)
    if options.max_rounds is not None and number > options.max_rounds:
        return finish(state, "rounds", events), tuple(events)
    events.append(TurnBegan(following, number))
    after = replace(state, actor=following, turn=following, round=number, moves_left=MOVES, acts_left=FREE_ACTS)
    return after, tuple(events)
