"""``cobra``: plays on from every promising action, against company of all kinds, and takes what wins most often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from serai.bots.search import SearchBot
from serai.camelup.actions import AnyAction
from serai.camelup.game import GAME
from serai.camelup.rules import CamelUpState
from serai.core import Game


class CobraBot(SearchBot):
    """Bets for victory, not for money: what others hold, and what they seem to hope for, counts as well."""

    game: ClassVar[Game] = GAME
    rollouts: ClassVar[int] = 4000
    seconds: ClassVar[float | None] = 0.05
    policy: ClassVar[str] = "mixed"
    most: ClassVar[int] = 12
    """So many actions are thought about."""
    within: ClassVar[float] = 1.0
    """And none that is worth so many pounds less than the best."""

    def candidates(self, view: CamelUpState) -> Sequence[AnyAction]:
        """What is worth most by the exact odds, and the roll."""
        from serai.camelup.bots.compiled import promising

        return promising(view, self.most, self.within)
