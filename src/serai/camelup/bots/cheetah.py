"""``cheetah``: a short search, mostly for leg tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from serai.camelup.bots.cobra import CobraBot
from serai.camelup.rules.actions import AnyAction, Leg, Loser, Roll, Winner
from serai.camelup.rules.rules import CamelUpState

_SURE: Final = 1.2
"""Pounds from which it considers a race card."""


class CheetahBot(CobraBot):
    """Remembers nothing, so it knows little of others' cards, and lays no desert tile."""

    rollouts: int = 600
    within: ClassVar[float] = 3.0
    most: ClassVar[int] = 46

    def watch(self, event: object) -> None:
        """Remember nothing."""

    def candidates(self, view: CamelUpState) -> Sequence[AnyAction]:
        """Leg tiles, the roll, and race cards that are worth more than most tiles."""
        found = super().candidates(view)
        return tuple(
            action
            for action in found
            if isinstance(action, Leg | Roll) or (isinstance(action, Winner | Loser) and self._values[action] > _SURE)
        )
