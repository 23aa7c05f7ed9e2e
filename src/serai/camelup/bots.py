"""Bots that know the odds. Both value every action in pounds and take the best, the first of equals."""

from __future__ import annotations

import random

from serai.camelup import engines
from serai.camelup.actions import AnyAction
from serai.camelup.rules import CamelUpState


class QuickBot:
    """By look-ups in the race table alone, as if no desert tiles lay; places none itself."""

    def __init__(self) -> None:
        self._odds = engines.odds_engine()

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """The best leg tile, race card or roll."""
        own_view = view.seen_by(view.turn)
        if engines.compiled_ready():
            return engines.compiled_engine().quick_action(own_view)  # type: ignore[no-any-return]
        return self._odds.best_action(self._odds.quick_values(own_view))  # type: ignore[no-any-return]


class GreedyBot:
    """By the exact odds, desert tiles at every space and side included."""

    def __init__(self) -> None:
        self._odds = engines.odds_engine()

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """The action of the highest expected pounds."""
        own_view = view.seen_by(view.turn)
        if engines.compiled_ready():
            return engines.compiled_engine().greedy_action(own_view)  # type: ignore[no-any-return]
        return self._odds.best_action(self._odds.action_values(own_view))  # type: ignore[no-any-return]
