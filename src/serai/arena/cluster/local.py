"""A cluster on this machine, started for one command: its scheduler here, each worker a process."""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from distributed import Client

_QUIET: Final[dict[str, Any]] = {
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "2s",
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
}
"""How Dask watches itself. As a rule its processes wake up a hundred times a second and more, to look at threads that
only wait for the process in which games are played: time that is taken from the players."""


@contextlib.contextmanager
def started(workers: int) -> Iterator[Client]:
    """So many workers, for as long as they are needed."""
    import dask
    from distributed import Client, LocalCluster

    with dask.config.set(_QUIET):
        with _deaf():
            local = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
        with local, Client(local, set_as_default=False) as client:
            yield client


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Ctrl-C reaches all processes of a terminal: those that are started now do not hear it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
