"""Bots that are not of the house: a process for each seat, so that none sees another's cards, and so many at a time.

A seat whose process had to make room sits down again when it is asked: its bot is made anew and shown all that
happened. One that is lost again and again is not started for ever: for the rest of the game the table plays for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from serai.bots.pipe import Answer
from serai.bots.processes import BotProcess, isolated_process
from serai.server.bots.process import Story, Worker
from serai.server.bots.turns import Place, Turns

log = logging.getLogger("serai.bots")

MOST = 16
"""Processes at a time, not counting one that is warming up."""
LOSSES = 3
"""How often a seat may lose its process in one game."""


class Sitter(msgspec.Struct, frozen=True):
    """One bot at one seat of one table."""

    table: str
    seat: int
    game: str
    bot: str
    life: int = 0
    """Counts how often it had to forget: after an undo it sits down anew."""

    @property
    def key(self) -> str:
        """Its name in a process."""
        return f"{self.table} {self.seat} {self.bot} {self.life}"


class _Seated:
    """A process and who sits in it."""

    def __init__(self, sitter: Sitter, worker: Worker) -> None:
        self.sitter = sitter
        self.worker = worker
        self.busy = 0
        self.warming: asyncio.Task[None] | None = None

    @property
    def could_be_faster(self) -> bool:
        """Whether its bot can be warmed up, and is neither warm nor just being so."""
        return self.worker.warms and self.worker.cold and (self.warming is None or self.warming.done())

    async def stop(self) -> None:
        if self.warming is not None:
            self.warming.cancel()
            await asyncio.gather(self.warming, return_exceptions=True)
        await self.worker.stop()


class Guests:
    """Their processes, by table and seat; those asked longest ago come first."""

    def __init__(self, at_once: int, seconds: float, *, private: Sequence[Path] = (), walls: bool = True) -> None:
        """``private``: files that none of them may get at. Without ``walls`` they are trusted not to try."""
        self._seconds = seconds
        self._private = private
        self._walls = walls
        self._turns = Turns(at_once)
        self._seated: dict[tuple[str, int], _Seated] = {}
        self._lost: Counter[tuple[str, int, str]] = Counter()
        self._trials = asyncio.Semaphore(at_once)
        self._one_warms = asyncio.Lock()
        self._most = max(MOST, at_once)

    async def decide(
        self, sitter: Sitter, view: bytes, story: Story, place: Place, warm_seconds: float
    ) -> bytes | None:
        """The bot's action as JSON, or ``None`` when it has none to give."""
        if self._lost[self._who(sitter)] >= LOSSES:
            return None
        async with self._turns.taken(place):
            seated = await self._seat(sitter)
            seated.busy += 1
            try:
                answer = await seated.worker.decide(sitter.key, sitter.game, sitter.bot, view, story)
            finally:
                seated.busy -= 1
        if answer is not None and seated.could_be_faster:
            seated.warming = asyncio.create_task(self._warm(seated, warm_seconds))
        return answer

    async def attempt(self, game: str, bot: str, seconds: float) -> Answer:
        """Let a bot of that kind decide once at a game of its own, in a process of its own."""
        async with self._trials:
            scout = Worker(seconds, begin=lambda: self._begin(bot))
            try:
                return await scout.attempt(game, bot, seconds)
            finally:
                await scout.stop()

    async def rise(self, table: str) -> None:
        """Forget those of a table."""
        for who in [who for who in self._lost if who[0] == table]:
            del self._lost[who]
        for place in [place for place in self._seated if place[0] == table]:
            await self._seated.pop(place).stop()

    async def stop(self) -> None:
        """End all of them."""
        while self._seated:
            await self._seated.popitem()[1].stop()

    async def _seat(self, sitter: Sitter) -> _Seated:
        """The process of this seat, the last in the row now; a new one for a bot that had to forget."""
        place = (sitter.table, sitter.seat)
        seated = self._seated.pop(place, None)
        if seated is not None and seated.sitter != sitter:
            await seated.stop()
            seated = None
        if seated is None:
            idle = [other for other, one in self._seated.items() if not one.busy]
            for other in idle[: max(len(self._seated) - self._most + 1, 0)]:
                await self._seated.pop(other).stop()
            worker = Worker(self._seconds, self._counting(sitter), lambda: self._begin(sitter.bot))
            seated = _Seated(sitter, worker)
        self._seated[place] = seated
        return seated

    def _counting(self, sitter: Sitter) -> Callable[[], None]:
        def lost() -> None:
            self._lost[self._who(sitter)] += 1
            if self._lost[self._who(sitter)] == LOSSES:
                log.warning("bot %s lost its process %d times: the table plays for it", sitter.bot, LOSSES)

        return lost

    async def _begin(self, bot: str) -> BotProcess:
        return await isolated_process(bot, self._private, walls=self._walls)

    async def _warm(self, seated: _Seated, seconds: float) -> None:
        """Load what makes this bot faster beside the game, one bot at a time."""
        async with self._one_warms:
            await seated.worker.renew([(seated.sitter.game, seated.sitter.bot)], seconds)

    @staticmethod
    def _who(sitter: Sitter) -> tuple[str, int, str]:
        return sitter.table, sitter.seat, sitter.bot
