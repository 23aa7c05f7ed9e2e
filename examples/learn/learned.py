"""A trained Camel Up bot: ``learned.py:Learned``. It plays with NumPy alone; ``train.py`` trains it.

An observation of ``game.encoding`` becomes features, these become a score for each action, and the bot plays the legal
action with the highest score. It ignores colours: camels are ordered from last to first, and its outputs
stand for actions in that order.

:func:`look` and :func:`think` use only what NumPy's arrays and PyTorch's tensors have in common, so the same functions
train on a GPU and play here.
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
from serai.camelup.odds.race_table import (
    CHOOSE,
    DICE_LEFT,
    DICE_SETS,
    ENDS,
    NEW_DICE,
    ON_TOP,
    PAIRS,
    POSITIONS,
    RANKS,
    SECOND,
    SEQUENCES,
    SWAP_BITS,
    race_table,
)

Array = Any
"""A NumPy array or a PyTorch tensor."""
Layers = Sequence[tuple[Array, Array]]
"""Weights and bias of each layer."""

GAME = serai.game("camelup")
AT = GAME.encoding.starts
WEIGHTS = Path(__file__).with_name("weights.npz")
SEATS = 4
"""Seats it considers, its own first: it was trained at tables of four."""
LEG_TILES = (5, 3, 2)
PRIZES = (8, 5, 3, 2)
"""What a right race card pays after none, one, two or three other right ones."""
DESERT_SPACES = range(2, 17)
FACES = (1, 2, 3)


# -- tables ------------------------------------------------------------------------------------------------------------


class Tables(NamedTuple):
    """Tables that :func:`look` reads."""

    ranks: Array
    seats: Array
    spaces: Array
    """Spaces for desert tiles."""
    colourless: Array
    """Numbers of the actions without a camel: desert tiles and the roll."""
    tile_left: Array
    """Value of the next leg tile of a camel, by the number left."""
    index: Array
    """What a camel adds to the index of a position, by rank and space."""
    prospects: Array
    """See :func:`prospects`, by position and dice left."""


@cache
def tables() -> Tables:
    """The tables as NumPy arrays, made once per process in a second or two."""
    return Tables(
        ranks=np.arange(RANKS),
        seats=np.arange(SEATS),
        spaces=np.array(DESERT_SPACES),
        colourless=np.arange(RANKS, RANKS + 2 * len(DESERT_SPACES) + 1),
        tile_left=np.array([0, *reversed(LEG_TILES)]),
        index=np.array(CHOOSE),
        prospects=prospects(),
    )


def prospects() -> npt.NDArray[np.float32]:
    """Chances if no desert tile is met: a row for every position of the camels and every set of dice left.

    By rank: the chances to be first and second in this leg, to win and to lose the race. Then the chance that the race
    ends in this leg, and by space the stops expected in this leg.
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
    """Expected stops by position, dice and space, computed for fewer dice first."""
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


# -- features and network ----------------------------------------------------------------------------------------------


def look(seen: Array, tables: Tables, concatenate: Callable[..., Array]) -> tuple[Array, Array]:
    """The features of observations (64-bit integers, a row each), and the action number of each output."""
    stands = seen[:, None, AT["rank"] : AT["rank"] + RANKS] == tables.ranks[:, None]

    def by_rank(field: str, entry: int = 0, entries: int = 1) -> Array:
        start = AT[field] + entry
        return (seen[:, None, start : start + entries * RANKS : entries] * stands).sum(2)

    def by_seat(field: str) -> Array:
        return seen[:, AT[field] : AT[field] + SEATS]

    def cards_on(deck: str) -> Array:
        return (seen[:, AT[deck] : AT[deck] + SEATS * RANKS, None] == tables.seats).sum(1)

    space = by_rank("space").clip(0, DESERT_SPACES[-1])  # beyond it only when the race is over
    in_pyramid = by_rank("tent") == 0
    position, dice = tables.index[tables.ranks, space].sum(1), (in_pyramid * 2**tables.ranks).sum(1)
    ahead = tables.prospects[position * DICE_SETS + dice]
    first, second, winner, loser = (ahead[:, RANKS * kind : RANKS * (kind + 1)] for kind in range(4))

    holders = [by_rank("leg_tile", tile, len(LEG_TILES)) for tile in range(len(LEG_TILES))]
    tiles_left = sum((holder < 0) * 1 for holder in holders)
    tile_value = _leg_value(tables.tile_left[tiles_left], first, second) * (tiles_left > 0)
    held = [holder[:, :, None] == tables.seats for holder in holders]
    pounds = sum(holds * value for holds, value in zip(held, LEG_TILES, strict=True))
    tiles = sum(holds * 1 for holds in held)
    promised = _leg_value(pounds, first[:, :, None], second[:, :, None], tiles).sum(1)

    hand, own_winner, own_loser = by_rank("hand"), by_rank("own_winner"), by_rank("own_loser")
    winners, losers = cards_on("winner_deck"), cards_on("loser_deck")
    worth = by_seat("money") + by_seat("pyramid") + promised
    desert = by_seat("desert")[:, :, None]
    laid = (desert == tables.spaces) * 1 - (desert == -tables.spaces) * 1

    features = [
        ahead,
        in_pyramid,
        (space[:, :, None] == tables.spaces).reshape(len(seen), -1),
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
        seen[:, AT["marker"], None] == tables.seats,
    ]
    camel = (tables.ranks * stands).sum(2)
    first_card = RANKS + len(tables.colourless)
    numbers = [camel, tables.colourless + 0 * camel[:, :1], camel + first_card, camel + first_card + RANKS]
    return concatenate([feature * 1.0 for feature in features], 1), concatenate(numbers, 1)


def _leg_value(pounds: Array, first: Array, second: Array, tiles: Array | int = 1) -> Array:
    """Expected pounds of a camel's leg tiles: their value if it is first, 1 each if second, else -1 each."""
    return (pounds + tiles) * first + tiles * (2 * second - 1)


def _card_value(cards: Array, chance: Array) -> Array:
    """Expected pounds of a race card after the others' cards of unknown colours: its prize if right, else -1."""
    a, b, c = (cards[:, seat, None] / RANKS for seat in range(1, SEATS))
    none, three = (1 - a) * (1 - b) * (1 - c), a * b * c
    two = a * b + a * c + b * c - 3 * three
    right_before = (none, 1 - none - two - three, two, three)
    prize = sum(likely * prize for likely, prize in zip(right_before, PRIZES, strict=True))
    return (prize + 1) * chance - 1


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
