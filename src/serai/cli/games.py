"""``serai games``: list the games."""

from __future__ import annotations

import inspect
from typing import Any

import click
import msgspec

from serai import game as find_game
from serai import games
from serai.cli._support.choices import json_option
from serai.cli._support.screen import say, say_json, strong
from serai.core.game import Game
from serai.core.option import Option
from serai.core.registry import bot_names, bots_here


@click.command()
@json_option
def command(as_json: bool) -> None:
    """List the games with their options and bots."""
    found = [find_game(name) for name in games()]
    if as_json:
        say_json([_described(game) for game in found])
        return
    say("\n\n".join(_summary(game) for game in found))


def _described(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "about": _about(game),
        "rules": game.version,
        "players": [game.players[0], game.players[-1]],
        "options": [msgspec.to_builtins(option) for option in game.options],
        "bots": list(bots_here(game)),
        "levels": [name for name in game.levels if name in bots_here(game)],
    }


def _summary(game: Game) -> str:
    rows = [f"{strong(game.name)}  {_about(game)}"]
    rows.append(f"  players  {game.players[0]} to {game.players[-1]}, rules version {game.version}")
    for number, option in enumerate(game.options):
        rows.append(f"  {'' if number else 'options':7}  {option.name}: {_values(option, game)}")
    if game.levels:
        rows.append(f"  levels   {', '.join(game.levels)} (weakest first)")
    rows.append(f"  bots     {', '.join(name for name in bots_here(game) if name not in game.levels)}")
    lacking = [name for name in bot_names(game) if name not in bots_here(game)]
    rows += [f"           ({name} cannot play here: it needs {', '.join(game.bot_packages[name])})" for name in lacking]
    return "\n".join(rows)


def _values(option: Option, game: Game) -> str:
    default = str(option.default).lower() if isinstance(option.default, bool | None) else option.default
    return f"{option.wanted(game.players[-1])} (default {default})"


def _about(game: Game) -> str:
    return (inspect.getdoc(type(game)) or "").partition("\n")[0]
