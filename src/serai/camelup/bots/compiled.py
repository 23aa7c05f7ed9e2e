"""``quick`` and ``greedy`` by compiled code: from a view to an action. Importing this module brings in numba."""

from __future__ import annotations

import threading
from functools import cache

import numpy as np

from serai.camelup.actions import ALL_ACTIONS, AnyAction
from serai.camelup.bots.by_odds import Choose
from serai.camelup.kernel import policies
from serai.camelup.kernel.bridge import to_row
from serai.camelup.kernel.layout import ROLL_ACTION
from serai.camelup.odds.race_table import race_table
from serai.camelup.odds.situation import situation
from serai.camelup.position import parse_position
from serai.camelup.rules import CamelUpState

_rooms = threading.local()


def quick_action(view: CamelUpState) -> AnyAction:
    """What ``quick`` does in this view."""
    return ALL_ACTIONS[policies.quick_choice(to_row(view), race_table(), _own_room())]


def greedy_action(view: CamelUpState) -> AnyAction:
    """What ``greedy`` does in this view."""
    return ALL_ACTIONS[policies.greedy_choice(to_row(view), race_table(), _own_room())]


@cache
def ready(choose: Choose) -> Choose:
    """One of these, once it has been compiled or loaded from numba's cache."""
    choose(situation(parse_position("1bgoyw")))
    return choose


def _own_room() -> policies.ChoiceRoom:
    """The room of this thread."""
    try:
        room: policies.ChoiceRoom = _rooms.room
    except AttributeError:
        room = _rooms.room = policies.room_for_choice()
    return room


def promising(view: CamelUpState, most: int, within: float) -> list[AnyAction]:
    """At most so many actions, the best by exact value first, none ``within`` pounds or more below it; and the roll."""
    room = _own_room()
    policies.greedy_values(to_row(view), race_table(), room, False)
    order = np.argsort(-room.values, kind="stable")[:most]
    found = [int(number) for number in order if room.values[number] > room.values[order[0]] - within]
    return [ALL_ACTIONS[number] for number in (found if ROLL_ACTION in found else [*found, ROLL_ACTION])]
