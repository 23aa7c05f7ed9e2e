"""Reading and writing records, with a reason a person can act on when it does not work."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import click
from platformdirs import user_data_path

from serai.core.errors import BadRecord
from serai.core.record import Record

_LARGEST = 4 * 1024 * 1024
"""Far beyond any record; a file that is larger is something else."""
_PRIVATE = 0o600


class Failure(click.ClickException):
    """Something could not be done; the message says what and why."""


def read_record(path: Path) -> Record:
    """The record in a file: ``Failure`` if it cannot be read at all, ``BadRecord`` if it is no record."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise Failure(f"cannot read {str(path)!r}: {error.strerror}") from None
    if len(data) > _LARGEST:
        raise Failure(f"cannot read {str(path)!r}: too large to be a record of a game")
    if b"\0" in data:
        raise Failure(f"cannot read {str(path)!r}: a binary file, not a record of a game")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Failure(f"cannot read {str(path)!r}: not UTF-8 text (line {line})") from None
    return Record.read(text)


def load_record(path: Path) -> Record:
    """As :func:`read_record`, but for commands that cannot go on with a bad record: the message names the file."""
    try:
        return read_record(path)
    except BadRecord as error:
        raise named(path, error) from None


def named(path: Path, error: BadRecord) -> Failure:
    """What is wrong with the record in this file."""
    return Failure(f"{path}: {error}")


def save_privately(path: Path, text: str) -> None:
    """Write a file that only its owner may read, all of it or nothing, so that no crash leaves half a game."""
    draft = path.with_name(path.name + ".tmp")
    try:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        raise Failure(f"cannot write {str(path)!r}: {error.strerror}") from None


def write_record(path: Path, record: Record) -> None:
    """Write a record that holds no secret of a running game."""
    write_text(path, record.write())


def write_text(path: Path, text: str) -> None:
    """Write a file that anybody may read."""
    try:
        path.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise Failure(f"cannot write {str(path)!r}: {error.strerror}") from None


def make_folder(path: Path) -> Path:
    """The folder, made if need be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"cannot make folder {str(path)!r}: {error.strerror}") from None
    return path


def home() -> Path:
    """Where Serai keeps a person's games: ``SERAI_HOME``, or the place this system has for such things."""
    given = os.environ.get("SERAI_HOME")
    if given:
        return Path(given)
    try:
        if sys.platform == "darwin":
            # where games were saved before, which not every disk and setting takes for the same folder
            earlier = Path.home() / "Library" / "Application Support" / "Serai"
            if earlier.is_dir():
                return earlier
        return user_data_path("serai", appauthor=False)
    except RuntimeError as error:
        raise Failure(f"no folder for games: {error}, or SERAI_HOME") from None


def games_folder() -> Path:
    """Where terminal games are saved."""
    return make_folder(home() / "games")
