"""Das Gold des Pharao on a GPU (:mod:`serai.lab.gpu`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from serai.lab.gpu import cuda, kernels
from serai.pharaoh.kernel.layout import CELL_COUNT
from serai.pharaoh.policy import driver
from serai.pharaoh.policy.driver import POLICIES, STYLES_BY_NUMBER, Tools
from serai.pharaoh.policy.scratch import Scratch

_PLACES = 4 * CELL_COUNT


@cuda.jit(device=True, inline="always")  # type: ignore[untyped-decorator]
def _tools(styles: Any) -> Tools:
    home = cuda.local.array(CELL_COUNT, np.int64)
    far = cuda.local.array(CELL_COUNT, np.int64)
    rival = cuda.local.array(CELL_COUNT, np.int64)
    work = cuda.local.array(CELL_COUNT, np.int64)
    costs = cuda.local.array(_PLACES, np.int64)
    came = cuda.local.array(_PLACES, np.int64)
    return Tools(styles, Scratch(home, far, rival, work, costs, came))


KERNELS = kernels(driver, _tools)
OPPONENTS = POLICIES
IN_PLACE = False


def knowledge() -> Any:
    """The styles of all bots."""
    return cuda.to_device(STYLES_BY_NUMBER)
