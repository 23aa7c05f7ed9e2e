"""``Odds`` and the types in it. They need no NumPy."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

import msgspec

from serai.errors import SeraiError

if TYPE_CHECKING:
    from serai.camelup.rules.actions import AnyAction


class LegChances(msgspec.Struct, frozen=True):
    """A camel's chances in this leg."""

    first: float
    """The chance to lead when the leg ends."""
    second: float
    """To come second."""
    last: float
    """To be last."""


class LegCounts(msgspec.Struct, frozen=True):
    """The same as exact counts out of ``Odds.sequences``."""

    first: int
    """Ways in which it leads."""
    second: int
    """Ways in which it comes second."""
    last: int
    """Ways in which it is last."""


class RaceChances(msgspec.Struct, frozen=True):
    """A camel's chances in the race."""

    winner: float
    """The chance to win the race."""
    loser: float
    """To be its last."""


class Placement(msgspec.Struct, frozen=True):
    """A desert tile that the actor could put there: what it earns, and everybody's chances with it."""

    earns: float
    """Stops expected on it in this leg: a pound each."""
    leg: dict[str, LegChances]
    """By camel, with the tile there."""
    race: dict[str, RaceChances]
    """By camel, with the tile there."""


class Odds(msgspec.Struct, frozen=True, omit_defaults=True):
    """The odds of a position; camels by name, actions by their notation."""

    position: str
    """In notation."""
    sequences: int
    """The number of equally likely ways in which the dice of this leg can still fall: n! * 3^n."""
    leg: dict[str, LegChances]
    """By camel: its chances in this leg."""
    counts: dict[str, LegCounts]
    """By camel: the same as counts."""
    race: dict[str, RaceChances]
    """By camel: its chances in the race."""
    joint: dict[str, dict[str, float]]
    """By the camel that wins and the one that loses: the chance of both."""
    ends: float
    """The chance that the race ends in this leg."""
    stops: dict[int, float]
    """By space: the units expected to stop there in this leg as the tiles lie; its owner's pounds where one lies."""
    assumes: tuple[str, ...]
    """What the answer assumes, in words."""
    deserts: dict[str, Placement] = {}
    """By notation: every desert tile that the actor could place."""
    actions: dict[str, float] = {}
    """Expected pounds of every legal action of the actor, in the order of ``actions()``."""
    best: str | None = None
    """The first action of the highest value."""

    def value(self, action: AnyAction | str) -> float:
        """The expected pounds of an action or its notation; an error says why it has no value."""
        text = " ".join(str(action).split())
        if text in self.actions:
            return self.actions[text]
        if not self.actions:
            raise SeraiError(
                f"these odds value no actions, so {text!r} has no value: ask game.odds(view) with the view of the seat"
                " to act, and without actions=False"
            )
        close = difflib.get_close_matches(text, self.actions, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise SeraiError(f"{text!r} is not legal here and has no value{hint}; odds.actions lists those that have one")

    def ranked(self) -> list[tuple[str, float]]:
        """Every action with its value, best first; equals in the order of the actions."""
        return sorted(self.actions.items(), key=lambda pair: (pair[0] != self.best, -pair[1]))

    def __str__(self) -> str:
        from serai.camelup.odds.drawing import brief_odds

        return brief_odds(self)

    def _repr_svg_(self) -> str:
        from serai.camelup.odds.drawing import draw_picture

        return draw_picture(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))
