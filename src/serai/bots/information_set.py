"""Information-set Monte Carlo tree search for any game, by its readable rules alone.

Every iteration imagines a full state that fits the view, walks down one tree that all imagined states share (its edges
are actions as the searching seat sees them), adds one node, plays to the end, and counts the result for every seat that
decided on the way. It needs no compiled code, and is slow.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from typing import Any, ClassVar

from serai.bots.contract import DecideFunction
from serai.bots.search import Candidate, Found
from serai.core.chance import CHANCE, any_kind, seat_of
from serai.core.game import Action, Game, State
from serai.core.rollouts import shares
from serai.errors import SeraiError

Shares = tuple[float, ...]
"""By seat: its share of victory."""


def choose(
    game: Game,
    view: State,
    *,
    rng: random.Random,
    iterations: int = 1000,
    seconds: float | None = None,
    exploration: float = 0.7,
    playout: DecideFunction | None = None,
    plies: int | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Found:
    """The action that the search tried most often in ``iterations``.

    The same view and state of ``rng`` give the same answer, unless ``seconds`` are over first. ``playout`` decides for
    all seats below the tree (at random, if none is given); after ``plies`` plies there the game is cut short, and each
    seat's share of all points counts. ``exploration`` is the constant of UCB1.
    """
    legal = view.actions()
    if not legal or not isinstance(view.actor, int):
        raise SeraiError("nothing to choose from: no seat is to act in this view")
    if len(legal) == 1:
        return Found(legal[0], (Candidate(legal[0], math.nan, math.nan, 0),))
    tree = _Tree(view.actor, exploration, playout, plies, rng)
    deadline = None if seconds is None else clock() + seconds
    done = 0
    while done < iterations and (done == 0 or deadline is None or clock() < deadline):
        tree.grow(game.imagine(view, rng))
        done += 1
    tried = sorted(tree.tried(legal), key=lambda candidate: (-candidate.count, -candidate.mean))
    return Found(tried[0].action, tuple(tried), done, done < iterations)


class _Edge:
    """An action as the searching seat sees it: its results for the seat that took it, and the actions after it."""

    __slots__ = ("after", "available", "squares", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 0
        """How often it could have been taken; in another imagined state it may be illegal."""
        self.total = 0.0
        self.squares = 0.0
        self.after: dict[Any, _Edge] = {}

    def count(self, share: float) -> None:
        self.visits += 1
        self.total += share
        self.squares += share * share

    def bound(self, exploration: float) -> float:
        """UCB1, by how often the action was available."""
        return self.total / self.visits + exploration * math.sqrt(math.log(self.available) / self.visits)


class _Tree:
    """The search tree of one seat."""

    def __init__(
        self, seat: int, exploration: float, playout: DecideFunction | None, plies: int | None, rng: random.Random
    ) -> None:
        self._seat = seat
        self._exploration = exploration
        self._playout = playout
        self._plies = plies
        self._rng = rng
        self._root: dict[Any, _Edge] = {}

    def grow(self, state: State) -> None:
        path: list[tuple[int, _Edge]] = []
        node, grown = self._root, False
        while not grown and not state.over:
            if state.actor is CHANCE:
                action = state.sample(self._rng)
                edge = node.setdefault(action.seen_by(self._seat), _Edge())
            else:
                action, edge, grown = self._select(state, node)
                path.append((seat_of(state.actor), edge))
            state, node = state.apply(action), edge.after
        shares = self._played_out(state)
        for actor, edge in path:
            edge.count(shares[actor])

    def tried(self, legal: tuple[Action, ...]) -> list[Candidate]:
        return [_candidate(action, self._root[action]) for action in legal if action in self._root]

    def _select(self, state: State, node: dict[Any, _Edge]) -> tuple[Any, _Edge, bool]:
        """An action with its edge, and whether that is new: one of those never tried, else the most promising."""
        actor = state.actor
        seen: dict[Any, list[Any]] = {}
        for action in state.actions():
            seen.setdefault(action.seen_by(self._seat, actor), []).append(action)
        untried = [key for key in seen if key not in node]
        if untried:
            key = self._rng.choice(untried)
            node[key] = _Edge()
        known = [(key, node[key]) for key in seen if key in node]
        for _, edge in known:
            edge.available += 1
        if not untried:
            key, _ = max(known, key=lambda pair: pair[1].bound(self._exploration))
        alike = seen[key]
        return (alike[0] if len(alike) == 1 else self._rng.choice(alike)), node[key], bool(untried)

    def _played_out(self, state: State) -> Shares:
        left = math.inf if self._plies is None else self._plies
        while not state.over:
            if left <= 0:
                break
            left -= 1
            state = state.apply(self._next(state))
        return shares(state)

    def _next(self, state: State) -> Any:
        if state.actor is CHANCE:
            return state.sample(self._rng)
        if self._playout is None:
            return any_kind(state.actions(), self._rng)
        return self._playout(state.seen_by(state.actor), self._rng)


def _candidate(action: Action, edge: _Edge) -> Candidate:
    mean = edge.total / edge.visits
    variance = max(0.0, edge.squares / edge.visits - mean * mean)
    return Candidate(action, mean, math.sqrt(variance / max(1, edge.visits - 1)), edge.visits)


class InformationSetBot:
    """A bot that decides by this search. A subclass names its game."""

    game: ClassVar[Game]
    iterations: int = 1000
    seconds: ClassVar[float | None] = None
    plies: ClassVar[int | None] = None
    exploration: ClassVar[float] = 0.7

    def __init__(self, *, iterations: int | None = None) -> None:
        """With another budget than bots of this kind have, if one is given."""
        if iterations is not None:
            self.iterations = iterations
        self.found: Found | None = None
        """The result of the last search."""

    def decide(self, view: State, rng: random.Random) -> Any:
        """The action that the search tried most often."""
        self.found = choose(
            self.game,
            view,
            rng=rng,
            iterations=self.iterations,
            seconds=self.seconds,
            exploration=self.exploration,
            playout=self.playout(),
            plies=self.plies,
        )
        return self.found.action

    def playout(self) -> DecideFunction | None:
        """The policy below the tree; ``None``: random."""
        return None
