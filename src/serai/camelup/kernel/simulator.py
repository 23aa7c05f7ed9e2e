"""Camel Up in bulk, for ``serai simulate``: compiled games counted into a tally, any of them written down on demand."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from serai.camelup.actions import ALL_ACTIONS
from serai.camelup.game import LEGS, WINNER_START
from serai.camelup.kernel import games
from serai.camelup.kernel.layout import POLICIES
from serai.camelup.kernel.policies import ChoiceRoom, room_for_choice
from serai.camelup.odds.race_table import race_table
from serai.camelup.rules import Options
from serai.core import Game
from serai.core.record import Record, Seat
from serai.core.simulation import Distribution, Groups, Tally, seating


class KernelSimulator:
    """Numbered games between compiled bots (a :class:`serai.core.Simulator`)."""

    def __init__(
        self, game: Game, bots: Sequence[str], seed: str, options: Options, *, rotate: bool, paired: bool = False
    ) -> None:
        self._game = game
        self._bots = tuple(bots)
        self._options = options
        self._seed = np.uint64(int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big"))
        players = len(bots)
        self._paired = paired
        rotate = rotate or paired
        self._seatings = [seating(players, number, rotate=rotate) for number in range(players if rotate else 1)]
        self._thinking = set(bots) != {"random"}
        self._rooms = threading.local()
        self._policies = np.array([[POLICIES[bots[bot]] for bot in seats] for seats in self._seatings], np.int8)

    def play(self, first: int, games: int) -> Tally:
        """Play the games numbered ``first``, ``first + 1``, …"""
        return self._counted(first, self._results(first, games))

    def record(self, number: int) -> Record:
        """Play that game and write it down: without a commitment, for nobody had to trust these dice."""
        log = games.NO_LOG
        result = self._results(number, 1, log)[0]
        log = np.empty(result[games.RESULT_PLIES], np.int8)
        self._results(number, 1, log)
        bots = [self._bots[bot] for bot in self._seatings[number % len(self._seatings)]]
        return Record(
            self._game.name,
            self._game.version,
            tuple(Seat(f"{bot} {seat}", bot) for seat, bot in enumerate(bots)),
            {"first": self._options.first, "hide_money": self._options.hide_money},
            actions=tuple(str(ALL_ACTIONS[action]) for action in log),
            result=tuple(result[: len(bots)].tolist()),
        )

    def _results(self, first: int, count: int, log: games.Log = games.NO_LOG) -> games.Results:
        out = np.empty((count, games.RESULT_SIZE), np.int32)
        options = self._options
        table = race_table() if self._thinking else None
        games.play_games(
            self._seed,
            first,
            len(self._bots) if self._paired else 1,
            self._policies,
            options.first,
            int(options.hide_money),
            table,
            self._room(),
            log,
            out,
        )
        return out

    def _room(self) -> ChoiceRoom:
        """Room to think in, one per thread."""
        room: ChoiceRoom | None = getattr(self._rooms, "room", None)
        if room is None:
            room = self._rooms.room = room_for_choice()
        return room

    def _counted(self, first: int, results: games.Results) -> Tally:
        players = len(self._bots)
        tally = Tally.empty(players)
        tally.games = len(results)
        tally.lengths = _distribution(results[:, games.RESULT_PLIES])
        tally.decisions = int(results[:, games.RESULT_DECISIONS].sum())
        tally.measures[LEGS] = _distribution(results[:, games.RESULT_LEGS])
        tally.measures[WINNER_START] = _distribution(results[:, games.RESULT_START])
        money = results[:, games.RESULT_MONEY : games.RESULT_MONEY + players]
        won = money == money.max(axis=1, keepdims=True)
        winners = won.sum(axis=1, keepdims=True)
        tally.ties = int((winners > 1).sum())
        shares = won / winners
        rotation = (first + np.arange(len(results))) % len(self._seatings)
        for turn, seats in enumerate(self._seatings):
            lines = rotation == turn
            for seat, bot in enumerate(seats):
                tally.scores[bot][seat] = _distribution(money[lines, seat])
                tally.wins[bot][seat] = float(shares[lines, seat].sum())
        if self._paired:
            places = np.argsort(self._seatings, axis=1)[rotation]  # by game and bot: its seat
            tally.groups = Groups.of(
                np.take_along_axis(shares, places, axis=1), np.take_along_axis(money.astype(float), places, axis=1)
            )
        return tally


def _distribution(values: npt.NDArray[np.int32]) -> Distribution:
    counts = np.bincount(values)
    return {int(value): int(counts[value]) for value in np.flatnonzero(counts)}
