"""``serai best-response``: how much a learner wins from a bot that it practised against."""

from __future__ import annotations

import click
import msgspec

from serai.bots.specs import sandboxed_spec
from serai.cli._support.choices import json_option
from serai.cli._support.games_of_bots import games_for
from serai.cli._support.screen import say, say_json
from serai.core.registry import game as find_game


@click.command()
@click.argument("bot")
@click.option("--game", "named", multiple=True, help="Only this game. Default: every game that the bot plays.")
@click.option(
    "--minutes", type=click.FloatRange(min=0, min_open=True), default=10, show_default=True, help="Of practice."
)
@click.option("--players", type=click.IntRange(min=2), default=4, show_default=True, help="All but one are the bot.")
@click.option(
    "--games", type=click.IntRange(min=8), default=2000, show_default=True, help="New games after it has learned."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Other games, another learner.")
@json_option
def command(
    bot: str, named: tuple[str, ...], minutes: float, players: int, games: int, seed: int, as_json: bool
) -> None:
    """Teach a small network against BOT alone, and say how much it wins from it then.

    What it wins above a fair share is what BOT gives away to somebody who knows it; a longer or better lesson may find
    more. BOT is named as in 'serai arena', and isolated as there. It needs the extra 'fast'.
    """
    from serai.envs.best_response import best_response

    def tell(spent: float, decisions: int, share: float) -> None:
        if not as_json:
            say(f"{spent:5.0f} s {decisions:10,} decisions: {share:.1%} of victories while it tries things out")

    for game in games_for(bot, named):
        if game.encoding is None:
            continue
        found = best_response(
            game.name,
            sandboxed_spec(find_game(game.name), bot),
            seconds=60 * minutes,
            players=players,
            games=games,
            seed=seed,
            tell=tell,
        )
        if as_json:
            say_json(msgspec.to_builtins(found))
            continue
        say(
            f"{game.name}: after {found.seconds / 60:.1f} minutes ({found.practice:,} games) it wins"
            f" {found.wins:.1%} ({found.low:.1%} to {found.high:.1%}) of {found.games:,} new games against"
            f" {players - 1} {bot} (a fair share is {found.fair:.1%})"
        )
