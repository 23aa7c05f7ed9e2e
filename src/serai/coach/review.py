"""Reviews: every decision and every draw of a finished game judged by what the seats knew then; and its luck alone.

A review is plain data: it is stored, sent and shown as it is. Figures "by seat" are in the order of ``Review.seats``.
Worths are shares of victory and, beside them, pounds or points.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from serai.coach.decisions import GRAVITY, Decision, judge_decision
from serai.coach.evaluator import Evaluator, PendingDraw, Worth, final_worths
from serai.core.arguments import check_seat, check_whole
from serai.core.chance import CHANCE
from serai.core.game import Game, State
from serai.core.parts import Coach, Finding
from serai.core.play import Ply
from serai.core.record import Record, check_record, check_result, first_state, replay
from serai.core.rollouts import Memory
from serai.errors import BadRecord, Hidden, SeraiError
from serai.progress import Progress, progress_shown

FEWEST: Final = 5
"""Decisions that counted: with fewer a seat is not compared with a level."""
GREAT_LUCK: Final = 0.1
"""A draw that changes a seat's share of victory by this much is marked."""


class Step(msgspec.Struct, frozen=True):
    """One action of the record: of a seat, or of chance."""

    ply: int
    """Its place in the record."""
    actor: int | None
    """``None`` for a draw."""
    action: str
    worths: tuple[Worth, ...]
    """By seat: what the game is worth after it."""
    wins: tuple[float, ...]
    """By seat: by how much the share of victory changed; the luck of a draw."""
    scores: tuple[float, ...]
    decision: Decision | None = None
    """For the seats that the review is made for, where there was a choice."""
    chance: float | None = None
    """How likely a draw was."""


class Balance(msgspec.Struct, frozen=True):
    """Where a result came from: ``final - first == own + others + chance + revealed``."""

    first: float
    own: float
    others: float
    chance: float
    revealed: float
    final: float

    @property
    def adjusted(self) -> float:
        """The result less luck: fair on average over many games, but of one game it may be no possible result."""
        return self.first + self.own + self.others


class Rate(msgspec.Struct, frozen=True):
    """The losses of some decisions together, and how hard these were."""

    decisions: int
    loss: float
    """The sum of their regrets."""
    as_hard: float
    """How hard they were together, in decisions of an even game: by what the playout policy would have lost."""
    at_stake: float
    """How much depended on them, in decisions of an even game: 4 p (1 - p) each, p being the best action's chance."""

    @property
    def each(self) -> float:
        """The mean loss."""
        return self.loss / self.decisions if self.decisions else 0.0

    @property
    def error_rate(self) -> float | None:
        """The loss per decision of an even game that is as hard; ``None`` if they were so easy that it would be noise.

        A seat that has all but lost has little left to lose, and so has the playout policy.
        """
        return self.loss / self.as_hard if self.as_hard > 0 else None

    @property
    def percent(self) -> str:
        """The error rate in per cent, for tables."""
        return "–" if self.error_rate is None else f"{100 * self.error_rate:.2f}"


class Account(msgspec.Struct, frozen=True):
    """A seat's game in figures."""

    seat: int
    wins: Balance
    scores: Balance
    kinds: dict[str, Rate]
    total: Rate
    verdicts: dict[str, int]
    adjusted: float
    """The share of victory without luck, from 0 to 1: see :func:`without_luck`."""
    plays_like: str | None
    """The level with the nearest losses; ``None`` after too few decisions to say."""


class Review(msgspec.Struct, frozen=True):
    """A finished game, judged."""

    game: str
    evaluator: str
    """The evaluator's name: equal names give equal figures."""
    effort: str
    seed: int
    open: bool
    """Whether it was judged with all cards open, instead of by what each seat knew."""
    seats: tuple[int, ...]
    names: tuple[str, ...]
    """The names of all seats."""
    start: tuple[Worth, ...]
    """By seat: what the game was worth when the first player could act."""
    steps: tuple[Step, ...]
    accounts: tuple[Account, ...]
    """By seat."""
    findings: tuple[Finding, ...] = ()
    """What there is to say about the play of the seats besides single decisions."""
    judged: float = 1.0
    """The share of decisions that were judged, drawn by lot: less than 1 in an overlong game."""

    def __str__(self) -> str:
        from serai.coach.report import brief

        return brief(self)

    def _repr_svg_(self) -> str:
        from serai.coach.report import picture

        return picture(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


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

    Each seat is judged by what it could know then; with ``openly``, with all cards open. The same record, effort and
    seed give the same review, to the digit. ``progress`` is called with the number of actions judged and of all;
    without it a bar appears in notebooks, with ``True`` also in a terminal, with ``False`` nowhere.
    """
    game, plies = _finished(record, seed, "a review")
    if seat is not None:
        check_seat(seat, len(record.seats), onlooker=False)
    if all(ply.drawn for ply in plies):
        raise BadRecord("no player has acted in this game, so there is nothing to judge", key="record.nothing")
    seats = tuple(range(len(record.seats))) if seat is None else (seat,)
    evaluator = Evaluator(game, effort=effort, seed=seed, openly=openly, actions=len(plies))
    with progress_shown(progress, "actions") as shown:
        return _Reviewer(evaluator, seats, plies).review(record, effort, shown)


def luck_evaluator(game: Game) -> str:
    """The name of the evaluator that gives the luck of this game: equal names give equal figures."""
    return f"{Evaluator(game, effort='low', openly=True).name} low"


def luck(record: Record, *, effort: str = "low", seed: int = 0) -> tuple[float, ...]:
    """By seat: the share of victory that draws brought, from the first action of a player on.

    Judged with all cards open, so the seats share their playouts, and at draws only: a fraction of a review's work.
    Before every draw the mean of luck is zero for all, however rough the estimates are. So luck is a control
    variate: subtracting it from results reduces their noise and keeps their expectation. More effort takes out little
    more. The same record, effort and seed give the same luck, to the digit.
    """
    game, plies = _finished(record, seed, "its luck")
    seats = range(len(record.seats))
    evaluator = Evaluator(game, effort=effort, seed=seed, openly=True, actions=len(plies))
    memories = [game.memory(seat) for seat in seats]
    changes: list[list[float]] = [[] for _ in seats]
    begun, due = False, None
    for ply in plies:
        if not ply.drawn:
            begun, due = True, None
        elif begun:  # the set-up is nobody's luck
            draw: PendingDraw = evaluator.draw(ply.before, seats, memories) if due is None else due
            worths, due = draw.outcomes[ply.action]
            for seat in seats:
                changes[seat].append(worths[seat].wins - draw.worths[seat].wins)
        _watch(ply, seats, memories)
    return tuple(map(math.fsum, changes))


def _finished(record: Record, seed: int, what: str) -> tuple[Game, tuple[Ply, ...]]:
    """The game and the plies of a record, which must be that of a finished game."""
    check_record(record)
    check_whole("a seed", seed)
    if record.result is None:
        raise SeraiError(f"the game is not over: {what} would show what is still hidden")
    game, first = first_state(record)
    plies = tuple(replay(record))
    check_result(record, plies[-1].after if plies else first)
    return game, plies


def _watch(ply: Ply, seats: Sequence[int], memories: Sequence[Memory | None]) -> None:
    """Let each memory see what its seat saw of a ply."""
    for seat, memory in zip(seats, memories, strict=True):
        if memory is not None:
            for event in ply.events:
                memory.watch(event.seen_by(seat))


class _Reviewer:
    """Goes through the plies, with a memory for every seat that is judged."""

    def __init__(self, evaluator: Evaluator, seats: Sequence[int], plies: Sequence[Ply]) -> None:
        self._evaluator = evaluator
        self._seats = tuple(seats)
        self._plies = plies
        self._memories = [evaluator.game.memory(seat) for seat in seats]
        self._steps: list[Step] = []
        self._due: PendingDraw | None = None

    def review(self, record: Record, effort: str, progress: Progress | None) -> Review:
        """Judge every ply after the set-up."""
        setup = next(number for number, ply in enumerate(self._plies) if not ply.drawn)
        for ply in self._plies[:setup]:
            _watch(ply, self._seats, self._memories)
        start = worths = self._worths(self._plies[setup].before)
        for number, ply in enumerate(self._plies[setup:], start=setup):
            worths = self._step(number, ply, worths)
            if progress is not None:
                progress(number + 1, len(self._plies))
        self._steps = counted_once(self._steps, self._evaluator)
        end = self._plies[-1].after
        final = final_worths(end, self._seats) if end.over else worths
        evaluator = self._evaluator
        accounts = [
            _account(seat, place, start[place], self._steps, final[place], evaluator.coach)
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
            tuple(evaluator.coach.findings(self._plies, self._seats)),
            evaluator.judged,
        )

    def _step(self, number: int, ply: Ply, before: tuple[Worth, ...]) -> tuple[Worth, ...]:
        """Judge one action; returns what the game is worth after it."""
        evaluator, seats = self._evaluator, self._seats
        decision, chance = None, None
        if ply.drawn:
            assert self._due is not None
            chance = self._due.chances[ply.action]
            worths, self._due = self._due.outcomes[ply.action]
            _watch(ply, self._seats, self._memories)
        else:
            actor = ply.before.actor
            if actor in seats and evaluator.judges(number):
                memory = self._memories[seats.index(actor)]
                decision = judge_decision(evaluator, ply.before, ply.action, memory)
            _watch(ply, self._seats, self._memories)
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

    def _worths(self, state: State) -> tuple[Worth, ...]:
        """What the game is worth now; notes the draw that comes next, if one does."""
        if state.actor is CHANCE:
            self._due = self._evaluator.draw(state, self._seats, self._memories)
            return self._due.worths
        return self._evaluator.worths(state, self._seats, self._memories)

    def _shown(self, ply: Ply) -> Any:
        """The action as it may be shown: a review for one seat shows what that seat saw."""
        if ply.drawn or len(self._seats) > 1 or self._evaluator.openly:
            return ply.action
        return ply.action.seen_by(self._seats[0], ply.before.actor)


# -- a seat's game in figures ------------------------------------------------------------------------------------------


def counted_once(steps: Sequence[Step], evaluator: Evaluator) -> list[Step]:
    """The steps, with mistakes that missed the same marked as repeated, all but the worst.

    A mistake misses the same as the seat's mistake before it if the best action is the same advice and the seat has not
    followed it in between.
    """
    rows: list[list[int]] = []
    """Places of mistakes that missed the same."""
    missed: dict[int, object] = {}
    """By seat: what its last mistake missed, unless it has been done since."""
    for place, step in enumerate(steps):
        decision = step.decision
        if step.actor is None:
            continue
        if missed.get(step.actor) is not None and _advice(evaluator, step.action) == missed[step.actor]:
            del missed[step.actor]
        if decision is None or decision.verdict == "fine":
            continue
        best = _advice(evaluator, decision.alternatives[0].action)
        if best is not None and missed.get(decision.seat) == best:
            next(row for row in reversed(rows) if steps[row[0]].actor == decision.seat).append(place)
        else:
            rows.append([place])
        missed[decision.seat] = best
    marked = list(steps)
    for row in rows:
        worst = max(row, key=lambda place: _gravity(steps[place].decision))
        for place in row:
            decision = steps[place].decision
            if place != worst and decision is not None:
                marked[place] = replace(steps[place], decision=replace(decision, repeated=True))
    return marked


def _gravity(decision: Decision | None) -> tuple[int, float, float]:
    return (0, 0.0, 0.0) if decision is None else (GRAVITY[decision.verdict], decision.loss, decision.score_loss)


def _advice(evaluator: Evaluator, action: str) -> object | None:
    try:
        return evaluator.coach.advice(evaluator.game.parse(action))
    except Hidden:
        return None


LEAST_CHANCE: Final = 0.02
"""A chance nearer than this to nothing or to certain is taken to be no nearer, in :func:`without_luck`."""


def without_luck(first: float, changes: Sequence[tuple[float, float]]) -> float:
    """The share of victory that ``first`` and the decisions make without the draws, from 0 to 1.

    ``changes`` are the shares before and after each decision, of anybody. A decision is worth as much whatever luck
    came before it: it changes the odds by the same factor. Without any luck that is the result, with nothing but luck
    the first share; and what decisions give and take back cancels out.
    """
    log_odds = _log_odds(first) + math.fsum(_log_odds(after) - _log_odds(before) for before, after in changes)
    bound = _log_odds(1.0)  # beyond certain is certain
    odds = math.exp(min(max(log_odds, -bound), bound))
    share = (odds / (1 + odds) - LEAST_CHANCE) / (1 - 2 * LEAST_CHANCE)
    return min(max(share, 0.0), 1.0)  # but for rounding


def _log_odds(share: float) -> float:
    share = LEAST_CHANCE + (1 - 2 * LEAST_CHANCE) * share
    return math.log(share / (1 - share))


def _account(seat: int, place: int, start: Worth, steps: Sequence[Step], final: Worth, coach: Coach) -> Account:
    """The figures of ``seat``, which has index ``place`` in all that is given by seat."""
    decisions = [step.decision for step in steps if step.decision is not None and step.decision.seat == seat]
    counting = [decision for decision in decisions if decision.counts]
    by_kind: dict[str, list[Decision]] = defaultdict(list)
    for decision in counting:
        by_kind[decision.kind].append(decision)
    total = rate_of(counting, coach.difficulty)
    shares = [start.wins, *(step.worths[place].wins for step in steps)]
    decided = [pair for step, pair in zip(steps, pairwise(shares), strict=True) if step.actor is not None]
    last = steps[-1].worths[place] if steps else start
    wins = _balance(seat, [(step.actor, step.wins[place]) for step in steps], start.wins, last.wins, final.wins)
    return Account(
        seat,
        wins,
        _balance(seat, [(step.actor, step.scores[place]) for step in steps], start.score, last.score, final.score),
        {kind: rate_of(some, coach.difficulty) for kind, some in sorted(by_kind.items())},
        total,
        dict(Counter(one.verdict for one in decisions if (one.counts or one.by_points) and not one.repeated)),
        without_luck(start.wins, decided),
        plays_like(total, coach),
    )


def plays_like(rate: Rate, coach: Coach) -> str | None:
    """The level with the nearest losses; ``None`` if there is too little to compare."""
    measure, rates = coach.measure(rate.as_hard, rate.at_stake), coach.level_rates
    if rate.decisions < FEWEST or measure <= 0 or not rates:
        return None
    return min(rates, key=lambda level: abs(rate.loss / measure - rates[level]))


def rate_of(decisions: Sequence[Decision], difficulty: float) -> Rate:
    """The losses of these decisions; ``difficulty`` is what the playout policy loses in one of an even game."""
    lost, hard = (
        math.fsum(each) for each in ([one.regret for one in decisions], [one.difficulty for one in decisions])
    )
    chances = [decision.alternatives[0].wins for decision in decisions]
    return Rate(len(decisions), lost, hard / difficulty, math.fsum(4 * share * (1 - share) for share in chances))


def _balance(
    seat: int, changes: Sequence[tuple[int | None, float]], first: float, last: float, final: float
) -> Balance:
    """Add up the changes; ``last`` is what the seat believed before the end revealed everything."""
    own = math.fsum(change for actor, change in changes if actor == seat)
    others = math.fsum(change for actor, change in changes if actor not in (seat, None))
    chance = math.fsum(change for actor, change in changes if actor is None)
    return Balance(first, own, others, chance, final - last, final)
