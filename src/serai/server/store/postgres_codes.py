"""Tables by code in PostgreSQL."""

from __future__ import annotations

from serai.server.store.codes import Called
from serai.server.store.postgres_changing import PostgresChanging


class PostgresCodes(PostgresChanging):
    """Codes that are over are dropped when the next one is given."""

    LOCK = 7318004

    async def call(self, table: str, code: str, until: float, now: float) -> Called | None:
        async with self._changing() as db:
            await db.execute("delete from codes where until <= $1", now)
            await db.execute("insert into codes values ($1, $2, $3) on conflict do nothing", code, table, until)
            found = await db.fetchrow("select code, until from codes where tableid = $1", table)
        return None if found is None else Called(*found)

    async def called(self, code: str, now: float) -> str:
        rows = await self._read("select tableid from codes where code = $1 and until > $2", code, now)
        return str(rows[0][0]) if rows else ""
