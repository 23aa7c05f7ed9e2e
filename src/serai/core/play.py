"""How a game moves on: a player's action and the chance actions that follow it are one play.

Live tables, the terminal, the referee and replays all move here, so that a roll is never without its die.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Self

import msgspec

from serai.core.chance import CHANCE
from serai.core.dealer import Dealer


class Ply(msgspec.Struct, frozen=True):
    """One action, with the states before and after it and what happened."""

    before: Any
    action: Any
    after: Any
    events: tuple[Any, ...]

    @classmethod
    def of(cls, state: Any, action: Any) -> Self:
        """The action done in this state; ``IllegalAction`` or ``Hidden`` if it cannot be."""
        after, events = state.step(action)
        return cls(state, action, after, events)

    @property
    def drawn(self) -> bool:
        """Whether chance did it."""
        return self.before.actor is CHANCE


class Play(msgspec.Struct, frozen=True):
    """A player's action with the chance actions behind it; or the set-up, which is chance's alone and may be empty."""

    before: Any
    plies: tuple[Ply, ...]

    @property
    def actor(self) -> int | None:
        """The seat that acted; ``None`` for the set-up."""
        return self.plies[0].before.actor if self.plies and not self.plies[0].drawn else None

    @property
    def after(self) -> Any:
        """The state it led to."""
        return self.plies[-1].after if self.plies else self.before

    @property
    def actions(self) -> tuple[Any, ...]:
        """What was done, in order."""
        return tuple([ply.action for ply in self.plies])

    @property
    def events(self) -> tuple[Any, ...]:
        """What happened, in order."""
        return tuple([event for ply in self.plies for event in ply.events])

    @property
    def draws(self) -> tuple[Ply, ...]:
        """The part that chance had in it."""
        return tuple([ply for ply in self.plies if ply.drawn])


def deal(state: Any, dealer: Dealer) -> Play:
    """Draw whatever chance has to decide before a player can act: the set-up of a game."""
    return Play(state, tuple(_draws(state, dealer)))


def advance(state: Any, action: Any, dealer: Dealer) -> Play:
    """Play an action of the seat to act, and draw whatever chance has to decide behind it."""
    ply = Ply.of(state, action)
    return Play(state, (ply, *_draws(ply.after, dealer)))


def retrace(state: Any, actions: Iterable[Any]) -> Play:
    """Play what was played and drawn before, as one."""
    plies: list[Ply] = []
    after = state
    for action in actions:
        ply = Ply.of(after, action)
        plies.append(ply)
        after = ply.after
    return Play(state, tuple(plies))


def grouped(first: Any, plies: Iterable[Ply]) -> Iterator[Play]:
    """The plies of a game from its ``first`` state on, as plays: the set-up, then one for each player's action."""
    before, group = first, list[Ply]()
    for ply in plies:
        if not ply.drawn:
            yield Play(before, tuple(group))
            before, group = ply.before, []
        group.append(ply)
    yield Play(before, tuple(group))


def _draws(state: Any, dealer: Dealer) -> list[Ply]:
    plies: list[Ply] = []
    while state.actor is CHANCE:
        ply = Ply.of(state, dealer.draw(state))
        plies.append(ply)
        state = ply.after
    return plies
