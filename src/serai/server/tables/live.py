"""One table that is awake: the only owner of its memory, and the only way of an entry into the store."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import msgspec

from serai.server.bots.seats import BotSeats
from serai.server.errors import NotFound
from serai.server.net.connection import Connection, encode
from serai.server.peers.base import NOBODY, Attendance, tag_of
from serai.server.services import Services
from serai.server.store.base import LIVELY, Conflict, Listing, StoreError
from serai.table import frames, messages, proposals, seating
from serai.table.bodies import Join
from serai.table.effects import Effect
from serai.table.entries import Acted, AnyEntry, Seated, read_entry, write_entry
from serai.table.errors import Refusal
from serai.table.phases import phase_after
from serai.table.proposals import Change
from serai.table.rights import Who
from serai.table.table import Table

log = logging.getLogger("serai.hall")

MOST_TRIES = 20
"""How often a message is tried again when other processes were faster; each of them did get something done."""
GAP = 500
"""Who misses more entries than this gets a welcome instead."""
TALKATIVE = (messages.Say, messages.Mute, messages.Pause, messages.Resume, messages.Agree)
"""What is kept for ever and moves no game: there may be only so much of it."""
TALK, TALK_SECONDS = 12, 10.0
"""How much of that one visitor may send in how many seconds."""
NO_TABLE, MOVED = 4404, 4411

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
    more to be read: word of what they did may be late. If there is a conflict and nothing to read, the table was
    removed from the store; it is let go then, here too, and everybody with it.

    What is not stored needs no lock: who is connected, who looks through which seat, who is away.
    """

    def __init__(self, table: Table, services: Services, awake: dict[str, LiveTable], made_from: str = "") -> None:
        """``awake``: the tables of this process by their ids; one that is gone from the store leaves them.

        ``made_from``: the address from which it has just been made.
        """
        self.table = table
        self.made_from = made_from
        self.made = services.sources.clock()
        self.connections: set[Connection] = set()
        self.bots = BotSeats(services)
        self.lock = asyncio.Lock()
        self.used = self.moved = services.sources.clock()
        """When the table was last asked for, and when its game last changed."""
        self.person_moved = float("-inf")
        """When that was a person's doing."""
        self.behind = False
        self.heard_of = -1
        self._services = services
        self._awake = awake
        self._listed = ""
        """The day on which the table's listing was last written here."""
        self._talk: dict[str, deque[float]] = {}
        """When each visitor said something lately."""
        self._elsewhere = NOBODY
        """Who is connected at other processes."""

    # -- changes -------------------------------------------------------------------------------------------------------

    async def submit(self, propose: Propose, visitor: str = "", message_id: str = "") -> Effect:
        """Make a change, keep it and tell of it; a message that was heard before changes nothing."""
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
                    return await self.append(change)
                except Conflict:
                    await self.overtaken()
        raise StoreError(f"other processes were faster {MOST_TRIES} times")

    async def hear(self, connection: Connection, message: messages.AnyMessage) -> None:
        """Do what a viewer asks, and tell them what came of it."""
        if isinstance(message, messages.Look):
            self._look(connection, message.seat)
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

    async def append(self, change: Change) -> Effect:
        """Store, then move, then tell. The caller has the lock."""
        table, today, metrics = self.table, self._services.sources.date(), self._services.metrics
        listing = self._listing_after(change.entry, today)
        began = time.perf_counter()
        stored = self._services.store.append(table.id, table.n + 1, write_entry(change.entry), listing)
        try:
            await asyncio.shield(stored)
        except StoreError as error:
            self.behind = True
            metrics.store_failures.add(not isinstance(error, Conflict))
            raise
        except asyncio.CancelledError:
            # whoever asked is gone, but the entry may be kept all the same: memory has to follow the store
            await asyncio.wait({stored})
            if stored.exception() is None:
                self._absorb(change)
            else:
                self.behind = True
            raise
        if listing is not None:
            self._listed = today
        metrics.store_seconds.observe(time.perf_counter() - began)
        return self._absorb(change)

    async def overtaken(self) -> None:
        """Take in what another process was faster with; if there is nothing, the table was removed. The caller has the
        lock.
        """
        if not await self._read_on():
            await self._let_go()
            raise NotFound("table.unknown")

    async def catch_up(self) -> None:
        """Take in what other processes have kept, even if word of it has not come yet."""
        told = self.heard_of  # while the store is read, word of more may come
        async with self.lock:
            await self._read_on()
            removed = told > self.table.n
        if removed:
            await self._let_go()

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
        return Listing(phase, table.public, tuple(sitters), today, bots)

    async def _read_on(self) -> bool:
        """Take in what the store has and memory has not; whether there was anything. The caller has the lock."""
        missed = await self._services.store.entries(self.table.id, self.table.n)
        for stored in missed:
            self._absorb(Change(read_entry(stored)))
        self.behind = self.heard_of > self.table.n  # word of more may have come meanwhile
        return bool(missed)

    async def _let_go(self) -> None:
        """The store does not have the table any more: neither does this process, nor whoever is there."""
        self.behind = False
        self._awake.pop(self.table.id, None)
        await self.bots.rise(self.table.id)
        # a moment later, so that whoever wanted something is told why it cannot be
        asyncio.get_running_loop().call_soon(self._dismiss)

    def _absorb(self, change: Change) -> Effect:
        """Let memory follow the store, and tell everybody."""
        entry, seated = change.entry, isinstance(change.entry, Seated)
        effect = self.table.absorb(entry, change.play)
        self.used = self._services.sources.clock()
        if effect.before is not effect.after:
            self.moved = self.used
            self._services.metrics.moves.add(isinstance(entry, Acted))
            if entry.visitor:
                self.person_moved = self.used
        if seated:
            self._follow_seats()
        elif effect.info is not None:
            log.info("%s; phase %s", type(entry).__name__.lower(), effect.info.phase, extra={"table": self.table.id})
        self._tell(effect)
        if seated:
            self._attendance_changed()
        if effect.offers is None:  # else a person is to act
            self.bots.wake(self)
        return effect

    # -- viewers -------------------------------------------------------------------------------------------------------

    def attach(self, connection: Connection, seen: int | None) -> None:
        """Let a viewer in: what they missed, or everything from scratch; from now on they hear of every change."""
        table = self.table
        if seen is None or not table.n - GAP <= seen <= table.n:
            self._welcome(connection)
        else:
            for frame in frames.history(table, connection.visitor, connection.seat, seen):
                connection.line.write(encode(frame))
        self.connections.add(connection)
        if connection.visitor:
            table.presence.came(connection.visitor)
        self._attendance_changed()

    def detach(self, connection: Connection) -> None:
        """A viewer is gone."""
        if connection.line.too_slow:
            self._services.metrics.cut_off.add()
            log.info("a viewer read too slowly", extra={"table": self.table.id})
        self.connections.discard(connection)
        self.used = self._services.sources.clock()
        if connection.visitor:
            self.table.presence.went(connection.visitor, self.used)
        self._attendance_changed()

    def part_from(self, stands_for: Mapping[str, str]) -> None:
        """Whoever is connected from one of these devices, and is not the visitor any more whom it stands for, looks on
        from now on until they come anew.
        """
        parted = [one for one in self.connections if stands_for.get(one.device, one.visitor) != one.visitor]
        for connection in parted:
            if connection.visitor:
                self.table.presence.went(connection.visitor, self._services.sources.clock())
            connection.visitor, connection.seat, connection.onlooker_by_choice = "", None, True
            connection.line.close(MOVED)
        if parted:
            self._attendance_changed()

    async def see_elsewhere(self) -> None:
        """Ask who is connected at other processes, and tell everybody if that changed."""
        with contextlib.suppress(StoreError):
            elsewhere = await self._services.peers.elsewhere(self.table.id)
            if elsewhere != self._elsewhere:
                self._elsewhere = elsewhere
                self.table.presence.elsewhere(elsewhere.visitors, self._services.sources.clock())
                self.tell_presence()

    def tell_presence(self) -> None:
        """Who is away, for everybody."""
        watching = self.watching + self._elsewhere.watching
        self.tell_all(frames.presence(self.table, self._services.sources.clock(), watching))

    def tell_all(self, reply: messages.AnyReply) -> None:
        """The same for everybody."""
        text = encode(reply)
        for connection in self.connections:
            connection.line.write(text)

    @property
    def watching(self) -> int:
        """How many look on here without a seat."""
        return sum(connection.seat is None for connection in self.connections)

    @property
    def host_from(self) -> str:
        """What stands for the address from which the host is connected here; empty if they are not."""
        host = self.table.host
        return next((tag_of(one.address) for one in self.connections if host and one.visitor == host), "")

    @property
    def waiting(self) -> bool:
        """Whether it is a public table with room for somebody."""
        table = self.table
        return table.public and table.phase == "lobby" and any(sitting.kind == "open" for sitting in table.seats)

    def _tell(self, effect: Effect) -> None:
        """Everybody's frame of an effect, made once for all who see the same."""
        table, made = self.table, dict[Any, bytes]()
        game = effect.before is not effect.after
        for connection in self.connections:
            visitor, seat = connection.visitor, connection.seat
            key = seat if game else (seat, visitor)
            text = made.get(key)
            if text is None:
                frame = frames.game_frame(effect, seat) if game else frames.frame(table.effects, effect, visitor, seat)
                text = made[key] = b"" if frame is None else encode(frame)
            if text:
                connection.line.write(text)

    def _welcome(self, connection: Connection) -> None:
        """Tell a viewer everything from scratch."""
        build = self._services.settings.build
        connection.line.write(encode(frames.welcome(self.table, connection.visitor, connection.seat, build)))

    def _look(self, connection: Connection, seat: int | None) -> None:
        """Let a viewer look through another seat of theirs, or look on."""
        if seat is not None and seat not in self.table.held_by(connection.visitor):
            raise Refusal("table.not_yours", seat=seat)
        connection.seat = seat
        connection.onlooker_by_choice = seat is None
        self._welcome(connection)
        self.tell_presence()

    def _attendance_changed(self) -> None:
        visitors = frozenset(connection.visitor for connection in self.connections if connection.visitor)
        self._services.peers.attend(self.table.id, Attendance(visitors, self.watching, self.host_from))
        self.tell_presence()

    def _follow_seats(self) -> None:
        """Before the start seats move about; whoever looked through one looks through their own again."""
        for connection in self.connections:
            held = self.table.held_by(connection.visitor)
            if connection.seat not in held and not connection.onlooker_by_choice:
                connection.seat = held[0] if held else None

    def _bound_talk(self, visitor: str) -> None:
        now = self._services.sources.clock()
        lately = self._talk.setdefault(visitor, deque(maxlen=TALK))
        if len(lately) == TALK and 0 <= now - lately[0] < TALK_SECONDS:
            raise Refusal("table.talk", seconds=TALK_SECONDS)
        lately.append(now)

    def _dismiss(self) -> None:
        for connection in self.connections:
            connection.line.close(NO_TABLE)
