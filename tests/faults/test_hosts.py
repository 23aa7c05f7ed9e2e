"""Two server processes, PostgreSQL and the people, each on a host of their own: cables are pulled out and put back, are
slow, or work in one direction only, hosts stop and go for good. Nothing is lost, nothing happens twice, and nobody
sees more than they may.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from urllib.parse import urlsplit

from serai import games
from serai.server.peers.postgres import LEASE_SECONDS
from tests.faults import audit
from tests.faults.nemesis import Kind, Lengths, carry_out, plan
from tests.faults.proxy import Harm
from tests.faults.rig import ALL_LIMITS_OFF, Party, Rig, told, verdict
from tests.faults.support import COMMAND
from tests.faults.test_history import SEED, finish
from tests.hosts import Host, Network, needed, network
from tests.postgres import Cluster
from tests.server.support import run

pytestmark = needed

FAULTS: dict[Kind, int] = {"kill": 8, "stop": 8, "away": 12, "cut": 32}
LENGTHS = Lengths(hang=(LEASE_SECONDS + 1, LEASE_SECONDS + 5), others=(0.2, LEASE_SECONDS + 3), quiet=(0.5, 4.0))
SLOW = 0.25
"""Seconds that a frame takes on a slow cable."""
PARTIES, PEOPLE, THINK = 4, 3, 0.15
AS_NOBODY = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
"""PostgreSQL refuses to run as root."""


class Hosts(Rig):
    """The servers and the database, on hosts of their own."""

    def __init__(self, cluster: Cluster, folder: Path, hosts: Network) -> None:
        super().__init__(cluster, folder)
        self._hosts = hosts
        self._name = urlsplit(self.url).path
        self.url = self._database("serai")

    def _database(self, user: str) -> str:
        return f"postgresql://{user}@{self._hosts['database'].address}:5432{self._name}"

    def host(self, target: int) -> Host:
        """That of a server."""
        return self._hosts[f"server{target}"]

    @contextlib.asynccontextmanager
    async def _ways(self) -> AsyncIterator[None]:
        yield

    def _serve(self, target: int) -> list[str]:
        host, database = self.host(target), self._database(audit.name_of(target))
        return host.command(*COMMAND, "--database", database, "--host", host.address, "--port", "8321", *ALL_LIMITS_OFF)

    async def away(self, seconds: float) -> None:
        """The database's host is not there."""
        async with self._pulled(self._hosts["database"]):
            await asyncio.sleep(seconds)

    async def cut(self, target: int, how: Harm, seconds: float) -> None:
        """A server's host is not there, hears nothing, or has a slow cable."""
        host = self.host(target)
        try:
            match how:
                case "cut":
                    host.cut = True
                case "deaf":
                    host.deaf = True
                case "stall":
                    host.delay = SLOW
            await asyncio.sleep(seconds)
        finally:
            host.cut, host.deaf, host.delay = False, False, 0.0

    @contextlib.asynccontextmanager
    async def gone(self, target: int) -> AsyncIterator[None]:
        """A server's host is not there any more, until the block ends."""
        async with self._pulled(self.host(target)):
            yield

    @contextlib.asynccontextmanager
    async def _pulled(self, host: Host) -> AsyncIterator[None]:
        host.cut = True
        try:
            yield
        finally:
            host.cut = False


def test_whatever_becomes_of_hosts_and_cables_each_table_is_one_sequence(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    async def play(rig: Hosts) -> None:
        async with rig.open():
            parties = [
                Party(rig.history, rig.bases, games(), str(SEED), number=number, people=PEOPLE, think=THINK)
                for number in range(PARTIES)
            ]
            playing = [asyncio.create_task(party.play()) for party in parties]
            harming = asyncio.create_task(carry_out(plan(SEED, FAULTS, LENGTHS), rig, rig.history))
            await asyncio.wait({harming, *playing}, return_when=asyncio.FIRST_COMPLETED)
            for party in parties:
                party.close(at_once=False)
            for one in (harming, *playing):
                if one.done():
                    one.result()
            async with rig.gone(0):  # and with it the bots and clocks that it looked after
                found = await finish(playing)
            await rig.ready()
            await audit.tell(rig.url, rig.history)
            found += await verdict(rig.url, rig.history, tmp_path / "history.json")
        record_property("told", f"several hosts, seed {SEED}: {told(rig.history)}, {len(found)} violations")
        assert not found, "\n".join(found[:20])

    with network("database", "server0", "server1", "people") as hosts:
        database = hosts["database"]
        cluster = Cluster(database.command(*AS_NOBODY), database.address)
        try:
            cluster.start()
            hosts["people"].inside(lambda: run(play(Hosts(cluster, tmp_path, hosts))))
        finally:
            cluster.remove()
