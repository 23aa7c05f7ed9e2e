"""The compiled game loop: steps many games at once and plays whole games; compiled once for each game.

A game is a module that holds what :class:`Driver` lists; :func:`serai.lab.jit.bind` compiles the templates for it. The
GPU runs the same functions, a lane at a time. There a row may be worked on in a copy, so rows are arguments of their
own. Arrays are copied in loops: slices would cost seconds of compiling.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Final, NamedTuple, Protocol, cast

from serai.errors import requiring

with requiring("fast", "compiled games"):
    import numpy as np
    import numpy.typing as npt

from serai.lab.jit import bind, compiled, inlined, lean, template
from serai.lab.rng import seed_of

Array = npt.NDArray[Any]
Numbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Policies = npt.NDArray[np.int8]
Log = npt.NDArray[np.int16]
"""The numbers of a game's actions, one after the other."""
Out = npt.NDArray[np.int32]
"""The results of games, one per line."""

CHANCE: Final = -1
"""Instead of a seat that acts: a draw is to be made."""
NOBODY: Final = -2
"""Instead of a seat: nobody acts, or nobody acted."""
EVERYBODY: Final = -1
"""Instead of the learner's seat: the caller acts for every seat."""

DEAL: Final = -(1 << 62)
"""Instead of an action: begin the game that the lane's number means."""
RESUME: Final = DEAL + 1
"""Instead of an action: go on from the row that was put into the lane."""
LEAVE: Final = DEAL + 2
"""Instead of an action: leave the lane alone. What is greater is an action."""
BLOCK: Final = 64
"""Lanes that are advanced before they are shown."""

WINNERS, PLIES, DECISIONS, TRUNCATED, OWN = range(5)
"""Places in the result of a whole game, counted from behind the scores, which come first; ``OWN``: the game's own."""
DRAWS, BOTS = 0, 1
"""A whole game has two generators, so that its n-th draw is the same whatever the bots do."""

SCORE: Final = 0
"""Places of the weights of a reward, which is a sum of these four. The change of the score."""
LEAD: Final = 1
"""By how much that is more than the average over the table."""
WIN: Final = 2
"""At the end: the share of the victory, between 0 and 1."""
RANK: Final = 3
"""At the end: from 1 for the first to -1 for the last, equal for equal seats."""


class Buffers(NamedTuple):
    """The arrays of a batch, owned by the caller; one lane per line."""

    rows: Array
    """The games themselves, ``[lanes, ROW_SIZE]``. They hold secrets too: for tests and searching, not for players."""
    words: Words
    """The state of each game's chance."""
    bots: Words
    """The state of the opponents' own chance."""
    games: Numbers
    """The number of the game in each lane."""
    plies: npt.NDArray[np.int32]
    """How many actions its game has had, those of chance included."""
    steps: npt.NDArray[np.int32]
    """How many of them were the caller's."""
    learners: npt.NDArray[np.int8]
    """The seat that the caller acts for; ``EVERYBODY`` without opponents."""
    actors: npt.NDArray[np.int8]
    """Who is to act; ``NOBODY`` where a game is over and the batch does not restart."""
    acted: npt.NDArray[np.int8]
    """For which seat the caller acted in the last step; ``NOBODY`` where no game was on."""
    mask: npt.NDArray[np.uint8]
    """1 for each legal action of the actor, ``[lanes, PLAYER_ACTIONS]``."""
    observations: Array
    """What the actor sees, ``[lanes, SEEN_SIZE]``, in 8 or 16 bits."""
    rewards: npt.NDArray[np.float32]
    """The rewards of the last step by seat, ``[lanes, MAX_SEATS]``."""
    gathered: npt.NDArray[np.float32]
    """The rewards of each seat since its own last action, that one's included; after the end of a game they stand
    until the next step."""
    scores: npt.NDArray[np.int16]
    """The scores that rewards have been counted for, by seat."""
    finished: npt.NDArray[np.uint8]
    """1 where the last step ended a game."""
    truncated: npt.NDArray[np.uint8]
    """1 where that game was too long and was cut short: no victory or place is rewarded."""
    results: npt.NDArray[np.int16]
    """The scores at the end of the last finished game of each lane, by seat."""
    shares: npt.NDArray[np.float32]
    """Each seat's share of the victory in that game; of one that was cut short, as it stood."""
    last_rows: Array
    """That game at its end."""
    last_observations: Array
    """That end as the seat sees it that acted last."""


class Plan(NamedTuple):
    """The settings of a batch, for compiled code."""

    starts: Array
    """The rows of games before anything happens: one for each number of players, taken in turn by number of game."""
    seed: np.uint64
    stride: int
    """How much further the number of a lane's next game is; 0: no game follows."""
    seat: int
    """The learner's seat, or ``EVERYBODY``; anything below that: it moves on from game to game."""
    opponents: npt.NDArray[np.int8]
    """Their policies, in the order in which they sit behind the learner."""
    weights: npt.NDArray[np.float64]
    max_plies: int
    """A game is cut short when it has had this many actions, or ``max_steps`` of the caller."""
    max_steps: int


class Driver(Protocol):
    """What a game supplies to be driven: a module with these constants and functions, most of them compiled."""

    ROW_SIZE: int
    ROW_TYPE: type[np.signedinteger[Any]]
    MAX_SEATS: int
    PLAYER_ACTIONS: int
    SEEN_SIZE: int
    PLAYERS: int
    """Places in a row: the number of players, who acts (a seat, ``CHANCE`` or ``NOBODY``), and the score by seat."""
    ACTOR: int
    SCORES: int
    POLICIES: Mapping[str, int]
    """The bots that are compiled, ``random`` among them, and the numbers of their policies."""

    def new_scratch(self) -> Any:
        """New scratch arrays for :meth:`tools`; two threads must not share them."""

    def own_scratch(self) -> Any:
        """The scratch arrays of this thread."""

    def tools(self, bots: Collection[str], scratch: Any, /) -> Any:
        """What ``choose`` works with where these bots play: tables and scratch arrays.

        Compiled code gets ``None`` instead where no bot is to choose, and then has no code for choosing.
        """

    def act(self, row: Array, action: int, /) -> None:
        """Do an action, of a player or of chance."""

    def draw(self, row: Array, words: Words, lane: int, /) -> int:
        """An action of chance, where chance is to act."""

    def random_action(self, row: Array, words: Words, lane: int, /) -> int:
        """What the bot ``random`` does."""

    def choose(self, row: Array, policy: int, tools: Any, words: Words, lane: int, /) -> int:
        """What a bot does."""

    def mark_legal(self, row: Array, mask: Array, lane: int, /) -> None:
        """Write 1 for each legal action of the player to act into this line of the mask, 0 for the others."""

    def observe(self, row: Array, seat: int, seen: Array, /) -> None:
        """Write what a seat sees."""

    def changes_scores(self, action: int, /) -> bool:
        """Whether a player's action, with the draws that follow it, can change scores."""

    def stands_before(self, row: Array, seat: int, other: int, /) -> bool:
        """Whether a seat has done better than another, at the end."""

    KINDS: int
    KIND_OF: Numbers
    """The kind of every action of a player, by number."""
    RESULT_SIZE: int
    """How many numbers a whole game leaves. Scores come first (by ``MAX_SEATS``), then the winners, as bits, plies
    and decisions, whether it was cut short, then ``Game.columns`` (those by seat by ``MAX_SEATS``), and last the
    actions."""
    RESULT_ACTIONS: int
    """``+ KINDS * seat + kind``: how often a seat did an action of that kind."""
    SETUP_DRAWS: int
    """How many draws a game begins with."""
    ONE_DRAW: bool
    """Whether at most one draw follows an action."""
    RANDOM_AT_ONCE: int
    """With ``ONE_DRAW``: see :func:`play_game`."""

    def begin(self, row: Array, out: Array, /) -> None:
        """Note what is wanted of the start, after the first draws."""

    def end(self, row: Array, out: Array, /) -> None:
        """Write down the game's own columns, at its end."""


game: Driver = cast("Driver", None)
"""The game that templates are compiled for: see :func:`serai.lab.jit.bind`."""


@cache
def driver_of(module: Any) -> Any:
    """The templates below, compiled for the game whose :class:`Driver` this module is."""
    return bind(sys.modules[__name__], module)


# -- a step ------------------------------------------------------------------------------------------------------------


@template(lean)
def step(buffers: Buffers, first: int, last: int, actions: Numbers, plan: Plan, tools: Any) -> None:
    """Advance the lanes from ``first`` to before ``last`` and show the result.

    A block of lanes at a time: what has just been written is slow to read at once.
    """
    for block in range(first, last, BLOCK):
        end = min(block + BLOCK, last)
        rows = buffers.rows[block:end]
        advance(buffers, rows, block, end, actions, plan, tools)
        show(buffers, rows, block, end)


@template(lean)
def advance(buffers: Buffers, rows: Array, first: int, last: int, actions: Numbers, plan: Plan, tools: Any) -> None:
    """In each lane do an action, or what stands for one, and all that follows until the caller is to act again."""
    for lane in range(first, last):
        row = rows[lane - first]
        action = actions[lane]
        if action == DEAL:
            deal(buffers, row, lane, plan)
            action = RESUME
        if answer(buffers, row, lane, action, plan, tools):
            renew(buffers, row, lane, plan, tools)


@template(lean)
def deal(buffers: Buffers, row: Array, lane: int, plan: Plan) -> None:
    """Set up the lane's game."""
    number = buffers.games[lane]
    buffers.words[lane] = seed_of(plan.seed, np.uint64(number))
    buffers.bots[lane] = seed_of(~plan.seed, np.uint64(number))
    start = number % len(plan.starts)
    for place in range(game.ROW_SIZE):
        row[place] = plan.starts[start, place]
    for _ in range(game.SETUP_DRAWS):
        game.act(row, game.draw(row, buffers.words, lane))
    buffers.plies[lane] = game.SETUP_DRAWS
    buffers.steps[lane] = 0
    buffers.learners[lane] = learner_of(plan, number, row[game.PLAYERS])
    for seat in range(game.MAX_SEATS):
        buffers.scores[lane, seat] = row[game.SCORES + seat]


@template(inlined)
def answer(buffers: Buffers, row: Array, lane: int, action: int, plan: Plan, tools: Any) -> bool:
    """Do an action, or resume, and let opponents act; return whether the game is over, or too long."""
    if action == LEAVE:
        return False
    if action != RESUME:
        if row[game.ACTOR] == NOBODY:
            open_account(buffers, lane, NOBODY)
            return False
        open_account(buffers, lane, row[game.ACTOR])
        buffers.plies[lane] += act_and_draw(row, buffers.words, lane, action)
        buffers.steps[lane] += 1
    if tools is not None:
        play_opponents(buffers, row, lane, plan, tools)
    over: bool = row[game.ACTOR] == NOBODY
    if (action > LEAVE or over) and (tools is not None or game.changes_scores(action)):
        pay(buffers, lane, row, game.SCORES, row[game.PLAYERS], plan.weights)
    return over or buffers.plies[lane] >= plan.max_plies or buffers.steps[lane] >= plan.max_steps


@template(lean)
def renew(buffers: Buffers, row: Array, lane: int, plan: Plan, tools: Any) -> None:
    """Write down the result of the lane's game, and begin the next one if there is to be one.

    A game that opponents bring to its end before the learner's first turn is passed over.
    """
    finish(buffers, row, lane, plan)
    while plan.stride > 0 and row[game.ACTOR] == NOBODY:
        buffers.games[lane] += plan.stride
        deal(buffers, row, lane, plan)
        if tools is not None:
            play_opponents(buffers, row, lane, plan, tools)


@template(lean)
def play_opponents(buffers: Buffers, row: Array, lane: int, plan: Plan, tools: Any) -> None:
    """Let the opponents act until it is the learner's turn, or the end."""
    learner = buffers.learners[lane]
    while row[game.ACTOR] >= 0 and row[game.ACTOR] != learner:
        policy = policy_of(plan, learner, row[game.ACTOR], row[game.PLAYERS])
        action = game.choose(row, policy, tools, buffers.bots, lane)
        buffers.plies[lane] += act_and_draw(row, buffers.words, lane, action)


@template(lean)
def act_and_draw(row: Array, words: Words, lane: int, action: int) -> int:
    """Do a player's action and the draws that follow it; return how many actions that were."""
    game.act(row, action)
    plies = 1
    if game.ONE_DRAW:
        if row[game.ACTOR] == CHANCE:
            game.act(row, game.draw(row, words, lane))
            plies += 1
    else:
        while row[game.ACTOR] == CHANCE:
            game.act(row, game.draw(row, words, lane))
            plies += 1
    return plies


@template(lean)
def finish(buffers: Buffers, row: Array, lane: int, plan: Plan) -> None:
    """Write down the result of the game in this lane. One that is not over is cut short: it counts as it stands."""
    truncated = row[game.ACTOR] != NOBODY
    buffers.finished[lane] = 1
    buffers.truncated[lane] = truncated
    players = row[game.PLAYERS]
    for seat in range(game.MAX_SEATS):
        buffers.results[lane, seat] = row[game.SCORES + seat]
        buffers.shares[lane, seat] = 0.0
    for seat in range(players):
        better, equal = 0, 0
        for other in range(players):
            before = game.stands_before(row, other, seat)
            better += before
            equal += not before and not game.stands_before(row, seat, other)
        buffers.shares[lane, seat] = 1.0 / equal if better == 0 else 0.0
        if not truncated:
            settle(buffers, lane, seat, better, equal, players, plan)
    for place in range(game.ROW_SIZE):
        buffers.last_rows[lane, place] = row[place]
    witness = buffers.acted[lane] if buffers.acted[lane] >= 0 else buffers.learners[lane]
    game.observe(row, witness, buffers.last_observations[lane])
    row[game.ACTOR] = NOBODY


@template(lean)
def show(buffers: Buffers, rows: Array, first: int, last: int) -> None:
    """Write down who acts, what is legal and what the actor sees."""
    for lane in range(first, last):
        show_lane(rows[lane - first], lane, buffers.actors, buffers.mask, buffers.observations)


@template(inlined)
def show_lane(row: Array, lane: int, actors: Array, mask: Array, observations: Array) -> None:
    """The same for one lane."""
    actors[lane] = row[game.ACTOR]
    game.mark_legal(row, mask, lane)
    game.observe(row, max(row[game.ACTOR], 0), observations[lane])


@template(lean)
def observe_all(rows: Array, first: int, last: int, seats: Numbers, out: Array) -> None:
    """Write what a seat of each of these lanes sees."""
    for lane in range(first, last):
        game.observe(rows[lane], seats[lane], out[lane])


@template(lean)
def random_actions(rows: Array, first: int, last: int, words: Words, out: Numbers) -> None:
    """Write what the bot ``random`` would do in each of these lanes."""
    for lane in range(first, last):
        if rows[lane, game.ACTOR] >= 0:
            out[lane] = game.random_action(rows[lane], words, lane)


# -- whole games -------------------------------------------------------------------------------------------------------


@template(compiled)
def play_games(
    seed: np.uint64,
    first: int,
    paired: int,
    start: Array,
    policies: Policies,
    tools: Any,
    max_plies: int,
    log: Log,
    out: Out,
) -> None:
    """Play one game per line of ``out``, beginning with the number ``first``.

    ``policies[k]`` holds the policy of every seat for games whose number leaves the remainder k, so that bots may
    change seats from game to game. ``paired`` games in a row have the same draws. A game that has had ``max_plies``
    actions is cut short. The last game is written down in ``log`` as far as there is room.
    """
    row = np.empty_like(start)
    words = np.empty(2, np.uint64)
    for line in range(len(out)):
        begin_game(row, words, start, seed, first + line, paired)
        play_game(row, words, policies[(first + line) % len(policies)], tools, max_plies, log, out[line])


@template(inlined)
def begin_game(row: Array, words: Words, start: Array, seed: np.uint64, number: int, paired: int) -> None:
    """Set up the game of this number."""
    for place in range(game.ROW_SIZE):
        row[place] = start[place]
    words[DRAWS] = seed_of(seed, np.uint64(number // paired))
    words[BOTS] = seed_of(~seed, np.uint64(number))


@template(lean)
def play_game(row: Array, words: Words, policies: Policies, tools: Any, max_plies: int, log: Log, out: Out) -> None:
    """Play the game that was set up in the row to its end, or to ``max_plies``, and write the result into ``out``.

    On a GPU neighbouring games go through the loop together, and wait for each other wherever they do different things.
    With ``ONE_DRAW`` a turn of the loop is a decision, or up to ``RANDOM_AT_ONCE`` of them where only ``random`` plays,
    and the draw that may follow; otherwise it is one ply, of a player or of chance.
    """
    for place in range(game.RESULT_ACTIONS, game.RESULT_SIZE):
        out[place] = 0
    plies = 0
    for _ in range(game.SETUP_DRAWS):
        plies = act_and_log(row, game.draw(row, words, DRAWS), log, plies)
    game.begin(row, out)
    draws = plies
    at_once = 1 if tools is not None else game.RANDOM_AT_ONCE
    while row[game.ACTOR] != NOBODY and (plies < max_plies or row[game.ACTOR] == CHANCE):
        for _ in range(at_once):
            seat = row[game.ACTOR]
            if not game.ONE_DRAW and seat == CHANCE:
                action = game.draw(row, words, DRAWS)
                draws += 1
            elif tools is None:  # known while compiling: the rest is left out for games of random alone
                action = game.random_action(row, words, BOTS)
            else:
                action = game.choose(row, policies[seat], tools, words, BOTS)
            if game.ONE_DRAW or seat >= 0:
                out[game.RESULT_ACTIONS + game.KINDS * seat + game.KIND_OF[action]] += 1
            plies = act_and_log(row, action, log, plies)
            if game.ONE_DRAW and (row[game.ACTOR] == CHANCE or plies >= max_plies):
                break
        if game.ONE_DRAW and row[game.ACTOR] == CHANCE:
            plies = act_and_log(row, game.draw(row, words, DRAWS), log, plies)
            draws += 1
    for seat in range(game.MAX_SEATS):
        out[seat] = row[game.SCORES + seat]
    out[game.MAX_SEATS + WINNERS] = winners(row)
    out[game.MAX_SEATS + PLIES] = plies
    out[game.MAX_SEATS + DECISIONS] = plies - draws
    out[game.MAX_SEATS + TRUNCATED] = row[game.ACTOR] != NOBODY
    game.end(row, out)


@template(lean)
def winners(row: Array) -> int:
    """The seats that nobody stands before, as bits."""
    won = 0
    for seat in range(row[game.PLAYERS]):
        ahead = 0
        for other in range(row[game.PLAYERS]):
            ahead += game.stands_before(row, other, seat)
        if ahead == 0:
            won |= 1 << seat
    return won


@template(inlined)
def act_and_log(row: Array, action: int, log: Log, plies: int) -> int:
    """Do an action and write it down as far as there is room; return how many were done."""
    game.act(row, action)
    if plies < len(log):
        log[plies] = action
    return plies + 1


# -- the same for every game -------------------------------------------------------------------------------------------


@inlined
def learner_of(plan: Plan, game: int, players: int) -> int:
    """The learner's seat in this game: in turn for each number of players, so that all come to all seats."""
    return plan.seat if plan.seat >= EVERYBODY else int(game // len(plan.starts) % players)


@inlined
def policy_of(plan: Plan, learner: int, seat: int, players: int) -> int:
    """The policy of the opponent on this seat."""
    behind = seat - learner - 1
    return int(plan.opponents[behind if behind >= 0 else behind + players])


@inlined
def open_account(buffers: Buffers, lane: int, seat: int) -> None:
    """Before a step: no rewards yet, and those that this seat has gathered are cleared."""
    running = 1.0 - buffers.finished[lane]
    for other in range(buffers.rewards.shape[1]):
        buffers.rewards[lane, other] = 0.0
        buffers.gathered[lane, other] *= running if other != seat else 0.0
    buffers.finished[lane] = 0
    buffers.truncated[lane] = 0
    buffers.acted[lane] = seat


@inlined
def pay(buffers: Buffers, lane: int, row: Array, base: int, players: int, weights: npt.NDArray[np.float64]) -> None:
    """After a step: reward changes of the scores, which are in the row from ``base`` on."""
    total = 0
    for seat in range(players):
        total += row[base + seat] - buffers.scores[lane, seat]
    average = total / players
    for seat in range(players):
        change = row[base + seat] - buffers.scores[lane, seat]
        reward = weights[SCORE] * change + weights[LEAD] * (change - average)
        buffers.rewards[lane, seat] += reward
        buffers.gathered[lane, seat] += reward
        buffers.scores[lane, seat] = row[base + seat]


@lean
def settle(buffers: Buffers, lane: int, seat: int, better: int, equal: int, players: int, plan: Plan) -> None:
    """At the end: reward a seat, given how many did better and how many equally well, itself included."""
    rank = 1.0 - (2 * better + equal - 1) / (players - 1)
    reward = plan.weights[WIN] * buffers.shares[lane, seat] + plan.weights[RANK] * rank
    buffers.rewards[lane, seat] += reward
    buffers.gathered[lane, seat] += reward


@lean
def first_illegal(actors: npt.NDArray[np.int8], mask: npt.NDArray[np.uint8], actions: Numbers) -> int:
    """The first lane with an action that its mask does not allow; -1 if there is none."""
    most = mask.shape[1]
    for lane in range(len(actions)):
        action = actions[lane]
        if actors[lane] != NOBODY and not (0 <= action < most and mask[lane, action]):
            return lane
    return -1
