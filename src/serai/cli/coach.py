"""``serai coach``: review a finished game, or search bots' games for exercises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from serai import game as find_game
from serai.arena.executors import Executor, Here, in_order, processors
from serai.cli._support.choices import PATH, cluster_option, connected, jobs_option, json_option
from serai.cli._support.files import Failure, load_record, named, write_text
from serai.cli._support.screen import headed_table, printable, progress_bar, say_json
from serai.errors import BadRecord, SeraiError

if TYPE_CHECKING:
    from rich.console import Console

    from serai.coach.exercises import Exercise
    from serai.coach.review import Account, Review, Step

_DRAWS_SHOWN = 5


@click.command()
@click.argument("file", type=PATH, required=False)
@click.option("--seat", type=click.IntRange(0), metavar="N", help="Judge this seat alone (from 0).")
@click.option(
    "--effort",
    type=click.Choice(("low", "usual", "high")),
    default="usual",
    show_default=True,
    help="How long to judge each decision.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same review.")
@click.option("--open", "openly", is_flag=True, help="Judge with all cards open, not by what a seat knew.")
@click.option("--html", type=PATH, metavar="PAGE", help="Write the review as one HTML file with its chart.")
@json_option
@click.option("--exercises", metavar="GAME", help="Search bots' games of GAME for exercises, instead of a review.")
@click.option("--again", type=PATH, metavar="FILE", help="With --exercises: check the exercises of this file again.")
@click.option(
    "--games", type=click.IntRange(min=1), default=100, show_default=True, help="How many games of bots to search."
)
@click.option("--level", metavar="BOT", help="The bot that plays them. Default: a middle level.")
@click.option("--prefer", multiple=True, metavar="THEME", help="A rare theme to look for; may be given again.")
@click.option("--only", is_flag=True, help="With --prefer: leave out exercises about other themes.")
@click.option("--most", type=click.IntRange(min=1), default=200, show_default=True, help="How many exercises to keep.")
@click.option("--out", type=PATH, metavar="FILE", help="Write the exercises to this file.")
@jobs_option
@cluster_option
def command(
    file: Path | None,
    seat: int | None,
    effort: str,
    seed: int,
    openly: bool,
    html: Path | None,
    as_json: bool,
    exercises: str | None,
    again: Path | None,
    games: int,
    level: str | None,
    prefer: tuple[str, ...],
    only: bool,
    most: int,
    out: Path | None,
    jobs: int,
    where: str | None,
) -> None:
    """Review a finished game: what each decision lost against the best one, and what was luck.

    Losses are shares of victory in per cent, from playouts in which all seats play alike; ± is the standard error.

    With --exercises: search for positions in which one action is clearly best and not every bot finds it.
    """
    if (file is None) == (exercises is None):
        raise click.UsageError("give the FILE of a finished game, or --exercises GAME to search for exercises")
    if file is not None and where is not None:
        raise click.UsageError("--cluster goes with --exercises: a review runs on this machine")
    if exercises is not None:
        _exercises(exercises, again, games, level, prefer, only, most, str(seed), jobs, where, out)
    elif file is not None:
        _review(file, seat, effort, seed, openly, html, as_json)


def _review(
    file: Path, seat: int | None, effort: str, seed: int, openly: bool, html: Path | None, as_json: bool
) -> None:
    from serai.coach import review

    record = load_record(file)
    try:
        with progress_bar(len(record.actions)) as advance:
            done = 0

            def show(judged: int, _: int) -> None:
                nonlocal done
                advance(judged - done)
                done = judged

            found = review(record, seat, effort=effort, seed=seed, openly=openly, progress=show)
    except BadRecord as error:
        raise named(file, error) from None
    if html is not None:
        from serai.coach.report import page

        write_text(html, page(found))
    if as_json:
        say_json(found)
    elif html is None:
        _print(found)


def _print(review: Review) -> None:
    from rich.console import Console

    from serai.coach.report import how_judged

    console = Console(highlight=False)
    made = f"evaluator {review.evaluator}, effort {review.effort}, seed {review.seed}"
    console.print(f"{review.game}, {how_judged(review)}; {made}", markup=False)
    _print_decisions(console, review)
    _print_luck(console, review)
    _print_accounts(console, review)
    _print_kinds(console, review)


def _print_decisions(console: Console, review: Review) -> None:
    """The mistakes, what was better, and why; and what strikes besides."""
    from rich.markup import escape

    from serai.coach.report import SIGNS, is_mistake, loss, reasons_said, remarks

    table = headed_table("decision", "loss", "")
    table.add_column("better", overflow="fold")
    for step in review.steps:
        decision = step.decision
        if decision is None or not is_mistake(step, decision.seat):
            continue
        best = decision.alternatives[0]
        why = escape(printable(" · ".join(reasons_said(best, review))))
        table.add_row(
            f"{step.ply + 1}  {_name(review, decision.seat)}: {step.action}",
            loss(decision),
            decision.verdict,
            f"{best.action} ({why})" if why else best.action,
        )
    console.print(table if table.row_count else "No decision lost much.")
    if table.row_count:
        console.print(SIGNS)
    for remark in remarks(review):
        console.print(f"{printable(remark)}.", markup=False)


def _print_luck(console: Console, review: Review) -> None:
    """The draws that changed most."""
    draws = [step for step in review.steps if step.actor is None]
    draws.sort(key=lambda step: -max(map(abs, step.wins)))
    table = headed_table("luck", *(_name(review, seat) for seat in review.seats))
    for step in sorted(draws[:_DRAWS_SHOWN], key=lambda step: step.ply):
        table.add_row(_numbered(step), *(f"{100 * change:+.1f}" for change in step.wins))
    if table.row_count:
        console.print(table)


def _print_accounts(console: Console, review: Review) -> None:
    """Where each result came from: the lines from the first share of victory to the result add up."""
    accounts = review.accounts
    table = headed_table("share of victory", *(_name(review, account.seat) for account in accounts))
    table.add_row("at first", *(f"{100 * account.wins.first:.1f}" for account in accounts))
    table.add_row("own decisions", *(f"{100 * account.wins.own:+.1f}" for account in accounts))
    table.add_row("others' decisions", *(f"{100 * account.wins.others:+.1f}" for account in accounts))
    table.add_row("luck", *(f"{100 * account.wins.chance:+.1f}" for account in accounts))
    table.add_row("revealed", *(f"{100 * account.wins.revealed:+.1f}" for account in accounts))
    table.add_row("result", *(f"{100 * account.wins.final:.1f}" for account in accounts), end_section=True)
    table.add_row("without luck", *(f"{100 * account.adjusted:.1f}" for account in accounts))
    table.add_row("loss per decision", *(f"{100 * account.total.each:.2f}" for account in accounts))
    table.add_row("error rate", *(account.total.percent for account in accounts))
    table.add_row("plays like", *(account.plays_like or "–" for account in accounts))
    console.print(table)


def _print_kinds(console: Console, review: Review) -> None:
    """Loss in a decision of each kind, and how many counted."""
    kinds = sorted({kind for account in review.accounts for kind in account.kinds})
    table = headed_table("loss by kind (decisions)", *kinds)
    for account in review.accounts:
        table.add_row(_name(review, account.seat), *(_rate(account, kind) for kind in kinds))
    console.print(table)


def _rate(account: Account, kind: str) -> str:
    rate = account.kinds.get(kind)
    return f"{100 * rate.each:.2f} ({rate.decisions})" if rate else "–"


def _numbered(step: Step) -> str:
    return f"{step.ply + 1}  {step.action}"


def _name(review: Review, seat: int) -> str:
    return printable(review.names[seat])


# -- exercises ---------------------------------------------------------------------------------------------------------


def _exercises(
    name: str,
    again: Path | None,
    games: int,
    level: str | None,
    prefer: tuple[str, ...],
    only: bool,
    most: int,
    seed: str,
    jobs: int,
    where: str | None,
    out: Path | None,
) -> None:
    """Search bots' games for exercises, or check those of a file again, and write the best."""
    from serai.bots.specs import find_working_bot
    from serai.coach.exercise_search import Search, provenance, recheck_exercises, search_games
    from serai.coach.exercises import Collection, spread

    game = find_game(name)
    command = f"serai coach --exercises {game.name}"
    work: Any
    if again is None:
        if game.coach is None:
            raise SeraiError(f"{game.name} has no coach, and so no exercises")
        search = Search(game.name, level or game.coach.reference or (game.levels or game.bots)[-1], seed, prefer, only)
        find_working_bot(game, search.level)
        wanted = "".join(f" --prefer {theme}" for theme in prefer) + " --only" * only
        made = provenance(
            search, games, f"{command} --level {search.level} --games {games} --seed {seed}{wanted} --most {most}"
        )
        work, count, bots = partial(search_games, search), games, [search.level]
    else:
        try:
            known = Collection.read(again.read_text(encoding="utf-8"))
        except OSError as error:
            raise Failure(f"cannot read {str(again)!r}: {error.strerror}") from None
        was = known.provenance
        command = f"{was.command}; {command} --again FILE --seed {seed} --most {most}"
        made = provenance(Search(game.name, was.level, was.seed), was.games, command)
        work, count, bots = partial(recheck_exercises, known.exercises, game.name, seed), len(known.exercises), []
    found: list[Exercise] = []
    with (
        connected(where, "exercises", game.name, bots) as cluster,
        _executor(work, jobs or processors()) if cluster is None else cluster.executor(work) as executor,
        progress_bar(count) as advance,
    ):
        for numbers, exercises in in_order(executor, count, lambda numbers: (numbers,)):
            found.extend(exercises)
            advance(len(numbers))
    chosen = Collection(made, tuple(spread(found, most)))
    if out is None:
        click.echo(chosen.write(), nl=False)
        return
    write_text(out, chosen.write())
    _print_themes(chosen.exercises, found)


def _executor(work: Any, jobs: int) -> Executor:
    from serai.arena.worker_processes import Processes

    return Here(work) if jobs == 1 else Processes(work, jobs)


def _print_themes(chosen: Sequence[Exercise], found: Sequence[Exercise]) -> None:
    from rich.console import Console

    counts, all_of_them = (Counter(each.theme for each in some) for some in (chosen, found))
    table = headed_table("theme", "kept", "found")
    for theme in sorted(all_of_them):
        table.add_row(theme, str(counts[theme]), str(all_of_them[theme]))
    Console(highlight=False).print(table)
