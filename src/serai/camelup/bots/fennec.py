"""``fennec`` and six more animals: each bets by looked-up chances, in a style of its own.

Whatever race card they lay is of a camel that they believe in: the style says how sure they want to be.
"""

from __future__ import annotations

from serai.camelup.bots.quick import OddsBot
from serai.camelup.rules.actions import AnyAction
from serai.camelup.rules.rules import CamelUpState


class StyledBot(OddsBot):
    """Plays the style of its name in :data:`serai.camelup.policy.styles.STYLES`."""

    def _best(self, view: CamelUpState) -> AnyAction:
        from serai.camelup.policy.choose import styled_uncompiled

        return styled_uncompiled(view, self.name)


class FennecBot(StyledBot):
    """Lays its desert tile where most stops are expected."""

    name = "fennec"


class GoatBot(StyledBot):
    """Puts its desert tile down again and again, and never lays a race card."""

    name = "goat"


class SheepBot(StyledBot):
    """Rolls, and takes leg tiles of camels that others have backed."""

    name = "sheep"


class VultureBot(StyledBot):
    """Waits for a camel that is nearly sure to be last; never bets on the winner."""

    name = "vulture"


class HyenaBot(StyledBot):
    """Wants every leg tile, the more so the more others wanted it."""

    name = "hyena"


class HoopoeBot(StyledBot):
    """Likes race cards best."""

    name = "hoopoe"


class CaracalBot(StyledBot):
    """Likes leg tiles best, and lays no desert tile."""

    name = "caracal"
