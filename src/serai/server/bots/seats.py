"""Bots at live tables: whose turn it is, how long they wait, and that only one process lets a table's bots play."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from random import Random

import msgspec

from serai.server.bots.pool import BotPool
from serai.server.http.problems import NotFound
from serai.server.metrics import Metrics
from serai.server.peers.base import Peers
from serai.server.settings import Settings, Sources
from serai.server.store.base import StoreError
from serai.server.tables.live import Live
from serai.table import proposals
from serai.table.errors import Refusal
from serai.table.proposals import Change

log = logging.getLogger("serai.bots")

AFTER_PERSON = 2.0
"""Seconds a bot waits after a person acted, so that an undo has a chance."""
AFTER_BOT = 0.8
"""Seconds a bot waits after another bot, so that people can follow."""
RETRY = 1.0
"""Seconds until a bot's action that could not be saved is tried again."""

Play = Callable[[Live, Callable[[], Change]], Awaitable[object]]
"""Lets a table's change be made and kept, in the table's turn."""


class BotSeats:
    """Lets bots play."""

    def __init__(
        self,
        pool: BotPool,
        settings: Settings,
        sources: Sources,
        peers: Peers,
        metrics: Metrics,
        play: Play,
    ) -> None:
        self._pool = pool
        self._settings = settings
        self._sources = sources
        self._peers = peers
        self._metrics = metrics
        self._play = play
        self._rng = Random(secrets.randbits(256))

    def stir(self, live: Live) -> None:
        """Let the bots of a table go on, if one of them is to act."""
        if live.table.bot_to_act and not live.bots_playing:
            live.bots = asyncio.create_task(self._play_on(live))

    async def rise(self, live: Live) -> None:
        """Forget the bots of a table; others may let them play."""
        await self._pool.rise(live.table.id, tuple(live.bot_keys))
        await self._peers.release([live.table.id])

    async def _play_on(self, live: Live) -> None:
        table = live.table
        while bot := table.bot_to_act:
            if not await self._peers.claim(table.id):
                return  # another process does
            on, seat = table.on, table.actor
            await self._sources.sleep(self._delay(live))
            if seat is None or table.on != on or table.bot_to_act != bot:
                continue
            with self._metrics.bot_seconds.timed():
                answer = await self._ask(live, seat, bot)
            try:
                await self._play(live, partial(proposals.bot_acts, table, seat, on, answer, self._rng))
            except Refusal:
                continue  # the game went another way while the bot was thinking
            except NotFound:
                return
            except StoreError as error:
                log.error("a bot's action %s", error, extra={"table": table.id})
                await asyncio.sleep(RETRY)

    async def _ask(self, live: Live, seat: int, bot: str) -> bytes | None:
        table = live.table
        assert table.snapshot is not None
        view = msgspec.json.encode(table.snapshot.view(seat))
        # after an undo a bot that has been watching must forget: it sits down anew
        key = f"{seat} {bot} {table.undone}"
        live.bot_keys.add(key)

        def story(seen: int) -> Sequence[bytes]:
            told = [msgspec.json.encode(event.seen_by(seat)) for play in table.plays() for event in play.events]
            return told[seen:]

        return await self._pool.decide(table.id, key, table.game.name, bot, view, story)

    def _delay(self, live: Live) -> float:
        """How long the bot to act should still wait; never longer than after a person, whatever the clock says."""
        if not self._settings.bot_delay:
            return 0.0
        now = self._sources.clock()
        due = max(live.person_moved + AFTER_PERSON, live.moved + AFTER_BOT)
        return min(max(due - now, 0.0), AFTER_PERSON)
