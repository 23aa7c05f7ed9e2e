"""The process of a worker in which games are played (``python -m serai.arena.cluster.hand``).

Dask runs tasks in threads of a process that must go on talking to the scheduler. A game holds Python's lock, stops bots
by signals, and starts processes for bots of others, all of which want a main thread of their own.

What is asked and answered travels over stdin and stdout.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from serai.arena.cluster.frames import Answer, pack, read_frame, unpack, write_frame
from serai.arena.cluster.job import Job, prepare
from serai.core.errors import SeraiError

_IDLE = 600.0
"""Seconds without anything to do after which it ends; its worker starts another when it is needed."""
_LOOK = 0.5
"""Seconds between two looks whether its worker is still there."""


def answer(ask: Callable[[], Any]) -> bytes:
    """What comes of it, packed; whatever goes wrong is an answer too."""
    began = time.perf_counter()
    try:
        value, error = ask(), None
    except Exception as wrong:
        value, error = None, _portable(wrong)
    return pack(Answer(value, error, time.perf_counter() - began))


def main() -> None:
    """Do what the worker asks for, until it asks no more."""
    asked, told = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # bots may read and print what they like: it does not get in between
    os.dup2(2, 1)
    threading.Thread(target=_end_without, args=(os.getppid(),), daemon=True).start()
    with contextlib.suppress(EOFError, BrokenPipeError):
        job: Job = unpack(read_frame(asked))
        scratch = Path.cwd()
        refusal = answer(lambda: prepare(job, scratch))
        write_frame(told, refusal)
        while select.select([asked], [], [], _IDLE)[0]:
            errand = read_frame(asked)
            write_frame(told, answer(lambda errand=errand: _do(errand)))  # type: ignore[misc]
    sys.stderr.flush()
    os._exit(0)


def _do(errand: bytes) -> Any:
    function, arguments = unpack(errand)
    return function(*arguments)


def _portable(error: Exception) -> Exception:
    """The error, as it can travel; of a fault of ours with where it happened."""
    if isinstance(error, SeraiError):
        with contextlib.suppress(Exception):
            unpack(pack(error))
            return error
        return SeraiError(str(error))
    return RuntimeError("".join(traceback.format_exception(error)))


def _end_without(worker: int) -> None:
    """When the worker is gone, end at once, with all processes that were started here."""
    while os.getppid() == worker:
        time.sleep(_LOOK)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
