"""A game in numbers, for learning: every action has a number, and an observation is a row of small numbers.

Each game supplies its actions, its fields and the numbers of a view; masks, arrays, features, names and the tables of
the documentation follow from these. Compiled batches write the same numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from functools import cache, cached_property, lru_cache
from itertools import product
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, SupportsIndex, TypeVar, cast

import msgspec

from serai.core.arguments import check_kind
from serai.core.game import Action, State
from serai.errors import BadArgument, BadOptions, IllegalAction, phrase, requiring, shown

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

A = TypeVar("A", bound=Action)
S = TypeVar("S", bound=State[Any, Any])
P = ParamSpec("P")
R = TypeVar("R")

NUMBERS, FEATURES, ODDS = "numbers", "features", "odds"
"""Forms of an observation: whole numbers; features for a network; what bets are worth."""

MOST = 127
"""Larger numbers are cut to this: every number of an observation fits into eight bits with a sign."""


_MOST_SEATS = 16
PLACES = tuple(
    tuple((*((owner - seat) % players for owner in range(players)), -1) for seat in range(players))
    for players in range(_MOST_SEATS + 1)
)
"""By number of players and observer: every seat counted from the observer; nobody (-1, the last) stays nobody."""


class Field(msgspec.Struct, frozen=True):
    """Neighbouring numbers of an observation with one meaning, one for each camel, say."""

    name: str
    meaning: str
    """As an English phrase."""
    low: int
    high: int
    """The least and the greatest value."""
    by: tuple[tuple[str, ...], ...] = ()
    """The names of the things that have a number each: camels, or seats and cells, the last varying fastest."""
    one_hot: bool = False
    """As features: a place for each value from ``low`` to ``high``, 1 for the one it is. Otherwise one number."""
    scale: int = 0
    """What such a number is divided by; ``high`` by default."""

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return prod(map(len, self.by))

    @property
    def entries(self) -> tuple[str, ...]:
        """The name of each number."""
        return tuple(" ".join((self.name, *labels)) for labels in product(*self.by))

    @property
    def divisor(self) -> int:
        """What a number is divided by to become a feature."""
        return self.scale or self.high

    @property
    def width(self) -> int:
        """How many features each number becomes."""
        return self.high - self.low + 1 if self.one_hot else 1


class Encoding(Generic[S, A]):
    """Actions and observations of a game as numbers. Seats in observations are counted from the observer, who is 0."""

    actions: tuple[A, ...]
    """Every action that a player can ever have, by its number."""
    draws: tuple[A, ...]
    """Every action of chance; their numbers follow on."""
    fields: tuple[Field, ...]
    """What an observation consists of, in order."""
    state_type: type[S]
    """The type of the game's states and views."""

    def number_bytes(self, view: S, seat: int) -> bytes:
        """:meth:`observation` as bytes with a sign, without checks, even where ``view`` shows more than ``seat`` sees.

        Most of a position is as it was an action before, so a game remembers the bytes of each part.
        """
        raise NotImplementedError

    def mask_bytes(self, view: S) -> bytearray:
        """:meth:`mask` as bytes, without checks, where a player is to act. A game may know a shorter way."""
        mask, number_of = bytearray(len(self.actions)), self._by_action
        for action in view.actions():
            mask[number_of[action]] = 1
        return mask

    # -- actions

    def number(self, action: A) -> int:
        """The number of an action, chance included."""
        found = self._by_action.get(action) if isinstance(action, Action) else None
        if found is None:
            raise IllegalAction("core.encoding.unknown", action=shown(action), most=len(self._every) - 1)
        return found

    def action(self, number: SupportsIndex, view: S | None = None) -> A:
        """The action of that number; if a view is given, one that is not legal there is refused."""
        try:
            place = -1 if isinstance(number, bool) else index(number)
        except TypeError:
            place = -1
        if not 0 <= place < len(self._every):
            raise IllegalAction("core.encoding.number", number=number, most=len(self._every) - 1)
        action = self._every[place]
        if view is not None:
            self._check_view(view)
        if view is not None and action not in view.actions():
            legal = tuple(map(self.number, view.actions()))
            raise IllegalAction("core.encoding.illegal", number=place, action=str(action), legal=legal)
        return action

    @cached_property
    def _every(self) -> tuple[A, ...]:
        return (*self.actions, *self.draws)

    @cached_property
    def _by_action(self) -> dict[A, int]:
        return {action: number for number, action in enumerate(self._every)}

    def mask(self, view: S) -> npt.NDArray[np.uint8]:
        """1 for each legal action of the player to act, by number; all 0 where no player is."""
        self._check_view(view)
        legal = self.mask_bytes(view) if isinstance(view.actor, int) else bytearray(len(self.actions))
        mask: npt.NDArray[np.uint8] = _numpy().frombuffer(legal, "uint8")
        return mask

    # -- what is seen

    @cached_property
    def size(self) -> int:
        """How many numbers an observation has."""
        return sum(field.count for field in self.fields)

    @cached_property
    def starts(self) -> dict[str, int]:
        """Where each field begins in an observation."""
        starts, at = {}, 0
        for field in self.fields:
            starts[field.name] = at
            at += field.count
        return starts

    def observation(self, view: S, seat: int | None = None) -> npt.NDArray[np.int16]:
        """What ``seat`` sees, in numbers; by default the seat to act. A view must be one of that seat."""
        numbers = self.number_bytes(view, self._observer(view, seat))
        seen: npt.NDArray[np.int16] = _numpy().frombuffer(numbers, "int8").astype("int16")
        return seen

    def _observer(self, view: S, seat: int | None) -> int:
        self._check_view(view)
        observer = view.actor if seat is None else seat
        players = len(view.scores())
        if type(observer) is not int or not 0 <= observer < players:
            raise BadOptions("core.encoding.seat", seat=seat, most=players - 1)
        return observer

    def _check_view(self, view: S) -> None:
        if not isinstance(view, self.state_type):
            check_kind("a view", view, self.state_type, "a state or view of this game, as game.new() makes it")

    def features(self, view: S, seat: int | None = None) -> npt.NDArray[np.float32]:
        """What ``seat`` sees, as numbers for a network: see :meth:`features_of`."""
        padded: npt.NDArray[np.float32] = _numpy().empty(self.feature_count + 1, "float32")
        self.write_features(view, seat, padded)
        return padded[:-1]

    def write_features(self, view: S, seat: int | None, padded: npt.NDArray[np.float32]) -> None:
        """Write what ``seat`` sees, as :meth:`features` does, into an array that has one place more, of no meaning."""
        places, ones, sources, targets, factors = self._scattered
        numbers = _numpy().frombuffer(self.number_bytes(view, self._observer(view, seat)), "int8").astype("int64")
        padded.fill(0)
        padded[ones[places + numbers]] = 1
        padded[targets] = numbers[sources] * factors

    def feature_list(self, view: S, seat: int | None = None) -> list[float]:
        """:meth:`features` as a list, which is made sooner by itself than from an array."""
        ones, numeric = self._listed
        numbers = self.number_bytes(view, self._observer(view, seat))
        features = [0.0] * (self.feature_count + 1)
        for place, slots in ones:
            features[slots[numbers[place]]] = 1.0
        for place, at, values in numeric:
            features[at] = values[numbers[place]]
        features.pop()
        return features

    @cached_property
    def _listed(self) -> tuple[list[tuple[int, list[int]]], list[tuple[int, int, list[float]]]]:
        """What :attr:`_scattered` says, as lists by byte: 128 and above are the numbers below 0."""
        places, ones, sources, targets, factors = self._scattered
        by_byte = [*range(MOST + 1), *range(-MOST - 1, 0)]
        plain = set(sources.tolist())
        slots = [(place, ones[places[place] + by_byte].tolist()) for place in range(self.size) if place not in plain]
        values = [(factor * _numpy().array(by_byte, "float32")).tolist() for factor in factors]
        return slots, list(zip(sources.tolist(), targets.tolist(), values, strict=True))

    @cached_property
    def feature_count(self) -> int:
        """How many features an observation has."""
        return sum(field.count * field.width for field in self.fields)

    @cached_property
    def _scattered(self) -> tuple[Any, ...]:
        """For one view alone: by number and value the feature that is 1 (the last for none); where plain numbers go."""
        np = _numpy()
        span, at = 2 * (MOST + 1), 0
        ones = np.full(self.size * span, self.feature_count)
        numeric: list[tuple[int, int, float]] = []
        for field in self.fields:
            for place in range(self.starts[field.name], self.starts[field.name] + field.count):
                if field.one_hot:
                    first = place * span + MOST + 1 + field.low
                    ones[first : first + field.width] = range(at, at + field.width)
                else:
                    numeric.append((place, at, 1 / field.divisor))
                at += field.width
        sources, targets, factors = zip(*numeric, strict=True)
        places = np.arange(self.size) * span + MOST + 1
        return places, ones, np.array(sources), np.array(targets), np.array(factors, "float32")

    def features_of(self, observations: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """The features of an observation, or of many: choices as 0 and 1, numbers divided by their scale."""
        columns, values, factors = self._features
        if getattr(observations, "shape", (0,))[-1:] != (self.size,):
            raise BadArgument(
                f"observations are arrays whose last side has {self.size} numbers, not {shown(observations)}"
            )
        numbers = observations[..., columns]
        features: npt.NDArray[np.float32] = _numpy().where(factors == 0, numbers == values, numbers * factors)
        return features

    # -- views of observations

    def looks(self) -> tuple[str, ...]:
        """The forms in which an observation can be had: :meth:`look`."""
        return (NUMBERS, FEATURES, *((ODDS,) if self.odds_names() else ()))

    def odds_names(self) -> tuple[str, ...]:
        """The name of each number of ``"odds"``: what bets are worth. Empty for a game without such odds."""
        return ()

    def look(self, observations: npt.NDArray[Any], observe: str) -> npt.NDArray[Any]:
        """Many observations as ``"numbers"``, ``"features"``, or ``"odds"`` where the game has them."""
        if observe == FEATURES:
            return self.features_of(observations)
        if observe == NUMBERS:
            return observations.copy()
        self.check_look(observe)
        return self._odds_of(observations)

    def check_look(self, observe: object) -> str:
        """One of :meth:`looks`; ``BadOptions`` otherwise."""
        if not isinstance(observe, str) or observe not in self.looks():
            raise BadOptions("envs.observe", observe=observe, known=self.looks())
        return observe

    def _odds_of(self, observations: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        raise NotImplementedError

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """The name of each feature."""
        return tuple(
            f"{entry} = {value}" if field.one_hot else entry
            for field in self.fields
            for entry in field.entries
            for value in range(field.low, field.low + field.width)
        )

    @cached_property
    def _features(self) -> tuple[Any, Any, Any]:
        """For each feature its place in the observation, the value that counts as 1, the factor of a number or 0."""
        rows = [
            (self.starts[field.name] + place, field.low + value, 0 if field.one_hot else 1 / field.divisor)
            for field in self.fields
            for place in range(field.count)
            for value in range(field.width)
        ]
        columns, values, factors = zip(*rows, strict=True)
        np = _numpy()
        return np.array(columns, "int64"), np.array(values, "int16"), np.array(factors, "float32")


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """A function that remembers its latest thousands of answers: a part of a position, as bytes."""
    kept = lru_cache(maxsize=1 << 12)(function)
    return cast("Callable[P, R]", kept)


def signed(numbers: Iterable[int]) -> bytes:
    """Small numbers as bytes with a sign."""
    return array("b", numbers).tobytes()


def rotated(values: tuple[int, ...], seat: int, seats: int) -> bytes:
    """Values by seat, counted from ``seat`` on, as bytes with a sign; 0 for empty seats."""
    return signed(values[seat:] + values[:seat]).ljust(seats, b"\0")


@cache
def _numpy() -> Any:
    with requiring("fast", "observations"):
        import numpy
    return numpy


phrase(
    {
        "envs.observe": "'observe' is one of {known}, not {observe!r}",
        "core.encoding.unknown": "{action} has no number; numbers from 0 to {most} stand for actions of this game",
        "core.encoding.number": "no action has the number {number}; numbers go from 0 to {most}",
        "core.encoding.illegal": "action number {number} ({action}) is not legal here; legal ones: {legal}",
        "core.encoding.seat": "say which seat observes, 0 to {most}: nobody is to act here, or there is no seat {seat}",
    }
)
