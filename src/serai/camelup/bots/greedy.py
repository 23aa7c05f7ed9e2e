"""``greedy``: values every action by the exact odds, desert tiles at every space and side included."""

from __future__ import annotations

from serai.camelup.bots.quick import OddsBot
from serai.camelup.rules.actions import AnyAction
from serai.camelup.rules.rules import CamelUpState


class GreedyBot(OddsBot):
    """Takes the action of the highest expected pounds, the first of equals."""

    name = "greedy"

    def _best(self, view: CamelUpState) -> AnyAction:
        from serai.camelup.odds.report import action_values, best_action

        return best_action(action_values(view))
