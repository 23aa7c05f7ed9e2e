"""Das Gold des Pharao in bulk, for ``serai simulate``: whole games between compiled bots."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from serai.core import Game
from serai.core.bulk import NO_LOG, BulkSimulator, Log, Results
from serai.pharaoh.actions import ALL_ACTIONS
from serai.pharaoh.game import CHAMBERS, LOST_FIGURES, MASK_FOUND, MASK_HOME
from serai.pharaoh.kernel import games
from serai.pharaoh.kernel.bridge import to_row
from serai.pharaoh.kernel.steps import Desk, desk
from serai.pharaoh.kernel.tempers import TEMPER_SIZE, TEMPERS
from serai.pharaoh.rules import Options, new_state


class KernelSimulator(BulkSimulator):
    """Numbered games between compiled bots (a :class:`serai.core.Simulator`)."""

    def __init__(
        self, game: Game, bots: Sequence[str], seed: str, options: Options, *, rotate: bool, paired: bool
    ) -> None:
        super().__init__(game, ALL_ACTIONS, bots, seed, options, rotate=rotate, paired=paired)
        self._start = to_row(new_state(len(bots), options))
        self._desks = threading.local()
        tempers = [TEMPERS.get(bot, np.zeros(TEMPER_SIZE)) for bot in bots]
        self._wild = np.array([[bots[bot] == "random" for bot in seats] for seats in self._seatings], np.uint8)
        self._tempers = (
            None if self._wild.all() else np.array([[tempers[bot] for bot in seats] for seats in self._seatings])
        )

    def _results(self, first: int, count: int, log: Log = NO_LOG) -> Results:
        out = self._played(first, count, log)
        seats = np.arange(len(self._bots))
        won = out[:, games.RESULT_WINNERS, np.newaxis] >> seats & 1
        return Results(
            out[:, games.RESULT_POINTS + seats],
            won / won.sum(axis=1, keepdims=True),
            out[:, games.RESULT_PLIES],
            out[:, games.RESULT_DECISIONS],
            {
                CHAMBERS: out[:, games.RESULT_CHAMBERS],
                LOST_FIGURES: out[:, games.RESULT_LOST],
                MASK_FOUND: out[:, games.RESULT_MASK_FOUND],
                MASK_HOME: out[:, games.RESULT_MASK_HOME],
            },
            {
                "photos": out[:, games.RESULT_PHOTOS + seats],
                "treasures": out[:, games.RESULT_TREASURES + seats],
                "mask": out[:, games.RESULT_MASK + seats],
                "lost_archaeologist": out[:, games.RESULT_LOST_ARCHAEOLOGIST + seats],
                "lost_helper": out[:, games.RESULT_LOST_HELPER + seats],
                "mask_found": out[:, games.RESULT_MASK_FOUND],
                "rounds": out[:, games.RESULT_ROUNDS],
                "ended": 1 - out[:, games.RESULT_COLLAPSED],
            },
            out[:, games.RESULT_ACTIONS :].reshape(count, -1, games.KINDS)[:, : len(self._bots)],
        )

    def _played(self, first: int, count: int, log: Log) -> npt.NDArray[np.int32]:
        """What the games came to, as :mod:`serai.pharaoh.kernel.games` has it."""
        out = np.empty((count, games.RESULT_SIZE), np.int32)
        games.play_games(self._seed, first, self._group, self._start, self._wild, self._tempers, self._desk(), log, out)
        return out

    def _desk(self) -> Desk:
        """Room to think in, one per thread."""
        if not hasattr(self._desks, "desk"):
            self._desks.desk = desk()
        kept: Desk = self._desks.desk
        return kept
