"""From a view to an action, by compiled players. Importing this module imports numba."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from serai.pharaoh.kernel.bridge import NUMBERS, to_row
from serai.pharaoh.kernel.rules import act
from serai.pharaoh.policy.decide import decide
from serai.pharaoh.policy.helper import matters, shut_in
from serai.pharaoh.policy.scratch import own_scratch
from serai.pharaoh.policy.styles import STYLES
from serai.pharaoh.progress import fumbles
from serai.pharaoh.rules.actions import ALL_ACTIONS, AnyAction, Lay, Turn
from serai.pharaoh.rules.rules import PharaohState


def style_action(view: PharaohState, style: str, seed: int) -> AnyAction:
    """What a player of this style does, without looking ahead."""
    return ALL_ACTIONS[decide(to_row(view), STYLES[style], own_scratch(), np.array([seed], np.uint64), 0)]


def promising(view: PharaohState, actions: Iterable[AnyAction]) -> list[AnyAction]:
    """The actions without those that shut one's own archaeologist in for good, turn tiles to no purpose, or put down a
    treasure for nothing dearer.
    """
    row = to_row(view)
    seat = view.turn
    already = shut_in(row, seat)
    found: list[AnyAction] = []
    for action in actions:
        if fumbles(view, action):
            continue
        number = NUMBERS[action]
        if isinstance(action, Turn) and not matters(row, seat, number, own_scratch()):
            continue
        if isinstance(action, Turn | Lay) and not already:
            after = row.copy()
            act(after, number)
            if shut_in(after, seat):
                continue
        found.append(action)
    return found
