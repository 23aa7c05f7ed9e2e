"""``greedy``: values every action by the exact odds, desert tiles at every space and side included."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable

from serai.camelup.actions import AnyAction
from serai.camelup.odds import load_report
from serai.camelup.rules import CamelUpState


class GreedyBot:
    """Takes the action of the highest expected pounds, the first of equals."""

    def __init__(self) -> None:
        report = load_report()
        self._choose: Callable[[CamelUpState], AnyAction] = lambda view: report.best_action(report.action_values(view))

    def warm_up(self) -> None:
        """Decide by compiled code from now on, which is the same and sooner; without numba nothing changes."""
        with contextlib.suppress(ImportError):
            from serai.camelup.bots import compiled

            self._choose = compiled.ready(compiled.greedy_action)

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """The action of the highest expected pounds."""
        return self._choose(view.seen_by(view.turn))
