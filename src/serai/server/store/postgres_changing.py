"""How parts of the store change things in PostgreSQL besides entries."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import asyncpg

from serai.server.store.base import expect_format
from serai.server.store.postgres_schema import KEPT_IN

Read = Callable[..., Awaitable[list[Any]]]
Transaction = Callable[[], AbstractAsyncContextManager[Any]]


class PostgresChanging:
    """Each change is a transaction of its own, one process at a time under the advisory lock ``LOCK``."""

    LOCK: int

    def __init__(self, read: Read, transaction: Transaction) -> None:
        self._read = read
        self._transaction = transaction

    @asynccontextmanager
    async def _changing(self) -> AsyncIterator[asyncpg.Connection[Any]]:
        """A change that is made as a whole, durably, or not at all; what others changed before is seen."""
        async with self._transaction() as db:
            await db.execute("set local synchronous_commit = on")
            await db.execute("select pg_advisory_xact_lock($1)", self.LOCK)
            expect_format(await db.fetchval(KEPT_IN))
            yield db
