"""What a tournament tells to programs and people: JSON, CSV, and one page with charts."""

from __future__ import annotations

import csv
import io
from html import escape
from typing import Any

import msgspec

from serai.arena.tournament.adjusting import Adjusted, Estimate, adjusted_of
from serai.arena.tournament.archive import Archive
from serai.arena.tournament.charts import against_time, rating_bars, who_beats_whom
from serai.arena.tournament.description import Stop, Tournament
from serai.arena.tournament.standings import Standing, Standings, standings_of


class FaultReport(msgspec.Struct, frozen=True):
    """One kind of failure of one entrant: how often, and the first game in which to see it."""

    bot: str
    reason: str
    count: int
    game: str
    seat: int
    ply: int


class Report(msgspec.Struct, frozen=True):
    """All that a tournament tells."""

    tournament: Tournament
    stop: Stop
    finished: bool
    commitment: str
    """The SHA-256 of the secret from which all dice follow."""
    secret: str | None
    """The secret itself: only when it is finished, or if it was a seed that somebody chose."""
    seconds: float
    standings: Standings
    faults: tuple[FaultReport, ...]
    adjusted: Adjusted | None = None
    """The standings without luck, where it was asked for."""


def report_of(archive: Archive) -> Report:
    """What there is to tell so far."""
    return Report(
        tournament=archive.tournament,
        stop=archive.stop,
        finished=archive.finished,
        commitment=archive.commitment,
        secret=archive.secret if archive.finished or archive.seeded else None,
        seconds=archive.seconds,
        standings=standings_of(archive),
        faults=_faults(archive),
        adjusted=adjusted_of(archive) if archive.evaluator else None,
    )


def as_csv(report: Report) -> str:
    """The standings, a line per entrant; those without luck behind them, where they were asked for."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    without = {} if report.adjusted is None else {one.name: one for one in report.adjusted.entrants}
    figures = ("adjusted_rating", "adjusted_wins") if without else ()
    extra = [f"{figure}{part}" for figure in figures for part in ("", "_low", "_high")]
    writer.writerow([*Standing.__struct_fields__, *extra])
    for one in report.standings.entrants:
        told = [msgspec.structs.astuple(getattr(without[one.name], figure)) for figure in figures]
        writer.writerow([*msgspec.structs.astuple(one), *(number for estimate in told for number in estimate)])
    return text.getvalue()


def as_page(report: Report) -> str:
    """One HTML file with everything in it; it loads nothing from anywhere."""
    tournament, standings = report.tournament, report.standings
    title = f"{tournament.game}: {', '.join(one.name for one in standings.entrants)}"
    scale = f"{tournament.anchor} is 1500" if tournament.anchor else "the mean is 1500"
    told = f"seed {report.secret}" if report.secret is not None else "its seed is told at the end"
    about = (
        f"{standings.games:,} games of {tournament.seats} in {standings.groups:,} groups with equal dice; "
        f"rules {escape(tournament.rules)}, {'finished' if report.finished else 'not finished yet'}. "
        f"Ratings are Plackett–Luce by {tournament.rank}, {escape(scale)}; intervals: 95 %."
    )
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{about}</p>",
        _table(standings),
        *([] if report.adjusted is None else ["<h2>Without luck</h2>", _adjusted(report.adjusted)]),
        "<h2>Ratings</h2>",
        rating_bars(standings.entrants),
        "<h2>Who comes in before whom</h2>",
        who_beats_whom([one.name for one in standings.entrants], standings.beats),
    ]
    if any(one.microseconds for one in standings.entrants):
        parts += ["<h2>Strength and thinking time</h2>", against_time(standings.entrants)]
    parts.append("<h2>Seats</h2>" + _seats(standings))
    if report.faults:
        parts.append("<h2>Faults</h2><ul>" + "".join(_fault(fault) for fault in report.faults) + "</ul>")
    parts.append(f"<p>Dice: commitment <code>{report.commitment}</code>; {escape(told)}.</p>")
    return _PAGE.format(title=escape(title), body="\n".join(parts))


def duration(microseconds: float | None) -> str:
    """A thinking time for people."""
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
    return tuple(FaultReport(bot, reason, **told) for (bot, reason), told in found.items())


def _table(standings: Standings) -> str:
    heads = ("", "entrant", "rating", "95 %", "better than the next", "games", "wins", "place", "score", "a decision")
    lines = []
    for one in standings.entrants:
        better = "" if one.better is None else f"{100 * one.better:.1f} %"
        cells = (
            f"{one.place}",
            escape(one.name),
            f"{one.rating:.0f}",
            f"{one.low:.0f} to {one.high:.0f}",
            better,
            f"{one.games:,}",
            f"{100 * one.wins:.1f} %",
            f"{one.mean_place:.2f}",
            f"{one.score:.2f}",
            duration(one.microseconds),
            f"{one.faults}",
        )
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{name}</th>" for name in (*heads, "faults"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _adjusted(adjusted: Adjusted) -> str:
    heads = ("", "entrant", "rating", "95 %", "without luck", "95 %", "wins", "95 %", "without luck", "95 %")
    lines = []
    for place, one in enumerate(adjusted.entrants, start=1):
        cells = [f"{place}", escape(one.name)]
        cells += [cell for rating in (one.rating, one.adjusted_rating) for cell in points(rating)]
        cells += [cell for share in (one.wins, one.adjusted_wins) for cell in parts_of_hundred(share)]
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{name}</th>" for name in heads)
    about = f"By the {adjusted.games:,} games whose draws the coach has judged ({escape(adjusted.evaluator)})."
    return f"<p>{about}</p><table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def points(rating: Estimate) -> tuple[str, str]:
    """A rating and its interval for people."""
    return f"{rating.mean:.0f}", f"{rating.low:.0f} to {rating.high:.0f}"


def parts_of_hundred(share: Estimate) -> tuple[str, str]:
    """A share of victory and its interval for people."""
    return f"{100 * share.mean:.1f} %", f"{100 * share.low:.1f} to {100 * share.high:.1f}"


def _seats(standings: Standings) -> str:
    cells = "".join(
        f"<tr><td>{seat}</td><td>{100 * share.share:.1f} %</td>"
        f"<td>{100 * share.low:.1f} to {100 * share.high:.1f}</td></tr>"
        for seat, share in enumerate(standings.seats)
    )
    return f"<table><thead><tr><th>seat</th><th>wins</th><th>95 %</th></tr></thead><tbody>{cells}</tbody></table>"


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
