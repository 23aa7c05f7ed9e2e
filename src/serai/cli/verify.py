"""``serai verify FILE…``: whether recorded games hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from serai.cli._support.choices import json_option
from serai.cli._support.files import Failure, read_record
from serai.cli._support.screen import printable, say, say_json, told_apart
from serai.core.continuing import check_origin
from serai.core.errors import BadRecord
from serai.core.record import Record, Verdict, verify

DOES_NOT_HOLD, UNREADABLE = 1, 2
UNCHECKED = "its chain was not checked (its host can, with 'serai check DATABASE FILE')"
"""A record by itself cannot prove that it is the history of its table."""


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one file."""

    file: str
    holds: bool
    record: Record | None = None
    verdict: Verdict | None = None
    reason: str = ""
    line: int = 0
    exit_code: int = 0


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path),
    metavar="SOURCE",
    help="The record from which the games go on: check what they have taken over from it.",
)
@json_option()
def command(files: tuple[Path, ...], source: Path | None, as_json: bool) -> int:
    """Replay recorded games and check every action, every draw and the result.

    The draws that a game has taken over from another ('serai play --from') cannot be drawn again and are counted
    apart; with --from they are compared with the game they came from.

    Whether the game was played like this at its table is another question: 'serai check' answers it to whoever has the
    database.

    Ends with exit code 1 if a record does not hold, with 2 if a file could not be read.
    """
    reports = []
    for file in files:
        report = _checked(file, source)
        reports.append(report)
        if not as_json:
            say(printable(_told(report)), err=not report.holds)
    if as_json:
        say_json([_described(report) for report in reports])
    codes = {report.exit_code for report in reports}
    return DOES_NOT_HOLD if DOES_NOT_HOLD in codes else max(codes)


def _checked(file: Path, source: Path | None) -> Report:
    try:
        record = read_record(file)
        verdict = verify(record)
        if source is not None:
            check_origin(record, read_record(source))
        return Report(str(file), True, record, verdict)
    except BadRecord as error:
        return Report(str(file), False, reason=error.reason, line=error.line, exit_code=DOES_NOT_HOLD)
    except Failure as error:
        return Report(str(file), False, reason=error.message, exit_code=UNREADABLE)


def _told(report: Report) -> str:
    if report.record is None or report.verdict is None:
        where = f"line {report.line}: " if report.line else ""
        holds_not = f"{report.file}: does not hold: {where}{report.reason}"
        return holds_not if report.exit_code == DOES_NOT_HOLD else report.reason
    record, verdict = report.record, report.verdict
    draws = _draws(verdict)
    what = f"{record.game}, {len(record.seats)} players, {verdict.plies} actions, {draws}"
    if not verdict.finished:
        return f"{report.file}: holds so far, unfinished: {what}"
    names = told_apart([seat.name for seat in record.seats])
    winners = ", ".join(names[seat] for seat in verdict.winners)
    holds = f"{report.file}: holds: {what}; {' '.join(map(str, verdict.scores))}, won by {winners}"
    return f"{holds}; {UNCHECKED}" if record.chain else holds


def _draws(verdict: Verdict) -> str:
    if not verdict.draws_checked:
        return "draws not checked: no secret told"
    if not verdict.inherited:
        return f"all {verdict.draws} draws checked"
    fresh = verdict.draws - verdict.inherited
    return f"{fresh} of {verdict.draws} draws checked, {verdict.inherited} inherited from another game and not checked"


def _described(report: Report) -> dict[str, Any]:
    told: dict[str, Any] = {"file": report.file, "holds": report.holds}
    if report.record is None or report.verdict is None:
        return {**told, "line": report.line or None, "reason": report.reason}
    return {**told, "game": report.record.game, **msgspec.to_builtins(report.verdict), "chain_checked": False}
