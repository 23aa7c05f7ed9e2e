"""People play at two processes while these are killed and stopped, the database crashes and ways to it are cut: each
table stays one sequence, in the order in which things were done, and nobody sees more than they may.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from serai import games
from serai.server.peers.postgres import LEASE_SECONDS
from tests.faults import audit
from tests.faults.nemesis import HARMS, Kind, Lengths, carry_out, plan
from tests.faults.rig import Party, Rig, told, verdict
from tests.faults.support import TIME_FLIES
from tests.postgres import Cluster
from tests.server.support import run
from tests.support import SOAK, amount

SEED = int(os.environ.get("SERAI_SEED", "13"))
"""Of the plan of faults and of what people do; told with the result."""
RUNS = amount(1, 10)
"""Each with a seed of its own: a thousand faults in the long form."""
MANY: dict[Kind, int] = {"kill": 22, "stop": 12, "away": 18, "cut": 48}
FEW: dict[Kind, int] = {"kill": 1, "stop": 2, "away": 1, "cut": 3}
LONG = Lengths(hang=(LEASE_SECONDS + 1, LEASE_SECONDS + 7), others=(0.2, 2.0), quiet=(0.3, 2.5))
SHORT = Lengths(hang=(0.2, 0.5), others=(0.1, 0.4), quiet=(0.1, 0.4))
PARTIES = 5 if SOAK else 2
PEOPLE = 3 if SOAK else 2
THINK = 0.15 if SOAK else 0.05
CLOCK = 30
"""Which is two seconds here."""
FINISH_SECONDS = 120.0


@pytest.mark.parametrize("seed", range(SEED, SEED + RUNS))
def test_under_every_fault_each_table_is_one_sequence(
    seed: int, postgres: Cluster, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    async def play() -> None:
        rig = Rig(postgres, tmp_path, TIME_FLIES)
        async with rig.open():
            parties = [
                Party(
                    rig.history, rig.bases, games(), str(seed), number=number, people=PEOPLE, think=THINK, clock=CLOCK
                )
                for number in range(PARTIES)
            ]
            playing = [asyncio.create_task(party.play()) for party in parties]
            harming = asyncio.create_task(
                carry_out(plan(seed, MANY if SOAK else FEW, LONG if SOAK else SHORT), rig, rig.history)
            )
            await asyncio.wait({harming, *playing}, return_when=asyncio.FIRST_COMPLETED)
            for party in parties:
                party.close(at_once=not SOAK)
            for one in (harming, *playing):
                if one.done():
                    one.result()
            # in the long form the last games are played out while a process hangs for good, which then wakes up behind
            async with rig.hung(0) if SOAK else contextlib.nullcontext():
                found = await finish(playing)
            await rig.ready()
            await audit.tell(rig.url, rig.history)
            found += await verdict(rig.url, rig.history, tmp_path / "history.json")
        assert all(rig.history.writers[table] for table in rig.history.tables())
        record_property("told", f"seed {seed}: {told(rig.history)}, {len(found)} violations")
        assert not found, "\n".join(found[:20])

    run(play())


async def finish(playing: list[asyncio.Task[None]]) -> list[str]:
    """Wait for the last games; what is wrong if they do not end."""
    done, late = await asyncio.wait(playing, timeout=FINISH_SECONDS)
    for one in late:
        one.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    for one in done:
        one.result()
    return [f"{len(late)} games did not come to their end"] if late else []


def test_a_plan_of_faults_is_the_same_from_the_same_seed() -> None:
    lanes = plan(SEED, MANY, LONG)
    assert lanes == plan(SEED, MANY, LONG) != plan(SEED + 1, MANY, LONG)
    faults = [fault for lane in lanes for fault in lane]
    assert Counter(fault.kind for fault in faults) == MANY
    assert len(faults) >= 100
    assert all(fault.seconds > LEASE_SECONDS for fault in faults if fault.kind == "stop" or fault.how == "stall")
    assert {fault.how for fault in faults if fault.kind == "cut"} == set(HARMS)
