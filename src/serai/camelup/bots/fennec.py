"""``fennec``: bets by the odds of the moment, and lays its desert tile wherever most camels will stop."""

from __future__ import annotations

import random

from serai.camelup.actions import AnyAction
from serai.camelup.rules import CamelUpState


class FennecBot:
    """Its tile lies with the side up that vexes the others most."""

    def warm_up(self) -> None:
        """Have compiled code and tables there."""
        from serai.camelup.bots import compiled

        compiled.ready(compiled.fennec_action)

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """What looks best at a glance."""
        from serai.camelup.bots.compiled import fennec_action

        return fennec_action(view)
