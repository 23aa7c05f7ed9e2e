"""What positions are worth to a seat by what it knows: one estimate for each, from which all else follows.

A position in which somebody is to act is worth what playing on from it brings, everybody playing alike. Before a draw
it is worth the mean over the outcomes, each judged as it will be once it is there: so luck has a mean of zero. All
positions meet the same chance, playout by playout, so that the noise in two neighbours cancels.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from serai.coach.review import Worth
from serai.core.chance import CHANCE
from serai.core.checks import check_kind, check_text, check_whole
from serai.core.coaching import Coaching
from serai.core.errors import MissingExtra, SeraiError
from serai.core.game import Game
from serai.core.playouts import Memory, Playouts

if TYPE_CHECKING:
    from serai.core.playouts import Shares

EFFORTS: Final = {"low": 0.25, "usual": 1.0, "high": 4.0}
"""How many playouts a position gets, beside what is usual in its game."""
_FEWEST: Final = 4
"""Fewer have no standard error to speak of."""
_WORTHWHILE: Final = 0.25
"""The least part of its playouts with which a decision is still judged: rather than with less, fewer of them are."""
_STALLED: Final = 8
"""For so many counts an action of a game that is too long: nobody dares to end it, and to play on takes longer, too."""


class Evaluator:
    """Judges positions of one game at one effort, always the same way; ``actions`` is how long that game is."""

    def __init__(
        self, game: Game, *, effort: str = "usual", seed: int = 0, openly: bool = False, actions: int = 0
    ) -> None:
        check_kind("the game to judge", game, Game, "a game, as serai.game(name) gives it")
        check_text("an effort", effort)
        check_whole("a seed", seed)
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
        part = _shared(coaching.thorough, actions)
        self.playouts, self.compared = (
            max(_FEWEST, round(usual * EFFORTS[effort] * least))
            for usual, least in ((coaching.playouts, part), (coaching.compared, max(part, _WORTHWHILE)))
        )
        self.judged = min(1.0, part / _WORTHWHILE)
        """The part of decisions that are judged."""

    @property
    def name(self) -> str:
        """Changes whenever something changes that judgements follow from."""
        coaching = self.coaching
        counts = (coaching.playouts, coaching.compared, *(() if coaching.thorough is None else (coaching.thorough,)))
        told = (self.game.name, self.game.version, coaching.policy, counts, coaching.difficulty, coaching.parameters)
        return f"{version('serai')}-{hashlib.sha256(repr(told).encode()).hexdigest()[:8]}"

    def judges(self, number: int) -> bool:
        """Whether the decision with this number is one of those that are judged: all, unless the game is too long."""
        return self.judged >= 1 or random.Random(f"{self.seed} {number}").random() < self.judged

    def view(self, state: Any, seat: int) -> Any:
        """What the seat is judged by."""
        return state if self.openly else state.seen_by(seat)

    def play_on(self, view: Any, actions: Sequence[Any], n: int, memory: Memory | None, first: int = 0) -> Playouts:
        """Play on from a view, after each of some actions."""
        return self.game.rollouts(
            view, actions, n, policy=self.coaching.policy, seed=self.seed, first=first, memory=memory
        )

    def worths(self, state: Any, seats: Sequence[int], memories: Sequence[Memory | None]) -> tuple[Worth, ...]:
        """What a game in which somebody is to act, or nobody any more, is worth to some seats, with their memories."""
        return result(state, seats) if state.over else self._played_on(state, None, seats, memories)

    def draw(self, state: Any, seats: Sequence[int], memories: Sequence[Memory | None]) -> Draw:
        """What a draw can bring, each outcome judged, and the draws behind it likewise."""
        chances = state.chances()
        outcomes: dict[Any, Outcome] = {}
        alike: dict[Any, Outcome] = {}
        for action, _ in chances:
            same = self.coaching.alike(action)
            if same not in alike:
                alike[same] = self._outcome(state, action, seats, memories)
            outcomes[action] = alike[same]
        weights = [float(chance) for _, chance in chances]
        worths = [
            _mean([outcome.worths[place] for outcome in outcomes.values()], weights) for place in range(len(seats))
        ]
        return Draw(tuple(worths), outcomes, dict(zip(outcomes, weights, strict=True)))

    def _outcome(self, state: Any, action: Any, seats: Sequence[int], memories: Sequence[Memory | None]) -> Outcome:
        after = state.apply(action)
        if after.over:  # what is turned up then is judged as it was believed
            return Outcome(self._played_on(state, action, seats, memories))
        if after.actor is CHANCE:
            draw = self.draw(after, seats, memories)
            return Outcome(draw.worths, draw)
        return Outcome(self._played_on(after, None, seats, memories))

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


class Draw(NamedTuple):
    """A draw that is due: what the game is worth before it, and behind each of its outcomes."""

    worths: tuple[Worth, ...]
    outcomes: dict[Any, Outcome]
    chances: dict[Any, float]


class Outcome(NamedTuple):
    """What a draw may bring."""

    worths: tuple[Worth, ...]
    draw: Draw | None = None
    """What is drawn next, where nobody acts in between."""


def result(state: Any, seats: Sequence[int]) -> tuple[Worth, ...]:
    """What a finished game was worth: a tie is shared."""
    winners, scores = state.winners(), state.scores()
    return tuple(Worth((seat in winners) / len(winners), float(scores[seat]), 0.0, exact=True) for seat in seats)


def _shared(thorough: int | None, actions: int) -> float:
    """The part of its playouts that each of so many actions gets."""
    return 1.0 if thorough is None else thorough / (thorough + _STALLED * max(0, actions - thorough))


def _worth(wins: Shares, scores: Shares) -> Worth:
    error = float(wins.std(dtype=float)) / math.sqrt(max(len(wins) - 1, 1))
    return Worth(float(wins.mean(dtype=float)), float(scores.mean(dtype=float)), error)


def _mean(worths: Sequence[Worth], weights: Sequence[float]) -> Worth:
    wins = math.fsum(worth.wins * weight for worth, weight in zip(worths, weights, strict=True))
    score = math.fsum(worth.score * weight for worth, weight in zip(worths, weights, strict=True))
    # outcomes share their playouts' chance, so their errors may well agree: this is the most it can be
    error = math.fsum(worth.error * weight for worth, weight in zip(worths, weights, strict=True))
    return Worth(wins, score, error, exact=all(worth.exact for worth in worths))
