"""The process in which the coach works: ``python -m serai.server.reviews.worker_main NICE``."""

from __future__ import annotations

import contextlib
import queue
import secrets
import sys
import threading
import zlib
from typing import Any, BinaryIO, Final

import msgspec

from serai.coach.decisions import hints
from serai.coach.evaluator import Evaluator
from serai.coach.review import Review, review
from serai.core.record import Record
from serai.core.registry import game as find_game
from serai.core.rollouts import Memory
from serai.processes import child, framing
from serai.server.reviews.worker import (
    REQUESTS,
    AskHints,
    EvaluatorName,
    EventsShown,
    HintsMade,
    NameEvaluator,
    Question,
    ReviewAnswer,
    ReviewMade,
    ReviewProgress,
    ReviewRefused,
    ReviewStopped,
    ShowEvents,
    StopReview,
)
from serai.wire.bodies import Hint

HINT_EFFORT: Final = "high"
"""One position is judged, not a game: there is time for it."""


class _Stopped(Exception):
    """Nobody waits any more."""


class Reviewer:
    """Answers one request after the other, and reads meanwhile whether it is to stop."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests, self._answers = requests, answers
        self._waiting: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._memories: dict[str, Memory | None] = {}
        """What seats at live tables have seen, by story, where their game's coach makes something of it."""

    def serve(self) -> None:
        threading.Thread(target=self._read, daemon=True).start()
        while (request := self._waiting.get()) is not None:
            self._send(self._answer(request))

    def _read(self) -> None:
        with contextlib.suppress(EOFError):
            while True:
                request = REQUESTS.decode(framing.read_message(self._requests))
                if isinstance(request, StopReview):
                    self._stop.set()
                else:
                    self._stop.clear()  # the review that was to stop has been answered
                    self._waiting.put(request)
        self._stop.set()
        self._waiting.put(None)

    def _answer(self, request: Question) -> ReviewAnswer:
        try:
            if isinstance(request, NameEvaluator):
                return EvaluatorName(Evaluator(find_game(request.game)).name)
            if isinstance(request, ShowEvents):
                self._watch(request)
                return EventsShown()
            if isinstance(request, AskHints):
                return HintsMade(_hints(request, self._memories[request.story]))
            result = review(Record.read(request.record), effort=request.effort, progress=self._progress)
            return ReviewMade(zlib.compress(_last_line(result)))
        except _Stopped:
            return ReviewStopped()
        except Exception as error:
            from serai.server.errors import problem_of  # takes as long to load as all the rest of this process

            return ReviewRefused(problem_of(error)[1])

    def _watch(self, request: ShowEvents) -> None:
        game = find_game(request.game)
        for story in request.forget:
            self._memories.pop(story, None)
        if request.story not in self._memories:
            self._memories[request.story] = game.memory(request.seat)
        memory = self._memories[request.story]
        if memory is not None:
            for event in request.events:
                memory.watch(game.event_decoder.decode(event))

    def _progress(self, done: int, of: int) -> None:
        if self._stop.is_set():
            raise _Stopped
        self._send(ReviewProgress(done, of))

    def _send(self, message: ReviewAnswer | ReviewProgress) -> None:
        framing.write_message(self._answers, framing.encode(message))


def _last_line(result: Review) -> bytes:
    """A ``Reviewed`` as JSON, its figures with as many digits as anybody reads."""
    return msgspec.json.encode({"type": "reviewed", "review": _rounded(msgspec.to_builtins(result))})


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return value


def _hints(request: AskHints, memory: Memory | None) -> bytes:
    """Made of what one seat sees and has seen: this process learns nothing else of a table."""
    game = find_game(request.game)
    view: Any = game.state_decoder.decode(request.view)
    best = hints(game, view, memory, effort=HINT_EFFORT, seed=secrets.randbits(60))
    return msgspec.json.encode(
        [
            Hint(game.parse(one.action), one.action, one.wins, one.error, one.score, one.reasons, one.against)
            for one in best
        ]
    )


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        Reviewer(*child.start(nice=int(sys.argv[1]))).serve()
