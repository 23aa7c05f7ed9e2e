"""Levels that look ahead: ``lynx`` and ``sphinx`` play on from what they could do and keep what wins most."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, ClassVar

from serai.bots.search import SearchBot
from serai.core import Game
from serai.pharaoh.actions import ALL_ACTIONS, END, AnyAction, Archaeologist, Helper, Turn
from serai.pharaoh.game import GAME
from serai.pharaoh.rules import PharaohState


class Searcher(SearchBot):
    """Plays what a jackal would, unless playing on shows something clearly better; never walks to and fro."""

    game: ClassVar[Game] = GAME
    seconds = 0.3
    margin = 1.0
    lead: float = 0.01
    patience: ClassVar[int] = 2
    """Own turns without any progress of the game after which waiting begins to look worse."""
    impatience: ClassVar[float] = 0.05
    """How much better, for each further turn, something else than going on must look."""

    def __init__(self) -> None:
        super().__init__()
        self._turn = (0, 0)
        self._progress: tuple[object, ...] = ()
        self._waited = 0
        """Own turns since the game last went on."""
        self._left: set[AnyAction] = set()
        """Walks that would take a figure back to where it was in this turn, with nothing done since."""
        self._first: AnyAction = END

    def decide(self, view: PharaohState, rng: random.Random) -> AnyAction:
        """The best action that the search finds."""
        from serai.pharaoh.thinking import first_thought

        if self._turn != (view.round, view.turn):
            self._turn = (view.round, view.turn)
            self._left.clear()
            progress = (view.unseen, view.photos, view.museums, view.lost, view.countdown, view.ring)
            self._waited = self._waited + 1 if progress == self._progress else 0
            self._progress = progress
            self.lead = type(self).lead + self.impatience * max(
                0, self._waited - self.patience * (1 + 2 * (view.turn in view.leaders()))
            )
        self._first = ALL_ACTIONS[first_thought(view, "jackal", rng.getrandbits(64))]
        action: AnyAction = super().decide(view, rng)
        if isinstance(action, Archaeologist):
            self._left.add(Archaeologist(view.archaeologists[view.turn]))
        elif isinstance(action, Helper):
            self._left.add(Helper(view.helpers[view.turn]))
        else:
            self._left.clear()
        return action

    def preferred(self, view: PharaohState) -> AnyAction:
        """What a jackal would do, or nothing more if that is to walk back."""
        return END if self._first in self._left else self._first

    def candidates(self, view: PharaohState) -> Sequence[Any]:
        """Everything but walking back."""
        return [action for action in view.actions() if action not in self._left]


class Lynx(Searcher):
    """A watcher: thinks a little ahead, pounces when it pays, and leaves the walls alone."""

    rollouts = 150

    def candidates(self, view: PharaohState) -> Sequence[Any]:
        """Everything but turning tiles and walking back."""
        return [action for action in super().candidates(view) if not isinstance(action, Turn)]


class Sphinx(Searcher):
    """The keeper of the pyramid: weighs every step, every wall and every lamp against what may follow."""

    rollouts = 1000
