"""``serai.simulate``: many games between any bots, compiled where all of them are, by the referee otherwise."""

from __future__ import annotations

import contextlib
import math
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from serai.arena.datasets import arrow_table, decisions_of, flattened
from serai.arena.executors import Executor, Here, Threads, in_order, processors
from serai.arena.series import Played, Player, Series, play_game, play_on_worker
from serai.arena.statistics import Summary, draw_summary, summarise
from serai.arena.worker_processes import Processes
from serai.bots.program import program_spec
from serai.bots.referee import Fault, check_limit
from serai.bots.specs import BotSpec, bot_title, find_working_bot, walls_of
from serai.core.arguments import MAX_PLIES, check_flag, check_listed, check_max_plies, check_seed, check_whole
from serai.core.game import Game
from serai.core.record import Record
from serai.core.registry import game_of
from serai.errors import BadArgument, BadOptions, need, phrase
from serai.lab.rows import kinds, row_type
from serai.lab.tally import MOST_NUMBER, Tally
from serai.progress import Progress, progress_shown

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas
    import polars
    import pyarrow

    from serai.arena.cluster.client import Cluster
    from serai.lab.simulator import Simulator


class Simulation:
    """Many games to play: settings are checked when this is made, games are played by :meth:`chunks`."""

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
        max_plies: int = MAX_PLIES,
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
        check_max_plies(max_plies)
        if seed is None:
            seed = _usual_seed(self.entrants)
        check_seed(seed)
        self.options = self.game.settled(players, options)
        self.group = players if paired else 1
        """How many games in a row have the same draws of chance."""
        self.titles = tuple(spec if isinstance(spec, str) else bot_title(spec) for spec in self.entrants)
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
            max_plies=max_plies,
        )
        found = {title: walls_of(self.game, spec) for title, spec in zip(self.titles, self.entrants, strict=True)}
        self.walls = {title: walls for title, walls in found.items() if walls is not None}
        """What guards each bot that is not part of Serai."""
        self.first = skip - skip % self.group
        self.jobs = jobs or processors()
        self.simulator = self._found_simulator()
        if self.simulator is not None:
            self.simulator.play(0, self.group)  # compiling and loading are not counted as playing
        else:
            for spec in self.entrants:
                find_working_bot(self.game, spec)

    def chunks(self, *, rows: bool = True, cluster: Cluster | None = None) -> Iterator[Played]:
        """Play the games, in order, with their lines if asked for. A ``cluster`` plays them instead of this machine."""
        everybody = range(len(self.entrants))

        def arguments(groups: range) -> tuple[Series, range, range]:
            first, last = (self.first + group * self.group for group in (groups.start, groups.stop))
            return self.series, everybody, range(first, last)

        player = Player(self.game, self.entrants, rows=rows)
        with self._executor(player, cluster) as executor:
            for _, played in in_order(executor, self.series.games // self.group, arguments):
                yield played

    def record(self, number: int) -> Record:
        """That game of the series, played once more and written down."""
        check_whole("the number of a game", number, self.first, self.first + self.series.games - 1)
        if self.simulator is not None:
            return self.simulator.record(number)
        series = msgspec.structs.replace(self.series, keep_records=True)
        makers = Player(self.game, self.entrants, rows=False).makers(range(len(self.entrants)))
        record = play_game(self.game, makers, series, number).record
        assert record is not None
        return record

    def _found_simulator(self) -> Simulator | None:
        everybody = range(len(self.entrants))
        return Player(self.game, self.entrants, rows=False).simulator(self.series, everybody)

    def __getstate__(self) -> dict[str, Any]:
        """Without the simulator, which is made again elsewhere."""
        return {name: value for name, value in self.__dict__.items() if name != "simulator"}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self.simulator = self._found_simulator()

    def _executor(self, player: Player, cluster: Cluster | None) -> Executor:
        if cluster is not None:
            return cluster.executor(partial(play_on_worker, player))
        if self.simulator is not None:
            return Threads(player, self.jobs)
        if self.jobs == 1 and (self.series.seconds is None or player.trusts(range(len(self.entrants)))):
            return Here(player)
        return Processes(player, self.jobs)

    def named(self) -> tuple[str, ...]:
        """The specs of the bots; ``BadArgument`` if one is no text, which another machine could not load."""
        names = tuple(spec for spec in self.entrants if isinstance(spec, str))
        if len(names) < len(self.entrants):
            raise BadArgument(
                "a bot that is part of a running program cannot travel to a cluster: name it, FILE.py:NAME"
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
    max_plies: int = MAX_PLIES,
    progress: Progress | bool | None = None,
    cluster: str | None = None,
    **options: Any,
) -> Run:
    """Let bots, one per seat, play many games. ``run.rows`` has a line for each game.

    A bot is a name, a file, a module, a program (``serai.bots.specs``), or anything that decides. The same seed gives
    the same games for any number of ``jobs`` (0: all cores). The default seed is 1, or a random one if a program plays,
    which could guess it (``run.seed``). ``skip`` leaves out the first games. ``rotate`` moves the bots on by one seat
    after every game; ``paired`` also gives all rotations the same draws of chance. A bot that fails, or thinks longer
    than ``limit`` seconds, raises :class:`serai.bots.BotFailed`; with ``tolerate`` a random action is played for it,
    and ``run.faults`` lists it. A game that has had ``max_plies`` actions is cut short, counts as it stands, and is
    marked ``truncated``. ``progress(played, games)`` is called as games are played; by default a bar appears in
    notebooks, with ``True`` also in a terminal, with ``False`` nowhere. ``cluster`` names a Dask cluster whose workers
    play, ``tcp://HOST:PORT`` or ``local:N``; ``jobs`` is ignored then.
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
        max_plies=max_plies,
        **options,
    )
    with contextlib.ExitStack() as stack:
        workers = None
        if cluster is not None:
            from serai.arena.cluster.client import connect

            workers = stack.enter_context(connect(cluster, "simulate", simulation.game.name, simulation.named()))
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
    for played in simulation.chunks(cluster=cluster):
        place = played.numbers.start - simulation.first
        rows[place : place + len(played.numbers)] = played.rows
        tally.merge(played.tally)
        if progress is not None:
            progress(tally.games, series.games)
        faults.extend((result.number, fault) for result in played.results for fault in result.faults)
    return Run(simulation.game, series, rows, tally, tuple(faults), time.perf_counter() - began, simulation.record)


class Run:
    """Games that were played. ``rows`` is a NumPy table: ``run.rows["plies"]``, ``run.rows["share"][:, seat]``."""

    def __init__(
        self,
        game: Game,
        series: Series,
        rows: npt.NDArray[np.void],
        tally: Tally,
        faults: tuple[tuple[int, Fault], ...],
        seconds: float,
        record: Callable[[int], Record],
    ) -> None:
        self.game = game
        self.bots = series.bots
        """The names that the column ``bots`` counts."""
        self.seed = series.seed
        self.rows = rows
        self.faults = faults
        """Failures of bots, each with the number of its game; empty unless faults were tolerated."""
        self.seconds = seconds
        self.record = record
        """``run.record(n)``: the record of game ``n``, which is played again."""
        self._tally = tally

    def __repr__(self) -> str:
        return f"<{len(self.rows)} games of {self.game.name}: {', '.join(self.bots)}, seed {self.seed}>"

    def __str__(self) -> str:
        return f"{self!r}\n{self.summary()}"

    def _repr_svg_(self) -> str:
        return draw_summary(self.summary(), f"{self.game.name}: {', '.join(dict.fromkeys(self.bots))}")

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of actions that the column ``actions`` counts."""
        return kinds(self.game)

    def summary(self) -> Summary:
        """Victories, scores and lengths with their 95 % intervals."""
        return summarise(self._tally, self.bots)

    def flat(self) -> dict[str, Any]:
        """Every column as a plain array, one for each seat if it is by seat; codes are replaced by their names."""
        return dict(flattened(self.game, self.bots, self.rows))

    def decisions(self) -> npt.NDArray[np.void]:
        """Every decision of these games (:mod:`serai.arena.datasets`). The games are played again for it."""
        import numpy as np

        return np.concatenate(
            [decisions_of(self.game, self.record(number), number) for number in self.rows["game"].tolist()]
        )

    def to_arrow(self) -> pyarrow.Table:
        """As an Arrow table."""
        return arrow_table(flattened(self.game, self.bots, self.rows))

    def to_pandas(self) -> pandas.DataFrame:
        """As a data frame of pandas."""
        need("data", "data frames", "pandas")
        import pandas

        return pandas.DataFrame(self.flat(), copy=False)

    def to_polars(self) -> polars.DataFrame:
        """As a data frame of polars."""
        need("data", "data frames", "polars")
        import polars

        return polars.DataFrame(self.flat())


def _usual_seed(entrants: Sequence[BotSpec]) -> int | str:
    """1, or a random seed if a program plays, which could know the seed 1."""
    guessing = any(isinstance(spec, str) and program_spec(spec) is not None for spec in entrants)
    return secrets.token_hex(16) if guessing else 1


def _check(**counts: int) -> None:
    for name, value in counts.items():
        least = 1 if name == "games" else 0
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST_NUMBER:
            raise BadOptions("arena.count", name=name, value=value, least=least)


phrase(
    {
        "arena.count": "{name} is a whole number, {least} or more, not {value!r}",
    }
)
