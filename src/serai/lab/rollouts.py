"""The results of compiled rollouts, as NumPy arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from serai.core.arguments import check_listed
from serai.core.game import Action
from serai.core.rollouts import HABIT, PARTS, Playouts, Value
from serai.errors import BadArgument, shown

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Shares = npt.NDArray[np.float32]


class ArrayPlayouts(Playouts, frozen=True, eq=False):
    """Playouts whose ``wins`` and ``scores`` are arrays of three dimensions, and ``parts`` of four."""

    wins: Shares
    scores: Shares
    parts: Shares | None = None

    @property
    def count(self) -> int:
        """How many playouts each action had."""
        return int(self.wins.shape[1])

    def value(self, action: int, seat: int) -> Value:
        """What one action (by its place) was worth to ``seat``."""
        wins, scores = self.wins[action, :, seat], self.scores[action, :, seat]
        error = float(wins.std(dtype=float)) / max(len(wins) - 1, 1) ** 0.5
        return Value(float(wins.mean(dtype=float)), float(scores.mean(dtype=float)), error)

    def means(self, seat: int) -> Sequence[float]:
        """By action: the mean share of victory of ``seat``."""
        return _mean(self.wins, seat)

    def errors(self, seat: int) -> Sequence[float]:
        """By action: the standard error of :meth:`means`."""
        errors: Sequence[float] = self.wins[:, :, seat].std(axis=1, dtype=float) / max(self.count - 1, 1) ** 0.5
        return errors

    def mean_scores(self, seat: int) -> Sequence[float]:
        """By action: the mean score of ``seat``."""
        return _mean(self.scores, seat)

    def lead(self, seat: int, action: int, other: int) -> tuple[float, float]:
        """By how much one action (by its place) is better than another for ``seat``, and the standard error of that."""
        return lead(self.wins[:, :, seat], action, other)

    def score_lead(self, seat: int, action: int, other: int) -> tuple[float, float]:
        """The same for the score."""
        return lead(self.scores[:, :, seat], action, other)

    def regret(self, seat: int) -> float:
        """By how much the favourite was better than the first action, cross-validated over parts of the playouts."""
        wins = self.wins[:, :, seat]
        n = wins.shape[1]
        parts = min(PARTS, n)
        total = wins.sum(axis=1, dtype=float)
        gained = 0.0
        for part in range(parts):
            sums = wins[:, n * part // parts : n * (part + 1) // parts].sum(axis=1, dtype=float)
            gained += float(sums[int((total - sums).argmax())] - sums[0])
        return float(gained / n)


def lead(worths: Shares, action: int, other: int) -> tuple[float, float]:
    """By how much one action is better than another, playout by playout, and the standard error of that."""
    gaps = worths[action] - worths[other]
    return float(gaps.mean(dtype=float)), float(gaps.std(dtype=float)) / max(len(gaps) - 1, 1) ** 0.5


def check_actions(actions: Any, numbers: Mapping[Any, int]) -> tuple[Any, ...]:
    """The actions to try first: those that have a number, ``None`` for nothing, or ``HABIT``."""
    listed = check_listed("actions to try", actions, "view.actions()")
    for action in listed:
        if action is not None and action is not HABIT and (not isinstance(action, Action) or action not in numbers):
            raise BadArgument(f"{shown(action)} is no action of this game; try some of view.actions()")
    return listed


def _mean(values: Shares, seat: int) -> Sequence[float]:
    means: Sequence[float] = values[:, :, seat].mean(axis=1, dtype=float)
    return means
