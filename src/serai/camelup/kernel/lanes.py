"""The compiled part of a batch of Camel Up: what a seat sees as numbers, and a step in every lane.

The GPU runs the same functions, a lane at a time. There a row may lie elsewhere while it is worked on: so the rows of
the lanes that are meant come as an argument of their own.
"""

from __future__ import annotations

import numpy as np

from serai.camelup.kernel.choose import choose
from serai.camelup.kernel.layout import (
    ACTOR,
    CAMEL_COUNT,
    CHANCE_ACTS,
    DECK_SIZE,
    DESERT,
    HAND,
    LEG,
    LEG_TILE,
    LOSER_COUNT,
    LOSER_DECK,
    MARKER,
    MAX_SEATS,
    MONEY,
    MOST_SEEN,
    NOBODY_ACTS,
    ORDER,
    PLAYER_ACTIONS,
    PLAYERS,
    PYRAMID,
    ROLL_ACTION,
    ROW_SIZE,
    SEEN_CARDS,
    SEEN_DESERT,
    SEEN_HAND,
    SEEN_LEG,
    SEEN_LEG_TILE,
    SEEN_LOSER_DECK,
    SEEN_MARKER,
    SEEN_MONEY,
    SEEN_OWN_LOSER,
    SEEN_OWN_WINNER,
    SEEN_PLAYERS,
    SEEN_PYRAMID,
    SEEN_RANK,
    SEEN_SPACE,
    SEEN_TENT,
    SEEN_TURN,
    SEEN_WINNER_DECK,
    SPACE,
    TENT,
    TURN,
    WINNER_COUNT,
    WINNER_DECK,
)
from serai.camelup.kernel.policies import ChoiceRoom
from serai.camelup.kernel.rules import Row, act, drawn_die, legal, random_action
from serai.camelup.kernel.sight import Lines
from serai.camelup.odds.race_table import RaceTable
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
from serai.core.splitmix import count, seed_of

# -- what is seen ------------------------------------------------------------------------------------------------------


@lean
def observe(row: Row, seat: int, seen: Array) -> None:
    """Write what ``seat`` sees of a game. Loops without branches, several numbers at a time."""
    players = row[PLAYERS]
    seen[SEEN_LEG] = min(row[LEG], MOST_SEEN)
    seen[SEEN_TURN] = _from(row[TURN], seat, players)
    seen[SEEN_MARKER] = _from(row[MARKER], seat, players)
    for camel in range(CAMEL_COUNT):
        seen[SEEN_SPACE + camel] = row[SPACE + camel]
        seen[SEEN_TENT + camel] = row[TENT + camel]
        seen[SEEN_RANK + row[ORDER + camel]] = camel
        seen[SEEN_HAND + camel] = row[HAND + seat] >> camel & 1
        seen[SEEN_OWN_WINNER + camel] = 0
        seen[SEEN_OWN_LOSER + camel] = 0
    for tile in range(3 * CAMEL_COUNT):
        seen[SEEN_LEG_TILE + tile] = _from(row[LEG_TILE + tile], seat, players)
    for place in range(MAX_SEATS):
        owner = seat + place if seat + place < players else seat + place - players
        taken = place < players
        seen[SEEN_PYRAMID + place] = row[PYRAMID + owner] if taken else 0
        seen[SEEN_DESERT + place] = row[DESERT + owner] if taken else 0
        seen[SEEN_MONEY + place] = min(row[MONEY + owner], MOST_SEEN) if taken else 0
        seen[SEEN_CARDS + place] = count(row[HAND + owner]) if taken else 0
    for place in range(DECK_SIZE):
        seen[SEEN_WINNER_DECK + place] = _from(row[WINNER_DECK + place] >> 3, seat, players)
    for place in range(DECK_SIZE):
        seen[SEEN_LOSER_DECK + place] = _from(row[LOSER_DECK + place] >> 3, seat, players)
    for place in range(row[WINNER_COUNT]):  # others' cards come to a place that is written last
        card = row[WINNER_DECK + place]
        seen[SEEN_OWN_WINNER + (card & 7) if card >> 3 == seat else SEEN_PLAYERS] = place + 1
    for place in range(row[LOSER_COUNT]):
        card = row[LOSER_DECK + place]
        seen[SEEN_OWN_LOSER + (card & 7) if card >> 3 == seat else SEEN_PLAYERS] = place + 1
    seen[SEEN_PLAYERS] = players


@inlined
def _from(owner: int, seat: int, players: int) -> int:
    """A seat counted from the observer; nobody (-1) stays nobody."""
    place = owner - seat if owner >= seat else owner - seat + players
    return place if owner >= 0 else -1


@lean
def show(buffers: Buffers, rows: Array, first: int, last: int) -> None:
    """Write down who acts, what is legal and what the actor sees."""
    for lane in range(first, last):
        show_lane(rows[lane - first], lane, buffers.actors, buffers.mask, buffers.observations)


@inlined
def show_lane(row: Row, lane: int, actors: Array, mask: Array, observations: Array) -> None:
    """The same for one lane."""
    actors[lane] = row[ACTOR]
    bits = legal(row)
    for action in range(PLAYER_ACTIONS):
        mask[lane, action] = bits >> action & 1
    observe(row, max(row[ACTOR], 0), observations[lane])


# -- a step ------------------------------------------------------------------------------------------------------------


@lean
def deal(buffers: Buffers, row: Row, lane: int, plan: Plan) -> None:
    """Set up the lane's game and place its camels."""
    game = buffers.games[lane]
    buffers.words[lane] = seed_of(plan.seed, np.uint64(game))
    buffers.bots[lane] = seed_of(~plan.seed, np.uint64(game))
    start = start_of(plan, game)
    for place in range(ROW_SIZE):
        row[place] = plan.starts[start, place]
    for _ in range(CAMEL_COUNT):
        act(row, drawn_die(row, buffers.words, lane))
    buffers.learners[lane] = learner_of(plan, game, row[PLAYERS])
    for seat in range(MAX_SEATS):
        buffers.scores[lane, seat] = row[MONEY + seat]


@lean
def advance(
    buffers: Buffers,
    rows: Array,
    first: int,
    last: int,
    actions: Numbers,
    plan: Plan,
    table: RaceTable | None,
    lines: Lines | None,
    room: ChoiceRoom,
) -> None:
    """In each lane do an action, or what stands for one, and all that follows until the caller is to act again.

    Without a table there are no opponents: that is known while compiling.
    """
    for lane in range(first, last):
        row = rows[lane - first]
        action = actions[lane]
        if action == DEAL:
            deal(buffers, row, lane, plan)
            action = RESUME
        if answer(buffers, row, lane, action, plan, table, lines, room):
            renew(buffers, row, lane, plan, table, lines, room)


@inlined
def answer(
    buffers: Buffers,
    row: Row,
    lane: int,
    action: int,
    plan: Plan,
    table: RaceTable | None,
    lines: Lines | None,
    room: ChoiceRoom,
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
    if table is not None:
        play_opponents(buffers, row, lane, plan, table, lines, room)
    over: bool = row[ACTOR] == NOBODY_ACTS
    if (action > LEAVE or over) and (table is not None or action == ROLL_ACTION):  # nothing else changes scores
        pay(buffers, lane, row, MONEY, row[PLAYERS], plan.weights)
    return over


@lean
def renew(
    buffers: Buffers,
    row: Row,
    lane: int,
    plan: Plan,
    table: RaceTable | None,
    lines: Lines | None,
    room: ChoiceRoom,
) -> None:
    """Write down what the game came to, and begin the next one if there is to be one.

    A game that opponents bring to its end before the learner's first turn is passed over.
    """
    _finish(buffers, row, lane, plan)
    while plan.stride > 0 and row[ACTOR] == NOBODY_ACTS:
        buffers.games[lane] += plan.stride
        deal(buffers, row, lane, plan)
        if table is not None:
            play_opponents(buffers, row, lane, plan, table, lines, room)


@lean
def play_opponents(
    buffers: Buffers, row: Row, lane: int, plan: Plan, table: RaceTable, lines: Lines | None, room: ChoiceRoom
) -> None:
    """Let the opponents act until it is the learner's turn, or the end."""
    learner = buffers.learners[lane]
    while row[ACTOR] >= 0 and row[ACTOR] != learner:
        policy = policy_of(plan, learner, row[ACTOR], row[PLAYERS])
        _do(row, buffers.words, lane, choose(row, policy, table, lines, room, buffers.bots, lane))


@lean
def _do(row: Row, words: Words, lane: int, action: int) -> None:
    act(row, action)
    if row[ACTOR] == CHANCE_ACTS:
        act(row, drawn_die(row, words, lane))


@lean
def _finish(buffers: Buffers, row: Row, lane: int, plan: Plan) -> None:
    """Write down what the game in this lane came to."""
    buffers.finished[lane] = 1
    players = row[PLAYERS]
    for seat in range(MAX_SEATS):
        buffers.results[lane, seat] = row[MONEY + seat]
        buffers.shares[lane, seat] = 0.0
    for seat in range(players):
        better, equal = 0, 0
        for other in range(players):
            better += row[MONEY + other] > row[MONEY + seat]
            equal += row[MONEY + other] == row[MONEY + seat]
        settle(buffers, lane, seat, better, equal, players, plan)
    for place in range(ROW_SIZE):
        buffers.last_rows[lane, place] = row[place]
    witness = buffers.acted[lane] if buffers.acted[lane] >= 0 else buffers.learners[lane]
    observe(row, witness, buffers.last_observations[lane])


# -- many lanes --------------------------------------------------------------------------------------------------------


@lean
def step(
    buffers: Buffers,
    first: int,
    last: int,
    actions: Numbers,
    plan: Plan,
    table: RaceTable | None,
    lines: Lines | None,
    room: ChoiceRoom,
) -> None:
    """Advance the lanes from ``first`` to before ``last`` and show what came of it.

    Some lanes at a time: what has just been written is slow to read at once.
    """
    for block in range(first, last, BLOCK):
        end = min(block + BLOCK, last)
        rows = buffers.rows[block:end]
        advance(buffers, rows, block, end, actions, plan, table, lines, room)
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
