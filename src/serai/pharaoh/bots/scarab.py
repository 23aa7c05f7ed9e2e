"""``scarab``: explores without looking ahead; and the base of the bots that play by style alone."""

from __future__ import annotations

import random
from typing import ClassVar

from serai.pharaoh.rules.actions import AnyAction
from serai.pharaoh.rules.rules import PharaohState


class StyleBot:
    """Plays the style of its name in :data:`serai.pharaoh.policy.styles.STYLES`."""

    style: ClassVar[str]

    def decide(self, view: PharaohState, rng: random.Random) -> AnyAction:
        """What the compiled player of this style does."""
        from serai.pharaoh.policy.choose import style_action

        return style_action(view, self.style, rng.getrandbits(64))

    def warm_up(self) -> None:
        """Compile the player, or load it from the cache."""
        from serai.pharaoh.game import GAME

        self.decide(GAME.new(), random.Random(0))


class Scarab(StyleBot):
    """Turns over the next tile, picks up what lies there, harms nobody, lights no lamps."""

    style = "scarab"
