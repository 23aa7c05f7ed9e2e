"""``serai benchmark``: one bot at fixed tables, among fixed opponents, with fixed dice, as one score.

At every table the bot has one seat, and all others are the same opponent; every group of games is played with the same
dice until the bot has had every seat. What it wins there is compared with its fair share, an equal part: the *score* of
a table is the chance that the same odds would give it in a duel. 50 is as good as the opponents, 100 wins always. The
score of a game is the mean of its tables, the whole score the mean of the games.

Every chunk of games is appended to a file as soon as it has been played, so that a benchmark can be stopped at any
time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from math import sqrt
from pathlib import Path
from statistics import fmean, variance
from typing import Any

import msgspec

from serai.arena.simulate import Simulation
from serai.bots.specs import bot_title, file_of, sandboxed_spec
from serai.core.game import Game
from serai.core.registry import game as find_game
from serai.core.registry import games
from serai.errors import SeraiError

BENCHMARK = "1"
"""Changes with the tables, the opponents or their budgets: scores of different numbers cannot be compared."""
SEED = f"serai benchmark {BENCHMARK}"
SEATS = (2, 4, 8)
SECONDS = 10.0
"""For a decision."""
_Z = 1.96
"""Standard errors on either side of a 95 % interval."""


class BadBenchmark(SeraiError):
    """A benchmark that cannot be played or continued."""


class Header(msgspec.Struct, frozen=True):
    """The first line of a file: what must be the same for it to be continued."""

    benchmark: str
    bot: str
    code: str
    """The SHA-256 of the bot's file, if it is in one."""
    seed: str
    rules: dict[str, str]
    """By game: the version of its rules."""
    serai: str


class Table(msgspec.Struct, frozen=True):
    """A table of the benchmark."""

    game: str
    seats: int
    opponent: str
    games: int

    @property
    def name(self) -> str:
        """How files and reports call it."""
        return f"{self.game} {self.seats} {self.opponent}"


class Chunk(msgspec.Struct, frozen=True):
    """Games that were played: a line of the file."""

    table: str
    shares: list[float]
    """The share of the victory in each group of games with the same dice, in order."""
    faults: int = 0


class TableResult(msgspec.Struct, frozen=True):
    """How a bot did at one table."""

    game: str
    seats: int
    opponent: str
    games: int
    of: int
    """How many games belong to the benchmark."""
    wins: float
    """The share of the victory; a fair one is ``1 / seats``."""
    score: float
    error: float
    """The standard error of the score."""
    faults: int


class Score(msgspec.Struct, frozen=True):
    """A score from 0 to 100, with the half of its 95 % interval."""

    score: float
    margin: float

    def __str__(self) -> str:
        return f"{self.score:.1f} ± {self.margin:.1f}"


class Report(msgspec.Struct, frozen=True):
    """What a benchmark has found so far."""

    header: Header
    tables: list[TableResult]
    games: dict[str, Score]
    """By game."""
    whole: Score | None
    """Over all games of the benchmark; ``None`` if the bot does not play all of them."""
    finished: bool
    faults: int

    @property
    def line(self) -> str:
        """A line for a table of scores, in Markdown."""
        scores = [str(self.games[game]) if game in self.games else "–" for game in measured_games()]
        whole = "–" if self.whole is None else f"**{self.whole}**"
        name = bot_title(self.header.bot) if file_of(self.header.bot) else self.header.bot
        cells = [f"`{name}`", whole, *scores, str(self.faults), self.header.serai]
        return f"| {' | '.join(cells)} |"


def measured_games() -> list[str]:
    """The games that have a benchmark."""
    return [name for name in games() if find_game(name).benchmark]


def tables_of(game: Game) -> list[Table]:
    """The tables of a game: every opponent at every size."""
    return [
        Table(game.name, seats, opponent, games)
        for opponent, games in game.benchmark
        for seats in SEATS
        if seats in game.players
    ]


class Benchmark:
    """One bot's benchmark and its file."""

    def __init__(
        self, bot: str, games: Sequence[str], path: Path, *, seed: str = SEED, most: int | None = None
    ) -> None:
        """``most``: at each table no more than so many games, for a first look."""
        self.games = [find_game(name) for name in games]
        self.bot = sandboxed_spec(self.games[0], bot)
        self.path, self.seed, self._most = path, seed, most
        self.tables = [table for game in self.games for table in tables_of(game)]
        file = file_of(self.bot)
        code = hashlib.sha256(file.read_bytes()).hexdigest() if file is not None and file.is_file() else ""
        rules = {game.name: game.version for game in self.games}
        self.header = Header(BENCHMARK, self.bot, code, seed, rules, version("serai"))
        self._chunks: dict[str, list[Chunk]] = {table.name: [] for table in self.tables}
        self._read()

    @property
    def left(self) -> int:
        """How many games are still to be played."""
        return sum(max(0, self._wanted(table) - self._played(table)) for table in self.tables)

    def play(self, jobs: int = 1, told: Callable[[int], None] = lambda games: None) -> None:
        """Play what is left; ``told`` gets the number of games just stored."""
        for table in self.tables:
            for chunk, played in self._rest(table, jobs):
                self._write(chunk)
                self._chunks[table.name].append(chunk)
                told(played)

    def report(self) -> Report:
        """What has been found so far."""
        results = [result for table in self.tables if (result := self._result(table)) is not None]
        scores = {
            game.name: _mean([(one.score, one.error) for one in results if one.game == game.name])
            for game in self.games
            if any(one.game == game.name for one in results)
        }
        every = [game.name for game in self.games]
        whole = None
        if every == measured_games() and all(name in scores for name in every):
            whole = _mean([(scores[name].score, scores[name].margin / _Z) for name in every])
        finished = self.left == 0 and self._most is None
        return Report(self.header, results, scores, whole, finished, sum(one.faults for one in results))

    # -- playing

    def _wanted(self, table: Table) -> int:
        wanted = table.games if self._most is None else min(table.games, self._most)
        return -(-wanted // table.seats) * table.seats

    def _played(self, table: Table) -> int:
        return sum(len(chunk.shares) for chunk in self._chunks[table.name]) * table.seats

    def _rest(self, table: Table, jobs: int) -> Iterator[tuple[Chunk, int]]:
        """The games of a table that have not been played, chunk by chunk."""
        played = self._played(table)
        games = self._wanted(table) - played
        if games <= 0:
            return
        simulation = Simulation(
            table.game,
            [self.bot, *[table.opponent] * (table.seats - 1)],
            games=games,
            seed=f"{self.seed} {table.name}",
            skip=played,
            paired=True,
            jobs=jobs,
            limit=SECONDS,
            tolerate=True,
        )
        for part in simulation.chunks():
            mine = (part.rows["share"] * (part.rows["bots"] == 0)).sum(axis=1)
            shares = mine.reshape(-1, table.seats).mean(axis=1).tolist()
            faults = sum(fault.bot == simulation.titles[0] for one in part.results for fault in one.faults)
            yield Chunk(table.name, shares, faults), len(part.numbers)

    # -- the file

    def _read(self) -> None:
        if not self.path.exists():
            return
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]  # a line that was cut off is played again
        if whole != content:
            self.path.write_bytes(whole)
        first, *lines = whole.splitlines() or [b""]
        try:
            header = msgspec.json.decode(first, type=Header)
            chunks = [msgspec.json.decode(line, type=Chunk) for line in lines]
        except msgspec.DecodeError as error:
            raise BadBenchmark(f"{str(self.path)!r} is no file of a benchmark: {error}") from None
        mine, theirs = msgspec.to_builtins(self.header), msgspec.to_builtins(header)
        other = next((name for name, value in mine.items() if theirs[name] != value), None)
        if other is not None:
            raise BadBenchmark(
                f"{str(self.path)!r} holds another benchmark ({other}: {theirs[other]!r} there, {mine[other]!r} here); "
                "store this one elsewhere with --file"
            )
        for chunk in chunks:
            if chunk.table in self._chunks:
                self._chunks[chunk.table].append(chunk)

    def _write(self, line: Any) -> None:
        if not self.path.exists():
            self.path.write_bytes(msgspec.json.encode(self.header) + b"\n")
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")

    # -- counting

    def _result(self, table: Table) -> TableResult | None:
        chunks = self._chunks[table.name]
        shares = [share for chunk in chunks for share in chunk.shares]
        if not shares:
            return None
        games, wins, fair = len(shares) * table.seats, fmean(shares), 1 / table.seats
        spread = variance(shares) / len(shares) if len(shares) > 1 else wins * (1 - wins)
        share = wins * (1 - fair) + fair * (1 - wins)
        slope = fair * (1 - fair) / share**2
        error = slope * sqrt(max(spread, (1 / (games + 4)) ** 2))
        return TableResult(
            table.game,
            table.seats,
            table.opponent,
            games,
            table.games,
            wins,
            100 * wins * (1 - fair) / share,
            100 * error,
            sum(chunk.faults for chunk in chunks),
        )


def _mean(scores: Sequence[tuple[float, float]]) -> Score:
    """The mean of scores with their standard errors."""
    error = sqrt(sum(error**2 for _, error in scores)) / len(scores)
    return Score(fmean(score for score, _ in scores), _Z * error)
