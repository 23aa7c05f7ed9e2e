"""The pool of bot workers: which bots can play here, and who is asked.

A bot is offered once it has decided at a game of its own. What makes a bot faster (compiled code) is loaded after
that, in processes beside those at the tables, which then take their place: no table waits for it.

Bots that are part of Serai share workers: in our own code a view reaches only the bot of its seat. A bot that finds its
worker busy is made anew in another and shown all that happened. Any other bot has a process to itself at each seat, so
that none sees another's cards. Their number is limited: a seat whose process was ended to make room gets a new one when
it is asked. A seat that loses its process again and again gets no more: for the rest of the game the table plays for
it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from math import ceil
from pathlib import Path

import msgspec

from serai.bots.specs import is_ours
from serai.core.game import Game
from serai.core.registry import bot_names
from serai.core.registry import game as find_game
from serai.errors import phrase
from serai.server.bots.fair_queue import FairQueue, Place
from serai.server.bots.trial_times import TrialTimes
from serai.server.bots.worker import BotAnswer, BotKind, BotProcess, BotWorker, EventsFrom, isolated_process
from serai.table.errors import Refusal

log = logging.getLogger("serai.bots")

UNTRIED = frozenset({"random"})
"""Offered without a trial: where it fails, the table plays at random for it, as it would have done."""
WARM_AFTER = 2.0
"""Seconds after the start, and again after the trials: people who open the page and want to play come first."""
TRIED_WITHIN = 4.0
"""Seconds that somebody who asks for a bot waits for its trial, which takes less than one without compiling."""
TRIAL_SECONDS = 0.2
"""About how long a trial takes where nothing has to be compiled."""
TRY_SECONDS = 30.0
"""For the first decision of a bot that is not ours, including all that it loads."""
WARM_SECONDS = 300.0
"""Compiling may take a while, also before one of ours decides at all; nobody waits for it."""
MAX_PROCESSES = 16
"""Of bots that are not ours; not counting one that is warming up."""
MAX_LOSSES = 3
"""How often a seat may lose its process in one game."""

phrase(
    {
        "server.bot_warming": "bot {bot!r} is not ready yet, since the server has just started; try again in a moment",
        "server.bot_needs": "bot {bot!r} cannot play here: the server lacks Serai's extra {extra!r}",
        "server.bot_exposed": "bot {bot!r} is not part of Serai and cannot be sandboxed; the server's log says why",
        "server.bot_unfit": "bot {bot!r} cannot play here: it failed when it was tried; the server's log says how",
    }
)


class SeatedBot(msgspec.Struct, frozen=True):
    """One bot at one seat of one table."""

    table: str
    seat: int
    game: str
    bot: str
    undone: int = 0
    """How many actions had been undone: after an undo a bot that watched must forget, so it is made anew."""

    @property
    def key(self) -> str:
        return f"{self.table} {self.seat} {self.bot} {self.undone}"


class _Trial:
    """Whether a kind of bot can play here."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self.answer = BotAnswer()

    @property
    def passed(self) -> bool:
        return self.over.is_set() and not self.answer.fault

    @property
    def unfit(self) -> bool:
        return self.over.is_set() and bool(self.answer.fault)


class BotPool:
    """A few workers for bots of Serai, and a process for each seat of other bots."""

    def __init__(self, workers: int, seconds: float, *, private: Sequence[Path] = (), sandboxed: bool = True) -> None:
        """``private``: files that no bot but ours may read. Bots that are not ``sandboxed`` are trusted not to try."""
        self._seconds = seconds
        self._cold = asyncio.Event()
        self._third_party = ThirdPartyBots(workers, seconds, private=private, sandboxed=sandboxed)
        self._workers = [BotWorker(seconds, self._cold.set) for _ in range(workers)]
        self._queue = FairQueue(workers)
        self._thinking: set[BotWorker] = set()
        self._trials: dict[BotKind, _Trial] = {}
        self._wanted: dict[str, asyncio.Event] = {}
        """By game: set when somebody asks for its bots, which are then tried at once."""
        self._warming: asyncio.Task[None] | None = None
        self._times: dict[str, TrialTimes] = {}
        """By game, for the bots that are part of Serai."""

    # -- trials --------------------------------------------------------------------------------------------------------

    def warm(self, kinds: Sequence[BotKind]) -> None:
        """Try these (game, bot) kinds in the background, then load what makes them faster."""
        self._trials = {kind: _Trial() for kind in kinds if kind[1] not in UNTRIED}
        self._wanted = {game: asyncio.Event() for game, _ in self._trials}
        self._times = {
            game: TrialTimes({kind[1]: _seconds(kind) for kind in self._in_order(game)}) for game in self._wanted
        }
        self._warming = asyncio.create_task(self._warm())

    def offers(self, game: str, bot: str) -> bool:
        trial = self._trials.get((game, bot))
        if trial is None:
            return True
        self._wanted[game].set()
        return trial.passed

    def ready(self, game: Game) -> tuple[str, ...]:
        """The bots that can play this game here, weakest first."""
        return tuple(bot for bot in bot_names(game) if self.offers(game.name, bot))

    def levels(self, game: Game) -> tuple[str, ...]:
        """The levels that people choose from, weakest first."""
        return tuple(bot for bot in game.levels if self.offers(game.name, bot))

    def company(self, game: Game) -> dict[str, tuple[str, ...]]:
        """By level: who plays where only the level was chosen, those included that are not ready yet."""
        unfit = {bot for (name, bot), trial in self._trials.items() if name == game.name and trial.unfit}
        return {
            level: tuple(bot for bot in others if bot not in unfit)
            for level, others in game.company.items()
            if level not in unfit
        }

    def warming(self, game: Game) -> dict[str, int]:
        """The bots of this game that have not been tried yet, weakest first, and in about how many seconds they are
        ready.
        """
        left = self._times[game.name].seconds_left() if game.name in self._times else {}
        trials = {bot: self._trials.get((game.name, bot)) for bot in bot_names(game)}
        return {
            bot: max(ceil(left.get(bot, TRIAL_SECONDS)), 1)
            for bot, trial in trials.items()
            if trial is not None and not trial.over.is_set()
        }

    async def admit(self, game: str, bots: Iterable[str]) -> None:
        """Refuse bots that cannot play here, with the reason; wait a little for those that are being tried."""
        wanted = [(game, bot) for bot in bots if (game, bot) in self._trials]
        await self._over(wanted)
        for _, bot in wanted:
            trial, answer = self._trials[game, bot], self._trials[game, bot].answer
            if not trial.over.is_set():
                raise Refusal("server.bot_warming", bot=bot)
            if answer.extra:
                raise Refusal("server.bot_needs", bot=bot, extra=answer.extra)
            if answer.fault:
                raise Refusal("server.bot_exposed" if answer.exposed else "server.bot_unfit", bot=bot)

    async def tried(self, game: str = "") -> None:
        """Wait a little until every bot (of this game) has been tried."""
        await self._over([kind for kind in self._trials if game in ("", kind[0])])

    async def _over(self, kinds: Collection[BotKind]) -> None:
        for game, _ in kinds:
            self._wanted[game].set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TRIED_WITHIN):
                for kind in kinds:
                    await self._trials[kind].over.wait()

    # -- playing -------------------------------------------------------------------------------------------------------

    async def decide(
        self, bot: SeatedBot, view: bytes, events_from: EventsFrom, place: Place | None = None
    ) -> bytes | None:
        """The bot's action as JSON, or ``None`` when it failed or took too long.

        A table that was left with a bot when the server stopped may ask before the bot has been tried: it waits.
        """
        kind, place = (bot.game, bot.bot), place or Place()
        trial = self._trials.get(kind)
        if trial is not None:
            self._wanted[bot.game].set()
            await trial.over.wait()
        if not _ours(kind):
            return await self._third_party.decide(bot, view, events_from, place)
        async with self._queue.turn(place):
            worker = self._idle(bot.key)
            self._thinking.add(worker)
            try:
                return await worker.decide(bot.key, *kind, view, events_from)
            finally:
                self._thinking.discard(worker)

    async def remove(self, bots: Collection[SeatedBot]) -> None:
        for table in {bot.table for bot in bots}:
            await self._third_party.remove_table(table)
        for worker in self._workers:
            await worker.remove([bot.key for bot in bots if worker.knows(bot.key)])

    async def stop(self) -> None:
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        await self._third_party.stop()
        for worker in self._workers:
            await worker.close()

    def _idle(self, key: str) -> BotWorker:
        """An idle worker, if possible the one that has this bot. There are as many workers as turns."""
        idle = [worker for worker in self._workers if worker not in self._thinking]
        return next((worker for worker in idle if worker.knows(key)), idle[0])

    # -- warming up ----------------------------------------------------------------------------------------------------

    async def _warm(self) -> None:
        async with asyncio.TaskGroup() as games:
            for game, wanted in self._wanted.items():
                games.create_task(self._try_all([kind for kind in self._trials if kind[0] == game], wanted))
        fit = [kind for kind, trial in self._trials.items() if trial.passed and _ours(kind)]
        while True:
            await asyncio.sleep(WARM_AFTER)
            self._cold.clear()
            for worker in self._workers:  # one after the other: what the first has to compile, the next ones load
                if worker.cold:
                    await worker.renew(fit, WARM_SECONDS)
            await self._cold.wait()

    async def _try_all(self, kinds: Sequence[BotKind], wanted: asyncio.Event) -> None:
        """Try these kinds in processes of their own, once they are wanted or it is time to."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WARM_AFTER):
                await wanted.wait()
        async with asyncio.TaskGroup() as trials:
            trials.create_task(self._try_ours(kinds[0][0]))
            for kind in kinds:
                if not _ours(kind):
                    trials.create_task(self._try(self._third_party, kind))

    async def _try_ours(self, game: str) -> None:
        """One after the other."""
        tester, times = BotWorker(self._seconds), self._times[game]
        try:
            for kind in self._in_order(game):
                times.begin()
                await self._try(tester, kind)
                times.end()
        finally:
            await tester.stop()

    def _in_order(self, game: str) -> list[BotKind]:
        """Our bots of a game that need fewest packages first: others may have much to compile."""
        return sorted((kind for kind in self._trials if kind[0] == game and _ours(kind)), key=_needs)

    async def _try(self, tester: BotWorker | ThirdPartyBots, kind: BotKind) -> None:
        trial = self._trials[kind]
        trial.answer = await tester.attempt(*kind, WARM_SECONDS if _ours(kind) else TRY_SECONDS)
        trial.over.set()


def _needs(kind: BotKind) -> int:
    game, bot = kind
    return len(find_game(game).bot_packages.get(bot, ()))


def _seconds(kind: BotKind) -> float:
    """How long the first decision of one of our bots takes on a machine where nothing is compiled."""
    game, bot = kind
    return find_game(game).bot_seconds.get(bot, TRIAL_SECONDS)


def _ours(kind: BotKind) -> bool:
    game, bot = kind
    return is_ours(find_game(game), bot)


# -- bots that are not part of Serai -----------------------------------------------------------------------------------


class _SeatProcess:
    """The process of one seat."""

    def __init__(self, bot: SeatedBot, worker: BotWorker) -> None:
        self.bot = bot
        self.worker = worker
        self.busy = 0
        self.warming: asyncio.Task[None] | None = None

    @property
    def could_be_faster(self) -> bool:
        """Whether its bot can be warmed up, and is neither warm nor being warmed."""
        return self.worker.warms and self.worker.cold and (self.warming is None or self.warming.done())

    async def stop(self) -> None:
        if self.warming is not None:
            self.warming.cancel()
            await asyncio.gather(self.warming, return_exceptions=True)
        await self.worker.close()


class ThirdPartyBots:
    """Their processes by table and seat, the one asked longest ago first."""

    def __init__(self, at_once: int, seconds: float, *, private: Sequence[Path] = (), sandboxed: bool = True) -> None:
        """``private``: files that none of them may read. Bots that are not ``sandboxed`` are trusted not to try."""
        self._seconds = seconds
        self._private = private
        self._sandboxed = sandboxed
        self._queue = FairQueue(at_once)
        self._processes: dict[tuple[str, int], _SeatProcess] = {}
        self._losses: Counter[tuple[str, int, str]] = Counter()
        self._trials = asyncio.Semaphore(at_once)
        self._stopped = False
        self._one_warms = asyncio.Lock()
        self._most = max(MAX_PROCESSES, at_once)

    async def decide(self, bot: SeatedBot, view: bytes, events_from: EventsFrom, place: Place) -> bytes | None:
        """The bot's action as JSON, or ``None`` when it has none."""
        if self._losses[_without_undone(bot)] >= MAX_LOSSES:
            return None
        async with self._queue.turn(place):
            if self._stopped:
                return None
            process = await self._process(bot)
            process.busy += 1
            try:
                answer = await process.worker.decide(bot.key, bot.game, bot.bot, view, events_from)
            finally:
                process.busy -= 1
        if answer is not None and process.could_be_faster:
            process.warming = asyncio.create_task(self._warm(process))
        return answer

    async def attempt(self, game: str, bot: str, seconds: float) -> BotAnswer:
        """Let a bot of that kind decide once at a game of its own, in a process of its own."""
        async with self._trials:
            worker = BotWorker(seconds, start=lambda: self._start(bot))
            try:
                return await worker.attempt(game, bot, seconds)
            finally:
                await worker.stop()

    async def remove_table(self, table: str) -> None:
        for key in [key for key in self._losses if key[0] == table]:
            del self._losses[key]
        for seat in [seat for seat in self._processes if seat[0] == table]:
            await self._processes.pop(seat).stop()

    async def stop(self) -> None:
        """End them all, and start no other."""
        self._stopped = True
        while self._processes:
            await self._processes.popitem()[1].stop()

    async def _process(self, bot: SeatedBot) -> _SeatProcess:
        """The process of this seat, moved to the end of the row; a new one for a bot that must forget."""
        seat = (bot.table, bot.seat)
        process = self._processes.pop(seat, None)
        if process is not None and process.bot != bot:
            await process.stop()
            process = None
        if process is None:
            idle = [other for other, one in self._processes.items() if not one.busy]
            for other in idle[: max(len(self._processes) - self._most + 1, 0)]:
                await self._processes.pop(other).stop()
            process = _SeatProcess(
                bot, BotWorker(self._seconds, partial(self._count_loss, bot), lambda: self._start(bot.bot))
            )
        self._processes[seat] = process
        return process

    def _count_loss(self, bot: SeatedBot) -> None:
        self._losses[_without_undone(bot)] += 1
        if self._losses[_without_undone(bot)] == MAX_LOSSES:
            log.warning("bot %s lost its process %d times: the table plays for it", bot.bot, MAX_LOSSES)

    async def _start(self, bot: str) -> BotProcess:
        return await isolated_process(bot, self._private, sandboxed=self._sandboxed)

    async def _warm(self, process: _SeatProcess) -> None:
        """Load what makes this bot faster beside the game, one bot at a time."""
        async with self._one_warms:
            await process.worker.renew([(process.bot.game, process.bot.bot)], WARM_SECONDS)


def _without_undone(bot: SeatedBot) -> tuple[str, int, str]:
    return bot.table, bot.seat, bot.bot
