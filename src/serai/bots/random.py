"""The weakest bot: a kind of action picked uniformly, then an action of that kind."""

from __future__ import annotations

import random
from typing import Any


class RandomBot:
    """Plays any game, badly and fast."""

    def decide(self, view: Any, rng: random.Random) -> Any:
        """A kind (the first word of the notation) uniformly, then one of its actions uniformly."""
        kinds: dict[str, list[Any]] = {}
        for action in view.actions():
            kinds.setdefault(action.kind, []).append(action)
        return rng.choice(rng.choice(list(kinds.values())))
