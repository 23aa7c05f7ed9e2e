"""The description of a tournament: entrants, game, schedule, limits and stopping rules, from a TOML file or flags."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

import msgspec

from serai.arena.ratings import Rank
from serai.bots.program import ISOLATED, TRUSTED, ProgramMaker, program_spec
from serai.bots.specs import bot_title, file_of, find_bot, find_working_bot, sandboxed_spec, walls_of
from serai.core.game import Game
from serai.core.registry import did_you_mean
from serai.core.registry import game as find_game
from serai.errors import SeraiError
from serai.processes.sandbox import Walls

Schedule = Literal["all", "ladder"]
Lineup = tuple[int, ...]
"""Places of entrants in the order in which they sit. The seats rotate, so only who follows whom matters."""
_ENOUGH = 1000
"""Games of a tournament without a stopping rule."""


class BadTournament(SeraiError):
    """A tournament that cannot be played as described; the message says what to change."""


class Entrant(msgspec.Struct, frozen=True):
    """A bot that takes part."""

    name: str
    spec: str
    """As in :mod:`serai.bots.specs`; Python code that is not part of Serai is isolated unless it is trusted."""
    file: str = ""
    """The SHA-256 of its file when the tournament began; empty if it has none."""


class Limits(msgspec.Struct, frozen=True):
    """Seconds that an entrant may think; ``None``: no limit."""

    decision: float | None = 10.0
    game: float | None = None
    """For all its decisions of a game together."""


class Stop(msgspec.Struct, frozen=True):
    """Stopping rules; the first that applies ends the tournament."""

    games: int | None = None
    minutes: float | None = None
    settled: Literal["sprt", "interval"] | None = None
    """Stop when it is known of every two neighbours in the standings who is better."""
    points: float = 20.0
    """Two who are no further apart count as equal."""


class Tournament(msgspec.Struct, frozen=True):
    """Everything that determines its games, except the secret of its dice."""

    game: str
    rules: str
    seats: int
    entrants: tuple[Entrant, ...]
    options: dict[str, Any]
    schedule: Schedule = "all"
    rank: Rank = "places"
    anchor: str = ""
    """The name of the entrant whose rating is fixed; empty: the mean of all is fixed."""
    limits: Limits = Limits()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entrants."""
        return tuple(entrant.name for entrant in self.entrants)

    @property
    def anchored(self) -> int | None:
        """The place of the anchor among the entrants."""
        return self.names.index(self.anchor) if self.anchor else None

    def walls(self) -> dict[str, Walls]:
        """By name of each entrant that is not part of Serai: what guards it on this system."""
        found = {entrant.name: walls_of(find_game(self.game), entrant.spec) for entrant in self.entrants}
        return {name: walls for name, walls in found.items() if walls is not None}

    def check_place(self, path: Path) -> None:
        """Refuse a file for the tournament, with the secret of its dice, that an isolated bot could read."""
        for entrant in self.entrants:
            if program_spec(entrant.spec) is None:
                continue
            make = find_bot(find_game(self.game), entrant.spec)
            assert isinstance(make, ProgramMaker)
            folder = next(
                (one for one in make.command.readable if path.resolve().is_relative_to(Path(one).resolve())), None
            )
            if folder is not None and make.command.sandboxed:
                raise BadTournament(
                    f"{str(path)!r} would lie in {folder!r}, where {entrant.name!r} can read the secret of its dice: "
                    "keep it elsewhere with --file"
                )

    def check_files(self) -> None:
        """Refuse to continue with bots whose files have changed."""
        for entrant in self.entrants:
            if _fingerprint(entrant.spec) != entrant.file:
                raise BadTournament(
                    f"the file of {entrant.name!r} ({entrant.spec}) has changed or is not found from here: its games "
                    "would not go together; begin another tournament with --file"
                )

    def differs(self, other: Tournament) -> str:
        """The first difference from another tournament; empty if there is none."""
        mine, theirs = msgspec.to_builtins(self), msgspec.to_builtins(other)
        for name, value in mine.items():
            if value != theirs[name]:
                return f"{name}: {_short(value)} here, {_short(theirs[name])} there"
        return ""


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament as people write it; :meth:`settle` fills in the rest."""

    game: str
    entrants: list[str | dict[str, str]]
    seats: int | None = None
    options: dict[str, Any] = {}
    schedule: Schedule = "all"
    rank: Rank = "places"
    anchor: str | None = None
    seed: str | None = None
    """For repeatable games; without it the dice come from a secret."""
    adjust: bool = False
    """Whether the coach judges the luck of every game, for standings without luck."""
    stop: Stop = Stop()
    limits: Limits = Limits()

    @classmethod
    def read(cls, path: Path) -> Self:
        """The description in a TOML file; ``BadTournament`` says what is wrong with it."""
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise BadTournament(f"cannot read {str(path)!r}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise BadTournament(f"cannot read {str(path)!r}: not UTF-8 text") from None
        except tomllib.TOMLDecodeError as error:
            raise BadTournament(f"{path}: {error}") from None
        for where, kind in (("", cls), ("stop", Stop), ("limits", Limits)):
            inner = table if not where else table.get(where, {})
            if isinstance(inner, Mapping):
                _check_names(path, where, inner, kind)
        if isinstance(table.get("seed"), int):
            table["seed"] = str(table["seed"])
        try:
            asked = msgspec.convert(table, cls)
        except msgspec.ValidationError as error:
            raise BadTournament(f"{path}: {str(error).replace('$.', '').replace(' - at', ', at')}") from None
        entrants: list[str | dict[str, str]] = [_from_folder(path.parent, entrant) for entrant in asked.entrants]
        return msgspec.structs.replace(asked, entrants=entrants)

    def settle(self) -> tuple[Tournament, Stop]:
        """The complete tournament and its stopping rules; every entrant is made once to check it."""
        game = find_game(self.game)
        entrants = tuple(_entrant(game, entrant) for entrant in self.entrants)
        if len(entrants) < 2:
            raise BadTournament(f"a tournament needs two entrants or more, not {len(entrants)}")
        names = [entrant.name for entrant in entrants]
        for name in names:
            if names.count(name) > 1:
                raise BadTournament(f"two entrants are called {name!r}: give each a name, as in NAME=SPEC")
        seats = min(4, game.players[-1]) if self.seats is None else self.seats
        options = game.settled(seats, self.options)
        anchor = self.anchor
        if anchor is None:
            anchor = game.yardstick if game.yardstick in names else ""
        elif anchor and anchor not in names:
            raise BadTournament(f"the anchor {anchor!r} is no entrant{did_you_mean(anchor, names)}")
        return (
            Tournament(
                game.name, game.version, seats, entrants, options, self.schedule, self.rank, anchor, self.limits
            ),
            _checked(self.stop, self.limits),
        )


def _checked(stop: Stop, limits: Limits) -> Stop:
    for what, value in (
        ("games to stop after", stop.games),
        ("minutes to stop after", stop.minutes),
        ("points between neighbours", stop.points),
        ("the limit of a decision", limits.decision),
        ("the limit of a game", limits.game),
    ):
        if value is not None and not value > 0:
            raise BadTournament(f"{what} must be more than 0, not {value:g}")
    if stop.games is None and stop.minutes is None and stop.settled is None:
        return msgspec.structs.replace(stop, games=_ENOUGH)
    return stop


def _entrant(game: Game, asked: str | dict[str, str]) -> Entrant:
    if isinstance(asked, str):
        name, equals, spec = asked.partition("=")
        if not equals or not name.strip().replace("-", "").replace("_", "").isalnum():
            name, spec = "", asked
    else:
        unknown = [key for key in asked if key not in ("name", "spec")]
        if unknown or "spec" not in asked:
            raise BadTournament(f"an entrant is {{name = …, spec = …}}, not {asked!r}")
        name, spec = asked.get("name", ""), asked["spec"]
    spec = sandboxed_spec(game, spec)
    find_working_bot(game, spec)
    return Entrant(name.strip() or bot_title(spec), spec.strip(), _fingerprint(spec))


def _fingerprint(spec: str) -> str:
    """The SHA-256 of a bot's file; empty if it has none."""
    file = file_of(spec)
    return hashlib.sha256(file.read_bytes()).hexdigest() if file is not None and file.is_file() else ""


def _from_folder(folder: Path, entrant: str | dict[str, str]) -> str | dict[str, str]:
    """The entrant with the path of its file relative to the folder of the description."""

    def placed(spec: str) -> str:
        file = file_of(spec)
        if file is None or file.is_absolute() or folder == Path():
            return spec
        kind = next((kind for kind in (ISOLATED, TRUSTED) if spec.strip().startswith(kind)), "")
        return f"{kind}{folder / spec.strip().removeprefix(kind).strip()}"

    if isinstance(entrant, str):
        return placed(entrant)
    return {key: placed(value) if key == "spec" else value for key, value in entrant.items()}


def _check_names(path: Path, where: str, table: Mapping[str, Any], kind: type[msgspec.Struct]) -> None:
    known = kind.__struct_fields__
    for name in table:
        if name not in known:
            part = f"[{where}] " if where else ""
            raise BadTournament(f"{path}: {part}no {name!r}{did_you_mean(name, known)}; known: {', '.join(known)}")


def _short(value: Any) -> str:
    said = ", ".join(one["spec"] for one in value) if isinstance(value, list | tuple) else str(value)
    return said if len(said) <= 80 else f"{said[:79]}…"
