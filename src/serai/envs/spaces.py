"""What can be seen and done in an environment, as spaces of Gymnasium, and views in the form that was asked for."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from serai.core import registry
from serai.core.checks import check_text
from serai.core.encoding import Encoding
from serai.core.errors import BadOptions
from serai.envs.playing import encoding_of

Observe = Literal["numbers", "features"]
"""Observations as whole numbers, or as features for a network."""


def observation_space(name: str, observe: str) -> spaces.Box:
    """Everything that can be seen in a game. Seats that nobody sits on hold 0, whatever else a field may."""
    if observe not in get_args(Observe):
        raise BadOptions("envs.observe", observe=observe, known=get_args(Observe))
    check_text("the name of a game", name)
    return _observation_space(name, observe)


@cache
def _observation_space(name: str, observe: str) -> spaces.Box:
    lows: list[float] = []
    highs: list[float] = []
    for field in encoding_of(registry.game(name)).fields:
        low, high = float(min(field.low, 0)), float(max(field.high, 0))
        if observe == "features":
            low, high = (0.0, 1.0) if field.one_hot else (low / field.divisor, high / field.divisor)
        wide = field.count * (field.width if observe == "features" else 1)
        lows += [low] * wide
        highs += [high] * wide
    dtype: Any = np.float32 if observe == "features" else np.int16
    return spaces.Box(np.array(lows, dtype), np.array(highs, dtype), dtype=dtype)


def mask_space(name: str) -> spaces.Box:
    """Which actions are legal."""
    return spaces.Box(0, 1, (len(encoding_of(registry.game(name)).actions),), np.int8)


def action_space(name: str) -> spaces.Discrete:
    """Every action, by its number."""
    return spaces.Discrete(len(encoding_of(registry.game(name)).actions))


def seen(encoding: Encoding[Any, Any], observe: str, view: Any, seat: int) -> npt.NDArray[Any]:
    """What a seat sees."""
    return encoding.features(view, seat) if observe == "features" else encoding.observation(view, seat)


def copied(space: spaces.Discrete) -> spaces.Discrete:
    """A space that draws on by itself, as this one would."""
    other = copy.copy(space)
    other._np_random = None if space._np_random is None else generator(drawing(space._np_random))
    return other


Drawing = dict[str, Any]
"""How far a source of randomness has come."""


def drawing(source: np.random.Generator) -> Drawing:
    """How far this source has come, to go on from there."""
    return dict(source.bit_generator.state)


def generator(state: Drawing) -> np.random.Generator:
    """A source of randomness that goes on from there."""
    bits = np.random.PCG64(0)
    bits.state = state  # type: ignore[assignment]
    return np.random.Generator(bits)
