"""A live table: one change at a time, stored before anybody sees it; and the timer of its turns."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from serai.server.bots.seats import BotSeats
from serai.server.errors import NotFound
from serai.server.store.base import LEASE_LOST, UNFINISHED, Conflict, Lease, LeaseLost, Listing, StoreError
from serai.server.tables.audience import Audience, Connection, encode
from serai.server.threads import paced
from serai.table import frames, proposals
from serai.table.chain import Stored
from serai.table.entries import Acted, AnyEntry, Seated, write_entry
from serai.table.errors import Damaged, Refusal
from serai.table.proposals import Change, Who
from serai.table.table import Effect, Table
from serai.wire import messages
from serai.wire.bodies import Join
from serai.wire.frames import Done

if TYPE_CHECKING:
    from serai.server.tables.hall import Hall

log = logging.getLogger("serai.hall")

MOST_TRIES = 20
"""How often a change is tried again when other processes were faster."""
SUSPENDED_SECONDS = 5.0
"""A turn timer this late was suspended with the whole process, so the turn gets its time again."""
TALKATIVE = (messages.Say, messages.Mute, messages.Pause, messages.Resume, messages.Agree)
"""Messages that are stored for ever and move no game: their rate is limited."""
TALK, TALK_SECONDS = 12, 10.0
"""How many of these one visitor may send in how many seconds."""
SHORT = 50
"""Actions that are played out on the event loop at a time."""
NO_TABLE, DAMAGED = 4404, 4410
"""Close codes."""

Propose = Callable[[], Change]
"""Makes a change of the table as it stands, or raises ``Refusal``."""


class LiveTable:
    """A table in memory, its bots and its viewers.

    **One change at a time.** The lock is held from the first look at the table until everybody has been told: what the
    store has and memory has not is absorbed, the change is proposed on that, its entry is appended to the store, and
    only once it is durable does memory move (absorb), and only then does anybody hear of it (tell). So memory is never
    ahead of the store, and no viewer ever ahead of memory. A caller that is cancelled does not stop its append: memory
    follows the store all the same.

    **Behind.** Memory is *behind* when the store has, or may have, more: after an append that failed (perhaps it was
    stored after all), while news from other processes may have been missed, and once one of them has announced an entry
    of a higher number (``heard_of``). A table that is behind reads the store before the next change; so from a change's
    proposal to its append, memory and store are the same as far as can be known.

    **Others are faster.** When the store has an entry of our number already (``Conflict``), that entry is absorbed and
    the change proposed again. Where other processes share the store, a refusal counts only once there is nothing more
    to be read: their news may be late.

    **Gone.** If there is a conflict and nothing to read, the table was removed from the store, or its last entries were
    lost; and what is read may not fit the entries in memory. Then the table is dropped from memory, its viewers are
    disconnected, and nothing is appended to it any more.

    What is not stored needs no lock: who is connected, which seat each looks through, who is away.
    """

    def __init__(self, table: Table, hall: Hall, made_by: str = "") -> None:
        """``made_by``: the address from which it was made just now."""
        self.table = table
        self.made_by = made_by
        """The address from which the table was made, if that was here and since the last start."""
        self.made = hall.sources.clock()
        self.audience = Audience(table, hall)
        self.bots = BotSeats(hall)
        self.timer = TurnTimer(hall)
        self.lock = asyncio.Lock()
        self.used = self.moved = hall.sources.clock()
        """When the table was last asked for, and when its game last changed."""
        self.person_moved = float("-inf")
        """When a person last did so."""
        self.behind = False
        self.heard_of = -1
        self.gone: NotFound | Damaged | None = None
        """Why the table was dropped."""
        self._hall = hall
        self._listed = ""
        """The day on which this process last wrote the table's listing."""
        self._talk: dict[str, deque[float]] = {}
        """When each visitor sent something of ``TALKATIVE`` lately."""

    # -- changes -------------------------------------------------------------------------------------------------------

    async def submit(
        self, propose: Propose, visitor: str = "", message_id: str = "", *, lease: Lease | None = None
    ) -> Effect:
        """Make a change: propose, append, absorb, tell. A message that was received before changes nothing.

        A change that no person asked for needs this process's lease of the table; ``LeaseLost`` once that has ended.
        """
        async with self.lock:
            if self.behind:
                await self._read_store()
            for _ in range(MOST_TRIES):
                known = self.table.known(visitor, message_id)
                if known is not None:
                    return self.table.effects[known]
                try:
                    change = propose()
                except Refusal:
                    if not self._hall.peers.shared or not await self._read_store():
                        raise
                    continue
                try:
                    return await self.append(change, lease)
                except Conflict:
                    await self.overtaken()
        raise StoreError(f"other processes were faster {MOST_TRIES} times")

    async def hear(self, connection: Connection, message: messages.AnyMessage) -> None:
        """Handle a viewer's message and answer it."""
        table, visitor, sources = self.table, connection.visitor, self._hall.sources
        moved = isinstance(message, messages.Act)
        if not isinstance(message, messages.Act):  # most messages are moves
            if isinstance(message, messages.Look):
                self.audience.look(connection, message.seat)
                return
            if isinstance(message, messages.Ping):
                connection.socket.write(encode(Done(message.id, table.n)))
                return
            if isinstance(message, TALKATIVE) and table.held_by(visitor) and table.known(visitor, message.id) is None:
                self._limit_talk(visitor)
            if isinstance(message, messages.PlaceBot | messages.TakeOver):
                await self._hall.pool.admit(table.game.name, [message.bot])
            if isinstance(message, messages.Start):
                await self._trace_past(connection.address)

        def propose() -> Change:
            who = Who(visitor, connection.seat, sources.clock())
            return proposals.propose(table, message, who, sources.date())

        began = time.perf_counter()
        effect = await self.submit(propose, visitor, message.id)
        if moved:
            self._hall.metrics.move_seconds.observe(time.perf_counter() - began)
        connection.socket.write(encode(Done(message.id, effect.n)))

    async def join(self, wanted: Join, visitor: str) -> tuple[int, int]:
        """Seat a person; returns their seat and the number of the entry."""
        table, seat = self.table, None if wanted.seat is msgspec.UNSET else wanted.seat

        def propose() -> Change:
            return Change(
                proposals.join(table, visitor, message_id=wanted.id, name=wanted.name, value=wanted.value, seat=seat)
            )

        effect = await self.submit(propose, visitor, wanted.id)
        if not isinstance(effect.entry, Seated) or effect.entry.seat is None:
            raise Refusal("table.id_used")
        return effect.entry.seat, effect.n

    # -- the store -----------------------------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Hold the lock, with memory up to date: for a change that :meth:`submit` cannot make."""
        async with self.lock:
            if self.behind:
                await self._read_store()
            yield

    async def append(self, change: Change, lease: Lease | None = None) -> Effect:
        """Store, then absorb, then tell. The caller has the lock."""
        if self.gone is not None:
            raise self.gone
        table, today, metrics = self.table, self._hall.sources.date(), self._hall.metrics
        if lease is not None and not self._hall.peers.holds(table.id, lease):
            raise LeaseLost(LEASE_LOST)
        if table.clock.seconds:
            stamped = replace(change.entry, when=round(self._hall.sources.wall(), 3))
            change = replace(change, entry=stamped)
        listing = self._listing_after(change.entry, today)
        began = time.perf_counter()
        entry = write_entry(change.entry)
        link = table.next_link(entry)
        stored = self._hall.store.append(table.id, Stored(table.n + 1, entry, link), listing, lease)
        try:
            await stored
        except StoreError as error:
            self.behind = True
            if not isinstance(error, Conflict | LeaseLost):
                metrics.store_failures.add()
                self.timer.restart_turn(self)
            raise
        except asyncio.CancelledError:
            # the caller is gone, but not before it was known what became of the entry: memory follows the store
            if stored.exception() is None:
                self._absorb(change, link)
            else:
                self.behind = True
            raise
        finally:
            del stored  # or an error, its traceback, this frame and the future would be a reference cycle
        if listing is not None:
            self._listed = today
        metrics.store_seconds.observe(time.perf_counter() - began)
        return self._absorb(change, link)

    async def overtaken(self) -> None:
        """Absorb the entries of a faster process; if there are none, the table is gone. The caller has the lock."""
        if not await self._read_store():
            raise await self._lost()

    async def catch_up(self) -> None:
        """Absorb what other processes have stored, even if their news has not come yet."""
        announced = self.heard_of  # while the store is read, more may be announced
        async with self.lock:
            await self._read_store()
            if announced > self.table.n:
                await self._lost()

    def _listing_after(self, entry: AnyEntry, today: str) -> Listing | None:
        """The table's new listing, if this entry changes its phase or seats, or if today has none yet: the date of a
        listing says that the table is in use.
        """
        table = self.table
        if isinstance(entry, Acted) and entry.result is None and self._listed == today:
            return None  # most entries
        phase, seats = table.standing_after(entry)
        due = self._listed < today and phase in UNFINISHED
        if phase == table.phase and seats is table.seats and not due:
            return None
        bots = any(sitting.player for sitting in seats)
        sitters = {sitting.visitor for sitting in seats if sitting.visitor} if phase == "playing" else ()
        return Listing(phase, table.table_rules.public, tuple(sitters), today, bots)

    async def _trace_past(self, address: str) -> None:
        """Before the start of a game that goes on from another: play that out in a thread, in turn with others."""
        table = self.table
        if table.inherited is not None and len(table.inherited.actions) > SHORT and table.phase == "lobby":
            options = table.options
            table.remember_past(options, await self._hall.in_turn(address, table.tracing(options, paced)))

    async def _read_store(self) -> bool:
        """Absorb what the store has and memory has not; whether there was anything. The caller has the lock."""
        missed = await self._hall.store.entries(self.table.id, self.table.n)
        if missed:
            await self._trace_past("")
        try:
            for at, stored in enumerate(missed):
                if at % SHORT == SHORT - 1:
                    await asyncio.sleep(0)  # others come between, however long this process was cut off
                self._absorb(Change(self.table.read(stored)), stored.chained)
        except Damaged as damaged:
            log.error("damaged: %s", damaged.reason, extra={"table": self.table.id})
            await self.drop(damaged)
            raise
        self.behind = self.heard_of > self.table.n  # more may have been announced meanwhile
        return bool(missed)

    async def _lost(self) -> NotFound | Damaged:
        """Drop a table whose last entries are not in the store any more; returns why."""
        if await self._hall.store.entries(self.table.id):
            reason = f"entry {self.table.n} or one behind it is missing"
            log.error("damaged: %s", reason, extra={"table": self.table.id})
            return await self.drop(Damaged.at(self.table.id, reason))
        return await self.drop(NotFound("table.unknown"))

    async def drop(self, why: NotFound | Damaged) -> NotFound | Damaged:
        """Drop the table from memory and disconnect its viewers."""
        self.behind, self.gone = False, why
        self._hall.tables.pop(self.table.id, None)
        self.timer.stop()
        await self.bots.remove(self.table.id)
        # a moment later, so that a pending message is answered first
        asyncio.get_running_loop().call_soon(self.audience.close_all, DAMAGED if isinstance(why, Damaged) else NO_TABLE)
        return why

    def _absorb(self, change: Change, link: bytes) -> Effect:
        """Let memory follow the store, and send everybody their frames."""
        entry, seated = change.entry, isinstance(change.entry, Seated)
        effect = self.table.absorb(entry, change.play, link)
        self.used = self._hall.sources.clock()
        if effect.before is not effect.after:
            self.moved = self.used
            self._hall.metrics.moves.add(isinstance(entry, Acted))
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
        tasks = (self.bots.task, self.bots.thought, self.timer.task)
        return [task for task in tasks if task is not None]

    # -- viewers -------------------------------------------------------------------------------------------------------

    @property
    def attended(self) -> bool:
        """Whether anybody is connected, here or to another process."""
        return self.audience.attended

    @property
    def waiting(self) -> bool:
        """Whether it is a public table with room for somebody."""
        table = self.table
        in_lobby = table.table_rules.public and table.phase == "lobby"
        return in_lobby and any(sitting.kind == "open" for sitting in table.seats)

    def attach(self, connection: Connection, seen: int | None) -> None:
        self.audience.admit(connection, seen)
        self.bots.end_long_rest()
        self.bots.wake(self)
        if not self.timer.follow(self) and self.table.clock.seconds:
            connection.socket.write(encode(frames.turn_time(self.table, self._hall.sources.clock())))

    def detach(self, connection: Connection) -> None:
        if connection.socket.too_slow:
            self._hall.metrics.cut_off.add()
            log.info("viewer disconnected: it read too slowly", extra={"table": self.table.id})
        self.used = self._hall.sources.clock()
        if self._hall.tables.get(self.table.id) not in (self, None):
            self.audience.connections.discard(connection)  # it was read anew, and its viewers are there by now
            return
        self.audience.lose(connection)
        self.timer.follow(self)

    async def see_elsewhere(self) -> None:
        """Ask who is connected to other processes, and let clock and bots follow."""
        with contextlib.suppress(StoreError):
            if await self.audience.look_elsewhere():
                if self.attended:
                    self.bots.end_long_rest()
                self.timer.follow(self)
                self.bots.wake(self)

    def _limit_talk(self, visitor: str) -> None:
        now = self._hall.sources.clock()
        lately = self._talk.setdefault(visitor, deque(maxlen=TALK))
        if len(lately) == TALK and 0 <= now - lately[0] < TALK_SECONDS:
            raise Refusal("table.talk", seconds=TALK_SECONDS)
        lately.append(now)


class TurnTimer:
    """Waits for the end of the current turn; then a bot plays for the player until they are back.

    The table is passed in each time: no reference cycle.
    """

    __slots__ = ("_announced", "_due", "_hall", "task")

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._due: float | None = None
        """The moment waited for."""
        self._announced: tuple[int | None, float | None] = (None, None)
        """The seat whose time runs, and until when, as it was sent to everybody."""
        self.task: asyncio.Task[None] | None = None

    def follow(self, live: LiveTable) -> bool:
        """Let the clock follow the table; whether it changed. If so, everybody gets the new time."""
        table = live.table
        if not table.clock.seconds:
            return False
        now = self._hall.sources.clock()
        table.time(now)
        self.wake(live)
        before, self._announced = self._announced, (table.clock.seat, table.clock.due())
        if before == self._announced:
            return False
        live.audience.tell_all(frames.turn_time(table, now))
        return True

    def restart_turn(self, live: LiveTable) -> None:
        """Give the seat to act all its time again, because nothing could be played for a while."""
        live.table.clock.begin_no_earlier(self._hall.sources.clock())
        self.follow(live)

    def wake(self, live: LiveTable) -> None:
        """Wait for the end of the current turn, if its time runs and anybody is connected."""
        due = live.table.clock.due() if live.table.attended else None
        if due == self._due and (due is None or (self.task is not None and not self.task.done())):
            return
        if self.task is not asyncio.current_task():
            self.stop()
        self._due = due
        self.task = None if due is None else asyncio.create_task(self._run_out(live, due))

    def stop(self) -> None:
        self._due = None
        if self.task is not None:
            self.task.cancel()

    async def _run_out(self, live: LiveTable, due: float) -> None:
        table, sources = live.table, self._hall.sources
        seat, began = table.clock.seat, sources.clock()
        await sources.sleep(max(due - began, 0.0))
        lease = await self._hall.peers.claim(table.id)
        if seat is None or lease is None:
            return  # another process looks after the table
        if sources.clock() > max(due, began) + SUSPENDED_SECONDS:
            self.restart_turn(live)
            return
        bot = await self._stand_in(table)
        try:
            await live.submit(lambda: Change(proposals.time_out(table, seat, bot, sources.clock())), lease=lease)
        except (Refusal, NotFound, Damaged):
            return  # the player acted at the last moment, or the table is gone
        except LeaseLost:
            await self._hall.peers.release([table.id])
        except StoreError as error:
            log.error("the end of a turn %s", error, extra={"table": table.id})
            self.restart_turn(live)

    async def _stand_in(self, table: Table) -> str:
        """A bot of middling strength, as in "Play now": it neither throws a game away nor wins it for the absent."""
        pool = self._hall.pool
        await pool.tried(table.game.name)
        ready = pool.levels(table.game) or pool.ready(table.game)
        return ready[len(ready) // 2]
