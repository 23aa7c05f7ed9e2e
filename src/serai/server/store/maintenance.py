"""Looking after a database as a whole: moving it elsewhere, keeping a copy, dropping what is old."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from serai.server.store.base import LIVELY, Kept, Store, StoreError, is_postgres
from serai.server.store.sqlite import SqliteStore


class Differs(Exception):
    """Two databases hold different things under the same name; the message says which."""


class Copied(msgspec.Struct):
    """What a copying did."""

    tables: int = 0
    """Tables that are there now, and were not (or not wholly) before."""
    entries: int = 0
    same: int = 0
    """Tables that were there already."""
    ahead: int = 0
    """Tables that have been played on there since they were copied."""


def store_of(database: str, holder: str = "") -> Store:
    """The store of that name: a file, or PostgreSQL; still to be opened."""
    if not is_postgres(database):
        return SqliteStore(Path(database), holder)
    from serai.server.store.postgres import PostgresStore

    return PostgresStore(database)


@contextlib.asynccontextmanager
async def opened(database: str, holder: str) -> AsyncIterator[Store]:
    """A store in use for as long as the block; a file that is not there is not made."""
    if not is_postgres(database) and not Path(database).is_file():
        raise StoreError(f"there is no file {database}; name the one with your tables with --database")
    store = store_of(database, holder)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def copy(source: Kept, target: Store) -> Copied:
    """Copy what the target lacks; a second time there is nothing to do. ``Differs`` before anything is overwritten."""
    copied = Copied()
    for listed in await source.listed():
        ours, theirs = await source.entries(listed.id), await target.entries(listed.id)
        common = min(len(ours), len(theirs))
        if ours[:common] != theirs[:common]:
            raise Differs(f"table {listed.id} is another one there; nothing of it was changed")
        missing = ours[common:]
        if missing:
            last = len(ours) - 1
            kept = [
                target.append(listed.id, n, entry, listed.listing if n == last else None)
                for n, entry in enumerate(missing, start=common)
            ]
            await asyncio.gather(*kept)
            copied.tables += 1
            copied.entries += len(missing)
        elif len(theirs) > len(ours):
            copied.ahead += 1
        else:
            copied.same += 1
    await target.devices.keep(await source.device_rows())
    return copied


async def compare(source: Kept, target: Store) -> int:
    """How many tables of the source are in the target, entry by entry; ``Differs`` if one is not."""
    there = {listed.id: listed.listing for listed in await target.listed()}
    tables = await source.listed()
    for listed in tables:
        ours, theirs = await source.entries(listed.id), await target.entries(listed.id)
        if theirs[: len(ours)] != ours:
            raise Differs(f"table {listed.id} is not the same there")
        if len(theirs) == len(ours) and there.get(listed.id) != listed.listing:
            raise Differs(f"table {listed.id} is listed differently there")
    return len(tables)


async def back_up(database: str, file: Path) -> int:
    """A copy of all tables, as a file that a server can be started on; how many. Servers may go on meanwhile."""
    draft = file.with_name(file.name + ".part")
    with contextlib.suppress(FileNotFoundError):
        draft.unlink()
    try:
        if is_postgres(database):
            async with opened(database, "a backup") as store, store.frozen() as source:
                await _copy_out(source, draft)
        else:
            if not Path(database).is_file():
                raise StoreError(f"there is no file {database}; name the one with your tables with --database")
            await asyncio.to_thread(_copy_file, Path(database), draft)
        count = await asyncio.to_thread(_count, draft)
        draft.replace(file)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"cannot write {file}: {error}") from None
    finally:
        for name in (draft, draft.with_name(draft.name + ".lock")):
            name.unlink(missing_ok=True)
    return count


async def old_tables(store: Store, before: str, *, unfinished: bool) -> list[str]:
    """Tables that came to their end before that day; with ``unfinished`` also those that never came to one."""
    return [
        listed.id
        for listed in await store.listed()
        if listed.listing.at < before and (unfinished or listed.listing.phase not in LIVELY)
    ]


async def _copy_out(source: Kept, file: Path) -> None:
    target = SqliteStore(file, "a backup")
    try:
        await copy(source, target)
    finally:
        await target.close()


def _copy_file(source: Path, file: Path) -> None:
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with (
        contextlib.closing(sqlite3.connect(source, timeout=30)) as here,
        contextlib.closing(sqlite3.connect(file)) as there,
    ):
        # all at once, for which no writer has to wait: in steps, it would begin anew whenever one writes in between
        here.backup(there)


def _count(file: Path) -> int:
    with contextlib.closing(sqlite3.connect(file)) as db:
        if db.execute("pragma integrity_check").fetchone() != ("ok",):
            raise StoreError(f"the copy {file} is damaged; try again, or on another disk")
        count: int = db.execute("select count(*) from listings").fetchone()[0]
        return count
