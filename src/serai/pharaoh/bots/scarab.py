"""``scarab``: explores without looking ahead; and the base of the bots that play by style alone."""

from __future__ import annotations

import random
from typing import ClassVar

from serai.pharaoh.rules.actions import AnyAction
from serai.pharaoh.rules.rules import PharaohState


class StyleBot:
    """Plays the style of its name in :data:`serai.pharaoh.policy.styles.STYLES`.

    Until :meth:`warm_up` it decides without compiled code, whose first answer would come seconds later.
    """

    style: ClassVar[str]
    _warm = False

    def decide(self, view: PharaohState, rng: random.Random) -> AnyAction:
        """What a player of this style does."""
        from serai.pharaoh.policy.choose import style_action, style_action_uncompiled

        act = style_action if self._warm else style_action_uncompiled
        return act(view, self.style, rng.getrandbits(64))

    def warm_up(self) -> None:
        """Compile the player, or load it from the cache."""
        from serai.pharaoh.game import GAME

        self._warm = True
        self.decide(GAME.new(), random.Random(0))


class Scarab(StyleBot):
    """Turns over the next tile, picks up what lies there, harms nobody, lights no lamps."""

    style = "scarab"
