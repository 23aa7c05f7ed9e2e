"""``cobra``: searches by rollouts from the most promising actions, and takes the one that wins most often.

Whom it takes the others to be: :func:`serai.camelup.policy.styles.company_of`, which the coach uses, too.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from serai.bots.search import SearchBot, victories
from serai.camelup.game import GAME
from serai.camelup.rules.actions import AnyAction
from serai.camelup.rules.rules import CamelUpState
from serai.core import Action, Game
from serai.core.rollouts import Playouts

if TYPE_CHECKING:
    from serai.lab.rollouts import Shares


class CobraBot(SearchBot):
    """Plays for victory, not for money: what others hold, and what they seem to believe, counts as well."""

    game: ClassVar[Game] = GAME
    rollouts: int = 6000
    seconds: float | None = 0.045
    policy: ClassVar[str] = "mixed"
    most: ClassVar[int] = 12
    """Actions that are searched, at most."""
    within: ClassVar[float] = 1.0
    """Pounds by which their exact value may lie below the best."""
    pound: ClassVar[float] = 0.02
    """What a pound of exact value adds to the share of victory: real players differ from those of rollouts."""

    def __init__(self, **budget: Any) -> None:
        super().__init__(**budget)
        self._values: Mapping[Action, float] = {}

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """The best action that the search finds, by what its seat sees and nothing else."""
        found: AnyAction = super().decide(view.seen_by(view.turn), rng)
        return found

    def candidates(self, view: CamelUpState) -> Sequence[AnyAction]:
        """The actions of the highest exact value, and the roll."""
        from serai.camelup.policy.choose import promising

        values = promising(view, self.most, self.within)
        self._values = {action: value for action, value in values.items()}  # noqa: C416 (any action will be looked up)
        return tuple(values)

    def worth(self, playouts: Playouts, seat: int) -> Shares:
        """The share of victory, and a little for the exact value."""
        import numpy as np

        pounds = np.array([self._values[action] for action in playouts.actions], np.float32)
        return victories(playouts, seat) + np.float32(self.pound) * pounds[:, None]
