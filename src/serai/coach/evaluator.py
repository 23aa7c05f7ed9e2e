"""The evaluator: the worth of a position to a seat, by playouts from what it knows.

Where a player is to act, a position is worth the mean result of playouts in which all seats play alike. Before a draw
it is worth the mean over the outcomes, each judged as it will be once it is drawn: so luck has a mean of zero. Playout
``k`` of every position has the same chance, so the noise of two neighbouring positions cancels.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, Final, NamedTuple

import msgspec

from serai.core.arguments import check_kind, check_text, check_whole
from serai.core.chance import CHANCE
from serai.core.game import Action, Game, State
from serai.core.parts import Coach
from serai.core.rollouts import Habit, Memory, Playouts
from serai.errors import SeraiError

EFFORTS: Final = {"low": 0.25, "usual": 1.0, "high": 4.0}
"""Playouts of a position, as a multiple of the game's usual number."""
_FEWEST: Final = 4
"""Playouts: fewer would give no useful standard error."""
_WORTHWHILE: Final = 0.25
"""The least share of its playouts that a decision is judged with; rather than less, fewer decisions are judged."""
_STALLED: Final = 8
"""How many times an action of an overlong game counts: nobody dares to end such a game, so its playouts take longer."""


class Worth(msgspec.Struct, frozen=True):
    """What a position is worth to a seat, by what that seat knows."""

    wins: float
    score: float
    error: float
    """The standard error of ``wins``."""
    exact: bool = False


class Evaluator:
    """Judges positions of one game at one effort; ``actions`` is the length of that game.

    The same arguments give the same figures, to the digit. ``openly``: with all cards open.
    """

    def __init__(
        self, game: Game, *, effort: str = "usual", seed: int = 0, openly: bool = False, actions: int = 0
    ) -> None:
        check_kind("the game to judge", game, Game, "a game, as serai.game(name) gives it")
        check_text("an effort", effort)
        check_whole("a seed", seed)
        coach = game.coach
        if coach is None:
            raise SeraiError(f"{game.name} has no coach")
        coach.need("reviews")
        if effort not in EFFORTS:
            raise SeraiError(f"no effort {effort!r}: it is one of {', '.join(EFFORTS)}")
        self.game = game
        self.coach: Coach = coach
        self.seed = seed
        self.openly = openly
        part = _playout_share(coach.thorough, actions)
        self.playouts, self.compared = (
            max(_FEWEST, round(usual * EFFORTS[effort] * least))
            for usual, least in ((coach.playouts, part), (coach.compared, max(part, _WORTHWHILE)))
        )
        self.judged = min(1.0, part / _WORTHWHILE)
        """The share of decisions that are judged."""

    @property
    def name(self) -> str:
        """Identifies the figures and their reasons: it changes with everything that they depend on."""
        coach = self.coach
        counts = (coach.playouts, coach.compared, *(() if coach.thorough is None else (coach.thorough,)))
        scale = (coach.difficulty, coach.points)
        parts = tuple(map(tuple, coach.parts))
        inputs = (self.game.name, self.game.version, coach.policy, counts, scale, coach.parameters, parts)
        return f"{version('serai')}-{hashlib.sha256(repr(inputs).encode()).hexdigest()[:8]}"

    def judges(self, number: int) -> bool:
        """Whether to judge the decision of this number: in an overlong game only a random share is judged."""
        return self.judged >= 1 or random.Random(f"{self.seed} {number}").random() < self.judged

    def view(self, state: State, seat: int) -> State:
        """What the seat is judged by: its view, or the whole state when judging openly."""
        return state if self.openly else state.seen_by(seat)

    def play_on(
        self,
        view: State,
        actions: Sequence[Action | Habit],
        n: int,
        memory: Memory | None,
        first: int = 0,
        *,
        counted: bool = False,
    ) -> Playouts:
        """``n`` playouts from a view after each of these actions, beginning with playout ``first``.

        With ``counted``, the parts that the coach's reasons are made of, if it has any.
        """
        settings = {"parts": True} if counted and self.coach.parts else {}
        return self.game.rollouts(
            view, actions, n, policy=self.coach.policy, seed=self.seed, first=first, memory=memory, **settings
        )

    def worths(self, state: State, seats: Sequence[int], memories: Sequence[Memory | None]) -> tuple[Worth, ...]:
        """What a state that is not a draw is worth to some seats, given their memories."""
        return final_worths(state, seats) if state.over else self._played_on(state, None, seats, memories)

    def draw(self, state: State, seats: Sequence[int], memories: Sequence[Memory | None]) -> PendingDraw:
        """The worths before a draw and after each outcome; draws that follow at once are included."""
        chances = state.chances()
        outcomes: dict[Any, Outcome] = {}
        alike: dict[Any, Outcome] = {}
        for action, _ in chances:
            same = self.coach.alike(action)
            if same not in alike:
                alike[same] = self._outcome(state, action, seats, memories)
            outcomes[action] = alike[same]
        weights = [float(chance) for _, chance in chances]
        worths = [
            _mean([outcome.worths[place] for outcome in outcomes.values()], weights) for place in range(len(seats))
        ]
        return PendingDraw(tuple(worths), outcomes, dict(zip(outcomes, weights, strict=True)))

    def _outcome(
        self, state: State, action: Action, seats: Sequence[int], memories: Sequence[Memory | None]
    ) -> Outcome:
        after = state.apply(action)
        if after.over:  # what the end reveals is judged as the seats believed it to be
            return Outcome(self._played_on(state, action, seats, memories))
        if after.actor is CHANCE:
            draw = self.draw(after, seats, memories)
            return Outcome(draw.worths, draw)
        return Outcome(self._played_on(after, None, seats, memories))

    def _played_on(
        self, state: Any, action: Any, seats: Sequence[int], memories: Sequence[Memory | None]
    ) -> tuple[Worth, ...]:
        """Worths by playouts; a seat with the same view as the one before shares its playouts."""
        found: list[Worth] = []
        seen: Any = None
        for seat, memory in zip(seats, memories, strict=True):
            view = self.view(state, seat)
            if seen is None or view != seen:
                playouts, seen = self.play_on(view, (action,), self.playouts, memory), view
            found.append(Worth(*playouts.value(0, seat)))
        return tuple(found)


class PendingDraw(NamedTuple):
    """A draw that comes next: worths before it, and after each of its outcomes."""

    worths: tuple[Worth, ...]
    outcomes: dict[Any, Outcome]
    chances: dict[Any, float]


class Outcome(NamedTuple):
    """One outcome of a draw."""

    worths: tuple[Worth, ...]
    draw: PendingDraw | None = None
    """The next draw, if nobody acts in between."""


def final_worths(state: State, seats: Sequence[int]) -> tuple[Worth, ...]:
    """The worths of a finished game; a tie is shared."""
    winners, scores = state.winners(), state.scores()
    return tuple(Worth((seat in winners) / len(winners), float(scores[seat]), 0.0, exact=True) for seat in seats)


def _playout_share(thorough: int | None, actions: int) -> float:
    """The share of the usual playouts that each position of a game with this many actions gets."""
    return 1.0 if thorough is None else thorough / (thorough + _STALLED * max(0, actions - thorough))


def _mean(worths: Sequence[Worth], weights: Sequence[float]) -> Worth:
    wins = math.fsum(worth.wins * weight for worth, weight in zip(worths, weights, strict=True))
    score = math.fsum(worth.score * weight for worth, weight in zip(worths, weights, strict=True))
    # outcomes share their playouts' chance, so their errors may be correlated: this is the upper bound
    error = math.fsum(worth.error * weight for worth, weight in zip(worths, weights, strict=True))
    return Worth(wins, score, error, exact=all(worth.exact for worth in worths))
