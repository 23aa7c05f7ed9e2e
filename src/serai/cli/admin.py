"""``serai admin``: look after the people at a running server."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import click
import msgspec

from serai.cli._support.choices import FILE, json_option
from serai.cli._support.files import Failure
from serai.cli._support.screen import printable, say, say_json
from serai.wire.bodies import BanInfo, Connected, HostTable, HostTables, Kept, Lifted, Problem, ReportInfo, SeatedHere

_T = TypeVar("_T")

HEADER = "X-Serai-Key"
SECONDS = 120.0
"""How long a server may take; it may have to search all tables."""


class Line:
    """The line to a server: its address, and the key of its host."""

    def __init__(self, server: str, key: str) -> None:
        self._server = server.rstrip("/")
        self._key = key

    def get(self, path: str, answer: type[_T]) -> _T:
        """What is there now."""
        return self._read(self._send("GET", path), answer)

    def post(self, path: str, body: dict[str, Any], answer: type[_T]) -> _T:
        """The result of a change."""
        return self._read(self._send("POST", path, body), answer)

    def delete(self, path: str) -> None:
        """Remove what is there."""
        self._send("DELETE", path)

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> bytes:
        request = urllib.request.Request(  # noqa: S310 - the scheme was checked to be http or https
            f"{self._server}/api/admin/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={HEADER: self._key, "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
                found: bytes = answer.read()
                return found
        except urllib.error.HTTPError as error:
            raise Failure(f"the server refuses: {_reason(error)}") from None
        except OSError as error:
            reason = getattr(error, "reason", error)
            raise Failure(f"no server answers at {self._server} ({reason}); name it with --server") from None

    def _read(self, answer: bytes, kind: type[_T]) -> _T:
        try:
            return msgspec.json.decode(answer, type=kind)
        except msgspec.DecodeError:
            raise Failure(f"what answers at {self._server} is no Serai of this version") from None


def _reason(error: urllib.error.HTTPError) -> str:
    try:
        return msgspec.json.decode(error.read(), type=Problem).text
    except msgspec.DecodeError:
        return f"status {error.code}"


@click.group()
@click.option(
    "--server",
    default="http://127.0.0.1:8321",
    show_default=True,
    envvar="SERAI_SERVER",
    metavar="URL",
    help="Where the server runs, base path included.",
)
@click.option(
    "--host-key-file",
    type=FILE,
    envvar="SERAI_HOST_KEY_FILE",
    help="The file that the server was started with.",
)
@click.pass_context
def command(ctx: click.Context, server: str, host_key_file: Path | None) -> None:
    """Look after people: who is connected, bans, reports, what is kept about somebody.

    The server must run and have been started with --host-key-file; the key in that file opens it.
    """
    if host_key_file is None:
        raise click.UsageError("name the server's key with --host-key-file or SERAI_HOST_KEY_FILE")
    if urlsplit(server).scheme not in ("http", "https"):
        raise click.UsageError(f"--server takes http://… or https://…, not {server!r}")
    try:
        key = host_key_file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(f"cannot read the key in {host_key_file}: {error}") from None
    ctx.obj = Line(server, key)


@command.command()
@click.option("--phase", default="", metavar="PHASE", help="Only these: lobby, playing, over or closed.")
@json_option
@click.pass_obj
def tables(line: Line, phase: str, as_json: bool) -> None:
    """Count the tables by phase, and list the newest 200."""
    found = line.get(f"tables?phase={quote(phase, safe='')}", HostTables)
    if as_json:
        say_json(msgspec.to_builtins(found))
        return
    say(", ".join(f"{count} {phase}" for phase, count in found.counts.items()) or "no tables")
    for table in found.tables:
        say(printable(_table(table)))


@command.command()
@click.argument("table")
@json_option
@click.pass_obj
def seats(line: Line, table: str, as_json: bool) -> None:
    """List the people at a table, with the visitor behind each name."""
    found = line.get(f"tables/{_part(table)}", list[SeatedHere])
    if as_json:
        say_json(msgspec.to_builtins(found))
        return
    for seat in found:
        say(printable(f"seat {seat.seat}  visitor {seat.visitor or '-'}  {seat.name or '(a guest)'}"))


@command.command()
@json_option
@click.pass_obj
def who(line: Line, as_json: bool) -> None:
    """List who is connected to this server process, and from where."""
    found = line.get("connections", list[Connected])
    if as_json:
        say_json(msgspec.to_builtins(found))
        return
    for one in found:
        seat = "looks on" if one.seat is None else f"seat {one.seat} {one.name}"
        say(printable(f"{one.address}  visitor {one.visitor or '-'}  table {one.table}  {seat}"))
    say(f"{len(found)} connected")


@command.command()
@click.argument("table")
@click.pass_obj
def remove(line: Line, table: str) -> None:
    """Remove a table for good."""
    line.delete(f"tables/{_part(table)}")
    say(f"Removed table {table}.")


hours_option = click.option(
    "--hours", type=click.FloatRange(min=0, min_open=True), default=24.0, show_default=True, help="For how long."
)
why_option = click.option("--why", default="", help="A note for yourself.")


@command.command()
@click.argument("subject")
@hours_option
@why_option
@click.pass_obj
def ban(line: Line, subject: str, hours: float, why: str) -> None:
    """Shut out an address or a visitor for a while; their connections end at once."""
    _forbid(line, "ban", subject, hours, why)


@command.command()
@click.argument("subject")
@hours_option
@why_option
@click.pass_obj
def silence(line: Line, subject: str, hours: float, why: str) -> None:
    """Let an address or a visitor say nothing for a while."""
    _forbid(line, "silence", subject, hours, why)


def _forbid(line: Line, kind: str, subject: str, hours: float, why: str) -> None:
    made = line.post("bans", {"subject": subject, "kind": kind, "hours": hours, "why": why}, BanInfo)
    say(printable(_ban(made)))


@command.command()
@click.argument("subject")
@click.pass_obj
def lift(line: Line, subject: str) -> None:
    """Let an address or a visitor in again, or speak again."""
    if not line.post("bans/lift", {"subject": subject}, Lifted).count:
        raise Failure(f"{subject} was not banned")
    say(f"{subject} may do everything again.")


@command.command()
@json_option
@click.pass_obj
def bans(line: Line, as_json: bool) -> None:
    """List who is shut out or silenced."""
    found = line.get("bans", list[BanInfo])
    if as_json:
        say_json(msgspec.to_builtins(found))
        return
    for one in found:
        say(printable(_ban(one)))
    say(f"{len(found)} bans")


@command.command()
@json_option
@click.pass_obj
def reports(line: Line, as_json: bool) -> None:
    """List what players have reported."""
    found = line.get("reports", list[ReportInfo])
    if as_json:
        say_json(msgspec.to_builtins(found))
        return
    for one in found:
        whom = f"{one.name or '(a guest)'} (visitor {one.visitor}, {one.address or 'address unknown'})"
        say(printable(f"{one.id}  {_moment(one.at)}  table {one.table}  seat {one.seat}  {whom}: {one.text or '-'}"))
    say(f"{len(found)} reports")


@command.command()
@click.argument("report", type=int)
@click.pass_obj
def done(line: Line, report: int) -> None:
    """Delete a report that you have dealt with."""
    line.delete(f"reports/{report}")
    say(f"Deleted report {report}.")


@command.command()
@click.argument("visitor")
@click.pass_obj
def about(line: Line, visitor: str) -> None:
    """Print all that is kept about a visitor, as JSON."""
    say_json(msgspec.to_builtins(line.get(f"visitors/{_part(visitor)}", Kept)))


@command.command()
@click.argument("visitor")
@click.pass_obj
def forget(line: Line, visitor: str) -> None:
    """Forget a visitor: names, talk and devices go; finished games stay, as those of a guest."""
    line.delete(f"visitors/{_part(visitor)}")
    say(f"Visitor {visitor} is being forgotten. Backups still hold what they held.")


def _part(text: str) -> str:
    return quote(text, safe="")


def _moment(wall: float) -> str:
    return datetime.fromtimestamp(wall, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _ban(ban: BanInfo) -> str:
    return f"{ban.kind}  {ban.subject}  until {_moment(ban.until)}{'  ' if ban.why else ''}{ban.why}"


def _table(table: HostTable) -> str:
    known = f"  {table.game}  {table.connected} connected  {', '.join(table.names)}" if table.game else ""
    public = "public" if table.public else "private"
    return f"{table.id}  {table.phase}  {public}  {table.at}  {table.entries} entries{known}"
