"""A file in the user's cache folder that is whole, of the right version, or treated as if it were not there.

It holds one block of bytes behind a short header with version, length and checksum. It is written beside its place
and renamed there, so nobody ever sees half of it and writers that race each other do no harm. What goes wrong with
the disk is nobody's business here: reading answers ``None``, writing does nothing.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import time
import zlib
from collections.abc import Iterable
from pathlib import Path

from platformdirs import user_cache_path

_HEADER = struct.Struct("<12sIQII")
_MAGIC = b"serai cache\n"
HEADER_SIZE = 64
"""The block starts here, so that what is mapped lies on a cache line."""
_LEFTOVER_AGE = 3600.0
"""No writer takes an hour."""


def folder() -> Path:
    """Where Serai may keep what it can compute again: ``$SERAI_CACHE``, or the system's place for such files."""
    own = os.environ.get("SERAI_CACHE")
    return Path(own) if own else user_cache_path("serai", appauthor=False)


def read(name: str, version: int, size: int) -> memoryview | None:
    """The block of that version and size, mapped into memory; ``None`` unless its checksum holds."""
    try:
        with (folder() / name).open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError, RuntimeError):  # nothing there, no right to read, empty, no home folder
        return None
    if len(mapped) != HEADER_SIZE + size:
        return None
    view = memoryview(mapped)
    block = view[HEADER_SIZE:]
    if bytes(view[:HEADER_SIZE]) != _header(version, size, zlib.crc32(block)):
        return None
    return block


def write(name: str, version: int, parts: Iterable[memoryview]) -> None:
    """Put the block of these parts in its place, if the disk lets us."""
    blocks = list(parts)
    checksum = 0
    for block in blocks:
        checksum = zlib.crc32(block, checksum)
    header = _header(version, sum(block.nbytes for block in blocks), checksum)
    beside: str | None = None
    try:
        folder().mkdir(parents=True, exist_ok=True)
        _sweep_leftovers(name)
        handle, beside = tempfile.mkstemp(prefix=f".{name}.", dir=folder())
        with os.fdopen(handle, "wb") as file:
            file.write(header)
            for block in blocks:
                file.write(block)
        Path(beside).replace(folder() / name)
    except (OSError, RuntimeError):
        if beside is not None:
            Path(beside).unlink(missing_ok=True)


def _sweep_leftovers(name: str) -> None:
    """Remove what writers left behind that were killed at work."""
    for leftover in folder().glob(f".{name}.*"):
        if time.time() - leftover.stat().st_mtime > _LEFTOVER_AGE:
            leftover.unlink(missing_ok=True)


def _header(version: int, size: int, checksum: int) -> bytes:
    fields = _HEADER.pack(_MAGIC, version, size, checksum, 0)
    return fields.ljust(HEADER_SIZE - 4, b"\0") + struct.pack("<I", zlib.crc32(fields))
