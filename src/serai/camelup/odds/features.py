"""Features of an observation that say what bets are worth: chances from the race table, expected pounds.

The 161 numbers of an observation do not say what a bet is worth; a network would have to discover how five camels carry
each other through a leg. :func:`look` looks it up. It uses only what NumPy's arrays and PyTorch's tensors have in
common, so the same lines run on a GPU for many games and here for one view.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from serai.errors import requiring

with requiring("fast", "observations with odds"):
    import numpy as np
    import numpy.typing as npt

from serai.camelup.encoding import ENCODING
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
from serai.camelup.rules.pieces import CAMEL_NAMES, FACES, LEG_VALUES, RACE_PRIZES

Array = Any
"""A NumPy array or a PyTorch tensor."""

AT = ENCODING.starts
SEATS = 4
"""Seats that are considered, one's own first."""
DESERT_SPACES = range(2, 17)


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
        tile_left=np.array([0, *reversed(LEG_VALUES)]),
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


def look(
    seen: Array, tables: Tables, concatenate: Callable[..., Array], *, by_colour: bool = False
) -> tuple[Array, Array]:
    """The features of observations (64-bit integers, a row each), and the action number of each output.

    What belongs to a camel stands in the order of the camels, from last to first, and the outputs for actions on camels
    likewise, so that colours mean nothing. With ``by_colour`` both are ordered by colour: then outputs are numbered as
    actions are.
    """
    stands = seen[:, None, AT["rank"] : AT["rank"] + RANKS] == tables.ranks[:, None]

    def by_rank(of_camels: Array) -> Array:
        return (of_camels[:, None] * stands).sum(2)

    def ordered(of_ranks: Array) -> Array:
        return (of_ranks[:, :, None] * stands).sum(1) if by_colour else of_ranks

    def field(name: str, entry: int = 0, entries: int = 1) -> Array:
        start = AT[name] + entry
        of_camels = seen[:, start : start + entries * RANKS : entries]
        return of_camels if by_colour else by_rank(of_camels)

    def by_seat(name: str) -> Array:
        return seen[:, AT[name] : AT[name] + SEATS]

    def cards_on(deck: str) -> Array:
        return (seen[:, AT[deck] : AT[deck] + SEATS * RANKS, None] == tables.seats).sum(1)

    spaces = seen[:, AT["space"] : AT["space"] + RANKS].clip(0, DESERT_SPACES[-1])  # more when the race is over
    dice_left = (seen[:, AT["tent"] : AT["tent"] + RANKS] == 0) * 1
    position, dice = tables.index[tables.ranks, by_rank(spaces)].sum(1), (by_rank(dice_left) * 2**tables.ranks).sum(1)
    ahead = tables.prospects[position * DICE_SETS + dice]
    chances = [ordered(ahead[:, RANKS * kind : RANKS * (kind + 1)]) for kind in range(4)]
    first, second, winner, loser = chances
    space, in_pyramid = field("space").clip(0, DESERT_SPACES[-1]), field("tent") == 0

    holders = [field("leg_tile", tile, len(LEG_VALUES)) for tile in range(len(LEG_VALUES))]
    tiles_left = sum((holder < 0) * 1 for holder in holders)
    tile_value = _leg_value(tables.tile_left[tiles_left], first, second) * (tiles_left > 0)
    held = [holder[:, :, None] == tables.seats for holder in holders]
    pounds = sum(holds * value for holds, value in zip(held, LEG_VALUES, strict=True))
    tiles = sum(holds * 1 for holds in held)
    promised = _leg_value(pounds, first[:, :, None], second[:, :, None], tiles).sum(1)

    hand, own_winner, own_loser = field("hand"), field("own_winner"), field("own_loser")
    winners, losers = cards_on("winner_deck"), cards_on("loser_deck")
    worth = by_seat("money") + by_seat("pyramid") + promised
    desert = by_seat("desert")[:, :, None]
    laid = (desert == tables.spaces) * 1 - (desert == -tables.spaces) * 1

    features = [
        *chances,
        ahead[:, len(chances) * RANKS :],
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
    if by_colour:
        features.append(stands.reshape(len(seen), -1))
    camel = tables.ranks + 0 * spaces if by_colour else (tables.ranks * stands).sum(2)
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
    prize = sum(likely * prize for likely, prize in zip(right_before, RACE_PRIZES, strict=True))
    return (prize + 1) * chance - 1


@cache
def odds_names() -> tuple[str, ...]:
    """What each feature of :func:`odds_of` is."""
    names: list[str] = []
    by_owner = tuple(map(str, range(SEATS)))

    def by_camel(what: str) -> list[str]:
        return [f"{what} {camel}" for camel in CAMEL_NAMES]

    for what in ("first", "second", "winner", "loser"):
        names += by_camel(f"chance {what}")
    names += ["chance ends", *(f"stops {space}" for space in DESERT_SPACES), *by_camel("die left")]
    names += [f"space {camel} = {space}" for camel in CAMEL_NAMES for space in DESERT_SPACES]
    names += [*by_camel("next tile worth"), *by_camel("tiles left")]
    names += [f"tiles of {owner} {camel}" for camel in CAMEL_NAMES for owner in by_owner]
    for what in ("hand", "winner worth", "loser worth", "own winner", "own loser", "place winner", "place loser"):
        names += by_camel(what)
    for what in ("winner cards", "loser cards", "money", "pyramid", "worth"):
        names += [f"{what} {owner}" for owner in by_owner]
    names += [f"ahead {owner}" for owner in by_owner[1:]]
    names += [f"desert {whose} {space}" for whose in ("own", "others'") for space in DESERT_SPACES]
    names += ["leg", *(f"marker = {owner}" for owner in by_owner)]
    return (*names, *(f"{camel} is rank {rank}" for rank in range(RANKS) for camel in CAMEL_NAMES))


def odds_of(observations: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """The features of many observations, by colour, for ``observe="odds"``."""
    features, _ = look(observations.astype(np.int64), tables(), np.concatenate, by_colour=True)
    return np.asarray(features, np.float32)
