"""Worker processes by multiprocessing: forked on Linux, spawned elsewhere."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any

_CONTEXT: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


class Fork:
    """A copy of this process that runs ``function(connection, *arguments)``; it talks through ``connection``.

    Where there is no fork, ``function`` and ``arguments`` are pickled, which may raise ``PicklingError``,
    ``AttributeError`` or ``TypeError``.
    """

    def __init__(self, function: Callable[..., None], *arguments: Any) -> None:
        self.connection, other = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_run, args=(function, other, *arguments), daemon=True)
        self._process.start()
        other.close()

    @property
    def alive(self) -> bool:
        """Whether it is still running."""
        return bool(self._process.is_alive())

    @property
    def exit_code(self) -> int | None:
        """Its exit code, once it has ended; negative for a signal."""
        code: int | None = self._process.exitcode
        return code

    @property
    def waitable(self) -> tuple[Any, ...]:
        """What ``multiprocessing.connection.wait`` takes: ready when it has sent something or has ended."""
        return self.connection, self._process.sentinel

    def end(self) -> None:
        """Kill it, whatever it is doing, and wait until it is gone."""
        self._process.kill()
        self._process.join()
        self.connection.close()


def receive(connection: Connection) -> Any:
    """In a fork: the next thing that the parent sends; ``EOFError`` when the parent is gone.

    The connection alone would not show that the parent was killed, since the fork holds its other end too.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None
    if connection in wait([connection, parent.sentinel]):
        return connection.recv()
    raise EOFError


def shared_numbers(count: int) -> Any:
    """An array of floats that forks started with it share."""
    return _CONTEXT.RawArray("d", count)


def _run(function: Callable[..., None], connection: Connection, *arguments: Any) -> None:
    # Ctrl-C reaches all processes of a terminal: it is for the first one, which ends the others
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(EOFError, ConnectionError):
        function(connection, *arguments)
