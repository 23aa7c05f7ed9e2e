"""Devices and codes in PostgreSQL: the other processes hear of every move."""

from __future__ import annotations

from typing import Any

import asyncpg

from serai.server.store.devices import DeviceRow, Moved
from serai.server.store.postgres_changing import PostgresChanging

DEVICES = "serai_devices"
"""The channel on which devices that stand for somebody else, or for nobody, are announced."""

_VISITOR = "select coalesce((select visitor from devices where device = $1), $1)"
_KEEP = """
insert into devices (device, visitor, at) select * from unnest($1::text[], $2::text[], $3::double precision[])
on conflict (device) do update set visitor = excluded.visitor, at = excluded.at where excluded.at >= devices.at
"""


class PostgresDevices(PostgresChanging):
    """What is kept of them in the database."""

    LOCK = 7318003

    async def visitors(self, devices: list[str]) -> dict[str, str]:
        rows = await self._read("select device, visitor from devices where device = any($1)", devices)
        return {row[0]: row[1] for row in rows}

    async def offer(self, device: str, code: str, until: float, now: float) -> bool:
        async with self._changing() as db:
            await db.execute("delete from handovers where until <= $1", now)
            visitor: str = await db.fetchval(_VISITOR, device)
            if visitor:
                await db.execute("delete from handovers where visitor = $1", visitor)
                await db.execute("insert into handovers values ($1, $2, $3, '')", visitor, code, until)
        return bool(visitor)

    async def withdraw(self, device: str, now: float) -> None:
        async with self._changing() as db:
            visitor = await db.fetchval(_VISITOR, device)
            await db.execute("delete from handovers where visitor = $1 or until <= $2", visitor, now)

    async def offered(self, code: str, now: float) -> str:
        query = "select visitor from handovers where code = $1 and until > $2 and claimed = ''"
        rows = await self._read(query, code, now)
        return str(rows[0][0]) if rows else ""

    async def move(self, code: str, device: str, now: float) -> Moved | None:
        async with self._changing() as db:
            query = "select visitor, claimed from handovers where code = $1 and until > $2"
            found = await db.fetchrow(query, code, now)
            if found is None or found[1] not in ("", device):
                return None
            visitor, before = found[0], await db.fetchval(_VISITOR, device)
            if before == visitor:
                return Moved(visitor, ())
            if found[1]:
                return None  # it was here, and has moved on since
            query = "select device from devices where visitor = $1"
            left = [row[0] for row in await db.fetch(query, visitor)]
            if await db.fetchval("select not exists (select from devices where device = $1)", visitor):
                left.append(visitor)
            moved = Moved(visitor, (*left, device))
            rows = [*(DeviceRow(one, "", now) for one in left), DeviceRow(device, visitor, now)]
            await _keep(db, rows)
            await db.execute("update handovers set claimed = $1 where code = $2", device, code)
            await db.execute("delete from handovers where visitor = $1", before)
            await db.execute(
                "select pg_notify($1, device) from unnest($2::text[]) as device", DEVICES, list(moved.devices)
            )
        return moved

    async def keep(self, rows: list[DeviceRow]) -> None:
        async with self._changing() as db:
            await _keep(db, rows)


async def _keep(db: asyncpg.Connection[Any], rows: list[DeviceRow]) -> None:
    await db.execute(_KEEP, [row.device for row in rows], [row.visitor for row in rows], [row.at for row in rows])
