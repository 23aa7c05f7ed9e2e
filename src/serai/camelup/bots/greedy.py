"""``greedy``: values every action by the exact odds, desert tiles at every space and side included."""

from __future__ import annotations

from serai.camelup.actions import AnyAction
from serai.camelup.bots.by_odds import Choose, OddsBot
from serai.camelup.rules import CamelUpState


class GreedyBot(OddsBot):
    """Takes the action of the highest expected pounds, the first of equals."""

    def _best(self, view: CamelUpState) -> AnyAction:
        best: AnyAction = self._report.best_action(self._report.action_values(view))
        return best

    def _compiled(self) -> Choose:
        from serai.camelup.bots import compiled

        return compiled.ready(compiled.greedy_action)
