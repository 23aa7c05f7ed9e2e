"""The one door to many games: any bots, compiled where all of them are, by the referee otherwise."""

from __future__ import annotations

import contextlib
import math
import secrets
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import msgspec

from serai.arena.crew import play_in_crew
from serai.arena.portions import in_portions
from serai.arena.run import Run
from serai.arena.series import Played, Series, makers_of, play_game, processors
from serai.bots.commands import names_program
from serai.bots.referee import Fault, check_limit
from serai.bots.specs import BotSpec, bot_title, find_working_bot, is_ours
from serai.core.checks import check_flag, check_listed, check_whole
from serai.core.errors import BadArgument, BadOptions, MissingExtra, phrase
from serai.core.game import Game
from serai.core.record import Record
from serai.core.registry import game_of
from serai.core.rows import row_type
from serai.core.simulation import MOST_NUMBER, Simulator, Tally
from serai.notebook import Progress, progress_shown

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from serai.arena.cluster.reach import Cluster


class Portion(msgspec.Struct, frozen=True):
    """Some games that were played, the next of the series."""

    numbers: range
    rows: Any
    """Their lines, if they were asked for."""
    tally: Tally | None = None
    """What they came to, where they were played in bulk."""
    played: Played | None = None
    """The one game, where each was played by itself."""

    @property
    def faults(self) -> tuple[tuple[int, Fault], ...]:
        """What bots did wrong, each with the number of the game."""
        return () if self.played is None else tuple((self.played.number, fault) for fault in self.played.faults)

    def count(self, tally: Tally) -> None:
        """Add these games to a tally; paired ones in their order."""
        if self.tally is not None:
            tally.merge(self.tally)
        if self.played is not None:
            tally.add(
                self.played.seating,
                self.played.scores,
                self.played.winners,
                plies=self.played.plies,
                decisions=self.played.decisions,
                measures=self.played.measures,
            )


class Simulation:
    """Games that are to be played: checked and made ready when this is made, and played by :meth:`portions`."""

    def __init__(
        self,
        game: str | Game,
        bots: Sequence[BotSpec],
        *,
        games: int = 1000,
        seed: int | str | None = None,
        skip: int = 0,
        rotate: bool = False,
        paired: bool = False,
        jobs: int = 1,
        limit: float | None = 10.0,
        tolerate: bool = False,
        keep_records: bool = False,
        **options: Any,
    ) -> None:
        self.game = game_of(game)
        self.entrants = check_listed("bots", bots, "['quick', 'random']")
        players = len(self.entrants)
        _check(games=games, skip=skip, jobs=jobs)
        for name, flag in (("rotate", rotate), ("paired", paired), ("tolerate", tolerate)):
            check_flag(repr(name), flag)
        check_limit(limit)
        if seed is None:
            seed = _usual_seed(self.entrants)
        if isinstance(seed, bool) or not isinstance(seed, int | str):
            raise BadOptions("arena.seed", value=seed)
        self.options = self.game.settled(players, options)
        self.group = players if paired else 1
        """So many games hang together."""
        self.titles = tuple(spec if isinstance(spec, str) else bot_title(spec) for spec in self.entrants)
        for spec in self.entrants:
            find_working_bot(self.game, spec)
        self.series = Series(
            game=self.game.name,
            bots=self.titles,
            options=self.options,
            games=math.ceil(games / self.group) * self.group,  # whole groups
            seed=str(seed),
            rotate=rotate or paired,
            paired=paired,
            seconds=limit,
            tolerate=tolerate,
            keep_records=keep_records,
        )
        self.first = skip - skip % self.group
        self.jobs = jobs or processors()
        self.simulator = _simulator(self.game, self.series, self.entrants)
        if self.simulator is not None:
            self.simulator.play(0, self.group)  # whatever must be compiled or loaded first shall not count as playing

    def portions(self, *, rows: bool = True, cluster: Cluster | None = None) -> Iterator[Portion]:
        """Play the games, in order; with their lines if asked for. A ``cluster`` plays them instead of this machine."""
        if cluster is not None:
            yield from self._abroad(cluster, rows=rows)
            return
        line = row_type(self.game, len(self.entrants)) if rows else None
        if self.simulator is not None:
            yield from _in_bulk(self.simulator, self.first, self.series.games, self.jobs, self.group, line)
            return
        for played in self._each():
            yield _alone(played, line)

    def record(self, number: int) -> Record:
        """That game of the series, played once more and written down."""
        check_whole("the number of a game", number, self.first, self.first + self.series.games - 1)
        if self.simulator is not None:
            return self.simulator.record(number)
        series = msgspec.structs.replace(self.series, keep_records=True)
        found = play_game(self.game, makers_of(self.game, self.entrants), series, number).record
        assert found is not None
        return found

    def _each(self) -> Iterator[Played]:
        if self.jobs == 1 and (_trusted(self.game, self.entrants) or self.series.seconds is None):
            makers = makers_of(self.game, self.entrants)
            numbers = range(self.first, self.first + self.series.games)
            return (play_game(self.game, makers, self.series, number) for number in numbers)
        return play_in_crew(self.series, self.entrants, self.first, self.jobs)

    def _abroad(self, cluster: Cluster, *, rows: bool) -> Iterator[Portion]:
        from serai.arena.cluster.pace import in_order

        ask = partial(_played_abroad, self.series, self.named(), self.first, self.group, rows)
        for _, portions in in_order(cluster, ask, self.series.games // self.group):
            yield from portions

    def named(self) -> tuple[str, ...]:
        """The bots by their names, as another machine has to know them."""
        names = tuple(spec for spec in self.entrants if isinstance(spec, str))
        if len(names) < len(self.entrants):
            raise BadArgument(
                "a bot that is a part of a running program cannot travel to a cluster: name it, FILE.py:NAME"
            )
        return names


def simulate(
    game: str | Game,
    bots: Sequence[BotSpec],
    *,
    games: int = 1000,
    seed: int | str | None = None,
    skip: int = 0,
    rotate: bool = False,
    paired: bool = False,
    jobs: int = 1,
    limit: float | None = 10.0,
    tolerate: bool = False,
    progress: Progress | bool | None = None,
    cluster: str | None = None,
    **options: Any,
) -> Run:
    """Let bots, one per seat, play many games; what each came to is a line of ``run.rows``.

    A bot is a name, a file, a module, a program (``serai.bots.specs``), or anything that decides. The same seed gives
    the same games, however many ``jobs`` share them (0: all cores); without one it is 1, or where a program plays one
    that it cannot guess (``run.seed``). ``skip`` leaves out those in front. ``rotate`` moves the bots on by one seat
    after every game; ``paired`` also gives all rotations the same chance. A bot that fails, or thinks longer than
    ``limit`` seconds, raises :class:`serai.bots.BotFailed`; with ``tolerate`` a random action is played for it, and
    ``run.faults`` tells. ``progress`` is told how many games have been played, and of how many; without one a bar
    appears in notebooks, with ``True`` also in a terminal, with ``False`` nowhere. ``cluster`` names a Dask
    cluster whose workers play, ``tcp://HOST:PORT`` or ``local:N``; ``jobs`` says nothing then.
    """
    simulation = Simulation(
        game,
        bots,
        games=games,
        seed=seed,
        skip=skip,
        rotate=rotate,
        paired=paired,
        jobs=jobs,
        limit=limit,
        tolerate=tolerate,
        **options,
    )
    with contextlib.ExitStack() as stack:
        workers = None
        if cluster is not None:
            from serai.arena.cluster.reach import reached

            workers = stack.enter_context(reached(cluster, "simulate", simulation.game.name, simulation.named()))
        return gather(simulation, stack.enter_context(progress_shown(progress, "games")), workers)


def gather(simulation: Simulation, progress: Progress | None = None, cluster: Cluster | None = None) -> Run:
    """Play a simulation to its end and keep all its lines."""
    series, players = simulation.series, len(simulation.entrants)
    line = row_type(simulation.game, players)
    import numpy as np

    rows = np.empty(series.games, line)
    tally = Tally.empty(players, paired=series.paired)
    faults: list[tuple[int, Fault]] = []
    began = time.perf_counter()
    for portion in simulation.portions(cluster=cluster):
        place = portion.numbers.start - simulation.first
        rows[place : place + len(portion.numbers)] = portion.rows
        portion.count(tally)
        faults.extend(portion.faults)
        if progress is not None:
            progress(tally.games, series.games)
    return Run(simulation.game, series, rows, tally, tuple(faults), time.perf_counter() - began, simulation.record)


def _usual_seed(entrants: Sequence[BotSpec]) -> int | str:
    """Where a program plays that nobody vouches for, one that it cannot guess; the run tells it."""
    guessing = any(isinstance(spec, str) and names_program(spec) is not None for spec in entrants)
    return secrets.token_hex(16) if guessing else 1


def _in_bulk(
    simulator: Simulator, first: int, games: int, jobs: int, group: int, line: np.dtype[np.void] | None
) -> Iterator[Portion]:
    """Whole groups of games, with so many threads."""

    def play(groups: range) -> Portion:
        return _bulk(simulator, range(first + groups.start * group, first + groups.stop * group), line)

    pool = ThreadPoolExecutor(jobs)
    try:
        yield from in_portions(pool, play, games // group, jobs)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _bulk(simulator: Simulator, numbers: range, line: np.dtype[np.void] | None) -> Portion:
    import numpy as np

    rows = None if line is None else np.empty(len(numbers), line)
    return Portion(numbers, rows, simulator.play(numbers.start, len(numbers), rows))


def _played_abroad(
    series: Series, entrants: tuple[str, ...], first: int, group: int, rows: bool, groups: range
) -> list[Portion]:
    """Asked of a worker: some groups of a series."""
    game = game_of(series.game)
    line = row_type(game, len(entrants)) if rows else None
    simulator = _kept_simulator(msgspec.json.encode(series), entrants)
    numbers = range(first + groups.start * group, first + groups.stop * group)
    if simulator is not None:
        return [_bulk(simulator, numbers, line)]
    if _trusted(game, entrants):
        makers = makers_of(game, entrants)
        return [_alone(play_game(game, makers, series, number), line) for number in numbers]
    some = msgspec.structs.replace(series, games=len(numbers))
    return [_alone(played, line) for played in play_in_crew(some, entrants, numbers.start, 1)]


@lru_cache(maxsize=1)
def _kept_simulator(series: bytes, entrants: tuple[str, ...]) -> Simulator | None:
    found = msgspec.json.decode(series, type=Series)
    return _simulator(game_of(found.game), found, entrants)


def _simulator(game: Game, series: Series, entrants: Sequence[BotSpec]) -> Simulator | None:
    """What plays this compiled, where that can be."""
    names = [spec for spec in entrants if isinstance(spec, str)]
    if len(names) < len(entrants):
        return None
    try:
        return game.simulator(names, seed=series.seed, rotate=series.rotate, paired=series.paired, **series.options)
    except MissingExtra:  # the referee plays the same, later
        return None


def _trusted(game: Game, entrants: Sequence[BotSpec]) -> bool:
    return all(isinstance(spec, str) and is_ours(game, spec) for spec in entrants)


def _alone(played: Played, line: np.dtype[np.void] | None) -> Portion:
    lines = None if line is None else _line(line, played)
    return Portion(range(played.number, played.number + 1), lines, played=played)


def _line(line: np.dtype[np.void], played: Played) -> npt.NDArray[np.void]:
    import numpy as np

    assert line.names is not None
    row = np.empty(1, line)
    for name in line.names:
        row[name] = np.asarray(played.row[name])
    return row


def _check(**counts: int) -> None:
    for name, value in counts.items():
        least = 1 if name == "games" else 0
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST_NUMBER:
            raise BadOptions("arena.count", name=name, value=value, least=least)


phrase(
    {
        "arena.count": "{name} is a whole number, {least} or more, not {value!r}",
        "arena.seed": "a seed is a text or a whole number, not {value!r}",
    }
)
