"""The luck in a finished game: what its draws changed in everybody's share of victory, and nothing else.

Judged with all cards open, so that one look does for all seats, and at draws alone: a fraction of what a review takes.
The mean of luck is zero before every draw, whoever plays and however rough the estimates are. That makes it a control
variate: taken off results it changes no expectation, only noise.
"""

from __future__ import annotations

import math
from typing import Final

from serai.coach.evaluator import Draw, Evaluator
from serai.core.checks import check_whole
from serai.core.errors import SeraiError
from serai.core.game import Game
from serai.core.record import Record, check_record, check_result, first_state, replay

LOW: Final = "low"
"""However rough, luck has no bias; more playouts would take out a little more of it for four times the price."""


def evaluator_of(game: Game, *, effort: str = LOW) -> str:
    """Who tells the luck of this game: another name, other figures. Where nobody can, that is an error."""
    return f"{Evaluator(game, effort=effort, openly=True).name} {effort}"


def luck(record: Record, *, effort: str = LOW, seed: int = 0) -> tuple[float, ...]:
    """By seat: the share of victory that draws brought, from the first action of a player on.

    The same record, effort and seed give the same luck, to the digit.
    """
    check_record(record)
    check_whole("a seed", seed)
    if record.result is None:
        raise SeraiError("the game is not over: what is hidden stays hidden, so its luck is not told yet")
    game, first = first_state(record)
    plies = tuple(replay(record))
    check_result(record, plies[-1].after if plies else first)
    seats = range(len(record.seats))
    evaluator = Evaluator(game, effort=effort, seed=seed, openly=True, actions=len(plies))
    memories = [game.memory(seat) for seat in seats]
    changes: list[list[float]] = [[] for _ in seats]
    begun, due = False, None
    for ply in plies:
        if not ply.drawn:
            begun, due = True, None
        elif begun:  # the set-up is nobody's luck
            draw: Draw = evaluator.draw(ply.before, seats, memories) if due is None else due
            worths, due = draw.outcomes[ply.action]
            for seat in seats:
                changes[seat].append(worths[seat].wins - draw.worths[seat].wins)
        for seat, memory in zip(seats, memories, strict=True):
            if memory is not None:
                for event in ply.events:
                    memory.watch(event.seen_by(seat))
    return tuple(math.fsum(some) for some in changes)
