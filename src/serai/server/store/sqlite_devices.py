"""Devices and codes in the embedded store."""

from __future__ import annotations

import sqlite3

from serai.server.store.devices import DeviceRow, Moved
from serai.server.store.sqlite_asking import SqliteAsking

_KEEP = """
insert into devices (device, visitor, at) values (?, ?, ?)
on conflict (device) do update set visitor = excluded.visitor, at = excluded.at where excluded.at >= devices.at
"""


class SqliteDevices(SqliteAsking):
    """What is kept of them in the file."""

    async def visitors(self, devices: list[str]) -> dict[str, str]:
        def look(db: sqlite3.Connection) -> dict[str, str]:
            return {device: kept for device in devices if (kept := _kept(db, device)) is not None}

        return await self._asked(look)

    async def offer(self, device: str, code: str, until: float, now: float) -> bool:
        def put(db: sqlite3.Connection) -> bool:
            db.execute("delete from handovers where until <= ?", (now,))
            visitor = _visitor(db, device)
            if visitor:
                db.execute("insert or replace into handovers values (?, ?, ?, '')", (visitor, code, until))
            return bool(visitor)

        return await self._changed(put)

    async def withdraw(self, device: str, now: float) -> None:
        def drop(db: sqlite3.Connection) -> None:
            db.execute("delete from handovers where visitor = ? or until <= ?", (_visitor(db, device), now))

        await self._changed(drop)

    async def offered(self, code: str, now: float) -> str:
        query = "select visitor from handovers where code = ? and until > ? and claimed = ''"

        def look(db: sqlite3.Connection) -> str:
            found = db.execute(query, (code, now)).fetchone()
            return "" if found is None else str(found[0])

        return await self._asked(look)

    async def move(self, code: str, device: str, now: float) -> Moved | None:
        def change(db: sqlite3.Connection) -> Moved | None:
            query = "select visitor, claimed from handovers where code = ? and until > ?"
            found = db.execute(query, (code, now)).fetchone()
            if found is None or found[1] not in ("", device):
                return None
            visitor, before = found[0], _visitor(db, device)
            if before == visitor:
                return Moved(visitor, ())
            if found[1]:
                return None  # it was here, and has moved on since
            left = [row[0] for row in db.execute("select device from devices where visitor = ?", (visitor,))]
            if _kept(db, visitor) is None:
                left.append(visitor)
            db.executemany(_KEEP, [*((one, "", now) for one in left), (device, visitor, now)])
            db.execute("update handovers set claimed = ? where code = ?", (device, code))
            db.execute("delete from handovers where visitor = ?", (before,))
            return Moved(visitor, (*left, device))

        return await self._changed(change)

    async def keep(self, rows: list[DeviceRow]) -> None:
        await self._changed(lambda db: db.executemany(_KEEP, [(row.device, row.visitor, row.at) for row in rows]))


def _kept(db: sqlite3.Connection, device: str) -> str | None:
    found = db.execute("select visitor from devices where device = ?", (device,)).fetchone()
    return None if found is None else str(found[0])


def _visitor(db: sqlite3.Connection, device: str) -> str:
    """Whom this device stands for."""
    kept = _kept(db, device)
    return device if kept is None else kept
