"""A coach that says what a test lets it say, and a game that is soon reviewed by the real one."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest

from serai.core.record import AGREED, Record, replay
from serai.server.reviews import queue

GOLDEN = Path(__file__).parents[2] / "golden" / "camelup" / "plain-42.serai"


def short_record(actions: int = 9) -> str:
    """A game that was ended by agreement soon after its set-up."""
    whole = Record.read(GOLDEN.read_text())
    last = list(replay(whole))[actions - 1].after
    assert isinstance(last.actor, int)
    return msgspec.structs.replace(whole, actions=whole.actions[:actions], end=AGREED, result=last.scores()).write()


class PlayedCoach:
    """In place of a process that reviews."""

    evaluator_name: ClassVar[str] = "one"
    asked: ClassVar[list[str]] = []
    """The records that were to be reviewed, in order."""
    stopped: ClassVar[list[str]] = []
    held: ClassVar[asyncio.Event | None] = None
    """What every review waits for."""
    fault: ClassVar[Exception | None] = None

    async def evaluator(self, game: str) -> str:
        return self.evaluator_name

    async def review(self, record: str, effort: str, progress: Callable[[int, int], None]) -> bytes:
        self.asked.append(record)
        progress(1, 2)
        try:
            if self.held is not None:
                await self.held.wait()
        except asyncio.CancelledError:
            self.stopped.append(record)
            raise
        if self.fault is not None:
            raise self.fault
        return zlib.compress(b'{"type":"reviewed","review":{"evaluator":"%s"}}' % self.evaluator_name.encode())

    async def end(self) -> None:
        """There is nothing to end."""


def play_coach(monkeypatch: pytest.MonkeyPatch) -> type[PlayedCoach]:
    """A coach for one test, which says everything at once."""

    class Coach(PlayedCoach):
        asked: ClassVar[list[str]] = []
        stopped: ClassVar[list[str]] = []

    patch = monkeypatch.setattr
    patch(queue, "ReviewWorker", Coach)
    patch(queue, "LINE_AT_MOST", 0.05)
    patch(queue, "LINE_AT_LEAST", 0.0)
    patch(queue, "LINGER", 0.0)
    return Coach
