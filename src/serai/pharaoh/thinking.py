"""What compiled players think of first, asked with a view. Whoever imports this needs numba."""

from __future__ import annotations

from threading import local

import numpy as np

from serai.pharaoh.kernel.bridge import to_row
from serai.pharaoh.kernel.policies import choose
from serai.pharaoh.kernel.steps import Desk, desk
from serai.pharaoh.kernel.tempers import TEMPERS
from serai.pharaoh.rules import PharaohState

_kept = local()


def first_thought(view: PharaohState, temper: str, seed: int) -> int:
    """The number of the action that a player of this temper takes without looking ahead."""
    return int(choose(to_row(view), TEMPERS[temper], _desk(), np.array([seed], np.uint64), 0))


def _desk() -> Desk:
    if not hasattr(_kept, "desk"):
        _kept.desk = desk()
    kept: Desk = _kept.desk
    return kept
