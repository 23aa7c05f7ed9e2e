"""Scratch arrays of compiled players, one set per thread."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from serai.lab import per_thread
from serai.pharaoh.kernel.layout import CELL_COUNT

Distances = npt.NDArray[np.int64]


class Scratch(NamedTuple):
    """Arrays that a decision works in; two threads must not share a set."""

    home: Distances
    """Moves between each cell and the start."""
    far: Distances
    """Moves from the archaeologist to each cell."""
    rival: Distances
    """Moves from each cell to the nearest rival with empty hands."""
    work: Distances
    costs: Distances
    """By place, which is a cell and the side it is entered by; so is ``came``."""
    came: Distances


def new_scratch() -> Scratch:
    home, far, rival, work = (np.empty(CELL_COUNT, np.int64) for _ in range(4))
    costs, came = (np.empty(4 * CELL_COUNT, np.int64) for _ in range(2))
    return Scratch(home, far, rival, work, costs, came)


own_scratch = per_thread(new_scratch)
"""The set of the calling thread."""
