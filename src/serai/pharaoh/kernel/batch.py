"""Many games of Das Gold des Pharao stepped at once (:mod:`serai.core.batch` says how)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from serai.core import batch
from serai.core.lanes import Shape
from serai.pharaoh.game import GAME
from serai.pharaoh.kernel import lanes, layout
from serai.pharaoh.kernel.bridge import Row, to_row, to_state
from serai.pharaoh.kernel.steps import desk
from serai.pharaoh.kernel.tempers import TEMPERS
from serai.pharaoh.rules import PharaohState

_RANDOM = -1
TEMPERS_BY_NUMBER = np.array(list(TEMPERS.values()))


class Batch(batch.Batch):
    """Games of Das Gold des Pharao side by side; scores are points, and ties are broken (11.3)."""

    game = GAME
    shape = Shape(layout.ROW_SIZE, np.int64, layout.PLAYER_ACTIONS, layout.SEEN_SIZE, layout.MAX_SEATS)
    policies: ClassVar[dict[str, int]] = {
        "random": _RANDOM,
        **{name: number for number, name in enumerate(TEMPERS) if name in GAME.bots},
    }
    _lanes: ClassVar[batch.Lanes] = lanes

    def _row(self, state: PharaohState) -> Row:
        return to_row(state)

    def _state(self, row: Row) -> PharaohState:
        return to_state(row)

    def _mind(self, opponents: set[str]) -> tuple[Any, ...]:
        return (TEMPERS_BY_NUMBER, desk()) if opponents else (None, None)
