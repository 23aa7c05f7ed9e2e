"""Many games of Camel Up stepped at once (:mod:`serai.core.batch` says how)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from serai.camelup.game import GAME
from serai.camelup.kernel import lanes, layout
from serai.camelup.kernel.bridge import Row, to_row, to_state
from serai.camelup.kernel.choose import knowledge
from serai.camelup.kernel.policies import room_for_choice
from serai.camelup.rules import CamelUpState
from serai.core import BadOptions, batch
from serai.core.lanes import Shape


class Batch(batch.Batch):
    """Games of Camel Up side by side; scores are pounds."""

    game = GAME
    shape = Shape(layout.ROW_SIZE, np.int16, layout.PLAYER_ACTIONS, layout.SEEN_SIZE, layout.MAX_SEATS)
    policies = layout.POLICIES
    _lanes: ClassVar[batch.Lanes] = lanes

    def _row(self, state: CamelUpState) -> Row:
        row = to_row(state)
        if (row[layout.HAND : layout.WINNER_DECK] == layout.HIDDEN_HAND).any():
            raise BadOptions("core.batch.state", game=GAME.name)
        return row

    def _state(self, row: Row) -> CamelUpState:
        return to_state(row)

    def _mind(self, opponents: set[str]) -> tuple[Any, ...]:
        if not opponents:
            return None, None, None
        known = knowledge({self.policies[name] for name in opponents})
        light = opponents <= set(layout.LIGHT_POLICIES)  # then there is much less to compile
        return known.table, None if light else known.lines, room_for_choice()
