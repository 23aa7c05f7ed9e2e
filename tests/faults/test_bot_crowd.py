"""Hundreds of games that bots play among themselves, and one person who waits for an opponent."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.faults.support import BOTS_ACT_AT_ONCE, Process, process
from tests.server.support import Visitor, any_kind, run
from tests.support import SOAK, amount

GAME = "camelup"
TABLES = amount(0, 250)
ANSWERS = 150
MOST = 5.0
"""How many times as long as in quiet a person may wait for an opponent."""


@pytest.mark.skipif(not SOAK, reason="the order in which bots think is tested without a crowd, too")
@pytest.mark.parametrize("new_database", ["sqlite"], indirect=True)
def test_a_crowd_of_unattended_tables_does_not_delay_a_persons_opponent(
    database: str, record_property: Callable[[str, Any], None]
) -> None:
    async def play(server: Process) -> None:
        ann, crowd = Visitor(server.base), Visitor(server.base)
        while "greedy" not in next(
            game["bots"] for game in (await ann.call("GET", "/api/games?tried=true")).json() if game["name"] == GAME
        ):
            await asyncio.sleep(0.1)
        quiet = await _answers(ann)
        for _ in range(TABLES):
            table = await crowd.create(GAME, seats=8, bots={str(seat): "greedy" for seat in range(8)})
            async with crowd.at(table) as a:
                await a.do("start")
        crowded = await _answers(ann)
        ratio = statistics.median(crowded) / statistics.median(quiet)
        told = f"an opponent's answer, median of {ANSWERS}: {1000 * statistics.median(quiet):.0f} ms in quiet, "
        told += (
            f"{1000 * statistics.median(crowded):.0f} ms ({max(crowded):.2f} s at most) beside {TABLES} tables of bots"
        )
        record_property("told", f"{told}: {ratio:.1f} times")
        assert ratio < MOST

    with process(database, command=BOTS_ACT_AT_ONCE) as server:
        run(play(server))


async def _answers(person: Visitor) -> list[float]:
    """How long a bot took to act after each of a person's actions, over as many games as that takes."""
    taken: list[float] = []
    rng = random.Random(1)
    while len(taken) < ANSWERS:
        table = await person.create(GAME, seats=2, bots={"1": "greedy"})
        await person.join(table, "Ann")
        async with person.at(table) as a:
            await a.do("start")
            while not a.over and len(taken) < ANSWERS:
                await a.my_turn()
                await a.act(any_kind(a.actions, rng))
                began = time.monotonic()
                while not a.actions and not a.over:
                    await a.next()
                taken.append(time.monotonic() - began)
    return taken
