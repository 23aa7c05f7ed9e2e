"""Reviews in the embedded store."""

from __future__ import annotations

import sqlite3

from serai.server.store.sqlite_asking import SqliteAsking

_KEEP = """
insert or replace into reviews (tableid, evaluator, review)
select id, ?2, ?3 from listings where id = ?1
"""


class SqliteReviews(SqliteAsking):
    """What is kept of them in the file."""

    async def kept(self, table: str, evaluator: str) -> bytes | None:
        query = "select review from reviews where tableid = ? and evaluator = ?"

        def look(db: sqlite3.Connection) -> bytes | None:
            found = db.execute(query, (table, evaluator)).fetchone()
            return None if found is None else bytes(found[0])

        return await self._asked(look)

    async def keep(self, table: str, evaluator: str, review: bytes) -> None:
        await self._changed(lambda db: db.execute(_KEEP, (table, evaluator, review)))
