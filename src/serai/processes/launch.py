"""The step between a new process and a program: limit it, sandbox it, become the program.

``python -I -S launch.py PARENT WALLS READABLE PROGRAM WORD…`` (READABLE as JSON). It is run as a file and loads next to
nothing of Serai, since every game of a program may begin with it.
"""

from __future__ import annotations

import json
import os
import sys
import types
from pathlib import Path
from typing import NoReturn

NOT_STARTED = 125
"""The exit code of a process that did not become its program; its standard error says why."""
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
"""The same for every program, and nothing of the parent's."""
CPU_SECONDS = 6 * 60 * 60
"""For a whole process, should it ever escape from its parent."""


def main(parent: int, walls: str, readable: list[str], program: str, command: list[str]) -> NoReturn:
    """Become the program, called with these words, and end with that parent.

    ``walls``: what guards it (:data:`serai.processes.sandbox.Walls`). ``readable``: what it can read and execute then.
    """
    from serai.processes import sandbox

    sandbox.end_with_parent()
    if os.getppid() != parent:
        raise SystemExit(NOT_STARTED)  # the parent ended before this process was tied to it
    sandbox.limit_resources(cpu_seconds=CPU_SECONDS)
    try:
        if walls != "none":
            sandbox.confine([Path(path) for path in readable], executable=True, files=walls == "full")
        os.execve(program, command, ENVIRONMENT)  # noqa: S606 - no shell
    except (OSError, sandbox.NoSandbox) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        sys.stderr.write(f"{command[0]}: {reason}\n")
        raise SystemExit(NOT_STARTED) from None


def _import_without_packages() -> None:
    """Let ``serai.processes`` and ``serai.errors`` be imported without what the packages themselves load."""
    here = Path(__file__).resolve().parent
    for name, folder in (("serai", here.parent), ("serai.processes", here)):
        package = types.ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package


if __name__ == "__main__":
    _import_without_packages()
    main(int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3]), sys.argv[4], sys.argv[5:])
