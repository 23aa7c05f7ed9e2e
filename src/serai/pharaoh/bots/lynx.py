"""``lynx``: searches for its archaeologist alone; and what it shares with ``sphinx``, the other searcher."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, ClassVar

from serai.bots.search import SearchBot
from serai.core import Game
from serai.pharaoh.game import GAME
from serai.pharaoh.rules.actions import END, AnyAction, Archaeologist, Helper, Lamp, Turn, Unlamp
from serai.pharaoh.rules.pieces import MOVES
from serai.pharaoh.rules.rules import PharaohState


class Searcher(SearchBot):
    """Plays as a seasoned player would, unless rollouts show something clearly better; avoids walking back."""

    game: ClassVar[Game] = GAME
    seconds = 0.3
    margin = 1.0
    lead: float = 0.01
    patience: ClassVar[int] = 2
    """Own turns without progress in the game after which it becomes impatient; leaders wait longer."""
    leaders_patience: ClassVar[int] = 5
    impatience: ClassVar[float] = 0.02
    """By how much more, for each further turn, an action must beat the preferred one."""
    back: ClassVar[float] = 0.04
    """By how much walking back to where a figure was in this turn must beat everything else."""

    def __init__(self, **budget: Any) -> None:
        super().__init__(**budget)
        self._turn = (0, 0)
        self._progress: tuple[object, ...] = ()
        self._waited = 0
        """Own turns since the last progress."""
        self._extra_lead = 0.0
        """What this adds to ``lead``."""
        self._left: set[AnyAction] = set()
        """Walks back to where a figure was in this turn, with nothing done since."""
        self._seasoned: AnyAction = END

    def decide(self, view: PharaohState, rng: random.Random) -> AnyAction:
        """The best action that the search finds."""
        from serai.pharaoh.policy.choose import style_action

        if self._turn != (view.round, view.turn):
            self._turn = (view.round, view.turn)
            self._left.clear()
            self._lose_patience(view)
        self._seasoned = style_action(view, "seasoned", rng.getrandbits(64))
        # ending the turn once more does not end the waiting: nothing extra is asked of other actions then
        self.lead = type(self).lead + (0.0 if self.preferred(view) == END else self._extra_lead)
        # nothing could beat the preferred action by this much: no need to search
        action: AnyAction = self.preferred(view) if self.lead >= 1.0 else self._not_back(super().decide(view, rng))
        if isinstance(action, Archaeologist):
            self._left.add(Archaeologist(view.archaeologists[view.turn]))
        elif isinstance(action, Helper):
            self._left.add(Helper(view.helpers[view.turn]))
        else:
            self._left.clear()
        return action

    def _not_back(self, action: AnyAction) -> AnyAction:
        """The found action, or the best other one if walking back is hardly better."""
        if action not in self._left or self.found is None:
            return action
        worth = {candidate.action: candidate.mean for candidate in self.found.candidates}
        others = [other for other in worth if other not in self._left]
        return others[0] if others and worth[action] - worth[others[0]] < self.back else action

    def _lose_patience(self, view: PharaohState) -> None:
        """Count turns without progress. Where thieves lie in wait nobody wants to go first; who is behind has to."""
        progress = (view.unseen, view.photos, view.museums, view.lost, view.countdown, view.ring)
        self._waited = self._waited + 1 if progress == self._progress else 0
        self._progress = progress
        patience = self.leaders_patience if view.turn in view.leaders() else self.patience
        self._extra_lead = self.impatience * max(0, self._waited - patience)

    def preferred(self, view: PharaohState) -> AnyAction:
        """What a seasoned player would do; the end of the turn instead of walking back."""
        return END if self._seasoned in self._left else self._seasoned

    def candidates(self, view: PharaohState) -> Sequence[Any]:
        """All actions except shutting oneself in and turning tiles to no purpose."""
        from serai.pharaoh.policy.choose import promising

        actions = view.actions()
        return promising(view, actions) or actions


class Lynx(Searcher):
    """Plans at the start of its turn, then only for its archaeologist; the helper does what a seasoned player would.

    Takes every other player for a seasoned one.
    """

    rollouts = 100

    def candidates(self, view: PharaohState) -> Sequence[Any]:
        """No turns of tiles, and after the first move nothing for the helper."""
        left_out = Turn if view.moves_left == MOVES else Helper | Lamp | Turn | Unlamp
        return [action for action in super().candidates(view) if not isinstance(action, left_out)]
