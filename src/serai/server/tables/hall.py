"""The hall: all live tables of one process, which are made, loaded and unloaded here; and which visitor a device is."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import threading
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec

from serai.core.record import Record
from serai.core.registry import bot_names, games
from serai.core.registry import game as find_game
from serai.errors import UnknownName
from serai.server.bots.fair_queue import BotsOnlyTables
from serai.server.bots.pool import BotPool
from serai.server.cache import Cache
from serai.server.errors import NotFound
from serai.server.limits import Gate, TooMany
from serai.server.metrics import Metrics
from serai.server.peers.base import Peers, tag_of
from serai.server.people.bans import Bans
from serai.server.refusals import Refusals
from serai.server.reviews.queue import ReviewQueue
from serai.server.settings import Settings, Sources
from serai.server.store.base import Conflict, Listing, Moved, Store, StoreError, load_table
from serai.server.tables.live import LiveTable
from serai.server.tables.visitors import Visitors
from serai.server.threads import WorkThread
from serai.table import names, proposals
from serai.table.chain import Stored, first_link
from serai.table.clock import DAY
from serai.table.entries import Created, Followed, Inherited, write_entry
from serai.table.errors import Damaged
from serai.table.table import Table
from serai.wire.bodies import NewTable
from serai.wire.frames import Closing

log = logging.getLogger("serai.hall")

_T = TypeVar("_T")

RESTARTING = 1012
"""Close code: come back in a moment."""
BANNED = 4412
"""Close code: the host has shut this address or visitor out."""
SUMMARY_BYTES = 4 << 20
"""Summaries of some thousand finished games."""
MOST_ENTRIES = 60_000
"""Entries of all tables in memory, and actions they inherited, at one to three kilobytes each; beyond that, unused
tables are unloaded."""
SHORT_BYTES = 2 * 1024
"""Of a first entry: a longer one has a game in it that goes on."""
RECENT_SECONDS = 3.0
"""Seconds since its last use for which a table is not unloaded: a request may still be busy with it."""
SHORT = 50
"""Entries of a table that is loaded on the event loop; longer ones are replayed in another thread."""
BANS_SECONDS = 0.5
"""Between two attempts to read who is shut out, when the server could not do so as it started."""
FRESH_SECONDS = 30.0
"""How long a new public table counts as waiting though its host has not connected yet."""
REMEMBERED = 20_000
"""Devices in memory; beyond that the least recently used is forgotten."""


class Hall:
    """Live tables by id, and what they share: store, bots, limits, caches, metrics."""

    def __init__(self, store: Store, settings: Settings, sources: Sources, peers: Peers | None = None) -> None:
        self.store = store
        self.peers = peers or Peers()
        self.metrics = Metrics()
        self.cache = Cache()
        self.summaries = Cache(SUMMARY_BYTES)
        """Finished games in brief, by table."""
        self.refusals = Refusals()
        self.gate = Gate(settings.limits, self.refusals.note)
        self.bans = Bans(store, sources.wall)
        self.visitors = Visitors(self)
        self.devices = Devices(store, self.peers)
        self.settings = settings
        self.sources = sources
        self.pool = BotPool(
            settings.bot_workers, settings.bot_seconds, private=settings.private, sandboxed=not settings.trust_bots
        )
        self.reviews = ReviewQueue(settings.review_workers, self.gate, store, self.metrics)
        self.bots_only = BotsOnlyTables()
        self.tables: dict[str, LiveTable] = {}
        """Those in memory."""
        self._opened = sources.clock()
        self._making: Counter[str] = Counter()
        """Public tables that are being made, by address."""
        self._moving: set[asyncio.Task[Moved | None]] = set()
        self._loading: dict[str, asyncio.Future[LiveTable | None]] = {}
        self._damaged: set[str] = set()
        """Damaged tables, each logged once."""
        self.listing = asyncio.Lock()
        """Held while the list of public tables is made."""
        self.public_changes = 0
        """How often a public table changed: a cached list from before is not used any more."""
        self._loader = WorkThread("load")
        self._background: list[asyncio.Task[None]] = []
        self.ready = False

    # -- opening and closing -------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Load the tables whose bots are to act, and start the background tasks."""
        threading.Thread(target=names.prepare, name="serai-names", daemon=True).start()
        self.pool.warm([(name, bot) for name in games() for bot in bot_names(find_game(name))])
        try:
            await self.bans.load()
        except StoreError:  # no table can be read now, either
            self._background.append(asyncio.create_task(self._load_bans()))
        tasks = [
            self.resume_games(),
            self._tidy(),
            self.metrics.watch_the_loop(),
            self.refusals.write_every_minute(),
            self.visitors.keep_forgetting(),
        ]
        self._background += [asyncio.create_task(task) for task in tasks]
        self.ready = True

    async def _load_bans(self) -> None:
        """Read who is shut out as soon as the store can be read."""
        while True:
            await asyncio.sleep(BANS_SECONDS)
            try:
                await self.bans.load()
                return
            except StoreError as error:
                log.error("who is shut out %s", error)

    async def announce_shutdown(self) -> None:
        """Tell all viewers that the server shuts down, and close their sockets."""
        self.ready = False
        self.reviews.cancel_all()
        for live in self.tables.values():
            live.audience.tell_all(Closing("shutdown"))
            live.audience.close_all(RESTARTING)

    async def close(self) -> None:
        """Stop bots and background tasks; pending appends are finished."""
        self.ready = False
        await _end([*self._background, *self._loading.values()])
        await asyncio.gather(*self._moving, return_exceptions=True)
        try:
            for live in list(self.tables.values()):
                await live.lock.acquire()  # nothing is cancelled between an append and its absorbing
            await _end([task for live in self.tables.values() for task in live.tasks])
        finally:
            self._loader.close()
            await self.pool.stop()
            await self.reviews.close()
            await self.store.close()

    # -- tables --------------------------------------------------------------------------------------------------------

    async def create(self, wanted: NewTable, visitor: str, address: str) -> LiveTable:
        """Make and store a table; ``TooMany`` at the limit of this address on waiting or on bots-only tables."""
        created = proposals.create(
            find_game(wanted.game),
            visitor,
            seats=None if wanted.seats is msgspec.UNSET else wanted.seats,
            options=wanted.options,
            table_rules=wanted.table_rules,
            bots=wanted.bots,
            secret=self.sources.secret(),
            at=self.sources.date(),
        )
        if not wanted.table_rules.public:
            return await self._add(created, address)
        with self._one_more_waiting(address):
            return await self._add(created, address)

    @contextlib.contextmanager
    def _one_more_waiting(self, address: str) -> Iterator[None]:
        """Limit the public tables from one address that wait for players; one more is made in the block.

        Tables count only if their host is connected, or may still be on the way.
        """
        most, tag, since = self.settings.limits.waiting_tables, tag_of(address), self.sources.clock() - FRESH_SECONDS
        waiting = sum(
            live.waiting and (live.audience.host_from == tag or (live.made_by == address and live.made > since))
            for live in self.tables.values()
        )
        if most and waiting + self._making[address] >= most:
            raise TooMany("server.waiting_tables", most=most)
        self._making[address] += 1
        try:
            yield
        finally:
            self._making[address] -= 1
            if not self._making[address]:
                del self._making[address]

    async def create_from_record(
        self, record: Record, inherited: Inherited, visitor: str, address: str, *, bot: str
    ) -> LiveTable:
        """Make a table whose game begins in a position of that record; ``TooMany`` as in :meth:`create`."""
        game = find_game(record.game)
        created = proposals.create_continued(
            game,
            visitor,
            options=game.options_under(record.rules, record.options),
            players=len(record.seats),
            inherited=inherited,
            bot=bot,
            secret=self.sources.secret(),
            at=self.sources.date(),
        )
        return await self._add(created, address)

    async def rematch(self, live: LiveTable, visitor: str, message_id: str, step: int = 0) -> int:
        """Make a table for the same people and link the old one to it; returns the number of the old table's entry.

        ``step``: stronger (1) or weaker (-1) bots, by one level.
        """
        table = live.table
        if step:
            await self.pool.tried(table.game.name)
        async with live.turn():
            known = table.known(visitor, message_id)
            if known is not None:
                return known
            created = proposals.create_rematch(
                table,
                visitor,
                secret=self.sources.secret(),
                at=self.sources.date(),
                levels=self.pool.levels(table.game) if step else (),
                company=self.pool.company(table.game) if step else {},
                step=step,
            )
            if not table.next:
                following = await self._add(created, live.made_by)
                with contextlib.suppress(Conflict):
                    return (await live.append(proposals.follow(visitor, message_id, following.table.id))).n
                await self._discard(following)
                await live.overtaken()
        # another process was faster: with a rematch of its own, or with something else
        return _rematch_of(table) if table.next else await self.rematch(live, visitor, message_id, step)

    async def find(self, table_id: str) -> LiveTable | None:
        """The table of that id, loaded if need be; ``None`` if there is none."""
        live = self.tables.get(table_id)
        if live is None:
            live = await self._load_once(table_id)
        if live is not None:
            live.used = self.sources.clock()
        return live

    def gauges(self) -> dict[str, tuple[str, float]]:
        sockets = [connection for live in self.tables.values() for connection in live.audience.connections]
        phases = [live.table.phase for live in self.tables.values()]
        return {
            "tables": ("Tables in memory", len(phases)),
            "tables_playing": ("Tables in memory with a game going on", phases.count("playing")),
            "sockets": ("Connections to tables", len(sockets)),
            "onlookers": ("Connections that look on without a seat", sum(one.seat is None for one in sockets)),
            "addresses_remembered": ("Buckets kept for the limits", self.gate.remembered()),
        }

    async def _add(self, created: Created, address: str) -> LiveTable:
        most = self.settings.limits.bot_tables
        if most and self.bots_only.of(address) >= most:
            raise TooMany("server.bot_tables", most=most)
        await self.pool.admit(created.game, [sitting.bot for sitting in created.seats if sitting.kind == "bot"])
        table_id = self.sources.table_id()
        bots = any(sitting.player for sitting in created.seats)
        listing = Listing("lobby", created.table_rules.public, at=self.sources.date(), bots=bots)
        entry = write_entry(created)
        link = first_link(table_id, created.secret, entry)
        try:
            await self.store.append(table_id, Stored(0, entry, link), listing)
        except StoreError:
            self.metrics.store_failures.add()
            raise
        table = Table(table_id, created, self.sources.clock(), self.settings.grace, link)
        live = self.tables[table_id] = LiveTable(table, self, address)
        with contextlib.suppress(StoreError):
            await self._make_room()
        if created.table_rules.public:
            self.public_changes += 1
        log.info("created for %s", created.game, extra={"table": table_id})
        return live

    async def _discard(self, live: LiveTable) -> None:
        """Remove a new table that nothing links to; if the store fails, it stays there, empty and unused."""
        self.tables.pop(live.table.id, None)
        with contextlib.suppress(StoreError):
            await self.store.remove([live.table.id])
        log.info("removed: nothing links to it", extra={"table": live.table.id})

    # -- what the host does --------------------------------------------------------------------------------------------

    async def remove(self, table_id: str) -> bool:
        """Remove a table for good, whatever goes on there; whether there was one."""
        stored = await self.store.read_table(table_id)
        if stored.phase is None and not stored.entries:
            return False
        live = self.tables.get(table_id)
        async with live.lock if live is not None else contextlib.nullcontext():
            await self.store.remove([table_id])
            if live is not None:
                await live.drop(NotFound("table.unknown"))
        self.cache.clear()
        self.summaries.pop(table_id)
        await self.peers.announce_rewritten(table_id)
        log.warning("removed by the host", extra={"table": table_id})
        return True

    async def read_anew(self, table_id: str) -> None:
        """Drop a table from memory that is stored in another form by now; its viewers come back in a moment."""
        live = self.tables.get(table_id)
        if live is None:
            return
        async with live.lock:  # no bot is in the middle of an append
            if self.tables.get(table_id) is live:
                del self.tables[table_id]
                live.timer.stop()
                if live.bots.task is not None:
                    live.bots.task.cancel()
                await live.bots.remove(table_id)
                live.audience.close_all(RESTARTING)

    def show_out(self) -> None:
        """Close the sockets of those whom the host has shut out."""
        for live in self.tables.values():
            live.audience.close_those(BANNED, lambda one: self.bans.shuts_out(one.address, one.visitor))

    # -- devices -------------------------------------------------------------------------------------------------------

    async def move(self, code: str, device: str) -> Moved | None:
        """Move the visitor of this code to a device; ``None`` if the code is unknown, used or expired."""
        moving = asyncio.create_task(self._move(code, device))
        self._moving.add(moving)
        moving.add_done_callback(self._moving.discard)
        try:
            return await asyncio.shield(moving)  # the caller may be cancelled: memory must follow the store
        finally:
            del moving  # or an error, its traceback, this frame and the task would be a reference cycle

    async def _move(self, code: str, device: str) -> Moved | None:
        moved = await self.store.move_visitor(code, device, self.sources.wall())
        if moved is not None and moved.devices:
            self.devices.forget(moved.devices)
            self.drop_moved({**dict.fromkeys(moved.devices, ""), device: moved.visitor})
            log.info("a visitor moved to another device")
        return moved

    def drop_moved(self, stands_for: Mapping[str, str]) -> None:
        """Disconnect viewers whose device now stands for another visitor (``stands_for``: device to visitor)."""
        for live in self.tables.values():
            live.audience.drop_moved(stands_for)

    async def seats_of(self, visitor: str) -> list[str]:
        """The tables at which this visitor is in a running game, or waits here for one to begin."""
        playing = await self.store.playing(visitor)
        lobbies = [live.table for live in self.tables.values() if live.table.phase == "lobby"]
        return playing + [table.id for table in lobbies if table.held_by(visitor)]

    # -- loading and unloading -----------------------------------------------------------------------------------------

    async def _load_once(self, table_id: str) -> LiveTable | None:
        """Load the table, once for all who ask at the same time."""
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = asyncio.ensure_future(self._load(table_id))
            loading.add_done_callback(lambda _: self._loading.pop(table_id))
        try:
            return await asyncio.shield(loading)
        finally:
            del loading  # or an error, its traceback, this frame and the task would be a reference cycle

    async def _load(self, table_id: str) -> LiveTable | None:
        stored = await self.store.read_table(table_id)
        if stored.phase is None and not stored.entries:
            return None
        sources = self.sources
        load = partial(load_table, table_id, stored, sources.clock(), self.settings.grace, sources.wall())
        try:
            if len(stored.entries) > SHORT or any(len(first.entry) > SHORT_BYTES for first in stored.entries[:1]):
                table = await self._loader.run("", load)
            else:
                table = load()
        except UnknownName:
            return None  # its game is not installed here any more
        except Damaged as damaged:
            if table_id not in self._damaged:
                self._damaged.add(table_id)
                log.error("damaged: %s", damaged.reason, extra={"table": table_id})
            raise
        live = LiveTable(table, self)
        notice = proposals.close(table)
        if notice is not None:
            with contextlib.suppress(Conflict):
                await live.append(notice)
        self.tables[table_id] = live
        with contextlib.suppress(StoreError):
            await self._make_room()
        if self.peers.shared:
            # entries of other processes that were announced while the table was being loaded
            live.behind = True
            await live.catch_up()
            await live.see_elsewhere()
        if not table.attended:
            # no other process has the table: a clock of a day ran on while it was unloaded, no clock while the server
            # was down
            table.clock.begin_no_earlier(self._opened if table.clock.seconds == DAY else self.sources.clock())
        live.bots.wake(live)
        return live

    async def readable(self, table_ids: Iterable[str]) -> AsyncIterator[LiveTable]:
        """Load these tables, leaving out those that are missing or cannot be read."""
        for table_id in table_ids:
            try:
                live = await self.find(table_id)
            except StoreError as error:
                log.error("skipped: %s", error, extra={"table": table_id})
            except Damaged:
                continue  # logged when it was found
            else:
                if live is not None:
                    yield live

    async def resume_games(self) -> None:
        """Load the tables at which bots play."""
        try:
            async for _ in self.readable(await self.store.bots_playing()):
                pass
        except StoreError as error:
            log.error("games could not be resumed: %s", error)

    async def _tidy(self) -> None:
        """Unload idle tables now and then; they are loaded again on demand."""
        while True:
            await asyncio.sleep(min(60.0, self.settings.idle_seconds))
            try:
                await self.tidy()
            except Exception:
                log.exception("idle tables could not be unloaded")

    async def tidy(self) -> None:
        """Unload idle tables now."""
        since = self.sources.clock() - self.settings.idle_seconds
        for live in list(self.tables.values()):
            # checked one by one: while another was unloaded, a viewer may have come to this one
            if live.used <= since and not live.audience.connections:
                await self._unload(live)

    async def in_turn(self, address: str, work: Callable[[], _T]) -> _T:
        """The result of long work for a table, in a thread in which addresses take turns."""
        return await self._loader.run(address, work)

    async def _make_room(self) -> None:
        """Unload tables while too much is in memory: first those without viewers, then finished games."""
        entries = sum(live.table.size for live in self.tables.values())
        if entries <= MOST_ENTRIES:
            return
        since = self.sources.clock() - RECENT_SECONDS
        by_use = sorted((live for live in self.tables.values() if live.used < since), key=lambda live: live.used)
        unwatched = [live for live in by_use if not live.audience.connections]
        finished = [live for live in by_use if live.audience.connections and live.table.phase == "over"]
        for live in (*unwatched, *finished):
            if entries <= MOST_ENTRIES:
                return
            if await self._unload(live):
                entries -= live.table.size
                live.audience.close_all(RESTARTING)

    async def _unload(self, live: LiveTable) -> bool:
        """Remove a table from memory, unless something is going on there."""
        if live.lock.locked() or live.bots.busy or self.tables.get(live.table.id) is not live:
            return False
        del self.tables[live.table.id]
        live.timer.stop()
        await live.bots.remove(live.table.id)
        return True


async def _end(tasks: Sequence[asyncio.Future[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _rematch_of(table: Table) -> int:
    """The number of the entry that links to the rematch."""
    return next(effect.n for effect in reversed(table.effects) if isinstance(effect.entry, Followed))


def device_of(token: str) -> str:
    """The device of a token: a hash. Stores hold only this."""
    return hashlib.sha256(b"serai visitor " + token.encode()).hexdigest()[:32] if token else ""


class Devices:
    """Which visitor a device stands for, cached.

    What was read once is known until a visitor moves, here or (announced) in another process. While announcements may
    be missed, every question goes to the store; questions that come up during a query are asked together in the next.
    """

    def __init__(self, store: Store, peers: Peers) -> None:
        self._store = store
        self._peers = peers
        self._known: OrderedDict[str, str] = OrderedDict()
        self._asked: dict[str, asyncio.Future[str]] = {}
        """Devices that the next query asks for."""
        self._asking: asyncio.Task[None] | None = None
        self.moves = 0
        """How many moves this process knows of."""

    async def stands_for(self, device: str) -> str:
        """The visitor of this device; empty: nobody."""
        if not device:
            return ""
        known = self._known.get(device)
        if known is not None and self._peers.in_touch():
            self._known.move_to_end(device)
            return known
        future = self._asked.get(device)
        if future is None:
            future = self._asked[device] = asyncio.get_running_loop().create_future()
            # the exception is retrieved even if nobody waits any more
            future.add_done_callback(lambda done: done.cancelled() or done.exception())
            if self._asking is None or self._asking.done():
                self._asking = asyncio.create_task(self._ask())
        try:
            return await asyncio.shield(future)
        finally:
            del future  # or an error, its traceback, this frame and the future would be a reference cycle

    def forget(self, devices: Iterable[str]) -> None:
        """Forget these devices: their visitors have changed."""
        self.moves += 1
        for device in devices:
            self._known.pop(device, None)

    def forget_all(self) -> None:
        """Forget all devices: announcements may have been missed."""
        self.forget([*self._known])

    async def _ask(self) -> None:
        while self._asked:
            asked, self._asked = self._asked, {}
            moves = self.moves
            try:
                rows = await self._store.visitors(list(asked))
            except Exception as error:
                while asked:  # the error's traceback holds this frame, which must not hold the futures any more
                    asked.popitem()[1].set_exception(error)
                continue
            for device, future in asked.items():
                visitor = rows.get(device, device)
                future.set_result(visitor)
                if moves == self.moves:
                    self._known[device] = visitor
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
