"""Rollouts: play on from a view after each of some actions, by compiled players."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from serai.core.rollouts import HABIT, Habit
from serai.errors import SeraiError
from serai.lab.jit import compiled
from serai.lab.rng import Words, count, seed_of
from serai.lab.rollouts import ArrayPlayouts, check_actions
from serai.pharaoh.kernel import layout as at
from serai.pharaoh.kernel.bridge import NUMBERS, to_row
from serai.pharaoh.kernel.legal import Row, falling
from serai.pharaoh.kernel.rules import act, drawn_piece, winners
from serai.pharaoh.parts import CARRIED_PART, FOLLOWED, NEXT_PLACE, PARTS
from serai.pharaoh.policy.decide import decide
from serai.pharaoh.policy.parts import (
    NO_PARTS,
    AllParts,
    Origins,
    Parts,
    count_action,
    count_end,
    count_standing,
)
from serai.pharaoh.policy.scratch import Scratch, own_scratch
from serai.pharaoh.policy.styles import EVEN, SEASONED, STYLES, Styles, mixed_tables, one_style
from serai.pharaoh.policy.value import FEATURES, Table, chances
from serai.pharaoh.rules.actions import AnyAction
from serai.pharaoh.rules.pieces import MOVES
from serai.pharaoh.rules.rules import PharaohState

ROUNDS: Final = 5
"""Rounds after which the fitted value says who wins, unless a policy is asked to play to the end."""
EARLY: Final = 0.01
"""How much more a point counts for each round that it comes sooner, where the fitted value says who wins."""
VALUE: Final = Path(__file__).parents[1] / "data" / "value.json"
_TO_THE_END: Final = 1 << 40

_NOTHING_FIRST: Final = -1
"""Instead of a first action: the player to act decides at once."""
_UNWAITING_FIRST: Final = -2
"""The same, but the player to act does not wait in a standoff."""
_FIRST: Final = {None: _NOTHING_FIRST, HABIT: _UNWAITING_FIRST}

Shares = npt.NDArray[np.float32]


def rollouts(
    view: PharaohState,
    actions: Sequence[AnyAction | Habit | None],
    n: int,
    *,
    policy: str,
    seed: int,
    first: int,
    threads: int,
    standoff: bool = False,
    parts: bool = False,
) -> ArrayPlayouts:
    """Play on ``n`` times after each action; see :meth:`serai.core.Game.rollouts`.

    In a ``standoff`` all players wait until somebody finds or takes something, except the one whose action is tried.
    With ``parts``, it is counted where the points come from.
    """
    actions = check_actions(actions, NUMBERS)
    players = view.players
    styles, rounds = _tables(policy, players)
    wins = np.empty((len(actions), n, players), np.float32)
    scores = np.empty_like(wins)
    counted = np.zeros((len(actions), n, players, PARTS), np.float32) if parts else NO_PARTS
    row = to_row(view)
    numbers = np.array([_FIRST.get(action) or NUMBERS[action] for action in actions], np.int64)

    def play(part: tuple[int, int]) -> None:
        _play_on(
            row,
            numbers,
            first,
            part,
            rounds * players,
            styles,
            standoff,
            _weights()[players],
            np.uint64(seed & (1 << 64) - 1),
            own_scratch(),
            wins,
            scores,
            counted,
        )

    if threads <= 1:
        play((0, n))
    else:
        cuts = [n * part // threads for part in range(threads + 1)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, pairwise(cuts)))
    return ArrayPlayouts(tuple(actions), wins, scores, counted if parts else None)


@cache
def _weights() -> dict[int, npt.NDArray[np.float64]]:
    """The fitted weights of :mod:`serai.pharaoh.policy.value` by number of players."""
    fitted = json.loads(VALUE.read_text(encoding="utf-8"))
    return {int(players): np.array(weights) for players, weights in fitted["weights"].items()}


@cache
def _tables(policy: str, players: int) -> tuple[Styles, int]:
    """The styles of those who play on, by table, seat and phase, and the number of rounds they play."""
    if policy == EVEN:
        return mixed_tables(players), ROUNDS
    if policy and policy not in STYLES:
        raise SeraiError(f"no rollout policy is called {policy!r}; policies: {', '.join((*STYLES, EVEN))}")
    return one_style(policy or SEASONED, players), _TO_THE_END if policy else ROUNDS


# -- compiled ----------------------------------------------------------------------------------------------------------


@compiled
def _play_on(
    start: Row,
    actions: npt.NDArray[np.int64],
    first: int,
    part: tuple[int, int],
    turns: int,
    styles: Styles,
    standoff: bool,
    weights: Table,
    seed: np.uint64,
    scratch: Scratch,
    wins: Shares,
    scores: Shares,
    parts: AllParts,
) -> None:
    """Play on after each action and fill a part of ``wins`` and ``scores``, which are by action, playout and seat.

    So are ``parts``, if there is room for them.

    Playouts are numbered from ``first``. Those of one number have the same chance for every action and the same table
    of players.
    """
    row = np.empty(at.ROW_SIZE, np.int64)
    words = np.empty(2, np.uint64)
    features, pull = np.empty((at.MAX_SEATS, FEATURES)), np.empty((at.MAX_SEATS, at.CELL_COUNT))
    shares, early = np.empty(at.MAX_SEATS), np.empty(at.MAX_SEATS)
    before, origins = np.empty(at.ROW_SIZE, np.int64), np.empty(at.MAX_SEATS, np.int64)
    nothing = np.empty((0, PARTS), np.float32)
    everybody = (1 << start[at.PLAYERS]) - 1 if standoff else 0
    for place in range(len(actions)):
        for playout in range(part[0], part[1]):
            number = first + playout
            words[0] = seed_of(seed, np.uint64(number))
            words[1] = ~words[0]
            for field in range(at.ROW_SIZE):
                row[field] = start[field]
            own = parts[place, playout] if len(parts) > 0 else nothing
            origins[:] = CARRIED_PART
            waiting = everybody
            if actions[place] != _NOTHING_FIRST:
                waiting &= ~(1 << start[at.TURN])
                if actions[place] != _UNWAITING_FIRST:
                    if len(own) > 0:
                        _act_counted(row, actions[place], before, origins, own)
                    else:
                        act(row, actions[place])
            table = styles[number % len(styles)]
            _run(row, start, table, waiting, turns, early, scratch, words, before, origins, own)
            if row[at.ACTOR] == at.NOBODY_ACTS:
                won = winners(row)
                for seat in range(row[at.PLAYERS]):
                    wins[place, playout, seat] = 1.0 / count(won) if won >> seat & 1 else 0.0
                if len(own) > 0:
                    count_end(row, own)
            else:
                scale = chances(row, early, weights, scratch, features, pull, shares)
                for seat in range(row[at.PLAYERS]):
                    wins[place, playout, seat] = shares[seat]
                if len(own) > 0:
                    count_standing(row, early, features, weights, scale, own)
            for seat in range(row[at.PLAYERS]):
                scores[place, playout, seat] = row[at.POINTS + seat]


@compiled
def _act_counted(row: Row, action: int, before: Row, origins: Origins, parts: Parts) -> None:
    """Do one action, and count what it brings."""
    for field in range(at.ROW_SIZE):
        before[field] = row[field]
    act(row, action)
    count_action(before, row, action, origins, parts)


@compiled
def _same_turn(row: Row, start: Row) -> bool:
    return bool(row[at.TURN] == start[at.TURN] and row[at.ROUND] == start[at.ROUND])


@compiled
def _run(
    row: Row,
    start: Row,
    styles: Styles,
    waiting: int,
    turns: int,
    early: Table,
    scratch: Scratch,
    words: Words,
    before: Row,
    origins: Origins,
    parts: Parts,
) -> None:
    """Play for this number of turns, and to the end if the pyramid falls by then.

    ``waiting`` has a bit for each seat that only ends its turn until something changes from the start. ``early``
    becomes what the points that each seat gains count more for having come before the last round.
    """
    turn, number = row[at.TURN], row[at.ROUND]
    followed, counting = 0, len(parts) > 0
    for seat in range(at.MAX_SEATS):
        early[seat] = 0.0
    while row[at.ACTOR] != at.NOBODY_ACTS:
        if row[at.ACTOR] == at.CHANCE_ACTS:
            action = drawn_piece(row, words, 0)
        elif waiting >> row[at.ACTOR] & 1 and row[at.MOVES_LEFT] == MOVES and _unchanged(row, start):
            action = at.END_ACTION
        else:
            found = 1 if falling(row) else 0
            action = decide(row, styles[row[at.ACTOR], found], scratch, words, 1)
            if counting and followed < FOLLOWED and _same_turn(row, start):
                parts[row[at.TURN], NEXT_PLACE + followed] = action + 1
                followed += 1
        if counting:
            _act_counted(row, action, before, origins, parts)
        else:
            act(row, action)
        if row[at.ROUND] != number:
            for seat in range(row[at.PLAYERS]):
                early[seat] += EARLY * (row[at.POINTS + seat] - start[at.POINTS + seat])
            number = row[at.ROUND]
        if row[at.TURN] != turn:
            turn = row[at.TURN]
            turns -= 1
            if turns <= 0 and not falling(row):
                return


@compiled
def _unchanged(row: Row, start: Row) -> bool:
    """Whether nothing has been found, taken or brought home, and nothing has begun to fall."""
    if falling(row):
        return False
    for seat in range(row[at.PLAYERS]):
        if row[at.CARRIED + seat] != start[at.CARRIED + seat]:
            return False
    return bool(row[at.DOWN] == start[at.DOWN])
