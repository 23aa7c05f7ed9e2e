"""Compiled players called from Python: a view in, an action out. Importing this imports numba."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np

from serai.camelup.kernel.bridge import to_row
from serai.camelup.kernel.layout import OASIS_ACTION, ROLL_ACTION
from serai.camelup.odds.race_table import race_table
from serai.camelup.policy.bets import Row
from serai.camelup.policy.decide import donkey_choice, fennec_choice, greedy_choice, greedy_values, quick_choice
from serai.camelup.policy.lookup import lookup_table
from serai.camelup.policy.scratch import own_scratch
from serai.camelup.rules.actions import ALL_ACTIONS, AnyAction
from serai.camelup.rules.rules import CamelUpState
from serai.camelup.text.position import parse_position, situation

_NO_RANDOM_NUMBERS: Final = np.zeros(1, np.uint64)
_PLAYERS: Final[dict[str, Callable[[Row], int]]] = {
    "donkey": lambda row: donkey_choice(row, race_table(), own_scratch()),
    "quick": lambda row: quick_choice(row, race_table(), own_scratch()),
    "greedy": lambda row: greedy_choice(row, race_table(), own_scratch()),
    "fennec": lambda row: fennec_choice(row, lookup_table(), own_scratch(), _NO_RANDOM_NUMBERS, 0),
}
"""Each is compiled by itself: one that decides by any policy would take much longer."""


@cache
def compiled_player(bot: str) -> Callable[[CamelUpState], AnyAction]:
    """What this bot, which needs no random numbers, does in a view. Asking compiles it or loads it from the cache."""
    decide = _PLAYERS[bot]

    def choose(view: CamelUpState) -> AnyAction:
        return ALL_ACTIONS[decide(to_row(view))]

    choose(situation(parse_position("1bgoyw")))
    return choose


def promising(view: CamelUpState, most: int, within: float) -> dict[AnyAction, float]:
    """At most ``most`` actions with their exact values, best first, ``within`` that many pounds of it; and the roll.

    A desert tile that lies is moved only for more than a roll brings, so that nobody moves it for ever.
    """
    scratch = own_scratch()
    greedy_values(to_row(view), race_table(), scratch, False)
    values = scratch.values
    if view.deserts[view.turn]:
        placements = values[OASIS_ACTION:ROLL_ACTION]
        placements[placements <= values[ROLL_ACTION]] = -np.inf
    order = np.argsort(-values, kind="stable")[:most].tolist()
    found = [number for number in order if values[number] > values[order[0]] - within]
    return {ALL_ACTIONS[number]: float(values[number]) for number in dict.fromkeys((*found, ROLL_ACTION))}
