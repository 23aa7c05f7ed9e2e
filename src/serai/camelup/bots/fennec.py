"""``fennec``: bets by looked-up chances, and lays its desert tile where most stops are expected."""

from __future__ import annotations

import random

from serai.camelup.rules.actions import AnyAction
from serai.camelup.rules.rules import CamelUpState


class FennecBot:
    """Plays the style ``fennec`` of :mod:`serai.camelup.policy.styles`."""

    def warm_up(self) -> None:
        """Compile the player, or load it from the cache, and build its table."""
        from serai.camelup.policy.choose import compiled_player

        compiled_player("fennec")

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """What the compiled player of this style does."""
        from serai.camelup.policy.choose import compiled_player

        return compiled_player("fennec")(view)
