"""``serai odds POSITION``: the exact chances of leg and race, and what every action is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click
import msgspec

from serai.camelup.odds import load_report
from serai.camelup.odds.situation import parse_cards, parse_decks, parse_taken, situation
from serai.camelup.pieces import LAST_SPACE
from serai.camelup.position import parse_position
from serai.camelup.rules import CamelUpState
from serai.cli._support.choices import json_option
from serai.cli._support.files import Failure, load_record, named
from serai.cli._support.screen import faint, printable, say, say_json, strong
from serai.core.errors import BadNotation, BadRecord, SeraiError
from serai.core.record import Record, first_state, replay

if TYPE_CHECKING:
    from serai.camelup.odds.report import Odds

_T = TypeVar("_T")
_BAR = 14
"""Columns of a chance of 1."""
_EIGHTHS = " ▏▎▍▌▋▊▉"
_EXAMPLE = 'serai odds "1gyo 3bw | +5 -9 | bgoyw"'
DIFFERENT_OWNERS = "the cards on the decks are of as many different players as there can be"


@click.command(
    epilog="A position is stacks (space, then camels bottom to top: b g o y w), desert tiles (+5 oasis, -9 mirage) "
    f"and the dice left. For example: {_EXAMPLE}"
)
@click.argument("position", required=False)
@click.option("--actions", is_flag=True, help="List every action with the pounds it can be expected to bring.")
@click.option("--cards", metavar="bgo", help="The race cards in your hand (default: all).")
@click.option("--taken", metavar="g2,b1", help="How many leg tiles others have taken (default: none).")
@click.option("--decks", metavar="winner:3,loser:1", help="How many race cards others have laid (default: none).")
@click.option("--own-tile", type=click.IntRange(1, LAST_SPACE), metavar="SPACE", help="Where your desert tile lies.")
@click.option("--record", type=click.Path(path_type=Path), metavar="FILE", help="Take the position from a record.")
@click.option("--ply", type=click.IntRange(0), metavar="N", help="After so many of its actions (default: all).")
@json_option()
def command(
    position: str | None,
    actions: bool,
    cards: str | None,
    taken: str | None,
    decks: str | None,
    own_tile: int | None,
    record: Path | None,
    ply: int | None,
    as_json: bool,
) -> None:
    """Show the chances of every camel in this leg and in the race."""
    details = {"--cards": cards, "--taken": taken, "--decks": decks, "--own-tile": own_tile}
    _check_usage(position, actions, record, ply, [name for name, value in details.items() if value is not None])
    if record is not None:
        found = _of_record(record, ply, actions)
    else:
        assert position is not None
        found = _of_position(position, actions, cards, taken, decks, own_tile)
    if as_json:
        say_json(found)
    else:
        say("\n".join(_told(found)))


def _check_usage(
    position: str | None, actions: bool, record: Path | None, ply: int | None, details: Sequence[str]
) -> None:
    if position is None and record is None:
        raise click.UsageError(f"give a position, as in {_EXAMPLE}, or --record FILE")
    if position is not None and record is not None:
        raise click.UsageError("give a position or --record FILE, not both")
    if ply is not None and record is None:
        raise click.UsageError("--ply goes with --record FILE")
    if details and record is not None:
        raise click.UsageError(f"{details[0]} goes with a position: a record tells it itself")
    if details and not actions:
        raise click.UsageError(f"{details[0]} goes with --actions: it changes no chances")


# -- where the odds come from ------------------------------------------------------------------------------------------


def _of_position(
    text: str, actions: bool, cards: str | None, taken: str | None, decks: str | None, own_tile: int | None
) -> Odds:
    position = _read(parse_position, text)
    engine = load_report()
    if not actions:
        return engine.odds(position, actions=False)  # type: ignore[no-any-return]
    told: dict[str, Any] = {
        "cards": _read(parse_cards, cards) if cards is not None else None,
        "taken": _read(parse_taken, taken) if taken is not None else None,
        "decks": _read(parse_decks, decks) if decks is not None else None,
        "own_tile": own_tile,
    }
    known = {name: value for name, value in told.items() if value is not None}
    try:
        view = situation(position, **known)
    except BadNotation as error:
        raise Failure(f"{error} (--own-tile SPACE)") from None
    found: Odds = engine.odds(view if known else position)
    if told["decks"]:
        return msgspec.structs.replace(found, assumes=(*found.assumes, DIFFERENT_OWNERS))
    return found


def _of_record(path: Path, ply: int | None, actions: bool) -> Odds:
    record = load_record(path)
    try:
        game, state = first_state(record)
        if not isinstance(state, CamelUpState):
            raise Failure(f"{path}: there are no odds for {game.name}")
        played = len(record.actions) if ply is None else ply
        state = _state_at(record, state, played)
    except BadRecord as error:
        raise named(path, error) from None
    if actions and record.result is None:
        raise Failure(f"{path}: the game is not over, so its race cards stay hidden: no --actions")
    if played > len(record.actions):
        raise Failure(f"{path}: --ply can be 0 to {len(record.actions)}, so many actions it has")
    try:
        return load_report().odds(state.seen_by(state.turn), actions=actions)  # type: ignore[no-any-return]
    except SeraiError as error:
        raise Failure(f"{path} after {played} actions: {error}; choose another --ply") from None


def _state_at(record: Record, state: CamelUpState, played: int) -> CamelUpState:
    for ply in replay(record):
        if ply.number >= played:
            break
        state = ply.after
    return state


def _read(reader: Callable[[str], _T], text: str) -> _T:
    try:
        return reader(text)
    except BadNotation as error:
        _point_at(error, text)


def _point_at(error: BadNotation, text: str) -> NoReturn:
    """Show the text with a mark below the character that is wrong."""
    if error.column is None:
        raise Failure(str(error)) from None
    say(f"  {printable(text)}\n  {' ' * error.column}^", err=True)
    raise Failure(f"character {error.column + 1}: {error}") from None


# -- how they are told -------------------------------------------------------------------------------------------------


def _told(found: Odds) -> list[str]:
    ranked = sorted(found.leg, key=lambda camel: -found.leg[camel].first)
    lines = [f"{strong(found.position)}   {faint(f'the dice can fall in {found.sequences:,} ways')}", ""]
    lines.append(_row("this leg", ("first", "second", "last")))
    lines += [_row(camel, _shares(found.leg[camel])) for camel in ranked]
    lines += ["", _row("the race", ("winner", "loser"))]
    lines += [_row(camel, _shares(found.race[camel])) for camel in ranked]
    lines += ["", f"the race ends in this leg: {found.ends:.1%}"]
    if found.actions:
        lines += ["", "pounds to be expected of every action:", *_valued(found)]
    return [*lines, "", *(faint(f"assumed: {assumption}") for assumption in found.assumes)]


def _shares(chances: msgspec.Struct) -> tuple[str, ...]:
    return tuple(_share(chance) for chance in msgspec.structs.astuple(chances))


def _row(name: str, cells: Sequence[str]) -> str:
    return (f"{name:9}" + "".join(f"{cell:{_BAR + 10}}" for cell in cells)).rstrip()


def _share(chance: float) -> str:
    return f"{chance:6.1%} {_bar(chance)}"


def _bar(share: float) -> str:
    """A bar of so much of :data:`_BAR` columns, to an eighth of a column."""
    whole, rest = divmod(round(max(0.0, min(1.0, share)) * _BAR * 8), 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")


def _valued(found: Odds) -> list[str]:
    """Best first, equals in the order of the actions, with a bar from 0 to the best."""
    best = max(1.0, *found.actions.values())
    ordered = sorted(found.actions.items(), key=lambda pair: (pair[0] != found.best, -pair[1]))
    return [f"{action:14}{value:+7.3f} {_bar(value / best)}".rstrip() for action, value in ordered]
