"""The hall: all tables that are awake, who is connected to them, and what they ask for."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from serai.core.errors import UnknownName
from serai.core.registry import bot_names, games
from serai.core.registry import game as find_game
from serai.server.bots.pool import BotPool
from serai.server.bots.seats import BotSeats
from serai.server.limits import Gate, TooMany
from serai.server.metrics import Metrics
from serai.server.net.connection import RESTARTING, Connection, encode
from serai.server.peers.base import Alone, Peers
from serai.server.peers.sync import Following
from serai.server.settings import Settings, Sources
from serai.server.store.base import Conflict, Listing, Store, StoreError
from serai.server.tables.changes import Changes
from serai.server.tables.live import Live
from serai.table import frames, messages, proposals, seating
from serai.table.bodies import Join, NewTable
from serai.table.entries import AnyEntry, Created, Seated, read_entry, write_entry
from serai.table.errors import Refusal
from serai.table.proposals import Change
from serai.table.rights import Who
from serai.table.table import Table, load

log = logging.getLogger("serai.hall")

GAP = 500
"""Who misses more entries than this gets a welcome instead."""
TALKATIVE = (messages.Say, messages.Mute, messages.Pause, messages.Resume, messages.Agree)
"""What is kept for ever and moves no game: there may be only so much of it."""
NO_TABLE = 4404
TALK, TALK_SECONDS = 12, 10.0
"""How much of that one visitor may send in how many seconds."""


class Hall:
    """Tables by id."""

    def __init__(self, store: Store, settings: Settings, sources: Sources, peers: Peers | None = None) -> None:
        self.store = store
        self.peers = peers or Alone()
        self.metrics = Metrics()
        self.gate = Gate(settings.limits)
        self.settings = settings
        self.sources = sources
        self._live: dict[str, Live] = {}
        self._waking: dict[str, asyncio.Future[Live | None]] = {}
        self.pool = BotPool(settings.bot_workers, settings.bot_seconds)
        self._changes = Changes(store, sources, self.metrics, self._stir, self._forget, shared=self.peers.shared)
        self._bots = BotSeats(self.pool, settings, sources, self.peers, self.metrics, self._changes.play)
        self._following = Following(self.peers, self._live, self._changes, self._bots, sources, self._resume_games)
        self._chores: list[asyncio.Task[None]] = []
        self.ready = False

    # -- opening and closing -------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Wake the tables whose bots are to act, and begin the chores."""
        self.pool.warm([(name, bot) for name in games() for bot in bot_names(find_game(name))])
        await self._following.open()
        chores = [self._resume_games(), self._tidy(), self.metrics.watch_the_loop()]
        self._chores = [asyncio.create_task(chore) for chore in chores]
        self.ready = True

    async def farewell(self) -> None:
        """Tell everybody that the server goes, and let them go."""
        self.ready = False
        goodbye = encode(messages.Closing("shutdown"))
        for live in self._live.values():
            for connection in live.connections:
                connection.send(goodbye)
                connection.close(RESTARTING)

    async def close(self) -> None:
        """Stop bots and chores; what was begun is finished."""
        self.ready = False
        await _end([*self._chores, *self._waking.values()])
        try:
            for live in list(self._live.values()):
                await live.lock.acquire()  # nothing is cut off between its append and the table's memory
            await _end([live.bots for live in self._live.values() if live.bots is not None])
        finally:
            await self._following.close()
            await self.pool.stop()
            await self.store.close()

    # -- tables --------------------------------------------------------------------------------------------------------

    async def create(self, wanted: NewTable, visitor: str) -> Live:
        """A new table, stored."""
        created = seating.create(
            find_game(wanted.game),
            visitor,
            seats=None if wanted.seats is msgspec.UNSET else wanted.seats,
            options=wanted.options,
            public=wanted.public,
            odds=wanted.odds,
            bots=wanted.bots,
            secret=self.sources.secret(),
            at=self.sources.date(),
        )
        self._check_bots(created)
        return await self._keep(created)

    async def find(self, table_id: str) -> Live | None:
        """The table of that id, woken if need be; ``None`` if there is none."""
        live = self._live.get(table_id)
        if live is None:
            live = await self._woken_once(table_id)
        if live is not None:
            live.used = self.sources.clock()
        return live

    async def up_to_date(self, live: Live) -> None:
        """Take in what other processes have kept, even if word of it has not come yet."""
        await self._following.up_to_date(live)

    async def public(self, limit: int = 50) -> list[messages.TableInfo]:
        """Public tables that wait for players or are being played."""
        found = [live async for live in self._readable(await self.store.public(limit))]
        return [live.table.info() for live in found if live.table.phase in ("lobby", "playing")]

    # -- messages ------------------------------------------------------------------------------------------------------

    async def join(self, live: Live, wanted: Join, visitor: str) -> tuple[int, int]:
        """Seat a person; their seat and the number of the entry."""
        seat = None if wanted.seat is msgspec.UNSET else wanted.seat

        def change() -> Change:
            return Change(
                seating.join(live.table, visitor, message_id=wanted.id, name=wanted.name, value=wanted.value, seat=seat)
            )

        effect = await self._changes.play(live, change, (visitor, wanted.id))
        return _joined_seat(effect.entry), effect.n

    async def hear(self, live: Live, connection: Connection, message: messages.AnyMessage) -> None:
        """Do what a visitor asks, and tell them what came of it."""
        if isinstance(message, messages.Look):
            self._look(live, connection, message.seat)
            return
        visitor, asked = connection.visitor, (connection.visitor, message.id)
        if isinstance(message, messages.Rematch):
            n = await self._rematch(live, asked)
        else:

            def change() -> Change:
                who = Who(visitor, connection.seat, self.sources.clock())
                proposed = proposals.propose(live.table, message, who, self.sources.date())
                if isinstance(message, messages.PlaceBot | messages.TakeOver):
                    self.pool.check(live.table.game.name, [message.bot])
                return proposed

            if isinstance(message, TALKATIVE) and live.table.held_by(visitor) and live.table.known(*asked) is None:
                self._bound_talk(live, visitor)
            began = time.perf_counter()
            n = (await self._changes.play(live, change, asked)).n
            if isinstance(message, messages.Act):
                self.metrics.move_seconds.observe(time.perf_counter() - began)
        connection.send(encode(messages.Done(message.id, n)))

    def _bound_talk(self, live: Live, visitor: str) -> None:
        now = self.sources.clock()
        lately = live.talk.setdefault(visitor, deque(maxlen=TALK))
        if len(lately) == TALK and 0 <= now - lately[0] < TALK_SECONDS:
            raise Refusal("table.talk", seconds=TALK_SECONDS)
        lately.append(now)

    def _look(self, live: Live, connection: Connection, seat: int | None) -> None:
        if seat is not None and seat not in live.table.held_by(connection.visitor):
            raise Refusal("table.not_yours", seat=seat)
        connection.seat = seat
        connection.onlooker_by_choice = seat is None
        connection.send(encode(frames.welcome(live.table, connection.visitor, seat, self.settings.build)))
        self._tell_presence(live)

    async def _rematch(self, live: Live, asked: tuple[str, str]) -> int:
        table = live.table
        async with self._changes.turn(live):
            known = table.known(*asked)
            if known is not None:
                return known
            created = seating.create_rematch(table, asked[0], secret=self.sources.secret(), at=self.sources.date())
            if not table.next:
                self._check_bots(created)
                following = await self._keep(created)
                with contextlib.suppress(Conflict):
                    return (await self._changes.commit(live, proposals.follow(*asked, following.table.id))).n
                await self._discard(following)
                await self._changes.overtaken(live)
        # another process was faster: theirs it is, unless it was something else they did
        return _rematch_of(table) if table.next else await self._rematch(live, asked)

    # -- viewers -------------------------------------------------------------------------------------------------------

    def attach(self, live: Live, connection: Connection, seen: int | None) -> None:
        """Let a viewer in: what they missed, or everything from scratch; from now on they hear of every change."""
        table = live.table
        if seen is None or not table.n - GAP <= seen <= table.n:
            connection.send(encode(frames.welcome(table, connection.visitor, connection.seat, self.settings.build)))
        else:
            for frame in frames.history(table, connection.visitor, connection.seat, seen):
                connection.send(encode(frame))
        live.connections.add(connection)
        if connection.visitor:
            table.presence.came(connection.visitor)
        self.peers.attend(table.id, live.attendance())
        self._tell_presence(live)

    @contextlib.contextmanager
    def onlooking(self, live: Live, address: str) -> Iterator[None]:
        """Room for one more who has no seat; ``TooMany`` if there is none."""
        most = self.settings.limits.table_onlookers
        if most and sum(connection.seat is None for connection in live.connections) >= most:
            raise TooMany("server.full")
        with self.gate.holding("onlookers", address):
            yield

    def detach(self, live: Live, connection: Connection) -> None:
        """A viewer is gone."""
        if connection.too_slow:
            self.metrics.cut_off.add()
            log.info("a viewer read too slowly", extra={"table": live.table.id})
        live.connections.discard(connection)
        live.used = self.sources.clock()
        if connection.visitor:
            live.table.presence.went(connection.visitor, live.used)
        self.peers.attend(live.table.id, live.attendance())
        self._tell_presence(live)

    def _tell_presence(self, live: Live) -> None:
        live.tell_presence(self.sources.clock())

    def _stir(self, live: Live) -> None:
        self._bots.stir(live)

    # -- waking ------------------------------------------------------------------------------------------------------

    async def _keep(self, created: Created) -> Live:
        table_id = self.sources.table_id()
        bots = any(sitting.player for sitting in created.seats)
        listing = Listing("lobby", created.public, at=self.sources.date(), bots=bots)
        await self.store.append(table_id, 0, write_entry(created), listing)
        now = self.sources.clock()
        live = self._live[table_id] = Live(Table(table_id, created, now, self.settings.grace), now)
        log.info("made for %s", created.game, extra={"table": table_id})
        return live

    def _check_bots(self, created: Created) -> None:
        self.pool.check(created.game, [sitting.bot for sitting in created.seats if sitting.kind == "bot"])

    async def _discard(self, live: Live) -> None:
        """Forget a new table to which nothing leads; if the store cannot, it stays there, empty and unused."""
        self._live.pop(live.table.id, None)
        with contextlib.suppress(StoreError):
            await self.store.remove([live.table.id])
        log.info("dropped: nothing leads there", extra={"table": live.table.id})

    async def _forget(self, live: Live) -> None:
        """Let go of a table that is not in the store any more, and of whoever is there."""
        self._live.pop(live.table.id, None)
        await self._bots.rise(live)
        # a moment later, so that whoever wanted something is told why it cannot be
        asyncio.get_running_loop().call_soon(live.dismiss, NO_TABLE)

    async def _woken_once(self, table_id: str) -> Live | None:
        """The table, woken by whoever asks first."""
        waking = self._waking.get(table_id)
        if waking is None:
            waking = self._waking[table_id] = asyncio.ensure_future(self._wake(table_id))
            waking.add_done_callback(lambda _: self._waking.pop(table_id))
        return await asyncio.shield(waking)

    async def _readable(self, table_ids: Iterable[str]) -> AsyncIterator[Live]:
        """Those of these tables that are there; what cannot be read must not keep people from the others."""
        for table_id in table_ids:
            try:
                live = await self.find(table_id)
            except StoreError as error:
                log.error("left out: %s", error, extra={"table": table_id})
            else:
                if live is not None:
                    yield live

    async def _wake(self, table_id: str) -> Live | None:
        stored = await self.store.entries(table_id)
        now = self.sources.clock()
        try:
            entries = list(map(read_entry, stored))
            if not entries or not isinstance(entries[0], Created):
                return None
            live = Live(load(table_id, entries, now, self.settings.grace), now)
        except UnknownName:
            return None  # a game that is not installed here any more
        except Exception as error:
            # written by another Serai, or damaged: whatever is wrong with it, it is wrong with this one only
            raise StoreError(f"table {table_id} cannot be understood ({type(error).__name__})") from error
        notice = proposals.close(live.table)
        if notice is not None:
            with contextlib.suppress(Conflict):
                await self._changes.commit(live, notice)
        live.doubtful = self.peers.shared
        self._live[table_id] = live
        await self._following.woken(live)
        self._bots.stir(live)
        return live

    # -- chores --------------------------------------------------------------------------------------------------------

    async def _resume_games(self) -> None:
        try:
            async for _ in self._readable(await self.store.bots_playing()):
                pass
        except StoreError as error:
            log.error("games could not be resumed: %s", error)

    async def _tidy(self) -> None:
        """Tables that nobody looks at leave memory; they come back on demand."""
        while True:
            await asyncio.sleep(min(60.0, self.settings.idle_seconds))
            try:
                await self.tidy()
            except Exception:
                log.exception("idle tables could not be let go")

    async def tidy(self) -> None:
        """Let idle tables go now."""
        since = self.sources.clock() - self.settings.idle_seconds
        for live in list(self._live.values()):
            # asked of each only now: while another was let go, somebody may have come to this one
            if live.used > since or live.connections or live.lock.locked() or live.bots_playing:
                continue
            del self._live[live.table.id]
            await self._bots.rise(live)

    def gauges(self) -> dict[str, tuple[str, float]]:
        """What stands now, for the metrics."""
        sockets = [connection for live in self._live.values() for connection in live.connections]
        phases = [live.table.phase for live in self._live.values()]
        return {
            "tables": ("Tables in memory", len(phases)),
            "tables_playing": ("Tables in memory with a game going on", phases.count("playing")),
            "sockets": ("Connections to tables", len(sockets)),
            "onlookers": ("Connections that look on without a seat", sum(one.seat is None for one in sockets)),
            "addresses_remembered": ("Buckets kept for the limits", self.gate.remembered()),
        }

    def awake(self) -> int:
        """How many tables are in memory."""
        return len(self._live)


async def _end(tasks: Sequence[asyncio.Future[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _joined_seat(entry: AnyEntry) -> int:
    """The seat that this entry gave to a person."""
    if not isinstance(entry, Seated) or entry.seat is None:
        raise Refusal("table.id_used")
    return entry.seat


def _rematch_of(table: Table) -> int:
    """The entry that told of the rematch."""
    return next(effect.n for effect in table.effects if effect.info is not None and effect.info.next)
