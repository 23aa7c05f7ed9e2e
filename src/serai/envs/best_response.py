"""How much somebody wins who practises against one bot alone: a learner is taught against it, then examined.

Bots with a compiled twin play within a compiled batch; all others decide by themselves, as in any game, and so the
learner sees far fewer of their games in the same time.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt
from typing import Any, Protocol

import msgspec

from serai.errors import requiring

with requiring("fast", "learners"):
    import numpy as np
    import numpy.typing as npt

from serai.core.game import Game
from serai.core.parts import works
from serai.core.registry import game as find_game
from serai.envs.episode import Episode, encoding_of
from serai.envs.learner import Decisions, Floats, Learner
from serai.envs.match import Match
from serai.lab.encoding import FEATURES, ODDS
from serai.lab.preparing import Clock
from serai.lab.rewards import SHAPED

LANES, STEPS = 256, 64
"""Games side by side, and decisions in each between two lessons, where games are compiled."""
_FEW_LANES, _FEW_STEPS = 8, 128
"""Where bots decide by themselves."""
_LATER = 0.95
"""How much later decisions count for earlier ones (generalised advantage estimation)."""
_Z = 1.96


class BestResponse(msgspec.Struct, frozen=True):
    """What a learner wins from a bot after so much practice."""

    game: str
    bot: str
    players: int
    seconds: float
    """Of practice, without compiling."""
    decisions: int
    """That it learned from."""
    practice: int
    """Games that it practised."""
    games: int
    """New games afterwards, without exploration."""
    wins: float
    """Its share of the victories there."""
    low: float
    high: float
    """The 95 % interval of that (Wilson's: it has a width even if no game was won)."""

    @property
    def fair(self) -> float:
        """The share of somebody who is as good as the bot."""
        return 1 / self.players


class Tables(Protocol):
    """Many games of the learner among others, each of which waits for it."""

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """The learner's share of the victory in the last finished game of each lane."""

    def look(self) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """What it sees in each lane, and what is legal there."""

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Do its actions and all that follows; its rewards, and which games are over."""


class CompiledTables:
    """Opponents are a compiled bot."""

    def __init__(self, game: Game, bot: str, lanes: int, players: int, seed: int, *, again: bool) -> None:
        assert game.compiled is not None
        self.batch: Any = game.compiled.batch(
            lanes, players, opponents=bot, reward=SHAPED, restart=again, seed=seed, packed=True
        )
        self._sees, self._lanes = _sees(game), np.arange(lanes)

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """The learner's share of the victory in the last finished game of each lane."""
        now = self.batch.buffers
        shares: npt.NDArray[np.float64] = now.shares[self._lanes, now.acted]
        return shares

    def look(self) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """What the learner sees, and what is legal."""
        return self.batch.look(self._sees), self.batch.buffers.mask.astype(bool)

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Do the learner's actions."""
        self.batch.step(actions)
        now = self.batch.buffers
        return now.rewards[self._lanes, now.acted].astype(np.float32), now.finished.astype(bool)


class DecidingTables:
    """Opponents are bots that decide by themselves, one object for each seat of each game."""

    def __init__(self, game: Game, bot: str, lanes: int, players: int, seed: int) -> None:
        self._matches = [Match(Episode(game.name, players, SHAPED, {}), (bot,) * (players - 1)) for _ in range(lanes)]
        self._rng = np.random.default_rng(seed)
        self._encoding, self._sees = encoding_of(game), _sees(game)
        self._begun = 0
        self.shares = np.zeros(lanes)
        for match in self._matches:
            self._begin(match)

    def _begin(self, match: Match) -> None:
        """The next game, the learner one seat on; one that ends before its first turn is passed over."""
        match.close()
        match.begin(self._begun % match.episode.players, self._rng)
        self._begun += 1
        while match.episode.state.over or match.episode.truncated:
            match.begin(self._begun % match.episode.players, self._rng)

    def look(self) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """What the learner sees, and what is legal."""
        states = [match.episode.state for match in self._matches]
        seen = np.array([self._encoding.observation(state) for state in states])
        return (
            self._encoding.look(seen, self._sees).astype(np.float32),
            np.array([self._encoding.mask(state) for state in states]).astype(bool),
        )

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Do the learner's actions, and let the bots answer."""
        rewards, over = np.zeros(len(actions), np.float32), np.zeros(len(actions), bool)
        for lane, (match, action) in enumerate(zip(self._matches, actions.tolist(), strict=True)):
            rewards[lane] = match.act(self._encoding.actions[action])
            state = match.episode.state
            if state.over or match.episode.truncated:
                leaders = state.leaders()
                over[lane] = True
                self.shares[lane] = (match.learner in leaders) / len(leaders)
                self._begin(match)
        return rewards, over

    def close(self) -> None:
        """Close all bots."""
        for match in self._matches:
            match.close()


def best_response(
    game: str,
    bot: str,
    *,
    seconds: float,
    players: int = 4,
    games: int = 2000,
    seed: int = 1,
    tell: Callable[[float, int, float], None] = lambda *_: None,
) -> BestResponse:
    """Teach a learner against ``players - 1`` of this bot for so long, then examine it over new games.

    ``tell`` hears now and then how many seconds have passed, how many decisions were learned from, and the share of
    victories lately, while exploring.
    """
    found = find_game(game)
    compiled = works(found.compiled) and found.compiled is not None and bot in found.compiled.twins
    tables: Any
    if compiled:
        tables = CompiledTables(found, bot, LANES, players, seed, again=True)
    else:
        tables = DecidingTables(found, bot, _FEW_LANES, players, seed)
    seen, legal = tables.look()
    learner = Learner(seen.shape[1], legal.shape[1], seed)
    steps = STEPS if compiled else _FEW_STEPS
    clock, told, decisions, practice = Clock(), 0.0, 0, 0
    lately: list[float] = []
    while (spent := clock.seconds) < seconds:
        learned, shares = _round(tables, learner, steps, clock, seconds if decisions else inf)
        if learned is not None:
            learner.learn(learned, 1 - spent / seconds)
            decisions += len(learned.seen)
        practice += len(shares)
        lately = [*lately, *shares][-2000:]
        if spent >= told:
            told += seconds / 20
            tell(spent, decisions, float(np.mean(lately or [0.0])))
    spent = clock.seconds
    if compiled:
        shares = _exam_compiled(found, bot, learner, games, players, seed + 1)
    else:
        shares = _exam_deciding(tables, learner, games)
        tables.close()
    count, wins = len(shares), float(np.mean(shares))
    return BestResponse(game, bot, players, spent, decisions, practice, count, wins, *_within(wins, count))


def _within(share: float, count: int) -> tuple[float, float]:
    """Where the true share lies with 95 % certainty, by Wilson."""
    middle, spread = share + _Z**2 / (2 * count), _Z * sqrt(share * (1 - share) / count + (_Z / (2 * count)) ** 2)
    return (middle - spread) / (1 + _Z**2 / count), (middle + spread) / (1 + _Z**2 / count)


def _round(
    tables: Tables, learner: Learner, steps: int, clock: Clock, until: float
) -> tuple[Decisions | None, list[float]]:
    """Play so many decisions in every lane, and look how much better each went than was foretold."""
    rows: list[tuple[Any, ...]] = []
    shares: list[float] = []
    for _ in range(steps):
        seen, legal = tables.look()
        actions, log_chances = learner.choose(seen, legal)
        rewards, over = tables.step(actions)
        shares += tables.shares[over].tolist()
        rows.append((seen, legal, actions, log_chances, learner.foretell(seen), rewards, over))
        if clock.seconds > until:
            return None, shares
    seen, legal, actions, log_chances, foretold, rewards, over = map(np.array, zip(*rows, strict=True))
    following = learner.foretell(tables.look()[0])
    credit, advantages = np.zeros_like(following), np.zeros_like(rewards)
    for step in range(len(rows) - 1, -1, -1):
        credit = rewards[step] + ~over[step] * (following + _LATER * credit) - foretold[step]
        advantages[step], following = credit, foretold[step]
    returns = advantages + foretold
    flat = [part.reshape(-1, *part.shape[2:]) for part in (seen, legal, actions, log_chances, advantages, returns)]
    return Decisions._make(flat), shares


def _exam_compiled(game: Game, bot: str, learner: Learner, games: int, players: int, seed: int) -> Any:
    tables = CompiledTables(game, bot, games, players, seed, again=False)
    now = tables.batch.buffers
    while (now.actors >= 0).any():
        tables.step(learner.best(*tables.look()))
    return now.shares[np.arange(games), now.learners]


def _exam_deciding(tables: DecidingTables, learner: Learner, games: int) -> list[float]:
    """Those that are under way do not count, and every lane plays as many, so that short games are not preferred."""
    lanes = len(tables.shares)
    wanted, shares = -(-games // lanes), [list[float]() for _ in range(lanes)]
    while min(map(len, shares)) <= wanted:
        _, over = tables.step(learner.best(*tables.look()))
        for lane in np.flatnonzero(over):
            shares[lane].append(float(tables.shares[lane]))
    return [share for lane in shares for share in lane[1 : wanted + 1]]


def _sees(game: Game) -> str:
    return ODDS if ODDS in encoding_of(game).looks() else FEATURES
