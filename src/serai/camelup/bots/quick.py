"""``quick``: values bets by look-ups in the race table alone and takes the best, the first of equals."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable

from serai.camelup.actions import AnyAction
from serai.camelup.odds import load_report
from serai.camelup.rules import CamelUpState


class QuickBot:
    """Plays as if no desert tiles lay, and places none itself."""

    def __init__(self) -> None:
        report = load_report()
        self._choose: Callable[[CamelUpState], AnyAction] = lambda view: report.best_action(report.quick_values(view))

    def warm_up(self) -> None:
        """Decide by compiled code from now on, which is the same and sooner; without numba nothing changes."""
        with contextlib.suppress(ImportError):
            from serai.camelup.bots import compiled

            self._choose = compiled.ready(compiled.quick_action)

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """The best leg tile, race card or roll."""
        return self._choose(view.seen_by(view.turn))
