"""``serai bot``: let a bot join a table over the network."""

from __future__ import annotations

import asyncio
import itertools
import random
import secrets
from typing import Any

import click

from serai.bots.contract import NoAnswer, close, understood
from serai.bots.program import PROCESS, program_spec
from serai.bots.remote import Guest, Unreachable
from serai.bots.specs import bot_title, find_working_bot
from serai.cli._support.choices import POSITIVE
from serai.cli._support.files import Failure
from serai.core.game import State
from serai.core.registry import game as find_game
from serai.table.names import alike


@click.command()
@click.option("--url", required=True, help="The invitation link of the table: http://HOST/t/TABLE.")
@click.option(
    "--bot",
    "spec",
    default="random",
    show_default=True,
    help="A bot's name, or your own as FILE.py:NAME or 'process:COMMAND'.",
)
@click.option(
    "--process", "program", metavar="COMMAND", help="A program as the bot; the same as --bot 'process:COMMAND'."
)
@click.option(
    "--limit", type=POSITIVE, default=30.0, show_default=True, help="Seconds that a program may take for a decision."
)
@click.option("--name", help="The name at the table. Default: the bot's name and 'bot'.")
@click.option("--seat", type=click.IntRange(min=0), help="The seat to take (from 0). Default: the first open one.")
def command(url: str, spec: str, program: str | None, limit: float, name: str | None, seat: int | None) -> None:
    """Join the table of an invitation link with a bot, and play until the game is over."""
    spec = spec if program is None else f"{PROCESS}{program}"
    try:
        guest = Guest(url)
        table = guest.see().table
        bot = find_working_bot(find_game(table.game), spec)()
        within = getattr(bot, "decide_within", None)
        rng = random.Random(secrets.randbits(256))
        called = name or _free_name(spec, [sitting.name for sitting in table.seats])
        taken = guest.join(called, seat)
        click.echo(f"{called} sits on seat {taken} and plays as soon as the host starts.")

        def decide(view: State) -> Any:
            try:
                answer = bot.decide(view, rng) if within is None else within(view, rng, limit)
                return understood(answer, view)
            except (NoAnswer, ValueError) as error:
                raise Failure(f"the bot failed: it {error}") from error
            except Exception as error:
                raise Failure(f"the bot failed: {type(error).__name__}: {error}") from error

        try:
            scores = asyncio.run(guest.play(taken, decide, getattr(bot, "watch", None)))
        finally:
            close(bot)
    except Unreachable as error:
        raise Failure(str(error)) from None
    click.echo(f"The game is over: {' '.join(map(str, scores))}")


def _free_name(spec: str, taken: list[str]) -> str:
    """A name that shows that it is a bot, and which one, and that nobody at the table has."""
    wanted = f"{(bot_title(spec) if program_spec(spec) else spec.rpartition('/')[2])[:30]} bot"
    names = (wanted if count == 1 else f"{wanted} {count}" for count in itertools.count(1))
    return next(name for name in names if not alike(name, taken))
