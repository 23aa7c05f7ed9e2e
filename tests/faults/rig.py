"""Two server processes on one PostgreSQL, each by a way of its own, with clients at many tables."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import asyncpg
import httpx

from serai.table import chain
from serai.table.entries import read_entry
from serai.table.errors import Damaged
from tests.faults import audit
from tests.faults.checker import Stored, check
from tests.faults.clients import Client
from tests.faults.history import History
from tests.faults.nemesis import PROCESSES
from tests.faults.proxy import Harm, Proxy
from tests.faults.support import COMMAND
from tests.postgres import Cluster
from tests.server.support import PATIENCE

SHORT = {"pharaoh": {"max_rounds": 12}}
"""Options with which a game of people who do whatever comes to their mind comes to its end."""
REMATCHES = 0.5
"""How often the same people play again."""
ALL_LIMITS_OFF = ("--limit", "all=0")


class Rig:
    """The processes and their database."""

    def __init__(self, cluster: Cluster, folder: Path, command: Sequence[str] = COMMAND) -> None:
        self.history = History()
        self.bases = [""] * PROCESSES
        """Where the servers are; that of a dead one leads nowhere until there is a new one."""
        self.url = cluster.new_database()
        self._cluster = cluster
        self._folder = folder
        self._command = command
        self._proxies: list[Proxy] = []
        self._servers: list[subprocess.Popen[bytes] | None] = [None] * PROCESSES

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Rig]:
        """Servers run while the block lasts."""
        async with self._ways():
            try:
                await audit.introduce(self.url, PROCESSES)
                await asyncio.gather(*map(self._start, range(PROCESSES)))
                await audit.watch(self.url)
                yield self
            finally:
                await asyncio.to_thread(self._end)

    @contextlib.asynccontextmanager
    async def _ways(self) -> AsyncIterator[None]:
        """A way to the database for each server."""
        async with contextlib.AsyncExitStack() as stack:
            for number in range(PROCESSES):
                proxy = Proxy(self._folder / str(number), self._cluster.folder)
                self._proxies.append(await stack.enter_async_context(proxy.open()))
            yield

    def _serve(self, target: int) -> list[str]:
        """The command of a server, with its way to the database."""
        database = self._proxies[target].address(self.url, audit.name_of(target))
        return [*self._command, "--database", database, "--port", "0", *ALL_LIMITS_OFF]

    # -- harm ----------------------------------------------------------------------------------------------------------

    async def kill(self, target: int, seconds: float) -> None:
        server = self._running(target)
        server.kill()
        await asyncio.to_thread(_buried, server)
        await asyncio.sleep(seconds)
        await self._start(target)

    async def stop(self, target: int, seconds: float) -> None:
        async with self.hung(target):
            await asyncio.sleep(seconds)

    @contextlib.asynccontextmanager
    async def hung(self, target: int) -> AsyncIterator[None]:
        """A server stands still while the block lasts."""
        server = self._running(target)
        server.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            server.send_signal(signal.SIGCONT)

    async def away(self, seconds: float) -> None:
        await asyncio.to_thread(self._cluster.stop)
        try:
            await asyncio.sleep(seconds)
        finally:
            await asyncio.to_thread(self._cluster.start)

    async def cut(self, target: int, how: Harm, seconds: float) -> None:
        self._proxies[target].harm(how)
        try:
            await asyncio.sleep(seconds)
        finally:
            self._proxies[target].mend()

    async def ready(self) -> None:
        """Wait until every server can read and save."""
        async with httpx.AsyncClient(timeout=PATIENCE, verify=False) as http, asyncio.timeout(PATIENCE):
            for base in self.bases:
                while (await http.get(f"{base}/readyz")).status_code != 200:
                    await asyncio.sleep(0.05)

    # -- the servers ---------------------------------------------------------------------------------------------------

    def _running(self, target: int) -> subprocess.Popen[bytes]:
        server = self._servers[target]
        assert server is not None
        assert server.poll() is None, f"server {target} ended by itself: {self._log(target).read_text()[-2000:]}"
        return server

    async def _start(self, target: int) -> None:
        """Start a server, again and again while its database is away."""
        while True:
            with self._log(target).open("ab") as log:
                server = self._servers[target] = subprocess.Popen(
                    self._serve(target), stdout=subprocess.PIPE, stderr=log, env={**os.environ}
                )
            assert server.stdout is not None
            told = (await asyncio.to_thread(server.stdout.readline)).decode()
            if "http://" in told:
                self.bases[target] = told.split()[-1]
                return
            code = await asyncio.to_thread(_buried, server)
            assert code == 2, f"server {target} did not start: {self._log(target).read_text()[-2000:]}"

    def _log(self, target: int) -> Path:
        return self._folder / f"server{target}.log"

    def _end(self) -> None:
        servers = [server for server in self._servers if server is not None]
        for server in servers:
            server.send_signal(signal.SIGCONT)
            server.terminate()
        for server in servers:
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(10)
            server.kill()
            _buried(server)


async def stored(url: str, history: History) -> dict[str, list[chain.Stored]]:
    """What the database has in the end of the tables at which somebody was."""
    db = await asyncpg.connect(url)
    try:
        query = "select n, entry, link from entries where tableid = $1 order by n"
        return {table: [chain.Stored(*row) for row in await db.fetch(query, table)] for table in history.tables()}
    finally:
        await db.close()


async def verdict(url: str, history: History, kept: Path) -> list[str]:
    """What is wrong with the history; if anything is, it is kept in that file."""
    rows = await stored(url, history)
    found = [*broken_chains(rows), *map(str, check(history, entries_of(rows)))]
    if found:
        history.write(kept)
        found.append(f"the whole history: {kept}")
    return found


def entries_of(rows: Mapping[str, list[chain.Stored]]) -> dict[str, Stored]:
    """The same, to be read."""
    return {table: [(one.n, read_entry(one.entry)) for one in kept] for table, kept in rows.items()}


def broken_chains(rows: Mapping[str, list[chain.Stored]]) -> Iterator[str]:
    """Tables of which an entry does not fit those before it."""
    for table, kept in rows.items():
        try:
            for _ in chain.history(table, kept):
                pass
        except Damaged as damaged:
            yield str(damaged)


def told(history: History) -> str:
    """How much happened."""
    faults = Counter(fault.kind for fault in history.faults)
    answers = Counter(one.answer for one in history.tries)
    texts = sum(len(line.told) for line in history.lines)
    done = Counter(one.message["type"] for one in history.tries if one.answer == "done")
    rematches, stood_in = done["rematch"], done["return"]
    moved = len(history.tokens) - len({one.visitor for one in history.lines})
    return (
        f"{sum(faults.values())} faults ({', '.join(f'{faults[kind]} {kind}' for kind in faults)}), "
        f"{len(history.tables())} tables, {len(history.lines)} lines, {texts} texts, "
        f"{len(history.reads)} reads, {rematches} rematches, {moved} moved, {stood_in} stood in for, "
        f"{answers['done']} acknowledged, {answers['refused']} refused, {answers['unknown']} unanswered, "
        f"{sum(map(len, history.holders.values()))} leases"
    )


def _buried(server: subprocess.Popen[bytes]) -> int:
    """Wait for its end: the code."""
    assert server.stdout is not None
    server.stdout.close()
    return server.wait()


class Party:
    """People, one of them in two tabs, an onlooker, and bots on the other seats: they play table after table."""

    def __init__(
        self,
        history: History,
        bases: Sequence[str],
        games: Sequence[str],
        seed: str,
        *,
        number: int = 0,
        people: int = 2,
        seats: int = 4,
        think: float = 0.05,
        clock: int = 0,
    ) -> None:
        """With a ``clock`` of so many seconds people also go away, and come back, some with another device."""
        self._rules = {"clock": clock}
        self._history = history
        self._bases = bases
        self._number = number
        self._games = games
        self._rng = random.Random(f"{seed} {number}")
        self._people = people
        self._seats = seats
        self._think = think
        self._present: list[Client] = []
        self._closing = self._tired = False
        self.finished = 0

    def close(self, *, at_once: bool) -> None:
        """This table is the last; its people may agree to end the game at once."""
        self._closing, self._tired = True, at_once
        for client in self._present:
            client.tired = self._tired

    async def play(self) -> None:
        """Play until closing time."""
        while not self._closing:
            await self._one_game(self._games[(self._number + self.finished) % len(self._games)])
            self.finished += 1

    async def _one_game(self, game: str) -> None:
        prefix = f"{self._number}.{self.finished}"
        people = [
            self._client(f"{prefix}{letter}", at=at, wanders=at > 0 and self._wanders)  # the first has two tabs
            for at, letter in enumerate("abc"[: self._people])
        ]
        bots = {str(seat): "random" for seat in range(self._people, self._seats)}
        options = SHORT.get(game, {})
        table = await people[0].create(game, seats=self._seats, bots=bots, options=options, table_rules=self._rules)
        while True:
            for person in people:
                await person.join(table)
            twin = self._client(f"{people[0].name}2", at=1, token=people[0].token)
            twin.seat = people[0].seat
            onlooker = self._client(f"{prefix}o")
            for other in (twin, onlooker):
                other.table = table
            self._present = [*people, twin, onlooker]
            async with asyncio.TaskGroup() as together:
                for client in self._present:
                    client.tired = self._tired
                    together.create_task(client.play())
            if self._rng.random() > REMATCHES or self._tired:
                return
            table, *_ = await asyncio.gather(*(person.rematch() for person in people))
            people = [
                self._client(one.name, at=at, token=one.token, visitor=one.visitor, wanders=at > 0 and self._wanders)
                for at, one in enumerate(people)
            ]
            if self._closing:
                self.close(at_once=True)

    @property
    def _wanders(self) -> bool:
        return bool(self._rules["clock"])

    def _client(self, name: str, **more: Any) -> Client:
        rng = random.Random(self._rng.random())
        return Client(name, self._history, self._bases, rng, think=self._think, **more)
