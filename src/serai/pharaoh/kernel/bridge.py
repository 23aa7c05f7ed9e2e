"""From the readable state to the flat row of compiled code and back, so that neither needs to know the other."""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from serai.core import CHANCE
from serai.pharaoh.encoding import REACHES, RINGS, VALUES, option_numbers
from serai.pharaoh.kernel import layout as at
from serai.pharaoh.rules.actions import ALL_ACTIONS, AnyAction
from serai.pharaoh.rules.board import fall_order
from serai.pharaoh.rules.pieces import (
    ALL_OPEN,
    CELL_NAMES,
    CELLS,
    CHAMBER_CODE,
    CHAMBER_NAMES,
    FACE_DOWN,
    FALLEN,
    MASK,
    NOWHERE,
    OPENINGS,
    PHOTOS,
    START,
    TILE_NAMES,
    TREASURE_VALUES,
    Cells,
    is_chamber,
)
from serai.pharaoh.rules.rules import Options, PharaohState

Row = npt.NDArray[np.int64]

NUMBERS: dict[AnyAction, int] = {action: number for number, action in enumerate(ALL_ACTIONS)}
"""The number of every action."""
_ACTORS = {CHANCE: at.CHANCE_ACTS, None: at.NOBODY_ACTS}
_NUMBERS = {
    at.ROUND: ("round", "turn", "moves_left", "acts_left", "plies"),
    at.SITE: ("site", "drawn", "photo", "due"),
    at.MASK_CHAMBER: ("mask_chamber", "finder", "countdown", "clock", "ring", "stirred"),
}
"""Numbers of a state that lie side by side in a row, by where the first lies."""
_TUPLES = {
    "unseen": at.UNSEEN,
    "photos": at.PHOTO_OWNER,
    "stack": at.STACK,
    "archaeologists": at.ARCHAEOLOGIST,
    "helpers": at.HELPER,
    "carried": at.CARRIED,
    "supplies": at.SUPPLY,
    "points": at.POINTS,
    "changed": at.CHANGED,
}
"""Where its tuples lie as they are: by kind of piece, then by seat."""
_LENGTHS = {"unseen": len(TILE_NAMES), "photos": len(PHOTOS), "stack": len(TREASURE_VALUES)}
_GET_NUMBERS = {base: attrgetter(*names) for base, names in _NUMBERS.items()}
_GET_TUPLES = attrgetter(*_TUPLES)


def to_row(state: PharaohState) -> Row:
    """The row of a state."""
    values = [0] * at.ROW_SIZE  # gathered in a list, which is filled sooner than an array
    _put(values, at.PLAYERS, (state.players, state.options.first, state.start, *option_numbers(state.options)))
    _put(values, at.MAX_ROUNDS, (state.options.max_rounds or 0, state.options.restless or 0))
    values[at.ACTOR] = state.actor if isinstance(state.actor, int) else _ACTORS[state.actor]
    for base, numbers_of in _GET_NUMBERS.items():
        _put(values, base, numbers_of(state))
    for base, some in zip(_TUPLES.values(), _GET_TUPLES(state), strict=True):
        _put(values, base, some)
    values[at.CENTRE] = state.centre
    _put(values, at.OPEN, _tile_sets(state.tiles))
    _put(values, at.LYING, _lying_sets(state.lying))
    _put(values, at.LOST, _counts(state.lost))
    _put(values, at.LAMPS, tuple(map(_bits, state.lamps)))
    for seat, museum in enumerate(state.museums):
        if museum:
            _put(values, at.MUSEUM + 3 * seat, _counts(museum))
    return np.array(values, np.int64)


def to_state(row: Row) -> PharaohState:
    """The state that lies in a row."""
    values = [int(value) for value in row]
    players = values[at.PLAYERS]

    def take(base: int, count: int = players) -> tuple[int, ...]:
        return tuple(values[base : base + count])

    actor = values[at.ACTOR]
    options = _options(values)
    start, centre = values[at.START_CELL], values[at.CENTRE]
    numbers: dict[str, Any] = {
        name: values[place] for base, names in _NUMBERS.items() for place, name in enumerate(names, base)
    }
    tuples: dict[str, Any] = {name: take(base, _LENGTHS.get(name, players)) for name, base in _TUPLES.items()}
    return PharaohState(
        actor=actor if actor >= 0 else CHANCE if actor == at.CHANCE_ACTS else None,
        options=options,
        tiles=_tiles(values),
        lying=_lying(values),
        lost=_treasures(take(at.LOST, 3)),
        lamps=tuple(map(_cells, take(at.LAMPS))),
        museums=tuple(_treasures(take(at.MUSEUM + 3 * seat, 3)) for seat in range(players)),
        falls=() if centre == NOWHERE else fall_order(centre, start, options.ring),
        **numbers,
        **tuples,
    )


# -- details -----------------------------------------------------------------------------------------------------------


def _put(values: list[int], base: int, some: tuple[int, ...]) -> None:
    values[base : base + len(some)] = some


def _options(values: list[int]) -> Options:
    return Options(
        first=values[at.FIRST],
        entrance=CELL_NAMES[values[at.START_CELL]],
        no_sealed_tiles=bool(values[at.NO_SEALED]),
        turn_reach=REACHES[values[at.TURN_REACH]],
        hide_scores=bool(values[at.HIDE_SCORES]),
        frightened_drop=bool(values[at.FRIGHTENED_DROP]),
        event_without_way_ends_turn=bool(values[at.EVENT_ENDS]),
        mask_exit_ends_turn=bool(values[at.EXIT_ENDS]),
        ring=RINGS[values[at.RING_SHAPE]],
        max_rounds=values[at.MAX_ROUNDS] or None,
        restless=values[at.RESTLESS] or None,
    )


@lru_cache(maxsize=256)
def _tile_sets(tiles: tuple[int, ...]) -> tuple[int, ...]:
    """The fields from ``OPEN`` to ``CHAMBER_AT``. Tiles stay as they are for many plies, so some are remembered."""
    opened, down, fallen, chambers = [0] * 4, 0, 0, 0
    places = [NOWHERE] * len(CHAMBER_NAMES)
    for cell, code in enumerate(tiles):
        bit = 1 << cell
        for side in range(4):
            opened[side] |= bit if OPENINGS[code] >> side & 1 else 0
        down |= bit if code == FACE_DOWN else 0
        fallen |= bit if code == FALLEN else 0
        if is_chamber(code):
            chambers |= bit
            places[code - CHAMBER_CODE] = cell
    return (*opened, down, fallen, chambers, *places)


def _lying_sets(lying: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The fields from ``LYING`` to ``MASK_AT``."""
    sets, mask_at = [0] * 6, NOWHERE
    for place in set(lying):
        cell, value = place
        if value == MASK:
            mask_at = cell
            continue
        count = lying.count(place)
        base = 3 * TREASURE_VALUES.index(value)
        for power in range(3):
            sets[base + power] |= (count >> power & 1) << cell
    return (*sets, mask_at)


def _tiles(values: list[int]) -> tuple[int, ...]:
    tiles = [sum((values[at.OPEN + side] >> cell & 1) << side for side in range(4)) for cell in CELLS]
    tiles[values[at.START_CELL]] = START
    for cell in _cells(values[at.FALLEN]):
        tiles[cell] = FALLEN
    for chamber in range(len(CHAMBER_NAMES)):
        cell = values[at.CHAMBER_AT + chamber]
        if cell != NOWHERE:
            assert tiles[cell] == ALL_OPEN
            tiles[cell] = CHAMBER_CODE + chamber
    return tuple(tiles)


def _lying(values: list[int]) -> tuple[tuple[int, int], ...]:
    found = [] if values[at.MASK_AT] == NOWHERE else [(values[at.MASK_AT], MASK)]
    for kind, value in enumerate(TREASURE_VALUES):
        for place in range(3):
            for cell in _cells(values[at.LYING + 3 * kind + place]):
                found += [(cell, value)] * (1 << place)
    return tuple(sorted(found))


def _treasures(counts: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(value for value, count in zip(VALUES, counts, strict=True) for _ in range(count))


def _counts(treasures: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(treasures.count, VALUES))


def _bits(cells: Cells) -> int:
    return sum(1 << cell for cell in cells)


def _cells(bits: int) -> Cells:
    return tuple(cell for cell in CELLS if bits >> cell & 1)
