"""Reading and writing files: every failure is one sentence for the user."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import click
from platformdirs import user_data_path

from serai.core.record import Record
from serai.errors import BadRecord

_LARGEST = 4 * 1024 * 1024
"""Bytes: far more than any record has."""
_PRIVATE = 0o600


class Failure(click.ClickException):
    """A command failed; the message says what and why."""


def read_record(path: Path) -> Record:
    """The record in a file: ``Failure`` if the file cannot be read, ``BadRecord`` if it is not a record."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise Failure(f"cannot read {str(path)!r}: {error.strerror}") from None
    if len(data) > _LARGEST:
        raise Failure(f"cannot read {str(path)!r}: too large for a record of a game")
    if b"\0" in data:
        raise Failure(f"cannot read {str(path)!r}: a binary file, not a record of a game")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Failure(f"cannot read {str(path)!r}: not UTF-8 text (line {line})") from None
    return Record.read(text)


def load_record(path: Path) -> Record:
    """As :func:`read_record`, but a bad record is a ``Failure`` too, which names the file."""
    try:
        return read_record(path)
    except BadRecord as error:
        raise named(path, error) from None


def named(path: Path, error: BadRecord) -> Failure:
    """The failure for a bad record in this file."""
    return Failure(f"{path}: {error}")


def save_privately(path: Path, text: str) -> None:
    """Write a file that only its owner may read, atomically, so that no crash leaves half a game."""
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
    """Write a record that anybody may read, so without the secret of a running game."""
    write_text(path, record.write())


def write_text(path: Path, text: str) -> None:
    """Write a file that anybody may read."""
    try:
        path.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise Failure(f"cannot write {str(path)!r}: {error.strerror}") from None


def make_folder(path: Path) -> Path:
    """The folder, created if necessary."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"cannot create folder {str(path)!r}: {error.strerror}") from None
    return path


def home() -> Path:
    """The folder of a person's games: ``SERAI_HOME``, or the system's usual place for user data."""
    given = os.environ.get("SERAI_HOME")
    if given:
        return Path(given)
    try:
        if sys.platform == "darwin":
            # games were saved here before; on a case-sensitive disk it is another folder than the one below
            earlier = Path.home() / "Library" / "Application Support" / "Serai"
            if earlier.is_dir():
                return earlier
        return user_data_path("serai", appauthor=False)
    except RuntimeError as error:
        raise Failure(f"no folder for games: {error}, or set SERAI_HOME") from None


def games_folder() -> Path:
    """Where terminal games are saved."""
    return make_folder(home() / "games")
