"""The games of a tournament, each following from its line-up and number; played here, or wherever a portion is sent.

:func:`play` needs nothing but a :class:`Portion`, which can be pickled, and gives the same games wherever it runs.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from serai.arena.series import Played, Series, makers_of, play_game
from serai.arena.tournament.description import Tournament
from serai.arena.tournament.lineups import Seated
from serai.bots.referee import Fault
from serai.core.record import Record
from serai.core.registry import game as find_game
from serai.core.rows import ACTIONS, PLIES, SHARE, row_type
from serai.core.simulation import Simulator

Results = npt.NDArray[np.void]
"""What games came to, a line for each (:func:`result_type`)."""
_AT_ONCE = 16
"""Groups that are played at once to see how fast a compiled bot is."""
_WATCHED = 0.05
"""Seconds for which that is watched."""


class Portion(NamedTuple):
    """Some games of a line-up, in order; of compiled ones whole groups."""

    tournament: Tournament
    secret: str
    lineup: Seated
    numbers: range


class Finished(NamedTuple):
    """A game that was played by the referee, with all that is kept of it."""

    number: int
    results: Results
    record: str
    faults: tuple[Fault, ...]


class Bulk(NamedTuple):
    """Compiled games, which are kept by their results; their records are made again when somebody asks."""

    first: int
    results: Results


def play(portion: Portion) -> Bulk | list[Finished]:
    """Play these games here: in bulk, where all entrants are compiled, one after the other otherwise."""
    simulator = simulator_of(portion.tournament, portion.secret, portion.lineup)
    if simulator is not None:
        return in_bulk(simulator, portion.tournament, portion.numbers)
    series = series_of(portion.tournament, portion.secret, portion.lineup)
    game = find_game(portion.tournament.game)
    makers = makers_of(game, [portion.tournament.entrants[entrant].spec for entrant in portion.lineup])
    return [finished(play_game(game, makers, series, number)) for number in portion.numbers]


def result_type(seats: int) -> np.dtype[np.void]:
    """How the result of a game lies in memory; all but the plies by seat."""
    return np.dtype(
        [
            ("scores", "<i4", (seats,)),
            ("winners", "u1", (seats,)),
            ("plies", "<u4"),
            ("decisions", "<u2", (seats,)),
            ("thought", "<u4", (seats,)),  # microseconds; nothing of compiled games
            ("faults", "<u2", (seats,)),
        ]
    )


def series_of(tournament: Tournament, secret: str, lineup: Seated) -> Series:
    """The series of games of a line-up; its seed tells nothing of the secret, nor of other line-ups."""
    return Series(
        game=tournament.game,
        bots=tuple(tournament.entrants[entrant].name for entrant in lineup),
        options=tournament.options,
        games=0,
        seed=_seed(secret, lineup),
        rotate=True,
        paired=True,
        seconds=tournament.limits.decision,
        game_seconds=tournament.limits.game,
        tolerate=True,
        keep_records=True,
    )


def simulator_of(tournament: Tournament, secret: str, lineup: Seated) -> Simulator | None:
    """What plays this line-up compiled, where that can be."""
    specs = tuple(tournament.entrants[entrant].spec for entrant in lineup)
    return _simulator(tournament.game, specs, _seed(secret, lineup), msgspec.json.encode(tournament.options))


def in_bulk(simulator: Simulator, tournament: Tournament, numbers: range) -> Bulk:
    """Play compiled games."""
    rows = np.empty(len(numbers), row_type(find_game(tournament.game), tournament.seats))
    simulator.play(numbers.start, len(numbers), rows)
    results = np.zeros(len(numbers), result_type(tournament.seats))
    results["scores"] = rows[find_game(tournament.game).score_name]
    results["winners"] = rows[SHARE] > 0
    results["plies"] = rows[PLIES]
    results["decisions"] = rows[ACTIONS].sum(axis=2)
    return Bulk(numbers.start, results)


def finished(played: Played) -> Finished:
    """What is kept of a game that the referee watched over."""
    assert played.record is not None
    seats = len(played.seating)
    results = np.zeros(1, result_type(seats))
    results["scores"] = played.scores
    results["winners"] = [seat in played.winners for seat in range(seats)]
    results["plies"] = played.plies
    results["decisions"] = np.asarray(played.row[ACTIONS]).sum(axis=1)
    results["thought"] = [min(round(seconds * 1e6), 2**32 - 1) for seconds in played.thought]
    for fault in played.faults:
        results["faults"][0, fault.seat] += 1
    record = msgspec.structs.replace(played.record, seats=_named(played.record))
    return Finished(played.number, results, record.write(), played.faults)


def compiled_times(tournament: Tournament, clock: Callable[[], float]) -> dict[str, float]:
    """By entrant, of those that are compiled: microseconds for a decision, in games among its own kind."""
    found = {}
    games = range(_AT_ONCE * tournament.seats)
    for place, entrant in enumerate(tournament.entrants):
        simulator = simulator_of(tournament, "", (place,) * tournament.seats)
        if simulator is not None:
            in_bulk(simulator, tournament, range(tournament.seats))
            decisions, began = 0, clock()
            while clock() < began + _WATCHED:
                decisions += int(in_bulk(simulator, tournament, games).results["decisions"].sum())
            found[entrant.name] = (clock() - began) * 1e6 / decisions
    return found


def seats_of(lineup: Sequence[int], numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """By game and slot of the line-up: the seat."""
    size = len(lineup)
    return np.asarray((np.arange(size)[None, :] + numbers[:, None]) % size)


def _named(record: Record) -> tuple[Any, ...]:
    return tuple(msgspec.structs.replace(seat, bot=_word(seat.bot or "")) for seat in record.seats)


def _word(name: str) -> str:
    """A bot's name as a record can hold it."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name) or "bot"


def _seed(secret: str, lineup: Seated) -> str:
    return hmac.new(secret.encode(), repr(lineup).encode(), hashlib.sha256).hexdigest()


@lru_cache(maxsize=4096)
def _simulator(game: str, specs: tuple[str, ...], seed: str, options: bytes) -> Simulator | None:
    return find_game(game).simulator(specs, seed=seed, paired=True, **msgspec.json.decode(options))
