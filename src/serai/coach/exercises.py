"""Positions with one action that is clearly best: what such an exercise holds, and the file of them in a game's folder.

An exercise is told by the view of the seat to act and nothing else, so that whoever solves it knows all there is to
know. The file is JSON Lines: how they were found on the first line, then one on each.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

import msgspec

from serai.core.coaching import Reason
from serai.core.errors import SeraiError
from serai.core.game import Game
from serai.core.registry import brought_along

FILE: Final = "exercises.jsonl"
_ID_LENGTH: Final = 8


class Option(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """Something that can be done, and what it is worth to who does it."""

    action: str
    wins: float
    error: float
    """The standard error of ``wins``."""
    score: float
    reasons: tuple[Reason, ...] = ()
    """Told of the best and of the best of every other kind."""


class Exercise(msgspec.Struct, frozen=True):
    """What is the best action here?"""

    id: str
    theme: str
    players: int
    seat: int
    view: msgspec.Raw
    """The game as the seat sees it."""
    options: tuple[Option, ...]
    """Every legal action, best first."""
    lead: float
    """By how much the best is better than the second, in shares of victory."""
    error: float
    """The standard error of that."""
    missed: tuple[str, ...]
    """Levels that chose something else."""
    number: int
    """Of the game it is from."""
    ply: int

    @property
    def best(self) -> Option:
        """The answer."""
        return self.options[0]

    def option(self, action: str) -> Option:
        """What is known of a legal action, by its notation."""
        return next(option for option in self.options if option.action == action)


class Making(msgspec.Struct, frozen=True):
    """How exercises were found: whoever does the same finds the same."""

    game: str
    rules: str
    command: str
    evaluator: str
    level: str
    games: int
    seed: str
    playouts: int
    """Of every action, when an exercise was checked."""
    lead: float
    """The least by which the best action is better than any other."""
    sure: float
    """In so many standard errors of it, at least."""


class Collection(msgspec.Struct, frozen=True):
    """The exercises of a game."""

    making: Making
    exercises: tuple[Exercise, ...]

    @property
    def themes(self) -> tuple[str, ...]:
        """In the order in which they are met."""
        return tuple(dict.fromkeys(exercise.theme for exercise in self.exercises))

    def exercise(self, name: str) -> Exercise | None:
        """The one of that id."""
        return next((exercise for exercise in self.exercises if exercise.id == name), None)

    def of_day(self, day: int) -> Exercise:
        """The one of a day (counted from anywhere), the same for everybody; all have had their turn before one comes
        back.
        """
        order = sorted(self.exercises, key=lambda exercise: exercise.id)
        return order[day % len(order)]

    def write(self) -> str:
        """As text."""
        return "".join(f"{msgspec.json.encode(line).decode()}\n" for line in (self.making, *self.exercises))

    @classmethod
    def read(cls, text: str) -> Collection:
        """Out of its text."""
        head, *lines = text.splitlines()
        try:
            making = msgspec.json.decode(head, type=Making)
            return cls(making, tuple(_EXERCISE.decode(line) for line in lines))
        except msgspec.DecodeError as error:
            raise SeraiError(f"these are no exercises: {error}") from None


_EXERCISE: Final = msgspec.json.Decoder(Exercise)


@cache
def exercises(game: Game) -> Collection | None:
    """Those that a game brings along; ``None`` where it brings none."""
    text = brought_along(game, FILE)
    return None if text is None else Collection.read(text)


def named(view: bytes) -> str:
    """The id of an exercise with this view."""
    return hashlib.sha256(view).hexdigest()[:_ID_LENGTH]


def spread(found: Iterable[Exercise], most: int) -> list[Exercise]:
    """At most so many of these, as evenly over themes, and in a theme over numbers of players, as they allow.

    Of those that differ in name only, with the same figures all over, the first counts.
    """
    waiting: dict[str, dict[int, list[Exercise]]] = defaultdict(lambda: defaultdict(list))
    for exercise in {_figures(exercise): exercise for exercise in reversed(list(found))}.values():
        waiting[exercise.theme][exercise.players].insert(0, exercise)
    taken: Counter[Any] = Counter()
    chosen: list[Exercise] = []
    while waiting and len(chosen) < most:
        theme = min(waiting, key=lambda theme: (taken[theme], theme))
        tables = waiting[theme]
        players = min(tables, key=lambda players: (taken[theme, players], players))
        chosen.append(tables[players].pop(0))
        taken[theme] += 1
        taken[theme, players] += 1
        if not tables[players]:
            del tables[players]
        if not tables:
            del waiting[theme]
    return chosen


def _figures(exercise: Exercise) -> tuple[Any, ...]:
    """The same for two exercises of the same figures, whatever the names."""
    figures = [
        (reason.key, *(value for value in reason.values.values() if not isinstance(value, str)))
        for option in exercise.options
        for reason in option.reasons
    ]
    kinds = sorted(option.action.partition(" ")[0] for option in exercise.options)
    return (exercise.theme, *figures, *kinds)
