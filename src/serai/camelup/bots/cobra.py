"""``cobra``: plays on from every promising action, against company of all kinds, and takes what wins most often."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from serai.bots.search import SearchBot
from serai.camelup.actions import AnyAction
from serai.camelup.game import GAME
from serai.camelup.rules import CamelUpState
from serai.core import Action, Game
from serai.core.playouts import Playouts

if TYPE_CHECKING:
    from serai.core.playouts import Shares


class CobraBot(SearchBot):
    """Bets for victory, not for money: what others hold, and what they seem to hope for, counts as well."""

    game: ClassVar[Game] = GAME
    rollouts: int = 6000
    seconds: float | None = 0.045
    policy: ClassVar[str] = "mixed"
    most: ClassVar[int] = 12
    """So many actions are thought about."""
    within: ClassVar[float] = 1.0
    """And none that is worth so many pounds less than the best."""
    pound: ClassVar[float] = 0.02
    """What a pound of an action's exact value counts for, beside victory in playouts: others are not as they think."""

    def __init__(self, **budget: Any) -> None:
        super().__init__(**budget)
        self._values: Mapping[Action, float] = {}

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """The best action that the search finds, by what its seat sees and nothing else."""
        found: AnyAction = super().decide(view.seen_by(view.turn), rng)
        return found

    def candidates(self, view: CamelUpState) -> Sequence[AnyAction]:
        """What is worth most by the exact odds, and the roll."""
        from serai.camelup.bots.compiled import promising

        values = promising(view, self.most, self.within)
        self._values = {action: value for action, value in values.items()}  # noqa: C416 (any action will be looked up)
        return tuple(values)

    def worth(self, playouts: Playouts, seat: int) -> Shares:
        """The share of victory, and a little for money that is sure."""
        import numpy as np

        pounds = np.array([self._values[action] for action in playouts.actions], np.float32)
        return playouts.wins[:, :, seat] + np.float32(self.pound) * pounds[:, None]
