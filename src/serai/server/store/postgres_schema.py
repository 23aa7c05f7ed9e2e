"""The PostgreSQL schema, and the steps that carry a database of an older format over."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg

from serai.server.store.base import FORMAT, StoreError, expect_format, newer_format

SCHEMA = """
create table entries (
    tableid text not null,
    n integer not null,
    entry bytea not null,
    link bytea not null,
    primary key (tableid, n)
);
create table listings (
    id text primary key,
    phase text not null,
    public boolean not null,
    born bigint generated always as identity,
    at text not null,
    bots boolean not null,
    last integer not null
);
create index listings_by_phase on listings (phase, public, born);
create index listings_of_bots on listings (phase, bots);
create table sitters (
    visitor text not null,
    tableid text not null references listings (id) on delete cascade,
    primary key (visitor, tableid)
);
create index sitters_by_table on sitters (tableid);
create table devices (
    device text primary key,
    visitor text not null,
    at double precision not null
);
create index devices_by_visitor on devices (visitor);
create table handovers (
    visitor text primary key,
    code text not null unique,
    until double precision not null,
    claimed text not null
);
create table codes (
    code text primary key,
    tableid text not null unique,
    until double precision not null
);
create table reviews (
    tableid text primary key references listings (id) on delete cascade,
    evaluator text not null,
    review bytea not null
);

-- a process lives until it expires, which it puts off again and again; its leases end with it
create table processes (
    id integer primary key,
    expires timestamptz not null
);
create table leases (
    tableid text primary key,
    process integer not null references processes on delete cascade,
    epoch bigint generated always as identity
);
create index leases_by_process on leases (process);
create unlogged table attendance (
    process integer not null references processes on delete cascade,
    tableid text not null,
    visitors text[] not null,
    watching integer not null,
    host text not null,
    primary key (tableid, process)
);

-- a server that was still running when the tables were carried over cannot append any more
create function serai_expect_format() returns trigger language plpgsql as $$
declare
    stored text := (select 'format ' || max(version) from serai_schema);
    written text := coalesce('format ' || nullif(current_setting('serai.format', true), ''), 'none');
begin
    if written <> stored then
        raise 'the tables are stored in %, and this server writes %: stop it and start a newer one', stored, written;
    end if;
    return null;
end $$;
create trigger expect_format before insert on entries for each statement execute function serai_expect_format();

-- by the listings' key, however many there are: "last" is counted with every append
create function serai_count_entries() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
    update listings set last = counted.n
    from (select tableid, max(n) as n from added group by tableid) as counted
    where id = counted.tableid and last < counted.n;
    return null;
end $$;
create trigger count_entries after insert on entries referencing new table as added
for each statement execute function serai_count_entries();
"""
"""A new database, in the current format."""

MIGRATIONS: dict[int, Callable[[asyncpg.Connection[Any]], Awaitable[None]]] = {}
"""Steps by number: each brings a database of the format before to that of its number, within one transaction. A new
format adds a step and changes ``SCHEMA``; steps are never changed or removed. There is none yet. (A step that goes
through all entries takes long: its statements need a ``timeout`` of their own.)
"""

FORMAT_OF = "select coalesce(max(version), 0) from serai_schema"
"""Reads the format of the database."""
ALIVE = 7318002
"""The first half of the advisory locks of living servers; the second half is a server's number."""
_PREPARING = 7318001
"""The advisory lock under which one process at a time makes the tables or carries them over."""
_LIVING = """
select count(*) from pg_locks
where locktype = 'advisory' and classid = $1::int::oid and objsubid = 2
  and database = (select oid from pg_database where datname = current_database())
"""


async def prepare(db: asyncpg.Connection[Any]) -> None:
    """Make the tables, or carry them over from an older format, in one transaction; ``StoreError`` if they have a newer
    one, if servers of the older one are running, or if other tables are in the way.
    """
    async with db.transaction():
        await db.execute("select pg_advisory_xact_lock($1)", _PREPARING)
        await db.execute("create table if not exists serai_schema (version integer not null)")
        stored = await db.fetchval(FORMAT_OF)
        if stored > FORMAT:
            raise newer_format(stored)
        if stored == 0:
            try:
                await db.execute(SCHEMA)
            except (asyncpg.DuplicateTableError, asyncpg.DuplicateObjectError) as error:
                raise StoreError(f"the database is used by something else ({error}); name another one") from None
        elif stored < FORMAT:
            await _carry_over(db, stored)
        if stored < FORMAT:
            await db.execute("insert into serai_schema values ($1)", FORMAT)


async def _carry_over(db: asyncpg.Connection[Any], stored: int) -> None:
    if living := await db.fetchval(_LIVING, ALIVE):
        raise StoreError(
            f"the tables are stored in format {stored} and used by {living} running Serai of that format; this one "
            f"carries them over to format {FORMAT}, which those cannot read: stop all of them first"
        )
    await db.execute("lock table entries in share row exclusive mode")  # a pending append waits, and is then refused
    for number in range(stored + 1, FORMAT + 1):
        await MIGRATIONS[number](db)


async def expect_current(db: asyncpg.Connection[Any]) -> None:
    """``StoreError`` if the tables have been carried over to another format.

    The caller holds its ``ALIVE`` lock: either :func:`prepare` sees that lock, or this sees the new format.
    """
    async with db.transaction():
        await db.execute("select pg_advisory_xact_lock_shared($1)", _PREPARING)
        expect_format(await db.fetchval(FORMAT_OF))
