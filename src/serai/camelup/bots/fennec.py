"""``fennec``: bets by looked-up chances, and lays its desert tile where most stops are expected."""

from __future__ import annotations

from serai.camelup.bots.quick import OddsBot
from serai.camelup.rules.actions import AnyAction
from serai.camelup.rules.rules import CamelUpState


class FennecBot(OddsBot):
    """Plays the style ``fennec`` of :mod:`serai.camelup.policy.styles`."""

    name = "fennec"

    def _best(self, view: CamelUpState) -> AnyAction:
        from serai.camelup.policy.choose import fennec_uncompiled

        return fennec_uncompiled(view)
