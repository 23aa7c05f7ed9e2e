"""Camel Up in bulk, for ``serai simulate``: whole games between compiled bots."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from serai.camelup.actions import ALL_ACTIONS
from serai.camelup.game import LEGS, WINNER_START
from serai.camelup.kernel import games
from serai.camelup.kernel.choose import knowledge
from serai.camelup.kernel.layout import POLICIES
from serai.camelup.kernel.policies import ChoiceRoom, room_for_choice
from serai.camelup.rules import Options
from serai.core import Game
from serai.core.bulk import NO_LOG, BulkSimulator, Log, Results


class KernelSimulator(BulkSimulator):
    """Numbered games between compiled bots (a :class:`serai.core.Simulator`)."""

    def __init__(
        self, game: Game, bots: Sequence[str], seed: str, options: Options, *, rotate: bool, paired: bool = False
    ) -> None:
        super().__init__(game, ALL_ACTIONS, bots, seed, options, rotate=rotate, paired=paired)
        self._first, self._hide_money = options.first, int(options.hide_money)
        self._thinking = set(bots) != {"random"}
        self._rooms = threading.local()
        self._policies = np.array([[POLICIES[bots[bot]] for bot in seats] for seats in self._seatings], np.int8)

    def _results(self, first: int, count: int, log: Log = NO_LOG) -> Results:
        out = self._played(first, count, log)
        money = out[:, games.RESULT_MONEY : games.RESULT_MONEY + len(self._bots)]
        won = money == money.max(axis=1, keepdims=True)
        return Results(
            money,
            won / won.sum(axis=1, keepdims=True),
            out[:, games.RESULT_PLIES],
            out[:, games.RESULT_DECISIONS],
            {LEGS: out[:, games.RESULT_LEGS], WINNER_START: out[:, games.RESULT_START]},
            {
                "first": out[:, games.RESULT_FIRST],
                "last": out[:, games.RESULT_LAST],
                "legs": out[:, games.RESULT_LEGS],
                "first_start": out[:, games.RESULT_START],
            },
            out[:, games.RESULT_ACTIONS :].reshape(count, -1, games.KINDS)[:, : len(self._bots)],
        )

    def _played(self, first: int, count: int, log: Log) -> games.Results:
        """What the games came to, as :mod:`serai.camelup.kernel.games` has it."""
        out = np.empty((count, games.RESULT_SIZE), np.int32)
        known = knowledge({POLICIES[bot] for bot in self._bots}) if self._thinking else None
        games.play_games(
            self._seed,
            first,
            self._group,
            self._policies,
            self._first,
            self._hide_money,
            known,
            self._room(),
            log,
            out,
        )
        return out

    def _room(self) -> ChoiceRoom:
        """Room to think in, one per thread."""
        room: ChoiceRoom | None = getattr(self._rooms, "room", None)
        if room is None:
            room = self._rooms.room = room_for_choice()
        return room
