"""``serai bot``: a bot at somebody's table, over the network."""

from __future__ import annotations

import asyncio
import random
import secrets
from typing import Any

import click

from serai.bots.remote import Guest, Unreachable
from serai.bots.specs import find_bot
from serai.cli._support.files import Failure
from serai.core.registry import game as find_game


@click.command()
@click.option("--url", required=True, help="The invitation link of the table: http://HOST/t/TABLE.")
@click.option("--bot", "spec", default="random", show_default=True, help="A bot's name, or your own as FILE.py:NAME.")
@click.option("--name", help="The name at the table; without it the bot's.")
@click.option("--seat", type=click.IntRange(min=0), help="Which seat to take; without it the first open one.")
def command(url: str, spec: str, name: str | None, seat: int | None) -> None:
    """Join a table as an outside bot would, and play until the game has ended."""
    try:
        guest = Guest(url)
        table = guest.see().table
        bot = find_bot(find_game(table.game), spec)()
        rng = random.Random(secrets.randbits(256))
        taken = guest.join(name or _short(spec), seat)
        click.echo(f"{name or _short(spec)} sits on seat {taken} and plays as soon as the host starts.")

        def decide(view: Any) -> Any:
            try:
                return bot.decide(view, rng)
            except Exception as error:
                raise Failure(f"the bot failed: {type(error).__name__}: {error}") from error

        scores = asyncio.run(guest.play(taken, decide, getattr(bot, "watch", None)))
    except Unreachable as error:
        raise Failure(str(error)) from None
    click.echo(f"The game is over: {' '.join(map(str, scores))}")


def _short(spec: str) -> str:
    return spec.rpartition("/")[2][:40]
