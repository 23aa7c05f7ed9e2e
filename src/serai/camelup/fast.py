"""Compiled odds and bots for readable states and views. Importing this module brings in numba."""

from __future__ import annotations

import threading

from serai.camelup.actions import ALL_ACTIONS, AnyAction
from serai.camelup.kernel.bridge import to_row
from serai.camelup.kernel.leg import count_leg
from serai.camelup.kernel.policies import ChoiceRoom, greedy_choice, quick_choice, room_for_choice
from serai.camelup.odds.canonical import ALL_DICE
from serai.camelup.odds.race_table import race_table
from serai.camelup.odds.situation import situation
from serai.camelup.position import parse_position
from serai.camelup.rules import CamelUpState

__all__ = ["count_leg", "greedy_action", "quick_action", "warm_up"]

_rooms = threading.local()


def quick_action(view: CamelUpState) -> AnyAction:
    """What ``quick`` does in this view."""
    return ALL_ACTIONS[quick_choice(to_row(view), race_table(), _own_room())]


def greedy_action(view: CamelUpState) -> AnyAction:
    """What ``greedy`` does in this view."""
    return ALL_ACTIONS[greedy_choice(to_row(view), race_table(), _own_room())]


def warm_up() -> None:
    """Compile everything, or load it from numba's cache."""
    view = situation(parse_position("1bgoyw"))
    quick_action(view)
    greedy_action(view)
    count_leg(race_table(), 0, ALL_DICE, [()])


def _own_room() -> ChoiceRoom:
    """The room of this thread."""
    try:
        room: ChoiceRoom = _rooms.room
    except AttributeError:
        room = _rooms.room = room_for_choice()
    return room
