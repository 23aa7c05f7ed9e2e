"""Bots at tables, seen from the server: which of them can play here, and the workers that are asked.

A bot is offered once it has decided at a game of its own. What makes a bot faster (compiled code) is loaded after
that, in processes beside those at the tables, which then take their place: no table waits for it.

Bots of the house share workers: they are our own code, in which a view reaches only the bot of its seat. One that finds
its worker busy sits down in another, is made anew there and shown all that happened. Any other bot has a process to
itself at each seat.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from serai.bots.specs import is_ours
from serai.core.errors import phrase
from serai.core.game import Game
from serai.core.registry import bot_names
from serai.core.registry import game as find_game
from serai.server.bots.guests import Guests, Sitter
from serai.server.bots.process import Kind, Story, Worker
from serai.server.bots.turns import Place, Turns
from serai.table.errors import Refusal

log = logging.getLogger("serai.bots")

SURE = "random"
"""Can play whatever happens: where it fails, the table does for it what it would have done."""
WARM_AFTER = 2.0
"""Seconds after the start, and again after the trials: first come those who open the page and want to play."""
TRIED_WITHIN = 4.0
"""Seconds that somebody who wants a bot waits for its trial, which takes less than one where nothing is compiled."""
TRY_SECONDS = 30.0
"""For the first decision of a bot that is not ours, with all that it has to load."""
WARM_SECONDS = 300.0
"""Compiling may take a while, also before one of ours decides at all; nobody waits for it."""

phrase(
    {
        "server.bot_warming": "bot {bot!r} is not ready yet, since the server has just started; try again in a moment",
        "server.bot_needs": "bot {bot!r} cannot play here: the server lacks Serai's extra {extra!r}",
        "server.bot_exposed": "bot {bot!r} is not part of Serai and cannot be shut in here; the server's log says why",
        "server.bot_unfit": "bot {bot!r} cannot play here: it failed when it was tried; the server's log says how",
    }
)


class _Trial:
    """Whether a kind of bot can play here."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self.fault = ""
        self.extra = ""
        """The extra of Serai that it lacks."""
        self.exposed = False
        """Whether it failed because there is no keeping it from what it must not see."""

    @property
    def passed(self) -> bool:
        return self.over.is_set() and not self.fault


class BotPool:
    """A few workers for bots of the house, and a process for each seat of others."""

    def __init__(self, workers: int, seconds: float, *, private: Sequence[Path] = (), walls: bool = True) -> None:
        """``private``: files that no bot but ours may get at. Without ``walls`` bots are trusted not to try."""
        self._seconds = seconds
        self._cold = asyncio.Event()
        self._guests = Guests(workers, seconds, private=private, walls=walls)
        self._workers = [Worker(seconds, self._cold.set) for _ in range(workers)]
        self._turns = Turns(workers)
        self._thinking: set[Worker] = set()
        self._trials: dict[Kind, _Trial] = {}
        self._wanted: dict[str, asyncio.Event] = {}
        """By game: somebody asks for its bots, so they are tried at once."""
        self._warming: asyncio.Task[None] | None = None

    # -- who can play --------------------------------------------------------------------------------------------------

    def warm(self, kinds: Sequence[Kind]) -> None:
        """Try these (game, bot) kinds in the background, then load what makes them faster."""
        self._trials = {kind: _Trial() for kind in kinds if kind[1] != SURE}
        self._wanted = {game: asyncio.Event() for game, _ in self._trials}
        self._warming = asyncio.create_task(self._warm())

    def offers(self, game: str, bot: str) -> bool:
        """Whether this bot can play here."""
        trial = self._trials.get((game, bot))
        if trial is None:
            return True
        self._wanted[game].set()
        return trial.passed

    def ready(self, game: Game) -> tuple[str, ...]:
        """The bots that can play this game here, weakest first."""
        return tuple(bot for bot in bot_names(game) if self.offers(game.name, bot))

    def levels(self, game: Game) -> tuple[str, ...]:
        """Those of them that people choose from, weakest first."""
        return tuple(bot for bot in game.levels if self.offers(game.name, bot))

    def trying(self, game: str) -> bool:
        """Whether bots of this game are still to be tried."""
        return any(not trial.over.is_set() for kind, trial in self._trials.items() if kind[0] == game)

    async def admit(self, game: str, bots: Iterable[str]) -> None:
        """Refuse, with the reason, what cannot play here; what is still being tried is waited for, within reason."""
        wanted = [(game, bot) for bot in bots if (game, bot) in self._trials]
        await self._over(wanted)
        for _, bot in wanted:
            trial = self._trials[game, bot]
            if not trial.over.is_set():
                raise Refusal("server.bot_warming", bot=bot)
            if trial.extra:
                raise Refusal("server.bot_needs", bot=bot, extra=trial.extra)
            if trial.fault:
                raise Refusal("server.bot_exposed" if trial.exposed else "server.bot_unfit", bot=bot)

    async def tried(self, game: str = "") -> None:
        """Wait until it is known of every bot (of this game) whether it can play, within reason."""
        await self._over([kind for kind in self._trials if game in ("", kind[0])])

    async def _over(self, kinds: Collection[Kind]) -> None:
        for game, _ in kinds:
            self._wanted[game].set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TRIED_WITHIN):
                for kind in kinds:
                    await self._trials[kind].over.wait()

    # -- who plays -----------------------------------------------------------------------------------------------------

    async def decide(self, sitter: Sitter, view: bytes, story: Story, place: Place | None = None) -> bytes | None:
        """The bot's action as JSON, or ``None`` when it has none to give (it failed or took too long).

        A table that was left with a bot when the server stopped may ask before the bot has been tried: it waits.
        """
        kind, place = (sitter.game, sitter.bot), place or Place()
        trial = self._trials.get(kind)
        if trial is not None:
            self._wanted[sitter.game].set()
            await trial.over.wait()
        if not _ours(kind):
            return await self._guests.decide(sitter, view, story, place, WARM_SECONDS)
        async with self._turns.taken(place):
            worker = self._idle(sitter.key)
            self._thinking.add(worker)
            try:
                return await worker.decide(sitter.key, *kind, view, story)
            finally:
                self._thinking.discard(worker)

    async def rise(self, sitters: Collection[Sitter]) -> None:
        """Forget these bots."""
        for table in {sitter.table for sitter in sitters}:
            await self._guests.rise(table)
        for worker in self._workers:
            await worker.rise([sitter.key for sitter in sitters if worker.knows(sitter.key)])

    async def stop(self) -> None:
        """End all workers."""
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        await self._guests.stop()
        for worker in self._workers:
            await worker.stop()

    def _idle(self, key: str) -> Worker:
        """A worker that does nothing, if possible one in which this bot sits: there are as many as take turns."""
        idle = [worker for worker in self._workers if worker not in self._thinking]
        return next((worker for worker in idle if worker.knows(key)), idle[0])

    # -- warming up ----------------------------------------------------------------------------------------------------

    async def _warm(self) -> None:
        async with asyncio.TaskGroup() as scouts:
            for game, wanted in self._wanted.items():
                scouts.create_task(self._scout([kind for kind in self._trials if kind[0] == game], wanted))
        fit = [kind for kind, trial in self._trials.items() if trial.passed and _ours(kind)]
        while True:
            await asyncio.sleep(WARM_AFTER)
            self._cold.clear()
            for worker in self._workers:  # one after the other: what the first has to compile, the next ones load
                if worker.cold:
                    await worker.renew(fit, WARM_SECONDS)
            await self._cold.wait()

    async def _scout(self, kinds: Sequence[Kind], wanted: asyncio.Event) -> None:
        """Try these kinds in processes of their own, once they are wanted or it is time to."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WARM_AFTER):
                await wanted.wait()
        async with asyncio.TaskGroup() as trials:
            trials.create_task(self._try_ours([kind for kind in kinds if _ours(kind)]))
            for kind in kinds:
                if not _ours(kind):
                    trials.create_task(self._try(self._guests, kind))

    async def _try_ours(self, kinds: Sequence[Kind]) -> None:
        """One after the other, those that need least first: at the first start others have much to compile."""
        scout = Worker(self._seconds)
        try:
            for kind in sorted(kinds, key=_needs):
                await self._try(scout, kind)
        finally:
            await scout.stop()

    async def _try(self, scout: Worker | Guests, kind: Kind) -> None:
        trial = self._trials[kind]
        answer = await scout.attempt(*kind, WARM_SECONDS if _ours(kind) else TRY_SECONDS)
        trial.fault, trial.extra, trial.exposed = answer.fault, answer.extra, answer.exposed
        trial.over.set()


def _needs(kind: Kind) -> int:
    """How many packages this bot needs."""
    game, bot = kind
    return len(find_game(game).needs.get(bot, ()))


def _ours(kind: Kind) -> bool:
    """Whether this bot is one of the house."""
    game, bot = kind
    return is_ours(find_game(game), bot)
