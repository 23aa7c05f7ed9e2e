"""``serai verify FILE…``: check recorded games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from serai.cli._support.choices import PATH, json_option
from serai.cli._support.files import Failure, read_record
from serai.cli._support.screen import distinct_names, printable, say, say_json
from serai.core.record import Record, Verdict, check_origin, verify
from serai.errors import BadRecord

DOES_NOT_HOLD, UNREADABLE = 1, 2
UNCHECKED = "its chain was not checked (the server's host can, with 'serai check DATABASE FILE')"
"""A record alone cannot prove that it is the history of its table."""


class FileReport(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was found in one file."""

    file: str
    holds: bool
    record: Record | None = None
    verdict: Verdict | None = None
    reason: str = ""
    line: int = 0
    exit_code: int = 0


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=PATH)
@click.option(
    "--from",
    "source",
    type=PATH,
    metavar="SOURCE",
    help="The record of the game that these go on from: compare what they inherited with it.",
)
@json_option
def command(files: tuple[Path, ...], source: Path | None, as_json: bool) -> int:
    """Replay recorded games and check every action, every draw and the result.

    Draws that a game inherited from another one ('serai play --from') cannot be drawn again and are counted separately;
    with --from they are compared with that game.

    A record alone cannot prove that its table was played like this; with the server's database 'serai check' can.

    The exit code is 1 if a record does not hold, and 2 if a file cannot be read.
    """
    reports = []
    for file in files:
        report = _checked(file, source)
        reports.append(report)
        if not as_json:
            say(printable(_summary(report)), err=not report.holds)
    if as_json:
        say_json([_described(report) for report in reports])
    codes = {report.exit_code for report in reports}
    return DOES_NOT_HOLD if DOES_NOT_HOLD in codes else max(codes)


def _checked(file: Path, source: Path | None) -> FileReport:
    try:
        record = read_record(file)
        verdict = verify(record)
        if source is not None:
            check_origin(record, read_record(source))
        return FileReport(str(file), True, record, verdict)
    except BadRecord as error:
        return FileReport(str(file), False, reason=error.reason, line=error.line, exit_code=DOES_NOT_HOLD)
    except Failure as error:
        return FileReport(str(file), False, reason=error.message, exit_code=UNREADABLE)


def _summary(report: FileReport) -> str:
    if report.record is None or report.verdict is None:
        where = f"line {report.line}: " if report.line else ""
        failure = f"{report.file}: does not hold: {where}{report.reason}"
        return failure if report.exit_code == DOES_NOT_HOLD else report.reason
    record, verdict = report.record, report.verdict
    draws = _draws(verdict)
    what = f"{record.game}, {len(record.seats)} players, {verdict.plies} actions, {draws}"
    if not verdict.finished:
        return f"{report.file}: holds so far, unfinished: {what}"
    names = distinct_names([seat.name for seat in record.seats])
    winners = ", ".join(names[seat] for seat in verdict.winners)
    holds = f"{report.file}: holds: {what}; {' '.join(map(str, verdict.scores))}, won by {winners}"
    return f"{holds}; {UNCHECKED}" if record.chain else holds


def _draws(verdict: Verdict) -> str:
    if not verdict.draws_checked:
        return "draws not checked: the record has no secret"
    if not verdict.inherited:
        return f"all {verdict.draws} draws checked"
    fresh = verdict.draws - verdict.inherited
    return f"{fresh} of {verdict.draws} draws checked, {verdict.inherited} inherited from another game and not checked"


def _described(report: FileReport) -> dict[str, Any]:
    common: dict[str, Any] = {"file": report.file, "holds": report.holds}
    if report.record is None or report.verdict is None:
        return {**common, "line": report.line or None, "reason": report.reason}
    return {**common, "game": report.record.game, **msgspec.to_builtins(report.verdict), "chain_checked": False}
