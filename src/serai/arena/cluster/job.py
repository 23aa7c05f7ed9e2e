"""What a worker has to know before it plays: the versions to have, the folder to work in, and the files of bots.

Files of bots that are named as they lie in or below the folder travel along. Others, and whatever a bot loads from
beside its file, must be at the same place on every worker, as in a shared folder.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from serai.arena.cluster.errors import BadCluster
from serai.arena.cluster.versions import difference, versions_here
from serai.bots.commands import ISOLATED, names_program
from serai.bots.specs import file_of

_HEAVY = 4 << 20
"""Bytes; a file that is larger does not travel."""
_INSTALLED = ("/usr", "/bin", "/opt")
"""Where programs are that come with a system, and may differ a little."""


class BotFile(msgspec.Struct, frozen=True):
    """A file that is a bot, or a part of one."""

    path: str
    """As the bot's spec names it."""
    digest: str
    mode: int
    content: bytes | None
    """``None``: it does not travel."""


class Job(msgspec.Struct, frozen=True):
    """One run of a command that asks for a cluster."""

    id: str
    versions: dict[str, str]
    folder: str
    files: tuple[BotFile, ...]


def job_for(specs: Iterable[str]) -> Job:
    """The job of a run from this folder with these bots."""
    files = {str(file): file for spec in specs for file in _files_of(spec)}
    packed = tuple(_packed(path, file) for path, file in files.items())
    return Job(secrets.token_hex(8), versions_here(), str(Path.cwd()), packed)


def prepare(job: Job, scratch: Path) -> None:
    """Make ready for a job in this process: check versions, and go to where the files of its bots are.

    That is the same folder as at home, if it is here with the same files; otherwise they are put into ``scratch``.
    """
    wrong = difference(job.versions, versions_here())
    if wrong:
        raise BadCluster(f"{wrong}: games would not be the same; install the same there as here")
    home = Path(job.folder)
    away = [file for file in job.files if not _is_there(home, file)]
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
    for file in job.files:
        if file.content is not None:
            target = scratch / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.content)
            target.chmod(file.mode)
    os.chdir(scratch)


def _files_of(spec: str) -> Iterator[Path]:
    """The files that a spec names, as far as one can see from it."""
    program = names_program(spec)
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
