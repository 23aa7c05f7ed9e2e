"""``serai bot``: a bot at somebody's table, over the network."""

from __future__ import annotations

import asyncio
import itertools
import random
import secrets
from typing import Any

import click

from serai.bots.remote import Guest, Unreachable
from serai.bots.specs import find_bot
from serai.cli._support.files import Failure
from serai.core.registry import game as find_game
from serai.table.names import alike


@click.command()
@click.option("--url", required=True, help="The invitation link of the table: http://HOST/t/TABLE.")
@click.option("--bot", "spec", default="random", show_default=True, help="A bot's name, or your own as FILE.py:NAME.")
@click.option("--name", help="The name at the table; without it the bot's, told as one.")
@click.option("--seat", type=click.IntRange(min=0), help="Which seat to take; without it the first open one.")
def command(url: str, spec: str, name: str | None, seat: int | None) -> None:
    """Join a table as an outside bot would, and play until the game has ended."""
    try:
        guest = Guest(url)
        table = guest.see().table
        bot = find_bot(find_game(table.game), spec)()
        rng = random.Random(secrets.randbits(256))
        called = name or _free_name(spec, [sitting.name for sitting in table.seats])
        taken = guest.join(called, seat)
        click.echo(f"{called} sits on seat {taken} and plays as soon as the host starts.")

        def decide(view: Any) -> Any:
            try:
                return bot.decide(view, rng)
            except Exception as error:
                raise Failure(f"the bot failed: {type(error).__name__}: {error}") from error

        scores = asyncio.run(guest.play(taken, decide, getattr(bot, "watch", None)))
    except Unreachable as error:
        raise Failure(str(error)) from None
    click.echo(f"The game is over: {' '.join(map(str, scores))}")


def _free_name(spec: str, taken: list[str]) -> str:
    """What everybody can see to be a bot, and which one; nobody at the table is called so yet."""
    wanted = f"{spec.rpartition('/')[2][:30]} bot"
    names = (wanted if count == 1 else f"{wanted} {count}" for count in itertools.count(1))
    return next(name for name in names if not alike(name, taken))
