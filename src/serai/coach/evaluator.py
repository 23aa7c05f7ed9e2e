"""What positions are worth to a seat by what it knows: one estimate for each, from which all else follows.

A position in which somebody is to act is worth what playing on from it brings, everybody playing alike. Before a draw
it is worth the mean over the outcomes, each judged as it will be once it is there: so luck has a mean of zero. All
positions meet the same chance, playout by playout, so that the noise in two neighbours cancels.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from serai.coach.review import Worth
from serai.core.chance import CHANCE
from serai.core.coaching import Coaching
from serai.core.errors import MissingExtra, SeraiError
from serai.core.game import Game
from serai.core.playouts import Memory, Playouts

if TYPE_CHECKING:
    from serai.core.playouts import Shares

EFFORTS: Final = {"low": 0.25, "usual": 1.0, "high": 4.0}
"""How many playouts a position gets, beside what is usual in its game."""


class Evaluator:
    """Judges positions of one game at one effort, always the same way."""

    def __init__(self, game: Game, *, effort: str = "usual", seed: int = 0, openly: bool = False) -> None:
        coaching = game.coaching()
        if coaching is None:
            raise SeraiError(f"{game.name} has no coach: give its Game a coaching()")
        if not game.has_rollouts:
            raise MissingExtra(f"{game.name}'s reviews", " and ".join(game.needs["rollouts"]), "fast")
        if effort not in EFFORTS:
            raise SeraiError(f"no effort {effort!r}: it is one of {', '.join(EFFORTS)}")
        self.game = game
        self.coaching: Coaching = coaching
        self.seed = seed
        self.openly = openly
        self.playouts = max(4, round(coaching.playouts * EFFORTS[effort]))
        self._due: dict[Any, Draw] = {}
        """Draws judged since the last decision, which may come to be made one after the other."""

    @property
    def name(self) -> str:
        """Changes whenever something changes that judgements follow from."""
        told = (self.game.name, self.game.version, self.coaching.policy, self.coaching.parameters)
        return f"{version('serai')}-{hashlib.sha256(repr(told).encode()).hexdigest()[:8]}"

    def view(self, state: Any, seat: int) -> Any:
        """What the seat is judged by."""
        return state if self.openly else state.seen_by(seat)

    def play_on(self, view: Any, actions: Sequence[Any], n: int, memory: Memory | None, first: int = 0) -> Playouts:
        """Play on from a view, after each of some actions."""
        return self.game.rollouts(
            view, actions, n, policy=self.coaching.policy, seed=self.seed, first=first, memory=memory
        )

    def worths(self, state: Any, seats: Sequence[int], memories: Sequence[Memory | None]) -> tuple[Worth, ...]:
        """What the game is worth to some seats, whose memories these are."""
        if state.over:
            return result(state, seats)
        if state.actor is CHANCE:
            self._due.clear()
            return self.before_draw(state, seats, memories).worths
        return self._played_on(state, None, seats, memories)

    def before_draw(self, state: Any, seats: Sequence[int], memories: Sequence[Memory | None]) -> Draw:
        """What a draw can bring, each outcome judged."""
        if state not in self._due:
            self._due[state] = self._judge_draw(state, seats, memories)
        return self._due[state]

    def _judge_draw(self, state: Any, seats: Sequence[int], memories: Sequence[Memory | None]) -> Draw:
        chances = state.chances()
        outcomes: dict[Any, tuple[Worth, ...]] = {}
        for action, _ in chances:
            after = state.apply(action)
            if after.over:  # what was hidden until then is judged as it was believed
                outcomes[action] = self._played_on(state, action, seats, memories)
            elif after.actor is CHANCE:
                outcomes[action] = self.before_draw(after, seats, memories).worths
            else:
                outcomes[action] = self._played_on(after, None, seats, memories)
        weights = [float(chance) for _, chance in chances]
        worths = tuple(_mean([outcome[place] for outcome in outcomes.values()], weights) for place in range(len(seats)))
        return Draw(worths, outcomes, dict(zip(outcomes, weights, strict=True)))

    def _played_on(
        self, state: Any, action: Any, seats: Sequence[int], memories: Sequence[Memory | None]
    ) -> tuple[Worth, ...]:
        """By playouts; whoever knows the same as the one before needs none of their own."""
        found: list[Worth] = []
        seen: Any = None
        for seat, memory in zip(seats, memories, strict=True):
            view = self.view(state, seat)
            if seen is None or view != seen:
                playouts, seen = self.play_on(view, (action,), self.playouts, memory), view
            found.append(_worth(playouts.wins[0, :, seat], playouts.scores[0, :, seat]))
        return tuple(found)


class Draw:
    """A draw that is due: what the game is worth before it, and behind each of its outcomes."""

    def __init__(
        self, worths: tuple[Worth, ...], outcomes: dict[Any, tuple[Worth, ...]], chances: dict[Any, float]
    ) -> None:
        self.worths = worths
        self.outcomes = outcomes
        self.chances = chances


def result(state: Any, seats: Sequence[int]) -> tuple[Worth, ...]:
    """What a finished game was worth: a tie is shared."""
    winners, scores = state.winners(), state.scores()
    return tuple(Worth((seat in winners) / len(winners), float(scores[seat]), 0.0, exact=True) for seat in seats)


def _worth(wins: Shares, scores: Shares) -> Worth:
    error = float(wins.std(dtype=float)) / math.sqrt(max(len(wins) - 1, 1))
    return Worth(float(wins.mean(dtype=float)), float(scores.mean(dtype=float)), error)


def _mean(worths: Sequence[Worth], weights: Sequence[float]) -> Worth:
    wins = math.fsum(worth.wins * weight for worth, weight in zip(worths, weights, strict=True))
    score = math.fsum(worth.score * weight for worth, weight in zip(worths, weights, strict=True))
    # outcomes share their playouts' chance, so their errors may well agree: this is the most it can be
    error = math.fsum(worth.error * weight for worth, weight in zip(worths, weights, strict=True))
    return Worth(wins, score, error, exact=all(worth.exact for worth in worths))
