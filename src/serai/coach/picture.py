"""A review as a picture: chances of victory over the game with what was bad and what was luck; and as short text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from serai.coach.accounts import GREAT_LUCK
from serai.coach.review import Account, Decision, Review, Step
from serai.core.drawing import (
    HEAD,
    INK_SOFT,
    LOSS,
    SERIF,
    Box,
    Cell,
    Column,
    circle,
    path,
    picture,
    polyline,
    rect,
    seat_colour,
    share_lines,
    shortened,
    table,
    table_height,
    text,
    told,
)

_MARGIN: Final = 18
_WIDTH: Final = 860
_CHART: Final = Box(_MARGIN + 50, 92, _WIDTH - 2 * _MARGIN - 50, 210)
_ACCOUNTS: Final = (
    Column("per cent of a victory", 164, "start"),
    *(Column(title, 80) for title in ("at first", "own", "others'", "luck", "revealed", "result", "no luck")),
    Column("plays like", 100),
)
_MISTAKES: Final = (
    Column("mistakes, the worst first", 300, "start"),
    Column("loss", 110),
    Column("", 90),
    Column("better", 324, "start"),
)
_TOLD: Final = 6
"""Mistakes that are shown, the worst."""


def mistaken(step: Step, seat: int) -> bool:
    """Whether that seat did worse than fine there."""
    decision = step.decision
    return decision is not None and decision.seat == seat and decision.counts and decision.verdict != "fine"


def draw_review(review: Review) -> str:
    """The course of the game, the accounts, and the worst mistakes."""
    drawn = [
        text(_MARGIN, 29, f"{review.game}: chances of victory", 18, fill=HEAD, bold=True, font=SERIF),
        text(_MARGIN, 48, f"{how_judged(review)}; ▼ a mistake, ● great luck or bad", 14, fill=INK_SOFT),
        share_lines(_CHART),
    ]
    for place, seat in enumerate(review.seats):
        drawn += _line(review, place, seat)
    top = _CHART.up(0) + 16
    drawn.append(table(_MARGIN, top, _ACCOUNTS, [_account(review, one) for one in review.accounts]))
    top += table_height(len(review.accounts)) + 12
    worst = _mistakes(review)
    if worst:
        drawn.append(table(_MARGIN, top, _MISTAKES, [_mistake(review, *one) for one in worst[:_TOLD]]))
        top += table_height(min(len(worst), _TOLD))
    else:
        drawn.append(text(_MARGIN, top + 16, "No decision lost anything to speak of.", 14))
        top += 20
    return picture(_WIDTH, top + _MARGIN, *drawn, title=f"Review of a game of {review.game}, {how_judged(review)}")


def brief_review(review: Review) -> str:
    """A line for each seat, and the worst mistakes."""
    width = max(len(review.names[seat]) for seat in review.seats)
    lines = [f"review of a game of {review.game}, {how_judged(review)}, in per cent of a victory"]
    for account in review.accounts:
        wins = account.wins
        lines.append(
            f"{review.names[account.seat]:{width}}  {100 * wins.first:5.1f} at first, {100 * wins.own:+6.1f} own,"
            f" {100 * wins.others:+6.1f} others', {100 * wins.chance:+6.1f} luck, {100 * wins.revealed:+6.1f} revealed"
            f" = {100 * wins.final:5.1f}; plays like {account.plays_like or '?'}"
        )
    for step, decision in _mistakes(review)[:_TOLD]:
        said = f"{step.ply + 1} {review.names[decision.seat]}: {step.action}"
        loss = f"-{100 * decision.loss:.1f} ± {100 * decision.error:.1f}"
        lines.append(f"{said}  {loss} ({decision.verdict}); better: {decision.alternatives[0].action}")
    return "\n".join(lines)


def how_judged(review: Review) -> str:
    """By what, and of a game that is too long, how much of it."""
    by = "with all cards open" if review.open else "by what each seat knew"
    return f"judged {by}" if review.judged == 1 else f"{review.judged:.0%} of the decisions, drawn by lot, judged {by}"


def _mistakes(review: Review) -> list[tuple[Step, Decision]]:
    found = [(step, step.decision) for step in review.steps if step.decision is not None]
    bad = [(step, decision) for step, decision in found if mistaken(step, decision.seat)]
    return sorted(bad, key=lambda one: (-one[1].loss, one[0].ply))


def _line(review: Review, place: int, seat: int) -> Iterator[str]:
    colour, name = seat_colour(seat), review.names[seat]
    final = review.accounts[place].wins.final
    shares = [review.start[place].wins, *(step.worths[place].wins for step in review.steps), final]
    ends = len(review.steps) + 1
    yield told(polyline([(_CHART.across(at / ends), _CHART.up(one)) for at, one in enumerate(shares)], colour), by=name)
    for at, step in enumerate(review.steps, start=1):
        x, y = _CHART.across(at / ends), _CHART.up(step.worths[place].wins)
        if mistaken(step, seat):
            mark = path(f"M{x - 5:.1f} {y - 14:.1f}h10l-5 9z", fill=colour)
            yield told(mark, by=f"{step.ply + 1} {name}: {step.action}")
        if step.actor is None and abs(step.wins[place]) >= GREAT_LUCK:
            yield told(circle(x, y, 4, fill=colour), by=f"{step.action}: {name} {100 * step.wins[place]:+.1f}")
    x = _MARGIN + place * (_WIDTH - 2 * _MARGIN) / len(review.seats)
    yield rect(x, 64, 12, 12, rx=3, fill=colour)
    yield text(x + 18, 75, shortened(name, 100 // len(review.seats)), 14)


def _account(review: Review, account: Account) -> list[str | Cell]:
    wins = account.wins
    changes = [f"{100 * change:+.1f}" for change in (wins.own, wins.others, wins.chance, wins.revealed)]
    ends = [f"{100 * share:.1f}" for share in (wins.final, account.adjusted)]
    name = Cell(shortened(review.names[account.seat], 18), bold=True, fill=seat_colour(account.seat))
    return [name, f"{100 * wins.first:.1f}", *changes, *ends, account.plays_like or "–"]


def _mistake(review: Review, step: Step, decision: Decision) -> list[str | Cell]:
    return [
        shortened(f"{step.ply + 1}  {review.names[decision.seat]}: {step.action}", 36),
        Cell(f"{100 * decision.loss:.1f} ± {100 * decision.error:.1f}", fill=LOSS),
        decision.verdict,
        shortened(decision.alternatives[0].action, 40),
    ]
