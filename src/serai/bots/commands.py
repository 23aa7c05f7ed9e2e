"""Specs that name a program: how they are written, and what the program needs of the machine.

``process:./mybot --depth 3`` is a program that is shut in, ``trusted:./mybot`` the same without walls, and
``isolated:bot.py:Bot`` a bot in Python that thinks in a process of its own, behind the same protocol and walls. A bot
in Python behind ``trusted:`` is no program: it thinks in the process of the game.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from serai.bots import program
from serai.core.errors import UnknownName

PROCESS, TRUSTED, ISOLATED = "process:", "trusted:", "isolated:"
_HOW = "write it as you would in a shell, for example 'process:./mybot --depth 3' or 'process:python3 bot.py'"
_PYTHON = re.compile(r"(?P<place>.+?):[A-Za-z_]\w*\s*(\(.*\))?", re.DOTALL)
"""``FILE.py:NAME`` or ``MODULE:NAME``, with parameters or without."""
_SPEAKER = "serai.bots.speaker"
_PARTS = ("lib", "lib64", "libexec", "share", "pyvenv.cfg")
"""What stands beside ``bin`` where a language is installed."""
_PROGRAMS = ("/usr/bin", "/bin", "/usr/local/bin", "/usr/share/nodejs", "/etc/ssl/openssl.cnf")
"""What first lines such as ``#!/usr/bin/env python3`` name, and what interpreters look for when they start."""


class Names(msgspec.Struct, frozen=True):
    """A spec of this kind in its parts."""

    kind: str
    rest: str
    """A command as in a shell; the spec of a bot in Python, if it is isolated."""


def names_program(spec: str) -> Names | None:
    """The parts of a spec that names a program; ``None`` for any other."""
    text = spec.strip()
    for kind in (PROCESS, TRUSTED, ISOLATED):
        if text.startswith(kind) and not (kind == TRUSTED and _is_python(text[len(kind) :].strip())):
            return Names(kind, text[len(kind) :].strip())
    return None


def _is_python(rest: str) -> bool:
    """Whether a bot in Python is named rather than a command."""
    found = _PYTHON.fullmatch(rest)
    if found is None:
        return False
    place = found["place"]
    if place.endswith(".py"):
        return not any(letter.isspace() for letter in place) or Path(place).is_file()
    return all(part.isidentifier() for part in place.split("."))


def find_command(names: Names, code: Path | None = None) -> program.Command:
    """How to start it; ``UnknownName`` says why that cannot be. ``code``: where that of an isolated bot lies."""
    if not program.WORKS_HERE:
        raise UnknownName(
            "programs and bots that are shut in can play on Linux and macOS only: this system does not let us wait for "
            "them; a bot in Python whose author you trust is named trusted:FILE.py:NAME"
        )
    if names.kind == ISOLATED:
        return _speaker(names.rest, code)
    words = _words(names.rest)
    found = _found(words[0])
    shut_in = names.kind == PROCESS
    readable = tuple(map(str, _needed(found, words[1:]))) if shut_in else ()
    return program.Command(str(found), (str(found), *words[1:]), shut_in, readable)


def title_of_command(command: str) -> str:
    """A short name for a program: of its file, or of the first file that it is called with."""
    words = command.split() or [""]
    named = next((word for word in words[1:] if Path(word).suffix and Path(word).is_file()), words[0])
    return Path(named).stem or command


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UnknownName(f"cannot read the command {command!r}: {str(error).lower()}; {_HOW}") from None
    if not words:
        raise UnknownName(f"no program is named; {_HOW}")
    return words


def _found(name: str) -> Path:
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


def _needed(found: Path, arguments: Sequence[str]) -> Iterator[Path]:
    """What a program reads: itself, what is installed with it, and the files that its arguments name."""
    yield from map(Path, _PROGRAMS)
    for file in {found, found.resolve()}:
        yield from _with_folder(file)
        if file.parent.name == "bin":
            yield from (file.parent.parent / part for part in _PARTS)
    for argument in arguments:
        named = Path(argument.rpartition("=")[2])
        if named.is_file():
            yield from _with_folder(named.absolute())
        elif argument and named.is_dir():
            yield named.absolute()


def _with_folder(file: Path) -> Iterator[Path]:
    """The file, and its folder if that is one of its own rather than one where somebody works or lives.

    Where games are run there may be what a bot must not see: results, and what the dice are drawn from.
    """
    yield file
    yield file.resolve()
    folder = file.parent.resolve()
    if not _lived_in(folder):
        yield folder


def _lived_in(folder: Path) -> bool:
    """Whether that is where somebody works or lives, or above it."""
    places = [Path.cwd()]
    with contextlib.suppress(RuntimeError):  # not everybody has a home
        places.append(Path.home())
    return any(place.resolve().is_relative_to(folder.resolve()) for place in places)


def _speaker(spec: str, code: Path | None) -> program.Command:
    if not spec:
        raise UnknownName("no bot is named behind 'isolated:'; write isolated:FILE.py:NAME, or any other bot's name")
    importable = [path for path in sys.path if path]
    readable = [path for path in importable if not _lived_in(Path(path))]
    readable += [str(Path(__file__).parents[1]), *_PROGRAMS[:3], sys.executable]
    readable += [str(Path(prefix) / part) for prefix in (sys.prefix, sys.base_prefix) for part in _PARTS]
    if code is not None:
        readable += map(str, _with_folder(code.absolute()) if code.is_file() else [code.absolute()])
    words = (sys.executable, "-P", "-m", _SPEAKER, spec, *importable)
    return program.Command(sys.executable, words, walls=True, readable=tuple(readable))
