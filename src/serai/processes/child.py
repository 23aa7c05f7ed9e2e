"""The child's side of a child process: tie it to its parent, claim its pipes, answer requests."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
import time
from collections.abc import Callable
from typing import BinaryIO

from serai.processes.framing import read_message, write_message
from serai.processes.sandbox import end_with_parent

_POLL_SECONDS = 0.5
"""Between two looks whether the parent is still there."""


def start(*, nice: int = 0, poll_parent: bool = False) -> tuple[BinaryIO, BinaryIO]:
    """Tie this process to its parent and claim its pipes: the streams of requests and of answers.

    ``nice``: how much this process lets others go first. ``poll_parent``: for a parent that starts children from
    threads that end. Linux would end the child with that thread, so the child looks for its parent instead, and ends
    with everything that it started.
    """
    if poll_parent:
        threading.Thread(target=_end_group_without, args=(os.getppid(),), daemon=True).start()
    else:
        end_with_parent()
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    return claim_pipes()


def claim_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep standard input and output for messages; what any code reads is empty, what it prints goes to stderr."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, answers


def serve(
    answer: Callable[[bytes], bytes], *, nice: int = 0, poll_parent: bool = False, idle: float | None = None
) -> None:
    """Answer each message with one message, until the input ends or nothing has come for ``idle`` seconds."""
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError, EOFError):
        requests, answers = start(nice=nice, poll_parent=poll_parent)
        # a request comes only after the last answer, so nothing waits unseen in the buffer of `requests`
        while idle is None or select.select([requests], [], [], idle)[0]:
            write_message(answers, answer(read_message(requests)))


def _end_group_without(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_POLL_SECONDS)
    os.killpg(0, signal.SIGKILL)
