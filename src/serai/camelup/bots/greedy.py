"""``greedy``: values every action by the exact odds, desert tiles at every space and side included."""

from __future__ import annotations

import random

from serai.camelup import engines
from serai.camelup.actions import AnyAction
from serai.camelup.rules import CamelUpState


class GreedyBot:
    """Takes the action of the highest expected pounds, the first of equals."""

    def __init__(self) -> None:
        self._odds = engines.odds_engine()

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """The action of the highest expected pounds."""
        own_view = view.seen_by(view.turn)
        if engines.compiled_ready():
            return engines.compiled_engine().greedy_action(own_view)  # type: ignore[no-any-return]
        return self._odds.best_action(self._odds.action_values(own_view))  # type: ignore[no-any-return]
