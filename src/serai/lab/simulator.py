"""Whole games played by compiled code: counted into a tally, any of them recorded on demand."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from serai.errors import requiring

with requiring("fast", "compiled games"):
    import numpy as np
    import numpy.typing as npt

from serai.core.record import CUT_SHORT, Record, Seat
from serai.errors import BadArgument
from serai.lab import rows as columns
from serai.lab.driver import DECISIONS, OWN, PLIES, TRUNCATED, WINNERS, Log, Out, driver_of
from serai.lab.tally import RANDOM, Distribution, Groups, Tally, check_games, seating

if TYPE_CHECKING:
    from serai.lab import Compiled

NO_LOG: Log = np.empty(0, np.int16)


class Simulator:
    """Plays numbered games of the same bots, fast. Game ``n`` is always the same, in whatever chunk it is played.

    Calls from several threads at once are allowed, and run at once as far as there are cores. Of *paired* games
    ``players`` ones in a row are a group (:func:`serai.lab.tally.group`): the draws of chance come from a generator of
    their own, which starts from the number of the group, one draw after the other, and the bots' randomness from one
    that starts from the number of the game. Whole groups are asked for, and the tally has ``Groups`` then. A game that
    has had ``max_plies`` actions is cut short, and counts as it stands.
    """

    def __init__(
        self,
        kernel: Compiled[Any],
        bots: Sequence[str],
        seed: str,
        options: dict[str, Any],
        *,
        rotate: bool,
        paired: bool,
        max_plies: int,
    ) -> None:
        self._kernel = kernel
        self._game, self._driver = kernel.game, kernel.driver
        self._bots = tuple(bots)
        self._options = options
        self._max_plies = max_plies
        self._seed = np.uint64(int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big"))
        players = len(bots)
        self._paired = paired
        self._group = players if paired else 1
        rotate = rotate or paired
        self._seatings = [seating(players, number, rotate=rotate) for number in range(players if rotate else 1)]
        numbers = self._driver.POLICIES
        self._policies = np.array([[numbers[bots[bot]] for bot in seats] for seats in self._seatings], np.int8)
        self._choosing = set(bots) != {RANDOM}
        self._start = kernel.bridge.to_row(self._game.new(players, **options))

    def _played(self, first: int, count: int, log: Log = NO_LOG) -> Out:
        """Play ``count`` games from that number on, and write down the last one as far as ``log`` has room."""
        out = np.empty((count, self._driver.RESULT_SIZE), np.int32)
        tools = self._driver.tools(self._bots, self._driver.own_scratch()) if self._choosing else None
        play = driver_of(self._driver).play_games
        play(self._seed, first, self._group, self._start, self._policies, tools, self._max_plies, log, out)
        return out

    def play(self, first: int, games: int, rows: npt.NDArray[np.void] | None = None) -> Tally:
        """Play the games numbered ``first``, ``first + 1``, …, and write a line of each into ``rows`` if given."""
        check_games(first, games)
        if rows is not None and (not isinstance(rows, np.ndarray) or len(rows) != games or rows.dtype.names is None):
            raise BadArgument(f"rows are a table with {games} lines: np.empty({games}, row_type(game, players))")
        out = self._played(first, games)
        if rows is not None:
            self._write(first, out, rows)
        return self._counted(first, out)

    def record(self, number: int) -> Record:
        """Play that game and record it, without a commitment: nobody had to trust these dice."""
        check_games(number, 1)
        out = self._played(number, 1)
        log = np.empty(self._column(out, PLIES)[0], np.int16)
        self._played(number, 1, log)
        bots = [self._bots[bot] for bot in self._seatings[number % len(self._seatings)]]
        return Record(
            self._game.name,
            self._game.version,
            tuple(Seat(f"{bot} {seat}", bot) for seat, bot in enumerate(bots)),
            self._options,
            end=CUT_SHORT if self._column(out, TRUNCATED)[0] else "",
            actions=tuple(str(self._game.encoding.action(action)) for action in log),
            result=tuple(out[0, : len(bots)].tolist()),
        )

    def _write(self, first: int, out: Out, rows: npt.NDArray[np.void]) -> None:
        players, kinds = len(self._bots), self._driver.KINDS
        numbers = first + np.arange(len(rows))
        rows[columns.GAME] = numbers
        rows[columns.BOTS] = np.array(self._seatings, np.uint8)[numbers % len(self._seatings)]
        rows[self._game.score_name] = out[:, :players]
        rows[columns.SHARE] = self._shares(out)
        rows[columns.PLIES] = self._column(out, PLIES)
        rows[columns.DECISIONS] = self._column(out, DECISIONS)
        rows[columns.TRUNCATED] = self._column(out, TRUNCATED)
        rows[columns.ACTIONS] = out[:, self._driver.RESULT_ACTIONS :].reshape(len(out), -1, kinds)[:, :players]
        for name, values in self._columns(out).items():
            rows[name] = values

    def _columns(self, out: Out) -> dict[str, Out]:
        """The game's own columns; those by seat have a column for each."""
        found = {}
        place = self._driver.MAX_SEATS + OWN
        for column in self._game.columns:
            found[column.name] = out[:, place : place + len(self._bots)] if column.by_seat else out[:, place]
            place += self._driver.MAX_SEATS if column.by_seat else 1
        return found

    def _counted(self, first: int, out: Out) -> Tally:
        games, players = len(out), len(self._bots)
        scores, shares = out[:, :players], self._shares(out)
        tally = Tally.empty(players)
        tally.games = games
        tally.lengths = _distribution(self._column(out, PLIES))
        tally.decisions = int(self._column(out, DECISIONS).sum())
        tally.truncated = int(self._column(out, TRUNCATED).sum())
        own = self._columns(out)
        for name, summed in self._game.measures.items():
            values = [own[column] if own[column].ndim == 1 else own[column].sum(axis=1) for column in summed]
            tally.measures[name] = _distribution(sum(values[1:], values[0]))
        tally.ties = int(((shares > 0).sum(axis=1) > 1).sum())
        rotation = (first + np.arange(games)) % len(self._seatings)
        for turn, seats in enumerate(self._seatings):
            lines = rotation == turn
            for seat, bot in enumerate(seats):
                tally.scores[bot][seat] = _distribution(scores[lines, seat])
                tally.wins[bot][seat] = float(shares[lines, seat].sum())
        if self._paired:
            places = np.argsort(self._seatings, axis=1)[rotation]  # by game and bot: its seat
            by_bot = (np.take_along_axis(array, places, axis=1) for array in (shares, scores))
            tally.groups = Groups.of(*(array.astype(float) for array in by_bot))
        return tally

    def _shares(self, out: Out) -> npt.NDArray[np.float64]:
        """By game and seat: the share of the victory."""
        won = self._column(out, WINNERS)[:, np.newaxis] >> np.arange(len(self._bots)) & 1
        shares: npt.NDArray[np.float64] = won / won.sum(axis=1, keepdims=True)
        return shares

    def _column(self, out: Out, place: int) -> Out:
        column: Out = out[:, self._driver.MAX_SEATS + place]
        return column


def _distribution(values: npt.NDArray[np.int32]) -> Distribution:
    if len(values) == 0:
        return {}
    least = int(values.min())
    counts = np.bincount(values - least)
    return {int(place) + least: int(counts[place]) for place in np.flatnonzero(counts)}
