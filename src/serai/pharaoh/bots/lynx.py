"""``lynx``: searches for its archaeologist alone; and what it shares with ``sphinx``, the other searcher."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from serai.bots.search import SearchBot
from serai.core import Game
from serai.pharaoh.game import GAME
from serai.pharaoh.progress import gets_on
from serai.pharaoh.rules.actions import (
    END,
    AnyAction,
    Archaeologist,
    Drop,
    End,
    Helper,
    Lamp,
    Steal,
    Take,
    Turn,
    Unlamp,
)
from serai.pharaoh.rules.pieces import MOVES, NOWHERE
from serai.pharaoh.rules.rules import PharaohState

if TYPE_CHECKING:
    from serai.core.rollouts import Playouts
    from serai.lab.rollouts import Shares


class Searcher(SearchBot):
    """Plays as a seasoned player would, unless rollouts show something clearly better; never walks back at once."""

    game: ClassVar[Game] = GAME
    seconds = 0.3
    margin = 1.0
    lead: float = 0.01
    ending: ClassVar[float] = 0.25
    """By how much ending a turn must beat what gets on and what it prefers, until the mask is found or all falls."""
    straying: ClassVar[float] = 0.1
    """The same for walks of the archaeologist that lead nowhere."""
    dallying: ClassVar[float] = 0.03
    """The same for whatever else does not get on."""
    patience: ClassVar[int] = 0
    """Own turns without progress in the game after which it becomes impatient; leaders wait longer."""
    leaders_patience: ClassVar[int] = 1
    impatience: ClassVar[float] = 0.1
    """By how much more, for each further turn, an action must beat the preferred one."""

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
        self._swapped = 0
        """The value that it has just dropped for a dearer one."""
        self._preferred: AnyAction | None = None
        self._forward: tuple[AnyAction, ...] = ()

    def decide(self, view: PharaohState, rng: random.Random) -> AnyAction:
        """The best action that the search finds."""
        from serai.pharaoh.policy.choose import style_action

        if self._turn != (view.round, view.turn):
            self._turn = (view.round, view.turn)
            self._left.clear()
            self._lose_patience(view)
        seasoned = style_action(view, "seasoned", rng.getrandbits(64))
        self._preferred = None if seasoned in self._left or self._swapped else seasoned
        near_the_end = view.falling or view.mask_chamber != NOWHERE
        self._forward = () if near_the_end else tuple([action for action in view.actions() if gets_on(view, action)])
        preferred = self.preferred(view)
        # ending the turn once more does not end the waiting: nothing extra is asked of other actions then
        self.lead = type(self).lead + (0.0 if preferred == END else self._extra_lead)
        # nothing could beat the preferred action by this much: no need to search
        hurried = preferred if self.lead >= 1.0 else None
        action: AnyAction = super().decide(view, rng) if hurried is None else hurried
        self._note(view, action)
        return action

    def worth(self, playouts: Playouts, seat: int) -> Shares:
        """The share of victory, less for what does not get on where something does."""
        shares = super().worth(playouts, seat).copy()
        if self._forward:
            for place, action in enumerate(playouts.actions):
                if action not in self._forward and action != self._preferred:
                    shares[place] -= self._delay(action)
        return shares

    def _delay(self, action: AnyAction) -> float:
        match action:
            case End():
                return self.ending
            case Archaeologist():
                return self.straying
        return self.dallying

    def _note(self, view: PharaohState, action: AnyAction) -> None:
        if isinstance(action, Archaeologist):
            self._left.add(Archaeologist(view.archaeologists[view.turn]))
        elif isinstance(action, Helper):
            self._left.add(Helper(view.helpers[view.turn]))
        else:
            self._left.clear()
        self._swapped = view.carried[view.turn] if isinstance(action, Drop) else 0

    def _lose_patience(self, view: PharaohState) -> None:
        """Count turns without progress. Where thieves lie in wait nobody wants to go first; who is behind has to."""
        progress = (view.unseen, view.photos, view.museums, view.lost, view.countdown, view.ring)
        self._waited = self._waited + 1 if progress == self._progress else 0
        self._progress = progress
        patience = self.leaders_patience if view.turn in view.leaders() else self.patience
        self._extra_lead = self.impatience * max(0, self._waited - patience)

    def preferred(self, view: PharaohState) -> AnyAction | None:
        """What a seasoned player would do, unless that is to walk back."""
        return self._preferred

    def candidates(self, view: PharaohState) -> Sequence[Any]:
        """All actions but walking back, shutting oneself in and turning tiles to no purpose; a swap is ended first."""
        from serai.pharaoh.policy.choose import promising

        if self._swapped:
            return [action for action in view.actions() if _value(view, action) > self._swapped]
        actions = [action for action in view.actions() if action not in self._left]
        return promising(view, actions) or actions

    def forward(self, view: PharaohState) -> Collection[Any]:
        """What gets on, until the mask is found or the pyramid falls: then the best place may be home."""
        return self._forward


def _value(view: PharaohState, action: AnyAction) -> int:
    """What one has in hand by taking or stealing; 0 for other actions."""
    match action:
        case Take(value):
            return value
        case Steal(victim):
            return view.carried[victim]
    return 0


class Lynx(Searcher):
    """Plans at the start of its turn, then only for its archaeologist; the helper does what a seasoned player would.

    Takes every other player for a seasoned one.
    """

    rollouts = 100

    def candidates(self, view: PharaohState) -> Sequence[Any]:
        """No turns of tiles, and after the first move nothing for the helper."""
        left_out = Turn if view.moves_left == MOVES else Helper | Lamp | Turn | Unlamp
        return [action for action in super().candidates(view) if not isinstance(action, left_out)]
