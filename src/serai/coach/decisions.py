"""What a decision lost, and which actions are best: playouts of the alternatives side by side, and a verdict.

All alternatives get a short look. The best of them and the chosen one get fresh playouts, and only these give the loss,
so an action that looked best by luck gains nothing. Where doubt is left, these two get more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from serai.coach.contrasts import NOTHING_AT_STAKE, SURE, explanations
from serai.coach.evaluator import Evaluator
from serai.core.arguments import check_state
from serai.core.chance import seat_of
from serai.core.game import Action, Game, State
from serai.core.parts import Reason
from serai.core.rollouts import HABIT, Memory, Playouts

FINALISTS: Final = 4
"""How many of the best get a second look."""
LOOK: Final = 4
"""The short look has one ``LOOK``-th of the playouts."""
HINTS: Final = 3
"""How many hints are given."""
DOUBT: Final = 3
"""How many times the playouts settle a doubtful loss."""
DECIDED: Final = 0.05
"""Where the best action leaves a chance of victory below this, or as near to certain, points count as well."""
Verdict = Literal["fine", "doubtful", "bad", "very bad"]
VERDICTS: Final[tuple[tuple[float, Verdict], ...]] = ((0.08, "very bad"), (0.04, "bad"), (0.02, "doubtful"))
"""Least loss for each verdict, in shares of victory: half the bounds of backgammon, where a victory counts twice."""
GRAVITY: Final[Mapping[Verdict, int]] = {"fine": 0, "doubtful": 1, "bad": 2, "very bad": 3}
"""Verdicts by how bad they are."""


class Alternative(msgspec.Struct, frozen=True):
    """An action and what it is worth to the seat that plays it."""

    action: str
    wins: float
    score: float
    error: float
    playouts: int
    reasons: tuple[Reason, ...] = ()
    """Why it is better or worse than ``against``."""
    against: str = ""
    """The action that the reasons compare it with; empty where they compare nothing."""


class Decision(msgspec.Struct, frozen=True):
    """What a seat chose, and what that lost against the best action."""

    seat: int
    kind: str
    alternatives: tuple[Alternative, ...]
    """Best first, the chosen one among them."""
    chosen: int
    """Its index."""
    loss: float
    error: float
    """The standard error of the loss, which is measured playout by playout."""
    score_loss: float
    score_error: float
    """The standard error of ``score_loss``."""
    verdict: Verdict
    counts: bool
    """Whether any victory depended on it."""
    by_points: bool = False
    """Whether the verdict is about points, since victory was as good as decided."""
    idle: bool = False
    """Whether the seat let time pass though playouts see nothing wrong with getting on."""
    repeated: bool = False
    """Whether it missed the same as another of the seat's mistakes, which counts for both."""
    regret: float = 0.0
    """By how much the favourite of other playouts was better; can be below zero.

    Losses are never below zero, so over many of them noise adds up; in regrets it cancels.
    """
    difficulty: float = 0.0
    """What the playout policy would have lost here, measured as a regret; 0 where nothing depended on it."""


def judge_decision(evaluator: Evaluator, state: State, action: Action, memory: Memory | None) -> Decision | None:
    """What the seat to act lost by this action, by what it knew; ``None`` if it had no choice."""
    seat = seat_of(state.actor)
    view = evaluator.view(state, seat)
    if len(view.actions()) == 1:
        return None
    kind = evaluator.coach.kind(action)
    wanted = evaluator.coach.alternatives(view)
    actions = tuple(dict.fromkeys((action, *wanted)))
    comparison = _Comparison(evaluator, view, actions, memory)
    decision = comparison.decision(kind)
    if not decision.counts:
        return decision
    return msgspec.structs.replace(decision, difficulty=decision.regret + comparison.gained_by_choosing())


def hints(
    game: Game, view: Any, memory: Memory | None = None, *, effort: str = "usual", seed: int = 0
) -> tuple[Alternative, ...]:
    """The best actions of the seat to act in this view, best first, each with its worth and reasons.

    ``memory`` is that of a seat that has watched the game, as :meth:`serai.core.Game.memory` makes it.
    """
    evaluator = Evaluator(game, effort=effort, seed=seed)
    check_state(game, view)
    actions = tuple(evaluator.coach.alternatives(view))
    return _Comparison(evaluator, view, actions, memory, judged=False).decision("").alternatives[:HINTS]


def verdict_on(loss: float, error: float) -> Verdict:
    """The verdict on a loss, by its lower bound of one standard error; below two of them it is fine."""
    if loss < SURE * error:
        return "fine"
    return next((verdict for least, verdict in VERDICTS if loss - error >= least), "fine")


class _Comparison:
    """Some actions of a view, the chosen one first if the choice is to be ``judged``."""

    def __init__(
        self,
        evaluator: Evaluator,
        view: State,
        actions: Sequence[Action],
        memory: Memory | None,
        *,
        judged: bool = True,
    ) -> None:
        self._evaluator, self._view, self._actions = evaluator, view, actions
        self._seat = seat_of(view.actor)
        self._memory = memory
        self._judged = judged
        n = evaluator.compared
        look = max(4, n // LOOK)
        self._look = evaluator.play_on(view, actions, look, memory)
        self._finalists = self._chosen_for_a_second_look()
        finalists = [actions[place] for place in self._finalists]
        self._final = evaluator.play_on(view, finalists, n, memory, first=look, counted=True)
        self._decided = self._is_decided(self._final)

    def decision(self, kind: str) -> Decision:
        """The chosen one against the best."""
        found = [self._alternative(place) for place in range(len(self._actions))]
        best = self._best()
        loss, error = self._settled(best)
        score_loss, score_error = self._final.score_lead(self._seat, best, self._finalists.index(0))
        spread = max(each.wins for each in found) - min(each.wins for each in found)
        verdict, by_points = verdict_on(loss, error), False
        points = self._evaluator.coach.points
        if self._decided and points is not None:
            of_points = verdict_on(score_loss / points, score_error / points)
            if GRAVITY[of_points] > GRAVITY[verdict]:
                verdict, by_points = of_points, True
        counts = spread >= NOTHING_AT_STAKE
        front = self._finalists[best]
        order = sorted(
            range(len(found)), key=lambda place: (place not in self._finalists, place != front, -found[place].wins)
        )
        return Decision(
            self._seat,
            kind,
            tuple(self._with_reasons(found, order, (loss, error), by_points=by_points)),
            order.index(0),
            loss,
            error,
            score_loss,
            score_error,
            verdict if counts or by_points else "fine",
            counts=counts,
            by_points=by_points,
            idle=front != 0 and self._idles(0) and verdict == "fine",
            regret=self._final.regret(self._seat),
        )

    def gained_by_choosing(self) -> float:
        """By how much the chosen action is better than what the playout policy would have done."""
        habit = self._evaluator.play_on(self._view, (HABIT,), self._final.count, self._memory, first=self._look.count)
        return self._wins(self._final, 0) - self._wins(habit, 0)

    def _chosen_for_a_second_look(self) -> list[int]:
        """The chosen action and the best, among them one that gets on if another idles."""
        points = self._evaluator.coach.points
        weight = 1 / points if points is not None and self._is_decided(self._look) else 0.0
        ranked = sorted(
            range(len(self._actions)),
            key=lambda place: -self._wins(self._look, place) - weight * self._score(self._look, place),
        )
        finalists = {0, *ranked[:FINALISTS]}
        if any(map(self._idles, finalists)) and not any(map(self._gets_on, finalists)):
            finalists.update([place for place in ranked if self._gets_on(place)][:1])
        return sorted(finalists)

    def _is_decided(self, playouts: Playouts) -> bool:
        """Whether the seat will hardly win whatever it does, or hardly not."""
        best = max(playouts.means(self._seat))
        return not DECIDED < best < 1 - DECIDED

    def _best(self) -> int:
        """The best finalist, by its index among them.

        Where victory is as good as decided: the one with most points of those that win as often. One that idles is not
        preferred to one that gets on for a difference that may be noise.
        """
        wins, scores = self._final.means(self._seat), self._final.mean_scores(self._seat)
        places = range(len(self._finalists))
        best = max(places, key=wins.__getitem__)
        if self._decided and self._evaluator.coach.points is not None:
            best = max((at for at in places if wins[best] - wins[at] <= NOTHING_AT_STAKE), key=scores.__getitem__)
        if not self._idles(self._finalists[best]):
            return best
        as_good = [at for at in places if self._gets_on(self._finalists[at]) and self._hardly_worse(at, best)]
        return max(as_good, key=wins.__getitem__, default=best)

    def _hardly_worse(self, at: int, best: int) -> bool:
        """Whether a finalist is behind another by no more than noise, or than what counts."""
        behind, error = self._final.lead(self._seat, best, at)
        if behind > max(SURE * error, NOTHING_AT_STAKE):
            return False
        points = self._evaluator.coach.points
        if not self._decided or points is None:
            return True
        behind, error = self._final.score_lead(self._seat, best, at)
        return behind <= max(SURE * error, NOTHING_AT_STAKE * points)

    def _idles(self, place: int) -> bool:
        return self._evaluator.coach.idles(self._view, self._actions[place])

    def _gets_on(self, place: int) -> bool:
        return self._evaluator.coach.gets_on(self._view, self._actions[place])

    def _settled(self, best: int) -> tuple[float, float]:
        """By how much the best finalist beats the chosen action, and its standard error; more playouts if in doubt."""
        loss, error = self._final.lead(self._seat, best, 0)
        if not (VERDICTS[-1][0] <= loss < 2 * SURE * error):
            return max(loss, 0.0), error
        both = [self._actions[0], self._actions[self._finalists[best]]]
        n = self._final.count
        again = self._evaluator.play_on(self._view, both, DOUBT * n, self._memory, first=self._look.count + n)
        loss, error = again.lead(self._seat, 1, 0)
        return max(loss, 0.0), error

    def _alternative(self, place: int) -> Alternative:
        """One action's figures; those of the short look are given relative to the chosen action."""
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

    def _with_reasons(
        self, found: Sequence[Alternative], order: Sequence[int], settled: tuple[float, float], *, by_points: bool
    ) -> list[Alternative]:
        """In this order; the finalists with reasons. ``settled`` is the loss of the chosen one and its error."""
        final, chosen = self._final, self._finalists.index(0)
        points = self._evaluator.coach.points if by_points else None

        def lead(best: int, other: int) -> tuple[float, float]:
            if points is not None:
                return final.score_lead(self._seat, best, other)
            return settled if other == chosen else final.lead(self._seat, best, other)

        ranked = [self._finalists.index(place) for place in order if place in self._finalists]
        given = explanations(
            self._evaluator.coach,
            self._view,
            final,
            self._seat,
            ranked,
            lead,
            chosen=chosen if self._judged else None,
            points=points,
        )
        explained = {self._finalists[at]: explanation for at, explanation in given.items()}
        return [
            msgspec.structs.replace(found[place], reasons=explained[place][0], against=explained[place][1])
            if place in explained
            else found[place]
            for place in order
        ]

    def _wins(self, playouts: Playouts, place: int) -> float:
        return playouts.value(place, self._seat).wins

    def _score(self, playouts: Playouts, place: int) -> float:
        return playouts.value(place, self._seat).score
