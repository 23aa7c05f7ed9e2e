"""``quick``: values bets by look-ups in the race table alone and takes the best, the first of equals."""

from __future__ import annotations

from serai.camelup.actions import AnyAction
from serai.camelup.bots.by_odds import Choose, OddsBot
from serai.camelup.rules import CamelUpState


class QuickBot(OddsBot):
    """Plays as if no desert tiles lay, and places none itself."""

    def _best(self, view: CamelUpState) -> AnyAction:
        best: AnyAction = self._report.best_action(self._report.quick_values(view))
        return best

    def _compiled(self) -> Choose:
        from serai.camelup.bots import compiled

        return compiled.ready(compiled.quick_action)
