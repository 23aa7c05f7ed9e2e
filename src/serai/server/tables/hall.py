"""The hall: the tables that are awake. It finds, makes and wakes them, and lets them sleep again."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import msgspec

from serai.core.errors import UnknownName
from serai.core.record import Record
from serai.core.registry import bot_names, games
from serai.core.registry import game as find_game
from serai.server.bots.bots_only import BotsOnly
from serai.server.bots.pool import BotPool
from serai.server.devices import Devices
from serai.server.kept import Kept
from serai.server.limits import Gate, TooMany
from serai.server.metrics import Metrics
from serai.server.peers.base import Alone, Peers
from serai.server.reviews.queue import ReviewQueue
from serai.server.services import Services
from serai.server.settings import Settings, Sources
from serai.server.store.base import Conflict, Listing, Store, StoreError
from serai.server.store.devices import Moved
from serai.server.tables.audience import PUBLIC
from serai.server.tables.live import LiveTable
from serai.server.tables.loading import loaded
from serai.server.tables.public import WaitingTables
from serai.table import messages, proposals, seating
from serai.table.bodies import NewTable
from serai.table.chain import Stored, first_link
from serai.table.clock import DAY
from serai.table.entries import Created, Inherited, write_entry
from serai.table.errors import Damaged
from serai.table.table import Table

log = logging.getLogger("serai.hall")

RESTARTING = 1012
SUMMARY_BYTES = 4 << 20
"""Some thousand games in brief."""
MOST_ENTRIES = 60_000
"""Entries of all tables in memory together, at one to three kilobytes each, before tables leave that may."""
IN_HAND = 3.0
"""Seconds for which whoever has asked for a table may still be busy with it."""
SHORT = 50
"""Entries of a table that wakes in a moment; longer histories are played out in another thread."""


class Hall:
    """Tables by id."""

    def __init__(self, store: Store, settings: Settings, sources: Sources, peers: Peers | None = None) -> None:
        self.store = store
        self.peers = peers or Alone()
        self.metrics = Metrics()
        self.kept = Kept()
        self.summaries = Kept(SUMMARY_BYTES)
        """Of finished games, by table."""
        self.gate = Gate(settings.limits)
        self.devices = Devices(store.devices, lambda: self.peers.in_touch())
        self.settings = settings
        self.sources = sources
        self.pool = BotPool(
            settings.bot_workers, settings.bot_seconds, private=settings.private, walls=not settings.trust_bots
        )
        self.reviews = ReviewQueue(settings.review_workers, self.gate, store, self.metrics)
        self._bots_only = BotsOnly()
        self.tables: dict[str, LiveTable] = {}
        """Those that are awake."""
        self._services = Services(
            store, self.peers, self.pool, self._bots_only, self.metrics, settings, sources, self.kept
        )
        self._opened = sources.clock()
        self._waiting = WaitingTables(settings.limits.waiting_tables)
        self._moving: set[asyncio.Task[Moved | None]] = set()
        self._waking: dict[str, asyncio.Future[LiveTable | None]] = {}
        self._damaged: set[str] = set()
        """Tables that were found to be so, each told of once."""
        self.listing = asyncio.Lock()
        """Held by whoever works out the list of public tables."""
        self._reader = ThreadPoolExecutor(1, "serai-wake")
        self._chores: list[asyncio.Task[None]] = []
        self.ready = False

    # -- opening and closing -------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Wake the tables whose bots are to act, and begin the chores."""
        self.pool.warm([(name, bot) for name in games() for bot in bot_names(find_game(name))])
        chores = [self.resume_games(), self._tidy(), self.metrics.watch_the_loop()]
        self._chores = [asyncio.create_task(chore) for chore in chores]
        self.ready = True

    async def farewell(self) -> None:
        """Tell everybody that the server goes, and let them go."""
        self.ready = False
        self.reviews.farewell()
        for live in self.tables.values():
            live.tell_all(messages.Closing("shutdown"))
            for connection in live.audience.connections:
                connection.line.close(RESTARTING)

    async def close(self) -> None:
        """Stop bots and chores; what was begun is finished."""
        self.ready = False
        await _end([*self._chores, *self._waking.values()])
        try:
            for live in list(self.tables.values()):
                await live.lock.acquire()  # nothing is cut off between its append and the table's memory
            await _end([task for live in self.tables.values() for task in live.tasks])
        finally:
            self._reader.shutdown(wait=False, cancel_futures=True)
            await self.pool.stop()
            await self.reviews.close()
            await self.store.close()

    # -- tables --------------------------------------------------------------------------------------------------------

    async def create(self, wanted: NewTable, visitor: str, address: str) -> LiveTable:
        """A new table, stored, made from this address; ``TooMany`` if it has enough public ones that wait for players,
        or enough at which bots play among themselves.
        """
        self._bound_bot_tables(address)
        if not wanted.table_rules.public:
            return await self._create(wanted, visitor, address)
        with self._waiting.one_more(self.tables.values(), address, self.sources.clock()):
            return await self._create(wanted, visitor, address)

    async def _create(self, wanted: NewTable, visitor: str, address: str) -> LiveTable:
        created = seating.create(
            find_game(wanted.game),
            visitor,
            seats=None if wanted.seats is msgspec.UNSET else wanted.seats,
            options=wanted.options,
            table_rules=wanted.table_rules,
            bots=wanted.bots,
            secret=self.sources.secret(),
            at=self.sources.date(),
        )
        await self._admit_bots(created)
        return await self._keep(created, address)

    async def go_on_from(
        self, record: Record, inherited: Inherited, visitor: str, address: str, *, bot: str
    ) -> LiveTable:
        """A new table whose game begins in a position of that record; limited as all new tables are."""
        self._bound_bot_tables(address)
        created = seating.create_continued(
            find_game(record.game),
            visitor,
            options=dict(record.options),
            players=len(record.seats),
            inherited=inherited,
            bot=bot,
            secret=self.sources.secret(),
            at=self.sources.date(),
        )
        await self._admit_bots(created)
        return await self._keep(created, address)

    async def rematch(self, live: LiveTable, visitor: str, message_id: str, step: int = 0) -> int:
        """A new table for the same people, to which the old one leads; the number of the entry there that says so.

        ``step``: whether its bots are to be stronger (1) or weaker (-1) by a level.
        """
        table = live.table
        if step:
            await self.pool.tried(table.game.name)
        async with live.turn():
            known = table.known(visitor, message_id)
            if known is not None:
                return known
            created = seating.create_rematch(
                table,
                visitor,
                secret=self.sources.secret(),
                at=self.sources.date(),
                levels=self.pool.levels(table.game) if step else (),
                step=step,
            )
            if not table.next:
                self._bound_bot_tables(live.made_by)
                await self._admit_bots(created)
                following = await self._keep(created, live.made_by)
                with contextlib.suppress(Conflict):
                    return (await live.append(proposals.follow(visitor, message_id, following.table.id))).n
                await self._discard(following)
                await live.overtaken()
        # another process was faster: theirs it is, unless it was something else they did
        return _rematch_of(table) if table.next else await self.rematch(live, visitor, message_id, step)

    async def find(self, table_id: str) -> LiveTable | None:
        """The table of that id, woken if need be; ``None`` if there is none."""
        live = self.tables.get(table_id)
        if live is None:
            live = await self._woken_once(table_id)
        if live is not None:
            live.used = self.sources.clock()
        return live

    def gauges(self) -> dict[str, tuple[str, float]]:
        """What stands now, for the metrics."""
        sockets = [connection for live in self.tables.values() for connection in live.audience.connections]
        phases = [live.table.phase for live in self.tables.values()]
        return {
            "tables": ("Tables in memory", len(phases)),
            "tables_playing": ("Tables in memory with a game going on", phases.count("playing")),
            "sockets": ("Connections to tables", len(sockets)),
            "onlookers": ("Connections that look on without a seat", sum(one.seat is None for one in sockets)),
            "addresses_remembered": ("Buckets kept for the limits", self.gate.remembered()),
        }

    async def _keep(self, created: Created, address: str) -> LiveTable:
        table_id = self.sources.table_id()
        bots = any(sitting.player for sitting in created.seats)
        listing = Listing("lobby", created.table_rules.public, at=self.sources.date(), bots=bots)
        entry = write_entry(created)
        link = first_link(table_id, created.secret, entry)
        await self.store.append(table_id, Stored(0, entry, link), listing)
        table = Table(table_id, created, self.sources.clock(), self.settings.grace, link)
        live = self.tables[table_id] = LiveTable(table, self._services, self.tables, address)
        if created.table_rules.public:
            self.kept.outdate(PUBLIC)
        log.info("made for %s", created.game, extra={"table": table_id})
        return live

    def _bound_bot_tables(self, address: str) -> None:
        most = self.settings.limits.bot_tables
        if most and self._bots_only.of(address) >= most:
            raise TooMany("server.bot_tables", most=most)

    async def _admit_bots(self, created: Created) -> None:
        await self.pool.admit(created.game, [sitting.bot for sitting in created.seats if sitting.kind == "bot"])

    async def _discard(self, live: LiveTable) -> None:
        """Forget a new table to which nothing leads; if the store cannot, it stays there, empty and unused."""
        self.tables.pop(live.table.id, None)
        with contextlib.suppress(StoreError):
            await self.store.remove([live.table.id])
        log.info("dropped: nothing leads there", extra={"table": live.table.id})

    # -- devices -------------------------------------------------------------------------------------------------------

    async def move(self, code: str, device: str) -> Moved | None:
        """Let a device stand for the visitor of this code; ``None`` if the code is not good for that."""
        moving = asyncio.create_task(self._move(code, device))
        self._moving.add(moving)
        moving.add_done_callback(self._moving.discard)
        return await asyncio.shield(moving)  # whoever asked may go: memory has to follow the store all the same

    async def _move(self, code: str, device: str) -> Moved | None:
        moved = await self.store.devices.move(code, device, self.sources.wall())
        if moved is not None and moved.devices:
            self.devices.forget(moved.devices)
            self.part_from({**dict.fromkeys(moved.devices, ""), device: moved.visitor})
            log.info("a visitor moved to another device")
        return moved

    def part_from(self, stands_for: Mapping[str, str]) -> None:
        """Let whoever is connected from one of these devices be no more than the visitor it stands for."""
        for live in self.tables.values():
            live.audience.part_from(stands_for)

    async def seats_of(self, visitor: str) -> list[str]:
        """The tables at which this visitor has a seat in a game that is going on, or waits here for one to begin."""
        playing = await self.store.playing(visitor)
        waiting = [live.table.id for live in self.tables.values() if live.table.phase == "lobby"]
        return playing + [table for table in waiting if self.tables[table].table.held_by(visitor)]

    # -- waking and sleeping -------------------------------------------------------------------------------------------

    async def _woken_once(self, table_id: str) -> LiveTable | None:
        """The table, woken by whoever asks first."""
        waking = self._waking.get(table_id)
        if waking is None:
            waking = self._waking[table_id] = asyncio.ensure_future(self._wake(table_id))
            waking.add_done_callback(lambda _: self._waking.pop(table_id))
        return await asyncio.shield(waking)

    async def _wake(self, table_id: str) -> LiveTable | None:
        whole = await self.store.whole(table_id)
        if whole.phase is None and not whole.entries:
            return None
        sources = self.sources
        load = partial(loaded, table_id, whole, sources.clock(), self.settings.grace, sources.wall())
        try:
            if len(whole.entries) > SHORT:
                table = await asyncio.get_running_loop().run_in_executor(self._reader, load)
            else:
                table = load()
        except UnknownName:
            return None  # a game that is not installed here any more
        except Damaged as damaged:
            if table_id not in self._damaged:
                self._damaged.add(table_id)
                log.error("damaged: %s", damaged.reason, extra={"table": table_id})
            raise
        live = LiveTable(table, self._services, self.tables)
        notice = proposals.close(table)
        if notice is not None:
            with contextlib.suppress(Conflict):
                await live.append(notice)
        self.tables[table_id] = live
        with contextlib.suppress(StoreError):
            await self._make_room()
        if self.peers.shared:
            # what was said elsewhere meanwhile, when nobody here listened for it yet
            live.behind = True
            await live.catch_up()
            await live.see_elsewhere()
        if not table.attended:
            # no other process has the table: a clock of a day ran on while this one slept, no clock while none was up
            table.clock.begin_no_earlier(self._opened if table.clock.seconds == DAY else self.sources.clock())
        live.bots.wake(live)
        return live

    async def readable(self, table_ids: Iterable[str]) -> AsyncIterator[LiveTable]:
        """Those of these tables that are there; what cannot be read must not keep people from the others."""
        for table_id in table_ids:
            try:
                live = await self.find(table_id)
            except StoreError as error:
                log.error("left out: %s", error, extra={"table": table_id})
            except Damaged:
                continue  # which was told when it was found
            else:
                if live is not None:
                    yield live

    async def resume_games(self) -> None:
        """Wake the tables at which bots play."""
        try:
            async for _ in self.readable(await self.store.bots_playing()):
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
        for live in list(self.tables.values()):
            # asked of each only now: while another was let go, somebody may have come to this one
            if live.used <= since and not live.audience.connections:
                await self._let_sleep(live)

    async def _make_room(self) -> None:
        """When there is too much in memory, tables leave it at which nobody is, and then those that are only looked
        back upon: whoever does so is sent away and may come back.
        """
        entries = sum(live.table.n for live in self.tables.values())
        if entries <= MOST_ENTRIES:
            return
        since = self.sources.clock() - IN_HAND
        by_use = sorted((live for live in self.tables.values() if live.used < since), key=lambda live: live.used)
        needless = [live for live in by_use if not live.audience.connections]
        looked_back_upon = [live for live in by_use if live.audience.connections and live.table.phase == "over"]
        for live in (*needless, *looked_back_upon):
            if entries <= MOST_ENTRIES:
                return
            if await self._let_sleep(live):
                entries -= live.table.n
                for connection in live.audience.connections:
                    connection.line.close(RESTARTING)

    async def _let_sleep(self, live: LiveTable) -> bool:
        """Let a table leave memory, unless something is going on there."""
        if live.lock.locked() or live.bots.busy or self.tables.get(live.table.id) is not live:
            return False
        del self.tables[live.table.id]
        live.timer.stop()
        await live.bots.rise(live.table.id)
        return True


async def _end(tasks: Sequence[asyncio.Future[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _rematch_of(table: Table) -> int:
    """The entry that told of the rematch."""
    return next(effect.n for effect in table.effects if effect.info is not None and effect.info.next)
