"""A seat's game in figures: where its result came from, how much it lost by what kind of decision, and who plays so."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
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
        plays_like(total, coaching),
    )


def plays_like(rate: Rate, coaching: Coaching) -> str | None:
    """The level whose losses are nearest."""
    measure, rates = coaching.measure(rate.as_hard, rate.at_stake), coaching.level_rates
    if rate.decisions < FEWEST or measure <= 0 or not rates:
        return None
    return min(rates, key=lambda level: abs(rate.loss / measure - rates[level]))


def rate_of(decisions: Sequence[Decision], difficulty: float) -> Rate:
    """What these decisions came to, in a game that is so hard to those who play on."""
    lost, hard = (
        math.fsum(each) for each in ([one.regret for one in decisions], [one.difficulty for one in decisions])
    )
    chances = [decision.alternatives[0].wins for decision in decisions]
    return Rate(len(decisions), lost, hard / difficulty, math.fsum(4 * share * (1 - share) for share in chances))


def _balance(
    seat: int, changes: Sequence[tuple[int | None, float]], first: float, last: float, final: float
) -> Balance:
    """``last`` is what the seat believed in the end, before everything was turned up."""
    own = math.fsum(change for actor, change in changes if actor == seat)
    others = math.fsum(change for actor, change in changes if actor not in (seat, None))
    chance = math.fsum(change for actor, change in changes if actor is None)
    return Balance(first, own, others, chance, final - last, final)
