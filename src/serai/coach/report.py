"""A review in short text, as a picture (SVG), and as one HTML page without scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from serai import drawing
from serai.coach.decisions import Alternative, Decision
from serai.coach.review import GREAT_LUCK, Account, Review, Step
from serai.core.parts import Reason
from serai.drawing import INK_SOFT, LOSS, Box, Cell, Column, shortened, text

_MARGIN: Final = 18
_WIDTH: Final = 860
_CHART: Final = Box(_MARGIN + 50, 92, _WIDTH - 2 * _MARGIN - 50, 210)
_BALANCE: Final = ("at first", "own", "others'", "luck", "revealed", "result", "no luck")
_ACCOUNTS: Final = (
    Column("per cent of a victory", 164, "start"),
    *(Column(title, 80) for title in _BALANCE),
    Column("plays like", 100),
)
_MISTAKES: Final = (
    Column("mistakes, the worst first", 300, "start"),
    Column("loss", 110),
    Column("", 90),
    Column("better", 324, "start"),
)
_SHOWN: Final = 6
"""How many mistakes text and picture show."""
SIGNS: Final = "reasons: + speaks for the better move, − against it"
"""Said once, where reasons are told."""
_STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem }
svg { width: 100%; min-width: 40rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { padding: .25rem .75rem; text-align: right; border-bottom: 1px solid #8884; vertical-align: top }
th:first-child, td:first-child { text-align: left }
small { opacity: .75 }
"""


def brief(review: Review) -> str:
    """A line for each seat, what strikes in its play, and the worst mistakes with their reasons."""
    width = max(len(review.names[seat]) for seat in review.seats)
    lines = [f"review of a game of {review.game}, {how_judged(review)}, in per cent of a victory"]
    for account in review.accounts:
        wins = account.wins
        lines.append(
            f"{review.names[account.seat]:{width}}  {100 * wins.first:5.1f} at first, {100 * wins.own:+6.1f} own,"
            f" {100 * wins.others:+6.1f} others', {100 * wins.chance:+6.1f} luck, {100 * wins.revealed:+6.1f} revealed"
            f" = {100 * wins.final:5.1f}; plays like {account.plays_like or '?'}"
        )
    lines += remarks(review)
    for step, decision in _worst(review)[:_SHOWN]:
        what = f"{step.ply + 1} {review.names[decision.seat]}: {step.action}"
        best = decision.alternatives[0]
        lines.append(f"{what}  -{loss(decision)} ({decision.verdict}); better: {best.action}")
        lines += [f"    {said}" for said in reasons_said(best, review)]
    if _worst(review):
        lines.append(SIGNS)
    return "\n".join(lines)


def picture(review: Review) -> str:
    """The chart, the accounts and the worst mistakes."""
    drawn = _chart(review)
    top = _CHART.up(0) + 16
    drawn.append(drawing.table(_MARGIN, top, _ACCOUNTS, [_account_cells(review, one) for one in review.accounts]))
    top += drawing.table_height(len(review.accounts)) + 12
    worst = _worst(review)[:_SHOWN]
    if worst:
        drawn.append(drawing.table(_MARGIN, top, _MISTAKES, [_mistake_cells(review, *one) for one in worst]))
        top += drawing.table_height(len(worst))
    else:
        drawn.append(text(_MARGIN, top + 16, "No decision lost much.", 14))
        top += 20
    return _framed(review, drawn, top + _MARGIN)


def page(review: Review) -> str:
    """The chart, and tables of the accounts, all mistakes and great luck, as a whole HTML file."""
    head = (
        f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(review.game)}</title>'
    )
    made = f"evaluator {review.evaluator}, effort {review.effort}, seed {review.seed}"
    accounts = [
        [review.names[account.seat], *_figures(account), account.total.percent, account.plays_like or "–"]
        for account in review.accounts
    ]
    mistakes = [
        [
            f"{step.ply + 1} {review.names[decision.seat]}: {step.action}",
            loss(decision),
            decision.verdict,
            decision.alternatives[0].action,
            " · ".join(reasons_said(decision.alternatives[0], review)),
        ]
        for step, decision in sorted(_worst(review), key=lambda mistake: mistake[0].ply)
    ]
    luck = [
        [f"{step.ply + 1} {step.action}", *(f"{100 * change:+.1f}" for change in step.wins)]
        for step in review.steps
        if step.actor is None and max(map(abs, step.wins)) >= GREAT_LUCK
    ]
    chart = _framed(review, _chart(review), _CHART.up(0) + _MARGIN)
    chart = chart.replace(
        ' xmlns="http://www.w3.org/2000/svg"', ""
    )  # not needed in HTML, and the page names no address
    body = (
        f'<div class="scroll">{chart}</div>',
        "<h2>Where results came from</h2>",
        _html_table(("per cent of a victory", *_BALANCE, "error rate", "plays like"), accounts),
        "<h2>Mistakes</h2>",
        _html_table(("decision", "loss", "", "better", "why"), mistakes) if mistakes else "<p>None.</p>",
        *([f"<p><small>{escape(SIGNS)}</small></p>"] if mistakes else []),
        *(f"<p>{escape(remark)}.</p>" for remark in remarks(review)),
        "<h2>Luck</h2>",
        _html_table(("draw", *(review.names[seat] for seat in review.seats)), luck)
        if luck
        else "<p>No draw changed much.</p>",
        f"<p><small>{escape(made)}; figures are per cent of a victory</small></p>",
    )
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{_STYLE}</style></head>\n<body>\n'
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def how_judged(review: Review) -> str:
    """By what knowledge, and in an overlong game, how much of it."""
    by = "with all cards open" if review.open else "by what each seat knew"
    return f"judged {by}" if review.judged == 1 else f"{review.judged:.0%} of the decisions, drawn by lot, judged {by}"


def is_mistake(step: Step, seat: int) -> bool:
    """Whether this step is a mistake of that seat, and not the same as another one."""
    decision = step.decision
    return decision is not None and decision.seat == seat and decision.verdict != "fine" and not decision.repeated


def loss(decision: Decision) -> str:
    """What a mistake cost: per cent of a victory, or of the score where that was judged."""
    if decision.by_points:
        return f"score {decision.score_loss:.1f} ± {decision.score_error:.1f}"
    return f"{100 * decision.loss:.1f} ± {100 * decision.error:.1f}"


def reasons_said(of: Alternative, review: Review) -> list[str]:
    """Its reasons with the names of the players, and whether each speaks for or against it."""
    return [f"{_sign(reason)}{reason.said(review.names)}" for reason in of.reasons]


def remarks(review: Review) -> list[str]:
    """What there is to say besides single decisions: a sentence for each finding."""
    return [f"{review.names[one.seat]} {one.reason}" for one in review.findings]


# -- details -----------------------------------------------------------------------------------------------------------


def _sign(reason: Reason) -> str:
    return "+ " if reason.weight > 0 else "− " if reason.weight < 0 else ""


def _worst(review: Review) -> list[tuple[Step, Decision]]:
    """All mistakes, the worst first."""
    found = [(step, step.decision) for step in review.steps if step.decision is not None]
    mistakes = [(step, decision) for step, decision in found if is_mistake(step, decision.seat)]
    return sorted(mistakes, key=lambda mistake: (-mistake[1].loss, mistake[0].ply))


def _figures(account: Account) -> list[str]:
    """The columns of ``_BALANCE``."""
    wins = account.wins
    changes = [f"{100 * change:+.1f}" for change in (wins.own, wins.others, wins.chance, wins.revealed)]
    return [f"{100 * wins.first:.1f}", *changes, f"{100 * wins.final:.1f}", f"{100 * account.adjusted:.1f}"]


def _framed(review: Review, drawn: Sequence[str], height: float) -> str:
    return drawing.picture(_WIDTH, height, *drawn, title=f"Review of a game of {review.game}, {how_judged(review)}")


def _chart(review: Review) -> list[str]:
    """The title, and the chances of victory of every seat over the game."""
    drawn = [
        text(_MARGIN, 29, f"{review.game}: chances of victory", 18, fill=drawing.HEAD, bold=True, font=drawing.SERIF),
        text(_MARGIN, 48, f"{how_judged(review)}; ▼ a mistake, ● great luck or bad", 14, fill=INK_SOFT),
        drawing.share_lines(_CHART),
    ]
    for place, seat in enumerate(review.seats):
        drawn += _line(review, place, seat)
    return drawn


def _line(review: Review, place: int, seat: int) -> Iterator[str]:
    colour, name = drawing.seat_colour(seat), review.names[seat]
    final = review.accounts[place].wins.final
    shares = [review.start[place].wins, *(step.worths[place].wins for step in review.steps), final]
    ends = len(review.steps) + 1
    points = [(_CHART.across(at / ends), _CHART.up(share)) for at, share in enumerate(shares)]
    yield drawing.titled(drawing.polyline(points, colour), by=name)
    for (x, y), step in zip(points[1:], review.steps, strict=False):
        if is_mistake(step, seat):
            mark = drawing.path(f"M{x - 5:.1f} {y - 14:.1f}h10l-5 9z", fill=colour)
            yield drawing.titled(mark, by=f"{step.ply + 1} {name}: {step.action}")
        if step.actor is None and abs(step.wins[place]) >= GREAT_LUCK:
            mark = drawing.circle(x, y, 4, fill=colour)
            yield drawing.titled(mark, by=f"{step.action}: {name} {100 * step.wins[place]:+.1f}")
    x = _MARGIN + place * (_WIDTH - 2 * _MARGIN) / len(review.seats)
    yield drawing.rect(x, 64, 12, 12, rx=3, fill=colour)
    yield text(x + 18, 75, shortened(name, 100 // len(review.seats)), 14)


def _account_cells(review: Review, account: Account) -> list[str | Cell]:
    name = Cell(shortened(review.names[account.seat], 18), bold=True, fill=drawing.seat_colour(account.seat))
    return [name, *_figures(account), account.plays_like or "–"]


def _mistake_cells(review: Review, step: Step, decision: Decision) -> list[str | Cell]:
    return [
        shortened(f"{step.ply + 1}  {review.names[decision.seat]}: {step.action}", 36),
        Cell(loss(decision), fill=LOSS),
        decision.verdict,
        shortened(decision.alternatives[0].action, 40),
    ]


def _html_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'
