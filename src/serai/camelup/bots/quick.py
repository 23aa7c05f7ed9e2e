"""``quick``: values bets by look-ups in the race table alone and takes the best, the first of equals."""

from __future__ import annotations

import random

from serai.camelup import engines
from serai.camelup.actions import AnyAction
from serai.camelup.rules import CamelUpState


class QuickBot:
    """Plays as if no desert tiles lay, and places none itself."""

    def __init__(self) -> None:
        self._odds = engines.odds_engine()

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """The best leg tile, race card or roll."""
        own_view = view.seen_by(view.turn)
        if engines.compiled_ready():
            return engines.compiled_engine().quick_action(own_view)  # type: ignore[no-any-return]
        return self._odds.best_action(self._odds.quick_values(own_view))  # type: ignore[no-any-return]
