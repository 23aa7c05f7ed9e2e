"""Search by rollouts (sequential halving), and :class:`SearchBot`, the base of bots that use it.

The budget is split into rounds of equal cost. Every round plays on from the actions that are left, then the worse half
of them drops out. All actions meet the same chance, playout by playout.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from serai.core.dealer import Dealer
from serai.core.game import Game
from serai.core.play import deal
from serai.core.rollouts import Memory, Playouts
from serai.errors import SeraiError, need
from serai.lab.rollouts import lead as gap_of

if TYPE_CHECKING:
    from serai.lab.rollouts import Shares

Clock = Callable[[], float]
Worth = Callable[[Playouts, int], "Shares"]
"""The value of every playout, by action and number, to a seat."""

_FEWEST = 4
"""Playouts of an action in a round, however small the budget: fewer have no standard error to speak of."""
_PROBE = 8
"""One part in this many of the first round measures how fast playouts are, where there is a time limit."""
_LOOKS = 16
"""How often the clock is read at least: the machine may get busy at any moment."""
_CAREFUL = 0.9
"""The part of the remaining time that is spent at once: the next playouts may take longer than the last."""
_UNSET: Any = object()
"""For a setting that was not given, where ``None`` has a meaning."""


class Candidate(msgspec.Struct, frozen=True):
    """An action and the results of its playouts."""

    action: Any
    mean: float
    error: float
    """The standard error of the mean."""
    count: int
    """How many playouts it had."""


class Found(msgspec.Struct, frozen=True):
    """The result of a search."""

    action: Any
    candidates: tuple[Candidate, ...]
    """Those that dropped out last first, the better one first among equals."""
    rollouts: int = 0
    """How many were played in all."""
    cut: bool = False
    """Whether the clock ended the search before its budget was spent: asked again, it may answer something else."""


def victories(playouts: Playouts, seat: int) -> Shares:
    """The share of victory: what a game is played for."""
    import numpy as np

    return np.asarray(playouts.wins, np.float32)[:, :, seat]


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
    forward: Collection[Any] = (),
    doubt: float = 2.0,
    policy: str = "",
    memory: Memory | None = None,
    threads: int = 1,
    worth: Worth = victories,
    clock: Clock = time.monotonic,
) -> Found:
    """The best of ``candidates`` (all legal actions, if none are given) for the seat to act.

    The same view and state of ``rng`` give the same answer, unless ``seconds`` are over first. ``preferred`` never
    drops out, and is played unless another is better by more than ``margin`` standard errors of their difference and
    by more than ``lead``: a seat that wins or loses anyway should not wander. The best of the actions that bring the
    game ``forward`` never drops out either, and is played unless the preferred one or one that is better by more than
    ``doubt`` standard errors and by more than ``lead`` is found. ``policy``, ``memory`` and ``threads`` are passed to
    :meth:`serai.core.Game.rollouts`. One candidate costs nothing.
    """
    wanted = tuple(dict.fromkeys(view.actions() if candidates is None else candidates))
    if preferred is not None and preferred not in wanted:
        wanted = (preferred, *wanted)
    if not wanted:
        raise SeraiError("nothing to choose from: no seat is to act in this view, or no candidates were given")
    if len(wanted) == 1:
        return Found(wanted[0], (Candidate(wanted[0], math.nan, math.nan, 0),))
    need("fast", "searching bots", "numpy")
    race = _Race(
        wanted,
        None if preferred is None else wanted.index(preferred),
        margin,
        lead,
        frozenset(number for number, action in enumerate(wanted) if action in forward),
        doubt,
    )
    rounds = _rounds(len(wanted), rollouts)
    watch = _Stopwatch(seconds, clock)
    seed, seat = rng.getrandbits(63), view.actor
    for past, (keep, count) in enumerate(rounds):
        race.halve(keep)
        running = race.actions
        for some in watch.chunks(count, len(running), len(rounds) - past):
            found = game.rollouts(
                view, running, some, policy=policy, seed=seed, first=race.count, memory=memory, threads=threads
            )
            race.add(worth(found, seat))
    return Found(wanted[race.winner()], race.candidates(), watch.rollouts, watch.cut)


def _rounds(candidates: int, rollouts: int) -> list[tuple[int, int]]:
    """Round by round: how many are in the running, and how many playouts each of them gets. All cost about the same."""
    rounds = math.ceil(math.log2(candidates))
    running = [math.ceil(candidates / 2**past) for past in range(rounds)]
    return [(few, max(_FEWEST, rollouts // (rounds * few))) for few in running]


class _Stopwatch:
    """Keeps the time limit: if the remaining rounds would take too long, each gets fewer playouts."""

    def __init__(self, seconds: float | None, clock: Clock) -> None:
        self._clock = clock
        self._deadline = None if seconds is None else clock() + seconds
        self._breath = 0.0 if seconds is None else seconds / _LOOKS
        self._pace: float | None = None
        """Seconds of a playout, as the last ones went."""
        self.rollouts = 0
        self.cut = False

    def chunks(self, count: int, running: int, rounds: int) -> Iterator[int]:
        """Split the playouts of a round, ``count`` for each action left, into chunks."""
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
    """The actions that are left, by number, and the values of their playouts."""

    def __init__(
        self,
        actions: tuple[Any, ...],
        preferred: int | None,
        margin: float,
        lead: float,
        forward: frozenset[int],
        doubt: float,
    ) -> None:
        self._actions = actions
        self._preferred = preferred
        self._margin = margin
        self._lead = lead
        self._forward = forward
        self._doubt = doubt
        self._running = list(range(len(actions)))
        self._totals = [0.0] * len(actions)
        self._squares = [0.0] * len(actions)
        self._chunks: list[tuple[list[int], Shares]] = []
        self._dropped: list[Candidate] = []
        self.count = 0
        """How many playouts each of those in the running had."""

    @property
    def actions(self) -> tuple[Any, ...]:
        return tuple([self._actions[number] for number in self._running])

    def add(self, worths: Shares) -> None:
        self.count += worths.shape[1]
        self._chunks.append((self._running, worths))
        totals = worths.sum(axis=1, dtype=float).tolist()
        squares = (worths * worths).sum(axis=1, dtype=float).tolist()
        for number, total, square in zip(self._running, totals, squares, strict=True):
            self._totals[number] += total
            self._squares[number] += square

    def halve(self, keep: int) -> None:
        """Keep the best ``keep`` actions, the preferred one, and the best of those that bring the game forward."""
        if not self.count or keep >= len(self._running):
            return
        ranked = self._ranked()
        staying = {*ranked[:keep], *self._bringing_forward(ranked)[:1]}
        if self._preferred is not None:
            staying.add(self._preferred)
        self._dropped = [*(self._candidate(number) for number in ranked if number not in staying), *self._dropped]
        self._running = sorted(staying)

    def winner(self) -> int:
        """The number of the best, or of the preferred one or one that brings the game forward if not clearly worse."""
        ranked = self._ranked()
        best = ranked[0]
        if self._preferred is not None and not self._is_better(best, self._preferred, self._margin):
            best = self._preferred
        forward = self._bringing_forward(ranked)
        if best == self._preferred or best in self._forward or not forward:
            return best
        return best if self._is_better(best, forward[0], self._doubt) else forward[0]

    def _bringing_forward(self, ranked: Sequence[int]) -> list[int]:
        return [number for number in ranked if number in self._forward]

    def _is_better(self, one: int, other: int, errors: float) -> bool:
        """Whether one is better than another by more than so many standard errors, and by more than the lead."""
        if one == other:
            return False
        gap, error = self._gap(one, other)
        return gap > max(errors * error, self._lead)

    def candidates(self) -> tuple[Candidate, ...]:
        return (*map(self._candidate, self._ranked()), *self._dropped)

    def _ranked(self) -> list[int]:
        """Those in the running, the best first, earlier ones first among equals."""
        return sorted(self._running, key=lambda number: -self._totals[number])

    def _gap(self, one: int, other: int) -> tuple[float, float]:
        import numpy as np

        pairs = [worths[[running.index(one), running.index(other)]] for running, worths in self._chunks]
        return gap_of(np.concatenate(pairs, axis=1), 0, 1)

    def _candidate(self, number: int) -> Candidate:
        mean = self._totals[number] / self.count
        variance = max(0.0, self._squares[number] / self.count - mean * mean)
        return Candidate(self._actions[number], mean, math.sqrt(variance / max(self.count - 1, 1)), self.count)


class SearchBot:
    """A bot that searches. A subclass names its game, and may say which candidates it looks at and what it prefers."""

    game: ClassVar[Game]
    rollouts: int = 2048
    """How many a decision may cost, so that a game can be repeated."""
    seconds: float | None = None
    """The time limit of a decision; ``None`` for none."""
    policy: ClassVar[str] = ""
    margin: ClassVar[float] = 0.0
    lead: float = 0.0
    doubt: ClassVar[float] = 2.0
    threads: ClassVar[int] = 1

    def __init__(self, *, rollouts: int | None = None, seconds: float | None = _UNSET) -> None:
        """With another budget than bots of this kind have, if one is given; ``seconds=None`` is no cap."""
        if rollouts is not None:
            self.rollouts = rollouts
        if seconds is not _UNSET:
            self.seconds = seconds
        self.found: Found | None = None
        """The result of the last search."""
        self.cuts = 0
        """How many searches the clock has cut short."""
        self._seen: list[Any] | None = []
        """Events before the first decision, at which the seat is known."""
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
            forward=self.forward(view),
            doubt=self.doubt,
            policy=self.policy,
            memory=self._remembered(view.actor),
            threads=self.threads,
            worth=self.worth,
        )
        self.cuts += self.found.cut
        return self.found.action

    def candidates(self, view: Any) -> Sequence[Any]:
        """The actions to search, the more promising first: this order breaks ties."""
        return view.actions()  # type: ignore[no-any-return]

    def preferred(self, view: Any) -> Any:
        """What to play unless something else is clearly better; ``None``: nothing."""
        return None

    def forward(self, view: Any) -> Collection[Any]:
        """Actions that bring the game forward: one of them is played rather than another that is hardly better."""
        return ()

    def worth(self, playouts: Playouts, seat: int) -> Shares:
        """What every playout was worth."""
        return victories(playouts, seat)

    def watch(self, event: Any) -> None:
        """Remember what the game's rollouts can make use of."""
        if self._seen is not None:
            self._seen.append(event)
        elif self._memory is not None:
            self._memory.watch(event)

    def warm_up(self) -> None:
        """Compile and load what the search needs, once for all bots of this kind in this process."""
        if type(self) in _WARM or (self.game.compiled is not None and not self.game.compiled.available):
            return
        start = deal(self.game.new(players=self.game.players[0]), Dealer()).after
        view = start.seen_by(start.actor)
        type(self)().decide(view, random.Random(0))
        self.game.rollouts(view, n=1, policy=self.policy, threads=self.threads)  # had there been nothing to decide
        _WARM.add(type(self))

    def _remembered(self, seat: int) -> Memory | None:
        if self._seen is not None:
            self._memory = memory = self.game.memory(seat)
            if memory is not None:
                for event in self._seen:
                    memory.watch(event)
            self._seen = None
        return self._memory


_WARM: set[type[SearchBot]] = set()
"""The kinds of bots that have been warmed up in this process."""
