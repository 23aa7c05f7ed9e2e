"""``serai benchmark``: how strong a bot is, at fixed tables, as one score."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from serai.arena.benchmark import SEED, BadBenchmark, Benchmark, Report
from serai.arena.executors import processors
from serai.bots.specs import bot_title
from serai.cli._support.choices import FILE, jobs_option, json_option, walls_option
from serai.cli._support.games_of_bots import games_for
from serai.cli._support.screen import headed_table, printable, progress_bar, say, say_json

_FAULTY = 1


@click.command()
@click.argument("bot")
@click.option("--game", "named", multiple=True, help="Only this game. Default: every game that the bot plays.")
@click.option("--file", "path", type=FILE, help="Where games are stored. Default: NAME.benchmark in this folder.")
@click.option("--games", "most", type=click.IntRange(min=1), help="For a first look: so many games at each table.")
@click.option("--seed", default=SEED, help="Other dice, where somebody might know the usual ones.")
@jobs_option
@walls_option
@json_option
def command(
    bot: str, named: tuple[str, ...], path: Path | None, most: int | None, seed: str, jobs: int, as_json: bool
) -> int:
    """Measure how strong BOT is: at tables of 2, 4 and 8, among fixed opponents, with fixed dice.

    50 is as good as the opponents. Ctrl-C stops at any time: the same command continues. BOT is named as in 'serai
    arena', and isolated as there.
    """
    games = [game.name for game in games_for(bot, named) if game.benchmark]
    if not games:
        raise BadBenchmark(f"there is no benchmark for {' and '.join(named) or 'any game of this bot'}")
    stored = path or Path(f"{printable(bot_title(bot)).partition('(')[0].rpartition('/')[2]}.benchmark")
    benchmark = Benchmark(bot, games, stored, seed=seed, most=most)
    stopped = False
    try:
        with progress_bar(benchmark.left) as advance:
            benchmark.play(jobs or processors(), advance)
    except KeyboardInterrupt:
        stopped = True
    report = benchmark.report()
    if as_json:
        say_json({"line": report.line, **msgspec.to_builtins(report)})
    else:
        _print(report)
    if stopped:
        raise click.ClickException(f"stopped with {benchmark.left} games left; the same command plays them")
    return _FAULTY if report.faults else 0


def _print(report: Report) -> None:
    from rich.console import Console

    table = headed_table("table", "games", "wins", "fair share", "score", "faults")
    for one in report.tables:
        table.add_row(
            f"{one.game}, {one.seats} seats, {one.opponent}",
            str(one.games),
            f"{one.wins:.1%}",
            f"{1 / one.seats:.1%}",
            f"{one.score:.1f} ± {1.96 * one.error:.1f}",
            str(one.faults),
        )
    Console().print(table)
    for game, score in report.games.items():
        say(f"{game}: {score}")
    if report.whole is not None:
        say(f"all games: {report.whole}")
    if not report.finished:
        say("not all games of the benchmark were played: this is a first look")
    say(report.line)
