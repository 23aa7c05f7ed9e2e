"""A review as one HTML file: the chances of victory over the game, its mistakes and its luck. No script, no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from serai.coach.accounts import GREAT_LUCK
from serai.coach.picture import how_judged, mistaken
from serai.coach.review import Account, Review, Step

_WIDTH: Final = 960
_HEIGHT: Final = 320
_LEFT: Final = 40
_COLOURS: Final = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#e08a00", "#17a2b8", "#b0428a", "#7a6a2f")
_STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem }
svg { width: 100%; min-width: 40rem; height: auto }
svg text { fill: currentColor; font-size: 12px }
.grid { stroke: currentColor; opacity: .2 }
.scroll { overflow-x: auto }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { padding: .25rem .75rem; text-align: right; border-bottom: 1px solid #8884; vertical-align: top }
th:first-child, td:first-child { text-align: left }
small { opacity: .75 }
"""


def page(review: Review) -> str:
    """The whole file."""
    made = f"evaluator {review.evaluator}, effort {review.effort}, seed {review.seed}"
    body = "\n".join(
        [
            f"<h1>{escape(review.game)}</h1>",
            f"<p>Chances of victory, {how_judged(review)}. ▼ a mistake, ● great luck or bad.</p>",
            _chart(review),
            "<h2>Where results came from</h2>",
            _accounts(review),
            "<h2>Mistakes</h2>",
            _mistakes(review),
            "<h2>Luck</h2>",
            _luck(review),
            f"<p><small>{escape(made)}; figures are per cent of a victory</small></p>",
        ]
    )
    head = (
        f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(review.game)}</title>'
    )
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
    )


def lucky(step: Step) -> bool:
    """Whether a draw deserves a mark."""
    return step.actor is None and max(map(abs, step.wins)) >= GREAT_LUCK


# -- the chart ---------------------------------------------------------------------------------------------------------


def _chart(review: Review) -> str:
    box = f"0 0 {_WIDTH} {_HEIGHT + 30}"
    parts = [f'<div class="scroll"><svg viewBox="{box}" role="img" aria-label="chances of victory over the game">']
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent / 100)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="0" y="{y + 4:.1f}">{percent} %</text>')
    for place, seat in enumerate(review.seats):
        parts += _line(review, place, seat)
    parts.append("</svg></div>")
    return "\n".join(parts)


def _line(review: Review, place: int, seat: int) -> Iterator[str]:
    colour = _COLOURS[seat % len(_COLOURS)]
    final = review.accounts[place].wins.final
    shares = [review.start[place].wins, *(step.worths[place].wins for step in review.steps), final]
    points = " ".join(f"{_x(review, at):.1f},{_y(share):.1f}" for at, share in enumerate(shares))
    name = escape(review.names[seat])
    yield f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{points}"><title>{name}</title></polyline>'
    for at, step in enumerate(review.steps, start=1):
        x, y = _x(review, at), _y(step.worths[place].wins)
        if mistaken(step, seat):
            yield (
                f'<path fill="{colour}" d="M{x - 5:.1f},{y - 14:.1f}h10l-5,9z"><title>{name}: {escape(step.action)}'
                f"</title></path>"
            )
        if step.actor is None and abs(step.wins[place]) >= GREAT_LUCK:
            yield (
                f'<circle fill="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="4"><title>{escape(step.action)}: {name}'
                f" {100 * step.wins[place]:+.1f}</title></circle>"
            )
    x = _LEFT + place * (_WIDTH - _LEFT) / len(review.seats)
    yield f'<rect fill="{colour}" x="{x:.1f}" y="{_HEIGHT + 14}" width="12" height="12"/>'
    yield f'<text x="{x + 18:.1f}" y="{_HEIGHT + 24}">{name}</text>'


def _x(review: Review, at: int) -> float:
    return _LEFT + (_WIDTH - _LEFT) * at / (len(review.steps) + 1)


def _y(share: float) -> float:
    return 5 + (_HEIGHT - 10) * (1 - share)


# -- tables ------------------------------------------------------------------------------------------------------------


def _accounts(review: Review) -> str:
    titles = ("seat", "first", "own decisions", "others'", "luck", "revealed", "result", "without luck")
    return _table((*titles, "error rate", "plays like"), [_accounted(review, one) for one in review.accounts])


def _accounted(review: Review, account: Account) -> list[str]:
    wins = account.wins
    changes = [f"{100 * change:+.1f}" for change in (wins.own, wins.others, wins.chance, wins.revealed)]
    ends = [f"{100 * share:.1f}" for share in (wins.final, account.adjusted)]
    told = [account.total.told, account.plays_like or "–"]
    return [review.names[account.seat], f"{100 * wins.first:.1f}", *changes, *ends, *told]


def _mistakes(review: Review) -> str:
    rows = []
    for step in review.steps:
        decision = step.decision
        if decision is not None and mistaken(step, decision.seat):
            best = decision.alternatives[0]
            why = " · ".join(map(str, best.reasons))
            loss = f"{100 * decision.loss:.1f} ± {100 * decision.error:.1f}"
            rows.append(
                [
                    f"{step.ply + 1} {review.names[decision.seat]}: {step.action}",
                    loss,
                    decision.verdict,
                    best.action,
                    why,
                ]
            )
    return _table(("decision", "loss", "", "better", "why"), rows) if rows else "<p>None to speak of.</p>"


def _luck(review: Review) -> str:
    rows = [
        [f"{step.ply + 1} {step.action}", *(f"{100 * change:+.1f}" for change in step.wins)]
        for step in review.steps
        if lucky(step)
    ]
    titles = ("draw", *(review.names[seat] for seat in review.seats))
    return _table(titles, rows) if rows else "<p>No draw changed much.</p>"


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'
