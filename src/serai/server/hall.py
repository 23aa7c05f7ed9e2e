"""The hall: all tables that are awake, who is connected to them, and their way to the store and back.

An entry is stored before the table in memory moves and before anybody hears of it. Each table has one change in
flight at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import deque
from collections.abc import AsyncIterator, Sequence
from random import Random
from typing import Any

import msgspec

from serai.core.errors import UnknownName
from serai.core.registry import bot_names, games
from serai.core.registry import game as find_game
from serai.server.botpool import BotPool
from serai.server.connection import RESTARTING, Connection, encode
from serai.server.rest import Join, NewTable
from serai.server.settings import Settings, Sources
from serai.server.store import Listing, Store, StoreError
from serai.table import frames, messages, proposals, seating
from serai.table.entries import AnyEntry, Created, Seated, read_entry, write_entry
from serai.table.errors import Refusal
from serai.table.proposals import Change
from serai.table.rights import Who
from serai.table.table import Moment, Table, load

log = logging.getLogger("serai.hall")

GAP = 500
"""Who misses more entries than this gets a welcome instead."""
AFTER_PERSON = 2.0
"""Seconds a bot waits after a person acted, so that an undo has a chance."""
AFTER_BOT = 0.8
"""Seconds a bot waits after another bot, so that people can follow."""
TALK, TALK_SECONDS = 12, 10.0
"""How much one visitor may say in how many seconds."""
RETRY = 1.0
"""Seconds until a bot's action that could not be saved is tried again."""


class Live:
    """A table that is awake."""

    def __init__(self, table: Table, now: float) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.connections: set[Connection] = set()
        self.bots: asyncio.Task[None] | None = None
        self.bot_keys: set[str] = set()
        self.used = now
        self.moved = now
        """When the game last changed, and when that was a person's doing."""
        self.person_moved = float("-inf")
        self.talk: dict[str, deque[float]] = {}
        """When each visitor said something lately."""
        self.doubtful = False
        """An append failed: what the store holds is read again before the next change."""


class Hall:
    """Tables by id."""

    def __init__(self, store: Store, settings: Settings, sources: Sources) -> None:
        self.store = store
        self.settings = settings
        self.sources = sources
        self._live: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self.pool = BotPool(settings.bot_workers, settings.bot_seconds)
        self._chores: list[asyncio.Task[None]] = []
        self._rng = Random(secrets.randbits(256))
        self.ready = False

    # -- opening and closing -------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Wake the tables whose bots are to act, and begin the chores."""
        self.pool.warm([(name, bot) for name in games() for bot in bot_names(find_game(name))])
        self._chores = [asyncio.create_task(self._resume_games()), asyncio.create_task(self._tidy())]
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
        tasks = [*self._chores, *(live.bots for live in self._live.values() if live.bots is not None)]
        for live in self._live.values():
            await live.lock.acquire()  # nothing is cut off between its append and the table's memory
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
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
        return await self._keep(created)

    async def find(self, table_id: str) -> Live | None:
        """The table of that id, woken if need be; ``None`` if there is none."""
        live = self._live.get(table_id)
        if live is None:
            async with self._loading.setdefault(table_id, asyncio.Lock()):
                live = self._live.get(table_id) or await self._wake(table_id)
            self._loading.pop(table_id, None)
        if live is not None:
            live.used = self.sources.clock()
        return live

    async def public(self, limit: int = 50) -> list[messages.TableInfo]:
        """Public tables that wait for players or are being played."""
        found = [await self.find(table_id) for table_id in await self.store.public(limit)]
        return [live.table.info() for live in found if live is not None and live.table.phase in ("lobby", "playing")]

    # -- messages ------------------------------------------------------------------------------------------------------

    async def join(self, live: Live, wanted: Join, visitor: str) -> tuple[int, int]:
        """Seat a person; their seat and the number of the entry."""
        async with self._turn(live):
            known = live.table.known(visitor, wanted.id)
            if known is not None:
                return _joined_seat(live.table.moments[known].entry), known
            entry = seating.join(
                live.table,
                visitor,
                message_id=wanted.id,
                name=wanted.name,
                value=wanted.value,
                seat=None if wanted.seat is msgspec.UNSET else wanted.seat,
            )
            moment = await self._commit(live, Change(entry))
            return _joined_seat(moment.entry), moment.n

    async def hear(self, live: Live, connection: Connection, message: messages.AnyMessage) -> None:
        """Do what a visitor asks, and tell them what came of it."""
        if isinstance(message, messages.Look):
            self._look(live, connection, message.seat)
            return
        async with self._turn(live):
            table = live.table
            n = table.known(connection.visitor, message.id)
            if n is None:
                who = Who(connection.visitor, connection.seat, self.sources.clock())
                if isinstance(message, messages.Say):
                    self._bound_talk(live, who)
                if isinstance(message, messages.Rematch):
                    n = await self._rematch(live, message, who)
                else:
                    n = (await self._commit(live, proposals.propose(table, message, who, self.sources.date()))).n
        connection.send(encode(messages.Done(message.id, n)))

    def _bound_talk(self, live: Live, who: Who) -> None:
        lately = live.talk.setdefault(who.visitor, deque(maxlen=TALK))
        if len(lately) == TALK and 0 <= who.now - lately[0] < TALK_SECONDS:
            raise Refusal("table.talk", seconds=TALK_SECONDS)
        lately.append(who.now)

    def _look(self, live: Live, connection: Connection, seat: int | None) -> None:
        if seat is not None and seat not in live.table.held_by(connection.visitor):
            raise Refusal("table.not_yours", seat=seat)
        connection.seat = seat
        connection.onlooker_by_choice = seat is None
        connection.send(encode(frames.welcome(live.table, connection.visitor, seat)))
        self._tell_presence(live)

    async def _rematch(self, live: Live, message: messages.Rematch, who: Who) -> int:
        table = live.table
        created = seating.create_rematch(table, who.visitor, secret=self.sources.secret(), at=self.sources.date())
        if table.next:
            return next(moment.n for moment in table.moments if moment.info is not None and moment.info.next)
        following = await self._keep(created)
        change = proposals.follow(who.visitor, message.id, following.table.id)
        return (await self._commit(live, change)).n

    # -- viewers -------------------------------------------------------------------------------------------------------

    def attach(self, live: Live, connection: Connection, seen: int | None) -> None:
        """Let a viewer in: what they missed, or everything from scratch; from now on they hear of every change."""
        table = live.table
        if seen is None or not table.n - GAP <= seen <= table.n:
            connection.send(encode(frames.welcome(table, connection.visitor, connection.seat)))
        else:
            for frame in frames.history(table, connection.visitor, connection.seat, seen):
                connection.send(encode(frame))
        live.connections.add(connection)
        if connection.visitor:
            table.presence.came(connection.visitor)
        self._tell_presence(live)

    def detach(self, live: Live, connection: Connection) -> None:
        """A viewer is gone."""
        live.connections.discard(connection)
        live.used = self.sources.clock()
        if connection.visitor:
            live.table.presence.went(connection.visitor, live.used)
        self._tell_presence(live)

    def _tell_presence(self, live: Live) -> None:
        watching = sum(connection.seat is None for connection in live.connections)
        text = encode(frames.presence(live.table, self.sources.clock(), watching))
        for connection in live.connections:
            connection.send(text)

    def _tell(self, live: Live, moment: Moment) -> None:
        """Everybody's frame of a moment, made once for all who see the same."""
        table = live.table
        made: dict[Any, str] = {}
        shared = frames.same_for_all(moment)
        for connection in live.connections:
            key = connection.seat if shared else (connection.seat, connection.visitor)
            text = made.get(key)
            if text is None:
                frame = frames.frame(table, moment, connection.visitor, connection.seat)
                text = made[key] = "" if frame is None else encode(frame)
            if text:
                connection.send(text)

    # -- changes -------------------------------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def _turn(self, live: Live) -> AsyncIterator[None]:
        """The right to change a table."""
        async with live.lock:
            if live.doubtful:
                await self._catch_up(live)
            yield

    async def _commit(self, live: Live, change: Change) -> Moment:
        """Store, then move, then tell."""
        table = live.table
        listing = _listing_after(table, change.entry)
        stored = self.store.append(table.id, table.n + 1, write_entry(change.entry), listing)
        try:
            await asyncio.shield(stored)
        except StoreError:
            live.doubtful = True
            raise
        except asyncio.CancelledError:
            # whoever asked is gone, but the entry may be kept all the same: memory has to follow the store
            await asyncio.wait({stored})
            if stored.exception() is None:
                self._absorb(live, change)
            raise
        return self._absorb(live, change)

    def _absorb(self, live: Live, change: Change) -> Moment:
        entry = change.entry
        moment = live.table.absorb(entry, change.play)
        live.used = self.sources.clock()
        if moment.before is not moment.after:
            live.moved = live.used
            if entry.visitor:
                live.person_moved = live.used
        if isinstance(entry, Seated):
            _follow_seats(live)
        self._tell(live, moment)
        if isinstance(entry, Seated):
            self._tell_presence(live)
        self._stir(live)
        return moment

    async def _catch_up(self, live: Live) -> None:
        """Take in what the store holds and memory does not."""
        for stored in await self.store.entries(live.table.id, live.table.n):
            self._absorb(live, Change(read_entry(stored)))
        live.doubtful = False

    async def _keep(self, created: Created) -> Live:
        table_id = self.sources.table_id()
        await self.store.append(table_id, 0, write_entry(created), Listing("lobby", created.public))
        now = self.sources.clock()
        live = self._live[table_id] = Live(Table(table_id, created, now, self.settings.grace), now)
        return live

    async def _wake(self, table_id: str) -> Live | None:
        stored = await self.store.entries(table_id)
        if not stored:
            return None
        now = self.sources.clock()
        try:
            live = Live(load(table_id, list(map(read_entry, stored)), now, self.settings.grace), now)
        except UnknownName:
            return None  # a game that is not installed here any more
        notice = proposals.close(live.table)
        if notice is not None:
            await self._commit(live, notice)
        self._live[table_id] = live
        self._stir(live)
        return live

    # -- bots ----------------------------------------------------------------------------------------------------------

    def _stir(self, live: Live) -> None:
        """Let the bots of a table go on, if one of them is to act."""
        if live.table.bot_to_act and (live.bots is None or live.bots.done()):
            live.bots = asyncio.create_task(self._bots_play(live))

    async def _bots_play(self, live: Live) -> None:
        table = live.table
        while bot := table.bot_to_act:
            on, seat = table.on, table.actor
            await asyncio.sleep(self._delay(live))
            if seat is None or table.on != on or table.bot_to_act != bot:
                continue
            answer = await self._ask(live, seat, bot)
            try:
                async with self._turn(live):
                    await self._commit(live, proposals.bot_acts(table, seat, on, answer, self._rng))
            except Refusal:
                continue  # the game went another way while the bot was thinking
            except StoreError as error:
                log.error("table %s: a bot's action %s", table.id, error)
                await asyncio.sleep(RETRY)

    async def _ask(self, live: Live, seat: int, bot: str) -> bytes | None:
        table = live.table
        assert table.position is not None
        view = msgspec.json.encode(table.position.view(seat))
        # after an undo a bot that has been watching must forget: it sits down anew
        key = f"{seat} {bot} {table.undone}"
        live.bot_keys.add(key)

        def story(seen: int) -> Sequence[bytes]:
            told = [msgspec.json.encode(event.seen_by(seat)) for play in table.plays() for event in play.events]
            return told[seen:]

        return await self.pool.decide(table.id, key, table.game.name, bot, view, story)

    def _delay(self, live: Live) -> float:
        """How long the bot to act should still wait; never longer than after a person, whatever the clock says."""
        if not self.settings.bot_delay:
            return 0.0
        now = self.sources.clock()
        due = max(live.person_moved + AFTER_PERSON, live.moved + AFTER_BOT)
        return min(max(due - now, 0.0), AFTER_PERSON)

    # -- chores --------------------------------------------------------------------------------------------------------

    async def _resume_games(self) -> None:
        try:
            for table_id in await self.store.playing():
                await self.find(table_id)
        except StoreError as error:
            log.error("games could not be resumed: %s", error)

    async def _tidy(self) -> None:
        """Tables that nobody looks at leave memory; they come back on demand."""
        while True:
            await asyncio.sleep(min(60.0, self.settings.idle_seconds))
            await self.tidy()

    async def tidy(self) -> None:
        """Let idle tables go now."""
        since = self.sources.clock() - self.settings.idle_seconds
        idle = [live for live in self._live.values() if live.used <= since]
        for live in idle:
            if live.connections or live.lock.locked() or live.table.bot_to_act:
                continue
            del self._live[live.table.id]
            await self.pool.rise(live.table.id, tuple(live.bot_keys))

    def awake(self) -> int:
        """How many tables are in memory."""
        return len(self._live)


def _follow_seats(live: Live) -> None:
    """Before the start seats move about; whoever looked through one looks through their own again."""
    for connection in live.connections:
        held = live.table.held_by(connection.visitor)
        if connection.seat not in held and not connection.onlooker_by_choice:
            connection.seat = held[0] if held else None


def _joined_seat(entry: AnyEntry) -> int:
    """The seat that this entry gave to a person."""
    if not isinstance(entry, Seated) or entry.seat is None:
        raise Refusal("table.id_used")
    return entry.seat


def _listing_after(table: Table, entry: AnyEntry) -> Listing | None:
    """The table's new listing, if this entry changes its phase."""
    phase = proposals.phase_after(table, entry)
    if phase == table.phase:
        return None
    sitters = {sitting.visitor for sitting in table.seats if sitting.visitor} if phase == "playing" else ()
    return Listing(phase, table.public, tuple(sitters))
