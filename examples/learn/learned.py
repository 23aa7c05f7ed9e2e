"""A Camel Up bot that has learned: ``learned.py:Learned``. It plays with NumPy alone; ``train.py`` taught it.

An observation of ``game.encoding`` becomes features, these become a score for each action, and the legal action of the
highest score is done. Colours mean nothing to it: it looks at the camels from the last to the first, and its outputs
stand for actions in that order.

:func:`look` and :func:`think` use only what NumPy's arrays and PyTorch's tensors have in common: what learns on a GPU
are the very functions that play here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import serai
from serai.camelup.odds.canonical import CHOOSE, DICE_SETS, NEW_DICE, ON_TOP, POSITIONS, RANKS, SEQUENCES, SWAP_BITS
from serai.camelup.odds.race_table import DICE_LEFT, ENDS, PAIRS, SECOND, race_table

Array = Any
"""An array of NumPy or a tensor of PyTorch."""
Layers = Sequence[tuple[Array, Array]]
"""Of each layer its matrix and what is added."""

GAME = serai.game("camelup")
AT = GAME.encoding.starts
WEIGHTS = Path(__file__).with_name("weights.npz")
SEATS = 4
"""Seats that it looks at, its own first: it learned at tables of four."""
LEG_TILES = (5, 3, 2)
PRIZES = (8, 5, 3, 2)
"""Of a right race card on top of none, one, two or three other right ones."""
DESERT_SPACES = range(2, 17)
FACES = (1, 2, 3)


# -- what is looked up -------------------------------------------------------------------------------------------------


class Eye(NamedTuple):
    """Tables that :func:`look` reads."""

    ranks: Array
    seats: Array
    spaces: Array
    """Where a desert tile may lie."""
    colourless: Array
    """The numbers of the actions that name no camel: desert tiles and the roll."""
    tile_left: Array
    """By how many leg tiles of a camel are left: what the next one is worth."""
    index: Array
    """By rank and space: what a camel adds to the number of a position."""
    prospects: Array
    """By position and dice left: see :func:`prospects`."""


@cache
def eye() -> Eye:
    """The tables for NumPy, made once in a process, in a second or two."""
    return Eye(
        ranks=np.arange(RANKS),
        seats=np.arange(SEATS),
        spaces=np.array(DESERT_SPACES),
        colourless=np.arange(RANKS, RANKS + 2 * len(DESERT_SPACES) + 1),
        tile_left=np.array([0, *reversed(LEG_TILES)]),
        index=np.array(CHOOSE),
        prospects=prospects(),
    )


def prospects() -> npt.NDArray[np.float32]:
    """What lies ahead if no desert tile is met: a line for every position of the camels and every set of dice left.

    By rank the chances to be first and second in this leg, to win and to lose the race; the chance that the race ends
    in this leg; by space the stops expected there in this leg.
    """
    table = race_table()
    ways = np.array([SEQUENCES[left] for left in DICE_LEFT])[:, None]
    winner, loser = np.array(PAIRS).T
    parts = [
        table.leg[:, :, : SECOND + RANKS] / ways,
        table.race @ (winner[:, None] == np.arange(RANKS)),
        table.race @ (loser[:, None] == np.arange(RANKS)),
        table.leg[:, :, ENDS, None] / ways,
        _stops(table.moves, table.spaces),
    ]
    return np.concatenate(parts, axis=2, dtype=np.float32).reshape((POSITIONS + 1) * DICE_SETS, -1)


def _stops(moves: npt.NDArray[np.int32], spaces: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
    """By position, dice and space: the stops of the next die and of those after it, sets of fewer dice first."""
    stops = np.zeros((POSITIONS + 1, DICE_SETS, len(DESERT_SPACES)), np.float32)
    for left in range(1, RANKS + 1):
        for rank in range(RANKS):
            dice = np.array([dice for dice in range(DICE_SETS) if DICE_LEFT[dice] == left and dice >> rank & 1])
            for pips in FACES:
                packed = moves[:, rank, ON_TOP + pips - 1]
                position, swap = packed >> SWAP_BITS, packed & (1 << SWAP_BITS) - 1
                later = stops[position[:, None], NEW_DICE[swap][:, dice ^ 1 << rank]]
                here = (spaces[:, rank] + pips)[:, None] == np.array(DESERT_SPACES)
                stops[:POSITIONS, dice] += (later + here[:, None]) / np.float32(len(FACES) * left)
    return stops


# -- looking and thinking ----------------------------------------------------------------------------------------------


def look(seen: Array, eye: Eye, concatenate: Callable[..., Array]) -> tuple[Array, Array]:
    """The features of observations (64-bit numbers, a line each), and the number of the action behind each output."""
    stands = seen[:, None, AT["rank"] : AT["rank"] + RANKS] == eye.ranks[:, None]

    def by_rank(field: str, entry: int = 0, entries: int = 1) -> Array:
        start = AT[field] + entry
        return (seen[:, None, start : start + entries * RANKS : entries] * stands).sum(2)

    def by_seat(field: str) -> Array:
        return seen[:, AT[field] : AT[field] + SEATS]

    def cards_on(deck: str) -> Array:
        return (seen[:, AT[deck] : AT[deck] + SEATS * RANKS, None] == eye.seats).sum(1)

    space = by_rank("space").clip(0, DESERT_SPACES[-1])  # beyond it only when all is over
    in_pyramid = by_rank("tent") == 0
    position, dice = eye.index[eye.ranks, space].sum(1), (in_pyramid * 2**eye.ranks).sum(1)
    ahead = eye.prospects[position * DICE_SETS + dice]
    first, second, winner, loser = (ahead[:, RANKS * kind : RANKS * (kind + 1)] for kind in range(4))

    holders = [by_rank("leg_tile", tile, len(LEG_TILES)) for tile in range(len(LEG_TILES))]
    tiles_left = sum((holder < 0) * 1 for holder in holders)
    tile_value = _leg_value(eye.tile_left[tiles_left], first, second) * (tiles_left > 0)
    held = [holder[:, :, None] == eye.seats for holder in holders]
    pounds = sum(holds * value for holds, value in zip(held, LEG_TILES, strict=True))
    tiles = sum(holds * 1 for holds in held)
    promised = _leg_value(pounds, first[:, :, None], second[:, :, None], tiles).sum(1)

    hand, own_winner, own_loser = by_rank("hand"), by_rank("own_winner"), by_rank("own_loser")
    winners, losers = cards_on("winner_deck"), cards_on("loser_deck")
    worth = by_seat("money") + by_seat("pyramid") + promised
    desert = by_seat("desert")[:, :, None]
    laid = (desert == eye.spaces) * 1 - (desert == -eye.spaces) * 1

    features = [
        ahead,
        in_pyramid,
        (space[:, :, None] == eye.spaces).reshape(len(seen), -1),
        tile_value / 4,
        tiles_left / 3,
        (pounds / 5).reshape(len(seen), -1),
        hand,
        _card_value(winners, winner) * hand / 4,
        _card_value(losers, loser) * hand / 4,
        own_winner > 0,
        own_loser > 0,
        own_winner / 10,
        own_loser / 10,
        winners / 5,
        losers / 5,
        by_seat("money") / 20,
        by_seat("pyramid") / 5,
        worth / 20,
        (worth[:, 1:] - worth[:, :1]) / 10,
        laid[:, 0],
        laid[:, 1:].sum(1),
        seen[:, AT["leg"], None] / 10,
        seen[:, AT["marker"], None] == eye.seats,
    ]
    camel = (eye.ranks * stands).sum(2)
    first_card = RANKS + len(eye.colourless)
    numbers = [camel, eye.colourless + 0 * camel[:, :1], camel + first_card, camel + first_card + RANKS]
    return concatenate([feature * 1.0 for feature in features], 1), concatenate(numbers, 1)


def _leg_value(pounds: Array, first: Array, second: Array, tiles: Array | int = 1) -> Array:
    """Leg tiles of a camel: their pounds if it is first, 1 each if second, else -1 each."""
    return (pounds + tiles) * first + tiles * (2 * second - 1)


def _card_value(cards: Array, chance: Array) -> Array:
    """A race card on top of those the others have laid, if these are of any colour: its prize if right, else -1."""
    a, b, c = (cards[:, seat, None] / RANKS for seat in range(1, SEATS))
    none, three = (1 - a) * (1 - b) * (1 - c), a * b * c
    two = a * b + a * c + b * c - 3 * three
    right_before = (none, 1 - none - two - three, two, three)
    prize = sum(likely * prize for likely, prize in zip(right_before, PRIZES, strict=True))
    return (prize + 1) * chance - 1


def think(features: Array, layers: Layers) -> Array:
    """What the last layer says; between two layers nothing is below 0."""
    for matrix, added in layers[:-1]:
        features = (features @ matrix + added).clip(0)
    matrix, added = layers[-1]
    return features @ matrix + added


# -- playing -----------------------------------------------------------------------------------------------------------


def save(file: str | Path, layers: Layers) -> None:
    """Write the layers down, 16 bits a number."""
    with Path(file).open("wb") as out:
        np.savez_compressed(out, *(np.asarray(array, np.float16) for layer in layers for array in layer))


@cache
def load(file: str | Path) -> Layers:
    """What was saved."""
    with np.load(file, allow_pickle=False) as kept:
        arrays = [kept[name].astype(np.float32) for name in kept.files]
    return list(zip(arrays[::2], arrays[1::2], strict=True))


class Learned:
    """Does what its network scores highest: no chance, no memory."""

    def __init__(self, weights: str | Path = WEIGHTS) -> None:
        self._layers = load(weights)

    def warm_up(self) -> None:
        """Make the tables before the first decision."""
        eye()

    def decide(self, view: Any, rng: random.Random) -> Any:
        """The legal action of the highest score."""
        return GAME.encoding.action(int(self.scores(view).argmax()))

    def scores(self, view: Any) -> npt.NDArray[np.float32]:
        """By the number of the action: its score, and minus infinity for one that is not legal."""
        features, (numbers,) = look(GAME.encoding.observation(view)[None].astype(np.int64), eye(), np.concatenate)
        scores = np.empty(len(numbers), np.float32)
        (scores[numbers],) = think(features.astype(np.float32), self._layers)
        return np.where(GAME.encoding.mask(view), scores, -np.inf)
