"""``donkey``: counts this leg's odds well, never lays a desert tile, and never changes its mind."""

from __future__ import annotations

from serai.camelup.actions import AnyAction, Leg, Loser, Winner
from serai.camelup.bots.by_odds import Choose, OddsBot
from serai.camelup.kernel.layout import DONKEY_SURE
from serai.camelup.rules import CamelUpState


class DonkeyBot(OddsBot):
    """Backs one camel in a leg and no other, whatever the dice say; of the race it bets on what is nearly sure."""

    def _best(self, view: CamelUpState) -> AnyAction:
        backed = [camel for camel, takers in enumerate(view.leg_bets) if view.turn in takers]
        best: AnyAction = self._report.best_action(
            [
                (action, value)
                for action, value in self._report.quick_values(view)
                if not (isinstance(action, Leg) and backed and action.camel not in backed)
                and not (isinstance(action, Winner | Loser) and value < DONKEY_SURE)
            ]
        )
        return best

    def _compiled(self) -> Choose:
        from serai.camelup.bots import compiled

        return compiled.ready(compiled.donkey_action)
