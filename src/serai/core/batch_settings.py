"""What a batch is made with, checked, and what is said when it does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from serai.core.checks import check_whole
from serai.core.errors import BadArgument, BadOptions, phrase


def whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """A setting that has to be a whole number, within bounds."""
    try:
        return check_whole(repr(name), value, least, most)
    except BadArgument as error:
        raise BadOptions("core.batch.whole", problem=str(error)) from None


def players_of(players: int | Sequence[int]) -> tuple[int, ...]:
    """Numbers of players, one or several, as several; whether a game takes them is for the game to say."""
    several = tuple(players) if isinstance(players, Sequence) and not isinstance(players, str) else (players,)
    return several or (0,)


phrase(
    {
        "core.batch.whole": "{problem}",
        "core.batch.array": "{name!r} must be {wanted}, writable; Batch.empty(lanes) makes fitting ones",
        "core.batch.seats": "seats to look from are those of each lane's game, 0 to {most} at most",
        "core.batch.actions": "step() takes one action per lane, {lanes} whole numbers, not {kind} of shape {shape}",
        "core.batch.action": "action number {action} in lane {lane} is not legal for seat {seat}: see the mask",
        "core.batch.lane": "lanes are 0 to {most}, not {lane}",
        "core.batch.state": "a lane takes a full state of {game} in which a player is to act",
        "core.batch.table": "this batch has tables of {players} players and the lane's learner sits on seat {learner}: "
        "a state of {seats} players does not fit",
        "core.batch.file": "no batch can be loaded from this file: {problem}",
        "core.batch.other": "the saved batch was made differently: {different}",
        "core.batch.unknown": "no compiled bot {names}; those that may be opponents: {known}",
        "core.batch.opponents": "name {wanted} opponents, or one for all of them, not {given}",
        "core.batch.nobody": "without opponents the caller acts for every seat: leave 'seat' out",
        "core.batch.seat": "the learner's seat is 0 to {most} or 'rotate', not {seat!r}",
        "core.batch.reward": "a reward is one of {names}, 'shaped', or a sum of them such as {{'win': 1.0}}",
    }
)
