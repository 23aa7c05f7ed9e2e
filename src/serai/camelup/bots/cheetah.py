"""``cheetah``: runs through this leg a few hundred times before each move, and has eyes for leg tiles above all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from serai.camelup.actions import AnyAction, Leg, Loser, Roll, Winner
from serai.camelup.bots.cobra import CobraBot
from serai.camelup.rules import CamelUpState

_SURE: Final = 1.2
"""Pounds that make it look up from the leg."""


class CheetahBot(CobraBot):
    """Forgets what it saw, so others' cards tell it little, and lays no desert tile."""

    rollouts: int = 600
    within: ClassVar[float] = 3.0
    most: ClassVar[int] = 46

    def watch(self, event: object) -> None:
        """It lives for the moment."""

    def candidates(self, view: CamelUpState) -> Sequence[AnyAction]:
        """Leg tiles and the roll, and race cards that are worth more than most tiles."""
        found = super().candidates(view)
        return tuple(
            action
            for action in found
            if isinstance(action, Leg | Roll) or (isinstance(action, Winner | Loser) and self._values[action] > _SURE)
        )
