"""Many games of Das Gold des Pharao stepped at once (:mod:`serai.core.batch` says how)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from serai.core import batch
from serai.pharaoh.game import GAME
from serai.pharaoh.kernel import lanes, layout
from serai.pharaoh.kernel.bridge import Row, to_row


class Batch(batch.Batch):
    """Games of Das Gold des Pharao side by side; scores are points, and ties are broken (11.3)."""

    shape = batch.Shape(layout.ROW_SIZE, np.int64, layout.PLAYER_ACTIONS, layout.SEEN_SIZE, layout.MAX_SEATS)
    _lanes: ClassVar[batch.Lanes] = lanes

    def _first_row(self, players: int, options: dict[str, Any]) -> Row:
        return to_row(GAME.new(players, **options))
