"""``serai simulate``: many games between bots, and what they say."""

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
from serai.arena.cluster.errors import ClusterLost
from serai.arena.datasets import Export
from serai.arena.decisions import by_column, decisions_of
from serai.arena.run import flattened
from serai.arena.series import Played, processors
from serai.arena.simulation import Portion, Simulation
from serai.arena.statistics import summarise
from serai.bots.commands import names_program
from serai.bots.referee import BotFailed
from serai.bots.specs import split_specs
from serai.cli._support.choices import default_players, json_option, option_option, read_options
from serai.cli._support.clusters import cluster_option, reached
from serai.cli._support.files import home, make_folder, save_privately, write_record
from serai.cli._support.screen import say, say_json
from serai.cli._support.simulation_report import FaultReport, Report, print_report
from serai.cli._support.tables import progress_bar
from serai.core.game import Game
from serai.core.record import Record
from serai.core.simulation import Tally

if TYPE_CHECKING:
    from serai.arena.cluster.reach import Cluster

_LONG = 0.75
"""Minutes that nobody is told of beforehand."""
_FAULTY = 1
"""The exit code of games that went on although a bot failed."""
_FAULTY_KEPT = 10
"""Of how many faulty games the record is written if not all are saved."""


@click.command()
@click.argument("game_name", metavar="GAME")
@click.argument("seated", nargs=-1, metavar="[BOT]...")
@click.option("--players", type=int, help="How many play. Default: as many as bots are named.")
@click.option("--games", "count", type=click.IntRange(min=1), default=1000, show_default=True, help="How many games.")
@click.option(
    "--seed",
    help="The same seed gives the same games. Default: 1, or where a program plays one that it cannot guess.",
)
@click.option("--bots", metavar="LIST", help="The same, between commas.")
@click.option("--rotate", is_flag=True, help="Move the bots on by one seat after every game.")
@click.option("--paired", is_flag=True, help="Rotate, with the same dice until every bot has had every seat.")
@click.option("--save", type=click.Path(path_type=Path), metavar="DIR", help="Write the record of every game there.")
@click.option(
    "--export",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a line per game: FILE.parquet, FILE.csv or FILE.jsonl.",
)
@click.option(
    "--export-decisions",
    "decisions",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write every decision in numbers, for learning: FILE.parquet or FILE.jsonl.",
)
@click.option(
    "--limit",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    help="Seconds a bot may think.",
)
@click.option(
    "--tolerate",
    is_flag=True,
    help="Go on where a bot fails, with a random action for it; the exit status is 1 then.",
)
@click.option("--skip", type=click.IntRange(min=0), default=0, help="Leave out so many games of the series.")
@click.option(
    "--jobs", type=click.IntRange(min=0), default=1, show_default=True, help="How many play at once; 0: all cores."
)
@cluster_option()
@option_option()
@json_option()
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
    skip: int,
    jobs: int,
    where: str | None,
    given: tuple[str, ...],
    as_json: bool,
) -> int:
    """Let bots play many games of GAME, and tell who wins how often.

    BOT is a bot per seat, or one for all: names, or FILE.py:NAME or PACKAGE.MODULE:NAME for your own, with parameters
    if it takes any, as in "cobra(rollouts=600)"; or a program in any language: "process:./mybot --depth 3".
    """
    game = find_game(game_name)
    if seated and bots is not None:
        raise click.UsageError("name the bots behind the game or with --bots, not both")
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
            cluster = files.enter_context(reached(where, "simulate", game.name, entrants))
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
        faults=counting.faults.reports(),
        seconds=seconds,
        games_per_second=tally.games / seconds,
        plies_per_second=tally.plies / seconds,
        saved=None if save is None else str(save),
        exported=None if export is None else str(export),
    )
    if as_json:
        say_json(report)
    else:
        print_report(report)
    if stopped:
        rest = f"; --skip {simulation.first + tally.games} leaves out those that were played" if where else ""
        raise click.ClickException(f"{stopped} after {tally.games} of {simulation.series.games} games{rest}")
    return _FAULTY if report.faults else 0


class _Counting:
    """Plays a simulation, and keeps what the report tells and what is to be saved."""

    def __init__(self, simulation: Simulation, save: Path | None) -> None:
        self._simulation = simulation
        self._save = save
        self.tally = Tally.empty(len(simulation.entrants), paired=simulation.series.paired)
        self.faults = _Faults(save)

    def columns(self, rows: Any) -> Iterator[tuple[str, Any]]:
        return flattened(self._simulation.game, self._simulation.titles, rows)

    def play(self, export: Export | None, decisions: Export | None, cluster: Cluster | None) -> None:
        games = self._simulation.series.games
        with progress_bar(games) as advance:
            for portion in self._simulation.portions(rows=export is not None, cluster=cluster):
                portion.count(self.tally)
                if export is not None:
                    export.write(portion.rows)
                if portion.played is not None:
                    self._note(portion.played, games, cluster)
                if self._save is not None or decisions is not None:
                    self._keep(portion, decisions)
                advance(len(portion.numbers))

    def _keep(self, portion: Portion, decisions: Export | None) -> None:
        for number in portion.numbers:
            record = None if portion.played is None else portion.played.record
            record = record or self._simulation.record(number)
            if decisions is not None:
                decisions.write(decisions_of(self._simulation.game, record, number))
            if self._save is not None and portion.played is None:
                _write(self._save, number, record)

    def _note(self, played: Played, games: int, cluster: Cluster | None) -> None:
        self.faults.note(played)
        if self.tally.games == 1:
            here = min(self._simulation.jobs, processors())
            sooner = "" if here == processors() or cluster is not None else ", sooner with --jobs 0"
            _foretell(played.seconds, games, here if cluster is None else max(1, cluster.at_once), sooner)


def _explain(game: Game, failure: BotFailed) -> None:
    """Show where a bot failed: its own code, what it saw, and how to let it decide there again."""
    fault, scene = failure.fault, failure.scene
    if fault.trace:
        say(fault.trace.rstrip(), err=True)
    if scene is None:
        return
    view = scene.seen()
    if view is not None:
        say(game.draw(view, seat=fault.seat), err=True)
    folder = make_folder(home() / "faults")
    file = folder / f"{game.name}-{os.getpid()}-{fault.ply}.fault.json"
    save_privately(file, msgspec.json.encode(scene).decode())
    named = f" --bot {shlex.quote(scene.bot)}" if names_program(scene.bot) is not None else ""
    say(f"To let it decide there once more: serai decide {file}{named}", err=True)


def _foretell(seconds: float, games: int, jobs: int, sooner: str) -> None:
    """Say what the first game tells about the rest, where somebody would wonder."""
    minutes = seconds * games / jobs / 60
    if minutes < _LONG:
        return
    span = f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.0f} hours"
    click.echo(f"{games} games will take about {span}{sooner}; Ctrl-C tells what was played so far", err=True)


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


class _Faults:
    """Gathers the bots' failures by bot and reason, and keeps records to look into them."""

    def __init__(self, save: Path | None) -> None:
        self._save = save
        self._faulty = 0
        self._found: dict[tuple[str, str], FaultReport] = {}

    def note(self, played: Played) -> None:
        file = self._kept(played)
        for fault in played.faults:
            report = self._found.get((fault.bot, fault.reason))
            if report is None:
                self._found[fault.bot, fault.reason] = FaultReport(
                    fault.bot, fault.reason, 1, played.number, fault.seat, fault.ply, fault.played, file
                )
            else:
                report.count += 1

    def reports(self) -> tuple[FaultReport, ...]:
        return tuple(self._found.values())

    def _kept(self, played: Played) -> str:
        """Where the record of this game lies, if anywhere."""
        if played.record is None:
            return ""
        if self._save is None:
            self._faulty += 1
            if self._faulty > _FAULTY_KEPT:
                return ""
        folder = self._save or make_folder(home() / "faults")
        return str(_write(folder, played.number, played.record))
