"""Looking after a database as a whole: moving it elsewhere, keeping a copy, dropping what is old."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import AsyncIterator, Container
from pathlib import Path

import msgspec

from serai.server.store.base import FORMAT, LIVELY, Kept, Store, StoreError, is_postgres
from serai.server.store.filelock import one_file
from serai.server.store.soundness import expect_sound
from serai.server.store.sqlite import SqliteStore, whole
from serai.server.store.sqlite_schema import format_of
from serai.table.errors import Damaged


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
    damaged: list[Damaged] = []
    """Tables that are not what was kept: they stay where they are."""
    differing: list[str] = []
    """Tables that are others there: nothing of them was changed."""

    @property
    def left_out(self) -> set[str]:
        """The tables of which nothing was copied, though something may be missing."""
        return {damaged.values["table"] for damaged in self.damaged} | set(self.differing)


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
    """Copy what the target lacks and is whole here, and overwrite nothing; a second time there is nothing to do."""
    copied = Copied()
    for listed in await source.listed():
        whole = await source.whole(listed.id)
        try:
            expect_sound(listed.id, whole)
        except Damaged as damaged:
            copied.damaged.append(damaged)
            continue
        ours, theirs = whole.entries, await target.entries(listed.id)
        common = min(len(ours), len(theirs))
        missing = ours[common:]
        if ours[:common] != theirs[:common]:
            copied.differing.append(listed.id)
        elif missing:
            kept = [
                target.append(listed.id, stored, listed.listing if stored is ours[-1] else None) for stored in missing
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


async def compare(source: Kept, target: Store, left_out: Container[str] = ()) -> int:
    """How many tables of the source, but for those left out, are in the target, entry by entry; ``Differs`` if one is
    not.
    """
    there = {listed.id: listed.listing for listed in await target.listed()}
    count = 0
    for listed in await source.listed():
        if listed.id in left_out:
            continue
        ours, theirs = await source.entries(listed.id), await target.entries(listed.id)
        if theirs[: len(ours)] != ours:
            raise Differs(f"table {listed.id} is not the same there")
        if len(theirs) == len(ours) and there.get(listed.id) != listed.listing:
            raise Differs(f"table {listed.id} is listed differently there")
        count += 1
    return count


class BackedUp(msgspec.Struct):
    """What a backup holds."""

    tables: int
    damaged: list[Damaged]
    """Tables that are not what was kept: as they are in the copy of a file, left out of a copy from PostgreSQL."""


async def back_up(database: str, file: Path) -> BackedUp:
    """A copy of all tables, as a file that a server can be started on. Servers may go on meanwhile."""
    draft = file.with_name(file.name + ".part")
    with contextlib.suppress(FileNotFoundError):
        draft.unlink()
    left_out: list[Damaged] = []
    try:
        if is_postgres(database):
            async with opened(database, "a backup") as store, store.frozen() as source:
                left_out = await _copy_out(source, draft)
        else:
            path = one_file(Path(database))
            if not path.is_file():
                raise StoreError(f"there is no file {database}; name the one with your tables with --database")
            if file.exists() and file.samefile(path):
                raise StoreError(f"{file} is the database itself; name another file for the copy")
            await asyncio.to_thread(_copy_file, path, draft)
        made = await asyncio.to_thread(_looked_through, draft)
        draft.replace(file)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"cannot write {file}: {error}") from None
    finally:
        for name in (draft, draft.with_name(draft.name + ".lock")):
            name.unlink(missing_ok=True)
    made.damaged += left_out
    return made


async def old_tables(store: Store, before: str, *, unfinished: bool) -> list[str]:
    """Tables that came to their end before that day; with ``unfinished`` also those that never came to one."""
    return [
        listed.id
        for listed in await store.listed()
        if listed.listing.at < before and (unfinished or listed.listing.phase not in LIVELY)
    ]


async def _copy_out(source: Kept, file: Path) -> list[Damaged]:
    target = SqliteStore(file, "a backup")
    try:
        return (await copy(source, target)).damaged
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


def _looked_through(file: Path) -> BackedUp:
    """How many tables are in a copy, and which of them are damaged."""
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as db:
        if db.execute("pragma integrity_check").fetchone() != ("ok",):
            raise StoreError(f"the copy {file} is damaged; try again, or on another disk")
        made = BackedUp(0, [])
        linked = format_of(db) == FORMAT
        for (table,) in db.execute("select id from listings"):
            made.tables += 1
            try:
                if linked:
                    expect_sound(table, whole(db, table))
            except Damaged as damaged:
                made.damaged.append(damaged)
        return made
