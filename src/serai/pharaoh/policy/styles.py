"""Styles of compiled players, and the mixture of styles that searchers and coach expect at a table.

A style is an array of weights, in the order of the constants below. Chances are from 0 to 1; worths are factors, 1 for
a seasoned player. No numba here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

Style = npt.NDArray[np.float64]
Styles = npt.NDArray[np.float64]
"""An array of styles."""

EXPLORE: Final = 0
"""The worth of turning tiles over, compared with fetching treasure."""
STEAL: Final = 1
"""The worth of robbing others; 0 never does."""
LIGHT: Final = 2
"""The chance, each time, to spend a move on lamps where they pay."""
BAR: Final = 3
"""The chance to bar the way of a rival who carries something, if there is nothing better to do."""
AMBUSH: Final = 4
"""The chance to bar it at once, before anything else."""
SHORTCUT: Final = 5
"""The chance to turn a tile that shortens the way home with a treasure."""
LONGING: Final = 6
"""The worth of the mask; 0 leaves it to others."""
FEAR: Final = 7
"""Rings that are expected to fall early."""
RIVALRY: Final = 8
"""The share that is left of a treasure's worth if a rival reaches it first."""
PACE: Final = 9
"""Moves added to every trip: the more, the less a short way counts against a great worth."""
RETURN: Final = 10
"""The weight of the way home where a tile is to be turned over."""
NOISE: Final = 11
"""The random spread of worths, so that the same position is not always played alike."""
STYLE_SIZE: Final = 12


def style(
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
) -> Style:
    """A seasoned player's style with these changes."""
    return np.array(
        [explore, steal, light, bar, ambush, shortcut, longing, fear, rivalry, pace, homing, noise], np.float64
    )


SEASONED: Final = "seasoned"
_NO_WALLS = {"bar": 0.0, "ambush": 0.0}
STYLES: Final = {
    "scarab": style(**_NO_WALLS, steal=0.0, light=0.0, shortcut=0.0, longing=0.0, explore=2.0, rivalry=1.0, noise=0.5),
    "gecko": style(**_NO_WALLS, steal=0.05, light=0.5),
    "jackal": style(),
    SEASONED: style(**_NO_WALLS, fear=0.0),
}
"""The styles of the bots that do not look ahead, and of the player that ``lynx`` expects in every seat."""

EVEN: Final = "even"
"""The rollout policy of ``sphinx`` and the coach: a table of players as one meets them."""
EXPECTED_PLAYERS: Final = {SEASONED: 0.4, "jackal": 0.45, "gecko": 0.15}
"""The share of each style at such a table until the mask is found."""
EXPECTED_AFTER_MASK: Final = "jackal"
"""The style of all of them afterwards: then the result depends far more on how people play than on chance, so that a
mixture would predict nobody's game and underrate leaders."""
_MIXED_TABLES: Final = 64
"""Tables of such players that take turns."""


def mixed_tables(players: int) -> Styles:
    """Tables of the expected players: by table, seat, and whether the mask is found."""
    names = list(EXPECTED_PLAYERS)
    met = random.Random(0).choices(names, list(EXPECTED_PLAYERS.values()), k=_MIXED_TABLES * players)
    return _tables([(name, EXPECTED_AFTER_MASK) for name in met], players)


def one_style(name: str, players: int) -> Styles:
    """The one table at which everybody has this style."""
    return _tables([(name, name)] * players, players)


def _tables(names: Sequence[tuple[str, str]], players: int) -> Styles:
    return np.array([[STYLES[name] for name in both] for both in names]).reshape(-1, players, 2, STYLE_SIZE)
