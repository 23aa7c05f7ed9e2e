"""What ``quick`` and ``greedy`` share: they take what the odds value highest, by compiled code once it is there."""

from __future__ import annotations

import contextlib
import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from serai.camelup.actions import AnyAction
from serai.camelup.odds import load_report
from serai.camelup.rules import CamelUpState
from serai.core.errors import MissingExtra

Choose = Callable[[CamelUpState], AnyAction]


class OddsBot(ABC):
    """Takes the action of the highest value, the first of equals."""

    def __init__(self) -> None:
        self._report = load_report()
        self._choose: Choose = self._best

    def warm_up(self) -> None:
        """Decide by compiled code from now on, which is the same and sooner; without numba nothing changes."""
        with contextlib.suppress(ImportError, MissingExtra):
            self._choose = self._compiled()

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """The action of the highest value."""
        return self._choose(view.seen_by(view.turn))

    def __deepcopy__(self, memo: dict[int, Any]) -> OddsBot:
        """Itself: it remembers nothing."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()

    @abstractmethod
    def _best(self, view: CamelUpState) -> AnyAction:
        """What to do, by readable code."""

    @abstractmethod
    def _compiled(self) -> Choose:
        """What decides the same by compiled code; raises ``ImportError`` where there is none."""
