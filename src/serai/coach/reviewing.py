"""A finished game gone through once: every decision and every draw judged by what the seats knew then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from serai.coach.accounts import account
from serai.coach.decisions import judged
from serai.coach.evaluator import Draw, Evaluator, result
from serai.coach.review import Review, Step, Worth
from serai.core.chance import CHANCE
from serai.core.checks import check_seat, check_whole
from serai.core.errors import BadRecord, SeraiError
from serai.core.play import Ply
from serai.core.record import Record, check_record, check_result, first_state, replay
from serai.notebook import Progress, progress_shown


def review(
    record: Record,
    seat: int | None = None,
    *,
    effort: str = "usual",
    seed: int = 0,
    openly: bool = False,
    progress: Progress | bool | None = None,
) -> Review:
    """Judge a finished game for one seat, or for all of them.

    Each seat is judged by what it could know then; ``openly`` by all cards instead. The same record, effort and seed
    give the same review, to the digit. ``progress`` is told how many actions have been judged, and of how many; without
    one a bar appears in notebooks, with ``True`` also in a terminal, with ``False`` nowhere.
    """
    check_record(record)
    check_whole("a seed", seed)
    if seat is not None:
        check_seat(seat, len(record.seats), onlooker=False)
    if record.result is None:
        raise SeraiError("the game is not over: what is hidden stays hidden, so there is no review yet")
    game, first = first_state(record)
    plies = tuple(replay(record))
    check_result(record, plies[-1].after if plies else first)
    if all(ply.drawn for ply in plies):
        raise BadRecord("nobody has done anything in this game, so there is nothing to judge", key="record.nothing")
    seats = tuple(range(len(record.seats))) if seat is None else (seat,)
    evaluator = Evaluator(game, effort=effort, seed=seed, openly=openly, actions=len(plies))
    reviewing = _Reviewing(evaluator, seats, plies)
    with progress_shown(progress, "actions") as told:
        return reviewing.review(record, effort, told)


class _Reviewing:
    """Goes through the plies with the memory of every seat that is judged."""

    def __init__(self, evaluator: Evaluator, seats: Sequence[int], plies: Sequence[Ply]) -> None:
        self._evaluator = evaluator
        self._seats = tuple(seats)
        self._plies = plies
        self._memories = [evaluator.game.memory(seat) for seat in seats]
        self._steps: list[Step] = []
        self._due: Draw | None = None

    def review(self, record: Record, effort: str, progress: Progress | None) -> Review:
        """The whole of it."""
        setup = next(number for number, ply in enumerate(self._plies) if not ply.drawn)
        for ply in self._plies[:setup]:
            self._watch(ply)
        start = worths = self._worths(self._plies[setup].before)
        for number, ply in enumerate(self._plies[setup:], start=setup):
            worths = self._step(number, ply, worths)
            if progress is not None:
                progress(number + 1, len(self._plies))
        end = self._plies[-1].after
        final = result(end, self._seats) if end.over else worths
        evaluator = self._evaluator
        accounts = [
            account(seat, place, start[place], self._steps, final[place], evaluator.coaching)
            for place, seat in enumerate(self._seats)
        ]
        return Review(
            evaluator.game.name,
            evaluator.name,
            effort,
            evaluator.seed,
            evaluator.openly,
            self._seats,
            tuple(seat.name for seat in record.seats),
            start,
            tuple(self._steps),
            tuple(accounts),
            evaluator.judged,
        )

    def _step(self, number: int, ply: Ply, before: tuple[Worth, ...]) -> tuple[Worth, ...]:
        """Judge one action; what the game is worth behind it."""
        evaluator, seats = self._evaluator, self._seats
        decision, chance = None, None
        if ply.drawn:
            assert self._due is not None
            chance = self._due.chances[ply.action]
            worths, self._due = self._due.outcomes[ply.action]
            self._watch(ply)
        else:
            actor = ply.before.actor
            if actor in seats and evaluator.judges(number):
                memory = self._memories[seats.index(actor)]
                decision = judged(evaluator, ply.before, ply.action, memory)
            self._watch(ply)
            worths = self._worths(ply.after)
        self._steps.append(
            Step(
                number,
                None if ply.drawn else ply.before.actor,
                str(self._shown(ply)),
                worths,
                tuple(after.wins - was.wins for after, was in zip(worths, before, strict=True)),
                tuple(after.score - was.score for after, was in zip(worths, before, strict=True)),
                decision,
                chance,
            )
        )
        return worths

    def _worths(self, state: Any) -> tuple[Worth, ...]:
        """What the game is worth now, and what is to be drawn, if something is."""
        if state.actor is CHANCE:
            self._due = self._evaluator.draw(state, self._seats, self._memories)
            return self._due.worths
        return self._evaluator.worths(state, self._seats, self._memories)

    def _shown(self, ply: Ply) -> Any:
        """The action, as the seat saw it that the review is made for."""
        if ply.drawn or len(self._seats) > 1 or self._evaluator.openly:
            return ply.action
        return ply.action.seen_by(self._seats[0], ply.before.actor)

    def _watch(self, ply: Ply) -> None:
        for seat, memory in zip(self._seats, self._memories, strict=True):
            if memory is not None:
                for event in ply.events:
                    memory.watch(event.seen_by(seat))
