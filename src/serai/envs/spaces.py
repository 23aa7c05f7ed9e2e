"""Observations and actions as spaces of Gymnasium, and generators that can be saved."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

from serai.core.game import State
from serai.errors import requiring

with requiring("envs", "environments for Gymnasium"):
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces

from serai.core import registry
from serai.core.arguments import check_text
from serai.envs.episode import encoding_of
from serai.lab.encoding import FEATURES, NUMBERS, ODDS, Encoding

_MOST_ODDS = 32.0
"""No number of ``"odds"`` is greater, nor less than its negative."""


def observation_space(name: str, observe: str) -> spaces.Box:
    """The space of all observations of a game. Empty seats hold 0, even where a field does not include it."""
    check_text("the name of a game", name)
    return _observation_space(name, encoding_of(registry.game(name)).check_look(observe))


@cache
def _observation_space(name: str, observe: str) -> spaces.Box:
    encoding = encoding_of(registry.game(name))
    if observe == ODDS:
        return spaces.Box(-_MOST_ODDS, _MOST_ODDS, (len(encoding.odds_names()),), np.float32)
    lows: list[float] = []
    highs: list[float] = []
    for field in encoding.fields:
        low, high = float(min(field.low, 0)), float(max(field.high, 0))
        if observe == FEATURES:
            low, high = (0.0, 1.0) if field.one_hot else (low / field.divisor, high / field.divisor)
        wide = field.count * (field.width if observe == FEATURES else 1)
        lows += [low] * wide
        highs += [high] * wide
    dtype: Any = np.float32 if observe == FEATURES else np.int16
    return spaces.Box(np.array(lows, dtype), np.array(highs, dtype), dtype=dtype)


def mask_space(name: str) -> spaces.Box:
    """The space of masks of legal actions."""
    return spaces.Box(0, 1, (len(encoding_of(registry.game(name)).actions),), np.int8)


def action_space(name: str) -> spaces.Discrete:
    """The space of all actions, by number."""
    return spaces.Discrete(len(encoding_of(registry.game(name)).actions))


def seen(encoding: Encoding[Any, Any], observe: str, view: State, seat: int) -> npt.NDArray[Any]:
    """What a seat sees, in the form that is asked for."""
    numbers = np.frombuffer(encoding.number_bytes(view, seat), np.int8).astype(np.int16)
    if observe == NUMBERS:
        return numbers
    found: npt.NDArray[Any] = encoding.look(numbers[None], observe)[0]
    return found


def copied(space: spaces.Discrete) -> spaces.Discrete:
    """A copy of a space that continues its random numbers on its own."""
    other = copy.copy(space)
    other._np_random = None if space._np_random is None else generator(drawing(space._np_random))
    return other


Drawing = dict[str, Any]
"""The state of a random generator."""


def drawing(generator: np.random.Generator) -> Drawing:
    """The state of this generator."""
    return dict(generator.bit_generator.state)


def generator(state: Drawing) -> np.random.Generator:
    """A generator that continues from this state."""
    bits = np.random.PCG64(0)
    bits.state = state  # type: ignore[assignment]
    return np.random.Generator(bits)
