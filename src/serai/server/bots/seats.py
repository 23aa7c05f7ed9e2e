"""The bots of a live table: whose turn it is, how long they wait, and that only one process lets them play."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

import msgspec

from serai.server.errors import NotFound
from serai.server.services import Services
from serai.server.store.base import Lease, LeaseLost, StoreError
from serai.table import proposals
from serai.table.effects import Effect
from serai.table.errors import Damaged, Refusal
from serai.table.proposals import Change
from serai.table.table import Table

log = logging.getLogger("serai.bots")

AFTER_PERSON = 2.0
"""Seconds a bot waits after a person acted, so that an undo has a chance."""
AFTER_BOT = 0.8
"""Seconds a bot waits after another bot, so that people can follow."""
RETRY = 1.0
"""Seconds until a bot's action that could not be saved is tried again."""

_rng = random.SystemRandom()
"""For the action that is played when a bot has none."""


class Played(Protocol):
    """What bots need of the live table at which they sit."""

    table: Table
    moved: float
    """When the game last changed, and when that was a person's doing."""
    person_moved: float

    async def submit(self, propose: Callable[[], Change], *, lease: Lease | None) -> Effect:
        """Make a change and keep it, unless this process's lease of the table is over."""


class BotSeats:
    """Lets the bots of one table play. The table is handed in each time: the two must not hold each other in memory."""

    __slots__ = ("_keys", "_services", "task")

    def __init__(self, services: Services) -> None:
        self._services = services
        self._keys: set[str] = set()
        """Under which names the pool knows them."""
        self.task: asyncio.Task[None] | None = None

    @property
    def playing(self) -> bool:
        """Whether this process lets them play right now."""
        return self.task is not None and not self.task.done()

    def wake(self, live: Played) -> None:
        """Let them go on, if one of them is to act."""
        if live.table.bot_to_act and not self.playing:
            self.task = asyncio.create_task(self._play_on(live))

    async def rise(self, table: str) -> None:
        """Forget them; other processes may let them play."""
        await self._services.pool.rise(table, tuple(self._keys))
        await self._services.peers.release([table])

    async def _play_on(self, live: Played) -> None:
        table, services = live.table, self._services
        while bot := table.bot_to_act:
            lease = await services.peers.claim(table.id)
            if lease is None:
                return  # another process does
            on, seat = table.on, table.actor
            await services.sources.sleep(self._delay(live))
            if seat is None or table.on != on or table.bot_to_act != bot:
                continue
            with services.metrics.bot_seconds.timed():
                answer = await self._ask(table, seat, bot)
            try:
                await live.submit(partial(proposals.bot_acts, table, seat, on, answer, _rng), lease=lease)
            except Refusal:
                continue  # the game went another way while the bot was thinking
            except (NotFound, Damaged):
                return
            except LeaseLost:
                await services.peers.release([table.id])
                return  # another process does, or will
            except StoreError as error:
                log.error("a bot's action %s", error, extra={"table": table.id})
                await asyncio.sleep(RETRY)

    async def _ask(self, table: Table, seat: int, bot: str) -> bytes | None:
        assert table.snapshot is not None
        view = msgspec.json.encode(table.snapshot.view(seat))
        # after an undo a bot that has been watching must forget: it sits down anew
        key = f"{seat} {bot} {table.undone}"
        self._keys.add(key)

        def story(seen: int) -> Sequence[bytes]:
            told = [msgspec.json.encode(event.seen_by(seat)) for play in table.plays() for event in play.events]
            return told[seen:]

        return await self._services.pool.decide(table.id, key, table.game.name, bot, view, story)

    def _delay(self, live: Played) -> float:
        """How long the bot to act should still wait; never longer than after a person, whatever the clock says."""
        if not self._services.settings.bot_delay:
            return 0.0
        now = self._services.sources.clock()
        due = max(live.person_moved + AFTER_PERSON, live.moved + AFTER_BOT)
        return min(max(due - now, 0.0), AFTER_PERSON)
