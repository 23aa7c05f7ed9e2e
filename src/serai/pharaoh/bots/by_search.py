"""Levels that look ahead: ``lynx`` and ``sphinx`` play on from what they could do and keep what wins most."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, ClassVar

from serai.bots.search import SearchBot
from serai.core import Game
from serai.pharaoh.actions import ALL_ACTIONS, END, AnyAction, Archaeologist, Helper, Lamp, Turn, Unlamp
from serai.pharaoh.game import GAME
from serai.pharaoh.pieces import MOVES
from serai.pharaoh.rules import PharaohState


class Searcher(SearchBot):
    """Plays what a seasoned player would, unless playing on shows something clearly better; walks back for a reason."""

    game: ClassVar[Game] = GAME
    seconds = 0.3
    margin = 1.0
    lead: float = 0.01
    patience: ClassVar[int] = 2
    """Own turns without any progress of the game after which waiting begins to look worse; leaders wait longer."""
    leaders_patience: ClassVar[int] = 5
    impatience: ClassVar[float] = 0.02
    """How much better, for each further turn, something else than going on must look."""
    back: ClassVar[float] = 0.04
    """How much better than anything else it must look to walk back to where a figure was in this turn."""

    def __init__(self, **budget: Any) -> None:
        super().__init__(**budget)
        self._turn = (0, 0)
        self._progress: tuple[object, ...] = ()
        self._waited = 0
        """Own turns since the game last went on."""
        self._weary = 0.0
        """How much better anything but the first thought must look for that."""
        self._left: set[AnyAction] = set()
        """Walks that would take a figure back to where it was in this turn, with nothing done since."""
        self._first: AnyAction = END

    def decide(self, view: PharaohState, rng: random.Random) -> AnyAction:
        """The best action that the search finds."""
        from serai.pharaoh.thinking import first_thought

        if self._turn != (view.round, view.turn):
            self._turn = (view.round, view.turn)
            self._left.clear()
            self._lose_patience(view)
        self._first = ALL_ACTIONS[first_thought(view, "seasoned", rng.getrandbits(64))]
        # to end the turn once more is no way out of waiting, so then nothing needs to look better than usual
        self.lead = type(self).lead + (0.0 if self.preferred(view) == END else self._weary)
        # out of patience nothing could outweigh the first thought, so there is no need to search
        action: AnyAction = self.preferred(view) if self.lead >= 1.0 else self._not_back(super().decide(view, rng))
        if isinstance(action, Archaeologist):
            self._left.add(Archaeologist(view.archaeologists[view.turn]))
        elif isinstance(action, Helper):
            self._left.add(Helper(view.helpers[view.turn]))
        else:
            self._left.clear()
        return action

    def _not_back(self, action: AnyAction) -> AnyAction:
        """What the search found, or the best but walking back if it found hardly more in that."""
        if action not in self._left or self.found is None:
            return action
        worth = {candidate.action: candidate.mean for candidate in self.found.candidates}
        others = [other for other in worth if other not in self._left]
        return others[0] if others and worth[action] - worth[others[0]] < self.back else action

    def _lose_patience(self, view: PharaohState) -> None:
        """Nobody likes to go first where thieves lie in wait: who loses as things stand has to, sooner than others."""
        progress = (view.unseen, view.photos, view.museums, view.lost, view.countdown, view.ring)
        self._waited = self._waited + 1 if progress == self._progress else 0
        self._progress = progress
        patience = self.leaders_patience if view.turn in view.leaders() else self.patience
        self._weary = self.impatience * max(0, self._waited - patience)

    def preferred(self, view: PharaohState) -> AnyAction:
        """What a seasoned player would do, or nothing more if that is to walk back."""
        return END if self._first in self._left else self._first

    def candidates(self, view: PharaohState) -> Sequence[Any]:
        """Everything but shutting oneself in, and turning tiles to no purpose."""
        from serai.pharaoh.thinking import sensible

        actions = view.actions()
        return sensible(view, actions) or actions


class Lynx(Searcher):
    """A hunter: plans at the start of its turn, then thinks for its archaeologist alone; the helper works by habit."""

    rollouts = 100

    def candidates(self, view: PharaohState) -> Sequence[Any]:
        """No tiles to turn, and after the first move nothing else for the helper either."""
        habits = Turn if view.moves_left == MOVES else Helper | Lamp | Turn | Unlamp
        return [action for action in super().candidates(view) if not isinstance(action, habits)]


class Sphinx(Searcher):
    """The keeper of the pyramid: weighs every step, every wall and every lamp against what may follow.

    It takes everybody for whom one meets, as who judges a game does; ``lynx`` takes everybody for a seasoned player.
    """

    policy: ClassVar[str] = "even"
    rollouts = 800
