"""``cheetah``: runs through this leg a few hundred times before each move, after leg tiles and after money."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from serai.camelup.actions import AnyAction, Leg, Roll
from serai.camelup.bots.cobra import CobraBot
from serai.camelup.rules import CamelUpState
from serai.core.playouts import Playouts

if TYPE_CHECKING:
    from serai.core.playouts import Shares


class CheetahBot(CobraBot):
    """Takes others for players like ``quick``, forgets what it saw, and counts pounds instead of victories."""

    rollouts: ClassVar[int] = 200
    policy: ClassVar[str] = "quick"

    def watch(self, event: object) -> None:
        """It lives for the moment."""

    def candidates(self, view: CamelUpState) -> Sequence[AnyAction]:
        """Leg tiles and the roll; of all else only what is worth most."""
        best, *others = super().candidates(view)
        return (best, *(action for action in others if isinstance(action, Leg | Roll)))

    def worth(self, playouts: Playouts, seat: int) -> Shares:
        """Its own pounds."""
        return playouts.scores[:, :, seat]
