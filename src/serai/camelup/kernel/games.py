"""Whole Camel Up games between compiled bots: one number per game decides its chance, and nothing else does.

As in the rest of the compiled code, arrays are gone through one by one: slices would cost seconds of compiling.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.choose import Knowledge, choose
from serai.camelup.kernel.layout import (
    ACTOR,
    CAMEL_COUNT,
    CHANCE_ACTS,
    LEG,
    LEG_ACTION,
    LOSER_ACTION,
    MAX_SEATS,
    MIRAGE_ACTION,
    MONEY,
    NOBODY_ACTS,
    OASIS_ACTION,
    ORDER,
    PLAYER_ACTIONS,
    ROLL_ACTION,
    ROW_SIZE,
    WINNER_ACTION,
)
from serai.camelup.kernel.policies import ChoiceRoom
from serai.camelup.kernel.rules import Row, act, drawn_die, random_action, set_up
from serai.camelup.kernel.sight import Lines
from serai.camelup.odds.race_table import RaceTable
from serai.core.jit import compiled, inlined, lean
from serai.core.splitmix import Words, seed_of

# -- what is kept of each game -----------------------------------------------------------------------------------------

RESULT_MONEY = 0
"""By seat."""
RESULT_LEGS = MAX_SEATS
RESULT_PLIES = RESULT_LEGS + 1
RESULT_DECISIONS = RESULT_PLIES + 1
RESULT_START = RESULT_DECISIONS + 1
"""The place, from 1, in which the later winner among the camels stood when the race began."""
RESULT_FIRST = RESULT_START + 1
"""The camel that won the race, and the one that lost it."""
RESULT_LAST = RESULT_FIRST + 1
RESULT_ACTIONS = RESULT_LAST + 1
"""``+ KINDS * seat + kind``: how often that seat did so."""
_FIRST_OF_KIND: Final = (LEG_ACTION, OASIS_ACTION, MIRAGE_ACTION, ROLL_ACTION, WINNER_ACTION, LOSER_ACTION)
KINDS: Final = len(_FIRST_OF_KIND)
RESULT_SIZE = RESULT_ACTIONS + KINDS * MAX_SEATS

_KIND_OF: Final = np.searchsorted(_FIRST_OF_KIND, np.arange(PLAYER_ACTIONS), side="right") - 1
"""The kind of every action of a player, by number."""

_RANDOM_AT_ONCE: Final = 4
"""``random`` throws with one decision in six, which takes less time than a throw."""

Results = npt.NDArray[np.int32]
Log = npt.NDArray[np.int16]

DICE, BOTS = 0, 1
"""Two generators, so that the n-th die of a game is the same whatever the bots do."""


@compiled
def play_games(
    seed: np.uint64,
    first_game: int,
    paired: int,
    policies: npt.NDArray[np.int8],
    first: int,
    hide_money: int,
    known: Knowledge | None,
    room: ChoiceRoom,
    log: Log,
    out: Results,
) -> None:
    """Play one game per line of ``out``. The last one is written down in ``log`` as far as there is room.

    ``policies[k]`` holds the policy of every seat for games whose number leaves the remainder k, so that bots may
    change seats from game to game. So many games in a row (``paired``, or 1) have the same dice. Without knowledge
    all play as ``random``.
    """
    row = np.empty(ROW_SIZE, np.int16)
    words = np.empty(2, np.uint64)
    start = np.empty(CAMEL_COUNT, np.int16)
    for line in range(len(out)):
        game = first_game + line
        words[DICE] = seed_of(seed, np.uint64(game // paired))
        words[BOTS] = seed_of(~seed, np.uint64(game))
        set_up(row, policies.shape[1], first, hide_money)
        if known is None:
            play_game(row, words, policies[game % len(policies)], None, None, room, start, log, out[line])
        else:
            play_game(row, words, policies[game % len(policies)], known.table, known.lines, room, start, log, out[line])


@lean
def play_game(
    row: Row,
    words: Words,
    policy: npt.NDArray[np.int8],
    table: RaceTable | None,
    lines: Lines | None,
    room: ChoiceRoom,
    start: Row,
    log: Log,
    out: Results,
) -> None:
    """Play the game that was set up in the row, and write down in ``out`` what it came to.

    Some decisions, and the die that may follow them, are one turn of the loop: on a GPU neighbouring games go through
    it together, and where few of them throw, the others would wait each time.
    """
    plies = 0
    for place in range(RESULT_ACTIONS, RESULT_SIZE):
        out[place] = 0
    for _ in range(CAMEL_COUNT):
        plies = _do(row, drawn_die(row, words, DICE), log, plies)
    for place in range(CAMEL_COUNT):
        start[place] = row[ORDER + place]
    decisions = 0
    at_once = 1 if table is not None else _RANDOM_AT_ONCE
    while row[ACTOR] != NOBODY_ACTS:
        for _ in range(at_once):
            seat = row[ACTOR]
            if table is None:  # while compiling already: the rest is left out for games of random alone
                action = random_action(row, words, BOTS)
            else:
                action = choose(row, policy[seat], table, lines, room, words, BOTS)
            out[RESULT_ACTIONS + KINDS * seat + _KIND_OF[action]] += 1
            decisions += 1
            plies = _do(row, action, log, plies)
            if row[ACTOR] == CHANCE_ACTS:
                break
        if row[ACTOR] == CHANCE_ACTS:
            plies = _do(row, drawn_die(row, words, DICE), log, plies)
    for seat in range(MAX_SEATS):
        out[RESULT_MONEY + seat] = row[MONEY + seat]
    out[RESULT_LEGS] = row[LEG]
    out[RESULT_FIRST] = row[ORDER + CAMEL_COUNT - 1]
    out[RESULT_LAST] = row[ORDER]
    out[RESULT_PLIES] = plies
    out[RESULT_DECISIONS] = decisions
    for place in range(CAMEL_COUNT):
        if start[place] == row[ORDER + CAMEL_COUNT - 1]:
            out[RESULT_START] = CAMEL_COUNT - place


@inlined
def _do(row: Row, action: int, log: Log, plies: int) -> int:
    """Do an action and write it down as far as there is room; so many were done then."""
    act(row, action)
    if plies < len(log):
        log[plies] = action
    return plies + 1
