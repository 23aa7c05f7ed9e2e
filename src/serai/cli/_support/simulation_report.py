"""What a simulation tells: the report for programs, and its tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from serai.arena.statistics import Side, Summary, around, percent, quantile
from serai.cli._support.tables import headed_table
from serai.core.simulation import Distribution

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_BAR_WIDTH = 24


class FaultReport(msgspec.Struct):
    """One kind of failure of one bot: how often, and where to see the first."""

    bot: str
    reason: str
    count: int
    game: int
    seat: int
    ply: int
    played: str
    record: str


class Report(msgspec.Struct, frozen=True):
    """All that a simulation tells."""

    game: str
    rules: str
    options: dict[str, Any]
    seed: str
    rotate: bool
    paired: bool
    asked: int
    summary: Summary
    faults: tuple[FaultReport, ...]
    seconds: float
    games_per_second: float
    plies_per_second: float
    saved: str | None
    exported: str | None


def print_report(report: Report) -> None:
    """As people read it."""
    from rich.console import Console

    console = Console(highlight=False)
    summary = report.summary
    console.print(f"{summary.games} games of {report.game}, seed {report.seed}", markup=False)
    console.print(_table("bot", summary.bots))
    console.print(_table("seat", summary.seats))
    console.print(_score_table(summary.seats))
    for name, counts in summary.measures.items():
        console.print(_measure_table(name, counts))
    plies = summary.plies
    console.print(
        f"length {around(plies)} plies, {plies.least} to {plies.most}; {summary.ties} shared victories\n"
        f"{report.games_per_second:,.0f} games/s, {report.plies_per_second:,.0f} plies/s in {report.seconds:.1f} s"
        " (intervals: 95 %)"
    )
    if report.saved is not None:
        console.print(f"records in {report.saved}", markup=False, soft_wrap=True)
    if report.exported is not None:
        console.print(f"a line per game in {report.exported}", markup=False, soft_wrap=True)
    _print_faults(console, report.faults)


def _table(what: str, sides: Sequence[Side]) -> Table:
    table = headed_table(what, "games", "wins per seat", "score", "least", "most")
    for side in sides:
        scores = side.scores
        table.add_row(
            side.name, str(side.seats), percent(side.wins), around(scores), str(scores.least), str(scores.most)
        )
    return table


def _score_table(seats: Sequence[Side]) -> Table:
    """How the scores of each seat are spread: in so many of a hundred games it had this score or less."""
    parts = (5, 25, 50, 75, 95)
    table = headed_table("scores", *(f"{part} %" for part in parts))
    for side in seats:
        table.add_row(side.name, *(str(quantile(side.distribution, part / 100)) for part in parts))
    return table


def _measure_table(name: str, counts: Distribution) -> Table:
    table = headed_table(name, "games", "share")
    table.add_column("")
    total, most = sum(counts.values()), max(counts.values())
    for value, count in counts.items():
        bar = "█" * round(_BAR_WIDTH * count / most)
        table.add_row(str(value), str(count), f"{100 * count / total:.1f} %", bar)
    return table


def _print_faults(console: Console, faults: Sequence[FaultReport]) -> None:
    for fault in faults:
        times = "once" if fault.count == 1 else f"{fault.count} times"
        where = f"first in game {fault.game}, ply {fault.ply}, seat {fault.seat}"
        instead = f", where '{fault.played}' was played for it" if fault.played else ""
        look = f"; see serai replay {fault.record}" if fault.record else ""
        reason = " ".join(fault.reason.split())
        console.print(f"bot {fault.bot} {reason}: {times}, {where}{instead}{look}", markup=False, soft_wrap=True)
