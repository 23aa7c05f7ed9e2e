"""``serai arena``: a tournament between bots."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click
import msgspec

from serai import game as find_game
from serai.arena.executors import processors
from serai.cli._support.choices import (
    FILE,
    POSITIVE,
    cluster_option,
    connected,
    default_players,
    jobs_option,
    json_option,
    option_option,
    read_options,
    walls_option,
)
from serai.cli._support.files import Failure, write_text
from serai.cli._support.screen import headed_table, print_walls, say, say_json
from serai.core.arguments import MAX_PLIES

if TYPE_CHECKING:
    from rich.table import Table

    from serai.arena.cluster.client import Cluster
    from serai.arena.tournament.archive import Archive
    from serai.arena.tournament.description import Description
    from serai.arena.tournament.luck import Adjusted, LuckJudge
    from serai.arena.tournament.report import Report
    from serai.arena.tournament.standings import Standings

_FAULTY = 1
"""The exit code of a tournament in which a bot failed."""
_SUFFIX = ".arena"
_LIVELY = 1.0
"""Least seconds between two updates of the standings on screen."""


@click.command()
@click.argument("source", metavar="FILE|GAME")
@click.argument("bots", nargs=-1, metavar="[BOT]...")
@click.option("--file", type=FILE, help="The file of the tournament.")
@click.option("--seats", type=int, help="Players at a table. Default: 4, or the most that the game allows.")
@click.option("--ladder", is_flag=True, help="Play most games between neighbours that are hard to rank.")
@click.option("--games", type=click.IntRange(min=1), help="Stop after this many games. Default: 1000.")
@click.option("--minutes", type=POSITIVE, help="Stop after this many minutes of play.")
@click.option(
    "--settled", type=click.Choice(["sprt", "interval"]), help="Stop when all ranks are certain, by this test."
)
@click.option("--points", type=POSITIVE, help="Bots no further apart count as equal.")
@click.option("--rank", type=click.Choice(["places", "victories"]), help="What counts in a game. Default: places.")
@click.option("--anchor", metavar="NAME", help="The bot whose rating is 1500.")
@click.option("--limit", type=POSITIVE, help="Seconds for a decision. Default: 10.")
@click.option("--game-limit", type=POSITIVE, help="Seconds for a bot in a whole game.")
@click.option("--seed", help="For repeatable games. Without it the dice come from a secret.")
@click.option("--adjust", is_flag=True, help="Let the coach judge every draw, and show results without luck as well.")
@option_option
@jobs_option
@cluster_option
@walls_option
@click.option("--show", is_flag=True, help="Play nothing; show the standings.")
@click.option("--record", metavar="LINEUP/NUMBER", help="Print the record of that game, and nothing else.")
@click.option("--html", type=FILE, help="Write a page with charts as one file.")
@click.option("--csv", "table", type=FILE, help="Write the standings as CSV.")
@json_option
def command(
    source: str,
    bots: tuple[str, ...],
    file: Path | None,
    jobs: int,
    where: str | None,
    show: bool,
    record: str | None,
    html: Path | None,
    table: Path | None,
    as_json: bool,
    **flags: Any,
) -> int:
    """Play a tournament, or continue one that was stopped.

    FILE.toml describes one; FILE.arena is one that was begun; or name a GAME and the BOTs that play it, each as in
    'serai simulate' or as NAME=BOT. All games are stored in a file beside the description, or as --file says. Ctrl-C
    stops it at any time: the same command continues.

    A bot in a file or a module (FILE.py:NAME, MODULE:NAME) is isolated: it plays in a process of its own, without
    files, network or access to the game. trusted:FILE.py:NAME plays in the process of the game, faster, with all your
    rights.
    """
    from serai.arena.tournament.report import as_csv, as_page, report_of

    adjust = flags.pop("adjust")
    with _opened(source, bots, file, flags, look=show or record is not None) as archive:
        if record is not None:
            say(_record(archive, record).rstrip("\n"))
            return 0
        finished, adjust = archive.finished, not show and (adjust or archive.adjusts)
        if adjust:
            _judge_of(archive)  # before anything is played: raises if the game has no coach
        if not show and not finished:
            archive.check_versions()
            finished = _play(archive, min(jobs or processors(), 4 * processors()), where)
        if finished and adjust:
            finished = _judge(archive, min(jobs or processors(), 4 * processors()))
        report = report_of(archive)
    if html is not None:
        write_text(html, as_page(report))
    if table is not None:
        write_text(table, as_csv(report))
    if as_json:
        say_json(report)
    else:
        _print(report)
    if not finished and not show:
        again = f"serai arena {archive.path}{'' if where is None else f' --cluster {where}'}"
        raise click.ClickException(f"stopped after {report.standings.games} games; go on with: {again}")
    return _FAULTY if report.faults else 0


def _opened(source: str, bots: tuple[str, ...], file: Path | None, flags: dict[str, Any], *, look: bool) -> Archive:
    from serai.arena.tournament.archive import Archive
    from serai.arena.tournament.description import BadTournament

    asked = None
    if source.endswith(_SUFFIX):
        if bots or file is not None or any(value for name, value in flags.items() if name not in _STOPS):
            raise click.UsageError(f"{source!r} has begun: only its stopping rules can be changed")
        path = Path(source)
    else:
        asked = _asked(source, bots, flags)
        path = file or (Path(source).with_suffix(_SUFFIX) if source.endswith(".toml") else Path(source + _SUFFIX))
    if look or asked is None:
        archive = Archive(path)
        if asked is None and not look and any(flags[name] is not None for name in _STOPS):
            _stop_at(archive, msgspec.structs.replace(archive.stop, **_given(flags, _STOPS)))
        return archive
    tournament, stop = asked.settle()
    tournament.check_place(path)
    archive = Archive(path, create=(tournament, stop, asked.seed))
    try:
        other = archive.tournament.differs(tournament)
        if not other and asked.seed is not None and asked.seed != archive.secret:
            other = "seed"
        if other:
            raise BadTournament(
                f"{str(path)!r} holds another tournament ({other}); store this one elsewhere with --file"
            )
        _stop_at(archive, stop)
        if asked.adjust:
            archive.note(adjust="yes")
    except BaseException:
        archive.__exit__(None, None, None)
        raise
    return archive


_STOPS = ("games", "minutes", "settled", "points")


def _stop_at(archive: Archive, stop: Any) -> None:
    """Change the stopping rules, unless the tournament is finished."""
    from serai.arena.tournament.description import BadTournament

    if stop == archive.stop:
        return
    if archive.finished:
        raise BadTournament(f"{str(archive.path)!r} is finished and its seed is public: begin another with --file")
    archive.stop = stop
    archive.note(stop=msgspec.json.encode(stop).decode())


def _asked(source: str, bots: tuple[str, ...], flags: dict[str, Any]) -> Description:
    from serai.arena.tournament.description import Description

    if source.endswith(".toml"):
        if bots:
            raise click.UsageError("name the bots in the file, or after a game, not both")
        asked = Description.read(Path(source))
    else:
        if not bots:
            raise click.UsageError(f"name the bots that play, as in: serai arena {source} random quick")
        asked = Description(find_game(source).name, list(bots))
    game = find_game(asked.game)
    changes = _given(flags, ("seats", "rank", "anchor", "seed"))
    if flags["ladder"]:
        changes["schedule"] = "ladder"
    if flags["given"]:
        seats = flags["seats"] or asked.seats or default_players(game)
        changes["options"] = read_options(game, seats, flags["given"])
    limits = {
        name: flags[flag] for name, flag in (("decision", "limit"), ("game", "game_limit")) if flags[flag] is not None
    }
    return msgspec.structs.replace(
        asked,
        **changes,
        stop=msgspec.structs.replace(asked.stop, **_given(flags, _STOPS)),
        limits=msgspec.structs.replace(asked.limits, **limits),
    )


def _given(flags: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: flags[name] for name in names if flags[name] is not None}


def _play(archive: Archive, jobs: int, where: str | None) -> bool:
    from serai.arena.cluster import ClusterLost
    from serai.arena.tournament.runner import Runner
    from serai.arena.tournament.standings import standings_of

    tournament = archive.tournament
    if not archive.games:
        dice = "your seed" if archive.seeded else f"a secret, shown at the end; its SHA-256: {archive.commitment}"
        say(f"{len(tournament.entrants)} entrants, stored in {archive.path}; dice from {dice}", err=True)
    specs = [entrant.spec for entrant in tournament.entrants]
    with connected(where, "arena", tournament.game, specs) as cluster, _interruptible() as stopped, _screen() as draw:

        def tell(count: int) -> None:
            draw(lambda: _table(standings_of(archive), archive, cluster))

        try:
            return Runner(archive, jobs=jobs, tell=tell, stopped=stopped, cluster=cluster).play()
        except ClusterLost as lost:
            raise ClusterLost(
                f"{lost}; {archive.games} games are stored: when it runs again, or elsewhere, go on with: "
                f"serai arena {archive.path} --cluster {where}"
            ) from lost


def _judge(archive: Archive, jobs: int) -> bool:
    """Judge the luck of every game that is not judged yet; whether that is done."""
    from serai.arena.tournament.luck import judge

    archive.check_versions()
    say(f"judging the draws of {archive.games} games …", err=True)
    with _interruptible() as stopped:
        return judge(archive, _judge_of(archive), jobs=jobs, tell=lambda count: None, stopped=stopped)


def _judge_of(archive: Archive) -> LuckJudge:
    from serai.arena.tournament.luck import LuckJudge
    from serai.coach.review import luck, luck_evaluator

    return LuckJudge(luck_evaluator(find_game(archive.tournament.game)), luck)


@contextlib.contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """A function that says whether Ctrl-C was pressed; a second Ctrl-C stops at once."""
    asked: list[int] = []

    def stop(signum: int, frame: FrameType | None) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(signum)

    before = [(one, signal.signal(one, stop)) for one in (signal.SIGINT, signal.SIGTERM)]
    try:
        yield lambda: bool(asked)
    finally:
        for one, handler in before:
            signal.signal(one, handler)


@contextlib.contextmanager
def _screen() -> Iterator[Callable[[Callable[[], Table]], None]]:
    """A function that updates a table on stderr, not too often; without a terminal it does nothing."""
    if not sys.stderr.isatty():
        yield lambda table: None
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as live:
        due = [0.0]

        def draw(table: Callable[[], Table]) -> None:
            began = time.monotonic()
            if began >= due[0]:
                live.update(table(), refresh=True)
                due[0] = time.monotonic() + max(_LIVELY, 20 * (time.monotonic() - began))

        yield draw


def _record(archive: Archive, wanted: str) -> str:
    from serai.arena.tournament.runner import simulator_of

    lineup, slash, number = wanted.partition("/")
    if not (slash and lineup.isdecimal() and number.isdecimal()):
        raise click.UsageError(f"a game is named LINEUP/NUMBER, as 3/17, not {wanted!r}")
    if not archive.holds(int(lineup), int(number)):
        raise Failure(f"no game {wanted} in {str(archive.path)!r}: line-ups are {_lineups(archive)}")
    record = archive.record(int(lineup), int(number))
    if record is not None:
        return record
    archive.check_versions()
    simulator = simulator_of(archive.tournament, archive.secret, archive.lineups[int(lineup)])
    assert simulator is not None, "a game without a record was compiled"
    return simulator.record(int(number)).write()


def _lineups(archive: Archive) -> str:
    counts = {lineup: sum(len(games.numbers) for games in stored) for lineup, stored in archive.stored.items()}
    listed = [f"{lineup} ({games} games)" for lineup, games in counts.items()]
    return ", ".join(listed[:8]) + (", …" if len(listed) > 8 else "") or "none yet"


def _print(report: Report) -> None:
    from rich.console import Console

    from serai.arena.tournament.report import duration

    console = Console(highlight=False)
    tournament, standings = report.tournament, report.standings
    console.print(
        f"{standings.games} games of {tournament.game}, {tournament.seats} at a table, in {report.seconds:.1f} s",
        markup=False,
    )
    plain = headed_table("entrant", "games", "wins", "mean place", "score", "a decision", "faults")
    for one in standings.entrants:
        plain.add_row(
            one.name,
            str(one.games),
            f"{100 * one.wins:.1f} %",
            f"{one.mean_place:.2f}",
            f"{one.score:.2f}",
            duration(one.microseconds),
            str(one.faults),
        )
    console.print(_ranking(standings))
    console.print(plain)
    if report.adjusted is not None:
        console.print(_without_luck(report.adjusted))
    seats = "  ".join(f"{seat}: {100 * share.share:.1f} %" for seat, share in enumerate(standings.seats))
    console.print(f"victories by seat  {seats}", markup=False)
    if standings.truncated:
        console.print(
            f"{standings.truncated:,} games were cut short after {MAX_PLIES:,} actions and count as they stood",
            soft_wrap=True,
        )
    print_walls(console, report.walls)
    for fault in report.faults:
        where = f"first in game {fault.game}, ply {fault.ply}, seat {fault.seat}"
        reason = " ".join(fault.reason.split())
        console.print(f"bot {fault.bot} {reason}: {fault.count} ×, {where}", markup=False, soft_wrap=True)
    if report.finished and report.secret is not None:
        console.print(f"seed of all dice: {report.secret}", markup=False, soft_wrap=True)


def _ranking(standings: Standings) -> Table:
    scale = f"{standings.anchor} = 1500" if standings.anchor else "mean = 1500"
    table = headed_table("entrant", f"rating ({scale})", "95 %", "better than the next")
    for one in standings.entrants:
        better = "" if one.better is None else f"{100 * one.better:.1f} %"
        table.add_row(one.name, f"{one.rating:.0f}", f"{one.low:.0f} to {one.high:.0f}", better)
    return table


def _without_luck(adjusted: Adjusted) -> Table:
    from serai.arena.tournament.report import percentages, points

    table = headed_table("entrant", "rating", "95 %", "wins", "95 %", "of its width")
    for one in adjusted.entrants:
        width = f"{100 * one.adjusted_wins.width / one.wins.width:.0f} %" if one.wins.width else ""
        table.add_row(one.name, *points(one.adjusted_rating), *percentages(one.adjusted_wins), width)
    table.caption = f"without luck, by the draws of {adjusted.games} games"
    return table


def _table(standings: Standings, archive: Archive, cluster: Cluster | None) -> Table:
    table = _ranking(standings)
    stop = archive.stop
    limits = [
        f"of {stop.games} games" if stop.games else "",
        f"of {stop.minutes:g} minutes" if stop.minutes else "",
        f"until settled ({stop.settled})" if stop.settled else "",
    ]
    by = f" by {len(cluster.threads)} workers ({cluster.dashboard})" if cluster is not None else ""
    played = f"{archive.games} games {', '.join(filter(None, limits))}{by}"
    table.caption = f"{played}; Ctrl-C stops, the same command goes on"
    return table
