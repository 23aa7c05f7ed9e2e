"""The step between a bot's new process and the bot's program: bound it, shut it in, become the program.

``python -I -S launch.py START``, with :class:`START <Start>` as JSON. It is run as a file and loads next to nothing of
Serai, since every game of a program may begin with it.
"""

from __future__ import annotations

import json
import os
import sys
import types
from pathlib import Path
from typing import NoReturn, TypedDict

REFUSED = 125
"""The exit code of a process that did not become its program; its standard error says why."""
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
"""The same for every program, and nothing of whoever starts it."""
CPU_SECONDS = 6 * 60 * 60
"""For a whole process, should it ever get away from whoever started it."""


class Start(TypedDict):
    """How to begin."""

    parent: int
    """With this process it ends."""
    walls: bool
    readable: list[str]
    """What the program can read and execute, inside of walls."""
    program: str
    command: list[str]


def main(start: Start) -> NoReturn:
    """Become the program."""
    from serai.bots import walls

    walls.end_with_parent()
    if os.getppid() != start["parent"]:
        raise SystemExit(REFUSED)  # it went before we could tie ourselves to it
    walls.bound(cpu_seconds=CPU_SECONDS)
    try:
        if start["walls"]:
            walls.confine([Path(path) for path in start["readable"]], executable=True)
        os.execve(start["program"], start["command"], ENVIRONMENT)  # noqa: S606 - a shell is what nobody wants here
    except (OSError, walls.NoWalls) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        sys.stderr.write(f"{start['command'][0]}: {reason}\n")
        raise SystemExit(REFUSED) from None


def _leave_the_rest_of_the_house() -> None:
    """Let modules of ``serai.bots`` be imported by themselves, without what their packages load."""
    here = Path(__file__).resolve().parent
    for name, folder in (("serai", here.parent), ("serai.bots", here)):
        package = types.ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package


if __name__ == "__main__":
    _leave_the_rest_of_the_house()
    main(json.loads(sys.argv[1]))
