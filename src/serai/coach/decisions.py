"""What a decision lost: its alternatives played on side by side, and a verdict.

All alternatives get a short look; the best of them and what was chosen meet again over fresh playouts, and only those
tell the loss: whoever looked best by luck has to prove it. Where doubt is left, those two play on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from serai.coach.evaluator import Evaluator
from serai.coach.review import Alternative, Decision, Verdict
from serai.core.playouts import HABIT, Memory, lead

if TYPE_CHECKING:
    from serai.core.playouts import Playouts, Shares

FINALISTS: Final = 4
"""So many of the best are looked at twice."""
LOOK: Final = 4
"""One part in so many of the playouts is for the look at all of them."""
SURE: Final = 2.0
"""Standard errors below which nothing counts as lost."""
DOUBT: Final = 3
"""Times as many playouts settle whether something was lost, where that is not sure."""
PARTS: Final = 8
"""Parts of the playouts, each of which judges the favourite of the others."""
NOTHING_AT_STAKE: Final = 0.01
"""Where best and worst are nearer than this, it hardly mattered."""
VERDICTS: Final[tuple[tuple[float, Verdict], ...]] = ((0.08, "very bad"), (0.04, "bad"), (0.02, "doubtful"))
"""What a loss of so much of a victory is called: half of what backgammon players call so, whose games count twice."""


def judged(evaluator: Evaluator, state: Any, action: Any, memory: Memory | None) -> Decision | None:
    """What the seat to act lost by this action, by what it knew; ``None`` where it had no choice."""
    seat = state.actor
    view = evaluator.view(state, seat)
    if len(view.actions()) == 1:
        return None
    kind = evaluator.coaching.kind(action)
    wanted = evaluator.coaching.alternatives(view)
    actions = tuple(dict.fromkeys((action, *wanted)))
    comparison = _Comparison(evaluator, view, actions, memory)
    decision = comparison.decision(kind)
    if not decision.counts:
        return decision
    return msgspec.structs.replace(decision, difficulty=decision.regret + comparison.gained_by_choosing())


def ranked(evaluator: Evaluator, view: Any, memory: Memory | None) -> tuple[Alternative, ...]:
    """What whoever is to act in this view could do, best first; the first few with what speaks for them."""
    actions = tuple(evaluator.coaching.alternatives(view))
    return _Comparison(evaluator, view, actions, memory).decision("").alternatives


def verdict_on(loss: float, error: float) -> Verdict:
    """What a loss is called, by what it is at least, one standard error less; nothing is below two of them."""
    if loss < SURE * error:
        return "fine"
    return next((verdict for least, verdict in VERDICTS if loss - error >= least), "fine")


def regret(wins: Shares) -> float:
    """By how much the favourite of all other playouts was better than the first action, part of the playouts by part.

    No part has a say in what it judges, so the mean is not above what the favourites are worth, however few they are.
    """
    n = wins.shape[1]
    parts = min(PARTS, n)
    total = wins.sum(axis=1, dtype=float)
    gained = 0.0
    for part in range(parts):
        sums = wins[:, n * part // parts : n * (part + 1) // parts].sum(axis=1, dtype=float)
        gained += float(sums[int((total - sums).argmax())] - sums[0])
    return float(gained / n)


class _Comparison:
    """Some actions of a view, the chosen one first."""

    def __init__(self, evaluator: Evaluator, view: Any, actions: Sequence[Any], memory: Memory | None) -> None:
        self._evaluator, self._view, self._actions = evaluator, view, actions
        self._seat: int = view.actor
        self._memory = memory
        n = evaluator.compared
        look = max(4, n // LOOK)
        self._look = evaluator.play_on(view, actions, look, memory)
        ranked = sorted(range(len(actions)), key=lambda place: -self._wins(self._look, place))
        self._finalists = sorted({0, *ranked[:FINALISTS]})
        self._final = evaluator.play_on(view, [actions[place] for place in self._finalists], n, memory, first=look)

    def decision(self, kind: str) -> Decision:
        """The chosen one against the best."""
        found = [self._alternative(place) for place in range(len(self._actions))]
        wins = self._final.wins[:, :, self._seat]
        best = max(range(len(self._finalists)), key=lambda place: self._wins(self._final, place))
        loss, error = self._settled(wins, best)
        order = sorted(range(len(found)), key=lambda place: (place not in self._finalists, -found[place].wins))
        spread = max(each.wins for each in found) - min(each.wins for each in found)
        verdict = verdict_on(loss, error)
        told = self._with_reasons(found, order)
        return Decision(
            self._seat,
            kind,
            tuple(told),
            order.index(0),
            loss,
            error,
            found[self._finalists[best]].score - found[0].score,
            verdict,
            counts=spread >= NOTHING_AT_STAKE,
            regret=regret(wins),
        )

    def gained_by_choosing(self) -> float:
        """By how much the chosen action is better than what those who play on would have done instead."""
        habit = self._evaluator.play_on(self._view, (HABIT,), self._final.count, self._memory, first=self._look.count)
        return self._wins(self._final, 0) - self._wins(habit, 0)

    def _settled(self, wins: Shares, best: int) -> tuple[float, float]:
        """By how much the best finalist is better than the chosen one, looked at again if that would not be sure."""
        loss, error = lead(wins, best, 0)
        if not (VERDICTS[-1][0] <= loss < 2 * SURE * error):
            return loss, error
        both = [self._actions[0], self._actions[self._finalists[best]]]
        n = self._final.count
        again = self._evaluator.play_on(self._view, both, DOUBT * n, self._memory, first=self._look.count + n)
        loss, error = again.lead(self._seat, 1, 0)
        return max(loss, 0.0), error

    def _alternative(self, place: int) -> Alternative:
        """Of one that was looked at once, its distance from the chosen one is told."""
        action = str(self._actions[place])
        if place in self._finalists:
            at = self._finalists.index(place)
            error = float(self._final.errors(self._seat)[at])
            return Alternative(
                action, self._wins(self._final, at), self._score(self._final, at), error, self._final.count
            )
        gap, error = self._look.lead(self._seat, place, 0)
        score = self._score(self._look, place) - self._score(self._look, 0)
        return Alternative(
            action, self._wins(self._final, 0) + gap, self._score(self._final, 0) + score, error, self._look.count
        )

    def _with_reasons(self, found: Sequence[Alternative], order: Sequence[int]) -> list[Alternative]:
        """In their order, the best and the chosen one with what speaks for them."""
        spoken = [place for rank, place in enumerate(order) if rank < FINALISTS or place == 0]
        reasons = self._evaluator.coaching.reasons(self._view, [self._actions[place] for place in spoken])
        said = dict(zip(spoken, reasons, strict=True))
        return [_saying(found[place], said.get(place, ())) for place in order]

    def _wins(self, playouts: Playouts, place: int) -> float:
        return float(playouts.wins[place, :, self._seat].mean(dtype=float))

    def _score(self, playouts: Playouts, place: int) -> float:
        return float(playouts.scores[place, :, self._seat].mean(dtype=float))


def _saying(alternative: Alternative, reasons: Sequence[Any]) -> Alternative:
    return msgspec.structs.replace(alternative, reasons=tuple(reasons))
