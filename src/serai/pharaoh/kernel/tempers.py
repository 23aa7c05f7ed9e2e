"""What a compiled player cares for: a *temper* is an array of numbers, in the order of these constants.

No numba here. Chances are from 0 to 1; worths are multiplied, 1 being the measure of a seasoned player.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

Temper = npt.NDArray[np.float64]
Tempers = npt.NDArray[np.float64]
"""Several, one after the other."""

EXPLORE: Final = 0
"""Turning tiles over, against fetching treasure."""
STEAL: Final = 1
"""Robbing others; 0 never does."""
LIGHT: Final = 2
"""Chance, each time, to spend a move on lamps where they pay."""
BAR: Final = 3
"""Chance to bar the way of a rival who carries, where the helper can and there is nothing better to do."""
AMBUSH: Final = 4
"""Chance to bar it at once, before anything else is done."""
SHORTCUT: Final = 5
"""Chance to turn a tile that shortens the way home of what is carried."""
LONGING: Final = 6
"""For the mask; 0 leaves it to others."""
FEAR: Final = 7
"""Rings that might fall sooner than they should."""
RIVALRY: Final = 8
"""What is left of the worth of a treasure that a rival reaches first."""
PACE: Final = 9
"""Moves added to every errand: the more, the less a short way counts against a great worth."""
RETURN: Final = 10
"""How much the way home counts where a tile is to be turned over."""
NOISE: Final = 11
"""How much worths are blurred: the same position is not always played alike."""
TEMPER_SIZE: Final = 12


def temper(
    *,
    explore: float = 1.0,
    steal: float = 1.0,
    light: float = 1.0,
    bar: float = 1.0,
    ambush: float = 0.3,
    shortcut: float = 1.0,
    longing: float = 1.0,
    fear: float = 1.0,
    rivalry: float = 0.6,
    pace: float = 0.5,
    homing: float = 0.3,
    noise: float = 0.2,
) -> Temper:
    """A seasoned player's temper, but for what is given."""
    return np.array(
        [explore, steal, light, bar, ambush, shortcut, longing, fear, rivalry, pace, homing, noise], np.float64
    )


SEASONED: Final = "seasoned"
_NO_WALLS = {"bar": 0.0, "ambush": 0.0}
TEMPERS: Final = {
    "scarab": temper(**_NO_WALLS, steal=0.0, light=0.0, shortcut=0.0, longing=0.0, explore=2.0, rivalry=1.0, noise=0.5),
    "gecko": temper(**_NO_WALLS, steal=0.05, light=0.5, fear=2.0),
    "jackal": temper(),
    SEASONED: temper(**_NO_WALLS, fear=0.0),
}
"""Of the levels that play by temper alone, and of those whom searchers imagine."""
