"""What runs inside a Dask worker: hands what is asked to a process of its own, one for each of the worker's threads.

Nothing here loads a game: arguments and answers pass through as bytes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from typing import IO

from serai.arena.cluster.frames import Answer, read_frame, unpack, write_frame


class Sealed:
    """Bytes that no log shows: they may hold the secret of a tournament."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def __repr__(self) -> str:
        return f"<{len(self.content)} bytes>"


class HandGone(Exception):
    """The process in which games were played ended in the middle; what it was asked can be asked again."""


def ask(job: str, luggage: Sealed, errand: Sealed) -> tuple[str, bytes]:
    """A task: let the process of this thread do an errand of a job; where that was, and the answer, packed."""
    from distributed import get_worker

    worker = get_worker()
    thread = threading.get_ident()
    hand = _HANDS.get(thread)
    if hand is None or hand.job != job or not hand.works:
        if hand is not None:
            hand.end()
        _HANDS[thread] = hand = Hand(job, luggage.content, worker.local_directory)
    return worker.address, hand.refusal or hand.ask(errand.content)


def dismiss(job: str) -> None:
    """End all processes of a job, whatever they are doing."""
    for hand in list(_HANDS.values()):
        if hand.job == job:
            hand.end()


class Hand:
    """A process that plays."""

    def __init__(self, job: str, luggage: bytes, scratch: str) -> None:
        self.job = job
        self._ended = False
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "serai.arena.cluster.hand"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=tempfile.mkdtemp(prefix="serai-", dir=scratch),
            start_new_session=True,
        )
        prepared = self.ask(luggage)
        self.refusal = prepared if _refuses(prepared) else b""
        """What it answers to anything, where it cannot work here."""

    @property
    def works(self) -> bool:
        """Whether it is still there."""
        return self._process.poll() is None

    def ask(self, errand: bytes) -> bytes:
        """Let it do that, and wait for its answer."""
        try:
            write_frame(_there(self._process.stdin), errand)
            return read_frame(_there(self._process.stdout))
        except (EOFError, OSError, ValueError):  # it is gone, or its pipes have been closed by `end`
            self.end()
            raise HandGone(f"ended with exit code {self._process.returncode}") from None

    def end(self) -> None:
        """Be done with it, and with all that it started."""
        if not self._ended:
            self._ended = True
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


_HANDS: dict[int, Hand] = {}
"""By thread."""


def _refuses(prepared: bytes) -> bool:
    answer: Answer = unpack(prepared)
    return answer.error is not None


def _there(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
