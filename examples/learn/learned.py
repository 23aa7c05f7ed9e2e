"""A trained Camel Up bot: ``learned.py:Learned``. It plays with NumPy alone; ``train.py`` trains it.

An observation of ``game.encoding`` becomes features (``look``), these become a score for each action, and the bot plays
the legal action with the highest score. It ignores colours: camels are ordered from last to first, and its outputs
stand for actions in that order.

``look`` and :func:`think` use only what NumPy's arrays and PyTorch's tensors have in common, so the same functions
train on a GPU and play here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import serai
from serai.camelup.odds.features import Array, look, tables

Layers = Sequence[tuple[Array, Array]]
"""Weights and bias of each layer."""

GAME = serai.game("camelup")
WEIGHTS = Path(__file__).with_name("weights.npz")


# -- network -----------------------------------------------------------------------------------------------------------


def think(features: Array, layers: Layers) -> Array:
    """The output of the network: linear layers with ReLU between them."""
    for matrix, added in layers[:-1]:
        features = (features @ matrix + added).clip(0)
    matrix, added = layers[-1]
    return features @ matrix + added


# -- playing -----------------------------------------------------------------------------------------------------------


def save(file: str | Path, layers: Layers) -> None:
    """Write the layers to a file, 16 bits per number."""
    with Path(file).open("wb") as out:
        np.savez_compressed(out, *(np.asarray(array, np.float16) for layer in layers for array in layer))


@cache
def load(file: str | Path) -> Layers:
    """Read the layers from a file."""
    with np.load(file, allow_pickle=False) as archive:
        arrays = [archive[name].astype(np.float32) for name in archive.files]
    return list(zip(arrays[::2], arrays[1::2], strict=True))


class Learned:
    """Plays the action its network scores highest; no randomness, no memory."""

    def __init__(self, weights: str | Path = WEIGHTS) -> None:
        self._layers = load(weights)

    def warm_up(self) -> None:
        """Build the tables before the first decision."""
        tables()

    def decide(self, view: Any, rng: random.Random) -> Any:
        """The legal action with the highest score."""
        return GAME.encoding.action(int(self.scores(view).argmax()))

    def scores(self, view: Any) -> npt.NDArray[np.float32]:
        """The score of every action by number; minus infinity for illegal ones."""
        features, (numbers,) = look(GAME.encoding.observation(view)[None].astype(np.int64), tables(), np.concatenate)
        scores = np.empty(len(numbers), np.float32)
        (scores[numbers],) = think(features.astype(np.float32), self._layers)
        return np.where(GAME.encoding.mask(view), scores, -np.inf)
