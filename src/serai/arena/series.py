"""A series of games between bots, each repeatable by itself, in one process or several.

What comes out is a stream of :class:`Played`; statistics and reports know nothing else of how games are played.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any

import msgspec

from serai.arena.portions import in_portions
from serai.bots.contract import BotFactory, warm_up
from serai.bots.referee import Fault, dealer_for, play
from serai.bots.specs import find_working_bot
from serai.core.dealer import Dealer
from serai.core.errors import SeraiError
from serai.core.game import Game
from serai.core.record import Record
from serai.core.registry import game as find_game
from serai.core.simulation import group, seating


class Series(msgspec.Struct, frozen=True):
    """What is to be played. Game ``n`` follows from this and ``n`` alone."""

    game: str
    bots: tuple[str, ...]
    """One entrant per seat."""
    options: Mapping[str, Any]
    games: int
    seed: str
    rotate: bool = False
    """Whether the entrants move on by one seat after every game."""
    paired: bool = False
    """Whether they do so with the same draws of chance until everybody has had every seat."""
    seconds: float = 10.0
    keep_records: bool = False
    """Whether games without a fault bring their record along."""

    def seating(self, number: int) -> tuple[int, ...]:
        """The entrant on each seat in game ``number``."""
        return seating(len(self.bots), number, rotate=self.rotate or self.paired)

    def dealer(self, number: int) -> Dealer:
        """Whoever draws for chance in game ``number``."""
        pair = f"group {group(len(self.bots), number)}" if self.paired else str(number)
        return dealer_for(f"{self.seed} {pair}")


class Played(msgspec.Struct, frozen=True):
    """A game of the series, as statistics need it."""

    number: int
    seating: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    plies: int
    decisions: int
    seconds: float
    """How long it took, without loading and warming up."""
    measures: Mapping[str, int]
    """What else the game counts."""
    faults: tuple[Fault, ...]
    record: Record | None


def play_series(series: Series, jobs: int) -> Iterator[Played]:
    """Play all games, in order, with that many processes."""
    if jobs == 1:
        game = find_game(series.game)
        makers = makers_of(game, series)
        return (play_game(game, makers, series, number) for number in range(series.games))
    return _play_in_processes(series, jobs)


def makers_of(game: Game, series: Series) -> list[BotFactory]:
    """What makes the bot of each entrant, loaded once."""
    made = {spec: find_working_bot(game, spec) for spec in dict.fromkeys(series.bots)}
    return [made[spec] for spec in series.bots]


def play_game(game: Game, makers: list[BotFactory], series: Series, number: int) -> Played:
    """Play that game of the series, here and now."""
    seed = f"{series.seed} {number}"
    entrants = series.seating(number)
    bots = [(series.bots[entrant], makers[entrant]()) for entrant in entrants]
    for _, bot in bots:
        warm_up(bot)
    dealer = series.dealer(number)
    began = time.perf_counter()
    outcome = play(game, bots, dealer=dealer, seed=seed, seconds=series.seconds, **series.options)
    state, record = outcome.state, outcome.record
    return Played(
        number,
        entrants,
        state.scores(),
        state.winners(),
        len(record.actions),
        len(record.actions) - dealer.drawn,
        time.perf_counter() - began,
        game.measures(outcome.start, state),
        outcome.faults,
        record if series.keep_records or outcome.faults else None,
    )


# -- several processes -------------------------------------------------------------------------------------------------


def _play_in_processes(series: Series, jobs: int) -> Iterator[Played]:
    pool = ProcessPoolExecutor(jobs, initializer=_stop_at_ctrl_c)
    try:
        for played in in_portions(pool, partial(_play_some, series), series.games, jobs):
            yield from played
    except BrokenProcessPool:
        raise SeraiError("a process that played games was ended from outside; fewer --jobs need less memory") from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _play_some(series: Series, numbers: range) -> list[Played]:
    game = find_game(series.game)
    key = msgspec.json.encode(series)
    if key not in _LOADED:
        _LOADED[key] = makers_of(game, series)
    return [play_game(game, _LOADED[key], series, number) for number in numbers]


_LOADED: dict[bytes, list[BotFactory]] = {}
"""In a playing process: the bots of the series, loaded once."""


def _stop_at_ctrl_c() -> None:
    """Ctrl-C reaches all processes of a terminal: these end at once and silently, the first one tells what it has."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def processors() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
