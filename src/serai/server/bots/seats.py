"""When the bots of a live table act: their turns, their pauses, and the lease that lets one process play.

A bot thinks while it waits, and its action is shown at a moment that anybody could have foretold: how long it thought
must not reveal what it holds. That moment never comes before the levels' own caps on thinking are over. Where the
server is so loaded, or a bot so slow, that it is not done by then, its action comes as soon as it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from serai.server.bots.fair_queue import Place
from serai.server.bots.pool import SeatedBot
from serai.server.errors import NotFound
from serai.server.store.base import Lease, LeaseLost, StoreError
from serai.table import proposals
from serai.table.errors import Damaged, Refusal
from serai.table.table import Table

if TYPE_CHECKING:
    from serai.server.tables.hall import Hall
    from serai.server.tables.live import LiveTable

log = logging.getLogger("serai.bots")

AFTER_PERSON = 2.0
"""Seconds a bot waits after a person acted, so that an undo has a chance."""
AFTER_BOT = 0.8
"""Seconds a bot waits after another bot, so that people can follow; scaled by what the position shows."""
SHORTEST, LONGEST = 0.6, 3.0
"""The least and most scale a game may ask for: no action comes before the slowest level has decided (0.3 s)."""
AWAY = 3.0
"""Seconds between two actions of bots while nobody looks: a game that people left goes on, and costs little."""
ALONE = 10.0
"""The same at a table at which no person plays. Where an address has more of those than the limit on them says, all of
them together, watched or not, get no more of the bots' time than that many would: they slow down, but they end."""
RETRY = 1.0
"""Seconds until a bot's action that could not be saved is tried again."""

_rng = random.SystemRandom()
"""For the action that is played when a bot has none."""


class BotSeats:
    """Lets the bots of one table play. The table is passed in each time: the two must not hold each other in memory."""

    __slots__ = ("_bots", "_hall", "_lease", "_position", "_resting", "task", "thought")

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._bots: set[SeatedBot] = set()
        """Those whom the pool knows."""
        self._resting: asyncio.Future[object] | None = None
        self.task: asyncio.Task[None] | None = None
        self._lease: Lease | None = None
        """That of this process on the table, while it lets them play."""
        self._position: tuple[int, int, str] | None = None
        """What was thought about last: how far the game was, whose turn it was, and which bot thought."""
        self.thought: asyncio.Task[bytes | None] | None = None
        """Its answer. Interrupting a bot would cost its worker, so an answer to an old position is dropped."""

    @property
    def playing(self) -> bool:
        """Whether this process lets them play right now."""
        return _goes_on(self.task)

    @property
    def busy(self) -> bool:
        """Whether they play, or one of them still thinks about a position that is gone."""
        return self.playing or _goes_on(self.thought)

    def wake(self, live: LiveTable) -> None:
        """Let the bots go on, if one of them is to act; one that still rests may think meanwhile."""
        if not live.table.bot_to_act:
            return
        if not self.playing:
            self.task = asyncio.create_task(self._play(live))
        elif self._lease is not None:
            self._think(live)

    def end_long_rest(self) -> None:
        """Somebody looks at the table: end a rest that was long because nobody did."""
        if self._resting is not None:
            self._resting.cancel()

    async def remove(self, table: str) -> None:
        """Forget the bots; other processes may let them play."""
        await self._hall.pool.remove(self._bots)
        await self._hall.peers.release([table])

    async def _play(self, live: LiveTable) -> None:
        try:
            await self._play_on(live)
        finally:
            self._lease = None
            self._hall.bots_only.note(live.table.id, "")

    async def _play_on(self, live: LiveTable) -> None:
        table, hall = live.table, self._hall
        while bot := table.bot_to_act:
            lease = self._lease = await hall.peers.claim(table.id)
            if lease is None:
                return  # another process does
            on, seat = table.on, table.actor
            if seat is None or table.bot_to_act != bot:
                continue
            thought = self._think(live)
            await self._rest(live)
            if table.on != on or table.bot_to_act != bot:
                continue
            answer = await thought
            try:
                await live.submit(partial(proposals.bot_acts, table, seat, on, answer, _rng), lease=lease)
                hall.metrics.bot_replacements.add(answer is None)
            except Refusal:
                continue  # the game went another way while the bot was thinking
            except (NotFound, Damaged):
                return
            except LeaseLost:
                await hall.peers.release([table.id])
                return  # another process does, or will
            except StoreError as error:
                log.error("a bot's action %s", error, extra={"table": table.id})
                await asyncio.sleep(RETRY)

    async def _rest(self, live: LiveTable) -> None:
        """Wait for the bot's moment; at a table that nobody looks at it comes later, or when somebody does."""
        sleep = self._hall.sources.sleep
        while not live.attended:
            self._resting = asyncio.ensure_future(sleep(self._delay(live)))
            try:
                await asyncio.wait({self._resting})
                if not self._resting.cancelled():
                    return
            finally:
                self._resting.cancel()
                self._resting = None
        await sleep(self._delay(live))

    def _think(self, live: LiveTable) -> asyncio.Task[bytes | None]:
        """The bot's thought about the present position, begun if it is not yet; a pause does not repeat it."""
        seat, bot = live.table.actor, live.table.bot_to_act
        assert seat is not None
        position, before = (live.table.on, seat, bot), self.thought
        if before is None or position != self._position or _failed(before):
            self._position = position
            self.thought = before = asyncio.create_task(self._thought_after(before, live, seat, bot))
        return before

    async def _thought_after(
        self, before: asyncio.Task[bytes | None] | None, live: LiveTable, seat: int, bot: str
    ) -> bytes | None:
        """One thought at a time: a player who acts and undoes again and again gets no more of the bots' time."""
        on = live.table.on
        if before is not None:
            with contextlib.suppress(Exception):
                await before
        if live.table.on != on:
            return None
        with self._hall.metrics.bot_seconds.timed():
            return await self._ask(live, seat, bot)

    async def _ask(self, live: LiveTable, seat: int, bot: str) -> bytes | None:
        table = live.table
        assert table.snapshot is not None
        view = msgspec.json.encode(table.snapshot.view(seat))
        asked = SeatedBot(table.id, seat, table.game.name, bot, table.undone)
        self._bots.add(asked)
        place = Place(live.made_by, lambda: live.attended)
        return await self._hall.pool.decide(asked, view, partial(live.audience.events, seat), place)

    def _delay(self, live: LiveTable) -> float:
        """How long the bot to act should still wait; never longer than it ever has to, whatever the clock says."""
        pace = self._pace(live)
        if not self._hall.settings.bot_delay:
            return 0.0
        now = self._hall.sources.clock()
        due = max(live.person_moved + AFTER_PERSON, live.moved + pace)
        return min(max(due - now, 0.0), max(pace, AFTER_PERSON))

    def _pace(self, live: LiveTable) -> float:
        """Seconds between the last action and a bot's next; it depends only on what everybody sees."""
        table, bots_only, most = live.table, self._hall.bots_only, self._hall.settings.limits.bot_tables
        if any(sitting.playing for sitting in table.seats):
            bots_only.note(table.id, "")
            return _usual(table) if live.attended else AWAY
        bots_only.note(table.id, live.made_by)
        too_many = bots_only.of(live.made_by) / most if most else 0.0
        return (_usual(table) if live.attended else ALONE) * max(too_many, 1.0)


def _usual(table: Table) -> float:
    """Seconds that a bot takes in this position, by an onlooker's view."""
    if table.snapshot is None:
        return AFTER_BOT
    return AFTER_BOT * min(max(table.game.pause(table.snapshot.view(None)), SHORTEST), LONGEST)


def _goes_on(task: asyncio.Task[Any] | None) -> bool:
    return task is not None and not task.done()


def _failed(task: asyncio.Task[Any]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
