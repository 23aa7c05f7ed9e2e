"""How a game moves on: a play is a player's action and the chance actions that follow it.

Live tables, the terminal, the referee and replays all move here, so that a roll is never without its die.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Self

import msgspec

from serai.core.chance import CHANCE
from serai.core.dealer import Dealer
from serai.core.game import Action, Event, State


class Ply(msgspec.Struct, frozen=True):
    """One action, with the states before and after it and what happened."""

    before: Any
    action: Any
    after: Any
    events: tuple[Any, ...]

    @classmethod
    def of(cls, state: State, action: Action) -> Self:
        """The action done in this state; ``IllegalAction`` or ``Hidden`` if it cannot be."""
        after, events = state.step(action)
        return cls(state, action, after, events)

    @property
    def drawn(self) -> bool:
        """Whether chance did it."""
        return self.before.actor is CHANCE


class Play(msgspec.Struct, frozen=True):
    """A player's action with the chance actions after it; or the set-up, which is chance's alone and may be empty."""

    actor: int | None
    """The seat that acted; ``None`` for the set-up."""
    before: Any
    plies: tuple[Ply, ...]
    after: Any

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions, in order."""
        return tuple([ply.action for ply in self.plies])

    @property
    def notation(self) -> tuple[str, ...]:
        """All actions in notation, in order."""
        return tuple([str(ply.action) for ply in self.plies])

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, in order."""
        return tuple([event for ply in self.plies for event in ply.events])

    @property
    def draws(self) -> tuple[Ply, ...]:
        """The plies of chance."""
        return tuple([ply for ply in self.plies if ply.drawn])


def deal(state: State, dealer: Dealer) -> Play:
    """Draw what chance decides before a player can act: the set-up of a game."""
    return advance(state, dealer.draw(state), dealer) if state.actor is CHANCE else _play(state, [])


def advance(state: State, action: Action, dealer: Dealer) -> Play:
    """Play an action, and draw what chance decides after it."""
    before, plies = state, list[Ply]()
    while True:
        after, events = state.step(action)
        plies.append(Ply(state, action, after, events))
        if after.actor is not CHANCE:
            return Play(None if before.actor is CHANCE else before.actor, before, tuple(plies), after)
        state, action = after, dealer.draw(after)


def retrace(state: State, actions: Iterable[Action]) -> Play:
    """Repeat actions that were played and drawn before, as one play."""
    plies: list[Ply] = []
    for action in actions:
        plies.append(Ply.of(plies[-1].after if plies else state, action))
    return _play(state, plies)


def grouped(first: State, plies: Iterable[Ply]) -> Iterator[Play]:
    """The plies of a game from its ``first`` state on, as plays: the set-up, then one for each player's action."""
    before, group = first, list[Ply]()
    for ply in plies:
        if not ply.drawn:
            yield _play(before, group)
            before, group = ply.before, []
        group.append(ply)
    yield _play(before, group)


def _play(before: State, plies: list[Ply]) -> Play:
    actor = plies[0].before.actor if plies and not plies[0].drawn else None
    return Play(actor, before, tuple(plies), plies[-1].after if plies else before)
