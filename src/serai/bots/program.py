"""Bots that are programs in any language, or bots in Python that think in a process of their own.

``process:./mybot --depth 3`` is a sandboxed program, ``trusted:./mybot`` one without a sandbox, and
``isolated:bot.py:Bot`` a sandboxed bot in Python, which speaks the same protocol. A bot in Python behind ``trusted:``
is no program: it thinks in the process of the game.

A process plays game after game, unless a new one is asked for. It never plays two games of one *pair*, that is with
the same dice, so what it remembers of one game is no help in the other. Nor is it there when the other is played
(:func:`end_pair`), so that it cannot pass on what it remembers.
"""

from __future__ import annotations

import itertools
import os
import random
import re
import shlex
import shutil
import sys
import weakref
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from serai.bots.contract import NoAnswer
from serai.bots.protocol import (
    MAX_RANDOM,
    BadLine,
    Decide,
    Greeting,
    Hello,
    NewGame,
    Over,
    Quit,
    read_choice,
    read_greeting,
    write_line,
)
from serai.core.chance import seat_of
from serai.core.game import Event, Game, State
from serai.errors import UnknownName
from serai.processes import sandbox
from serai.processes.program import WORKS_HERE, Command, Program, ProgramLost

PROCESS, TRUSTED, ISOLATED = "process:", "trusted:", "isolated:"
START_SECONDS = 30.0
"""For a program to start and greet, on a busy machine."""
STARTS = 4
"""How often a program is started for one game: once, and again when it was lost."""
IDLE = 16
"""Idle processes of one kind that wait for later games."""
GAMES = 200
"""Games after which a process is replaced by a new one."""

_HOW = "write it as you would in a shell, for example 'process:./mybot --depth 3' or 'process:python3 bot.py'"
_PYTHON = re.compile(r"(?P<place>.+?):[A-Za-z_]\w*\s*(\(.*\))?", re.DOTALL)
"""``FILE.py:NAME`` or ``MODULE:NAME``, with parameters or without."""
_ISOLATED_MAIN = "serai.bots.isolated_main"
_BESIDE_BIN = ("lib", "lib64", "libexec", "share", "pyvenv.cfg")
"""What stands beside ``bin`` where a language is installed."""
_INTERPRETERS = ("/usr/bin", "/bin", "/usr/local/bin", "/usr/share/nodejs", "/etc/ssl/openssl.cnf")
"""What first lines such as ``#!/usr/bin/env python3`` name, and what interpreters look for when they start."""
_MAX_FAULT = 300
"""Characters of what a program says of its own failure."""

_event_encoder = msgspec.json.Encoder()
_QUIT = write_line(Quit())


# -- specs -------------------------------------------------------------------------------------------------------------


class ProgramSpec(msgspec.Struct, frozen=True):
    """The parts of a spec that names a program."""

    kind: str
    rest: str
    """A command as in a shell; for ``isolated:`` the spec of a bot in Python."""


def program_spec(spec: str) -> ProgramSpec | None:
    """The parts of a spec that names a program; ``None`` for any other."""
    text = spec.strip()
    for kind in (PROCESS, TRUSTED, ISOLATED):
        if text.startswith(kind) and not (kind == TRUSTED and _is_python(text[len(kind) :].strip())):
            return ProgramSpec(kind, text[len(kind) :].strip())
    return None


def _is_python(rest: str) -> bool:
    """Whether a bot in Python is named, not a command."""
    found = _PYTHON.fullmatch(rest)
    if found is None:
        return False
    place = found["place"]
    if place.endswith(".py"):
        return not any(letter.isspace() for letter in place) or Path(place).is_file()
    return all(part.isidentifier() for part in place.split("."))


def title_of_command(command: str) -> str:
    """A short name for a program: of its file, or of the first file among its arguments."""
    words = command.split() or [""]
    named = next((word for word in words[1:] if Path(word).suffix and Path(word).is_file()), words[0])
    return Path(named).stem or command


def find_command(spec: ProgramSpec, code: Path | None = None) -> Command:
    """How to start the program; ``UnknownName`` or ``NoSandbox`` says why it cannot be started.

    ``code``: where the code of an isolated bot lies.
    """
    if not WORKS_HERE:
        raise UnknownName(
            "programs and isolated bots can play on Linux and macOS only, since this system cannot wait for pipes; "
            "name a bot in Python whose author you trust as trusted:FILE.py:NAME"
        )
    if spec.kind == ISOLATED:
        return _isolated(spec.rest, code)
    words = _words(spec.rest)
    found = _find_program(words[0])
    named = (str(found), *words[1:])
    if spec.kind == TRUSTED:
        return Command(str(found), named, "none", ())
    walls = sandbox.require(f"trusted:{spec.rest}")
    return Command(str(found), named, walls, tuple(map(str, _needed_files(found, words[1:]))))


def _isolated(spec: str, code: Path | None) -> Command:
    if not spec:
        raise UnknownName("no bot is named behind 'isolated:'; write isolated:FILE.py:NAME, or any other bot's name")
    importable = [path for path in sys.path if path]
    readable = [path for path in importable if not _is_lived_in(Path(path))]
    readable += [str(Path(__file__).parents[1]), *_INTERPRETERS[:3], sys.executable]
    readable += [str(Path(prefix) / part) for prefix in (sys.prefix, sys.base_prefix) for part in _BESIDE_BIN]
    if code is not None:
        readable += map(str, _with_folder(code.absolute()) if code.is_file() else [code.absolute()])
    words = (sys.executable, "-P", "-m", _ISOLATED_MAIN, spec, *importable)
    walls = sandbox.require(f"trusted:{spec}" if _is_python(spec) else "trusted:PACKAGE.MODULE:NAME")
    return Command(sys.executable, words, walls, tuple(readable))


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UnknownName(f"cannot read the command {command!r}: {str(error).lower()}; {_HOW}") from None
    if not words:
        raise UnknownName(f"no program is named; {_HOW}")
    return words


def _find_program(name: str) -> Path:
    found = shutil.which(name)
    if found is not None and name in ("python", "python3") and _is_script(Path(found)):
        return Path(sys.executable)  # a shim, which would have to start other programs to find the real one
    if found is not None:
        return Path(found).absolute()
    file = Path(name)
    if file.is_dir():
        raise UnknownName(f"{name!r} is a folder, no program; {_HOW}")
    if file.is_file() and os.sep not in name and os.access(file, os.X_OK):
        raise UnknownName(f"no program {name!r} on the PATH; for the one that lies here write './{name}'")
    if file.is_file():
        runs = {".py": "python3", ".js": "node"}.get(file.suffix)
        instead = f"name what runs it: 'process:{runs} {name}'" if runs else f"make it so: chmod +x {name}"
        raise UnknownName(f"{name!r} is not executable; {instead}")
    where = "here" if os.sep in name else "on the PATH"
    raise UnknownName(f"no program {name!r} {where}; {_HOW}")


def _is_script(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(2) == b"#!"


def _needed_files(found: Path, arguments: Sequence[str]) -> Iterator[Path]:
    """What a program reads: itself, what is installed with it, and the files that its arguments name."""
    yield from map(Path, _INTERPRETERS)
    for file in {found, found.resolve()}:
        yield from _with_folder(file)
        if file.parent.name == "bin":
            yield from (file.parent.parent / part for part in _BESIDE_BIN)
    for argument in arguments:
        named = Path(argument.rpartition("=")[2])
        if named.is_file():
            yield from _with_folder(named.absolute())
        elif argument and named.is_dir():
            yield named.absolute()


def _with_folder(file: Path) -> Iterator[Path]:
    """The file, and its folder; of a folder where somebody works only the files of data that lie there now.

    Where games are run there may be what a bot must not see: results, other bots, and what the dice are drawn from.
    """
    yield file
    yield file.resolve()
    folder = file.parent.resolve()
    if not _is_lived_in(folder):
        yield folder
    elif not _data_is_hidden and not _is_home(folder):
        data = (one for one in sorted(folder.iterdir()) if one.suffix in DATA and one.name[0] != "." and one.is_file())
        yield from (one for one in itertools.islice(data, _MOST_DATA) if not one.name.endswith(FAULT_FILE))


# fmt: off
DATA = frozenset((
    ".bin", ".csv", ".gz", ".h5", ".json", ".jsonl", ".model", ".msgpack", ".npy", ".npz", ".onnx", ".parquet",
    ".pickle", ".pkl", ".pt", ".pth", ".safetensors", ".txt", ".zip", ".zst",
))
# fmt: on
"""Ends of names of files that a bot may read beside its own where somebody works: weights, tables, opening books."""
FAULT_FILE = ".fault.json"
"""End of the name of a file with a failed decision, which holds what another bot saw."""
_MOST_DATA = 200
_data_is_hidden = False


def hide_data() -> None:
    """From now on, let bots whose file lies where somebody works read nothing there but that file."""
    global _data_is_hidden
    _data_is_hidden = True


def _is_home(folder: Path) -> bool:
    """Whether the home folder is this folder or lies in it."""
    try:
        return Path.home().resolve().is_relative_to(folder)
    except RuntimeError:  # not everybody has a home
        return False


def _is_lived_in(folder: Path) -> bool:
    """Whether the working folder or the home folder is this folder or lies in it."""
    return Path.cwd().resolve().is_relative_to(folder.resolve()) or _is_home(folder.resolve())


# -- bots --------------------------------------------------------------------------------------------------------------


class GreetedProgram:
    """A running program that has greeted."""

    def __init__(self, command: Command) -> None:
        self.program = Program(command)
        self.pairs: set[Hashable] = set()
        """The pairs of which a game was played by it, or while it was running."""
        try:
            self.greeting: Greeting = read_greeting(self.program.ask(write_line(Hello()), START_SECONDS))
        except (ProgramLost, BadLine) as error:
            printed = self.program.printed
            self.program.end()
            raise NoAnswer(f"{error}, when it was sent hello", printed) from None

    def end(self) -> None:
        self.program.end(_QUIT)


class ProgramMaker:
    """Makes bots of a program: called, one with a process of its own for this one game."""

    def __init__(self, game: Game, command: Command, title: str) -> None:
        self.command = command
        self._game, self._title = game, title
        self._idle: list[GreetedProgram] = []
        self._notations: dict[Any, tuple[str, int | None]] = {}
        _makers.add(self)

    def __call__(self) -> ProgramBot:
        """A bot with a new process, which ends with the game."""
        return self.make_for(None)

    def make_for(self, pair: Hashable | None) -> ProgramBot:
        """A bot for a game of this pair; its process has played none of them, and may play other games later."""
        process = self.process(pair)
        return (WatchingProgramBot if process.greeting.events else ProgramBot)(self, pair, process)

    def greeting(self) -> Greeting:
        """What the program says of itself, started for that alone."""
        process = GreetedProgram(self.command)
        process.end()
        return process.greeting

    def process(self, pair: Hashable | None) -> GreetedProgram:
        for process in self._idle:
            if pair is not None and pair not in process.pairs:
                self._idle.remove(process)
                process.pairs.add(pair)
                return process
        process = GreetedProgram(self.command)
        known = process.greeting.games
        if known is not None and self._game.name not in known:
            process.end()
            raise UnknownName(
                f"{self._title} does not play {self._game.name}; it says that it plays {', '.join(known)}"
            )
        process.pairs.add(pair)
        return process

    def give_back(self, process: GreetedProgram, pair: Hashable | None) -> None:
        """Keep a process whose game of this pair is over for later games, or end it."""
        for maker in list(_makers):
            for running in maker._idle:
                running.pairs.add(pair)
        if None in process.pairs or len(process.pairs) >= GAMES:
            process.end()
            return
        self._idle.append(process)
        if len(self._idle) > IDLE:
            self._idle.pop(0).end()

    def end_pair(self, pair: Hashable) -> None:
        """End the idle processes that were running while a game of this pair was played."""
        for process in [process for process in self._idle if pair in process.pairs]:
            self._idle.remove(process)
            process.end()

    def close(self) -> None:
        while self._idle:
            self._idle.pop().end()

    def actions(self, view: State) -> tuple[list[str], list[int] | None]:
        """The actions of a view in notation and in numbers."""
        notations, words, numbers = self._notations, [], []
        for action in view.actions():
            notation = notations.get(action)
            if notation is None:
                encoding = self._game.encoding
                number = None if encoding is None else int(encoding.number(action))
                notation = notations[action] = (str(action), number)
            words.append(notation[0])
            numbers.append(notation[1])
        return words, None if None in numbers else numbers  # type: ignore[return-value]

    def new_game(self, view: State) -> bytes:
        """The line that begins a game in which this is seen."""
        players = getattr(view, "players", None) or len(view.scores())
        game = self._game
        return write_line(NewGame(game.name, game.version, seat_of(view.actor), players, view.options))

    def first_lines(self, view: State, seconds: float | None) -> tuple[bytes, bytes]:
        """The lines that begin a game in which this is seen, and ask for a decision there."""
        words, numbers = self.actions(view)
        return self.new_game(view), write_line(Decide(words, numbers, seconds, 1, view, []))


_makers: weakref.WeakSet[ProgramMaker] = weakref.WeakSet()


def end_pair(pair: Hashable) -> None:
    """Before a game of this pair: end all idle processes in which somebody may remember another game of it."""
    for maker in list(_makers):
        maker.end_pair(pair)


class ProgramBot:
    """A program on one seat of one game."""

    def __init__(self, maker: ProgramMaker, pair: Hashable | None, process: GreetedProgram) -> None:
        self._maker, self._pair = maker, pair
        self._current: GreetedProgram | None = process
        self._starts = 1
        self._new_game = b""
        """The line that begins this game, once it is known."""
        self._has_begun = False
        """Whether the present process has been sent that line."""
        self._events: list[msgspec.Raw] = []
        """All that happened, as this seat saw it."""
        self._sent = 0
        """How many events the present process knows."""

    @property
    def pid(self) -> int:
        return self._process().program.pid

    def decide(self, view: State, rng: random.Random) -> Any:
        """Its answer, however long it takes."""
        return self.decide_within(view, rng, None)

    def decide_within(self, view: State, rng: random.Random, seconds: float | None) -> Any:
        """Its answer; ``NoAnswer`` if there is none in time that can be understood."""
        words, numbers = self._maker.actions(view)
        drawn = rng.randrange(MAX_RANDOM)
        process = self._process()
        try:
            if not self._has_begun:
                self._new_game = self._new_game or self._maker.new_game(view)
                process.program.send(self._new_game)
                self._has_begun = True
            question = Decide(words, numbers, seconds, drawn, view, self._events[self._sent :])
            self._sent = len(self._events)
            choice = read_choice(process.program.ask(write_line(question), seconds))
        except (ProgramLost, BadLine) as error:
            printed = process.program.printed
            self._lose()
            raise NoAnswer(str(error), printed) from None
        except BaseException:
            self._lose()  # interrupted while it was thinking: its answer would come too late
            raise
        if choice.fault is not None:
            raise NoAnswer(_one_line(choice.fault), process.program.read_printed())
        if choice.action is not None:
            return choice.action
        if numbers is None or choice.number not in numbers:
            legal = "the action in notation" if numbers is None else ", ".join(map(str, numbers))
            raise NoAnswer(f"answered number {choice.number}, which is not legal; legal: {legal}")
        return words[numbers.index(choice.number)]

    def __reduce__(self) -> NoReturn:
        raise TypeError("a program that plays cannot be copied: what it remembers is in its own process")

    def over(self, view: State) -> None:
        process = self._current
        if process is None or not self._has_begun:
            return
        self._has_begun = False
        scores, winners = (view.scores(), view.winners()) if view.over else ((), ())
        try:
            process.program.send(write_line(Over(scores, winners, self._events[self._sent :])))
        except ProgramLost:
            self._lose()
            return
        self._current = None
        self._starts = STARTS
        self._maker.give_back(process, self._pair)

    def close(self) -> None:
        """End its process; it is not started again."""
        if self._current is not None:
            self._current.end()
            self._current = None
        self._starts = STARTS

    def _process(self) -> GreetedProgram:
        if self._current is None:
            if self._starts >= STARTS:
                raise NoAnswer("was lost too often in this game, or its game has ended: it is not started again")
            self._starts += 1
            self._current = self._maker.process(self._pair)
        return self._current

    def _lose(self) -> None:
        """End its process; the next decision starts another, which is sent everything from the beginning."""
        if self._current is not None:
            self._current.program.end()
        self._current, self._has_begun, self._sent = None, False, 0


class WatchingProgramBot(ProgramBot):
    """A program that wants to know what happens between its decisions."""

    def watch(self, event: Event) -> None:
        """Send this event with the next decision."""
        self._events.append(msgspec.Raw(_event_encoder.encode(event)))


def _one_line(fault: str) -> str:
    """What a program says of its own failure, without characters that a terminal would obey."""
    return "".join(letter for letter in " ".join(fault.split()) if letter.isprintable())[:_MAX_FAULT] or "failed"
