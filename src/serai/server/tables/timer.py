"""The clock of a live table at work: whoever lets their time run out is played by a stand-in until they are back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from serai.server.errors import NotFound
from serai.server.services import Services
from serai.server.store.base import Lease, LeaseLost, StoreError
from serai.table import frames, seating
from serai.table.effects import Effect
from serai.table.errors import Damaged, Refusal
from serai.table.messages import AnyReply
from serai.table.proposals import Change
from serai.table.table import Table

log = logging.getLogger("serai.clock")

HELD_UP = 5.0
"""Seconds: whoever wakes up that much later than they wanted was not running, and neither was the game."""


class Timed(Protocol):
    """What the timer needs of the live table whose clock it watches."""

    table: Table

    async def submit(self, propose: Callable[[], Change], *, lease: Lease | None) -> Effect:
        """Make a change and keep it, unless this process's lease of the table is over."""

    def tell_all(self, reply: AnyReply) -> None:
        """The same for everybody."""


class TurnTimer:
    """Waits for the end of the present turn's time. The table is handed in each time, as to its bots."""

    __slots__ = ("_due", "_services", "_told", "task")

    def __init__(self, services: Services) -> None:
        self._services = services
        self._due: float | None = None
        """The end that is waited for."""
        self._told: tuple[int | None, float | None] = (None, None)
        """Whose time runs, and until when, as everybody heard it."""
        self.task: asyncio.Task[None] | None = None

    def follow(self, live: Timed) -> bool:
        """Let the clock follow the table; whether it runs otherwise than before, which everybody is told."""
        table = live.table
        if not table.clock.seconds:
            return False
        now = self._services.sources.clock()
        table.time(now)
        self.wake(live)
        told, self._told = self._told, (table.clock.seat, table.clock.due())
        if told == self._told:
            return False
        live.tell_all(frames.turn_time(table, now))
        return True

    def restart_turn(self, live: Timed) -> None:
        """Give whoever is to act all their time again: for a while nothing could be played here."""
        live.table.clock.begin_no_earlier(self._services.sources.clock())
        self.follow(live)

    def wake(self, live: Timed) -> None:
        """Wait for the end of the present turn's time, if it runs and anybody is there to see it."""
        due = live.table.clock.due() if live.table.attended else None
        if due == self._due and (due is None or (self.task is not None and not self.task.done())):
            return
        if self.task is not asyncio.current_task():
            self.stop()
        self._due = due
        self.task = None if due is None else asyncio.create_task(self._run_out(live, due))

    def stop(self) -> None:
        """Wait no more."""
        self._due = None
        if self.task is not None:
            self.task.cancel()

    async def _run_out(self, live: Timed, due: float) -> None:
        table, sources = live.table, self._services.sources
        seat, began = table.clock.seat, sources.clock()
        await sources.sleep(max(due - began, 0.0))
        lease = await self._services.peers.claim(table.id)
        if seat is None or lease is None:
            return  # another process looks after it
        if sources.clock() > max(due, began) + HELD_UP:
            self.restart_turn(live)
            return
        bot = await self._stand_in(table)
        try:
            await live.submit(lambda: Change(seating.time_out(table, seat, bot, sources.clock())), lease=lease)
        except (Refusal, NotFound, Damaged):
            return  # it went another way at the last moment
        except LeaseLost:
            await self._services.peers.release([table.id])
        except StoreError as error:
            log.error("a turn that is over %s", error, extra={"table": table.id})
            self.restart_turn(live)

    async def _stand_in(self, table: Table) -> str:
        """A bot of middling strength, as "Play now" seats them: it neither throws a game away nor wins it for somebody
        who is not there.
        """
        pool = self._services.pool
        await pool.tried(table.game.name)
        ready = pool.levels(table.game) or pool.ready(table.game)
        return ready[len(ready) // 2]
