"""Reviews in PostgreSQL."""

from __future__ import annotations

from serai.server.store.postgres_changing import PostgresChanging

_KEEP = """
insert into reviews (tableid, evaluator, review) select id, $2::text, $3::bytea from listings where id = $1
on conflict (tableid) do update set evaluator = excluded.evaluator, review = excluded.review
"""


class PostgresReviews(PostgresChanging):
    """What is kept of them in the database."""

    LOCK = 7318005

    async def kept(self, table: str, evaluator: str) -> bytes | None:
        rows = await self._read("select review from reviews where tableid = $1 and evaluator = $2", table, evaluator)
        return bytes(rows[0][0]) if rows else None

    async def keep(self, table: str, evaluator: str, review: bytes) -> None:
        async with self._changing() as db:
            await db.execute(_KEEP, table, evaluator, review)
