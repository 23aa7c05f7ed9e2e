"""A seat's game in figures: where its result came from, how much it lost by what kind of decision, and who plays so."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from serai.coach.review import Account, Balance, Decision, Rate, Step, Worth
from serai.core.coaching import Coaching

FEWEST: Final = 5
"""Decisions that counted, before anybody is compared with a level."""
GREAT_LUCK: Final = 0.1
"""A draw that changes a seat's share of victory by so much deserves a mark."""


def account(seat: int, place: int, start: Worth, steps: Sequence[Step], final: Worth, coaching: Coaching) -> Account:
    """The figures of ``seat``, which stands at ``place`` of those by seat."""
    decisions = [step.decision for step in steps if step.decision is not None and step.decision.seat == seat]
    counting = [decision for decision in decisions if decision.counts]
    by_kind: dict[str, list[Decision]] = defaultdict(list)
    for decision in counting:
        by_kind[decision.kind].append(decision)
    total = rate_of(counting, coaching.difficulty)
    last = steps[-1].worths[place] if steps else start
    wins = _balance(seat, [(step.actor, step.wins[place]) for step in steps], start.wins, last.wins, final.wins)
    return Account(
        seat,
        wins,
        _balance(seat, [(step.actor, step.scores[place]) for step in steps], start.score, last.score, final.score),
        {kind: rate_of(some, coaching.difficulty) for kind, some in sorted(by_kind.items())},
        total,
        dict(Counter(decision.verdict for decision in counting)),
        wins.adjusted,
        plays_like(total, coaching.error_rates),
    )


def plays_like(rate: Rate, error_rates: Mapping[str, float]) -> str | None:
    """The level whose error rate is nearest."""
    if rate.decisions < FEWEST or not error_rates:
        return None
    return min(error_rates, key=lambda level: abs(rate.error_rate - error_rates[level]))


def rate_of(decisions: Sequence[Decision], difficulty: float | None) -> Rate:
    """What these decisions came to, in a game that is so hard to those who play on as a rule, if that counts."""
    lost = math.fsum(decision.regret for decision in decisions)
    if difficulty is not None:
        return Rate(len(decisions), lost, math.fsum(each.difficulty for each in decisions) / difficulty / 4)
    best = [decision.alternatives[0].wins for decision in decisions]
    return Rate(len(decisions), lost, math.fsum(share * (1 - share) for share in best))


def _balance(
    seat: int, changes: Sequence[tuple[int | None, float]], first: float, last: float, final: float
) -> Balance:
    """``last`` is what the seat believed in the end, before everything was turned up."""
    own = math.fsum(change for actor, change in changes if actor == seat)
    others = math.fsum(change for actor, change in changes if actor not in (seat, None))
    chance = math.fsum(change for actor, change in changes if actor is None)
    return Balance(first, own, others, chance, final - last, final)
