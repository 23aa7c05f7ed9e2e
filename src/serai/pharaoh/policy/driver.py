"""The functions of Das Gold des Pharao for the compiled game loop (:class:`serai.lab.driver.Driver`)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.lab.driver import OWN
from serai.lab.jit import inlined, lean
from serai.lab.rng import Words
from serai.pharaoh.kernel import layout
from serai.pharaoh.kernel.layout import ACTOR, MAX_SEATS, PLAYER_ACTIONS, PLAYERS, ROW_SIZE, SEEN_SIZE
from serai.pharaoh.kernel.legal import Row, legal
from serai.pharaoh.kernel.observe import observe
from serai.pharaoh.kernel.rules import act, drawn_piece, random_action, stands_before
from serai.pharaoh.policy.decide import decide
from serai.pharaoh.policy.scratch import Scratch, new_scratch, own_scratch
from serai.pharaoh.policy.styles import SEASONED, STYLES, Styles
from serai.pharaoh.rules.pieces import NOWHERE, PHOTOS

__all__ = ["ACTOR", "MAX_SEATS", "PLAYERS", "PLAYER_ACTIONS", "POLICIES", "ROW_SIZE", "SEEN_SIZE"]
__all__ += ["act", "new_scratch", "observe", "own_scratch", "random_action", "stands_before"]

ROW_TYPE: Final = np.int64
SCORES: Final = layout.POINTS
RANDOM_POLICY: Final = -1
POLICIES: Final = {"random": RANDOM_POLICY, **{bot: number for number, bot in enumerate(STYLES) if bot != SEASONED}}
STYLES_BY_NUMBER: Final = np.array(list(STYLES.values()))
_PHOTO_COUNT: Final = len(PHOTOS)
draw = drawn_piece


# -- a batch -----------------------------------------------------------------------------------------------------------


class Tools(NamedTuple):
    """Tables and scratch arrays for choosing."""

    styles: Styles
    """By policy."""
    scratch: Scratch


def tools(_bots: Collection[str], scratch: Scratch) -> Tools:
    """What bots choose with."""
    return Tools(STYLES_BY_NUMBER, scratch)


@inlined
def choose(row: Row, policy: int, tools: Tools, words: Words, lane: int) -> int:
    """What a bot does."""
    if policy == RANDOM_POLICY:
        return random_action(row, words, lane)
    return decide(row, tools.styles[policy], tools.scratch, words, lane)


@inlined
def mark_legal(row: Row, mask: npt.NDArray[np.uint8], lane: int) -> None:
    """Write 1 for each legal action of the player to act, 0 for the others."""
    legal(row, mask[lane])


@inlined
def changes_scores(action: int) -> bool:
    """Almost any action may."""
    return True


# -- whole games -------------------------------------------------------------------------------------------------------

RESULT_PHOTOS: Final = MAX_SEATS + OWN
"""The columns of the game, in their order. By seat, as are the next four."""
RESULT_TREASURES: Final = RESULT_PHOTOS + MAX_SEATS
RESULT_MASK: Final = RESULT_TREASURES + MAX_SEATS
RESULT_LOST_ARCHAEOLOGIST: Final = RESULT_MASK + MAX_SEATS
RESULT_LOST_HELPER: Final = RESULT_LOST_ARCHAEOLOGIST + MAX_SEATS
RESULT_MASK_FOUND: Final = RESULT_LOST_HELPER + MAX_SEATS
RESULT_ROUNDS: Final = RESULT_MASK_FOUND + 1
RESULT_ENDED: Final = RESULT_ROUNDS + 1
RESULT_ACTIONS: Final = RESULT_ENDED + 1
_FIRST_OF_KIND: Final = (
    layout.ARCHAEOLOGIST_ACTION,
    layout.HELPER_ACTION,
    layout.REVEAL_ACTION,
    layout.LAY_ACTION,
    layout.TURN_ACTION,
    layout.LAMP_ACTION,
    layout.UNLAMP_ACTION,
    layout.TAKE_ACTION,
    layout.DROP_ACTION,
    layout.STEAL_ACTION,
    layout.END_ACTION,
)
KINDS: Final = len(_FIRST_OF_KIND)
RESULT_SIZE: Final = RESULT_ACTIONS + KINDS * MAX_SEATS

KIND_OF: Final = np.searchsorted(_FIRST_OF_KIND, np.arange(PLAYER_ACTIONS), side="right") - 1
"""The kind of every action of a player, by number."""

SETUP_DRAWS: Final = 0
ONE_DRAW: Final = False
RANDOM_AT_ONCE: Final = 1


@inlined
def begin(row: Row, out: npt.NDArray[np.int32]) -> None:
    """Nothing is noted of the start of a game."""


@lean
def end(row: Row, out: npt.NDArray[np.int32]) -> None:
    """Write down the columns of this game."""
    out[RESULT_MASK_FOUND] = row[layout.MASK_CHAMBER] != NOWHERE
    out[RESULT_ROUNDS] = row[layout.ROUND]
    out[RESULT_ENDED] = row[layout.FALLEN] | 1 << row[layout.START_CELL] != layout.ALL_CELLS
    for seat in range(MAX_SEATS):
        out[RESULT_PHOTOS + seat] = 0
        out[RESULT_TREASURES + seat] = row[layout.MUSEUM + 3 * seat] + row[layout.MUSEUM + 3 * seat + 1]
        out[RESULT_MASK + seat] = row[layout.MUSEUM + 3 * seat + 2]
        out[RESULT_LOST_ARCHAEOLOGIST + seat] = row[layout.ARCHAEOLOGIST + seat] == NOWHERE
        out[RESULT_LOST_HELPER + seat] = row[layout.HELPER + seat] == NOWHERE
    for photo in range(_PHOTO_COUNT):
        if row[layout.PHOTO_OWNER + photo] != NOWHERE:
            out[RESULT_PHOTOS + row[layout.PHOTO_OWNER + photo]] += 1
