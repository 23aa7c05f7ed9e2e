"""A series of numbered games between bots, compiled or by the referee; any chunk can be played anywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from serai.arena.worker_processes import Processes, current_watch
from serai.bots.contract import BotFactory, close, make_for, warm_up
from serai.bots.program import end_pair
from serai.bots.referee import BotFailed, Fault, Skipped, Watchman, dealer_for, play
from serai.bots.specs import BotSpec, find_working_bot, is_ours
from serai.core.arguments import MAX_PLIES
from serai.core.dealer import Dealer
from serai.core.game import Game
from serai.core.play import Ply
from serai.core.record import Record
from serai.core.registry import game_of
from serai.errors import MissingExtra
from serai.lab.preparing import Clock
from serai.lab.rows import PLIES, measures, row_of, row_type
from serai.lab.tally import Tally, group, seating

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from serai.lab.simulator import Simulator


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
    """Whether all rotations of the seats are played with the same draws of chance."""
    seconds: float | None = 10.0
    """Limit for a decision of a bot; ``None``: no limit."""
    game_seconds: float | None = None
    """Limit for all decisions of a seat in a game together."""
    tolerate: bool = False
    """Whether a random action is played where a bot fails. Otherwise the series ends there."""
    keep_records: bool = False
    """Whether games without a fault keep their record as well."""
    max_plies: int = MAX_PLIES
    """A game that has had this many actions is cut short."""

    def seating(self, number: int) -> tuple[int, ...]:
        """The entrant on each seat in game ``number``."""
        return seating(len(self.bots), number, rotate=self.rotate or self.paired)

    def by_rotation(self, numbers: range) -> list[int]:
        """These games, those with the same dice as far apart as possible: between them processes of bots are ended."""
        return sorted(numbers, key=lambda number: number % len(self.bots)) if self.paired else list(numbers)

    def dealer(self, number: int) -> Dealer:
        """The dealer who draws for chance in game ``number``."""
        return dealer_for(f"{self.seed} {self.chance(number)}")

    def chance(self, number: int) -> str:
        """Games for which this is the same have the same draws."""
        return f"group {group(len(self.bots), number)}" if self.paired else str(number)


class GameResult(msgspec.Struct, frozen=True):
    """One game of a series, played by the referee."""

    number: int
    seating: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    plies: int
    decisions: int
    seconds: float
    """How long it took, without loading, warming up and compiling."""
    measures: Mapping[str, int]
    """What else the game counts, by name."""
    row: Mapping[str, Any]
    """Its line in a table of data, by column."""
    faults: tuple[Fault, ...]
    record: Record | None
    truncated: bool = False
    """Whether it was cut short; scores and winners are as it stood."""
    thought: tuple[float, ...] = ()
    """By seat: the seconds it thought."""


class Played(msgspec.Struct, frozen=True):
    """A chunk of games that were played."""

    numbers: range
    rows: Any
    """A NumPy table with a line per game, if asked for."""
    tally: Tally
    results: tuple[GameResult, ...] = ()
    """Of games that were not compiled."""


class Player:
    """Plays chunks of series between some entrants: compiled where all seated bots are, by the referee otherwise.

    It is the function that executors run. Bots are loaded once in each process. It can be pickled if all are named.
    """

    def __init__(
        self,
        game: str | Game,
        entrants: Sequence[BotSpec],
        *,
        rows: bool,
        convert: Callable[[Played], Any] | None = None,
    ) -> None:
        """``convert`` is applied to what was played, where it was played."""
        self.game = game_of(game)
        self.entrants = tuple(entrants)
        self._rows, self._convert = rows, convert
        self._makers: dict[str | int, BotFactory] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return _player, (self.game.name, self.entrants, self._rows, self._convert)

    def __call__(self, series: Series, lineup: Sequence[int], numbers: range) -> Any:
        """Play these games of the series; ``lineup`` names its bots by their places among the entrants."""
        simulator = self.simulator(series, lineup)
        line = row_type(self.game, len(lineup)) if self._rows else None
        if simulator is not None:
            played = _play_compiled(simulator, numbers, line)
        else:
            makers = self.makers(lineup)
            watch, limit = current_watch(), series.game_seconds if series.seconds is None else series.seconds
            results = tuple(
                play_game(self.game, makers, series, number, watchman=watch, skipped=watch.begin(number, limit))
                for number in series.by_rotation(numbers)
            )
            results = tuple(sorted(results, key=lambda result: result.number))
            rows = None if line is None else _rows_of(results, line)
            played = Played(numbers, rows, _tally_of(results, series), results)
        return played if self._convert is None else self._convert(played)

    def simulator(self, series: Series, lineup: Sequence[int]) -> Simulator | None:
        """The simulator of this series, if all its bots are compiled."""
        specs = [self.entrants[entrant] for entrant in lineup]
        names = tuple(spec for spec in specs if isinstance(spec, str))
        if len(names) < len(specs):
            return None
        options = msgspec.json.encode(series.options)
        try:
            return _simulator(self.game, names, series.seed, series.rotate, series.paired, series.max_plies, options)
        except MissingExtra:  # the referee plays them as well, slower
            return None

    def trusts(self, lineup: Sequence[int]) -> bool:
        """Whether all these bots are part of Serai."""
        specs = [self.entrants[entrant] for entrant in lineup]
        return all(isinstance(spec, str) and is_ours(self.game, spec) for spec in specs)

    def makers(self, lineup: Sequence[int]) -> list[BotFactory]:
        """What makes each of these bots; those of the same name are loaded once."""
        names = {place: spec if isinstance(spec := self.entrants[place], str) else place for place in lineup}
        for place, name in names.items():
            if name not in self._makers:
                self._makers[name] = find_working_bot(self.game, self.entrants[place])
        return [self._makers[names[place]] for place in lineup]


def _player(game: str, entrants: Sequence[BotSpec], rows: bool, convert: Callable[[Played], Any] | None) -> Player:
    return Player(game, entrants, rows=rows, convert=convert)


def play_on_worker(
    player: Player, series: Series, lineup: Sequence[int], numbers: range, apart: frozenset[Any] = frozenset()
) -> Any:
    """Play on a cluster's worker: bots that are not part of Serai in a watched process of their own.

    With ``apart`` it ends with the task, since another worker of this machine may play with the same dice later.
    """
    if player.trusts(lineup) or player.simulator(series, lineup) is not None:
        return player(series, lineup, numbers)
    known = (player.game.name, player.entrants)
    if known not in _PROCESSES:
        for processes in _PROCESSES.values():
            processes.close()
        _PROCESSES.clear()
        _PROCESSES[known] = Processes(player, 1)
    processes = _PROCESSES[known]
    try:
        processes.submit(None, series, lineup, numbers, apart=apart)
        while not (done := processes.finished(_WAIT)):
            pass
    finally:
        if apart:
            processes.close()
        else:
            processes.cancel()
    return done[0].value


_PROCESSES: dict[Any, Processes] = {}
"""The watched process of this worker, by game and entrants."""
_WAIT = 1.0


def _play_compiled(simulator: Simulator, numbers: range, line: np.dtype[np.void] | None) -> Played:
    import numpy as np

    rows = None if line is None else np.empty(len(numbers), line)
    return Played(numbers, rows, simulator.play(numbers.start, len(numbers), rows))


def _rows_of(results: Sequence[GameResult], line: np.dtype[np.void]) -> npt.NDArray[np.void]:
    import numpy as np

    assert line.names is not None
    rows = np.empty(len(results), line)
    for row, result in zip(rows, results, strict=True):
        for name in line.names:
            row[name] = np.asarray(result.row[name])
    return rows


def _tally_of(results: Sequence[GameResult], series: Series) -> Tally:
    tally = Tally.empty(len(series.bots), paired=series.paired)
    for result in results:
        tally.add(
            result.seating,
            result.scores,
            result.winners,
            plies=result.plies,
            decisions=result.decisions,
            truncated=result.truncated,
            measures=result.measures,
        )
    return tally


@lru_cache(maxsize=16)  # a tournament of many line-ups must not fill the memory
def _simulator(
    game: Game, names: tuple[str, ...], seed: str, rotate: bool, paired: bool, max_plies: int, options: bytes
) -> Simulator | None:
    if game.compiled is None:
        return None
    settings = msgspec.json.decode(options)
    found: Simulator | None = game.compiled.simulator(
        names, seed=seed, rotate=rotate, paired=paired, max_plies=max_plies, **settings
    )
    return found


def play_game(
    game: Game,
    makers: Sequence[BotFactory],
    series: Series,
    number: int,
    *,
    watchman: Watchman | None = None,
    skipped: Skipped | None = None,
) -> GameResult:
    """Play that game of the series with the referee."""
    seed = f"{series.seed} {number}"
    entrants = series.seating(number)
    same_dice = (series.seed, series.chance(number))
    end_pair(same_dice)
    bots = [(series.bots[entrant], make_for(makers[entrant], same_dice)) for entrant in entrants]
    for _, bot in bots:
        warm_up(bot)
    dealer = series.dealer(number)
    acted: list[tuple[int, str]] = []

    def observe(made: Ply) -> None:
        if not made.drawn:
            acted.append((made.before.actor, made.action.kind))

    clock = Clock()
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
            skipped=skipped,
            max_plies=series.max_plies,
            **series.options,
        )
    except BotFailed as failure:
        failure.number = number
        raise
    finally:
        for _, bot in bots:
            close(bot)
    state, record = outcome.state, outcome.record
    row = {**row_of(game, number, entrants, outcome.start, state, acted), PLIES: len(record.actions)}
    return GameResult(
        number,
        entrants,
        state.scores(),
        state.leaders(),
        len(record.actions),
        len(record.actions) - dealer.drawn,
        clock.seconds,
        measures(game, row),
        row,
        outcome.faults,
        record if series.keep_records or outcome.faults else None,
        outcome.truncated,
        outcome.thought,
    )
