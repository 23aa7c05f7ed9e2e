"""How parts of the embedded store ask the database, one thing at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

_T = TypeVar("_T")


class SqliteAsking:
    """Asks through the store's own reader."""

    def __init__(self, ask: Callable[[Callable[[sqlite3.Connection], Any]], Awaitable[Any]]) -> None:
        self._ask = ask

    async def _asked(self, look: Callable[[sqlite3.Connection], _T]) -> _T:
        answer: _T = await self._ask(look)
        return answer

    async def _changed(self, change: Callable[[sqlite3.Connection], _T]) -> _T:
        """What came of a change that is made as a whole, durably, or not at all."""

        def whole(db: sqlite3.Connection) -> _T:
            with db:
                db.execute("begin immediate")
                return change(db)

        return await self._asked(whole)
