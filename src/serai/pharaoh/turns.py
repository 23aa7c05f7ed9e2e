"""Whose turn it is, what a turn still allows, and its end (rules 3.1, 3.3, 10.1, 10.4, 11.1, 11.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from serai.pharaoh import refusals
from serai.pharaoh.actions import End
from serai.pharaoh.collapse import tick
from serai.pharaoh.events import AnyEvent, TurnBegan, TurnEnded
from serai.pharaoh.pieces import CELLS, FALLEN, FREE_ACTS, MOVES, NOWHERE
from serai.pharaoh.scoring import finish

if TYPE_CHECKING:
    from serai.pharaoh.rules import PharaohState, Told


def player_to_act(state: PharaohState) -> int:
    seat = state.actor
    if not isinstance(seat, int) or state.drawn != NOWHERE:
        raise refusals.of_phase(state)
    return seat


def mover(state: PharaohState) -> int:
    """The seat to act, if it has a move left (3.1)."""
    seat = player_to_act(state)
    if not state.moves_left:
        raise refusals.of_moves(state)
    return seat


def free_actor(state: PharaohState) -> int:
    """The seat to act, if it may still take, drop or steal this turn (3.3)."""
    seat = player_to_act(state)
    if not state.acts_left:
        raise refusals.of_acts(state)
    return seat


def end(state: PharaohState, action: End) -> Told:
    player_to_act(state)
    return end_turn(state, "end", [])


def end_turn(state: PharaohState, why: Literal["end", "omen", "mask"], events: list[AnyEvent]) -> Told:
    seat = state.turn
    events.append(TurnEnded(seat, why))
    if why != "mask":  # the turn in which the chamber itself falls is exempt (10.4)
        state = tick(state, seat, events)
        if state.tiles.count(FALLEN) == len(CELLS) - 1:
            return finish(state, "collapse", events), tuple(events)
    following = (seat + 1) % len(state.carried)
    options = state.options
    number = state.round + (following == options.first)
    if options.max_rounds is not None and number > options.max_rounds:
        return finish(state, "rounds", events), tuple(events)
    events.append(TurnBegan(following, number))
    after = replace(state, actor=following, turn=following, round=number, moves_left=MOVES, acts_left=FREE_ACTS)
    return after, tuple(events)
