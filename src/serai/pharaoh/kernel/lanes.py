"""The compiled part of a batch of Das Gold des Pharao: what a seat sees as numbers, and a step in every lane.

The GPU runs the same functions, a lane at a time. There a row may lie elsewhere while it is worked on: so the rows of
the lanes that are meant come as an argument of their own.
"""

from __future__ import annotations

import numpy as np

from serai.core.jit import inlined, lean
from serai.core.lanes import (
    BLOCK,
    DEAL,
    LEAVE,
    NOBODY,
    RESUME,
    Array,
    Buffers,
    Numbers,
    Plan,
    Words,
    learner_of,
    open_account,
    pay,
    policy_of,
    settle,
    start_of,
)
from serai.core.splitmix import seed_of
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
from serai.pharaoh.kernel.policies import choose
from serai.pharaoh.kernel.rules import act, drawn_piece, random_action, stands_before
from serai.pharaoh.kernel.steps import Desk
from serai.pharaoh.kernel.tempers import Tempers
from serai.pharaoh.kernel.ways import Row
from serai.pharaoh.pieces import CHAMBER_CODE, PHOTOS, START, TILE_COUNTS
from serai.pharaoh.pieces import FALLEN as FALLEN_CODE

_KINDS_OF_TILE = len(TILE_COUNTS)
_PHOTO_COUNT = len(PHOTOS)
_CHAMBER_COUNT = START - CHAMBER_CODE


@lean
def observe(row: Row, seat: int, seen: Array) -> None:
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


@lean
def _show_player(row: Row, seat: int, place: int, seen: Array) -> None:
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


@lean
def _show_board(row: Row, seen: Array) -> None:
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


@lean
def show(buffers: Buffers, rows: Array, first: int, last: int) -> None:
    """Write down who acts, what is legal and what the actor sees."""
    for lane in range(first, last):
        show_lane(rows[lane - first], lane, buffers.actors, buffers.mask, buffers.observations)


@inlined
def show_lane(row: Row, lane: int, actors: Array, mask: Array, observations: Array) -> None:
    """The same for one lane."""
    actors[lane] = row[ACTOR]
    legal(row, mask[lane])
    observe(row, max(row[ACTOR], 0), observations[lane])


# -- a step ------------------------------------------------------------------------------------------------------------


@lean
def deal(buffers: Buffers, row: Row, lane: int, plan: Plan) -> None:
    """Set up the lane's game."""
    game = buffers.games[lane]
    buffers.words[lane] = seed_of(plan.seed, np.uint64(game))
    buffers.bots[lane] = seed_of(~plan.seed, np.uint64(game))
    start = start_of(plan, game)
    for place in range(ROW_SIZE):
        row[place] = plan.starts[start, place]
    buffers.learners[lane] = learner_of(plan, game, row[PLAYERS])
    for seat in range(MAX_SEATS):
        buffers.scores[lane, seat] = row[POINTS + seat]


@lean
def advance(
    buffers: Buffers,
    rows: Array,
    first: int,
    last: int,
    actions: Numbers,
    plan: Plan,
    tempers: Tempers | None,
    desk: Desk,
) -> None:
    """In each lane do an action, or what stands for one, and all that follows until the caller is to act again.

    Without tempers there are no opponents: that is known while compiling.
    """
    for lane in range(first, last):
        row = rows[lane - first]
        action = actions[lane]
        if action == DEAL:
            deal(buffers, row, lane, plan)
            action = RESUME
        if answer(buffers, row, lane, action, plan, tempers, desk):
            renew(buffers, row, lane, plan, tempers, desk)


@inlined
def answer(
    buffers: Buffers,
    row: Row,
    lane: int,
    action: int,
    plan: Plan,
    tempers: Tempers | None,
    desk: Desk,
) -> bool:
    """Do an action, or resume, and let opponents act then; whether that brought a game to its end."""
    if action == LEAVE:
        return False
    if action != RESUME:
        if row[ACTOR] == NOBODY_ACTS:
            open_account(buffers, lane, NOBODY)
            return False
        open_account(buffers, lane, row[ACTOR])
        _do(row, buffers.words, lane, action)
    if tempers is not None:
        play_opponents(buffers, row, lane, plan, tempers, desk)
    over: bool = row[ACTOR] == NOBODY_ACTS
    if action > LEAVE or over:
        pay(buffers, lane, row, POINTS, row[PLAYERS], plan.weights)
    return over


@lean
def renew(
    buffers: Buffers,
    row: Row,
    lane: int,
    plan: Plan,
    tempers: Tempers | None,
    desk: Desk,
) -> None:
    """Write down what the game came to, and begin the next one if there is to be one.

    A game that opponents bring to its end before the learner's first turn is passed over.
    """
    _finish(buffers, row, lane, plan)
    while plan.stride > 0 and row[ACTOR] == NOBODY_ACTS:
        buffers.games[lane] += plan.stride
        deal(buffers, row, lane, plan)
        if tempers is not None:
            play_opponents(buffers, row, lane, plan, tempers, desk)


@lean
def play_opponents(buffers: Buffers, row: Row, lane: int, plan: Plan, tempers: Tempers, desk: Desk) -> None:
    """Let the opponents act until it is the learner's turn, or the end."""
    learner = buffers.learners[lane]
    while row[ACTOR] >= 0 and row[ACTOR] != learner:
        policy = policy_of(plan, learner, row[ACTOR], row[PLAYERS])
        if policy < 0:
            action = random_action(row, buffers.bots, lane)
        else:
            action = choose(row, tempers[policy], desk, buffers.bots, lane)
        _do(row, buffers.words, lane, action)


@lean
def _do(row: Row, words: Words, lane: int, action: int) -> None:
    act(row, action)
    while row[ACTOR] == CHANCE_ACTS:
        act(row, drawn_piece(row, words, lane))


@lean
def _finish(buffers: Buffers, row: Row, lane: int, plan: Plan) -> None:
    """Write down what the game in this lane came to."""
    buffers.finished[lane] = 1
    players = row[PLAYERS]
    for seat in range(MAX_SEATS):
        buffers.results[lane, seat] = row[POINTS + seat]
        buffers.shares[lane, seat] = 0.0
    for seat in range(players):
        better, equal = 0, 0
        for other in range(players):
            before = stands_before(row, other, seat)
            better += before
            equal += not before and not stands_before(row, seat, other)
        settle(buffers, lane, seat, better, equal, players, plan)
    for place in range(ROW_SIZE):
        buffers.last_rows[lane, place] = row[place]
    witness = buffers.acted[lane] if buffers.acted[lane] >= 0 else buffers.learners[lane]
    observe(row, witness, buffers.last_observations[lane])


# -- many lanes --------------------------------------------------------------------------------------------------------


@lean
def step(
    buffers: Buffers, first: int, last: int, actions: Numbers, plan: Plan, tempers: Tempers | None, desk: Desk
) -> None:
    """Advance the lanes from ``first`` to before ``last`` and show what came of it.

    Some lanes at a time: what has just been written is slow to read at once.
    """
    for block in range(first, last, BLOCK):
        end = min(block + BLOCK, last)
        rows = buffers.rows[block:end]
        advance(buffers, rows, block, end, actions, plan, tempers, desk)
        show(buffers, rows, block, end)


@lean
def observe_all(rows: Array, first: int, last: int, seats: Numbers, out: Array) -> None:
    """What a seat of each of these lanes sees."""
    for lane in range(first, last):
        observe(rows[lane], seats[lane], out[lane])


@lean
def random_actions(rows: Array, first: int, last: int, words: Words, out: Numbers) -> None:
    """What the bot ``random`` would do in each of these lanes."""
    for lane in range(first, last):
        if rows[lane, ACTOR] >= 0:
            out[lane] = random_action(rows[lane], words, lane)
