"""Whole games of Das Gold des Pharao between compiled bots: one number per game decides its chance."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.core.jit import compiled
from serai.core.splitmix import seed_of
from serai.pharaoh.kernel.layout import (
    ACTOR,
    ARCHAEOLOGIST,
    CHANCE_ACTS,
    HELPER,
    MASK_CHAMBER,
    MAX_SEATS,
    MUSEUM,
    NOBODY_ACTS,
    PHOTO_OWNER,
    PLAYERS,
    POINTS,
    ROW_SIZE,
)
from serai.pharaoh.kernel.policies import choose
from serai.pharaoh.kernel.rules import act, drawn_piece, random_action, set_up, winners
from serai.pharaoh.kernel.steps import Desk
from serai.pharaoh.kernel.tempers import Tempers
from serai.pharaoh.kernel.ways import Row
from serai.pharaoh.pieces import NOWHERE, PHOTOS

_PHOTO_COUNT: Final = len(PHOTOS)
_CHANCE, _BOTS = 0, 1
"""Two generators, so that the n-th draw of a game is the same whatever the bots do."""

# -- what is kept of each game -----------------------------------------------------------------------------------------

RESULT_POINTS: Final = 0
"""By seat."""
RESULT_WINNERS: Final = MAX_SEATS
"""As bits."""
RESULT_PLIES: Final = RESULT_WINNERS + 1
RESULT_DECISIONS: Final = RESULT_PLIES + 1
RESULT_CHAMBERS: Final = RESULT_DECISIONS + 1
RESULT_LOST: Final = RESULT_CHAMBERS + 1
"""Figures of all players."""
RESULT_MASK_FOUND: Final = RESULT_LOST + 1
RESULT_MASK_HOME: Final = RESULT_MASK_FOUND + 1
RESULT_SIZE: Final = RESULT_MASK_HOME + 1


@compiled
def play_games(
    seed: np.uint64,
    first_game: int,
    paired: int,
    options: Row,
    wild: npt.NDArray[np.uint8],
    tempers: Tempers | None,
    desk: Desk,
    log: npt.NDArray[np.int16],
    out: npt.NDArray[np.int32],
) -> None:
    """Play one game per line of ``out``. The last one is written down in ``log`` as far as there is room.

    ``wild[k]`` says for every seat whether it plays as ``random``, and ``tempers[k]`` what it cares for otherwise, in
    games whose number leaves the remainder k, so that bots may change seats from game to game. So many games in a row
    (``paired``, or 1) have the same chance. Without ``tempers`` all play as ``random``.
    """
    row = np.empty(ROW_SIZE, np.int64)
    words = np.empty(2, np.uint64)
    for line in range(len(out)):
        game = first_game + line
        turn = game % len(wild)
        words[_CHANCE] = seed_of(seed, np.uint64(game // paired))
        words[_BOTS] = seed_of(~seed, np.uint64(game))
        set_up(row, options)
        plies = 0
        draws = 0
        while row[ACTOR] != NOBODY_ACTS:
            if row[ACTOR] == CHANCE_ACTS:
                action = drawn_piece(row, words, _CHANCE)
                draws += 1
            elif tempers is None:  # noqa: SIM114 (known while compiling: the rest is left out for games of random alone)
                action = random_action(row, words, _BOTS)
            elif wild[turn, row[ACTOR]]:
                action = random_action(row, words, _BOTS)
            else:
                action = choose(row, tempers[turn, row[ACTOR]], desk, words, _BOTS)
            act(row, action)
            if plies < len(log):
                log[plies] = action
            plies += 1
        out[line, RESULT_PLIES] = plies
        out[line, RESULT_DECISIONS] = plies - draws
        _count(row, out[line])


@compiled
def _count(row: Row, out: npt.NDArray[np.int32]) -> None:
    """Write down what a game came to."""
    out[RESULT_WINNERS] = winners(row)
    out[RESULT_MASK_FOUND] = row[MASK_CHAMBER] != NOWHERE
    out[RESULT_CHAMBERS] = out[RESULT_LOST] = out[RESULT_MASK_HOME] = 0
    for photo in range(_PHOTO_COUNT):
        out[RESULT_CHAMBERS] += row[PHOTO_OWNER + photo] != NOWHERE
    for seat in range(MAX_SEATS):
        out[RESULT_POINTS + seat] = row[POINTS + seat]
    for seat in range(row[PLAYERS]):
        out[RESULT_LOST] += (row[ARCHAEOLOGIST + seat] == NOWHERE) + (row[HELPER + seat] == NOWHERE)
        out[RESULT_MASK_HOME] |= row[MUSEUM + 3 * seat + 2]
