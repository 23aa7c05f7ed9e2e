"""What compiled players think of first, asked with a view. Whoever imports this needs numba."""

from __future__ import annotations

from collections.abc import Iterable
from threading import local

import numpy as np

from serai.pharaoh.actions import AnyAction, Lay, Turn
from serai.pharaoh.kernel.bridge import NUMBERS, to_row
from serai.pharaoh.kernel.handiwork import matters
from serai.pharaoh.kernel.policies import choose
from serai.pharaoh.kernel.routes import shut_in
from serai.pharaoh.kernel.rules import act
from serai.pharaoh.kernel.steps import Desk, desk
from serai.pharaoh.kernel.tempers import TEMPERS
from serai.pharaoh.rules import PharaohState

_kept = local()


def first_thought(view: PharaohState, temper: str, seed: int) -> int:
    """The number of the action that a player of this temper takes without looking ahead."""
    return int(choose(to_row(view), TEMPERS[temper], _desk(), np.array([seed], np.uint64), 0))


def sensible(view: PharaohState, actions: Iterable[AnyAction]) -> list[AnyAction]:
    """These actions without those that shut one's own archaeologist in for good, or turn tiles to no purpose."""
    row = to_row(view)
    seat = view.turn
    buried = shut_in(row, seat)
    found: list[AnyAction] = []
    for action in actions:
        number = NUMBERS[action]
        if isinstance(action, Turn) and not matters(row, seat, number, _desk()):
            continue
        if isinstance(action, Turn | Lay) and not buried:
            after = row.copy()
            act(after, number)
            if shut_in(after, seat):
                continue
        found.append(action)
    return found


def _desk() -> Desk:
    if not hasattr(_kept, "desk"):
        _kept.desk = desk()
    kept: Desk = _kept.desk
    return kept
