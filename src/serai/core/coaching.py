"""What a game tells a coach: who plays on, which actions deserve a look, and why one is good, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from serai.core.errors import sentence


class Reason(msgspec.Struct, frozen=True):
    """Something that speaks for or against an action: a key with plain values, so that any language can say it."""

    key: str
    values: Mapping[str, Any]
    exact: bool = False
    """Whether its figures are counted out, not estimated."""

    def __str__(self) -> str:
        return sentence(self.key, self.values)


class Coaching:
    """What judging one game takes, beside its rollouts. A game subclasses it."""

    policy: ClassVar[str] = ""
    """Who plays on for every seat alike, by its name for :meth:`serai.core.Game.rollouts`."""
    playouts: ClassVar[int] = 256
    """Playouts of a position at the usual effort."""
    compared: ClassVar[int] = 256
    """Playouts of each of the best alternatives, whose differences are less noisy than positions are."""
    thorough: ClassVar[int | None] = None
    """Actions up to which a game is judged with all these playouts; in longer ones positions get fewer and not
    all decisions are judged, so that a review takes no longer. ``None``: however many there are."""
    parameters: str = ""
    """Whatever values follow from, beside the code: other parameters, another evaluator."""
    reference: ClassVar[str] = ""
    """The level that plays most as the policy does: among such players its chances hold."""
    level_rates: Mapping[str, float] = {}
    """By level, weakest first: what it lost, beside its :meth:`measure`, in games among the levels."""
    difficulty: ClassVar[float] = 0.05
    """What those who play on lose themselves in a decision of an even game: the error rate of who plays as they do."""
    objections: ClassVar[frozenset[str]] = frozenset()
    """Keys of reasons that speak against an action."""

    def alternatives(self, view: Any) -> Sequence[Any]:
        """The legal actions that are worth a look."""
        return view.actions()  # type: ignore[no-any-return]

    def kind(self, action: Any) -> str:
        """By what decisions are told apart in a summary."""
        return action.kind  # type: ignore[no-any-return]

    def theme(self, view: Any, action: Any) -> str:
        """What is trained by finding this action, by its kind."""
        return self.kind(action)

    def measure(self, as_hard: float, at_stake: float) -> float:
        """What losses are set against to tell whom somebody plays like.

        Given are how many decisions of an even game are as hard as those that were made, and on how many as much hangs.
        """
        return as_hard

    def alike(self, outcome: Any) -> Any:
        """What is the same for two outcomes of a draw that differ in name only: one of them is judged for both."""
        return outcome

    def reasons(self, view: Any, actions: Sequence[Any]) -> list[tuple[Reason, ...]]:
        """For each of some actions of the seat to act what speaks for it, by what its ``view`` shows."""
        return [() for _ in actions]
