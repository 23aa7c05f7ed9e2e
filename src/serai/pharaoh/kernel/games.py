"""Whole games of Das Gold des Pharao between compiled bots: one number per game decides its chance."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.core.jit import compiled
from serai.core.splitmix import seed_of
from serai.pharaoh.kernel.layout import (
    ACTOR,
    ALL_CELLS,
    ARCHAEOLOGIST,
    ARCHAEOLOGIST_ACTION,
    CHANCE_ACTS,
    DROP_ACTION,
    END_ACTION,
    FALLEN,
    HELPER,
    HELPER_ACTION,
    LAMP_ACTION,
    LAY_ACTION,
    MASK_CHAMBER,
    MAX_SEATS,
    MUSEUM,
    NOBODY_ACTS,
    PHOTO_OWNER,
    PLAYER_ACTIONS,
    PLAYERS,
    POINTS,
    REVEAL_ACTION,
    ROUND,
    ROW_SIZE,
    START_CELL,
    STEAL_ACTION,
    TAKE_ACTION,
    TURN_ACTION,
    UNLAMP_ACTION,
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
RESULT_ROUNDS: Final = RESULT_MASK_HOME + 1
RESULT_COLLAPSED: Final = RESULT_ROUNDS + 1
"""Whether the pyramid has fallen in, rather than the rounds having run out."""
RESULT_PHOTOS: Final = RESULT_COLLAPSED + 1
"""By seat, as are the next three: photos, treasures of both values together, the mask, and figures lost."""
RESULT_TREASURES: Final = RESULT_PHOTOS + MAX_SEATS
RESULT_MASK: Final = RESULT_TREASURES + MAX_SEATS
RESULT_LOST_ARCHAEOLOGIST: Final = RESULT_MASK + MAX_SEATS
RESULT_LOST_HELPER: Final = RESULT_LOST_ARCHAEOLOGIST + MAX_SEATS
RESULT_ACTIONS: Final = RESULT_LOST_HELPER + MAX_SEATS
"""``+ KINDS * seat + kind``: how often that seat did so."""
_FIRST_OF_KIND: Final = (
    ARCHAEOLOGIST_ACTION,
    HELPER_ACTION,
    REVEAL_ACTION,
    LAY_ACTION,
    TURN_ACTION,
    LAMP_ACTION,
    UNLAMP_ACTION,
    TAKE_ACTION,
    DROP_ACTION,
    STEAL_ACTION,
    END_ACTION,
)
KINDS: Final = len(_FIRST_OF_KIND)
RESULT_SIZE: Final = RESULT_ACTIONS + KINDS * MAX_SEATS

_KIND_OF: Final = np.searchsorted(_FIRST_OF_KIND, np.arange(PLAYER_ACTIONS), side="right") - 1
"""The kind of every action of a player, by number."""


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
        for place in range(RESULT_ACTIONS, RESULT_SIZE):
            out[line, place] = 0
        while row[ACTOR] != NOBODY_ACTS:
            seat = row[ACTOR]
            if row[ACTOR] == CHANCE_ACTS:
                action = drawn_piece(row, words, _CHANCE)
                draws += 1
            elif tempers is None:  # noqa: SIM114 (known while compiling: the rest is left out for games of random alone)
                action = random_action(row, words, _BOTS)
            elif wild[turn, row[ACTOR]]:
                action = random_action(row, words, _BOTS)
            else:
                action = choose(row, tempers[turn, row[ACTOR]], desk, words, _BOTS)
            if seat >= 0:
                out[line, RESULT_ACTIONS + KINDS * seat + _KIND_OF[action]] += 1
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
    out[RESULT_ROUNDS] = row[ROUND]
    out[RESULT_COLLAPSED] = row[FALLEN] | 1 << row[START_CELL] == ALL_CELLS
    for seat in range(MAX_SEATS):
        out[RESULT_PHOTOS + seat] = 0
        out[RESULT_TREASURES + seat] = row[MUSEUM + 3 * seat] + row[MUSEUM + 3 * seat + 1]
        out[RESULT_MASK + seat] = row[MUSEUM + 3 * seat + 2]
        out[RESULT_LOST_ARCHAEOLOGIST + seat] = row[ARCHAEOLOGIST + seat] == NOWHERE
        out[RESULT_LOST_HELPER + seat] = row[HELPER + seat] == NOWHERE
    for photo in range(_PHOTO_COUNT):
        if row[PHOTO_OWNER + photo] != NOWHERE:
            out[RESULT_PHOTOS + row[PHOTO_OWNER + photo]] += 1
    for seat in range(row[PLAYERS]):
        out[RESULT_LOST] += (row[ARCHAEOLOGIST + seat] == NOWHERE) + (row[HELPER + seat] == NOWHERE)
        out[RESULT_MASK_HOME] |= row[MUSEUM + 3 * seat + 2]
