"""What a sandboxed process uses, counted from outside: memory of every kind, and threads.

The limits of the system leave gaps: they know only some kinds of memory, and threads only for a whole user.
"""

from __future__ import annotations

import time
from pathlib import Path

from serai.processes.sandbox import MEMORY

MOST_MEMORY = MEMORY + 256 * 1024**2
"""Bytes; more than the limit that a process meets itself, since stacks and tables of pages count here, too."""
MOST_THREADS = 256
LOOK_SECONDS = 0.1
"""Between two looks at a process that thinks."""

_MEMORY, _THREADS = (b"RssAnon", b"RssShmem", b"VmSwap", b"VmPTE", b"HugetlbPages"), b"Threads"
"""Lines of a process's ``status``: kilobytes, and how many there are."""
_COUNTED = {*_MEMORY, _THREADS}


class Usage:
    """Looks at one process now and then."""

    def __init__(self, pid: int) -> None:
        self._file = Path(f"/proc/{pid}/status")
        self._next = 0.0

    def excess(self) -> str:
        """What the process has too much of, to follow its name; empty if nothing, or if it was just looked at."""
        now = time.monotonic()
        if now < self._next:
            return ""
        self._next = now + LOOK_SECONDS
        try:
            lines = self._file.read_bytes().splitlines()
        except OSError:  # it has ended, or the system has no such files
            return ""
        counted = {
            name: int(rest.split()[0]) for name, _, rest in (line.partition(b":") for line in lines) if name in _COUNTED
        }
        if sum(counted[name] for name in _MEMORY if name in counted) * 1024 > MOST_MEMORY:
            return f"used more than {MEMORY // 1024**3} GiB of memory"
        if counted.get(_THREADS, 0) > MOST_THREADS:
            return f"started more than {MOST_THREADS} threads"
        return ""
