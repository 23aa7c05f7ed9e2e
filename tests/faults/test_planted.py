"""Servers that are broken on purpose: what clients write down at these tables gives them away."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from serai.server.peers.postgres import PostgresPeers
from serai.server.store.base import Lease
from serai.server.store.postgres import PostgresStore
from serai.table import frames
from serai.table.entries import Acted
from tests.faults import audit
from tests.faults.history import History, Try
from tests.faults.proxy import Proxy
from tests.faults.rig import Party, entries_of, stored, verdict
from tests.postgres import Cluster
from tests.server.support import PATIENCE, house, run

SEED = "planted"
BET = '"action":{"type":"winner"'
"""How a frame begins to tell that somebody laid a race card."""


@contextlib.asynccontextmanager
async def playing(history: History, bases: list[str], seats: int = 2) -> AsyncIterator[None]:
    """Two people play Camel Up while the block lasts; a game that cannot go on is given up."""
    task = asyncio.create_task(Party(history, bases, ["camelup"], SEED, seats=seats, think=0.02).play())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(true: Callable[[], Any]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)


def acknowledged(history: History, since: float = 0.0) -> int:
    """How many messages that were first sent since then have been."""
    first: dict[str, Try] = {}
    for one in history.tries:
        first.setdefault(one.id, one)
    return sum(one.answer == "done" and one.begun > since for one in first.values())


async def one_more(history: History) -> None:
    """Wait for something that is sent and acknowledged from now on."""
    now = time.monotonic()
    await until(lambda: acknowledged(history, now))


async def found(url: str, history: History, folder: Path) -> str:
    """What the checker says; the history is kept, and named in the last line."""
    told = await verdict(url, history, folder / "history.json")
    assert told, f"nothing was found, with {acknowledged(history)} acknowledged actions"
    assert History.read(folder / "history.json").tries
    assert str(folder) in told[-1]
    return "\n".join(told)


def test_a_store_that_acknowledges_before_it_keeps_is_found_out(
    postgres: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, power = PostgresStore.append, [True]

    def at_once(self: PostgresStore, *entry: Any, **more: Any) -> asyncio.Future[None]:
        if power:  # else it is as if the machine had gone down before it was kept
            append(self, *entry, **more)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    monkeypatch.setattr(PostgresStore, "append", at_once)

    async def play() -> None:
        history, url = History(), postgres.new_database()
        async with house(url) as here:
            async with playing(history, [here.base]):
                await until(lambda: acknowledged(history) > 3)
                power.clear()
                await one_more(history)
            assert "and the store has it not" in await found(url, history, tmp_path)

    run(play())


def test_a_store_that_takes_what_came_second_for_kept_is_found_out(
    postgres: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = PostgresStore._commit
    overwritten = 0

    async def all_kept(self: PostgresStore, batch: list[Any]) -> Any:
        nonlocal overwritten
        await asyncio.sleep(0.01)  # so that two come at the same time
        kept = await commit(self, batch)
        overwritten += len(batch) - len(kept)
        return [(job.table, job.n) for job in batch]

    monkeypatch.setattr(PostgresStore, "_commit", all_kept)

    async def play() -> None:
        history, url = History(), postgres.new_database()
        async with house(url) as first, house(url) as second, playing(history, [first.base, second.base]):
            await until(lambda: overwritten)
            await one_more(history)
        told = await found(url, history, tmp_path)
        assert "and the store has it not" in told

    run(play())


def test_a_table_that_shows_race_cards_to_everybody_is_found_out(
    postgres: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "_hides", lambda kind: False)

    async def play() -> None:
        history, url = History(), postgres.new_database()
        async with house(url) as here, playing(history, [here.base]):
            await until(lambda: any(BET in one.text for line in history.lines for one in line.told))
            await one_more(history)
        told = await found(url, history, tmp_path)
        assert "what it may not see: it." in told
        assert ".camel is" in told

    run(play())


def test_a_server_that_lets_bots_play_at_a_table_it_does_not_hold_is_found_out(
    postgres: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim, append = PostgresPeers.claim, PostgresStore.append
    usurper = ""

    async def claim_or_usurp(self: PostgresPeers, table: str) -> Lease | None:
        if not usurper:
            return await claim(self, table)
        return Lease(1, 1) if usurper in self._store.url else None

    def append_anyway(self: PostgresStore, *entry: Any, **_: Any) -> asyncio.Future[None]:
        return append(self, *(one for one in entry if not isinstance(one, Lease)))

    monkeypatch.setattr(PostgresPeers, "claim", claim_or_usurp)
    monkeypatch.setattr(PostgresPeers, "holds", lambda *_: True)
    monkeypatch.setattr(PostgresStore, "append", append_anyway)

    async def play() -> None:
        nonlocal usurper
        history, url = History(), postgres.new_database()
        await audit.introduce(url, 2)
        async with (
            Proxy(tmp_path / "way", postgres.folder).open() as way,
            house(way.address(url, audit.name_of(0))) as first,
        ):
            await audit.watch(url)
            async with (
                house(way.address(url, audit.name_of(1))) as second,
                playing(history, [first.base, second.base], seats=6),
            ):
                while not history.holders:
                    await one_more(history)
                    await audit.tell(url, history)
                (held,) = history.holders.values()
                usurper = audit.name_of(0) if held[-1] == audit.name_of(1) else audit.name_of(1)
                while usurper not in await _wrote_for_bots(url, history):
                    await one_more(history)
        assert "from whom others had taken the table" in await found(url, history, tmp_path)

    run(play())


async def _wrote_for_bots(url: str, history: History) -> set[str]:
    """The servers that have."""
    await audit.tell(url, history)
    return {
        history.writers[table].get(n, "")
        for table, entries in entries_of(await stored(url, history)).items()
        for n, entry in entries
        if isinstance(entry, Acted) and not entry.visitor
    }
