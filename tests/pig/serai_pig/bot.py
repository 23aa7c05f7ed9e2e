"""``cautious``: holds at twenty, or as soon as that wins."""

from __future__ import annotations

import random
from typing import Any

ENOUGH = 20


class Cautious:
    def decide(self, view: Any, rng: random.Random) -> Any:
        wins = view.banked[view.turn] + view.gathered >= view.options.target
        wanted = "hold" if wins or view.gathered >= ENOUGH else "roll"
        return next(action for action in view.actions() if str(action) == wanted)
