"""Playing on from a position, compiled: what each of some actions leads to, with the same chance for all of them."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.core.jit import compiled
from serai.core.splitmix import Words, count, seed_of
from serai.pharaoh.kernel.layout import (
    ACTOR,
    CARRIED,
    CELL_COUNT,
    CHANCE_ACTS,
    DOWN,
    END_ACTION,
    MASK_CHAMBER,
    MAX_SEATS,
    MOVES_LEFT,
    NOBODY_ACTS,
    PLAYERS,
    POINTS,
    ROW_SIZE,
    TURN,
)
from serai.pharaoh.kernel.policies import choose
from serai.pharaoh.kernel.rules import act, drawn_piece, winners
from serai.pharaoh.kernel.steps import Desk, desk
from serai.pharaoh.kernel.value import FEATURES, Table, chances
from serai.pharaoh.kernel.ways import Row
from serai.pharaoh.pieces import MOVES, NOWHERE

Tempers = npt.NDArray[np.float64]
"""By table of players, seat, and whether the mask is found: a temper."""
Shares = npt.NDArray[np.float32]


NOTHING_FIRST: Final = -1
"""Instead of the number of a first action: whoever is to act goes on at once."""
UNWAITING_FIRST: Final = -2
"""Likewise, but whoever is to act does not wait in a standoff."""


class Room(NamedTuple):
    """Room to play on in, used again and again; two threads must not share one."""

    desk: Desk
    row: Row
    words: Words
    features: Table
    pull: Table
    chances: Table


def room() -> Room:
    """Fresh room."""
    return Room(
        desk(),
        np.empty(ROW_SIZE, np.int64),
        np.empty(2, np.uint64),
        np.empty((MAX_SEATS, FEATURES)),
        np.empty((MAX_SEATS, CELL_COUNT)),
        np.empty(MAX_SEATS),
    )


@compiled
def calm(row: Row, start: Row) -> bool:
    """Whether nothing has been found, taken or brought home."""
    for seat in range(row[PLAYERS]):
        if row[CARRIED + seat] != start[CARRIED + seat]:
            return False
    return bool(row[DOWN] == start[DOWN])


@compiled
def play_on(row: Row, start: Row, tempers: Tempers, waiting: int, turns: int, room: Room) -> None:
    """Play on for so many turns, and to the end if the mask is found by then.

    ``waiting`` has a bit for each seat that waits for somebody to go first: as long as all is as at the start.
    """
    turn = row[TURN]
    while row[ACTOR] != NOBODY_ACTS:
        if row[ACTOR] == CHANCE_ACTS:
            act(row, drawn_piece(row, room.words, 0))
        elif waiting >> row[ACTOR] & 1 and row[MOVES_LEFT] == MOVES and calm(row, start):
            act(row, END_ACTION)
        else:
            found = 0 if row[MASK_CHAMBER] == NOWHERE else 1
            act(row, choose(row, tempers[row[ACTOR], found], room.desk, room.words, 1))
        if row[TURN] != turn:
            turn = row[TURN]
            turns -= 1
            if turns <= 0 and row[MASK_CHAMBER] == NOWHERE:
                return


@compiled
def judge(row: Row, weights: Table, room: Room, wins: Shares, scores: Shares) -> None:
    """Write each seat's share of the victory, or its chance of it while the game goes on, and its points."""
    if row[ACTOR] == NOBODY_ACTS:
        won = winners(row)
        for seat in range(row[PLAYERS]):
            wins[seat] = 1.0 / count(won) if won >> seat & 1 else 0.0
    else:
        chances(row, weights, room.desk, room.features, room.pull, room.chances)
        for seat in range(row[PLAYERS]):
            wins[seat] = room.chances[seat]
    for seat in range(row[PLAYERS]):
        scores[seat] = row[POINTS + seat]


@compiled
def roll_out(
    start: Row,
    actions: npt.NDArray[np.int64],
    first: int,
    part: tuple[int, int],
    turns: int,
    tempers: Tempers,
    standoff: bool,
    weights: Table,
    seed: np.uint64,
    room: Room,
    wins: Shares,
    scores: Shares,
) -> None:
    """Play on after each action and fill a part of ``wins`` and ``scores``, which are by action, playout and seat.

    Playouts are numbered from ``first``: those of one number have the same chance for every action, and players of the
    same tempers, which change from number to number. In a ``standoff`` everybody waits but whoever does
    one of the actions.
    """
    row = room.row
    everybody = (1 << start[PLAYERS]) - 1 if standoff else 0
    for place in range(len(actions)):
        for playout in range(part[0], part[1]):
            number = first + playout
            room.words[0] = seed_of(seed, np.uint64(number))
            room.words[1] = ~room.words[0]
            for field in range(ROW_SIZE):
                row[field] = start[field]
            waiting = everybody
            if actions[place] != NOTHING_FIRST:
                waiting &= ~(1 << start[TURN])
                if actions[place] != UNWAITING_FIRST:
                    act(row, actions[place])
            play_on(row, start, tempers[number % len(tempers)], waiting, turns, room)
            judge(row, weights, room, wins[place, playout], scores[place, playout])
