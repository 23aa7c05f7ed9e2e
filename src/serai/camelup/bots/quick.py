"""``quick``: takes the best bet by the race table alone; and what the bots share that go by expected pounds."""

from __future__ import annotations

import contextlib
import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

from serai.camelup.rules.actions import AnyAction
from serai.camelup.rules.rules import CamelUpState
from serai.errors import MissingExtra, need


class OddsBot(ABC):
    """Takes the action of the highest value, the first of equals.

    Until :meth:`warm_up` it decides by NumPy, whose first answer comes sooner; then by compiled code, which decides
    the same and is faster.
    """

    name: ClassVar[str]

    def __init__(self) -> None:
        need("fast", "Camel Up's odds", "numpy")
        self._choose: Callable[[CamelUpState], AnyAction] = self._best

    def warm_up(self) -> None:
        """Change to compiled code, if numba is installed."""
        with contextlib.suppress(ImportError, MissingExtra):
            from serai.camelup.policy.choose import compiled_player

            self._choose = compiled_player(self.name)

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """The action of the highest value."""
        return self._choose(view.seen_by(view.turn))

    def __deepcopy__(self, memo: dict[int, Any]) -> OddsBot:
        """Itself: it has no memory."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()

    @abstractmethod
    def _best(self, view: CamelUpState) -> AnyAction:
        """The action by NumPy."""


class QuickBot(OddsBot):
    """Plays as if no desert tiles lay, and places none itself."""

    name = "quick"

    def _best(self, view: CamelUpState) -> AnyAction:
        from serai.camelup.odds.report import best_action, quick_values

        return best_action(quick_values(view))
