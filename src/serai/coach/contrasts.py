"""Why one action is better than another: their playouts compared by where the difference comes from.

Both actions have the same playouts, so a difference is what follows from them. The game counts what each seat gets by
*parts* (leg tiles, race cards …) and says what a pound or point more is worth there. The largest contrasts become the
reasons; what speaks for the other action is told only where the causes outweigh it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Final

import msgspec

from serai.core.game import State
from serai.core.parts import Coach, Contrast, Reason
from serai.core.rollouts import Playouts

SURE: Final = 2.0
"""Standard errors: a smaller difference counts as none."""
NOTHING_AT_STAKE: Final = 0.01
"""A decision whose best and worst action are closer than this does not count."""
EVEN: Final = "coach.even"
"""Two actions between which playouts see no difference."""
MANY: Final = "coach.many"
"""A difference that no part explains by itself."""
BIGGEST: Final = "coach.biggest"
"""The same, followed by its biggest parts."""
DECISIVE: Final = "coach.decisive"
"""What pays little on average may pay when it decides the game; and the other way round."""
_NAMED: Final = 2
"""How many parts of a difference are named that nothing explains by itself."""
MOST: Final = 3
"""How many reasons are told."""
CAUSE: Final = 0.2
"""The least share of the whole difference that a cause brings."""
ENOUGH: Final = 0.7
"""Causes that explain this share need no further ones."""
CONCEDED: Final = 0.3
"""What speaks for the other action is told if it is worth at least this share of the whole difference."""
ALONE: Final = 0.6
"""One of several that brings this share of a sum is told by itself."""


def contrasts(coach: Coach, playouts: Playouts, seat: int, place: int, rival: int) -> list[Contrast]:
    """Every part of the difference between two actions (by their places), by the seat that gets it.

    The amounts of a seat in parts that are score add up to the difference of its mean scores.
    """
    amounts = (playouts.parts[place] - playouts.parts[rival]).mean(axis=0, dtype=float)
    worths = coach.worths(playouts, seat, place, rival)
    found: list[Contrast] = []
    for group in coach.parts:
        items = group.items or tuple((place,) for place in group.places)
        for other in range(len(amounts)):
            shares = [
                (float(amounts[other, list(item)].sum()), float(worths[other, list(item)].sum()), item[-1])
                for item in items
            ]
            found += _by_what_stands_out(group.name, other, shares)
    return sorted(found, key=lambda one: one.rest)


def _by_what_stands_out(part: str, seat: int, shares: Sequence[tuple[float, float, int]]) -> Iterator[Contrast]:
    """One thing by itself if it brings most of this part, and what is left; else all together.

    ``shares`` are amounts, worths and places.
    """
    amount, worth = sum(share[0] for share in shares), sum(share[1] for share in shares)
    sign = 1 if amount > 0 else -1
    made_of = tuple((at, value) for value, _, at in shares if value)
    front, its_worth, place = max(shares, key=lambda share: sign * share[0])
    if sign * front <= 0 or abs(front) < ALONE * abs(amount):
        yield Contrast(part, (seat,), amount, worth, None, shares=made_of)
        return
    yield Contrast(part, (seat,), front, its_worth, place, shares=((place, front),))
    if left := tuple(share for share in made_of if share[0] != place):
        detail = left[0][0] if len(left) == 1 else None
        yield Contrast(part, (seat,), amount - front, worth - its_worth, detail, rest=True, shares=left)


Explanation = tuple[tuple[Reason, ...], str]
"""Reasons, and the action that they compare it with; empty where they compare nothing."""


def explanations(
    coach: Coach,
    view: State,
    playouts: Playouts,
    seat: int,
    ranked: Sequence[int],
    lead: Callable[[int, int], tuple[float, float]],
    *,
    chosen: int | None = None,
    points: float | None = None,
) -> dict[int, Explanation]:
    """By action, ranked by their places in the playouts: why it is better or worse than another.

    That is the best; for the best the ``chosen`` one, or else the first that is clearly worse. ``lead`` tells by how
    much the best is better than another, and the standard error. With ``points``, these are points, so many of which
    weigh as much as a victory.
    """
    if playouts.parts is None:
        given = coach.reasons(view, [playouts.actions[place] for place in ranked])
        return {place: (reasons, "") for place, reasons in zip(ranked, given, strict=True)}
    comparison = _Comparison(coach, view, playouts, seat, ranked, lead, points)
    return {place: comparison.explain(place, chosen) for place in ranked}


class _Comparison:
    """Actions, and what to compare them by."""

    def __init__(
        self,
        coach: Coach,
        view: State,
        playouts: Playouts,
        seat: int,
        ranked: Sequence[int],
        lead: Callable[[int, int], tuple[float, float]],
        points: float | None,
    ) -> None:
        self._coach, self._view, self._playouts, self._seat = coach, view, playouts, seat
        self._ranked, self._lead, self._points = ranked, lead, points

    def explain(self, place: int, chosen: int | None) -> Explanation:
        best, *others = self._ranked
        if not others:
            return (), ""
        if place != best:
            rival, gap = best, -self._clear_lead(best, place)
        else:
            first = [chosen] if chosen is not None and chosen != best else []
            rival = next((other for other in (*first, *others) if self._clear_lead(best, other)), (*first, *others)[0])
            gap = self._clear_lead(best, rival)
        reasons = self._reasons(place, rival, gap)
        if gap > 0:
            reasons = (*reasons, *self._beside(place, rival, chosen, reasons))
        return reasons, str(self._playouts.actions[rival])

    def _beside(self, best: int, rival: int, chosen: int | None, reasons: Sequence[Reason]) -> Iterator[Reason]:
        """What is told of both actions beside what tells them apart."""
        if rival == chosen and (played := self._coach.instead(self._view, self._playouts, rival, reasons)) is not None:
            yield played
        if (plan := self._coach.follow_up(self._view, self._playouts, best, chosen)) is not None:
            yield plan

    def _clear_lead(self, best: int, other: int) -> float:
        """By how much the best is better, in shares of victory; 0 where that is not sure."""
        lead, error = self._lead(best, other)
        scale = self._points or 1.0
        return lead / scale if lead / scale >= max(SURE * error / scale, NOTHING_AT_STAKE) else 0.0

    def _reasons(self, place: int, rival: int, gap: float) -> tuple[Reason, ...]:
        if not gap:
            return (Reason(EVEN, {}),)
        sign = 1 if gap > 0 else -1
        ranked = sorted(self._told(place, rival), key=lambda reason: -sign * reason.weight)
        causes: list[Reason] = []
        for reason in ranked[:MOST]:
            explained, more = sign * _weight(causes) / abs(gap), sign * reason.weight / abs(gap)
            if more < CAUSE or (explained >= ENOUGH and more < ENOUGH / 2):
                break
            causes.append(reason)
        if all(map(self._coach.aside, causes)):
            telling = [one for one in ranked if not self._coach.aside(one)]
            causes = [*causes[: MOST - 1], *(one for one in telling[:1] if sign * one.weight >= CAUSE * abs(gap))]
        causes.sort(key=self._coach.aside)
        if not causes or self._coach.aside(causes[0]):
            return _of_many([reason for reason in ranked[:_NAMED] if sign * reason.weight > 0])
        against, kept = ranked[-1], causes[: MOST - 1]
        if -sign * against.weight >= CONCEDED * abs(gap) and sign * (_weight(kept) + against.weight) > 0:
            return (*kept, against)
        return tuple(causes)

    def _told(self, place: int, rival: int) -> Iterator[Reason]:
        found = contrasts(self._coach, self._playouts, self._seat, place, rival)
        scored = {group.name for group in self._coach.parts if group.score}
        if self._points is not None:  # then the seat's own points are all that counts
            own = [one for one in found if one.seats == (self._seat,) and one.part in scored]
            found = [one._replace(worth=one.amount / self._points) for one in own]
        beside = 0.0
        for contrast in _merged(found, self._seat):
            pays = contrast.worth * contrast.amount * (1 if contrast.seats == (self._seat,) else -1)
            if pays < 0 and contrast.part in scored:
                beside += contrast.worth
            elif (reason := self._coach.told(self._view, contrast, self._playouts, place, rival)) is not None:
                yield _weighed(reason, contrast.worth)
        if beside:
            yield _weighed(Reason(f"{DECISIVE}_{'more' if beside > 0 else 'less'}", {}), beside)


def _of_many(parts: Sequence[Reason]) -> tuple[Reason, ...]:
    """That nothing explains it by itself, and the biggest parts, where there are two to name."""
    return (Reason(BIGGEST, {}), *parts) if len(parts) == _NAMED else (Reason(MANY, {}),)


def _weighed(reason: Reason, worth: float) -> Reason:
    return msgspec.structs.replace(reason, weight=round(worth, 4))


def _weight(reasons: Sequence[Reason]) -> float:
    return sum(reason.weight for reason in reasons)


def _merged(found: Sequence[Contrast], seat: int) -> Iterator[Contrast]:
    """The same, with the others' shares of a part as one where no single rival stands out."""
    for (_, rest), same in groupby(found, key=lambda contrast: (contrast.part, contrast.rest)):
        others = []
        for contrast in same:
            if contrast.seats == (seat,):
                yield contrast
            else:
                others.append(contrast)
        total = sum(one.worth for one in others)
        alike = all(one.worth * total >= 0 for one in others)
        if len(others) > 1 and alike and max(abs(one.worth) for one in others) < ALONE * abs(total):
            details = {one.detail for one in others}
            detail = details.pop() if len(details) == 1 else None
            rivals = tuple(one.seats[0] for one in others)
            shares = tuple(share for one in others for share in one.shares)
            yield Contrast(others[0].part, rivals, sum(one.amount for one in others), total, detail, rest, shares)
        else:
            yield from others
