"""The weakest bot: a kind of action picked uniformly, then an action of that kind."""

from __future__ import annotations

import random
from typing import Any

from serai.core.chance import any_kind


class RandomBot:
    """Plays any game, badly and fast."""

    def decide(self, view: Any, rng: random.Random) -> Any:
        """A kind (the first word of the notation) uniformly, then one of its actions uniformly."""
        return any_kind(view.actions(), rng)
