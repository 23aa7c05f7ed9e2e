"""``serai coach FILE``: a finished game reviewed, as a table, for programs, or as one page to keep; and exercises."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from serai.cli._support.choices import json_option
from serai.cli._support.clusters import cluster_option
from serai.cli._support.files import load_record, named, write_text
from serai.cli._support.screen import printable, say_json
from serai.cli._support.tables import headed_table, progress_bar
from serai.core.errors import BadRecord

if TYPE_CHECKING:
    from rich.console import Console

    from serai.coach.review import Account, Review, Step


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--seat", type=click.IntRange(0), metavar="N", help="Judge this seat alone (from 0).")
@click.option(
    "--effort", type=click.Choice(("low", "usual", "high")), default="usual", show_default=True, help="How thoroughly."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed tells the same.")
@click.option("--open", "openly", is_flag=True, help="Judge with all cards open, not by what a seat knew.")
@click.option("--html", type=click.Path(path_type=Path), metavar="PAGE", help="Write a page with the chart, one file.")
@json_option()
@click.option("--exercises", metavar="GAME", help="Look for exercises in bots' games of GAME, instead of a review.")
@click.option("--again", type=click.Path(path_type=Path), metavar="FILE", help="Check the exercises there once more.")
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True, help="In so many games of bots.")
@click.option("--level", metavar="BOT", help="Who plays them. Default: a middling level.")
@click.option("--most", type=click.IntRange(min=1), default=200, show_default=True, help="Keep so many exercises.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the exercises there.")
@click.option(
    "--jobs", type=click.IntRange(min=0), default=1, show_default=True, help="How many look at once; 0: all cores."
)
@cluster_option()
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
    most: int,
    out: Path | None,
    jobs: int,
    where: str | None,
) -> None:
    """Review a finished game: what each decision lost against the best there was, and what was luck.

    Worths are shares of victory, in per cent, from playouts in which everybody plays on alike; after the sign ± stands
    a standard error.

    With --exercises it looks for positions in which one action is clearly best and not everybody finds it.
    """
    if (file is None) == (exercises is None):
        raise click.UsageError("name the FILE of a game, or with --exercises a game to look for exercises in")
    if file is not None and where is not None:
        raise click.UsageError("a review is not for a cluster: --cluster goes with --exercises")
    if file is None:
        from serai.cli._support.exercising import Wanted, check_again, look_for

        wanted = Wanted(games, level, most, str(seed), jobs, where, out)
        if again is None:
            look_for(exercises or "", wanted)
        else:
            check_again(exercises or "", again, wanted)
    else:
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
        from serai.coach.page import page

        write_text(html, page(found))
    if as_json:
        say_json(found)
    elif html is None:
        _print(found)


def _print(review: Review) -> None:
    from rich.console import Console

    from serai.coach.picture import how_judged

    console = Console(highlight=False)
    made = f"evaluator {review.evaluator}, effort {review.effort}, seed {review.seed}"
    console.print(f"{review.game}, {how_judged(review)}; {made}", markup=False)
    _print_decisions(console, review)
    _print_luck(console, review)
    _print_accounts(console, review)
    _print_kinds(console, review)


def _print_decisions(console: Console, review: Review) -> None:
    """What was worse than fine, with what was better and why."""
    table = headed_table("decision", "loss", "")
    table.add_column("better", overflow="fold")
    for step in review.steps:
        decision = step.decision
        if decision is None or decision.verdict == "fine" or not decision.counts:
            continue
        best = decision.alternatives[0]
        chosen = decision.alternatives[decision.chosen]
        why = " · ".join([*map(str, best.reasons), *(f"instead of: {reason}" for reason in chosen.reasons)])
        table.add_row(
            f"{step.ply + 1}  {_name(review, decision.seat)}: {step.action}",
            f"{100 * decision.loss:.1f} ± {100 * decision.error:.1f}",
            decision.verdict,
            f"{best.action} ({why})" if why else best.action,
        )
    console.print(table if table.row_count else "No decision lost anything to speak of.")


def _print_luck(console: Console, review: Review) -> None:
    """The draws that changed most."""
    draws = [step for step in review.steps if step.actor is None]
    draws.sort(key=lambda step: -max(map(abs, step.wins)))
    table = headed_table("luck", *(_name(review, seat) for seat in review.seats))
    for step in sorted(draws[:_DRAWS_TOLD], key=lambda step: step.ply):
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
    table.add_row("error rate", *(account.total.told for account in accounts))
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


_DRAWS_TOLD = 5
