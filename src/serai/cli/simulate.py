"""``serai simulate``: many games between bots, and their statistics."""

from __future__ import annotations

import contextlib
import os
import shlex
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from serai import game as find_game
from serai.arena.cluster import ClusterLost
from serai.arena.datasets import Export, by_column, decisions_of, flattened
from serai.arena.executors import processors
from serai.arena.series import GameResult, Played
from serai.arena.simulate import Simulation
from serai.arena.statistics import Side, Summary, around, cut_short, percent, quantile, summarise
from serai.bots.program import FAULT_FILE, program_spec
from serai.bots.referee import BotFailed
from serai.bots.specs import split_specs
from serai.cli._support.choices import (
    FILE,
    PATH,
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
from serai.cli._support.files import home, make_folder, save_privately, write_record
from serai.cli._support.screen import headed_table, print_walls, progress_bar, say, say_json
from serai.core.arguments import MAX_PLIES, MOST_PLIES
from serai.core.game import Game
from serai.core.record import Record
from serai.lab.tally import Distribution, Tally
from serai.processes.sandbox import Walls

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from serai.arena.cluster.client import Cluster

_LONG = 0.75
"""Minutes; a longer run is announced after its first game."""
_FAULTY = 1
"""The exit code if a bot failed and that was tolerated."""
_FAULTY_SAVED = 10
"""How many records of faulty games are written without --save."""
_BAR_WIDTH = 24


class FaultReport(msgspec.Struct):
    """One kind of failure of one bot: how often, and where it first happened."""

    bot: str
    reason: str
    count: int
    game: int
    seat: int
    ply: int
    played: str
    record: str


class Report(msgspec.Struct, frozen=True):
    """Everything about a simulation, as it is written as JSON."""

    game: str
    rules: str
    options: dict[str, Any]
    seed: str
    rotate: bool
    paired: bool
    asked: int
    summary: Summary
    faults: tuple[FaultReport, ...]
    walls: dict[str, Walls]
    """What guarded each bot that is not part of Serai."""
    seconds: float
    games_per_second: float
    plies_per_second: float
    saved: str | None
    exported: str | None


@click.command()
@click.argument("game_name", metavar="GAME")
@click.argument("seated", nargs=-1, metavar="[BOT]...")
@click.option("--players", type=int, help="How many play. Default: as many as bots are named.")
@click.option("--games", "count", type=click.IntRange(min=1), default=1000, show_default=True, help="How many games.")
@click.option("--seed", help="The same seed gives the same games. Default: 1, or a random one if a program plays.")
@click.option("--bots", metavar="LIST", help="The bots in one word, separated by commas.")
@click.option("--rotate", is_flag=True, help="Move every bot to the next seat after each game.")
@click.option("--paired", is_flag=True, help="Rotate, with the same dice until every bot has had every seat.")
@click.option("--save", type=PATH, metavar="DIR", help="Write the record of every game to this folder.")
@click.option(
    "--export", type=FILE, metavar="FILE", help="Write a line per game: FILE.parquet, FILE.csv or FILE.jsonl."
)
@click.option(
    "--export-decisions",
    "decisions",
    type=FILE,
    metavar="FILE",
    help="Write every decision in numbers, for learning: FILE.parquet or FILE.jsonl.",
)
@click.option("--limit", type=POSITIVE, default=10.0, show_default=True, help="Seconds a bot may think.")
@click.option("--tolerate", is_flag=True, help="Play a random action where a bot fails; the exit status is then 1.")
@click.option(
    "--max-plies",
    type=click.IntRange(1, MOST_PLIES),
    default=MAX_PLIES,
    show_default=True,
    help="Cut a game short that has had so many actions; it counts as it stands.",
)
@click.option("--skip", type=click.IntRange(min=0), default=0, help="Skip this many games at the start of the series.")
@jobs_option
@cluster_option
@walls_option
@option_option
@json_option
def command(
    game_name: str,
    seated: tuple[str, ...],
    players: int | None,
    count: int,
    seed: str | None,
    bots: str | None,
    rotate: bool,
    paired: bool,
    save: Path | None,
    export: Path | None,
    decisions: Path | None,
    limit: float,
    tolerate: bool,
    max_plies: int,
    skip: int,
    jobs: int,
    where: str | None,
    given: tuple[str, ...],
    as_json: bool,
) -> int:
    """Let bots play many games of GAME, and show who wins how often.

    BOT is a bot per seat, or one for all: a name, or FILE.py:NAME or PACKAGE.MODULE:NAME for your own, with parameters
    if it takes any, as in "cobra(rollouts=600)"; or a program in any language: "process:./mybot --depth 3".
    """
    game = find_game(game_name)
    if seated and bots is not None:
        raise click.UsageError("name the bots after the game or with --bots, not both")
    listed = list(seated) if bots is None else split_specs(bots)
    entrants = _entrants(listed or [game.bots[0]], players, default_players(game))
    options = read_options(game, len(entrants), given)
    simulation = Simulation(
        game,
        entrants,
        games=count,
        seed=seed,
        skip=skip,
        rotate=rotate,
        paired=paired,
        jobs=min(jobs, 4 * processors()),
        limit=limit,
        tolerate=tolerate,
        max_plies=max_plies,
        keep_records=save is not None or decisions is not None,
        **options,
    )
    if save is not None:
        make_folder(save)
    counting = _Counting(simulation, save)
    began = time.perf_counter()
    stopped = ""
    try:
        with contextlib.ExitStack() as files:
            lines = None if export is None else files.enter_context(Export(export, counting.columns))
            made = None if decisions is None else files.enter_context(Export(decisions, by_column, lists=True))
            cluster = files.enter_context(connected(where, "simulate", game.name, entrants))
            began = time.perf_counter()
            counting.play(lines, made, cluster)
    except KeyboardInterrupt:
        stopped = "stopped"
    except ClusterLost as lost:
        stopped = str(lost)
    except BotFailed as failure:
        _explain(game, failure)
        raise
    seconds = time.perf_counter() - began
    tally = counting.tally
    if not tally.games:
        raise click.ClickException(stopped)
    report = Report(
        game=game.name,
        rules=game.version,
        options=options,
        seed=simulation.series.seed,
        rotate=simulation.series.rotate,
        paired=paired,
        asked=simulation.series.games,
        summary=summarise(tally, entrants),
        faults=tuple(counting.faults.values()),
        walls=simulation.walls,
        seconds=seconds,
        games_per_second=tally.games / seconds,
        plies_per_second=tally.plies / seconds,
        saved=None if save is None else str(save),
        exported=None if export is None else str(export),
    )
    if as_json:
        say_json(report)
    else:
        _print(report)
    if stopped:
        rest = f"; --skip {simulation.first + tally.games} plays the rest" if where else ""
        raise click.ClickException(f"{stopped} after {tally.games} of {simulation.series.games} games{rest}")
    return _FAULTY if report.faults else 0


class _Counting:
    """Plays a simulation, counts its games for the report, and writes files."""

    def __init__(self, simulation: Simulation, save: Path | None) -> None:
        self._simulation, self._save = simulation, save
        self._faulty = 0
        self.tally = Tally.empty(len(simulation.entrants), paired=simulation.series.paired)
        self.faults: dict[tuple[str, str], FaultReport] = {}
        """By bot and reason."""

    def columns(self, rows: Any) -> Iterator[tuple[str, Any]]:
        return flattened(self._simulation.game, self._simulation.titles, rows)

    def play(self, export: Export | None, decisions: Export | None, cluster: Cluster | None) -> None:
        games = self._simulation.series.games
        with progress_bar(games) as advance:
            for played in self._simulation.chunks(rows=export is not None, cluster=cluster):
                first = not self.tally.games
                self.tally.merge(played.tally)
                if export is not None:
                    export.write(played.rows)
                for result in played.results:
                    self._note(result)
                if self._save is not None or decisions is not None:
                    self._write(played, decisions)
                if first and played.results:
                    self._announce(sum(result.seconds for result in played.results) / len(played.results), cluster)
                advance(len(played.numbers))

    def _write(self, played: Played, decisions: Export | None) -> None:
        records = {result.number: result.record for result in played.results}
        for number in played.numbers:
            record = records.get(number) or self._simulation.record(number)
            if decisions is not None:
                decisions.write(decisions_of(self._simulation.game, record, number))
            if self._save is not None and number not in records:
                _write(self._save, number, record)

    def _note(self, result: GameResult) -> None:
        """Count the faults of a game, and save its record: with --save always, otherwise of the first faulty games."""
        self._faulty += bool(result.faults)
        file = ""
        wanted = self._save is not None or (result.faults and self._faulty <= _FAULTY_SAVED)
        if wanted and result.record is not None:
            file = str(_write(self._save or make_folder(home() / "faults"), result.number, result.record))
        for fault in result.faults:
            first = FaultReport(fault.bot, fault.reason, 0, result.number, fault.seat, fault.ply, fault.played, file)
            self.faults.setdefault((fault.bot, fault.reason), first).count += 1

    def _announce(self, seconds: float, cluster: Cluster | None) -> None:
        """Say how long all games will take, at this many seconds each, if that is long."""
        games, here = self._simulation.series.games, min(self._simulation.jobs, processors())
        minutes = seconds * games / (here if cluster is None else max(1, cluster.parallel)) / 60
        if minutes >= _LONG:
            sooner = "" if here == processors() or cluster is not None else ", sooner with --jobs 0"
            span = f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.0f} hours"
            say(f"{games} games will take about {span}{sooner}; Ctrl-C shows the games played so far", err=True)


def _explain(game: Game, failure: BotFailed) -> None:
    """Show where a bot failed: its traceback, its view, and the command that repeats the decision."""
    fault, scene = failure.fault, failure.scene
    if fault.trace:
        say(fault.trace.rstrip(), err=True)
    if scene is None:
        return
    view = scene.seen()
    if view is not None:
        say(game.text.draw(view, seat=fault.seat), err=True)
    folder = make_folder(home() / "faults")
    file = folder / f"{game.name}-{os.getpid()}-{fault.ply}{FAULT_FILE}"
    save_privately(file, msgspec.json.encode(scene).decode())
    named = f" --bot {shlex.quote(scene.bot)}" if program_spec(scene.bot) is not None else ""
    say(f"To repeat this decision: serai decide {file}{named}", err=True)


def _write(folder: Path, number: int, record: Record) -> Path:
    file = folder / f"{record.game}-{number:06}.serai"
    write_record(file, record)
    return file


def _entrants(listed: Sequence[str], players: int | None, usual: int) -> tuple[str, ...]:
    if "" in listed:
        raise click.UsageError("--bots has an empty place: give a bot between two commas")
    if len(listed) == 1:
        return (*listed,) * (usual if players is None else players)
    if players not in (None, len(listed)):
        raise click.UsageError(
            f"{len(listed)} bots are named for {players} players: give one for each seat, or one for all"
        )
    return tuple(listed)


# -- tables ------------------------------------------------------------------------------------------------------------


def _print(report: Report) -> None:
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
    if summary.truncated:
        console.print(cut_short(summary), soft_wrap=True)
    if report.saved is not None:
        console.print(f"records in {report.saved}", markup=False, soft_wrap=True)
    if report.exported is not None:
        console.print(f"a line per game in {report.exported}", markup=False, soft_wrap=True)
    print_walls(console, report.walls)
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
    """Quantiles of the scores of each seat."""
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
