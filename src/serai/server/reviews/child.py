"""A process that reviews games: ``python -m serai.server.reviews.child NICE``.

It reads requests from its standard input and writes answers to its standard output. Others come first, by as much as it
is told to be nice to them, and it stops between two actions once nobody waits.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import zlib
from typing import BinaryIO

from serai.bots.walls import end_with_parent
from serai.coach.evaluator import Evaluator
from serai.coach.reviewing import review
from serai.core.record import Record
from serai.core.registry import game as find_game
from serai.server.reviews.lines import written
from serai.server.reviews.pipe import (
    Answer,
    Judge,
    Made,
    Name,
    Named,
    Refused,
    Step,
    Stop,
    Stopped,
    framed,
    read_request,
)


class _Stopped(Exception):
    """Nobody waits any more."""


class Reviewer:
    """Answers one request after the other, and hears meanwhile when it is to stop."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source, self._sink = source, sink
        self._asked: queue.SimpleQueue[Name | Judge | None] = queue.SimpleQueue()
        self._stop = threading.Event()

    def serve(self) -> None:
        """Until the input ends."""
        threading.Thread(target=self._listen, daemon=True).start()
        while (request := self._asked.get()) is not None:
            self._say(self._answer(request))

    def _listen(self) -> None:
        while (request := read_request(self._source)) is not None:
            if isinstance(request, Stop):
                self._stop.set()
            else:
                self._stop.clear()  # what was to stop before this has been answered
                self._asked.put(request)
        self._stop.set()
        self._asked.put(None)

    def _answer(self, request: Name | Judge) -> Answer:
        try:
            if isinstance(request, Name):
                return Named(Evaluator(find_game(request.game)).name)
            found = review(Record.read(request.record), effort=request.effort, progress=self._progress)
            return Made(zlib.compress(written(found)))
        except _Stopped:
            return Stopped()
        except Exception as error:
            from serai.server.http.problems import problem_of

            return Refused(problem_of(error)[1])

    def _progress(self, done: int, of: int) -> None:
        if self._stop.is_set():
            raise _Stopped
        self._say(Step(done, of))

    def _say(self, message: Answer | Step) -> None:
        self._sink.write(framed(message))
        self._sink.flush()


def main() -> None:
    """Serve requests until the input ends."""
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints must not get between the answers
    Reviewer(source, sink).serve()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        main()
