"""Playing on from a position of another game: what a seat could not see is drawn anew, and the record tells its origin.

An action that the seat did not see is drawn anew among the legal ones that would have looked alike to it, one after the
other: so what led to the position is still a game by the rules, and the seat saw every bit of it.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import Any

from serai.core.errors import BadRecord, KeyedError, phrase
from serai.core.play import Ply
from serai.core.record import Origin, Record, first_state, replay

phrase(
    {
        "record.unfinished": "the game is not over: nobody can play on from it yet",
        "record.over": "the game is over there: play on from an earlier moment",
        "record.turn": "the game has no moment {turn}: there are 0 to {most}",
        "record.seat": "the game has no seat {seat}",
    }
)


class CannotContinue(KeyedError):
    """There is nothing to play on from."""


def identity(record: Record) -> str:
    """What names this very record: the SHA-256 of its text."""
    return hashlib.sha256(record.write().encode(errors="surrogatepass")).hexdigest()


def inherited(record: Record, turn: int, seat: int, rng: random.Random) -> tuple[Origin, tuple[str, ...]]:
    """The actions with which a game begins that goes on from here, when so many players' actions were done.

    ``seat`` sees in them what it saw; the rest is drawn anew. ``CannotContinue`` says why that cannot be.
    """
    if record.result is None:
        raise CannotContinue("record.unfinished")
    if seat not in range(len(record.seats)):
        raise CannotContinue("record.seat", seat=seat)
    plies = tuple(replay(record))
    acted = [number for number, ply in enumerate(plies) if not ply.drawn]
    if turn not in range(len(acted) + 1):
        raise CannotContinue("record.turn", turn=turn, most=len(acted))
    if turn == len(acted) and (not plies or plies[-1].after.over):
        raise CannotContinue("record.over")
    step = acted[turn] if turn < len(acted) else len(plies)
    return Origin(identity(record), step, seat), tuple(map(str, redrawn(plies[:step], seat, rng)))


def redrawn(plies: Sequence[Ply], seat: int, rng: random.Random) -> list[Any]:
    """The same actions as far as ``seat`` saw them; others in place of those that it did not see."""
    actions: list[Any] = []
    state: Any = plies[0].before if plies else None
    for ply in plies:
        actor = None if ply.drawn else ply.before.actor
        seen = ply.action.seen_by(seat, actor)
        alike = [ply.action]
        if seen != ply.action:
            alike = [action for action in state.actions() if action.seen_by(seat, actor) == seen]
        actions.append(rng.choice(alike))
        state = state.apply(actions[-1])
    return actions


def check_origin(record: Record, source: Record) -> None:
    """Whether a record begins as the record that it names, as far as its seat saw that; ``BadRecord`` if not."""
    origin = record.origin
    if origin is None:
        raise BadRecord("the game did not begin in a position of another: it has no 'from' line")
    if identity(source) != origin.record:
        raise BadRecord("it says that it goes on from another record than this one")
    game, _ = first_state(record)
    for number, ply in enumerate(replay(source)):
        if number == origin.step:
            return
        actor = None if ply.drawn else ply.before.actor
        told = game.parse(record.actions[number]).seen_by(origin.seat, actor)
        if told != ply.action.seen_by(origin.seat, actor):
            reason = f"'{record.actions[number]}' is not what seat {origin.seat} saw there: '{ply.action}'"
            raise BadRecord(reason, line=record.line_of(number))
    if origin.step > len(source.actions):
        raise BadRecord(f"it says that it goes on from action {origin.step}, but there are {len(source.actions)}")
