"""``serai odds GAME POSITION``: the odds in a position, and what each action is worth."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from serai import game as find_game
from serai import games
from serai.cli._support.choices import PATH, json_option
from serai.cli._support.files import Failure, load_record, named
from serai.cli._support.screen import has_colour, printable, say, say_json
from serai.core.chance import CHANCE
from serai.core.game import Game
from serai.core.notation import Detail
from serai.core.parts import Odds
from serai.core.record import first_state, replay
from serai.errors import BadNotation, BadRecord


class _GamesWithOdds(click.Group):
    """A command for every game that has odds, with what may be added to a position of it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in games() if find_game(name).odds is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        game = find_game(cmd_name)
        if game.odds is None:
            raise Failure(f"{game.name} has no odds; games with odds: {', '.join(self.list_commands(ctx))}")
        return _command(game, game.odds)


@click.group(cls=_GamesWithOdds, invoke_without_command=True, subcommand_metavar="GAME [POSITION]")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Show the odds in a position of a game, and what each action is worth."""
    if ctx.invoked_subcommand is None:
        known = [_example(find_game(name)) for name in command.list_commands(ctx)]
        raise click.UsageError(f"give a game and a position, as in {' or '.join(known)}")


def _command(game: Game, odds: Odds[Any, Any]) -> click.Command:
    notation = game.position_notation

    @click.command(game.name, epilog=f"{notation.help} For example: {_example(game)}" if notation else None)
    @click.argument("position", required=False)
    @click.option("--actions", is_flag=True, help="List every action with its expected value.")
    @_detail_options(notation.details if notation else ())
    @click.option("--record", type=PATH, metavar="FILE", help="Take the position from a record.")
    @click.option(
        "--ply", type=click.IntRange(0), metavar="N", help="The position after N actions of the record (default: all)."
    )
    @json_option
    def odds_of(
        position: str | None, actions: bool, record: Path | None, ply: int | None, as_json: bool, **added: str | None
    ) -> None:
        """Show the odds in a position."""
        details = {name: text for name, text in added.items() if text is not None}
        _check_usage(game, position, actions, record, ply, list(details))
        if record is not None:
            found = _of_record(game, odds, record, ply, actions)
        else:
            assert position is not None
            found = _of_position(game, odds, position, details, actions)
        if as_json:
            say_json(found)
        else:
            say(odds.draw(found, colour=has_colour()))

    return odds_of


def _detail_options(details: Sequence[Detail]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for detail in reversed(details):
            function = click.option(_flag(detail.name), detail.name, metavar=detail.form, help=detail.help)(function)
        return function

    return decorate


def _flag(detail: str) -> str:
    return f"--{detail.replace('_', '-')}"


def _example(game: Game) -> str:
    position = f'"{game.position_notation.example}"' if game.position_notation else "POSITION"
    return f"serai odds {game.name} {position}"


def _check_usage(
    game: Game, position: str | None, actions: bool, record: Path | None, ply: int | None, details: Sequence[str]
) -> None:
    if position is None and record is None:
        raise click.UsageError(f"give a position, as in {_example(game)}, or --record FILE")
    if position is not None and record is not None:
        raise click.UsageError("give a position or --record FILE, not both")
    if ply is not None and record is None:
        raise click.UsageError("--ply goes with --record FILE")
    if details and record is not None:
        raise click.UsageError(f"{_flag(details[0])} goes with a position: a record has it already")
    if details and not actions:
        raise click.UsageError(f"{_flag(details[0])} goes with --actions: it does not change the odds")


def _of_position(game: Game, odds: Odds[Any, Any], text: str, details: dict[str, str], actions: bool) -> Any:
    try:
        found = odds(text, details, actions=actions)
    except BadNotation as error:
        _point_at(game, error)
    if found is None:
        raise Failure("there are no odds in this position")
    return found


def _of_record(game: Game, odds: Odds[Any, Any], path: Path, ply: int | None, actions: bool) -> Any:
    record = load_record(path)
    played = len(record.actions) if ply is None else ply
    try:
        own, state = first_state(record)
        if own is not game:
            raise Failure(f"{path}: a game of {own.name}, not of {game.name}")
        for step in itertools.islice(replay(record), played):
            state = step.after
    except BadRecord as error:
        raise named(path, error) from None
    if actions and record.result is None:
        raise Failure(f"{path}: the game is not over, and --actions would show what is hidden: leave it out")
    if played > len(record.actions):
        raise Failure(f"{path}: --ply is too large: the record has {len(record.actions)} actions")
    found = odds(state.seen_by(state.actor if isinstance(state.actor, int) else None), actions=actions)
    if found is None:
        when = "the game is over" if state.over else f"there are no odds after {played} actions"
        raise Failure(f"{path}: {when}; choose another --ply")
    if actions and state.actor is CHANCE:
        raise Failure(f"{path}: {_nobody_acts(played)}")
    return found


def _nobody_acts(played: int) -> str:
    return (
        f"after {played} actions a draw comes next, so no player has actions to value; "
        f"choose --ply {played - 1} or {played + 1}, or leave out --actions"
    )


def _point_at(game: Game, error: BadNotation) -> NoReturn:
    """Show the text with a mark below the wrong character, or name the option that corrects it."""
    if error.column is None:
        details = game.position_notation.details if game.position_notation else ()
        hint = next((f" ({_flag(one.name)} {one.form})" for one in details if one.name == error.detail), "")
        raise Failure(f"{error}{hint}") from None
    say(f"  {printable(error.text)}\n  {' ' * error.column}^", err=True)
    raise Failure(f"character {error.column + 1}: {error}") from None
