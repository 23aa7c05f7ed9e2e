"""Code that runs on a Dask worker: passes each task to a process with a main thread of its own.

Dask runs tasks in threads of a process that must go on talking to the scheduler. A game holds Python's lock, stops bots
by signals and starts processes for other people's bots, all of which need a main thread of their own. Tasks and results
pass through the worker as bytes, so it loads no game.
"""

from __future__ import annotations

import tempfile
import threading
from typing import Any

from serai.arena.executors import outcome
from serai.processes.child import serve
from serai.processes.framing import pack, unpack
from serai.processes.parent import Child

_IDLE_SECONDS = 600.0
"""After which a process without a task ends; its worker starts another when it is needed."""

_CHILDREN: dict[int, tuple[str, Child]] = {}
"""By thread of the worker: its process, and the run for which that was prepared."""


class HiddenBytes:
    """Bytes that no log shows: they may hold the secret of a tournament."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def __repr__(self) -> str:
        return f"<{len(self.content)} bytes>"


def packed_call(function: Any, *arguments: Any, **keywords: Any) -> HiddenBytes:
    """A call for the process of a worker."""
    return HiddenBytes(pack((function, arguments, keywords)))


def run_task(run: str, preparation: HiddenBytes, task: HiddenBytes) -> tuple[str, bytes]:
    """In a thread of Dask's worker: the worker's address, and the outcome of the task in this thread's process.

    A process that is new in this run is prepared first; if that fails, its outcome is the result.
    """
    from distributed import get_worker

    worker, thread = get_worker(), threading.get_ident()
    prepared, child = _CHILDREN.get(thread, ("", None))
    if child is None or prepared != run or not child.alive:
        if child is not None:
            child.end()
        child = Child("serai.arena.cluster.worker", cwd=tempfile.mkdtemp(prefix="serai-", dir=worker.local_directory))
        _CHILDREN[thread] = run, child
        result = child.ask(preparation.content)
        if unpack(result)[0] is not None:
            child.end()
            return worker.address, result
    return worker.address, child.ask(task.content)


def end_run(run: str) -> None:
    """End all processes of a run, whatever they are doing."""
    for prepared, child in list(_CHILDREN.values()):
        if prepared == run:
            child.end()


def _call(packed: bytes) -> Any:
    function, arguments, keywords = unpack(packed)
    return function(*arguments, **keywords)


if __name__ == "__main__":
    serve(lambda task: pack(outcome(_call, (task,))), poll_parent=True, idle=_IDLE_SECONDS)
