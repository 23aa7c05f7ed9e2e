"""What many games between bots came to, whoever played them: the referee one by one, or compiled code in bulk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    games: int = 0
    plies: int = 0
    """All actions, those of chance included."""
    decisions: int = 0
    """The actions of players."""

    @classmethod
    def empty(cls, players: int) -> Self:
        """No games yet."""
        return cls([[{} for _ in range(players)] for _ in range(players)], [[0.0] * players for _ in range(players)])

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.wins)

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
        self.plies += plies
        self.decisions += decisions
        for seat, (bot, score) in enumerate(zip(seating, scores, strict=True)):
            _count(self.scores[bot][seat], score, 1)
        for seat in winners:
            self.wins[seating[seat]][seat] += 1 / len(winners)
        for name, value in measures.items():
            _count(self.measures.setdefault(name, {}), value, 1)

    def merge(self, other: Tally) -> None:
        """Add the games of another tally of the same bots."""
        self.games += other.games
        self.plies += other.plies
        self.decisions += other.decisions
        for bot in range(self.players):
            for seat in range(self.players):
                _count_all(self.scores[bot][seat], other.scores[bot][seat])
                self.wins[bot][seat] += other.wins[bot][seat]
        for name, counts in other.measures.items():
            _count_all(self.measures.setdefault(name, {}), counts)

    def scores_of_bot(self, bot: int) -> Distribution:
        """The scores of a bot, wherever it sat."""
        return _together(self.scores[bot])

    def scores_of_seat(self, seat: int) -> Distribution:
        """The scores of a seat, whoever sat there."""
        return _together(seats[seat] for seats in self.scores)

    def wins_of_bot(self, bot: int) -> float:
        """Victories of a bot, wherever it sat."""
        return sum(self.wins[bot])

    def wins_of_seat(self, seat: int) -> float:
        """Victories from a seat, whoever sat there."""
        return sum(seats[seat] for seats in self.wins)


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


def _together(parts: Iterable[Distribution]) -> Distribution:
    whole: Distribution = {}
    for part in parts:
        _count_all(whole, part)
    return dict(sorted(whole.items()))
