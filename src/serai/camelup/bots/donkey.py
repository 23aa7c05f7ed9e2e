"""``donkey``: backs one camel per leg by exact odds, and never lays a desert tile."""

from __future__ import annotations

from serai.camelup.bots import DONKEY_SURE
from serai.camelup.bots.quick import OddsBot
from serai.camelup.rules.actions import AnyAction, Leg, Loser, Winner
from serai.camelup.rules.rules import CamelUpState


class DonkeyBot(OddsBot):
    """Takes leg tiles of the first camel it backed and no other; race cards only where they are nearly sure."""

    name = "donkey"

    def _best(self, view: CamelUpState) -> AnyAction:
        from serai.camelup.odds.report import best_action, quick_values

        backed = [camel for camel, takers in enumerate(view.leg_bets) if view.turn in takers]
        return best_action(
            [
                (action, value)
                for action, value in quick_values(view)
                if not (isinstance(action, Leg) and backed and action.camel not in backed)
                and not (isinstance(action, Winner | Loser) and value < DONKEY_SURE)
            ]
        )
