"""Camel Up's functions for the compiled game loop (:class:`serai.lab.driver.Driver`)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel import layout
from serai.camelup.kernel.layout import ACTOR, MAX_SEATS, PLAYER_ACTIONS, PLAYERS, POLICIES, ROW_SIZE, SEEN_SIZE
from serai.camelup.kernel.observe import observe
from serai.camelup.kernel.rules import Row, act, drawn_die, legal, random_action
from serai.camelup.odds.race_table import RaceTable
from serai.camelup.policy.decide import decide, tables_for
from serai.camelup.policy.lookup import LookupTable
from serai.camelup.policy.scratch import Scratch, new_scratch, own_scratch
from serai.lab.driver import OWN
from serai.lab.jit import inlined, lean
from serai.lab.rng import Words

__all__ = ["ACTOR", "MAX_SEATS", "PLAYERS", "PLAYER_ACTIONS", "POLICIES", "ROW_SIZE", "SEEN_SIZE"]
__all__ += ["act", "new_scratch", "observe", "own_scratch", "random_action"]

ROW_TYPE: Final = np.int16
SCORES: Final = layout.MONEY
draw = drawn_die


# -- a batch -----------------------------------------------------------------------------------------------------------


class Tools(NamedTuple):
    """Tables and scratch arrays for choosing; without ``lookup`` for light policies only."""

    race: RaceTable
    lookup: LookupTable | None
    scratch: Scratch


def tools(bots: Collection[str], scratch: Scratch) -> Tools:
    """What these bots choose with."""
    return Tools(*tables_for(bots), scratch)


@inlined
def choose(row: Row, policy: int, tools: Tools, words: Words, lane: int) -> int:
    """What a bot does."""
    return decide(row, policy, tools.race, tools.lookup, tools.scratch, words, lane)


@inlined
def mark_legal(row: Row, mask: npt.NDArray[np.uint8], lane: int) -> None:
    """Write 1 for each legal action of the player to act, 0 for the others."""
    bits = legal(row)
    for action in range(PLAYER_ACTIONS):
        mask[lane, action] = bits >> action & 1


@inlined
def changes_scores(action: int) -> bool:
    """Money is only made and lost when a leg ends, with a roll."""
    return action == layout.ROLL_ACTION


@inlined
def stands_before(row: Row, seat: int, other: int) -> bool:
    """Whether a seat has more money than another."""
    return bool(row[layout.MONEY + seat] > row[layout.MONEY + other])


# -- whole games -------------------------------------------------------------------------------------------------------

RESULT_FIRST: Final = MAX_SEATS + OWN
"""The columns of the game, in their order."""
RESULT_LAST: Final = RESULT_FIRST + 1
RESULT_LEGS: Final = RESULT_LAST + 1
RESULT_START: Final = RESULT_LEGS + 1
RESULT_ACTIONS: Final = RESULT_START + 1
_FIRST_OF_KIND: Final = (
    layout.LEG_ACTION,
    layout.OASIS_ACTION,
    layout.MIRAGE_ACTION,
    layout.ROLL_ACTION,
    layout.WINNER_ACTION,
    layout.LOSER_ACTION,
)
KINDS: Final = len(_FIRST_OF_KIND)
RESULT_SIZE: Final = RESULT_ACTIONS + KINDS * MAX_SEATS
KIND_OF: Final = np.searchsorted(_FIRST_OF_KIND, np.arange(PLAYER_ACTIONS), side="right") - 1
"""The kind of every action of a player, by number."""

SETUP_DRAWS: Final = layout.CAMEL_COUNT
ONE_DRAW: Final = True
RANDOM_AT_ONCE: Final = 4
"""``random`` rolls with one decision in six, which takes less time than a roll."""


@inlined
def begin(row: Row, out: npt.NDArray[np.int32]) -> None:
    """Note the order of the camels when the race begins, three bits each."""
    out[RESULT_START] = 0
    for place in range(layout.CAMEL_COUNT):
        out[RESULT_START] |= row[layout.ORDER + place] << 3 * place


@lean
def end(row: Row, out: npt.NDArray[np.int32]) -> None:
    """Write down the columns of this game."""
    out[RESULT_LEGS] = row[layout.LEG]
    out[RESULT_FIRST] = first = row[layout.ORDER + layout.CAMEL_COUNT - 1]
    out[RESULT_LAST] = row[layout.ORDER]
    order = out[RESULT_START]
    for place in range(layout.CAMEL_COUNT):
        if order >> 3 * place & 7 == first:
            out[RESULT_START] = layout.CAMEL_COUNT - place
