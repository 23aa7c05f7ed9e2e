"""Counting the rest of a leg exactly, with desert tiles, in NumPy.

Only distinct canonical states are visited: about 1,100 to 1,450 on a fresh leg instead of 29,160 sequences of dice,
and where no tile can be met any more the race table has the answer. Many sets of tiles are counted at once.

:mod:`serai.camelup.policy.leg` counts the same by numba, ten times as fast. This one stays because the first report of
a process comes sooner from it: after 0.13 s, not 0.5 s as with compiled code on disk or 1.3 s as without.

Everything is counted in sequences: a state with n dice left stands for n! * 3^n equally likely ways. So the counts of
a leg are whole numbers, and race chances are weighted with the ways of the leaf they come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from serai.errors import requiring

with requiring("fast", "Camel Up's odds"):
    import numpy as np
    import numpy.typing as npt

from serai.camelup.odds.race_table import (
    DICE_SETS,
    LAST,
    LEG_COLUMNS,
    NEW_DICE,
    NEW_RANK,
    OVER,
    PAIRS,
    RANKS,
    SECOND,
    SEQUENCES,
    SWAP_BITS,
    UNDERNEATH,
    WAYS,
    RaceTable,
)
from serai.camelup.rules.pieces import FACES, LAST_SPACE, TRACK_SIZE

RACE: Final = LEG_COLUMNS
"""First column of the race chances, one per pair."""
STOPS: Final = RACE + len(PAIRS)
"""First column of the stops, one per space of the track."""
COLUMNS: Final = STOPS + TRACK_SIZE

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class _Layer(NamedTuple):
    """States with equally many dice left, and where their outcomes lead."""

    case: Ints
    position: Ints
    dice: Ints
    inner: Ints
    """Which of them are not leaves."""
    child: Ints
    """By inner state and outcome: the state of the next layer."""
    swap: Ints
    landing: Ints


def count_leg(
    table: RaceTable, position: int, dice: int, cases: Sequence[Sequence[int]], *, all_stops: bool = False
) -> Floats:
    """For each case (a set of tiles as signed spaces) one row of weighted counts, by rank as the camels stand now.

    The columns are those of the leg counts, then RACE + pair, then STOPS + space. Stops are counted on spaces with a
    tile; with ``all_stops`` on every space.
    """
    tiles = steps_on(cases)
    watched = (tiles != 0) @ (1 << np.arange(TRACK_SIZE)) if not all_stops else np.full(len(cases), -1)
    layers = _walk(table, position, dice, tiles, watched)
    values = np.empty((0, COLUMNS))
    for layer in reversed(layers):
        values = _values(table, layer, values)
    return values


def steps_on(cases: Sequence[Sequence[int]]) -> Ints:
    """By case and space: the step of the tile there, 0 where none lies."""
    tiles = np.zeros((len(cases), TRACK_SIZE), np.int64)
    for case, placed in enumerate(cases):
        for tile in placed:
            tiles[case, abs(tile)] = np.sign(tile)
    return tiles


def _walk(table: RaceTable, position: int, dice: int, tiles: Ints, watched: Ints) -> list[_Layer]:
    """All distinct states from here to the end of the leg, layer by layer, one die at a time."""
    case = np.arange(len(tiles))
    positions, sets = np.full(len(tiles), position), np.full(len(tiles), dice)
    layers = []
    while True:
        inner = np.flatnonzero(table.reach[positions, sets] & watched[case])
        if not len(inner):
            none = np.empty((0, 0), np.int64)
            layers.append(_Layer(case, positions, sets, inner, none, none, none))
            return layers
        rank, pips = _outcomes(sets[inner])
        where, here = positions[inner, None], case[inner, None]
        landing = table.spaces[where, rank] + pips
        step = tiles[here, landing]
        kind = np.where(step < 0, UNDERNEATH + pips - 1, pips - 1 + step)
        packed = table.moves[where, rank, kind].astype(np.int64)
        swap = packed & (1 << SWAP_BITS) - 1
        after = NEW_DICE[swap, sets[inner, None] & ~(1 << rank)]
        key = (here * (OVER + 1) + (packed >> SWAP_BITS)) * DICE_SETS + after
        found, child = np.unique(key, return_inverse=True)
        layers.append(_Layer(case, positions, sets, inner, child.reshape(key.shape), swap, landing))
        case, rest = np.divmod(found, (OVER + 1) * DICE_SETS)
        positions, sets = np.divmod(rest, DICE_SETS)


def _values(table: RaceTable, layer: _Layer, following: Floats) -> Floats:
    """The weighted counts of a layer from those of the next."""
    values = np.zeros((len(layer.case), COLUMNS))
    values[:, :LEG_COLUMNS] = table.leg[layer.position, layer.dice]
    values[:, RACE:STOPS] = table.race[layer.position, layer.dice] * WAYS[layer.dice, None]
    if not len(layer.inner):
        return values
    gathered = following.reshape(-1)[layer.child[:, :, None] * COLUMNS + MOVED_COLUMNS[layer.swap]]
    inner = gathered.sum(axis=1)
    states, outcomes = layer.child.shape
    each = SEQUENCES[outcomes // len(FACES) - 1]
    on_track = layer.landing <= LAST_SPACE
    np.add.at(inner, (np.repeat(np.arange(states), outcomes)[on_track.ravel()], STOPS + layer.landing[on_track]), each)
    values[layer.inner] = inner
    return values


def _outcomes(sets: Ints) -> tuple[Ints, Ints]:
    """By state and outcome of the next die: its rank and its pips. All sets are equally large."""
    ranks = np.nonzero(sets[:, None] >> np.arange(RANKS) & 1)[1].reshape(len(sets), -1)
    pips = np.array(FACES * ranks.shape[1])
    return np.repeat(ranks, len(FACES), axis=1), np.broadcast_to(pips, (len(sets), len(pips)))


def _moved_columns() -> Ints:
    """By swap: from which column of the next state each column of a state is taken."""
    same = np.arange(COLUMNS)
    table = np.tile(same, (len(NEW_RANK), 1))
    for swap, ranks in enumerate(NEW_RANK.tolist()):
        for rank, moved_to in enumerate(ranks):
            for column in (0, SECOND, LAST):
                table[swap, column + rank] = column + moved_to
        for column, (winner, loser) in enumerate(PAIRS):
            table[swap, RACE + column] = RACE + PAIRS.index((ranks[winner], ranks[loser]))
    return table


MOVED_COLUMNS: Final = _moved_columns()
