"""The race table: for every position of the camels and every set of dice left, how leg and race end if no tile is met.

Positions have no colours: a track is the five spaces of the camels from last to first, bottom to top within a stack, a
non-decreasing vector of five numbers from 1 to 16. There are C(20, 5) = 15,504 of them, and their combinatorial number
is their index. A place in that vector is a *rank*: 0 is the last camel, 4 the leader. A move takes a unit (a run of
ranks) past some of its neighbours: two adjacent runs change places. So the new rank of every camel follows from one of
21 *swaps*, whatever the position.

The sweep over the table goes backwards: without tiles every die moves a camel forward, so a position depends only on
positions with a greater sum of spaces, also across the end of a leg, where the dice come back. There are 31 sets of
dice; a 32nd set, none, stands for the end of the leg, and one position more for the end of the race.

Building takes about a second; later processes map the table from the user's cache folder.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import threading
import time
import zlib
from collections.abc import Iterable
from functools import cache
from itertools import combinations
from math import comb, factorial, prod
from pathlib import Path
from typing import Final, NamedTuple

from serai.errors import requiring

with requiring("fast", "Camel Up's odds"):
    import numpy as np
    import numpy.typing as npt
    from platformdirs import user_cache_path

from serai.camelup.rules.pieces import CAMELS, FACES, LAST_SPACE
from serai.lab.preparing import preparing

# -- positions and moves -----------------------------------------------------------------------------------------------

RANKS: Final = len(CAMELS)
POSITIONS: Final = comb(LAST_SPACE + RANKS - 1, RANKS)
OVER: Final = POSITIONS
"""Stands for every position in which a camel has crossed the line."""
DICE_SETS: Final = 1 << RANKS
ALL_DICE: Final = DICE_SETS - 1

ON_TOP: Final = 0
"""Kinds of move: ``ON_TOP + n - 1`` ends n = 1 to 4 spaces ahead on top of who stands there."""
UNDERNEATH: Final = 4
"""``UNDERNEATH + n`` ends n = 0 to 2 spaces ahead, below who stands there."""
MOVE_KINDS: Final = 7
SWAP_BITS: Final = 5

SEQUENCES: Final[tuple[int, ...]] = tuple(factorial(dice) * len(FACES) ** dice for dice in range(RANKS + 1))
"""By number of dice left: the equally likely ways in which they can fall, n! * 3^n."""
WAYS: Final = np.array([SEQUENCES[dice.bit_count()] for dice in range(DICE_SETS)], np.float64)
"""The same by set of dice."""


def _swaps() -> list[tuple[int, int, int]]:
    """(first rank, length of the lower run, length of the upper run); the first one changes nothing."""
    return [(0, 0, 0)] + [
        (start, lower, upper)
        for start in range(RANKS)
        for lower in range(1, RANKS - start)
        for upper in range(1, RANKS - start - lower + 1)
    ]


def _new_ranks() -> npt.NDArray[np.int8]:
    table = np.tile(np.arange(RANKS, dtype=np.int8), (len(SWAPS), 1))
    for swap, (start, lower, upper) in enumerate(SWAPS):
        table[swap, start : start + lower] += upper
        table[swap, start + lower : start + lower + upper] -= lower
    return table


def _new_dice() -> npt.NDArray[np.int8]:
    dice = np.arange(DICE_SETS)
    table = np.zeros((len(SWAPS), DICE_SETS), np.int8)
    for swap, ranks in enumerate(NEW_RANK):
        for rank, moved_to in enumerate(ranks):
            table[swap] |= ((dice >> rank & 1) << int(moved_to)).astype(np.int8)
    return table


SWAPS: Final = tuple(_swaps())
NEW_RANK: Final = _new_ranks()
"""By swap and rank before the move: the rank after it."""
NEW_DICE: Final = _new_dice()
"""By swap and set of dice (bit r: the die of rank r is in the pyramid): the same set after the move."""
_SWAP_ID: Final = {swap: number for number, swap in enumerate(SWAPS)}
CHOOSE: Final = tuple(
    tuple(comb(max(space - 1, 0) + rank, rank + 1) for space in range(LAST_SPACE + 1)) for rank in range(RANKS)
)
"""By rank and space: what this camel adds to the index of its position."""


@cache
def spaces() -> npt.NDArray[np.int8]:
    """By position and rank: the space."""
    chosen = np.array(list(combinations(range(LAST_SPACE + RANKS - 1), RANKS)), np.int8)
    table: npt.NDArray[np.int8] = (chosen - np.arange(RANKS) + 1).astype(np.int8)
    return np.ascontiguousarray(table[np.argsort(_indices(table))])


def index_of(ranked_spaces: tuple[int, ...]) -> int:
    """The index of the position with these spaces, from the last camel to the first."""
    return sum(CHOOSE[rank][space] for rank, space in enumerate(ranked_spaces))


def build_moves() -> npt.NDArray[np.int32]:
    """By position, rank and kind of move: ``new position << SWAP_BITS | swap``."""
    track = spaces()
    moves = np.empty((POSITIONS, RANKS, MOVE_KINDS), np.int32)
    for rank in range(RANKS):
        start = track[:, rank]
        below = (track[:, :rank] == start[:, None]).sum(axis=1)
        unit = (track[:, rank:] == start[:, None]).sum(axis=1)
        ahead = track[:, rank:] > start[:, None]
        for step in range(1, 5):
            passed = (ahead & (track[:, rank:] <= (start + step)[:, None])).sum(axis=1)
            moves[:, rank, ON_TOP + step - 1] = _moved(track, rank, unit, step, _swap_numbers(rank, unit, passed))
        back = _swap_numbers(rank - below, below, unit)
        moves[:, rank, UNDERNEATH] = np.arange(POSITIONS) << SWAP_BITS | back
        for step in range(1, 3):
            passed = (ahead & (track[:, rank:] < (start + step)[:, None])).sum(axis=1)
            moves[:, rank, UNDERNEATH + step] = _moved(track, rank, unit, step, _swap_numbers(rank, unit, passed))
    return moves


def _swap_numbers(
    start: int | npt.NDArray[np.int64], lower: npt.NDArray[np.int64], upper: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    known = np.zeros((RANKS + 1,) * 3, np.int64)
    for (first, below, above), number in _SWAP_ID.items():
        known[first, below, above] = number
    found: npt.NDArray[np.int64] = known[np.broadcast_to(start, lower.shape), lower, upper]
    return found


def _moved(
    track: npt.NDArray[np.int8], rank: int, unit: npt.NDArray[np.int64], step: int, swap: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    ranks = np.arange(RANKS)
    moving = (ranks >= rank) & (ranks < rank + unit[:, None])
    after = np.sort(np.where(moving, track + np.int8(step), track), axis=1)
    position = np.where(after[:, -1] > LAST_SPACE, OVER, _indices(np.minimum(after, np.int8(LAST_SPACE))))
    return position << SWAP_BITS | swap


def _indices(track: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    parts: npt.NDArray[np.int64] = np.array(CHOOSE)[np.arange(RANKS), track]
    return np.asarray(parts.sum(axis=1))


# -- the table ---------------------------------------------------------------------------------------------------------

FIRST: Final = 0
"""Columns of the leg counts: ``FIRST + rank``."""
SECOND: Final = FIRST + RANKS
LAST: Final = SECOND + RANKS
ENDS: Final = LAST + RANKS
"""The race ends within the leg."""
LEG_COLUMNS: Final = ENDS + 1

PAIRS: Final = tuple((winner, loser) for winner in range(RANKS) for loser in range(RANKS) if winner != loser)
"""Columns of the race chances: (rank of the winner, rank of the loser)."""

TIE: Final = 1e-9
"""Values in pounds that differ by no more than this count as equal: the last digits of chances are rounded."""
VERSION: Final = 1
"""Of the file: raise it whenever a number in the table changes its value or its place."""
_NAME: Final = "camelup-race"


class RaceTable(NamedTuple):
    """Plain arrays, read-only, so that compiled code can take them as they are."""

    spaces: npt.NDArray[np.int8]
    """By position and rank: the space."""
    moves: npt.NDArray[np.int32]
    """By position, rank and kind of move: ``new position << SWAP_BITS | swap``."""
    reach: npt.NDArray[np.uint32]
    """By position and dice: bit s is set if a unit can stop on space s before the leg ends."""
    leg: npt.NDArray[np.uint16]
    """By position, dice and column: in how many of ``SEQUENCES[dice left]`` ways it happens."""
    race: npt.NDArray[np.float64]
    """By position, dice and pair: the chance of this winner and this loser."""


_SHAPES: Final = {
    "spaces": ((POSITIONS, RANKS), "<i1"),
    "moves": ((POSITIONS, RANKS, MOVE_KINDS), "<i4"),
    "reach": ((POSITIONS + 1, DICE_SETS), "<u4"),
    "leg": ((POSITIONS + 1, DICE_SETS, LEG_COLUMNS), "<u2"),
    "race": ((POSITIONS + 1, DICE_SETS, len(PAIRS)), "<f8"),
}
_LINE: Final = 64
_lock = threading.Lock()
_loaded: RaceTable | None = None


def race_table() -> RaceTable:
    """The table, loaded once per process: from the cache folder, or built and written there."""
    global _loaded
    if _loaded is None:
        with _lock, preparing():
            if _loaded is None:
                _loaded = load()
                if _loaded is None:
                    _loaded = build()
                    save(_loaded)
    return _loaded


def build() -> RaceTable:
    """Compute the table; its arrays are read-only, like those of a mapped file."""
    moves = build_moves()
    table = RaceTable(spaces(), moves, _reach(moves), _leg(moves), _race(moves))
    for array in table:
        array.flags.writeable = False
    return table


# -- the sweeps --------------------------------------------------------------------------------------------------------

DICE_LEFT: Final = tuple(dice.bit_count() for dice in range(DICE_SETS))


def _with_die(rank: int, count: int | None = None) -> npt.NDArray[np.int64]:
    """The sets of dice that hold this rank's die (and ``count`` dice in all)."""
    return np.array([d for d in range(DICE_SETS) if d >> rank & 1 and count in (None, DICE_LEFT[d])])


def _steps(moves: npt.NDArray[np.int32], rank: int, pips: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    packed = moves[:, rank, ON_TOP + pips - 1].astype(np.int64)
    return packed >> SWAP_BITS, packed & (1 << SWAP_BITS) - 1


def _reach(moves: npt.NDArray[np.int32]) -> npt.NDArray[np.uint32]:
    reach = np.zeros((POSITIONS + 1, DICE_SETS), np.uint32)
    for count in range(1, RANKS + 1):
        for rank in range(RANKS):
            dice = _with_die(rank, count)
            for pips in FACES:
                position, swap = _steps(moves, rank, pips)
                landing = spaces()[:, rank] + pips
                bit = np.where(landing <= LAST_SPACE, 1 << landing.astype(np.uint32), 0).astype(np.uint32)
                rest = NEW_DICE[swap][:, dice ^ 1 << rank]
                reach[:POSITIONS, dice] |= reach[position[:, None], rest] | bit[:, None]
    return reach


def _leg(moves: npt.NDArray[np.int32]) -> npt.NDArray[np.uint16]:
    leg = np.zeros((POSITIONS + 1, DICE_SETS, LEG_COLUMNS), np.uint16)
    sure = np.array([SEQUENCES[left] for left in DICE_LEFT])
    for column, rank in ((FIRST, RANKS - 1), (SECOND, RANKS - 2), (LAST, 0)):
        leg[:, 0, column + rank] = 1
        leg[OVER, :, column + rank] = sure
    leg[OVER, :, ENDS] = sure
    columns = np.concatenate([NEW_RANK, NEW_RANK + SECOND, NEW_RANK + LAST, np.full((len(NEW_RANK), 1), ENDS)], axis=1)
    flat = leg.reshape(-1)
    for count in range(1, RANKS + 1):
        for rank in range(RANKS):
            dice = _with_die(rank, count)
            for pips in FACES:
                position, swap = _steps(moves, rank, pips)
                rows = position[:, None] * DICE_SETS + NEW_DICE[swap][:, dice ^ 1 << rank]
                leg[:POSITIONS, dice] += flat[rows[:, :, None] * LEG_COLUMNS + columns[swap][:, None, :]]
    return leg


def _race(moves: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    race = np.zeros((POSITIONS + 1, DICE_SETS, len(PAIRS)))
    race[OVER, :, PAIRS.index((RANKS - 1, 0))] = 1
    columns = np.array([[PAIRS.index((ranks[won], ranks[lost])) for won, lost in PAIRS] for ranks in NEW_RANK.tolist()])
    flat = race.reshape(-1)
    outcomes = len(FACES) * np.array(DICE_LEFT[1:])[:, None]
    for layer in _by_falling_sum():
        chances = np.zeros((len(layer), DICE_SETS, len(PAIRS)))
        for rank in range(RANKS):
            dice = _with_die(rank)
            for pips in FACES:
                packed = moves[layer, rank, ON_TOP + pips - 1].astype(np.int64)
                position, swap = packed >> SWAP_BITS, packed & (1 << SWAP_BITS) - 1
                rows = position[:, None] * DICE_SETS + NEW_DICE[swap][:, dice ^ 1 << rank]
                chances[:, dice] += flat[rows[:, :, None] * len(PAIRS) + columns[swap][:, None, :]]
        chances[:, 1:] /= outcomes
        chances[:, 0] = chances[:, ALL_DICE]
        race[layer] = chances
    return race


def _by_falling_sum() -> list[npt.NDArray[np.int64]]:
    """Positions in groups of equal sums of spaces: nothing within a group depends on the group."""
    sums = spaces().sum(axis=1)
    order = np.argsort(-sums, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(sums[order])) + 1)


# -- the file ----------------------------------------------------------------------------------------------------------
#
# One block of bytes behind a header with version, length and checksum. A file that is damaged or of another version
# counts as missing. It is written beside its place and renamed, so that no reader sees half of it and two writers do no
# harm. Errors of the disk are ignored: reading returns None, writing does nothing.

_HEADER = struct.Struct("<12sIQII")
_MAGIC = b"serai cache\n"
HEADER_SIZE = 64
"""Where the block starts: mapped into memory, it lies on a cache line."""
_LEFTOVER_AGE = 3600.0
"""Seconds after which a temporary file is abandoned: no writer takes an hour."""


def _sizes() -> list[int]:
    """Bytes of each array in the file, rounded up to whole cache lines."""
    return [-(-prod(shape) * np.dtype(kind).itemsize // _LINE) * _LINE for shape, kind in _SHAPES.values()]


def load() -> RaceTable | None:
    """The table of an earlier process, mapped into memory, if its file is undamaged and of this version."""
    block = read_cache_file(_NAME, VERSION, sum(_sizes()))
    if block is None:
        return None
    arrays = []
    start = 0
    for (shape, kind), size in zip(_SHAPES.values(), _sizes(), strict=True):
        arrays.append(np.frombuffer(block, kind, prod(shape), start).reshape(shape))
        start += size
    return RaceTable(*arrays)


def save(table: RaceTable) -> None:
    """Write the table for later processes, unless the disk fails."""
    parts = []
    for array, (_, kind), size in zip(table, _SHAPES.values(), _sizes(), strict=True):
        data = np.ascontiguousarray(array, kind).reshape(-1).view(np.uint8)
        parts += [data.data, memoryview(bytes(size - data.nbytes))]
    write_cache_file(_NAME, VERSION, parts)


def cache_folder() -> Path:
    """The cache folder: ``$SERAI_CACHE``, or the system's place for such files."""
    own = os.environ.get("SERAI_CACHE")
    return Path(own) if own else user_cache_path("serai", appauthor=False)


def read_cache_file(name: str, version: int, size: int) -> memoryview | None:
    """The block of that version and size, mapped into memory; ``None`` unless its checksum holds."""
    try:
        with (cache_folder() / name).open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError, RuntimeError):  # no file, no permission, an empty file, no home folder
        return None
    if len(mapped) != HEADER_SIZE + size:
        return None
    view = memoryview(mapped)
    block = view[HEADER_SIZE:]
    if bytes(view[:HEADER_SIZE]) != _header(version, size, zlib.crc32(block)):
        return None
    return block


def write_cache_file(name: str, version: int, parts: Iterable[memoryview]) -> None:
    """Write the block of these parts, unless the disk fails."""
    blocks = list(parts)
    checksum = 0
    for block in blocks:
        checksum = zlib.crc32(block, checksum)
    header = _header(version, sum(block.nbytes for block in blocks), checksum)
    beside: str | None = None
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        _sweep_leftovers(name)
        handle, beside = tempfile.mkstemp(prefix=f".{name}.", dir=cache_folder())
        with os.fdopen(handle, "wb") as file:
            file.write(header)
            for block in blocks:
                file.write(block)
        Path(beside).replace(cache_folder() / name)
    except (OSError, RuntimeError):
        if beside is not None:
            Path(beside).unlink(missing_ok=True)


def _sweep_leftovers(name: str) -> None:
    """Remove temporary files of writers that were killed."""
    for leftover in cache_folder().glob(f".{name}.*"):
        if time.time() - leftover.stat().st_mtime > _LEFTOVER_AGE:
            leftover.unlink(missing_ok=True)


def _header(version: int, size: int, checksum: int) -> bytes:
    fields = _HEADER.pack(_MAGIC, version, size, checksum, 0)
    return fields.ljust(HEADER_SIZE - 4, b"\0") + struct.pack("<I", zlib.crc32(fields))
