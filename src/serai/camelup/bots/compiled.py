"""Bots by compiled code: from a view to an action. Importing this module brings in numba."""

from __future__ import annotations

import threading
from functools import cache
from typing import Final

import numpy as np

from serai.camelup.actions import ALL_ACTIONS, AnyAction
from serai.camelup.bots.by_odds import Choose
from serai.camelup.kernel import policies
from serai.camelup.kernel.bridge import to_row
from serai.camelup.kernel.choose import choose, knowledge
from serai.camelup.kernel.layout import DONKEY_POLICY, FENNEC_POLICY, OASIS_ACTION, ROLL_ACTION
from serai.camelup.odds.race_table import race_table
from serai.camelup.odds.situation import situation
from serai.camelup.position import parse_position
from serai.camelup.rules import CamelUpState

_rooms = threading.local()
_NO_CHANCE: Final = np.zeros(1, np.uint64)


def quick_action(view: CamelUpState) -> AnyAction:
    """What ``quick`` does in this view."""
    return ALL_ACTIONS[policies.quick_choice(to_row(view), race_table(), _own_room())]


def greedy_action(view: CamelUpState) -> AnyAction:
    """What ``greedy`` does in this view."""
    return ALL_ACTIONS[policies.greedy_choice(to_row(view), race_table(), _own_room())]


def donkey_action(view: CamelUpState) -> AnyAction:
    """What ``donkey`` does in this view."""
    return _chosen(view, DONKEY_POLICY)


def fennec_action(view: CamelUpState) -> AnyAction:
    """What ``fennec`` does in this view."""
    return _chosen(view, FENNEC_POLICY)


@cache
def ready(choose: Choose) -> Choose:
    """One of these, once it has been compiled or loaded from numba's cache."""
    choose(situation(parse_position("1bgoyw")))
    return choose


def _chosen(view: CamelUpState, policy: int) -> AnyAction:
    """By a policy that needs no chance."""
    return ALL_ACTIONS[choose(to_row(view), policy, *knowledge({policy}), _own_room(), _NO_CHANCE, 0)]


def _own_room() -> policies.ChoiceRoom:
    """The room of this thread."""
    try:
        room: policies.ChoiceRoom = _rooms.room
    except AttributeError:
        room = _rooms.room = policies.room_for_choice()
    return room


def promising(view: CamelUpState, most: int, within: float) -> dict[AnyAction, float]:
    """At most so many actions with their exact values, the best first, ``within`` so many pounds of it; and the roll.

    A desert tile that lies is moved only for more than a roll brings, so that nobody moves it for ever.
    """
    room = _own_room()
    policies.greedy_values(to_row(view), race_table(), room, False)
    values = room.values
    if view.deserts[view.turn]:
        placements = values[OASIS_ACTION:ROLL_ACTION]
        placements[placements <= values[ROLL_ACTION]] = -np.inf
    order = np.argsort(-values, kind="stable")[:most].tolist()
    found = [number for number in order if values[number] > values[order[0]] - within]
    return {ALL_ACTIONS[number]: float(values[number]) for number in dict.fromkeys((*found, ROLL_ACTION))}
