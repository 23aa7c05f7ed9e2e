"""Memory has room for so much: long histories wake aside, and tables that need not be there leave."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from serai.server.settings import Sources
from serai.server.store import base
from serai.server.tables import audience as audiences
from serai.server.tables import hall as halls
from serai.table.table import load
from tests.server.support import QUICK, Clock, Visitor, house, run

GAME = "camelup"


async def ended(ann: Visitor) -> str:
    """A table at which a game has ended, of some entries."""
    table = await ann.create(GAME, seats=2)
    await ann.join(table, "Ann")
    await ann.join(table, "Bob")
    async with ann.at(table) as a:
        await a.do("start")
        await a.do("agree", on=True)
    return table


def test_a_long_history_is_played_out_in_another_thread(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halls, "SHORT", 4)
    threads: list[threading.Thread] = []

    def noted(*args: Any) -> Any:
        threads.append(threading.current_thread())
        return load(*args)

    monkeypatch.setattr(base, "load", noted)
    clock = Clock()

    async def play() -> None:
        async with house(database, sources=Sources(clock=clock)) as here:
            ann = Visitor(here.base)
            tables = [await ended(ann), await ann.create(GAME, seats=2)]
            while here.hall.tables:
                clock.now += 2 * QUICK.idle_seconds
                await here.hall.tidy()
                await asyncio.sleep(0.01)
            told = await asyncio.gather(*(ann.call("GET", f"/api/tables/{table}") for table in tables * 3))
            assert {answer.status_code for answer in told} == {200}

    run(play())
    assert [thread is threading.main_thread() for thread in threads].count(True) == 1
    assert len(threads) == 2


def test_tables_nobody_plays_at_leave_when_there_is_too_much_in_memory(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()

    async def play() -> None:
        async with house(database, sources=Sources(clock=clock)) as here:
            ann, tables = Visitor(here.base), here.hall.tables
            played, alone, looked_at = await ann.create(GAME, seats=2), await ended(ann), await ended(ann)
            await ann.join(played, "Ann")
            await ann.join(played, "Bob")
            async with ann.at(played) as a, ann.at(looked_at) as back:
                await a.do("start")
                await back.heard("presence")
                woken = await ended(ann)
                clock.now += 2 * halls.RECENT_SECONDS
                del tables[woken]

                most = sum(live.table.n for live in tables.values())
                monkeypatch.setattr(halls, "MOST_ENTRIES", most)
                await ann.call("GET", f"/api/tables/{woken}")
                assert set(tables) == {played, looked_at, woken}, "nobody was there"
                assert alone not in tables

                clock.now += 2 * halls.RECENT_SECONDS
                del tables[woken]
                monkeypatch.setattr(halls, "MOST_ENTRIES", 0)
                await ann.call("GET", f"/api/tables/{woken}")
                assert set(tables) == {played, woken}, "its game is over"
                await back.socket.wait_closed()
                assert back.socket.close_code == halls.RESTARTING
                await a.do("say", text="we play on")
            async with ann.at(looked_at, seen=back.n) as again:
                await again.heard("presence")
                assert looked_at in tables

    run(play())


@pytest.mark.parametrize("bound", ["GAP", "GAP_BYTES"])
def test_whoever_missed_too_much_begins_anew(bound: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            table = await ended(ann)
            n = here.hall.tables[table].table.n
            async with ann.at(table, seen=1) as back:
                await back.heard("presence")
                assert set(back.frames) == set(range(2, n + 1))
            monkeypatch.setattr(audiences, bound, 1)
            async with ann.at(table, seen=1) as back:
                await back.heard("presence")
                assert [json.loads(text)["type"] for text in back.stream] == ["welcome", "presence"]

    run(play())
