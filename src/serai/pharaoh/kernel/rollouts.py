"""Playing on from a position, compiled: what each of some actions leads to, with the same chance for all of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from serai.core.jit import compiled
from serai.core.splitmix import Words, count, seed_of
from serai.pharaoh.kernel.layout import (
    ACTOR,
    CELL_COUNT,
    CHANCE_ACTS,
    MAX_SEATS,
    NOBODY_ACTS,
    ROW_SIZE,
    TURN,
)
from serai.pharaoh.kernel.policies import Desk, choose, desk
from serai.pharaoh.kernel.rules import act, drawn_piece, winners
from serai.pharaoh.kernel.value import FEATURES, Table, chances
from serai.pharaoh.kernel.ways import Row

Tempers = npt.NDArray[np.float64]
"""By table of players and seat: a temper."""


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
        np.empty(1, np.uint64),
        np.empty((MAX_SEATS, FEATURES)),
        np.empty((MAX_SEATS, CELL_COUNT)),
        np.empty(MAX_SEATS),
    )


@compiled
def play_on(row: Row, tempers: Tempers, turns: int, room: Room) -> None:
    """Play on for so many turns, or to the end, whichever comes first."""
    turn = row[TURN]
    while row[ACTOR] != NOBODY_ACTS:
        if row[ACTOR] == CHANCE_ACTS:
            act(row, drawn_piece(row, room.words, 0))
        else:
            act(row, choose(row, tempers[row[ACTOR]], room.desk, room.words, 0))
        if row[TURN] != turn:
            turn = row[TURN]
            turns -= 1
            if turns == 0:
                return


@compiled
def worth(row: Row, seat: int, weights: Table, room: Room) -> float:
    """A seat's share of the victory, or its chance of it while the game goes on."""
    if row[ACTOR] == NOBODY_ACTS:
        won = winners(row)
        return 1.0 / count(won) if won >> seat & 1 else 0.0
    chances(row, weights, room.desk, room.features, room.pull, room.chances)
    return float(room.chances[seat])


@compiled
def roll_out(
    start: Row,
    seat: int,
    actions: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    turns: int,
    tempers: Tempers,
    weights: Table,
    seed: np.uint64,
    room: Room,
    sums: Table,
) -> None:
    """Play on after each action, once for each number, and add up what ``seat`` gets and its square.

    Playouts of one number have the same chance for every action; players change their tempers from number to number.
    """
    row = room.row
    for place in range(len(actions)):
        for number in range(numbers[0], numbers[1]):
            room.words[0] = seed_of(seed, np.uint64(number))
            for field in range(ROW_SIZE):
                row[field] = start[field]
            act(row, actions[place])
            play_on(row, tempers[number % len(tempers)], turns, room)
            got = worth(row, seat, weights, room)
            sums[place, 0] += got
            sums[place, 1] += got * got
