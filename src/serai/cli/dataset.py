"""``serai dataset``: games of bots as Parquet files, with a card that says what they hold."""

from __future__ import annotations

from pathlib import Path

import click

from serai import game as find_game
from serai.arena.dataset import CARD, write_dataset
from serai.arena.executors import processors
from serai.arena.simulate import Simulation
from serai.cli._support.choices import PATH, jobs_option, option_option, read_options
from serai.cli._support.screen import progress_bar, say


@click.command()
@click.argument("folder", type=PATH, metavar="DIR")
@click.argument("game_name", metavar="GAME")
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option("--games", "count", type=click.IntRange(min=1), default=1000, show_default=True, help="How many games.")
@click.option("--seed", help="The same seed gives the same games. Default: 1.")
@jobs_option
@option_option
def command(
    folder: Path, game_name: str, bots: tuple[str, ...], count: int, seed: str | None, jobs: int, given: tuple[str, ...]
) -> None:
    """Let BOTs, one per seat, play GAME, and write every game and decision to a new folder DIR.

    Bots move on by a seat after every game. DIR gets games.parquet, decisions.parquet and a data card.
    """
    game = find_game(game_name)
    simulation = Simulation(
        game,
        list(bots),
        games=count,
        seed=seed,
        rotate=True,
        jobs=min(jobs, 4 * processors()),
        keep_records=True,
        **read_options(game, len(bots), given),
    )
    with progress_bar(count) as advance:
        decisions = write_dataset(simulation, folder, advance)
    say(f"{count} games and {decisions:,} decisions; {folder / CARD} says what they hold")
