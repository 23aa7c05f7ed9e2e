"""Stores of either kind."""

from __future__ import annotations

from serai.server.store import Store
from serai.server.upkeep import store_of


async def opened(database: str) -> Store:
    """The store of that name."""
    store = store_of(database)
    await store.open()
    return store
