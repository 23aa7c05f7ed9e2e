"""Exercises: positions in which one action is clearly best, and the file of them in a game's folder.

An exercise holds the view of the seat to act and no other state, so nothing hidden is needed to solve it. The file is
JSON Lines: how they were found on the first line, then one on each.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

import msgspec

from serai.core.game import Game
from serai.core.parts import Reason
from serai.core.registry import game_data
from serai.errors import SeraiError

FILE: Final = "exercises.jsonl"
_ID_LENGTH: Final = 8


class Choice(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """An action and what it is worth to the seat that plays it."""

    action: str
    wins: float
    error: float
    """The standard error of ``wins``."""
    score: float
    reasons: tuple[Reason, ...] = ()
    """Only for the best and for the best of some other kinds."""
    against: str = ""
    """The action that the reasons compare it with."""


class Exercise(msgspec.Struct, frozen=True):
    """One exercise: what is the best action here?"""

    id: str
    theme: str
    players: int
    seat: int
    view: msgspec.Raw
    """The game as the seat sees it."""
    options: tuple[Choice, ...]
    """Every legal action, best first."""
    lead: float
    """By how much the best is better than the second, in shares of victory."""
    error: float
    """The standard error of that."""
    missed: tuple[str, ...]
    """The levels that chose another action."""
    number: int
    """The number of the game it is from."""
    ply: int

    @property
    def best(self) -> Choice:
        """The answer."""
        return self.options[0]

    def option(self, action: str) -> Choice:
        """The figures of a legal action, by its notation."""
        return next(option for option in self.options if option.action == action)


class Provenance(msgspec.Struct, frozen=True):
    """How exercises were found: the same search finds the same."""

    game: str
    rules: str
    command: str
    evaluator: str
    level: str
    games: int
    seed: str
    playouts: int
    """Playouts of every action in the check of an exercise."""
    lead: float
    """The least by which the best action is better than any other."""
    sure: float
    """The same in standard errors."""


class Collection(msgspec.Struct, frozen=True):
    """The exercises of a game."""

    provenance: Provenance
    exercises: tuple[Exercise, ...]

    @property
    def themes(self) -> tuple[str, ...]:
        """All themes, in order of appearance."""
        return tuple(dict.fromkeys(exercise.theme for exercise in self.exercises))

    def exercise(self, name: str) -> Exercise | None:
        """The exercise with that id."""
        return next((exercise for exercise in self.exercises if exercise.id == name), None)

    def of_day(self, day: int) -> Exercise:
        """The exercise of a day, given by number: the same for everybody, and none comes back before all had a day."""
        order = sorted(self.exercises, key=lambda exercise: exercise.id)
        return order[day % len(order)]

    def write(self) -> str:
        """The text of the file."""
        return "".join(f"{msgspec.json.encode(line).decode()}\n" for line in (self.provenance, *self.exercises))

    @classmethod
    def read(cls, text: str) -> Collection:
        """Read the text of a file."""
        head, *lines = text.splitlines()
        try:
            provenance = msgspec.json.decode(head, type=Provenance)
            return cls(provenance, tuple(_EXERCISE.decode(line) for line in lines))
        except msgspec.DecodeError as error:
            raise SeraiError(f"this is not a file of exercises: {error}") from None


_EXERCISE: Final = msgspec.json.Decoder(Exercise)


@cache
def exercises(game: Game) -> Collection | None:
    """The exercises of a game; ``None`` if it has none."""
    text = game_data(game, FILE)
    return None if text is None else Collection.read(text)


def exercise_id(view: bytes) -> str:
    """The id of an exercise with this view."""
    return hashlib.sha256(view).hexdigest()[:_ID_LENGTH]


def spread(found: Iterable[Exercise], most: int) -> list[Exercise]:
    """At most ``most`` of these, spread evenly over themes, and within a theme over numbers of players.

    Of those that differ only in names and have the same figures, the first is used.
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
    """Equal for two exercises that differ only in names."""
    figures = [
        (reason.key, *(value for value in reason.values.values() if isinstance(value, int | float)))
        for option in exercise.options
        for reason in option.reasons
    ]
    kinds = sorted(option.action.partition(" ")[0] for option in exercise.options)
    return (exercise.theme, *figures, *kinds)
