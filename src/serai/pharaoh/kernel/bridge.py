"""From the readable state to the flat row of compiled code and back, so that neither needs to know the other."""

from __future__ import annotations

from collections.abc import Iterable

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
    if row is None:
        row = np.empty(layout.ROW_SIZE, np.int64)
    row[:] = 0
    _put_options(row, state)
    row[layout.ACTOR] = state.actor if isinstance(state.actor, int) else _ACTORS[state.actor]
    row[layout.ROUND] = state.round
    row[layout.TURN] = state.turn
    row[layout.MOVES_LEFT] = state.moves_left
    row[layout.ACTS_LEFT] = state.acts_left
    row[layout.PLIES] = state.plies
    _put_tiles(row, state)
    row[layout.SITE] = state.site
    row[layout.DRAWN] = state.drawn
    row[layout.PHOTO] = state.photo
    row[layout.DUE] = state.due
    _put(row, layout.UNSEEN, state.unseen)
    _put(row, layout.PHOTO_OWNER, state.photos)
    _put(row, layout.STACK, state.stack)
    row[layout.MASK_AT] = NOWHERE
    for cell in {cell for cell, _ in state.lying}:
        for kind, value in enumerate(TREASURE_VALUES):
            count = state.lying.count((cell, value))
            for place in range(3):
                row[layout.LYING + 3 * kind + place] |= (count >> place & 1) << cell
        if (cell, MASK) in state.lying:
            row[layout.MASK_AT] = cell
    _put(row, layout.LOST, map(state.lost.count, _VALUES))
    _put(row, layout.ARCHAEOLOGIST, state.archaeologists)
    _put(row, layout.HELPER, state.helpers)
    _put(row, layout.CARRIED, state.carried)
    _put(row, layout.LAMPS, map(_bits, state.lamps))
    _put(row, layout.SUPPLY, state.supplies)
    for seat, museum in enumerate(state.museums):
        _put(row, layout.MUSEUM + 3 * seat, map(museum.count, _VALUES))
    _put(row, layout.POINTS, state.points)
    _put(row, layout.CHANGED, state.changed)
    row[layout.MASK_CHAMBER] = state.mask_chamber
    row[layout.FINDER] = state.finder
    row[layout.COUNTDOWN] = state.countdown
    row[layout.CLOCK] = state.clock
    row[layout.RING] = state.ring
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


def _put(row: Row, base: int, values: Iterable[int]) -> None:
    for place, value in enumerate(values):
        row[base + place] = value


def _put_options(row: Row, state: PharaohState) -> None:
    options = state.options
    row[layout.PLAYERS] = state.players
    row[layout.FIRST] = options.first
    row[layout.START_CELL] = state.start
    row[layout.NO_SEALED] = options.no_sealed_tiles
    row[layout.TURN_REACH] = _REACHES.index(options.turn_reach)
    row[layout.HIDE_SCORES] = options.hide_scores
    row[layout.FRIGHTENED_DROP] = options.frightened_drop
    row[layout.EVENT_ENDS] = options.event_without_way_ends_turn
    row[layout.EXIT_ENDS] = options.mask_exit_ends_turn
    row[layout.RING_SHAPE] = _RINGS.index(options.ring)
    row[layout.MAX_ROUNDS] = options.max_rounds or 0


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


def _put_tiles(row: Row, state: PharaohState) -> None:
    row[layout.CHAMBER_AT : layout.CHAMBER_AT + len(CHAMBER_NAMES)] = NOWHERE
    for cell, code in enumerate(state.tiles):
        bit = 1 << cell
        for side in range(4):
            row[layout.OPEN + side] |= bit if OPENINGS[code] >> side & 1 else 0
        row[layout.DOWN] |= bit if code == FACE_DOWN else 0
        row[layout.FALLEN] |= bit if code == FALLEN else 0
        if is_chamber(code):
            row[layout.CHAMBERS] |= bit
            row[layout.CHAMBER_AT + code - CHAMBER_CODE] = cell


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


def _bits(cells: Cells) -> int:
    return sum(1 << cell for cell in cells)


def _cells(bits: int) -> Cells:
    return tuple(cell for cell in CELLS if bits >> cell & 1)
