"""``serai coach --exercises``: bots' games looked through, by several processes if asked, and what was found kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import click
import msgspec

from serai import game as find_game
from serai.arena.cluster.pace import in_order
from serai.arena.cluster.reach import Cluster
from serai.arena.portions import in_portions
from serai.arena.series import processors
from serai.bots.specs import find_working_bot
from serai.cli._support.clusters import reached
from serai.cli._support.files import Failure, write_text
from serai.cli._support.tables import headed_table, progress_bar
from serai.coach.exercises import Collection, Exercise, Making, spread
from serai.coach.searching import Search, again_in, making, sought_in
from serai.core.errors import SeraiError


class Wanted(msgspec.Struct, frozen=True):
    """What is asked for on the command line."""

    games: int
    level: str | None
    most: int
    seed: str
    jobs: int
    cluster: str | None
    out: Path | None


def look_for(name: str, wanted: Wanted) -> None:
    """Look through so many games, tell how many exercises of each theme there are, and write those that are kept."""
    game = find_game(name)
    coaching = game.coaching()
    if coaching is None:
        raise SeraiError(f"{game.name} has no coach, and so no exercises")
    search = Search(game.name, wanted.level or coaching.reference, wanted.seed)
    find_working_bot(game, search.level)
    command = f"serai coach --exercises {game.name} --level {search.level} --games {wanted.games} --seed {wanted.seed}"
    made = making(search, wanted.games, f"{command} --most {wanted.most}")
    with reached(wanted.cluster, "exercises", game.name, [search.level]) as cluster:
        found = list(_each(partial(sought_in, search), wanted.games, wanted.jobs, cluster))
    _keep(made, found, wanted)


def check_again(name: str, file: Path, wanted: Wanted) -> None:
    """Check the exercises in a file once more, and keep those that stand."""
    game = find_game(name)
    try:
        found = Collection.read(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Failure(f"cannot read {str(file)!r}: {error.strerror}") from None
    was = found.making
    command = (
        f"{was.command}; serai coach --exercises {game.name} --again FILE --seed {wanted.seed} --most {wanted.most}"
    )
    made = making(Search(game.name, was.level, was.seed), was.games, command)
    check = partial(again_in, found.exercises, game.name, wanted.seed)
    with reached(wanted.cluster, "exercises", game.name, []) as cluster:
        standing = list(_each(check, len(found.exercises), wanted.jobs, cluster))
    _keep(made, standing, wanted)


def _keep(made: Making, found: list[Exercise], wanted: Wanted) -> None:
    kept = Collection(made, tuple(spread(found, wanted.most)))
    if wanted.out is None:
        click.echo(kept.write(), nl=False)
        return
    write_text(wanted.out, kept.write())
    _print(kept, found)


def _each(
    ask: Callable[[Iterable[int]], list[Exercise]], count: int, jobs: int, cluster: Cluster | None
) -> Iterator[Exercise]:
    """What is answered for the numbers 0, 1, …, by several processes or a cluster if asked."""
    jobs = jobs or processors()
    with progress_bar(count) as advance:
        if cluster is not None:
            for numbers, some in in_order(cluster, ask, count):
                yield from some
                advance(len(numbers))
            return
        if jobs == 1:
            for number in range(count):
                yield from ask([number])
                advance(1)
            return
        with ProcessPoolExecutor(jobs) as pool:
            for numbers, some in in_portions(pool, partial(_portion, ask), count, jobs):
                yield from some
                advance(len(numbers))


def _portion(ask: Callable[[Iterable[int]], list[Exercise]], numbers: range) -> tuple[range, list[Exercise]]:
    return numbers, ask(numbers)


def _print(kept: Collection, found: list[Exercise]) -> None:
    from rich.console import Console

    counts, all_of_them = (Counter(each.theme for each in some) for some in (kept.exercises, found))
    table = headed_table("theme", "kept", "found")
    for theme in sorted(all_of_them):
        table.add_row(theme, str(counts[theme]), str(all_of_them[theme]))
    Console(highlight=False).print(table)
