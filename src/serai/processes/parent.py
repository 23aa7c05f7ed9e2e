"""The parent's side of a child process: start it with a clean environment, ask it, end it for certain.

:class:`Child` is for code that blocks, :mod:`serai.processes.async_parent` for the server. A child leads a session of
its own: Ctrl-C reaches only the parent, and the child can be killed with everything that it started.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from serai.processes.framing import read_message, write_message

_FOR_PYTHON = ("PYTHONHOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "LANG", "LC_ALL")
_FOR_LIBRARIES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
_FOR_COMPILED_CODE = ("HOME", "PATH", "TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME", "SERAI_CACHE")
_FOR_COMPILED_CODE_ON_WINDOWS = ("USERPROFILE", "LOCALAPPDATA", "APPDATA")
_SETTINGS_OF_LIBRARIES = ("NUMBA_", "OMP_", "OPENBLAS_", "MKL_")


class ChildLost(Exception):
    """A child that answers no more; the message says why. Its parent must end it."""


def environment(*, compiled: bool) -> dict[str, str]:
    """The variables that a child gets: never an address, a password or a key.

    ``compiled``: also where compiled code is cached, and the settings of numerical libraries.
    """
    names = {*_FOR_PYTHON, *_FOR_LIBRARIES}
    if compiled:
        names |= {*_FOR_COMPILED_CODE, *_FOR_COMPILED_CODE_ON_WINDOWS}
    variables = {name: value for name, value in os.environ.items() if name.upper() in names}
    if compiled:
        variables |= {name: value for name, value in os.environ.items() if name.startswith(_SETTINGS_OF_LIBRARIES)}
    if "PYTHONPATH" in variables:
        folders = [str(Path(folder).absolute()) for folder in variables["PYTHONPATH"].split(os.pathsep) if folder]
        variables["PYTHONPATH"] = os.pathsep.join(folders)
    return variables


def python(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of ours in a new Python, which imports nothing from the folder it stands in."""
    return [sys.executable, "-P", "-m", module, *arguments]


class Child:
    """A child that is asked in bytes by code that blocks; any thread may end it meanwhile."""

    def __init__(self, module: str, *arguments: str, cwd: str | None = None) -> None:
        """``cwd``: the folder in which it stands. It has our environment."""
        self._ended = False
        self._process = open_process(python(module, *arguments), cwd=cwd)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, request: bytes) -> bytes:
        """Its answer, however long that takes; ``ChildLost`` if it ends meanwhile."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            write_message(self._process.stdin, request)  # type: ignore[arg-type]
            return read_message(self._process.stdout)  # type: ignore[arg-type]
        except (EOFError, OSError, ValueError):  # it is gone, or `end` closed its pipes
            self.end()
            raise ChildLost(f"ended with exit code {self._process.wait()}") from None

    def end(self) -> None:
        if not self._ended:
            self._ended = True
            kill_process(self._process, os.getpid())


def open_process(
    command: Sequence[str],
    *,
    env: dict[str, str] | None = None,
    cwd: str | None = None,
    stderr: int | None = None,
    buffering: int = -1,
) -> subprocess.Popen[bytes]:
    """Start a process with pipes, in a session of its own; for those who read and write the pipes themselves."""
    return subprocess.Popen(  # noqa: S603 - the one place where processes are started
        list(command),
        bufsize=buffering,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=env,
        cwd=cwd,
        start_new_session=True,
    )


def kill_process(process: subprocess.Popen[bytes], owner: int) -> None:
    """Kill a process with everything that it started, and wait until nothing of it is left.

    ``owner`` is the process that started it: in a fork of that nothing is done.
    """
    if os.getpid() != owner:
        return
    kill_group(process.pid)
    process.kill()
    process.wait()
    pipes: tuple[IO[Any] | None, ...] = (process.stdin, process.stdout, process.stderr)
    for pipe in pipes:
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def signal_group(pid: int, number: int) -> None:
    """Send a signal to a child and to everything that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def kill_group(pid: int) -> None:
    if sys.platform != "win32":
        signal_group(pid, signal.SIGKILL)
