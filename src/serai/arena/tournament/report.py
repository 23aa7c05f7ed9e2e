"""The report of a tournament: JSON, CSV, and one HTML page with charts."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import msgspec

from serai.arena.tournament.archive import Archive
from serai.arena.tournament.description import Stop, Tournament
from serai.arena.tournament.luck import Adjusted, Estimate, adjusted_of
from serai.arena.tournament.standings import Standing, Standings, standings_of
from serai.core.arguments import MAX_PLIES
from serai.drawing import ACCENT, EDGE, HEAD, INK, at, circle, picture, polyline, rect, shortened, text, titled
from serai.processes.sandbox import IN_WORDS, Walls


class FaultReport(msgspec.Struct, frozen=True):
    """One kind of failure of one entrant: how often, and the first game with it."""

    bot: str
    reason: str
    count: int
    game: str
    seat: int
    ply: int


class Report(msgspec.Struct, frozen=True):
    """Everything about a tournament, as it is written as JSON."""

    tournament: Tournament
    stop: Stop
    finished: bool
    commitment: str
    """The SHA-256 of the secret that determines all dice."""
    secret: str | None
    """The secret itself: only after the end, or if it is a seed that somebody chose."""
    seconds: float
    standings: Standings
    faults: tuple[FaultReport, ...]
    walls: dict[str, Walls]
    """By name of each entrant that is not part of Serai: the least that guarded it in any game."""
    adjusted: Adjusted | None = None
    """The standings without luck, if luck was judged."""


def report_of(archive: Archive) -> Report:
    """The report so far."""
    return Report(
        tournament=archive.tournament,
        stop=archive.stop,
        finished=archive.finished,
        commitment=archive.commitment,
        secret=archive.secret if archive.finished or archive.seeded else None,
        seconds=archive.seconds,
        standings=standings_of(archive),
        faults=_faults(archive),
        walls=archive.walls,
        adjusted=adjusted_of(archive) if archive.evaluator else None,
    )


def as_csv(report: Report) -> str:
    """The standings, a line per entrant; with columns without luck, if luck was judged."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    without = {} if report.adjusted is None else {one.name: one for one in report.adjusted.entrants}
    figures = ("adjusted_rating", "adjusted_wins") if without else ()
    extra = [f"{figure}{part}" for figure in figures for part in ("", "_low", "_high")]
    writer.writerow([*Standing.__struct_fields__, *extra])
    for one in report.standings.entrants:
        estimates = [msgspec.structs.astuple(getattr(without[one.name], figure)) for figure in figures]
        writer.writerow([*msgspec.structs.astuple(one), *(number for estimate in estimates for number in estimate)])
    return text.getvalue()


def as_page(report: Report) -> str:
    """One self-contained HTML file."""
    tournament, standings = report.tournament, report.standings
    title = f"{tournament.game}: {', '.join(one.name for one in standings.entrants)}"
    scale = f"{tournament.anchor} is 1500" if tournament.anchor else "the mean is 1500"
    seed = f"seed {report.secret}" if report.secret is not None else "the seed is shown at the end"
    about = (
        f"{standings.games:,} games of {tournament.seats} in {standings.groups:,} groups with equal dice; "
        f"rules {escape(tournament.rules)}, {'finished' if report.finished else 'not finished yet'}. "
        f"Ratings are Plackett–Luce by {tournament.rank}, {escape(scale)}; intervals: 95 %."
    )
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{about}</p>",
        _html_table(_HEADS, map(_standing, standings.entrants)),
        *([] if report.adjusted is None else ["<h2>Without luck</h2>", _adjusted(report.adjusted)]),
        "<h2>Ratings</h2>",
        rating_bars(standings.entrants),
        "<h2>Who comes in before whom</h2>",
        who_beats_whom([one.name for one in standings.entrants], standings.beats),
    ]
    if any(one.microseconds for one in standings.entrants):
        parts += ["<h2>Strength and thinking time</h2>", against_time(standings.entrants)]
    parts.append("<h2>Seats</h2>" + _seats(standings))
    if standings.truncated:
        parts.append(
            f"<p>{standings.truncated:,} games were cut short after {MAX_PLIES:,} actions and count as they stood.</p>"
        )
    if report.faults:
        parts.append("<h2>Faults</h2><ul>" + "".join(_fault(fault) for fault in report.faults) + "</ul>")
    if report.walls:
        played = "; ".join(f"{escape(name)} played {IN_WORDS[walls]}" for name, walls in report.walls.items())
        parts.append(f"<p>{played}.</p>")
    parts.append(f"<p>Dice: commitment <code>{report.commitment}</code>; {escape(seed)}.</p>")
    return _PAGE.format(title=escape(title), body="\n".join(parts))


def duration(microseconds: float | None) -> str:
    """A thinking time as text."""
    if microseconds is None:
        return "–"
    if microseconds < 1000:
        return f"{microseconds:.3g} µs"
    return f"{microseconds / 1000:.3g} ms" if microseconds < 1e6 else f"{microseconds / 1e6:.3g} s"


def _faults(archive: Archive) -> tuple[FaultReport, ...]:
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for lineup, number, fault in archive.faults():
        first = {"game": f"{lineup}/{number}", "seat": fault.seat, "ply": fault.ply, "count": 0}
        found.setdefault((fault.bot, fault.reason), first)["count"] += 1
    return tuple(FaultReport(bot, reason, **first) for (bot, reason), first in found.items())


def _html_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    def line(cells: Sequence[str], kind: str) -> str:
        return "<tr>" + "".join(f"<{kind}>{cell}</{kind}>" for cell in cells) + "</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f"<table><thead>{line(heads, 'th')}</thead><tbody>{body}</tbody></table>"


_HEADS = (
    "",
    "entrant",
    "rating",
    "95 %",
    "better than the next",
    "games",
    "wins",
    "place",
    "score",
    "a decision",
    "faults",
)


def _standing(one: Standing) -> tuple[str, ...]:
    return (
        f"{one.place}",
        escape(one.name),
        f"{one.rating:.0f}",
        f"{one.low:.0f} to {one.high:.0f}",
        "" if one.better is None else f"{100 * one.better:.1f} %",
        f"{one.games:,}",
        f"{100 * one.wins:.1f} %",
        f"{one.mean_place:.2f}",
        f"{one.score:.2f}",
        duration(one.microseconds),
        f"{one.faults}",
    )


def _adjusted(adjusted: Adjusted) -> str:
    heads = ("", "entrant", "rating", "95 %", "without luck", "95 %", "wins", "95 %", "without luck", "95 %")
    rows = [
        (
            f"{place}",
            escape(one.name),
            *(cell for rating in (one.rating, one.adjusted_rating) for cell in points(rating)),
            *(cell for share in (one.wins, one.adjusted_wins) for cell in percentages(share)),
        )
        for place, one in enumerate(adjusted.entrants, start=1)
    ]
    about = f"By the {adjusted.games:,} games whose draws the coach has judged ({escape(adjusted.evaluator)})."
    return f"<p>{about}</p>{_html_table(heads, rows)}"


def points(rating: Estimate) -> tuple[str, str]:
    """A rating and its interval as text."""
    return f"{rating.mean:.0f}", f"{rating.low:.0f} to {rating.high:.0f}"


def percentages(share: Estimate) -> tuple[str, str]:
    """A share of victory and its interval as text."""
    return f"{100 * share.mean:.1f} %", f"{100 * share.low:.1f} to {100 * share.high:.1f}"


def _seats(standings: Standings) -> str:
    rows = [
        (f"{seat}", f"{100 * share.share:.1f} %", f"{100 * share.low:.1f} to {100 * share.high:.1f}")
        for seat, share in enumerate(standings.seats)
    ]
    return _html_table(("seat", "wins", "95 %"), rows)


def _fault(fault: FaultReport) -> str:
    where = f"first in game {fault.game}, ply {fault.ply}, seat {fault.seat}"
    return f"<li>{escape(fault.bot)} {escape(fault.reason)}: {fault.count} ×, {where}</li>"


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: #2b2118; background: #fbf6ec; margin: 2rem auto; max-width: 70rem;
  padding: 0 1rem; }}
h1 {{ font-size: 1.5rem; }} h2 {{ font-size: 1.15rem; margin-top: 2rem; }}
table {{ border-collapse: collapse; display: block; overflow-x: auto; }}
th, td {{ padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #d9cdb8; white-space: nowrap; }}
th:nth-child(2), td:nth-child(2) {{ text-align: left; }}
svg {{ max-width: 100%; height: auto; }} code {{ overflow-wrap: anywhere; }}
</style></head><body>
{body}
</body></html>
"""


# -- charts ------------------------------------------------------------------------------------------------------------

_WIDTH, _LEFT, _RIGHT, _LINE = 860, 170, 40, 28


def rating_bars(entrants: Sequence[Standing]) -> str:
    """A dot per entrant, with its interval."""
    scale = _Scale(min(one.low for one in entrants), max(one.high for one in entrants), _LEFT, _WIDTH - _RIGHT)
    height = _LINE * len(entrants) + 40
    parts = [text(scale.at(tick), height - 8, f"{tick:.0f}", anchor="middle") for tick in scale.ticks()]
    parts += [polyline([(scale.at(tick), 6), (scale.at(tick), height - 26)], EDGE, 1) for tick in scale.ticks()]
    for row, one in enumerate(entrants):
        y = 20 + _LINE * row
        parts.append(_name(_LEFT - 12, y + 5, one.name))
        parts.append(polyline([(scale.at(one.low), y), (scale.at(one.high), y)], HEAD, 3))
        parts.append(_dot(scale.at(one.rating), y, f"{one.name}: {one.rating:.0f} ({one.low:.0f} to {one.high:.0f})"))
    return picture(_WIDTH, height, *parts, title="Ratings with their 95 % intervals")


def who_beats_whom(names: Sequence[str], beats: Sequence[Sequence[float | None]]) -> str:
    """A square for every two: the part of their games in which the one on the left came in before the one on top."""
    size = min(64, (_WIDTH - _LEFT - _RIGHT) // len(names))
    top, parts = 96, []
    for column, name in enumerate(names):
        x = _LEFT + size * column + size / 2
        parts.append(at(x, top - 8, text(0, 0, shortened(name, 20)), turned=-35))
    for row, name in enumerate(names):
        y = top + size * row
        parts.append(_name(_LEFT - 12, y + size / 2 + 5, name))
        for column, share in enumerate(beats[row]):
            if share is None:
                continue
            strength = abs(share - 0.5) * 1.7 + 0.06
            colour = HEAD if share >= 0.5 else ACCENT
            x = _LEFT + size * column
            square = rect(x, y, size - 2, size - 2, fill=colour, fill_opacity=min(1, strength))
            ink = "#fff" if strength > 0.5 else INK
            number = text(x + size / 2 - 1, y + size / 2 + 5, f"{100 * share:.0f}", anchor="middle", fill=ink)
            parts.append(titled(square, number, by=f"{name} before {names[column]}: {100 * share:.1f} %"))
    title = "Who comes in before whom, in per cent of their games"
    return picture(_WIDTH, top + size * len(names) + 10, *parts, title=title)


def against_time(entrants: Sequence[Standing]) -> str:
    """Rating over the time for a decision, in powers of ten."""
    timed = [(one, math.log10(one.microseconds)) for one in entrants if one.microseconds]
    height, bottom = 360, 320
    across = _Scale(
        math.floor(min(power for _, power in timed)), math.ceil(max(power for _, power in timed)), 70, _WIDTH - 120
    )
    up = _Scale(min(one.rating for one, _ in timed), max(one.rating for one, _ in timed), bottom - 20, 24)
    parts = [polyline([(70, 10), (70, bottom), (_WIDTH - 40, bottom)], INK, 1)]
    decades = range(int(across.low), int(across.high) + 1)
    parts += [text(across.at(power), bottom + 20, _microseconds(power), anchor="middle") for power in decades]
    parts += [_name(62, up.at(tick) + 5, f"{tick:.0f}") for tick in up.ticks()]
    for one, power in timed:
        x, y = across.at(power), up.at(one.rating)
        parts.append(_dot(x, y, f"{one.name}: {one.rating:.0f}, {one.microseconds:.0f} µs"))
        parts.append(text(x + 9, y + 5, shortened(one.name, 20)))
    return picture(_WIDTH, height, *parts, title="Rating over thinking time for a decision")


class _Scale:
    """A scale along a line of the picture."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high = low, max(high, low + 1)
        self._start, self._end = start, end

    def at(self, value: float) -> float:
        return self._start + (value - self.low) / (self.high - self.low) * (self._end - self._start)

    def ticks(self) -> list[float]:
        """About five round numbers."""
        rough = (self.high - self.low) / 5
        power = 10 ** math.floor(math.log10(rough))
        step = next(size * power for size in (1, 2, 5, 10) if size * power >= rough)
        first = math.ceil(self.low / step)
        return [place * step for place in range(first, math.floor(self.high / step) + 1)]


def _name(x: float, y: float, name: str) -> str:
    return text(x, y, shortened(name, 20), anchor="end")


def _dot(x: float, y: float, said: str) -> str:
    return titled(circle(x, y, 5.5, fill=HEAD), by=said)


def _microseconds(power: int) -> str:
    unit, left = ("µs", power) if power < 3 else ("ms", power - 3) if power < 6 else ("s", power - 6)
    return f"{10.0**left:g} {unit}"
