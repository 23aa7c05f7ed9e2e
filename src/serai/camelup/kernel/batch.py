"""Many games of Camel Up stepped at once (:mod:`serai.core.batch` says how)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from serai.camelup.game import GAME
from serai.camelup.kernel import lanes, layout
from serai.camelup.kernel.bridge import Row, to_row
from serai.core import batch


class Batch(batch.Batch):
    """Games of Camel Up side by side; scores are pounds."""

    shape = batch.Shape(layout.ROW_SIZE, np.int16, layout.PLAYER_ACTIONS, layout.SEEN_SIZE, layout.MAX_SEATS)
    _lanes: ClassVar[batch.Lanes] = lanes

    def _first_row(self, players: int, options: dict[str, Any]) -> Row:
        return to_row(GAME.new(players, **options))
