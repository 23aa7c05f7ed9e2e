"""What a worker must have so that its games are the same as here: the same versions, and the files of bots.

Files of bots that are named by a path in or below the current folder travel along. Others, and what a bot loads from
beside its file, must be at the same place on every worker, as in a shared folder.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

import msgspec

from serai.arena.cluster import BadCluster
from serai.bots.program import ISOLATED, program_spec
from serai.bots.specs import file_of

PACKAGES = ("serai", "numpy", "numba", "msgspec")
PYTHON = "Python"
CODE = "serai's own files"
_MISSING = "none"
_LEFT_OUT = {"web", "__pycache__"}
"""Folders of the package that no game depends on."""
_KINDS = {".py", ".json", ".npz", ".npy"}


def versions_here() -> dict[str, str]:
    """The versions of this process, with a fingerprint of Serai's code to distinguish two copies of one version."""
    found = {PYTHON: f"{sys.version_info[0]}.{sys.version_info[1]}"}
    found.update((package, _version(package)) for package in PACKAGES)
    return {**found, CODE: _fingerprint()}


def versions_from_dask(packages: Mapping[str, str | None]) -> dict[str, str]:
    """The versions that Dask reports of a worker, which may lack Serai."""
    python = ".".join((packages.get("python") or _MISSING).split(".")[:2])
    return {PYTHON: python, **{package: packages.get(package) or _MISSING for package in PACKAGES}}


def check_versions(needs: Requirements, there: Mapping[str, str], who: str = "") -> None:
    """Refuse a worker with other versions; ``who`` begins the sentence, if it is not begun yet."""
    here = needs.versions
    wrong = [f"{what} {there[what]} (here: {here[what]})" for what in here if here[what] != there.get(what, here[what])]
    if wrong:
        raise BadCluster(f"{who}has {', '.join(wrong)}: games would not be the same; install the same there as here")


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return _MISSING


@cache
def _fingerprint() -> str:
    """The beginning of the SHA-256 of all files of Serai that games may depend on."""
    home = Path(__file__).parents[2]
    found = hashlib.sha256()
    for file in sorted(home.rglob("*")):
        inner = file.relative_to(home)
        if file.suffix in _KINDS and not _LEFT_OUT.intersection(inner.parts):
            found.update(f"{inner.as_posix()} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()[:12]


# -- files of bots -----------------------------------------------------------------------------------------------------

_HEAVY = 4 << 20
"""Bytes; a larger file does not travel."""
_INSTALLED = ("/usr", "/bin", "/opt")
"""Where programs of the system are, which may differ a little."""


class BotFile(msgspec.Struct, frozen=True):
    """A file that is a bot or part of one."""

    path: str
    """As the bot's spec names it."""
    digest: str
    mode: int
    content: bytes | None
    """``None``: it does not travel."""


class Requirements(msgspec.Struct, frozen=True):
    """What one run of a command needs on every worker."""

    versions: dict[str, str]
    folder: str
    files: tuple[BotFile, ...]


def requirements_of(specs: Iterable[str]) -> Requirements:
    """The requirements of a run from this folder with these bots."""
    files = {str(file): file for spec in specs for file in _files_of(spec)}
    packed = tuple(_packed(path, file) for path, file in files.items())
    return Requirements(versions_here(), str(Path.cwd()), packed)


def prepare(needs: Requirements, scratch: Path) -> None:
    """Check versions in this process and change to the folder with the files of bots.

    That is the folder of the command, if it exists here with the same files; otherwise they are put into ``scratch``.
    """
    check_versions(needs, versions_here())
    home = Path(needs.folder)
    away = [file for file in needs.files if not _is_there(home, file)]
    if not away and home.is_dir():
        os.chdir(home)
        return
    for file in away:
        if file.content is None:
            there = "is another file" if (home / file.path).is_file() else "is not"
            raise BadCluster(
                f"the file {file.path!r} of a bot {there} there: put the same one at that place on every worker, or "
                "name it as it lies below the folder from which you start, so that it travels along"
            )
    for file in needs.files:
        if file.content is not None:
            target = scratch / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.content)
            target.chmod(file.mode)
    os.chdir(scratch)


def _files_of(spec: str) -> Iterator[Path]:
    """The files that a spec names."""
    program = program_spec(spec)
    if program is None or program.kind == ISOLATED:
        file = file_of(spec if program is None else program.rest)
        if file is not None:
            yield file
        return
    for word in shlex.split(program.rest):
        file = Path(word)
        if file.is_file() and not str(file).startswith(_INSTALLED):
            yield file


def _packed(path: str, file: Path) -> BotFile:
    content = file.read_bytes()
    travels = not file.is_absolute() and ".." not in file.parts and len(content) <= _HEAVY
    digest = hashlib.sha256(content).hexdigest()
    return BotFile(path, digest, file.stat().st_mode & 0o777, content if travels else None)


def _is_there(home: Path, file: BotFile) -> bool:
    place = home / file.path
    return place.is_file() and hashlib.sha256(place.read_bytes()).hexdigest() == file.digest
