"""The compiled part of a batch of Das Gold des Pharao: what a seat sees as numbers, and a step in every lane."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from serai.core.batch import Buffers, Numbers
from serai.core.jit import compiled, inlined
from serai.core.splitmix import Words, count, seed_of
from serai.pharaoh.kernel.layout import (
    ACTOR,
    ACTS_LEFT,
    ARCHAEOLOGIST,
    CARRIED,
    CELL_COUNT,
    CHAMBER_AT,
    CHANCE_ACTS,
    CHANGED,
    CLOCK,
    COUNTDOWN,
    DRAWN,
    FALLEN,
    FINDER,
    FIRST,
    HELPER,
    LAMPS,
    LOST,
    LYING,
    MASK_AT,
    MASK_CHAMBER,
    MAX_ROUNDS,
    MAX_SEATS,
    MOST_SEEN,
    MOVES_LEFT,
    MUSEUM,
    NOBODY_ACTS,
    PHOTO_OWNER,
    PLAYER_ACTIONS,
    PLAYERS,
    POINTS,
    RING,
    RING_SHAPE,
    ROUND,
    ROW_SIZE,
    SEEN_ACTS_LEFT,
    SEEN_ARCHAEOLOGIST,
    SEEN_CARRIED,
    SEEN_CLOCK,
    SEEN_COUNTDOWN,
    SEEN_DRAWN,
    SEEN_FINDER,
    SEEN_FIRST,
    SEEN_HELPER,
    SEEN_LAMPS,
    SEEN_LATER,
    SEEN_LOST,
    SEEN_MASK_AT,
    SEEN_MASK_CHAMBER,
    SEEN_MOVES_LEFT,
    SEEN_MUSEUM,
    SEEN_PHOTO,
    SEEN_PLAYERS,
    SEEN_POINTS,
    SEEN_RING,
    SEEN_ROUND,
    SEEN_ROUNDS_LEFT,
    SEEN_RULES,
    SEEN_SEAT,
    SEEN_SITE,
    SEEN_SIZE,
    SEEN_STACK,
    SEEN_SUPPLY,
    SEEN_TILE,
    SEEN_TREASURE,
    SEEN_TURN,
    SEEN_UNSEEN,
    SITE,
    STACK,
    START_CELL,
    SUPPLY,
    TURN,
    UNSEEN,
)
from serai.pharaoh.kernel.legal import legal, openings_at
from serai.pharaoh.kernel.rules import act, drawn_piece, random_action, winners
from serai.pharaoh.kernel.ways import Row
from serai.pharaoh.pieces import CHAMBER_CODE, PHOTOS, START, TILE_COUNTS
from serai.pharaoh.pieces import FALLEN as FALLEN_CODE

Rows = npt.NDArray[np.int64]
Seen = npt.NDArray[np.int16]

_KINDS_OF_TILE = len(TILE_COUNTS)
_PHOTO_COUNT = len(PHOTOS)
_CHAMBER_COUNT = START - CHAMBER_CODE


@compiled
def observe(row: Row, seat: int, seen: Seen) -> None:
    """Write what ``seat`` sees of a game: all but what nobody knows (12.1)."""
    for place in range(SEEN_SIZE):
        seen[place] = 0
    seen[SEEN_PLAYERS] = row[PLAYERS]
    seen[SEEN_SEAT] = seat
    for place in range(START_CELL, RING_SHAPE + 1):
        seen[SEEN_RULES + place - START_CELL] = row[place]
    seen[SEEN_ROUNDS_LEFT] = min(row[MAX_ROUNDS] - row[ROUND], MOST_SEEN) if row[MAX_ROUNDS] else MOST_SEEN
    seen[SEEN_ROUND] = min(row[ROUND], MOST_SEEN)
    seen[SEEN_TURN] = _from(row, seat, row[TURN])
    seen[SEEN_FIRST] = _from(row, seat, row[FIRST])
    seen[SEEN_MOVES_LEFT] = row[MOVES_LEFT]
    seen[SEEN_ACTS_LEFT] = row[ACTS_LEFT]
    seen[SEEN_SITE] = row[SITE]
    seen[SEEN_DRAWN] = row[DRAWN]
    for kind in range(_KINDS_OF_TILE):
        seen[SEEN_UNSEEN + kind] = row[UNSEEN + kind]
    for kind in range(2):
        seen[SEEN_STACK + kind] = row[STACK + kind]
    for kind in range(3):
        seen[SEEN_LOST + kind] = row[LOST + kind]
    seen[SEEN_MASK_AT] = row[MASK_AT]
    seen[SEEN_MASK_CHAMBER] = row[MASK_CHAMBER]
    seen[SEEN_FINDER] = _from(row, seat, row[FINDER])
    seen[SEEN_COUNTDOWN] = row[COUNTDOWN]
    seen[SEEN_CLOCK] = _from(row, seat, row[CLOCK])
    seen[SEEN_RING] = row[RING]
    for photo in range(_PHOTO_COUNT):
        seen[SEEN_PHOTO + photo] = _from(row, seat, row[PHOTO_OWNER + photo])
    for other in range(row[PLAYERS]):
        _show_player(row, other, _from(row, seat, other), seen)
    _show_board(row, seen)


@inlined
def _from(row: Row, seat: int, other: int) -> int:
    """A seat counted from the observer; nobody stays nobody."""
    if other < 0:
        return other
    return other - seat if other >= seat else other - seat + row[PLAYERS]


@compiled
def _show_player(row: Row, seat: int, place: int, seen: Seen) -> None:
    seen[SEEN_ARCHAEOLOGIST + place] = row[ARCHAEOLOGIST + seat]
    seen[SEEN_HELPER + place] = row[HELPER + seat]
    seen[SEEN_CARRIED + place] = row[CARRIED + seat]
    seen[SEEN_SUPPLY + place] = row[SUPPLY + seat]
    seen[SEEN_POINTS + place] = row[POINTS + seat]
    for other in range(row[PLAYERS]):
        seen[SEEN_LATER + place] += row[CHANGED + other] < row[CHANGED + seat]
    for kind in range(3):
        seen[SEEN_MUSEUM + 3 * place + kind] = row[MUSEUM + 3 * seat + kind]
    for cell in range(CELL_COUNT):
        seen[SEEN_LAMPS + CELL_COUNT * place + cell] = row[LAMPS + seat] >> cell & 1


@compiled
def _show_board(row: Row, seen: Seen) -> None:
    for cell in range(CELL_COUNT):
        seen[SEEN_TILE + cell] = FALLEN_CODE if row[FALLEN] >> cell & 1 else openings_at(row, cell)
        for kind in range(2):
            lying = 0
            for place in range(3):
                lying |= (row[LYING + 3 * kind + place] >> cell & 1) << place
            seen[SEEN_TREASURE + CELL_COUNT * kind + cell] = lying
    seen[SEEN_TILE + row[START_CELL]] = START
    for chamber in range(_CHAMBER_COUNT):
        if row[CHAMBER_AT + chamber] >= 0:
            seen[SEEN_TILE + row[CHAMBER_AT + chamber]] = CHAMBER_CODE + chamber


@compiled
def _show(buffers: Buffers, lane: int) -> None:
    row = buffers.rows[lane]
    buffers.actors[lane] = row[ACTOR]
    legal(row, buffers.mask[lane])
    observe(row, max(row[ACTOR], 0), buffers.observations[lane])


@compiled
def _deal(buffers: Buffers, lane: int, start: Row, seed: np.uint64) -> None:
    """Set up the lane's game."""
    row = buffers.rows[lane]
    buffers.words[lane] = seed_of(seed, np.uint64(buffers.games[lane]))
    for place in range(ROW_SIZE):
        row[place] = start[place]


@compiled
def begin(buffers: Buffers, start: Row, seed: np.uint64) -> None:
    """Put the game that its number means into every lane."""
    for lane in range(len(buffers.games)):
        _deal(buffers, lane, start, seed)
        _show(buffers, lane)


@compiled
def step(buffers: Buffers, actions: Numbers, start: Row, seed: np.uint64, stride: int) -> int:
    """Step every lane; the first lane with an illegal action instead, or -1. Without a stride nothing restarts."""
    lanes = len(buffers.games)
    mask = np.empty(PLAYER_ACTIONS, np.uint8)
    for lane in range(lanes):
        row = buffers.rows[lane]
        action = actions[lane]
        if row[ACTOR] == NOBODY_ACTS:
            continue
        legal(row, mask)
        if not (0 <= action < PLAYER_ACTIONS and mask[action]):
            return lane
    for lane in range(lanes):
        row = buffers.rows[lane]
        rewards = buffers.rewards[lane]
        buffers.finished[lane] = 0
        if row[ACTOR] == NOBODY_ACTS:
            for seat in range(MAX_SEATS):
                rewards[seat] = 0
            continue
        for seat in range(MAX_SEATS):
            rewards[seat] = -row[POINTS + seat]
        act(row, actions[lane])
        while row[ACTOR] == CHANCE_ACTS:
            act(row, drawn_piece(row, buffers.words, lane))
        for seat in range(MAX_SEATS):
            rewards[seat] += row[POINTS + seat]
        if row[ACTOR] == NOBODY_ACTS:
            _finish(buffers, lane)
            if stride > 0:
                buffers.games[lane] += stride
                _deal(buffers, lane, start, seed)
        _show(buffers, lane)
    return -1


@compiled
def _finish(buffers: Buffers, lane: int) -> None:
    """Write down what the game in this lane came to."""
    row = buffers.rows[lane]
    buffers.finished[lane] = 1
    won = winners(row)
    for seat in range(MAX_SEATS):
        buffers.results[lane, seat] = row[POINTS + seat]
        buffers.shares[lane, seat] = 1.0 / count(won) if won >> seat & 1 else 0.0


@compiled
def observe_all(rows: Rows, seats: Numbers, out: Seen) -> None:
    """What a seat of each lane sees."""
    for lane in range(len(rows)):
        observe(rows[lane], seats[lane], out[lane])


@compiled
def random_actions(rows: Rows, words: Words, out: Numbers) -> None:
    """What the bot ``random`` would do in each lane."""
    for lane in range(len(rows)):
        if rows[lane, ACTOR] >= 0:
            out[lane] = random_action(rows[lane], words, lane)
