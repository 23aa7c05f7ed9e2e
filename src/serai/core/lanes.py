"""What compiled code knows of a batch: its arrays, what it was told to do, and what is the same in every game.

No game is known here: each has a module ``lanes`` (:class:`serai.core.batch.Lanes`) that fills the arrays.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.core.jit import inlined, lean

Array = npt.NDArray[Any]
Numbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

NOBODY: Final = -2
"""Instead of a seat: nobody acts, or nobody acted."""
EVERYBODY: Final = -1
"""Instead of the learner's seat: the caller acts for every seat."""

DEAL: Final = -1
"""Instead of an action: begin the game that the lane's number means."""
RESUME: Final = -2
"""Instead of an action: go on from the row that was put into the lane."""
BLOCK: Final = 64
"""So many lanes are advanced before what came of it is shown."""

SCORE: Final = 0
"""Places of the weights: a reward is a sum of these four, weighed. The change of the score, in pounds or points."""
LEAD: Final = 1
"""By how much that is more than the average over the table."""
WIN: Final = 2
"""At the end: the share of the victory, between 0 and 1."""
RANK: Final = 3
"""At the end: from 1 for the first to -1 for the last, equal for who stands equal."""
KINDS_OF_REWARD: Final = 4


class Buffers(NamedTuple):
    """The arrays of a batch, owned by the caller; one lane per line."""

    rows: Array
    """The games themselves, ``[lanes, ROW_SIZE]``. They show everything: for tests and searching, not for players."""
    words: Words
    """The state of each game's chance."""
    bots: Words
    """The state of the opponents' own chance."""
    games: Numbers
    """The number of the game in each lane."""
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
    """What the last step brought each seat, ``[lanes, MAX_SEATS]``."""
    gathered: npt.NDArray[np.float32]
    """The rewards of each seat since its own last action, that one's included; after the end of a game they stand
    until the next step."""
    scores: npt.NDArray[np.int16]
    """The scores that rewards have been counted for, by seat."""
    finished: npt.NDArray[np.uint8]
    """1 where the last step ended a game."""
    results: npt.NDArray[np.int16]
    """The scores at the end of the last finished game of each lane, by seat."""
    shares: npt.NDArray[np.float32]
    """Each seat's share of the victory in that game."""
    last_rows: Array
    """That game at its end."""
    last_observations: Array
    """What whoever acted last saw of that end."""


class Plan(NamedTuple):
    """What a batch was told to do, for compiled code."""

    starts: Array
    """The rows of games before anything happens: one for each number of players, taken in turn by number of game."""
    seed: np.uint64
    stride: int
    """How much further the number of a lane's next game is; 0: no game follows."""
    seat: int
    """The learner's, or ``EVERYBODY``; what is below that stands for one that moves on from game to game."""
    opponents: npt.NDArray[np.int8]
    """Their policies, in the order in which they sit behind the learner."""
    weights: npt.NDArray[np.float64]


class Shape(NamedTuple):
    """What the arrays of a game are like."""

    row_size: int
    row_type: type[np.signedinteger[Any]]
    actions: int
    seen_size: int
    seats: int


@inlined
def start_of(plan: Plan, game: int) -> int:
    """Which of the rows this game starts from."""
    return int(game % len(plan.starts))


@inlined
def learner_of(plan: Plan, game: int, players: int) -> int:
    """The learner's seat in this game: in turn for each number of players, so that all come to all seats."""
    return plan.seat if plan.seat >= EVERYBODY else int(game // len(plan.starts) % players)


@inlined
def policy_of(plan: Plan, learner: int, seat: int, players: int) -> int:
    """How the opponent on this seat plays."""
    behind = seat - learner - 1
    return int(plan.opponents[behind if behind >= 0 else behind + players])


@inlined
def open_account(buffers: Buffers, lane: int, seat: int) -> None:
    """Before a step: nothing has come yet; what the seat gathered it has been told."""
    kept = 1.0 - buffers.finished[lane]
    for other in range(buffers.rewards.shape[1]):
        buffers.rewards[lane, other] = 0.0
        buffers.gathered[lane, other] *= kept if other != seat else 0.0
    buffers.finished[lane] = 0
    buffers.acted[lane] = seat


@inlined
def pay(buffers: Buffers, lane: int, row: Array, base: int, players: int, weights: npt.NDArray[np.float64]) -> None:
    """After a step: reward what the scores, which stand in the row from ``base`` on, have changed by."""
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
    """At the end: so many stand better than a seat, so many equal, itself included."""
    share = 1.0 / equal if better == 0 else 0.0
    rank = 1.0 - (2 * better + equal - 1) / (players - 1)
    reward = plan.weights[WIN] * share + plan.weights[RANK] * rank
    buffers.shares[lane, seat] = share
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
