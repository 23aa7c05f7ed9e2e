"""The walls around a bot that nobody vouches for, put up by its own process before any of the bot's code is loaded.

Inside them the bot can read what it is made of (Python or its own program, libraries, its folder) and nothing else of
the machine: no database, no other process, no network; it can write nothing, start nothing and signal nobody. What it
can still do is think, remember, look at which files there are (not into them) and use up its time and memory, which are
bounded. They need Linux 6.2 or later on x86-64 or ARM64; elsewhere :class:`NoWalls` is raised.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from serai.bots import landlock, seccomp

MEMORY = 2 * 1024**3
"""Bytes of a bot's own data."""
OPEN_FILES = 64

_SHARED = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"),
    *("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo"),
    *("/dev/zero", "/dev/random", "/dev/urandom"),
)
"""Libraries and the like that programs and Python's modules load."""
_NULL = Path("/dev/null")
_CAPABILITIES = 0x20080522
_PARENT_DIES, _KILLED = 1, 9


class NoWalls(Exception):
    """They cannot be put up here; the message says why."""


def possible() -> bool:
    """Whether this system has what they are made of."""
    return sys.platform == "linux" and landlock.version() >= landlock.LEAST and seccomp.known()


def confine(readable: Sequence[Path], *, executable: bool = False) -> None:
    """Put them up around this process, for good, leaving it these files and folders to read.

    ``executable``: they may also be executed, so that this process can become the program that it was started for.
    """
    if not possible():
        raise NoWalls("a bot can be shut in only by Linux 6.2 or later, with Landlock, on x86-64 or ARM64")
    if len(list(Path("/proc/self/task").iterdir())) != 1:
        raise NoWalls("something that is installed runs in every Python process and starts threads there")
    try:
        landlock.restrict(readable, [_NULL] if _NULL.exists() else [], executable=executable)
        _drop_capabilities()
        seccomp.restrict(executable=executable)
    except OSError as error:
        raise NoWalls(f"the system does not let bots be shut in: {error}") from error


def bound(cpu_seconds: int | None = None) -> None:
    """Bound this process's memory, its open files and its share of the processors, where the system can."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")  # where memory runs out, a bot goes first
    with contextlib.suppress(ImportError):
        import resource

        os.nice(5)
        _limit(resource.RLIMIT_DATA, MEMORY)
        _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
        _limit(resource.RLIMIT_CORE, 0)
        if cpu_seconds is not None:
            _limit(resource.RLIMIT_CPU, cpu_seconds)


def _limit(what: int, most: int) -> None:
    import resource

    hard = resource.getrlimit(what)[1]
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(OSError, ValueError):  # not every system bounds everything
        resource.setrlimit(what, (least, least))


def end_with_parent() -> None:
    """Let this process end when the one that started it does, however it ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DIES, _KILLED, 0, 0, 0)


def of_python(file: Path | None) -> list[Path]:
    """Python, what is installed for it, the libraries both need, and the folder of a bot that is a file."""
    named = [*sys.path, *(str(Path(prefix) / "lib") for prefix in (sys.prefix, sys.base_prefix))]
    if file is not None:
        named.append(str(file.absolute().parent))
    return with_libraries(named)


def with_libraries(named: Iterable[str | Path]) -> list[Path]:
    """Those of these files and folders that are there, and what every program may need of the system."""
    found = {Path(path).resolve() for path in (*named, *_SHARED) if path and Path(path).exists()}
    return sorted(path for path in found if not found & set(path.parents))


def _drop_capabilities() -> None:
    """What a process of the root user could do beyond its files."""
    libc = ctypes.CDLL(None, use_errno=True)
    head, none = struct.pack("=Ii", _CAPABILITIES, 0), bytes(24)
    if libc.capset(ctypes.c_char_p(head), ctypes.c_char_p(none)):
        raise OSError(ctypes.get_errno(), "capabilities cannot be given up")
