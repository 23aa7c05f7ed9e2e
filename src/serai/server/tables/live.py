"""One table that is awake: the only owner of its memory, and the only way of an entry into the store."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from serai.server.bots.seats import BotSeats
from serai.server.errors import NotFound
from serai.server.net.connection import Connection, encode
from serai.server.services import Services
from serai.server.store.base import LEASE_LOST, LIVELY, Conflict, Lease, LeaseLost, Listing, StoreError
from serai.server.tables.audience import Audience
from serai.server.tables.timer import TurnTimer
from serai.table import frames, messages, proposals, seating
from serai.table.bodies import Join
from serai.table.chain import Stored
from serai.table.effects import Effect
from serai.table.entries import Acted, AnyEntry, Seated, write_entry
from serai.table.errors import Damaged, Refusal
from serai.table.phases import phase_after
from serai.table.proposals import Change
from serai.table.rights import Who
from serai.table.table import Table

log = logging.getLogger("serai.hall")

MOST_TRIES = 20
"""How often a message is tried again when other processes were faster; each of them did get something done."""
TALKATIVE = (messages.Say, messages.Mute, messages.Pause, messages.Resume, messages.Agree)
"""What is kept for ever and moves no game: there may be only so much of it."""
TALK, TALK_SECONDS = 12, 10.0
"""How much of that one visitor may send in how many seconds."""
NO_TABLE, DAMAGED = 4404, 4410

Propose = Callable[[], Change]
"""Makes a change of the table as it stands, or refuses."""


class LiveTable:
    """A table in memory, its bots, and whoever is connected to it.

    **One change at a time.** The lock is held from the first look at the table until everybody has been told: what the
    store has and memory has not is taken in, the change is proposed on that, its entry is appended to the store, and
    only once it is durable does memory move (absorb), and only then does anybody hear of it (tell). So memory is never
    ahead of the store, and no viewer ever ahead of memory. Whoever stops waiting for an append does not stop it: memory
    follows the store all the same.

    **Behind.** Memory is *behind* when the store has, or may have, more: after an append that failed (perhaps it was
    kept after all), while news from other processes may have been missed, and once one of them told that there is an
    entry of a higher number, the number we have *heard of*. Whoever is behind reads the store before the next change;
    so from a change's proposal to its append, memory and store are the same as far as can be known.

    **Others are faster.** When the store has an entry of our number already (``Conflict``), that entry is taken in and
    the change proposed again. Where other processes share the store, a refusal too counts only once there is nothing
    more to be read: word of what they did may be late.

    **Gone.** If there is a conflict and nothing to read, the table was removed from the store, or the end of its
    history was lost; and what is read may not fit the history in memory. The table is let go then, here too, and
    everybody with it: nothing is appended to it any more.

    What is not stored needs no lock: who is connected, who looks through which seat, who is away.
    """

    def __init__(self, table: Table, services: Services, awake: dict[str, LiveTable], made_by: str = "") -> None:
        """``awake``: the tables of this process by their ids; one that is gone from the store leaves them.

        ``made_by``: the address of whoever has just made it.
        """
        self.table = table
        self.made_by = made_by
        """The address of whoever made the table, if that was here and since the last start."""
        self.made = services.sources.clock()
        self.audience = Audience(table, services)
        self.bots = BotSeats(services)
        self.timer = TurnTimer(services)
        self.lock = asyncio.Lock()
        self.used = self.moved = services.sources.clock()
        """When the table was last asked for, and when its game last changed."""
        self.person_moved = float("-inf")
        """When that was a person's doing."""
        self.behind = False
        self.heard_of = -1
        self.gone: NotFound | Damaged | None = None
        """Why the table can be had no more."""
        self._services = services
        self._awake = awake
        self._listed = ""
        """The day on which the table's listing was last written here."""
        self._talk: dict[str, deque[float]] = {}
        """When each visitor said something lately."""

    # -- changes -------------------------------------------------------------------------------------------------------

    async def submit(
        self, propose: Propose, visitor: str = "", message_id: str = "", *, lease: Lease | None = None
    ) -> Effect:
        """Make a change, keep it and tell of it; a message that was heard before changes nothing.

        What no person asked for is made under this process's lease of the table; ``LeaseLost`` once that is over.
        """
        async with self.lock:
            if self.behind:
                await self._read_on()
            for _ in range(MOST_TRIES):
                known = self.table.known(visitor, message_id)
                if known is not None:
                    return self.table.effects[known]
                try:
                    change = propose()
                except Refusal:
                    if not self._services.peers.shared or not await self._read_on():
                        raise
                    continue
                try:
                    return await self.append(change, lease)
                except Conflict:
                    await self.overtaken()
        raise StoreError(f"other processes were faster {MOST_TRIES} times")

    async def hear(self, connection: Connection, message: messages.AnyMessage) -> None:
        """Do what a viewer asks, and tell them what came of it."""
        if isinstance(message, messages.Look):
            self.audience.look(connection, message.seat)
            return
        table, visitor, sources = self.table, connection.visitor, self._services.sources

        def propose() -> Change:
            who = Who(visitor, connection.seat, sources.clock())
            return proposals.propose(table, message, who, sources.date())

        if isinstance(message, TALKATIVE) and table.held_by(visitor) and table.known(visitor, message.id) is None:
            self._bound_talk(visitor)
        if isinstance(message, messages.PlaceBot | messages.TakeOver):
            await self._services.pool.admit(table.game.name, [message.bot])
        began = time.perf_counter()
        effect = await self.submit(propose, visitor, message.id)
        if isinstance(message, messages.Act):
            self._services.metrics.move_seconds.observe(time.perf_counter() - began)
        connection.line.write(encode(messages.Done(message.id, effect.n)))

    async def join(self, wanted: Join, visitor: str) -> tuple[int, int]:
        """Seat a person; their seat and the number of the entry."""
        table, seat = self.table, None if wanted.seat is msgspec.UNSET else wanted.seat

        def propose() -> Change:
            return Change(
                seating.join(table, visitor, message_id=wanted.id, name=wanted.name, value=wanted.value, seat=seat)
            )

        effect = await self.submit(propose, visitor, wanted.id)
        if not isinstance(effect.entry, Seated) or effect.entry.seat is None:
            raise Refusal("table.id_used")
        return effect.entry.seat, effect.n

    # -- the store -----------------------------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """The lock, with nothing left to be read: for a change that :meth:`submit` cannot make."""
        async with self.lock:
            if self.behind:
                await self._read_on()
            yield

    async def append(self, change: Change, lease: Lease | None = None) -> Effect:
        """Store, then move, then tell. The caller has the lock."""
        if self.gone is not None:
            raise self.gone
        table, today, metrics = self.table, self._services.sources.date(), self._services.metrics
        if lease is not None and not self._services.peers.holds(table.id, lease):
            raise LeaseLost(LEASE_LOST)
        if table.clock.seconds:
            stamped = replace(change.entry, when=round(self._services.sources.wall(), 3))
            change = replace(change, entry=stamped)
        listing = self._listing_after(change.entry, today)
        began = time.perf_counter()
        entry = write_entry(change.entry)
        link = table.next_link(entry)
        stored = self._services.store.append(table.id, Stored(table.n + 1, entry, link), listing, lease)
        try:
            await asyncio.shield(stored)
        except StoreError as error:
            self.behind = True
            if not isinstance(error, Conflict | LeaseLost):
                metrics.store_failures.add()
                self.timer.restart_turn(self)
            raise
        except asyncio.CancelledError:
            # whoever asked is gone, but the entry may be kept all the same: memory has to follow the store
            await asyncio.wait({stored})
            if stored.exception() is None:
                self._absorb(change, link)
            else:
                self.behind = True
            raise
        if listing is not None:
            self._listed = today
        metrics.store_seconds.observe(time.perf_counter() - began)
        return self._absorb(change, link)

    async def overtaken(self) -> None:
        """Take in what another process was faster with; if there is nothing, the table is gone. The caller has the
        lock.
        """
        if not await self._read_on():
            raise await self._lost()

    async def catch_up(self) -> None:
        """Take in what other processes have kept, even if word of it has not come yet."""
        told = self.heard_of  # while the store is read, word of more may come
        async with self.lock:
            await self._read_on()
            if told > self.table.n:
                await self._lost()

    def _listing_after(self, entry: AnyEntry, today: str) -> Listing | None:
        """The table's new listing, if this entry changes its phase or whether bots play, or if one is due to tell that
        the table is still alive.
        """
        table, phase = self.table, phase_after(self.table.phase, entry)
        seats = entry.seats if isinstance(entry, Seated) else table.seats
        due = self._listed < today and phase in LIVELY
        if phase == table.phase and seats is table.seats and not due:
            return None
        bots = any(sitting.player for sitting in seats)
        sitters = {sitting.visitor for sitting in seats if sitting.visitor} if phase == "playing" else ()
        return Listing(phase, table.table_rules.public, tuple(sitters), today, bots)

    async def _read_on(self) -> bool:
        """Take in what the store has and memory has not; whether there was anything. The caller has the lock."""
        missed = await self._services.store.entries(self.table.id, self.table.n)
        try:
            for stored in missed:
                self._absorb(Change(self.table.read(stored)), stored.link)
        except Damaged as damaged:
            log.error("damaged: %s", damaged.reason, extra={"table": self.table.id})
            await self._let_go(damaged)
            raise
        self.behind = self.heard_of > self.table.n  # word of more may have come meanwhile
        return bool(missed)

    async def _lost(self) -> NotFound | Damaged:
        """Let go of a table whose last entries are not in the store any more; why that is."""
        if await self._services.store.entries(self.table.id):
            reason = f"entry {self.table.n} or one behind it is missing"
            log.error("damaged: %s", reason, extra={"table": self.table.id})
            return await self._let_go(Damaged.at(self.table.id, reason))
        return await self._let_go(NotFound("table.unknown"))

    async def _let_go(self, why: NotFound | Damaged) -> NotFound | Damaged:
        """The table can be had no more: not by this process either, nor by whoever is there."""
        self.behind, self.gone = False, why
        self._awake.pop(self.table.id, None)
        self.timer.stop()
        await self.bots.rise(self.table.id)
        # a moment later, so that whoever wanted something is told why it cannot be
        asyncio.get_running_loop().call_soon(self.audience.dismiss, DAMAGED if isinstance(why, Damaged) else NO_TABLE)
        return why

    def _absorb(self, change: Change, link: bytes) -> Effect:
        """Let memory follow the store, and tell everybody."""
        entry, seated = change.entry, isinstance(change.entry, Seated)
        effect = self.table.absorb(entry, change.play, link)
        self.used = self._services.sources.clock()
        if effect.before is not effect.after:
            self.moved = self.used
            self._services.metrics.moves.add(isinstance(entry, Acted))
            if entry.visitor:
                self.person_moved = self.used
        if seated:
            self.audience.follow_seats()
        elif effect.info is not None:
            log.info("%s; phase %s", type(entry).__name__.lower(), effect.info.phase, extra={"table": self.table.id})
        self.audience.tell(effect)
        if seated:
            self.audience.changed()
        self.timer.follow(self)
        if effect.offers is None:  # else a person is to act
            self.bots.wake(self)
        return effect

    @property
    def tasks(self) -> list[asyncio.Task[Any]]:
        """What goes on here without anybody asking."""
        begun = (self.bots.task, self.bots.thought, self.timer.task)
        return [task for task in begun if task is not None]

    # -- viewers -------------------------------------------------------------------------------------------------------

    @property
    def attended(self) -> bool:
        """Whether anybody is connected, here or elsewhere."""
        return self.audience.attended

    @property
    def waiting(self) -> bool:
        """Whether it is a public table with room for somebody."""
        table = self.table
        in_lobby = table.table_rules.public and table.phase == "lobby"
        return in_lobby and any(sitting.kind == "open" for sitting in table.seats)

    def attach(self, connection: Connection, seen: int | None) -> None:
        """Let a viewer in."""
        self.audience.admit(connection, seen)
        self.bots.be_seen()
        self.bots.wake(self)
        if not self.timer.follow(self) and self.table.clock.seconds:
            connection.line.write(encode(frames.turn_time(self.table, self._services.sources.clock())))

    def detach(self, connection: Connection) -> None:
        """A viewer is gone."""
        if connection.line.too_slow:
            self._services.metrics.cut_off.add()
            log.info("a viewer read too slowly", extra={"table": self.table.id})
        self.used = self._services.sources.clock()
        self.audience.lose(connection)
        self.timer.follow(self)

    async def see_elsewhere(self) -> None:
        """Ask who is connected at other processes, and let the game follow."""
        with contextlib.suppress(StoreError):
            if await self.audience.look_elsewhere():
                if self.attended:
                    self.bots.be_seen()
                self.timer.follow(self)
                self.bots.wake(self)

    def tell_all(self, reply: messages.AnyReply) -> None:
        """The same for everybody."""
        self.audience.tell_all(reply)

    def _bound_talk(self, visitor: str) -> None:
        now = self._services.sources.clock()
        lately = self._talk.setdefault(visitor, deque(maxlen=TALK))
        if len(lately) == TALK and 0 <= now - lately[0] < TALK_SECONDS:
            raise Refusal("table.talk", seconds=TALK_SECONDS)
        lately.append(now)
