"""A process of the coach as the server sees it: started when it is needed, ended when it hangs or has been idle.

A request gets any number of ``ReviewProgress`` and one answer. While it is worked on only ``StopReview`` may follow;
the process then stops between two actions.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TypeVar

import msgspec

from serai.errors import phrase
from serai.processes import framing
from serai.processes.async_parent import AsyncChild
from serai.processes.parent import ChildLost
from serai.wire.bodies import Problem

NICE = 10
"""Bots at tables, and everything else, come first."""
STALLED = 300.0
"""Seconds without a message: at first it may have much to compile."""
IDLE = 300.0
"""Seconds without a request after which the process is ended: it holds much memory."""
STOPPED_WITHIN = 5.0
"""Seconds to stop in, between two actions; after that it is ended."""

phrase({"review.failed": "the review could not be worked out; the server's log says why"})

_T = TypeVar("_T")
_MAIN = "serai.server.reviews.worker_main"


class NameEvaluator(msgspec.Struct, frozen=True, tag="name"):
    """Ask for the name of this game's evaluator."""

    game: str


class ReviewGame(msgspec.Struct, frozen=True, tag="review"):
    """Review this record."""

    record: str
    effort: str


class ShowEvents(msgspec.Struct, frozen=True, tag="show"):
    """Show the coach what a seat has seen, or the next part of it; it remembers by the story's name."""

    game: str
    seat: int
    story: str
    events: list[bytes]
    """As JSON."""
    forget: list[str] = []
    """Stories that it need not remember any more."""


class AskHints(msgspec.Struct, frozen=True, tag="hints"):
    """Ask for the best actions of the seat to act, whose story the coach has been shown. The view is JSON."""

    game: str
    story: str
    view: bytes


class StopReview(msgspec.Struct, frozen=True, tag="stop"):
    """Nobody waits for the review any more."""


class ReviewProgress(msgspec.Struct, frozen=True, tag="progress"):
    """One more action has been judged."""

    done: int
    of: int


class EvaluatorName(msgspec.Struct, frozen=True, tag="named"):
    """The answer to ``NameEvaluator``."""

    evaluator: str


class ReviewMade(msgspec.Struct, frozen=True, tag="made"):
    """The review, as the line that is sent to the page, compressed."""

    line: bytes


class HintsMade(msgspec.Struct, frozen=True, tag="hinted"):
    """The best actions, as JSON."""

    hints: bytes


class EventsShown(msgspec.Struct, frozen=True, tag="shown"):
    """The answer to ``ShowEvents``."""


class ReviewRefused(msgspec.Struct, frozen=True, tag="refused"):
    """Why there is no answer."""

    problem: Problem


class ReviewStopped(msgspec.Struct, frozen=True, tag="stopped"):
    """The answer to a review that was stopped."""


Question = NameEvaluator | ReviewGame | ShowEvents | AskHints
ReviewRequest = Question | StopReview
ReviewAnswer = EvaluatorName | ReviewMade | EventsShown | HintsMade | ReviewRefused | ReviewStopped

REQUESTS: framing.Messages[ReviewRequest] = framing.Messages(ReviewRequest)
ANSWERS: framing.Messages[ReviewAnswer | ReviewProgress] = framing.Messages(ReviewAnswer | ReviewProgress)


class NoReview(Exception):
    """The coach has no answer, for this reason."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


class ReviewWorker:
    """One process, one request at a time."""

    def __init__(self, nice: int = NICE, idle: float = IDLE) -> None:
        self._nice, self._idle_seconds = nice, idle
        self._child: AsyncChild[ReviewAnswer | ReviewProgress] | None = None
        self._idle_timer: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """Its process while there is one."""
        return None if self._child is None else self._child.pid

    async def evaluator(self, game: str) -> str:
        """The name of this game's evaluator; ``NoReview`` if it cannot be judged here."""
        return (await self._ask(NameEvaluator(game), EvaluatorName)).evaluator

    async def review(self, record: str, effort: str, progress: Callable[[int, int], None]) -> bytes:
        """The last line of a review, compressed; ``progress`` gets how many actions are judged, of how many."""
        return (await self._ask(ReviewGame(record, effort), ReviewMade, progress)).line

    async def show(self, events: ShowEvents) -> None:
        """Let it watch a part of a game; ``NoReview`` if it cannot."""
        await self._ask(events, EventsShown)

    async def hints(self, game: str, story: str, view: bytes) -> bytes:
        """The best actions in this view, as JSON, for a seat whose story it was shown; ``NoReview`` if it cannot be
        judged here.
        """
        return (await self._ask(AskHints(game, story, view), HintsMade)).hints

    async def end(self) -> None:
        """Kill the process, whatever it is doing, and wait until nothing of it is left."""
        self._end_after(None)
        self._end_now()
        if self._ending is not None and not self._ending.done():
            await self._ending

    def _end_after(self, seconds: float | None) -> None:
        """End the process after this many seconds without a request; ``None``: not now."""
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._idle_timer = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self._end_now)

    def _end_now(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            self._ending = asyncio.create_task(child.end())

    async def _ask(
        self, request: Question, kind: type[_T], progress: Callable[[int, int], None] = lambda done, of: None
    ) -> _T:
        self._end_after(None)
        # in a task of its own: a cancelled caller must not leave half an answer unread
        asking = asyncio.ensure_future(self._answer(request, progress))
        try:
            answer = await asyncio.shield(asking)
        except asyncio.CancelledError:
            await self._stop(asking, at_once=kind is HintsMade)
            raise
        except ChildLost:
            await self.end()
            raise
        finally:
            del asking  # or an error, its traceback, this frame and the task would be a reference cycle
            self._end_after(self._idle_seconds)
        if isinstance(answer, ReviewRefused):
            raise NoReview(answer.problem)
        if not isinstance(answer, kind):
            raise ChildLost("it sent another answer")
        return answer

    async def _answer(self, request: Question, progress: Callable[[int, int], None]) -> ReviewAnswer:
        if self._child is None:
            try:
                self._child = await AsyncChild.start(_MAIN, str(self._nice), answers=ANSWERS)
            except OSError as error:
                raise ChildLost(f"it cannot be started: {error.strerror}") from None
        child = self._child
        await child.send(request)
        while isinstance(answer := await child.receive(STALLED), ReviewProgress):
            progress(answer.done, answer.of)
        return answer

    async def _stop(self, asking: asyncio.Future[ReviewAnswer], *, at_once: bool) -> None:
        """Let it stop by itself, which keeps what it has loaded for the next review; end it if it does not.

        ``at_once``: end it, since it would not look whether it is to stop.
        """
        if at_once or self._child is None:
            asking.cancel()
        else:
            with contextlib.suppress(ChildLost):
                await self._child.send(StopReview())
        await asyncio.wait([asking], timeout=STOPPED_WITHIN)
        if not asking.done() or asking.cancelled() or asking.exception() is not None:
            await self.end()
