"""What only the store in PostgreSQL can meet with."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from serai.server.postgres import PostgresStore
from serai.server.store import StoreError
from tests.postgres import Cluster
from tests.server.support import PATIENCE, run

SOCKET = ".s.PGSQL.5432"
FIVE_COLUMNS = b"D\0\0\0\6\0\5"
"""A row as no query of the store has one."""


class Line:
    """The way between a store and its database, which can be spoilt."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._carrying: set[asyncio.Task[None] | None] = set()
        self.spoilt = False

    @contextlib.asynccontextmanager
    async def open(self, folder: Path) -> AsyncIterator[None]:
        """Let connections to this folder reach the database, until the last of them ends."""
        async with await asyncio.start_unix_server(self._carry, folder / SOCKET):
            yield
            while self._carrying:
                await asyncio.sleep(0.01)

    async def _carry(self, asked: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        self._carrying.add(asyncio.current_task())
        told, ask = await asyncio.open_unix_connection(self._folder / SOCKET)
        await asyncio.gather(self._pump(asked, ask), self._pump(told, answer, spoil=True))
        self._carrying.discard(asyncio.current_task())

    async def _pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, spoil: bool = False) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(1 << 16):
                target.write(FIVE_COLUMNS + data if spoil and self.spoilt else data)
                await target.drain()
        target.close()
        with contextlib.suppress(OSError):
            await target.wait_closed()


def test_what_cannot_be_understood_is_a_fault_like_any_other(postgres: Cluster, tmp_path: Path) -> None:
    async def work() -> None:
        line = Line(postgres.folder)
        address = postgres.new_database().replace(str(postgres.folder), str(tmp_path))
        async with line.open(tmp_path):
            store = PostgresStore(address)
            await store.open()
            await store.append("t", 0, b"before")
            line.spoilt = True
            async with asyncio.timeout(PATIENCE):
                with pytest.raises(StoreError):
                    await store.append("t", 1, b"doubtful")
                with pytest.raises(StoreError):
                    await store.entries("t")
                line.spoilt = False
                kept = await store.entries("t")
                await store.append("t", len(kept), b"after")
            assert (await store.entries("t"))[-1] == b"after"
            await store.close()

    run(work())
