"""``cheetah``: runs through this leg a few hundred times before each move, after leg tiles and after money."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from serai.camelup.actions import AnyAction, Leg, Loser, Roll, Winner
from serai.camelup.bots.cobra import CobraBot
from serai.camelup.rules import CamelUpState
from serai.core.playouts import Playouts

if TYPE_CHECKING:
    from serai.core.playouts import Shares


_SURE: Final = 3.5
"""Pounds that make it look up from the leg."""


class CheetahBot(CobraBot):
    """Takes others for players like ``quick``, forgets what it saw, and counts pounds instead of victories."""

    rollouts: ClassVar[int] = 120
    within: ClassVar[float] = 3.0
    most: ClassVar[int] = 46
    policy: ClassVar[str] = "quick"

    def watch(self, event: object) -> None:
        """It lives for the moment."""

    def candidates(self, view: CamelUpState) -> Sequence[AnyAction]:
        """Leg tiles and the roll, and a race card that is worth more than most tiles."""
        found = super().candidates(view)
        return tuple(
            action
            for action in found
            if isinstance(action, Leg | Roll) or (isinstance(action, Winner | Loser) and self._values[action] > _SURE)
        )

    def worth(self, playouts: Playouts, seat: int) -> Shares:
        """Its own pounds."""
        return playouts.scores[:, :, seat]
