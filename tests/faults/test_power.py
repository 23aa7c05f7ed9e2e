"""The power fails under load, and whatever was not flushed to the disk is gone: what was acknowledged is there, and
nobody was shown what is not.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from serai import games
from serai.table import chain
from tests.faults import audit
from tests.faults.checker import check
from tests.faults.history import Done, History
from tests.faults.power import Disk, PowerlessCluster
from tests.faults.rig import ALL_LIMITS_OFF, Party, Rig, broken_chains, entries_of, told, verdict
from tests.faults.support import COMMAND
from tests.faults.test_history import finish
from tests.server.support import run
from tests.support import SERAI, SOAK, amount

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="there is no compiler cc for what forgets"
)

FAILURES = amount(2, 150)
FAILURES_OF_POSTGRESQL = int(os.environ.get("SERAI_POWER_FAILURES", "60"))
PARTIES = amount(2, 4)
CARELESS = (
    *SERAI[:-1],
    "from serai.server.store import sqlite; careful = sqlite._connect\n"
    "def _connect(path):\n    db = careful(path)\n    db.execute('pragma synchronous = normal')\n    return db\n"
    "sqlite._connect = _connect\n" + SERAI[-1],
    *COMMAND[len(SERAI) :],
)
"""A server that does not wait until an entry is on the disk."""


CARELESS_ON_POSTGRESQL = (
    *SERAI[:-1],
    "import asyncpg; careful = asyncpg.connect\n"
    "def connect(url, *, server_settings={}, **more):\n"
    "    return careful(url, server_settings={**server_settings, 'synchronous_commit': 'off'}, **more)\n"
    "asyncpg.connect = connect\n" + SERAI[-1],
    *COMMAND[len(SERAI) :],
)
"""The same with PostgreSQL."""


class House:
    """A server whose power fails again and again."""

    def __init__(self, disk: Disk, command: Sequence[str]) -> None:
        self.history = History()
        self.bases = [""]
        self.lost = 0
        """Bytes."""
        self._disk = disk
        self._command = command
        self._server: subprocess.Popen[str] | None = None

    @property
    def tables(self) -> Path:
        return self._disk.folder / "tables.db"

    async def start(self) -> None:
        command = [*self._command, "--database", str(self.tables), "--port", "0", *ALL_LIMITS_OFF]
        environment = {**os.environ, **self._disk.environment}
        self._server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self._server.stdout is not None
        line = await asyncio.to_thread(self._server.stdout.readline)
        assert "http://" in line, line
        self.bases[0] = line.split()[-1]

    async def fail(self) -> None:
        began = time.monotonic()
        await self.end()
        self.lost += self._disk.fail()
        await self.start()
        self.history.faults.append(Done("power", 0, "", began, time.monotonic()))

    async def end(self) -> None:
        assert self._server is not None
        assert self._server.poll() is None, "it ended by itself"
        self._server.kill()
        await asyncio.to_thread(self._server.wait)
        assert self._server.stdout is not None
        self._server.stdout.close()

    def verdict(self) -> list[str]:
        db = sqlite3.connect(self.tables)
        query = "select n, entry, link from entries where tableid = ? order by n"
        rows = {table: [chain.Stored(*row) for row in db.execute(query, (table,))] for table in self.history.tables()}
        db.close()
        return [*broken_chains(rows), *map(str, check(self.history, entries_of(rows)))]


async def play(house: House, failures: int) -> list[str]:
    """People play while the power fails so many times; what is wrong in the end."""
    rng = random.Random(21)
    await house.start()
    parties = [
        Party(house.history, house.bases, games(), "power", number=number, people=2, think=0.02)
        for number in range(PARTIES)
    ]
    playing = [asyncio.create_task(party.play()) for party in parties]
    for _ in range(failures):
        known = len(house.history.tries)
        while len(house.history.tries) < known + 5:
            await asyncio.sleep(0.01)
        await asyncio.sleep(rng.uniform(0.0, 0.5))
        await house.fail()
        for one in playing:
            if one.done():
                one.result()
    for party in parties:
        party.close(at_once=not SOAK)
    await asyncio.gather(*playing)
    await house.end()
    return house.verdict()


def test_when_the_power_fails_nothing_acknowledged_is_lost(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    async def played() -> None:
        house = House(Disk(tmp_path), COMMAND)
        found = await play(house, FAILURES)
        record_property(
            "told", f"power failures: {told(house.history)}, {house.lost} bytes lost, {len(found)} violations"
        )
        assert house.lost > 0, "there was something that nobody had flushed"
        assert not found, "\n".join(found[:20])

    run(played())


def test_a_server_that_does_not_wait_for_its_disk_is_found_out(tmp_path: Path) -> None:
    """Or the test above would show nothing."""

    async def played() -> None:
        house = House(Disk(tmp_path), CARELESS)
        await house.start()
        party = Party(house.history, house.bases, ["camelup"], "careless", people=2, seats=2, think=0.01)
        playing = asyncio.create_task(party.play())
        while sum(one.answer == "done" for one in house.history.tries) < 5:
            await asyncio.sleep(0.01)
        await house.fail()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await house.end()
        found = "\n".join(house.verdict())
        assert "lost" in found or "no such table" in found, found

    run(played())


async def play_on_postgresql(cluster: PowerlessCluster, folder: Path, failures: int) -> tuple[Rig, list[str]]:
    """People play at two processes while their database's power fails so many times; what is wrong in the end."""
    rng = random.Random(34)
    rig = Rig(cluster, folder)
    async with rig.open():
        parties = [
            Party(rig.history, rig.bases, games(), "power", number=number, people=2, think=0.02)
            for number in range(PARTIES)
        ]
        playing = [asyncio.create_task(party.play()) for party in parties]
        for _ in range(failures):
            known = sum(one.answer == "done" for one in rig.history.tries)
            while sum(one.answer == "done" for one in rig.history.tries) < known + 5:
                await asyncio.sleep(0.01)
            await asyncio.sleep(rng.uniform(0.0, 0.5))
            began = time.monotonic()
            await rig.away(rng.uniform(0.0, 0.5))
            rig.history.faults.append(Done("power", 0, "", began, time.monotonic()))
        for party in parties:
            party.close(at_once=True)
        found = await finish(playing)
        await rig.ready()
        await audit.tell(rig.url, rig.history)
        found += await verdict(rig.url, rig.history, folder / "history.json")
    return rig, found


@pytest.mark.skipif(not SOAK, reason="PostgreSQL starts anew each time: in soak")
def test_when_the_power_of_postgresql_fails_nothing_acknowledged_is_lost(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    async def played() -> None:
        cluster = PowerlessCluster()
        try:
            cluster.start()
            rig, found = await play_on_postgresql(cluster, tmp_path, FAILURES_OF_POSTGRESQL)
            told_all = f"{told(rig.history)}, {cluster.lost} bytes lost, {len(found)} violations"
            record_property("told", f"power failures of PostgreSQL: {told_all}")
            assert cluster.lost > 0, "there was something that nobody had flushed"
            assert not found, "\n".join(found[:20])
        finally:
            cluster.remove()

    run(played())


@pytest.mark.skipif(not SOAK, reason="PostgreSQL starts anew each time: in soak")
def test_a_server_that_does_not_wait_for_postgresqls_disk_is_found_out(tmp_path: Path) -> None:
    """Or the test above would show nothing."""

    async def played() -> None:
        cluster = PowerlessCluster("wal_writer_delay=10s")
        try:
            cluster.start()
            rig = Rig(cluster, tmp_path, CARELESS_ON_POSTGRESQL)
            async with rig.open():
                party = Party(rig.history, rig.bases, ["camelup"], "careless", people=2, seats=2, think=0.01)
                playing = asyncio.create_task(party.play())
                while sum(one.answer == "done" for one in rig.history.tries) < 10:
                    await asyncio.sleep(0.01)
                await rig.away(0.0)
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
                await rig.ready()
                found = await verdict(rig.url, rig.history, tmp_path / "history.json")
            assert "lost" in "\n".join(found), found
        finally:
            cluster.remove()

    run(played())
