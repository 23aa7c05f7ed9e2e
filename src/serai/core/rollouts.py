"""Rollouts: playing on from a view many times, to estimate what actions are worth; here by the readable rules.

A game with compiled code brings faster ones (:attr:`serai.core.Game.compiled`). Both return :class:`Playouts`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from enum import Enum
from math import fsum, nan, sqrt
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Protocol

import msgspec

from serai.core.arguments import check_listed, check_text, check_whole
from serai.core.chance import CHANCE, any_kind, seat_of
from serai.core.parts import A
from serai.errors import BadArgument, shown

if TYPE_CHECKING:
    from serai.core.game import Event, Game, State

MOST_PLIES: Final = 5000
"""A playout that takes longer is cut short: bots that play at random may never end a game."""
_MOST_NUMBER: Final = 2**62
"""Playouts are numbered in 64 bits."""
PARTS: Final = 8
"""Parts of the playouts in :meth:`Playouts.regret`, each of which judges the favourite of the others."""


class Memory(Protocol):
    """What a seat remembers of a game beyond its view, such as when a hidden card was laid."""

    def watch(self, event: Event) -> None:
        """Take note of an event, as the seat may see it."""


class Habit(Enum):
    """The type of :data:`HABIT`."""

    HABIT = "habit"

    def __repr__(self) -> str:
        return self.name


HABIT: Final = Habit.HABIT
"""Among actions to try: what the policy would do here.

``None`` differs from that in games where everybody may wait for the others: then the seat to act waits as well.
"""


class Value(NamedTuple):
    """The mean result of some playouts for one seat."""

    wins: float
    score: float
    error: float
    """The standard error of ``wins``."""


class Playouts(msgspec.Struct, Generic[A], frozen=True, eq=False):
    """The results of some playouts. Playout ``k`` of every action has the same chance and the same hidden things."""

    actions: tuple[A, ...]
    """Those that were tried; ``None`` and :data:`HABIT` may be among them, if they were asked for."""
    wins: Any
    """By action, playout and seat: the share of victory; where a playout was cut short, the chance of it."""
    scores: Any
    """By action, playout and seat: the final score, or what is expected of it."""
    parts: Any = None
    """By action, playout, seat and place, where they were asked for: what the game counts for the coach's reasons."""

    @property
    def count(self) -> int:
        """How many playouts each action had."""
        return len(self.wins[0]) if self.actions else 0

    def value(self, action: int, seat: int) -> Value:
        """What one action (by its place) was worth to ``seat``."""
        row = self._won(seat)[action]
        return Value(_mean(row), _mean([playout[seat] for playout in self.scores[action]]), _error(row))

    def best(self, seat: int) -> A:
        """The action with the highest mean share of victory of ``seat``, the first of equals."""
        means = list(self.means(seat))
        return self.actions[means.index(max(means))]

    def means(self, seat: int) -> Sequence[float]:
        """By action: the mean share of victory of ``seat``."""
        return [_mean(row) for row in self._won(seat)]

    def errors(self, seat: int) -> Sequence[float]:
        """By action: the standard error of :meth:`means`."""
        return [_error(row) for row in self._won(seat)]

    def mean_scores(self, seat: int) -> Sequence[float]:
        """By action: the mean score of ``seat``."""
        return [_mean([playout[seat] for playout in playouts]) for playouts in self.scores]

    def lead(self, seat: int, action: int, other: int) -> tuple[float, float]:
        """By how much one action (by its place) is better than another for ``seat``, and the standard error of that."""
        won = self._won(seat)
        gaps = [one - two for one, two in zip(won[action], won[other], strict=True)]
        return _mean(gaps), _error(gaps)

    def score_lead(self, seat: int, action: int, other: int) -> tuple[float, float]:
        """The same for the score."""
        one, two = ([playout[seat] for playout in self.scores[place]] for place in (action, other))
        gaps = [mine - theirs for mine, theirs in zip(one, two, strict=True)]
        return _mean(gaps), _error(gaps)

    def regret(self, seat: int) -> float:
        """By how much the favourite was better than the first action, cross-validated over parts of the playouts.

        The favourite that a part judges is chosen by the other parts, so the mean is not biased upwards, however few
        playouts there are.
        """
        won = self._won(seat)
        n = self.count
        parts = min(PARTS, n)
        total = [fsum(row) for row in won]
        gained = 0.0
        for part in range(parts):
            sums = [fsum(row[n * part // parts : n * (part + 1) // parts]) for row in won]
            rest = [one - own for one, own in zip(total, sums, strict=True)]
            gained += sums[rest.index(max(rest))] - sums[0]
        return gained / n

    def _won(self, seat: int) -> list[list[float]]:
        return [[playout[seat] for playout in playouts] for playouts in self.wins]


def plain_rollouts(
    game: Game, view: Any, actions: Sequence[Any], n: int, *, policy: str = "", seed: int = 0, first: int = 0
) -> Playouts:
    """Play on by ``imagine`` and ``step``. ``policy`` names the bot that plays for every seat; ``""``: at random.

    Playout ``first + k`` depends on the seed and its number alone: the hidden things, the draws and the players'
    randomness are the same for every action.
    """
    wanted = check_listed("actions to try", actions, "view.actions()")
    for action in wanted:
        if action is not None and action is not HABIT and not isinstance(action, msgspec.Struct):
            raise BadArgument(f"{shown(action)} is no action of this game; try some of view.actions()")
    players = _Players(game, policy)
    wins: list[list[tuple[float, ...]]] = [[] for _ in wanted]
    scores: list[list[tuple[int, ...]]] = [[] for _ in wanted]
    for number in range(first, first + n):
        rng = random.Random(f"{seed} {number}")
        start, luck, habits = game.imagine(view, rng), rng.getrandbits(64), rng.getrandbits(64)
        for place, action in enumerate(wanted):
            state = start if action is None or action is HABIT else start.apply(action)
            end = players.play_on(state, random.Random(luck), random.Random(habits))
            wins[place].append(shares(end))
            scores[place].append(end.scores())
    return Playouts(wanted, wins, scores)


class _Players:
    """The bots that play on, one for each seat."""

    def __init__(self, game: Game, policy: str) -> None:
        from serai.core.registry import bot_factory

        make = bot_factory(game, policy) if policy else None
        self._bots = [make() for _ in range(game.players[-1])] if make is not None else []

    def play_on(self, state: State, luck: random.Random, habits: random.Random) -> State:
        """The last state of a game that goes on from here."""
        for _ in range(MOST_PLIES):
            if state.over:
                break
            if state.actor is CHANCE:
                action = state.sample(luck)
            elif self._bots:
                seat = seat_of(state.actor)
                action = self._bots[seat].decide(state.seen_by(seat), habits)
            else:
                action = any_kind(state.actions(), habits)
            state = state.apply(action)
        return state


def shares(state: State) -> tuple[float, ...]:
    """By seat: its part of the victory; in a game that was cut short, its part of all points."""
    if state.over:
        winners = state.winners()
        return tuple([(seat in winners) / len(winners) for seat in range(state.players)])
    points = [max(0, score) for score in state.scores()]
    total = sum(points)
    return tuple([part / total if total else 1 / len(points) for part in points])


def check_playouts(*, n: int, first: int, threads: int, policy: str) -> None:
    """Check the settings that every game's rollouts take; the game checks the name of the policy."""
    check_whole("the number of playouts", n, 0)
    check_whole("the number of the first playout", first, 0, _MOST_NUMBER)
    check_whole("the number of threads", threads, 1)
    check_text("a policy", policy)


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values) if values else nan


def _error(values: Sequence[float]) -> float:
    if not values:
        return nan
    mean = _mean(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / len(values) / max(len(values) - 1, 1))
