"""Numbered games played by compiled code: counted into a tally, any of them written down on demand."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from serai.core.errors import BadArgument
from serai.core.game import Game
from serai.core.record import Record, Seat
from serai.core.rows import ACTIONS, BOTS, DECISIONS, GAME, PLIES, SHARE
from serai.core.simulation import Distribution, Groups, Tally, check_games, seating

Log = npt.NDArray[np.int16]
"""The numbers of a game's actions, one after the other."""
NO_LOG: Log = np.empty(0, np.int16)


class Results(NamedTuple):
    """What games came to, a game on each line."""

    scores: npt.NDArray[np.int32]
    """By seat."""
    shares: npt.NDArray[np.float64]
    """By seat: its share of the victory."""
    plies: npt.NDArray[np.int32]
    decisions: npt.NDArray[np.int32]
    measures: Mapping[str, npt.NDArray[np.int32]]
    """What ``Game.measures`` would tell."""
    columns: Mapping[str, npt.NDArray[np.int32]]
    """What ``Game.row`` would tell; those by seat have a column for each."""
    actions: npt.NDArray[np.int32]
    """By seat and kind: how often."""


class BulkSimulator:
    """What is the same in every game's :class:`serai.core.Simulator`; a game adds :meth:`_results`."""

    def __init__(
        self,
        game: Game,
        actions: Sequence[Any],
        bots: Sequence[str],
        seed: str,
        options: msgspec.Struct,
        *,
        rotate: bool,
        paired: bool,
    ) -> None:
        self._game = game
        self._actions = actions
        """All of the game, by number."""
        self._bots = tuple(bots)
        self._options = options
        self._seed = np.uint64(int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big"))
        players = len(bots)
        self._paired = paired
        rotate = rotate or paired
        self._seatings = [seating(players, number, rotate=rotate) for number in range(players if rotate else 1)]

    def _results(self, first: int, count: int, log: Log = NO_LOG) -> Results:
        """Play so many games from that number on, and write down the last one as far as ``log`` has room."""
        raise NotImplementedError

    @property
    def _group(self) -> int:
        """How many games in a row have the same chance."""
        return len(self._bots) if self._paired else 1

    def play(self, first: int, games: int, rows: npt.NDArray[np.void] | None = None) -> Tally:
        """Play the games numbered ``first``, ``first + 1``, …, and write a line of each into ``rows`` if given."""
        check_games(first, games)
        if rows is not None and (not isinstance(rows, np.ndarray) or len(rows) != games or rows.dtype.names is None):
            raise BadArgument(f"rows are a table with {games} lines: np.empty({games}, row_type(game, players))")
        results = self._results(first, games)
        if rows is not None:
            self._write(first, results, rows)
        return self._counted(first, results)

    def record(self, number: int) -> Record:
        """Play that game and write it down: without a commitment, for nobody had to trust these dice."""
        check_games(number, 1)
        result = self._results(number, 1)
        log = np.empty(result.plies[0], np.int16)
        self._results(number, 1, log)
        bots = [self._bots[bot] for bot in self._seatings[number % len(self._seatings)]]
        return Record(
            self._game.name,
            self._game.version,
            tuple(Seat(f"{bot} {seat}", bot) for seat, bot in enumerate(bots)),
            msgspec.structs.asdict(self._options),
            actions=tuple(str(self._actions[action]) for action in log),
            result=tuple(result.scores[0].tolist()),
        )

    def _write(self, first: int, results: Results, rows: npt.NDArray[np.void]) -> None:
        numbers = first + np.arange(len(rows))
        rows[GAME] = numbers
        rows[BOTS] = np.array(self._seatings, np.uint8)[numbers % len(self._seatings)]
        rows[self._game.score_name] = results.scores
        rows[SHARE] = results.shares
        rows[PLIES] = results.plies
        rows[DECISIONS] = results.decisions
        rows[ACTIONS] = results.actions
        for name, values in results.columns.items():
            rows[name] = values

    def _counted(self, first: int, results: Results) -> Tally:
        games = len(results.plies)
        tally = Tally.empty(len(self._bots))
        tally.games = games
        tally.lengths = _distribution(results.plies)
        tally.decisions = int(results.decisions.sum())
        tally.measures.update({name: _distribution(values) for name, values in results.measures.items()})
        tally.ties = int(((results.shares > 0).sum(axis=1) > 1).sum())
        rotation = (first + np.arange(games)) % len(self._seatings)
        for turn, seats in enumerate(self._seatings):
            lines = rotation == turn
            for seat, bot in enumerate(seats):
                tally.scores[bot][seat] = _distribution(results.scores[lines, seat])
                tally.wins[bot][seat] = float(results.shares[lines, seat].sum())
        if self._paired:
            places = np.argsort(self._seatings, axis=1)[rotation]  # by game and bot: its seat
            by_bot = (np.take_along_axis(array, places, axis=1) for array in (results.shares, results.scores))
            tally.groups = Groups.of(*(array.astype(float) for array in by_bot))
        return tally


def _distribution(values: npt.NDArray[np.int32]) -> Distribution:
    if len(values) == 0:
        return {}
    least = int(values.min())
    counts = np.bincount(values - least)
    return {int(place) + least: int(counts[place]) for place in np.flatnonzero(counts)}
