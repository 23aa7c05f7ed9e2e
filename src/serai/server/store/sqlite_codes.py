"""Tables by code in the embedded store."""

from __future__ import annotations

import sqlite3

from serai.server.store.codes import Called
from serai.server.store.sqlite_asking import SqliteAsking


class SqliteCodes(SqliteAsking):
    """Codes that are over are dropped when the next one is given."""

    async def call(self, table: str, code: str, until: float, now: float) -> Called | None:
        def put(db: sqlite3.Connection) -> Called | None:
            db.execute("delete from codes where until <= ?", (now,))
            db.execute("insert or ignore into codes values (?, ?, ?)", (code, table, until))
            found = db.execute("select code, until from codes where tableid = ?", (table,)).fetchone()
            return None if found is None else Called(*found)

        return await self._changed(put)

    async def called(self, code: str, now: float) -> str:
        query = "select tableid from codes where code = ? and until > ?"

        def look(db: sqlite3.Connection) -> str:
            found = db.execute(query, (code, now)).fetchone()
            return "" if found is None else str(found[0])

        return await self._asked(look)
