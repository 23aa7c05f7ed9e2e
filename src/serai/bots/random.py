"""``random``, the weakest bot: a kind of action at random, then an action of that kind at random."""

from __future__ import annotations

import random
from typing import Any

from serai.core.chance import any_kind
from serai.core.game import State


class RandomBot:
    """Plays any game, badly and fast."""

    def decide(self, view: State, rng: random.Random) -> Any:
        """A kind (the first word of the notation) uniformly, then one of its actions uniformly."""
        return any_kind(view.actions(), rng)
