"""The file of a tournament: SQLite, safe against being killed at any moment, readable by its owner alone.

It holds the description, the secret of the dice, the plan, the result of every game, and the compressed records of
games that cannot be played again from their number. No game can be in it twice.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple, Self

import msgspec
import numpy as np
import numpy.typing as npt

from serai.arena.executors import Piece
from serai.arena.tournament.description import BadTournament, Lineup, Stop, Tournament
from serai.bots.referee import Fault
from serai.core.registry import game as find_game
from serai.processes.sandbox import Walls, weaker

FORMAT = "serai arena 1"
_PRIVATE = 0o600
_SCHEMA = """
create table about (key text primary key, value text not null) without rowid;
create table lineups (id integer primary key, seated text not null unique);
create table plan (round integer, place integer, lineup integer, first integer, count integer,
    primary key (round, place)) without rowid;
create table runs (lineup integer, first integer, count integer, results blob not null,
    primary key (lineup, first)) without rowid;
create table records (lineup integer, number integer, record blob not null, primary key (lineup, number)) without rowid;
create table faults (lineup integer, number integer, fault text not null);
create table luck (lineup integer, number integer, shares blob not null, primary key (lineup, number)) without rowid;
"""


Results = npt.NDArray[np.void]
"""A line for each game (:func:`result_type`)."""


class StoredGames(NamedTuple):
    """Games of a line-up with consecutive numbers, as the archive stores them.

    Compiled games are stored by their results alone: their records can be made again. Others are stored one by one.
    """

    numbers: range
    results: Results
    record: str = ""
    faults: tuple[Fault, ...] = ()


def result_type(seats: int) -> np.dtype[np.void]:
    """The result of a game as a line of a NumPy table; all but the plies by seat."""
    return np.dtype(
        [
            ("scores", "<i4", (seats,)),
            ("winners", "u1", (seats,)),
            ("plies", "<u4"),
            ("decisions", "<u2", (seats,)),
            ("thought", "<u4", (seats,)),  # microseconds; 0 in compiled games
            ("faults", "<u2", (seats,)),
        ]
    )


class Archive:
    """An open tournament. No other process can open it meanwhile."""

    def __init__(self, path: Path, *, create: tuple[Tournament, Stop, str | None] | None = None) -> None:
        """Open the file. An empty one begins with ``create``: description, stopping rules, and a seed or none."""
        self.path = path
        self._data = _opened(path, new=create is not None)
        try:
            if create is not None and not self._begun:
                self._begin(*create)
            self._load()
        except BaseException:
            self._data.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._data.close()

    # -- facts -------------------------------------------------------------------------------------------------------

    @property
    def commitment(self) -> str:
        """The SHA-256 of the secret, which may be shown before the end."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    @property
    def finished(self) -> bool:
        """Whether it has ended, so that the secret may be shown."""
        return self._about("finished") == "yes"

    @property
    def seconds(self) -> float:
        """How long it has been played, in seconds."""
        return float(self._about("seconds") or 0)

    @property
    def times(self) -> dict[str, float]:
        """By name: microseconds for a decision of each compiled entrant."""
        return msgspec.json.decode(self._about("times") or "{}", type=dict[str, float])

    @property
    def adjusts(self) -> bool:
        """Whether standings without luck are asked for."""
        return self._about("adjust") == "yes"

    @property
    def evaluator(self) -> str:
        """The name of the evaluator that judged luck here; empty if none did."""
        return self._about("evaluator")

    @property
    def walls(self) -> dict[str, Walls]:
        """By name of each entrant that is not part of Serai: the least that guarded it in any game."""
        return msgspec.json.decode(self._about("walls") or "{}", type=dict[str, Walls])

    def note_walls(self) -> None:
        """Note what guards the entrants in the games that are played from now on."""
        here, before = self.tournament.walls(), self.walls
        least = {name: weaker(walls, before.get(name, walls)) for name, walls in here.items()}
        self.note(walls=msgspec.json.encode(least).decode())

    def note(self, **about: str) -> None:
        """Store these facts."""
        with self._data:
            self._data.executemany("insert or replace into about values (?, ?)", about.items())

    def check_versions(self) -> None:
        """Refuse to continue with other rules, bots or another Serai than so far."""
        for what, then in (("serai", self._about("serai")), ("rules", self._about("rules"))):
            now = version("serai") if what == "serai" else find_game(self.tournament.game).version
            if then != now:
                raise BadTournament(
                    f"{str(self.path)!r} was played with {what} {then}, and this is {now}: its games would not be the "
                    "same; begin another with --file"
                )
        self.tournament.check_files()
        self.tournament.check_place(self.path)

    # -- games -------------------------------------------------------------------------------------------------------

    def lineup(self, seated: Lineup) -> int:
        """The number of a line-up, which is new when it is first asked for."""
        if seated not in self._numbers:
            with self._data:
                row = self._data.execute("insert into lineups (seated) values (?)", (" ".join(map(str, seated)),))
            self._know(int(row.lastrowid or 0), seated)
        return self._numbers[seated]

    def store(self, lineup: int, games: Iterable[StoredGames]) -> None:
        """Add games, all of them or none. They are safe when this returns."""
        games = list(games)
        with self._data:
            for numbers, results, record, faults in games:
                first = numbers.start
                packed = zlib.compress(results.tobytes(), 1)
                self._data.execute("insert into runs values (?, ?, ?, ?)", (lineup, first, len(numbers), packed))
                if record:
                    text = zlib.compress(record.encode(), 9)
                    self._data.execute("insert into records values (?, ?, ?)", (lineup, first, text))
                self._data.executemany(
                    "insert into faults values (?, ?, ?)",
                    [(lineup, first, msgspec.json.encode(fault).decode()) for fault in faults],
                )
        for stored in games:
            self._add(lineup, stored.numbers, stored.results)

    def record(self, lineup: int, number: int) -> str | None:
        """The record of that game, if it is stored."""
        row = self._data.execute(
            "select record from records where lineup = ? and number = ?", (lineup, number)
        ).fetchone()
        return None if row is None else zlib.decompress(row[0]).decode()

    def holds(self, lineup: int, number: int) -> bool:
        """Whether that game was played."""
        return any(number in games.numbers for games in self.stored.get(lineup, ()))

    def faults(self) -> Iterator[tuple[int, int, Fault]]:
        """All faults, with line-up and number of their games."""
        for lineup, number, fault in self._data.execute("select * from faults order by lineup, number"):
            yield lineup, number, msgspec.json.decode(fault, type=Fault)

    # -- luck --------------------------------------------------------------------------------------------------------

    def judge_by(self, evaluator: str) -> None:
        """Store judgements of luck by this evaluator from now on; those of another are deleted."""
        if evaluator != self.evaluator:
            with self._data:
                self._data.execute("delete from luck")
                self._data.execute("insert or replace into about values ('evaluator', ?)", (evaluator,))

    def store_luck(self, lineup: int, luck: Iterable[tuple[int, Sequence[float]]]) -> None:
        """Store the luck of some games: number, and share of victory by seat."""
        with self._data:
            self._data.executemany(
                "insert or replace into luck values (?, ?, ?)",
                [(lineup, number, np.asarray(shares, "<f8").tobytes()) for number, shares in luck],
            )

    def luck(self, lineup: int) -> dict[int, Sequence[float]]:
        """By number of each judged game of a line-up: the luck of every seat, as a share of victory."""
        rows = self._data.execute("select number, shares from luck where lineup = ?", (lineup,))
        return {number: np.frombuffer(shares, "<f8").tolist() for number, shares in rows}

    # -- the plan ----------------------------------------------------------------------------------------------------

    def plan(self, planned: Sequence[Piece]) -> None:
        """Store the games of the next round."""
        with self._data:
            self._data.executemany(
                "insert into plan values (?, ?, ?, ?, ?)",
                [
                    (self.rounds, place, lineup, numbers.start, len(numbers))
                    for place, (lineup, numbers) in enumerate(planned)
                ],
            )
        self.rounds += 1

    def due(self) -> list[Piece]:
        """The games of the last round that have not been played yet."""
        rows = self._data.execute(
            "select lineup, first, count from plan where round = ? order by place", (self.rounds - 1,)
        )
        return [
            Piece(lineup, gap)
            for lineup, first, count in rows
            for gap in gaps(range(first, first + count), (games.numbers for games in self.stored.get(lineup, ())))
        ]

    # -- details -----------------------------------------------------------------------------------------------------

    def _begin(self, tournament: Tournament, stop: Stop, seed: str | None) -> None:
        about = {
            "format": FORMAT,
            "serai": version("serai"),
            "rules": tournament.rules,
            "tournament": msgspec.json.encode(tournament).decode(),
            "stop": msgspec.json.encode(stop).decode(),
            "secret": secrets.token_hex(32) if seed is None else seed,
            "seeded": "no" if seed is None else "yes",
        }
        self.path.chmod(_PRIVATE)
        with self._data:  # all of it or nothing, if it is killed now
            self._data.execute("begin immediate")
            for statement in _SCHEMA.split(";\n"):
                self._data.execute(statement)
            self._data.executemany("insert into about values (?, ?)", about.items())

    @property
    def _begun(self) -> bool:
        return bool(self._data.execute("select count(*) from sqlite_master").fetchone()[0])

    def _load(self) -> None:
        try:
            known = self._about("format")
        except sqlite3.DatabaseError:
            known = ""
        if known != FORMAT:
            raise BadTournament(f"{str(self.path)!r} is no tournament that this Serai can read")
        self.tournament = msgspec.json.decode(self._about("tournament"), type=Tournament)
        self.stop = msgspec.json.decode(self._about("stop"), type=Stop)
        self.secret = self._about("secret")
        self.seeded = self._about("seeded") == "yes"
        """Whether the secret is a seed that somebody chose, and who so knows the dice."""
        self.lineups: dict[int, Lineup] = {}
        self._numbers: dict[Lineup, int] = {}
        self.stored: dict[int, list[StoredGames]] = {}
        self.games = 0
        for number, seated in self._data.execute("select id, seated from lineups"):
            self._know(number, tuple(map(int, seated.split())))
        line = result_type(self.tournament.seats)
        for lineup, first, count, packed in self._data.execute("select * from runs order by lineup, first"):
            self._add(lineup, range(first, first + count), np.frombuffer(zlib.decompress(packed), line))
        self.rounds = int(self._data.execute("select coalesce(max(round), -1) + 1 from plan").fetchone()[0])

    def _know(self, number: int, seated: Lineup) -> None:
        self.lineups[number] = seated
        self._numbers[seated] = number

    def _add(self, lineup: int, numbers: range, results: Results) -> None:
        self.stored.setdefault(lineup, []).append(StoredGames(numbers, results))
        self.games += len(numbers)

    def _about(self, key: str) -> str:
        row = self._data.execute("select value from about where key = ?", (key,)).fetchone()
        return "" if row is None else str(row[0])


def gaps(wanted: range, played: Iterable[range]) -> list[range]:
    """The parts of a range that are in none of the others."""
    found, at = [], wanted.start
    for numbers in sorted(played, key=lambda numbers: numbers.start):
        if numbers.stop <= at or numbers.start >= wanted.stop:
            continue
        if numbers.start > at:
            found.append(range(at, numbers.start))
        at = numbers.stop
    if at < wanted.stop:
        found.append(range(at, wanted.stop))
    return found


def _opened(path: Path, *, new: bool) -> sqlite3.Connection:
    try:
        if new:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, _PRIVATE))
        elif not path.is_file():
            raise BadTournament(f"no tournament {str(path)!r}")
    except OSError as error:
        raise BadTournament(f"cannot write {str(path)!r}: {error.strerror}") from None
    data = sqlite3.connect(path, timeout=0.5)
    try:
        data.execute("pragma locking_mode = exclusive")
        data.execute("pragma journal_mode = wal")
        data.execute("pragma synchronous = normal")
        data.execute("begin immediate").connection.rollback()
    except sqlite3.OperationalError as error:
        data.close()
        if "locked" in str(error):
            raise BadTournament(f"{str(path)!r} is being played just now by another serai arena") from None
        raise BadTournament(f"cannot open {str(path)!r}: {error}") from None
    except sqlite3.DatabaseError:
        data.close()
        raise BadTournament(f"{str(path)!r} is no tournament") from None
    return data
