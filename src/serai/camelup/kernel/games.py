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
from serai.camelup.kernel.rules import act, drawn_die, random_action, set_up
from serai.core.jit import compiled
from serai.core.splitmix import seed_of

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

Results = npt.NDArray[np.int32]
Log = npt.NDArray[np.int16]

_DICE, _BOTS = 0, 1
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
    players = policies.shape[1]
    row = np.empty(ROW_SIZE, np.int16)
    words = np.empty(2, np.uint64)
    start = np.empty(CAMEL_COUNT, np.int16)
    for line in range(len(out)):
        game = first_game + line
        policy = policies[game % len(policies)]
        words[_DICE] = seed_of(seed, np.uint64(game // paired))
        words[_BOTS] = seed_of(~seed, np.uint64(game))
        set_up(row, players, first, hide_money)
        plies = 0
        draws = 0
        for place in range(RESULT_ACTIONS, RESULT_SIZE):
            out[line, place] = 0
        while row[ACTOR] != NOBODY_ACTS:
            seat = row[ACTOR]
            if row[ACTOR] == CHANCE_ACTS:
                action = drawn_die(row, words, _DICE)
                draws += 1
                if draws == CAMEL_COUNT + 1:
                    for place in range(CAMEL_COUNT):
                        start[place] = row[ORDER + place]
            elif known is None:  # while compiling already: the rest is left out for games of random alone
                action = random_action(row, words, _BOTS)
            else:
                action = choose(row, policy[row[ACTOR]], known.table, known.lines, room, words, _BOTS)
            if seat >= 0:
                out[line, RESULT_ACTIONS + KINDS * seat + _KIND_OF[action]] += 1
            act(row, action)
            if plies < len(log):
                log[plies] = action
            plies += 1
        for seat in range(MAX_SEATS):
            out[line, RESULT_MONEY + seat] = row[MONEY + seat]
        out[line, RESULT_LEGS] = row[LEG]
        out[line, RESULT_FIRST] = row[ORDER + CAMEL_COUNT - 1]
        out[line, RESULT_LAST] = row[ORDER]
        out[line, RESULT_PLIES] = plies
        out[line, RESULT_DECISIONS] = plies - draws
        for place in range(CAMEL_COUNT):
            if start[place] == row[ORDER + CAMEL_COUNT - 1]:
                out[line, RESULT_START] = CAMEL_COUNT - place
