"""Large bodies that are refused, thousands of them: the memory of the server stays as it was."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path

from tests.faults.attacks import memory_kb, wire
from tests.faults.support import process
from tests.server.refusals import GAME, posted, refusals
from tests.server.support import Visitor, run
from tests.support import amount

EACH = amount(10, 2000)
"""Requests of every kind."""
AT_ONCE = 8
GROWN_KB = 30_000


def test_refused_bodies_leave_no_memory_behind(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    async def send(base: str, path: str, body: bytes, address: str) -> None:
        async with wire(base, address, buffer=1 << 18) as line:
            await line.send(posted(path, body))
            answer = await line.read()
            assert not answer or b" 4" in answer[:12], (path, answer[:200])

    async def attack(base: str, pid: int) -> None:
        kinds = list(refusals(await Visitor(base).create(GAME, seats=2)))
        addresses = itertools.cycle(f"127.0.1.{number}" for number in range(1, 250))  # or ports would run out

        async def send_all(times: int) -> None:
            every = iter([kind for kind in kinds for _ in range(times)])

            async def one_after_the_other() -> None:
                for _, path, body in every:
                    await send(base, path, body, next(addresses))

            await asyncio.gather(*(one_after_the_other() for _ in range(AT_ONCE)))

        await send_all(2)
        before = memory_kb(pid)
        await send_all(EACH)
        grown = memory_kb(pid) - before
        record_property("told", f"{EACH} of each of {len(kinds)} refused bodies: {grown} kB more")
        assert grown < GROWN_KB

    with process(tmp_path / "tables.db") as server:
        run(attack(server.base, server.popen.pid))
