"""The best of some actions by playing on: for every game that offers rollouts, and bots that play by it.

Sequential halving: the budget is cut into rounds of equal cost, every round plays on from the actions that are still in
the running, and the worse half of them drops out. All of them meet the same chance, playout by playout.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from serai.core.dealer import Dealer
from serai.core.errors import MissingExtra, SeraiError
from serai.core.game import Game
from serai.core.play import deal
from serai.core.playouts import Memory, Playouts
from serai.core.playouts import lead as gap_of

if TYPE_CHECKING:
    from serai.core.playouts import Shares

Clock = Callable[[], float]
Worth = Callable[[Playouts, int], "Shares"]
"""What every playout, by action and number, was worth to a seat."""

_FEWEST = 4
"""Playouts of an action in a round, however small the budget: fewer have no standard error to speak of."""
_PROBE = 8
"""One part in so many of the first round tells how fast playouts are, where there is a clock to look at."""
_LOOKS = 16
"""How often the clock is looked at while the time passes, at least: the machine may get busy any moment."""
_CAREFUL = 0.9
"""The part of the time left that is given away at once: the next playouts may take longer than the last."""
_AS_IT_IS: Any = object()
"""For a setting that nobody gave, where ``None`` would mean something."""


class Candidate(msgspec.Struct, frozen=True):
    """An action that was thought about, and what came of it."""

    action: Any
    mean: float
    error: float
    """The standard error of the mean."""
    count: int
    """How many playouts it had."""


class Found(msgspec.Struct, frozen=True):
    """What a search found."""

    action: Any
    candidates: tuple[Candidate, ...]
    """Those that stayed in the running longest first, the better one first among those."""
    rollouts: int = 0
    """How many were played in all."""
    cut: bool = False
    """Whether the clock ended the search before its budget was spent: asked again, it may answer something else."""


def victories(playouts: Playouts, seat: int) -> Shares:
    """The share of victory: what a game is played for."""
    return playouts.wins[:, :, seat]


def choose(
    game: Game,
    view: Any,
    candidates: Sequence[Any] | None = None,
    *,
    rng: random.Random,
    rollouts: int = 2048,
    seconds: float | None = None,
    preferred: Any = None,
    margin: float = 0.0,
    lead: float = 0.0,
    policy: str = "",
    memory: Memory | None = None,
    threads: int = 1,
    worth: Worth = victories,
    clock: Clock = time.monotonic,
) -> Found:
    """The best of ``candidates`` (all legal actions, if none are given) for the seat to act, by so many ``rollouts``.

    The same view and state of ``rng`` give the same answer, unless ``seconds`` are over first. ``preferred`` never
    drops out, and is played unless another is better by more than ``margin`` standard errors of their difference and
    by more than ``lead``: who wins or loses anyway should not wander. ``policy``, ``memory`` and ``threads`` are handed
    to :meth:`serai.core.Game.rollouts`. One candidate costs nothing.
    """
    wanted = tuple(dict.fromkeys(view.actions() if candidates is None else candidates))
    if preferred is not None and preferred not in wanted:
        wanted = (preferred, *wanted)
    if not wanted:
        raise SeraiError("nothing to choose from: no seat is to act in this view, or no candidates were given")
    if len(wanted) == 1:
        return Found(wanted[0], (Candidate(wanted[0], math.nan, math.nan, 0),))
    _need_rollouts(game)
    race = _Race(wanted, None if preferred is None else wanted.index(preferred), margin, lead)
    rounds = _rounds(len(wanted), rollouts)
    watch = _Stopwatch(seconds, clock)
    seed, seat = rng.getrandbits(63), view.actor
    for past, (keep, count) in enumerate(rounds):
        race.halve(keep)
        running = race.actions
        for some in watch.portions(count, len(running), len(rounds) - past):
            found = game.rollouts(
                view, running, some, policy=policy, seed=seed, first=race.count, memory=memory, threads=threads
            )
            race.add(worth(found, seat))
    return Found(wanted[race.winner()], race.candidates(), watch.rollouts, watch.cut)


def _need_rollouts(game: Game) -> None:
    if type(game).rollouts is Game.rollouts:
        raise SeraiError(
            f"{game.name} offers no rollouts: give its Game a rollouts(), or search with serai.bots.information_set"
        )
    if not game.has_rollouts:
        raise MissingExtra(f"{game.name}'s rollouts", " and ".join(game.needs["rollouts"]), "fast")


def _rounds(candidates: int, rollouts: int) -> list[tuple[int, int]]:
    """Round by round: how many are in the running, and how many playouts each of them gets. All cost about the same."""
    rounds = math.ceil(math.log2(candidates))
    running = [math.ceil(candidates / 2**past) for past in range(rounds)]
    return [(few, max(_FEWEST, rollouts // (rounds * few))) for few in running]


class _Stopwatch:
    """Sees to it that playouts end in time: where the rounds that are left take too long, each is made shorter."""

    def __init__(self, seconds: float | None, clock: Clock) -> None:
        self._clock = clock
        self._deadline = None if seconds is None else clock() + seconds
        self._breath = 0.0 if seconds is None else seconds / _LOOKS
        self._pace: float | None = None
        """Seconds of a playout, as the last ones went."""
        self.rollouts = 0
        self.cut = False

    def portions(self, count: int, running: int, rounds: int) -> Iterator[int]:
        """The playouts of a round, ``count`` of each of those in the running, as they are to be asked for."""
        if self._deadline is None:
            self.rollouts += count * running
            yield count
            return
        now, rest = self._clock(), count
        own_end = now + (self._deadline - now) / rounds
        while rest:
            some = math.ceil(rest / _PROBE)
            if self._pace is not None:
                now, each = self._clock(), self._pace * running
                if (rest + (rounds - 1) * count) * each > self._deadline - now:
                    some = min(rest, int(_CAREFUL * (own_end - now) / each))
                    if some < min(rest, count / _PROBE):
                        self.cut = True
                        return
                else:
                    some = rest
                some = max(1, min(some, int(self._breath / each))) if each else some
            yield from self._timed(some, running)
            rest -= some

    def _timed(self, count: int, running: int) -> Iterator[int]:
        began = self._clock()
        yield count
        self._pace = (self._clock() - began) / (count * running)
        self.rollouts += count * running


class _Race:
    """Who is still in the running, by number, and what their playouts were worth."""

    def __init__(self, actions: tuple[Any, ...], preferred: int | None, margin: float, lead: float) -> None:
        self._actions = actions
        self._preferred = preferred
        self._margin = margin
        self._lead = lead
        self._running = list(range(len(actions)))
        self._totals = [0.0] * len(actions)
        self._squares = [0.0] * len(actions)
        self._portions: list[tuple[list[int], Shares]] = []
        self._dropped: list[Candidate] = []
        self.count = 0
        """How many playouts each of those in the running had."""

    @property
    def actions(self) -> tuple[Any, ...]:
        """Those in the running."""
        return tuple([self._actions[number] for number in self._running])

    def add(self, worths: Shares) -> None:
        """Further playouts of those in the running."""
        self.count += worths.shape[1]
        self._portions.append((self._running, worths))
        totals = worths.sum(axis=1, dtype=float).tolist()
        squares = (worths * worths).sum(axis=1, dtype=float).tolist()
        for number, total, square in zip(self._running, totals, squares, strict=True):
            self._totals[number] += total
            self._squares[number] += square

    def halve(self, keep: int) -> None:
        """Leave the best so many in the running, and the preferred one."""
        if not self.count or keep >= len(self._running):
            return
        ranked = self._ranked()
        staying = {number for place, number in enumerate(ranked) if place < keep or number == self._preferred}
        self._dropped = [*(self._told(number) for number in ranked if number not in staying), *self._dropped]
        self._running = sorted(staying)

    def winner(self) -> int:
        """The number of the best, or of the preferred one if that is not clearly worse."""
        best = self._ranked()[0]
        if self._preferred is None or best == self._preferred:
            return best
        gap, error = self._gap(best, self._preferred)
        return best if gap > max(self._margin * error, self._lead) else self._preferred

    def candidates(self) -> tuple[Candidate, ...]:
        """All of them, the last in the running first."""
        return (*map(self._told, self._ranked()), *self._dropped)

    def _ranked(self) -> list[int]:
        """Those in the running, the best first, earlier ones first among equals."""
        return sorted(self._running, key=lambda number: -self._totals[number])

    def _gap(self, one: int, other: int) -> tuple[float, float]:
        import numpy as np

        pairs = [worths[[running.index(one), running.index(other)]] for running, worths in self._portions]
        return gap_of(np.concatenate(pairs, axis=1), 0, 1)

    def _told(self, number: int) -> Candidate:
        mean = self._totals[number] / self.count
        variance = max(0.0, self._squares[number] / self.count - mean * mean)
        return Candidate(self._actions[number], mean, math.sqrt(variance / max(self.count - 1, 1)), self.count)


class SearchBot:
    """A bot that searches. A subclass names its game, and may say which candidates it looks at and what it prefers."""

    game: ClassVar[Game]
    rollouts: int = 2048
    """How many a decision may cost, so that a game can be repeated."""
    seconds: float | None = None
    """How long it may take at most, whatever the machine is doing besides."""
    policy: ClassVar[str] = ""
    margin: ClassVar[float] = 0.0
    lead: float = 0.0
    threads: ClassVar[int] = 1

    def __init__(self, *, rollouts: int | None = None, seconds: float | None = _AS_IT_IS) -> None:
        """With another budget than bots of this kind have, if one is given; ``seconds=None`` is no cap."""
        if rollouts is not None:
            self.rollouts = rollouts
        if seconds is not _AS_IT_IS:
            self.seconds = seconds
        self.found: Found | None = None
        """What the last search came to."""
        self.cuts = 0
        """How many searches the clock has cut short."""
        self._seen: list[Any] = []
        self._memory: Memory | None = None

    def decide(self, view: Any, rng: random.Random) -> Any:
        """The best action that the search finds."""
        self.found = choose(
            self.game,
            view,
            self.candidates(view),
            rng=rng,
            rollouts=self.rollouts,
            seconds=self.seconds,
            preferred=self.preferred(view),
            margin=self.margin,
            lead=self.lead,
            policy=self.policy,
            memory=self._remembered(view.actor),
            threads=self.threads,
            worth=self.worth,
        )
        self.cuts += self.found.cut
        return self.found.action

    def candidates(self, view: Any) -> Sequence[Any]:
        """What to think about, the more promising first: equals are settled by this order."""
        return view.actions()  # type: ignore[no-any-return]

    def preferred(self, view: Any) -> Any:
        """What to play unless something else is clearly better; ``None``: nothing."""
        return None

    def worth(self, playouts: Playouts, seat: int) -> Shares:
        """What every playout was worth."""
        return victories(playouts, seat)

    def watch(self, event: Any) -> None:
        """Remember what the game's rollouts can make use of."""
        if self._memory is None:
            self._seen.append(event)  # until the first decision nobody has told which seat this is
        else:
            self._memory.watch(event)

    def warm_up(self) -> None:
        """Have whatever must be compiled or loaded there, once for all bots of this kind in this process."""
        if type(self) in _WARM or not self.game.has_rollouts:
            return
        start = deal(self.game.new(players=self.game.players[0]), Dealer()).after
        view = start.seen_by(start.actor)
        type(self)().decide(view, random.Random(0))
        self.game.rollouts(view, n=1, policy=self.policy, threads=self.threads)  # had there been nothing to decide
        _WARM.add(type(self))

    def _remembered(self, seat: int) -> Memory | None:
        if self._memory is None:
            self._memory = self.game.memory(seat) or _Nothing()
            for event in self._seen:
                self._memory.watch(event)
            self._seen.clear()
        return None if isinstance(self._memory, _Nothing) else self._memory


class _Nothing:
    """The memory of a seat in a game where views tell everything."""

    def watch(self, event: Any) -> None:
        pass


_WARM: set[type[SearchBot]] = set()
"""The kinds of bots that have been warmed up in this process."""
