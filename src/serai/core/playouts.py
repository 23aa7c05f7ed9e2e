"""What playouts of a position came to: for every action and every playout, how each seat fared in the end."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from serai.core.checks import check_listed, check_text, check_whole
from serai.core.errors import BadArgument, shown
from serai.core.game import Action, Event
from serai.core.simulation import MOST_NUMBER

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Shares = npt.NDArray[np.float32]


class Memory(Protocol):
    """What a seat that watched remembers of a game and its view does not show: when a hidden card was laid, say."""

    def watch(self, event: Event) -> None:
        """Something happened, told as the seat may see it."""


class Habit(Enum):
    """The one value :data:`HABIT` has."""

    HABIT = "habit"

    def __repr__(self) -> str:
        return self.name


HABIT: Final = Habit.HABIT
"""Among actions to try: what those who play on would do here, did they decide for themselves.

``None`` is not quite that where everybody is taken to wait for the others: then whoever is to act waits as well.
"""


class Playouts(msgspec.Struct, frozen=True, eq=False):
    """Playout ``k`` of every action had the same chance and the same hidden things, so that differences are paired."""

    actions: tuple[Any, ...]
    wins: Shares
    """By action, playout and seat: the share of victory; where a playout was cut short, the chance of it."""
    scores: Shares
    """By action, playout and seat: the final score, or what is expected of it."""

    @property
    def count(self) -> int:
        """How many playouts each action had."""
        return int(self.wins.shape[1])

    def means(self, seat: int) -> Any:
        """By action: the share of victory of ``seat``."""
        return self.wins[:, :, seat].mean(axis=1, dtype=float)

    def errors(self, seat: int) -> Any:
        """By action: the standard error of its mean."""
        return self.wins[:, :, seat].std(axis=1, dtype=float) / max(self.count - 1, 1) ** 0.5

    def lead(self, seat: int, action: int, other: int) -> tuple[float, float]:
        """By how much one action (by its place) is better than another for ``seat``, and the standard error of that."""
        return lead(self.wins[:, :, seat], action, other)


def lead(worths: Shares, action: int, other: int) -> tuple[float, float]:
    """By how much one action is better than another, playout by playout, and the standard error of that."""
    gaps = worths[action] - worths[other]
    return float(gaps.mean(dtype=float)), float(gaps.std(dtype=float)) / max(len(gaps) - 1, 1) ** 0.5


def check_playouts(*, n: int, seed: int, first: int, threads: int, policy: str) -> None:
    """What every game's rollouts take; who there is to play on, the game says."""
    check_whole("the number of playouts", n, 0)
    check_whole("a seed", seed)
    check_whole("the number of the first playout", first, 0, MOST_NUMBER)
    check_whole("the number of threads", threads, 1)
    check_text("a policy", policy)


def check_actions(actions: Any, numbers: Mapping[Any, int]) -> tuple[Any, ...]:
    """What is to be tried first: actions that have a number, ``None`` for nothing, or ``HABIT``."""
    listed = check_listed("actions to try", actions, "view.actions()")
    for action in listed:
        if action is not None and action is not HABIT and (not isinstance(action, Action) or action not in numbers):
            raise BadArgument(f"{shown(action)} is no action of this game; try some of view.actions()")
    return listed
