"""A lock that one process holds on a file for as long as it lives, and that tells who holds it."""

from __future__ import annotations

import os
from pathlib import Path

if os.name == "nt":
    import msvcrt
else:
    import fcntl

_FAR = 1 << 30
"""Where the locked byte lies on Windows: beyond the text, so that others can still read that."""


class Held(Exception):
    """Somebody else has the lock."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


class FileLock:
    """Taken on construction, given back by :meth:`release` or by the end of the process, however it ends."""

    def __init__(self, path: Path, holder: str) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._file)
        except OSError:
            told = os.read(self._file, 200).decode(errors="replace").strip()
            os.close(self._file)
            raise Held(told) from None
        os.ftruncate(self._file, 0)
        os.write(self._file, f"process {os.getpid()}{', ' if holder else ''}{holder}\n".encode())

    def release(self) -> None:
        """Let others have it."""
        os.close(self._file)


if os.name == "nt":

    def _lock(file: int) -> None:
        os.lseek(file, _FAR, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        os.lseek(file, 0, os.SEEK_SET)

else:

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
