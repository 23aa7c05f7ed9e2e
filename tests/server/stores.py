"""Stores of either kind."""

from __future__ import annotations

from pathlib import Path

from serai.server.postgres import PostgresStore
from serai.server.sqlite import SqliteStore
from serai.server.store import Store, is_postgres


async def opened(database: str) -> Store:
    """The store of that name."""
    store: Store = PostgresStore(database) if is_postgres(database) else SqliteStore(Path(database))
    await store.open()
    return store
