"""What many games between bots came to, whoever played them: the referee one by one, or compiled code in bulk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, Self

import msgspec

if TYPE_CHECKING:
    from serai.core.record import Record

Distribution = dict[int, int]
"""How many games had this value."""


class Tally(msgspec.Struct):
    """Counts over many games. A *bot* is a place in the list of bots asked for; with rotation it sits anywhere."""

    scores: list[list[Distribution]]
    """``scores[bot][seat]``: the final scores of that bot on that seat."""
    wins: list[list[float]]
    """``wins[bot][seat]``: victories, a shared one counted as its share."""
    measures: dict[str, Distribution] = {}
    """What else the game counts (``Game.measures``), by name."""
    lengths: Distribution = {}
    """The plies of a game: all actions, those of chance included."""
    games: int = 0
    decisions: int = 0
    """The actions of players, in all games together."""
    ties: int = 0
    """Shared victories."""

    @classmethod
    def empty(cls, players: int) -> Self:
        """No games yet."""
        return cls([[{} for _ in range(players)] for _ in range(players)], [[0.0] * players for _ in range(players)])

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.wins)

    @property
    def plies(self) -> int:
        """The plies of all games together."""
        return sum(plies * games for plies, games in self.lengths.items())

    def add(
        self,
        seating: Sequence[int],
        scores: Sequence[int],
        winners: Sequence[int],
        *,
        plies: int,
        decisions: int,
        measures: Mapping[str, int],
    ) -> None:
        """Count one game, in which bot ``seating[seat]`` sat on each seat."""
        self.games += 1
        self.decisions += decisions
        self.ties += len(winners) > 1
        _count(self.lengths, plies, 1)
        for seat, (bot, score) in enumerate(zip(seating, scores, strict=True)):
            _count(self.scores[bot][seat], score, 1)
        for seat in winners:
            self.wins[seating[seat]][seat] += 1 / len(winners)
        for name, value in measures.items():
            _count(self.measures.setdefault(name, {}), value, 1)

    def merge(self, other: Tally) -> None:
        """Add the games of another tally of the same bots."""
        self.games += other.games
        self.decisions += other.decisions
        self.ties += other.ties
        _count_all(self.lengths, other.lengths)
        for bot in range(self.players):
            for seat in range(self.players):
                _count_all(self.scores[bot][seat], other.scores[bot][seat])
                self.wins[bot][seat] += other.wins[bot][seat]
        for name, counts in other.measures.items():
            _count_all(self.measures.setdefault(name, {}), counts)


class Simulator(Protocol):
    """Plays numbered games of the same bots, fast. Game ``n`` is the same whoever plays it, in whatever portion.

    Calls from several threads at once are allowed, and run at once as far as there are cores.
    """

    def play(self, first: int, games: int) -> Tally:
        """Play the games numbered ``first``, ``first + 1``, …"""

    def record(self, number: int) -> Record:
        """Play that game and write it down."""


def seating(players: int, number: int, *, rotate: bool) -> tuple[int, ...]:
    """Which bot sits on each seat in that game: with rotation all move up one seat from game to game."""
    shift = number % players if rotate else 0
    return tuple((seat - shift) % players for seat in range(players))


def _count(counts: Distribution, value: int, games: int) -> None:
    counts[value] = counts.get(value, 0) + games


def _count_all(counts: Distribution, more: Distribution) -> None:
    for value, games in more.items():
        _count(counts, value, games)
