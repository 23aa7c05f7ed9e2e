"""A series of games between bots, each repeatable by itself from its number."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from serai.bots.contract import BotFactory, close, make_for, warm_up
from serai.bots.referee import BotFailed, Fault, Spared, Watchman, dealer_for, play
from serai.bots.specs import BotSpec, find_working_bot
from serai.core.dealer import Dealer
from serai.core.game import Game
from serai.core.play import Ply
from serai.core.record import Record
from serai.core.rows import PLIES, row_of
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
    seconds: float | None = 10.0
    """For a decision of a bot; ``None``: as long as it likes."""
    game_seconds: float | None = None
    """For all decisions of a seat in a game together."""
    tolerate: bool = False
    """Whether the games go on where a bot fails, with a random action in its stead."""
    keep_records: bool = False
    """Whether games without a fault bring their record along."""

    def seating(self, number: int) -> tuple[int, ...]:
        """The entrant on each seat in game ``number``."""
        return seating(len(self.bots), number, rotate=self.rotate or self.paired)

    def dealer(self, number: int) -> Dealer:
        """Whoever draws for chance in game ``number``."""
        return dealer_for(f"{self.seed} {self.chance(number)}")

    def chance(self, number: int) -> str:
        """Games for which this is the same have the same draws."""
        return f"group {group(len(self.bots), number)}" if self.paired else str(number)


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
    row: Mapping[str, Any]
    """Its line in a table of data, by column."""
    faults: tuple[Fault, ...]
    record: Record | None
    thought: tuple[float, ...] = ()
    """By seat: the seconds it thought."""


def makers_of(game: Game, entrants: Sequence[BotSpec]) -> list[BotFactory]:
    """What makes the bot of each entrant; those that are named alike are loaded once."""
    named = {spec: find_working_bot(game, spec) for spec in dict.fromkeys(entrants) if isinstance(spec, str)}
    return [named[spec] if isinstance(spec, str) else find_working_bot(game, spec) for spec in entrants]


def play_game(
    game: Game,
    makers: Sequence[BotFactory],
    series: Series,
    number: int,
    *,
    watchman: Watchman | None = None,
    spared: Spared | None = None,
) -> Played:
    """Play that game of the series, here and now."""
    seed = f"{series.seed} {number}"
    entrants = series.seating(number)
    same_dice = (series.seed, series.chance(number))
    bots = [(series.bots[entrant], make_for(makers[entrant], same_dice)) for entrant in entrants]
    for _, bot in bots:
        warm_up(bot)
    dealer = series.dealer(number)
    acted: list[tuple[int, str]] = []

    def observe(made: Ply) -> None:
        if not made.drawn:
            acted.append((made.before.actor, made.action.kind))

    began = time.perf_counter()
    try:
        outcome = play(
            game,
            bots,
            dealer=dealer,
            seed=seed,
            seconds=series.seconds,
            game_seconds=series.game_seconds,
            observe=observe,
            tolerate=series.tolerate,
            watchman=watchman,
            spared=spared,
            **series.options,
        )
    except BotFailed as failure:
        failure.number = number
        raise
    finally:
        for _, bot in bots:
            close(bot)
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
        {**row_of(game, number, entrants, outcome.start, state, acted), PLIES: len(record.actions)},
        outcome.faults,
        record if series.keep_records or outcome.faults else None,
        outcome.thought,
    )


def processors() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
