"""Linux's Landlock: a process gives up, for good, every file that it does not name, and others' memory with them."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path

LEAST = 3
"""The first version (Linux 6.2) that also keeps a process from cutting off files."""

_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""System calls, of the same number on every machine."""
_ASK_VERSION = 1
_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_FILES = {3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""By version: all that can be done to files."""
_TCP, _TCP_SINCE = 0b11, 4
_SIGNALS_AND_SOCKETS, _SCOPES_SINCE = 0b11, 6
_NO_NEW_PRIVILEGES = 38


def version() -> int:
    """What the kernel offers; 0 for nothing."""
    return max(_call(_CREATE, None, 0, _ASK_VERSION), 0)


def restrict(readable: Iterable[Path], writable: Iterable[Path], *, executable: bool = False) -> None:
    """Leave this process (it must have one thread) these files and folders to read, and those files also to write.

    Nothing can be made, renamed, removed or changed, and nothing executed unless what is readable is ``executable``;
    from version 4 on no TCP connection can be had, from version 6 on no process outside can be sent a signal. Raises
    ``OSError`` where that cannot be.
    """
    offered = version()
    if offered < LEAST:
        raise OSError(f"Landlock {offered or 'is not there'}")
    rights = _FILES[5 if offered >= 5 else 3]
    wanted = [rights, _TCP if offered >= _TCP_SINCE else 0, _SIGNALS_AND_SOCKETS if offered >= _SCOPES_SINCE else 0]
    size = 8 * (3 if offered >= _SCOPES_SINCE else 2 if offered >= _TCP_SINCE else 1)
    rules = _checked(_CREATE, struct.pack("=QQQ", *wanted), size, 0)
    reading = _READ_FILE | (_EXECUTE if executable else 0)
    try:
        for path in readable:
            _allow(rules, path, reading | (_READ_FOLDER if path.is_dir() else 0))
        for path in writable:
            _allow(rules, path, _READ_FILE | _WRITE_FILE)
        if _libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "new privileges cannot be given up")
        _checked(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: Path, rights: int) -> None:
    beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        _checked(_ADD, rules, _BENEATH, struct.pack("=Qi", rights, beneath), 0)
    finally:
        os.close(beneath)


def _checked(number: int, *arguments: int | bytes) -> int:
    done = _call(number, *arguments)
    if done < 0:
        raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
    return done


def _call(number: int, *arguments: int | bytes | None) -> int:
    given = [ctypes.c_long(each) if isinstance(each, int) else ctypes.c_char_p(each) for each in arguments]
    done: int = _libc().syscall(ctypes.c_long(number), *given)
    return done


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
