"""From the readable state to the flat row of compiled code and back, so that neither needs to know the other."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from serai.core import CHANCE
from serai.pharaoh.actions import ALL_ACTIONS, AnyAction
from serai.pharaoh.board import RingShape, fall_order
from serai.pharaoh.kernel import layout
from serai.pharaoh.pieces import (
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
from serai.pharaoh.rules import Options, PharaohState, TurnReach

Row = npt.NDArray[np.int64]

NUMBERS: dict[AnyAction, int] = {action: number for number, action in enumerate(ALL_ACTIONS)}
"""The number of every action."""
_ACTORS = {CHANCE: layout.CHANCE_ACTS, None: layout.NOBODY_ACTS}
_REACHES: tuple[TurnReach, ...] = ("linked", "opening")
_RINGS: tuple[RingShape, ...] = ("king", "rook")
_VALUES = (*TREASURE_VALUES, MASK)


def actions_of(mask: npt.NDArray[np.uint8]) -> tuple[AnyAction, ...]:
    """The actions that a mask over all action numbers allows, in the order of ``actions()``."""
    return tuple(ALL_ACTIONS[number] for number in np.flatnonzero(mask))


def to_row(state: PharaohState, row: Row | None = None) -> Row:
    """The row of a state, written into ``row`` if one is given."""
    values = [0] * layout.ROW_SIZE  # gathered in a list, which is filled sooner than an array
    _put(values, layout.PLAYERS, _option_values(state))
    values[layout.ACTOR] = state.actor if isinstance(state.actor, int) else _ACTORS[state.actor]
    values[layout.ROUND] = state.round
    values[layout.TURN] = state.turn
    values[layout.MOVES_LEFT] = state.moves_left
    values[layout.ACTS_LEFT] = state.acts_left
    values[layout.PLIES] = state.plies
    _put(values, layout.OPEN, _tile_sets(state.tiles))
    values[layout.SITE] = state.site
    values[layout.DRAWN] = state.drawn
    values[layout.PHOTO] = state.photo
    values[layout.DUE] = state.due
    _put(values, layout.UNSEEN, state.unseen)
    _put(values, layout.PHOTO_OWNER, state.photos)
    _put(values, layout.STACK, state.stack)
    _put(values, layout.LYING, _lying_sets(state.lying))
    _put(values, layout.LOST, _counts(state.lost))
    _put(values, layout.ARCHAEOLOGIST, state.archaeologists)
    _put(values, layout.HELPER, state.helpers)
    _put(values, layout.CARRIED, state.carried)
    _put(values, layout.LAMPS, tuple(map(_bits, state.lamps)))
    _put(values, layout.SUPPLY, state.supplies)
    for seat, museum in enumerate(state.museums):
        _put(values, layout.MUSEUM + 3 * seat, _counts(museum))
    _put(values, layout.POINTS, state.points)
    _put(values, layout.CHANGED, state.changed)
    values[layout.MASK_CHAMBER] = state.mask_chamber
    values[layout.FINDER] = state.finder
    values[layout.COUNTDOWN] = state.countdown
    values[layout.CLOCK] = state.clock
    values[layout.RING] = state.ring
    if row is None:
        return np.array(values, np.int64)
    row[:] = values
    return row


def to_state(row: Row) -> PharaohState:
    """The state that lies in a row."""
    values = [int(value) for value in row]
    players = values[layout.PLAYERS]

    def take(base: int, count: int = players) -> tuple[int, ...]:
        return tuple(values[base : base + count])

    actor = values[layout.ACTOR]
    options = _options(values)
    start, chamber = values[layout.START_CELL], values[layout.MASK_CHAMBER]
    return PharaohState(
        actor=actor if actor >= 0 else CHANCE if actor == layout.CHANCE_ACTS else None,
        options=options,
        round=values[layout.ROUND],
        turn=values[layout.TURN],
        moves_left=values[layout.MOVES_LEFT],
        acts_left=values[layout.ACTS_LEFT],
        plies=values[layout.PLIES],
        tiles=_tiles(values),
        unseen=take(layout.UNSEEN, len(TILE_NAMES)),
        site=values[layout.SITE],
        drawn=values[layout.DRAWN],
        photo=values[layout.PHOTO],
        due=values[layout.DUE],
        photos=take(layout.PHOTO_OWNER, len(PHOTOS)),
        stack=take(layout.STACK, len(TREASURE_VALUES)),
        lying=_lying(values),
        lost=_treasures(take(layout.LOST, 3)),
        archaeologists=take(layout.ARCHAEOLOGIST),
        helpers=take(layout.HELPER),
        carried=take(layout.CARRIED),
        lamps=tuple(map(_cells, take(layout.LAMPS))),
        supplies=take(layout.SUPPLY),
        museums=tuple(_treasures(take(layout.MUSEUM + 3 * seat, 3)) for seat in range(players)),
        points=take(layout.POINTS),
        changed=take(layout.CHANGED),
        mask_chamber=chamber,
        finder=values[layout.FINDER],
        countdown=values[layout.COUNTDOWN],
        clock=values[layout.CLOCK],
        ring=values[layout.RING],
        falls=() if chamber == NOWHERE else fall_order(chamber, start, options.ring),
    )


# -- details -----------------------------------------------------------------------------------------------------------


def _put(values: list[int], base: int, some: tuple[int, ...]) -> None:
    values[base : base + len(some)] = some


def _option_values(state: PharaohState) -> tuple[int, ...]:
    """The fields from ``PLAYERS`` to ``MAX_ROUNDS``."""
    options = state.options
    return (
        state.players,
        options.first,
        state.start,
        options.no_sealed_tiles,
        _REACHES.index(options.turn_reach),
        options.hide_scores,
        options.frightened_drop,
        options.event_without_way_ends_turn,
        options.mask_exit_ends_turn,
        _RINGS.index(options.ring),
        options.max_rounds or 0,
    )


def _options(values: list[int]) -> Options:
    return Options(
        first=values[layout.FIRST],
        entrance=CELL_NAMES[values[layout.START_CELL]],
        no_sealed_tiles=bool(values[layout.NO_SEALED]),
        turn_reach=_REACHES[values[layout.TURN_REACH]],
        hide_scores=bool(values[layout.HIDE_SCORES]),
        frightened_drop=bool(values[layout.FRIGHTENED_DROP]),
        event_without_way_ends_turn=bool(values[layout.EVENT_ENDS]),
        mask_exit_ends_turn=bool(values[layout.EXIT_ENDS]),
        ring=_RINGS[values[layout.RING_SHAPE]],
        max_rounds=values[layout.MAX_ROUNDS] or None,
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
    tiles = [sum((values[layout.OPEN + side] >> cell & 1) << side for side in range(4)) for cell in CELLS]
    tiles[values[layout.START_CELL]] = START
    for cell in _cells(values[layout.FALLEN]):
        tiles[cell] = FALLEN
    for chamber in range(len(CHAMBER_NAMES)):
        cell = values[layout.CHAMBER_AT + chamber]
        if cell != NOWHERE:
            assert tiles[cell] == ALL_OPEN
            tiles[cell] = CHAMBER_CODE + chamber
    return tuple(tiles)


def _lying(values: list[int]) -> tuple[tuple[int, int], ...]:
    found = [] if values[layout.MASK_AT] == NOWHERE else [(values[layout.MASK_AT], MASK)]
    for kind, value in enumerate(TREASURE_VALUES):
        for place in range(3):
            for cell in _cells(values[layout.LYING + 3 * kind + place]):
                found += [(cell, value)] * (1 << place)
    return tuple(sorted(found))


def _treasures(counts: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(value for value, count in zip(_VALUES, counts, strict=True) for _ in range(count))


def _counts(treasures: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(treasures.count, _VALUES))


def _bits(cells: Cells) -> int:
    return sum(1 << cell for cell in cells)


def _cells(bits: int) -> Cells:
    return tuple(cell for cell in CELLS if bits >> cell & 1)
