"""A lock that one process holds on a file for as long as it lives, and that tells who holds it.

It goes by the file, whatever the path by which that is named: links are followed, and a file with several names (hard
links) is nobody's, since SQLite, too, keeps its journal beside one name and would not find it by another.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from serai.server.store.base import StoreError

if os.name == "nt":
    import msvcrt
else:
    import fcntl

_SUFFIX = ".lock"
_FAR = 1 << 30
"""Where the locked byte lies on Windows: beyond the text, so that others can still read that."""


class Held(Exception):
    """Somebody else has the lock."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


def one_file(path: Path) -> Path:
    """The file that is meant, by its one name; ``StoreError`` if it has several."""
    try:
        path = path.resolve()
        if not path.is_file() or path.stat().st_nlink == 1:
            return path
        names = [Path(found) for found in os.scandir(path.parent) if found.is_file() and path.samefile(found)]
    except (OSError, RuntimeError) as error:  # links that lead round in a circle, among others
        raise StoreError(f"{path} cannot be used as a database: {error}") from None
    held = "".join(f"; {name} is used by {holder}" for name in names if (holder := _holder_of(name)))
    raise StoreError(
        f"{path} has more than one name (a hard link), and whoever uses it by another name would damage it{held}; "
        "remove the other name, or make a copy with 'serai backup'"
    )


class FileLock:
    """Taken on construction, given back by :meth:`release` or by the end of the process, however it ends."""

    def __init__(self, path: Path, holder: str) -> None:
        self._file = os.open(path.with_name(path.name + _SUFFIX), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._file)
        except OSError:
            told = _told(self._file)
            os.close(self._file)
            raise Held(told) from None
        os.ftruncate(self._file, 0)
        os.write(self._file, f"process {os.getpid()}{', ' if holder else ''}{holder}\n".encode())

    def release(self) -> None:
        """Let others have it."""
        os.close(self._file)


def _holder_of(path: Path) -> str:
    """Who holds the lock on a file; nothing if nobody does."""
    with contextlib.suppress(OSError):
        file = os.open(path.with_name(path.name + _SUFFIX), os.O_RDWR)
        try:
            _lock(file)
        except OSError:
            return _told(file)
        finally:
            os.close(file)
    return ""


def _told(file: int) -> str:
    os.lseek(file, 0, os.SEEK_SET)
    return os.read(file, 200).decode(errors="replace").strip()


if os.name == "nt":

    def _lock(file: int) -> None:
        os.lseek(file, _FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        os.lseek(file, 0, os.SEEK_SET)

else:

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
