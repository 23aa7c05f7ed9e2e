"""``serai coach --exercises``: bots' games looked through, by several processes if asked, and what was found kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import click

from serai import game as find_game
from serai.arena.portions import in_portions
from serai.arena.series import processors
from serai.bots.specs import find_working_bot
from serai.cli._support.files import write_text
from serai.cli._support.tables import headed_table, progress_bar
from serai.coach.exercises import Collection, Exercise, spread
from serai.coach.searching import Search, making, sought_in
from serai.core.errors import SeraiError


def look_for(name: str, games: int, level: str | None, most: int, seed: str, jobs: int, out: Path | None) -> None:
    """Look through so many games, tell how many exercises of each theme there are, and write those that are kept."""
    game = find_game(name)
    coaching = game.coaching()
    if coaching is None:
        raise SeraiError(f"{game.name} has no coach, and so no exercises")
    search = Search(game.name, level or coaching.reference, seed)
    find_working_bot(game, search.level)
    command = f"serai coach --exercises {game.name} --level {search.level} --games {games} --most {most} --seed {seed}"
    made = making(search, games, command)
    with progress_bar(games) as advance:
        found = list(_found(search, games, jobs or processors(), advance))
    kept = Collection(made, tuple(spread(found, most)))
    if out is None:
        click.echo(kept.write(), nl=False)
        return
    write_text(out, kept.write())
    _print(kept, found)


def _found(search: Search, games: int, jobs: int, advance: Callable[[int], None]) -> Iterator[Exercise]:
    if jobs == 1:
        for number in range(games):
            yield from sought_in(search, [number])
            advance(1)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for numbers, some in in_portions(pool, partial(_some, search), games, jobs):
            yield from some
            advance(len(numbers))


def _some(search: Search, numbers: range) -> tuple[range, list[Exercise]]:
    return numbers, sought_in(search, numbers)


def _print(kept: Collection, found: list[Exercise]) -> None:
    from rich.console import Console

    counts, all_of_them = (Counter(each.theme for each in some) for some in (kept.exercises, found))
    table = headed_table("theme", "kept", "found")
    for theme in sorted(all_of_them):
        table.add_row(theme, str(counts[theme]), str(all_of_them[theme]))
    Console(highlight=False).print(table)
