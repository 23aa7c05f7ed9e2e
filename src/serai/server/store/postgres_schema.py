"""The PostgreSQL store's schema, and the format in which a database is kept."""

from __future__ import annotations

from typing import Any

import asyncpg

from serai.server.store.base import FORMAT, StoreError, expect_format, newer
from serai.table.carry_over import CarryOver

MIGRATIONS: dict[int, str] = {
    1: """
    create table entries (
        tableid text not null,
        n integer not null,
        entry bytea not null,
        primary key (tableid, n)
    );
    create table listings (
        id text primary key,
        phase text not null,
        public boolean not null,
        at text not null,
        born bigint generated always as identity
    );
    create index listings_by_phase on listings (phase, public, born);
    create table sitters (
        visitor text not null,
        tableid text not null references listings (id) on delete cascade,
        primary key (visitor, tableid)
    );
    create index sitters_by_table on sitters (tableid);
    create table processes (id integer primary key);
    create unlogged table attendance (
        process integer not null references processes on delete cascade,
        tableid text not null,
        visitors text[] not null,
        watching integer not null,
        primary key (tableid, process)
    );
    """,
    2: """
    alter table listings add column bots boolean not null default true;
    create index listings_of_bots on listings (phase, bots);
    """,
    # whoever was left behind while running cannot append any more, not even code that knows nothing of formats
    5: """
    create function serai_expect_format() returns trigger language plpgsql as $$
    declare
        kept text := (select 'format ' || max(version) from serai_schema);
        written text := coalesce('format ' || nullif(current_setting('serai.format', true), ''), 'an older one');
    begin
        if written <> kept then
            raise 'the tables are kept in %, and this server writes %: stop it and start a newer one', kept, written;
        end if;
        return null;
    end $$;
    create trigger expect_format before insert on entries for each statement execute function serai_expect_format();
    """,
    6: """
    alter table entries add column link bytea not null default '';
    alter table listings add column last integer not null default -1;
    update listings set last = coalesce((select max(n) from entries where tableid = id), -1);
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
    -- a process lives until its time expires, which it puts off again and again; its leases end with it
    delete from processes;
    alter table processes add column expires timestamptz not null;
    create table leases (
        tableid text primary key,
        process integer not null references processes on delete cascade,
        epoch bigint generated always as identity
    );
    create index leases_by_process on leases (process);
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
    alter table attendance add column host text not null default '';
    """,
    7: """
    create table codes (
        code text primary key,
        tableid text not null unique,
        until double precision not null
    );
    """,
    8: """
    create table reviews (
        tableid text primary key references listings (id) on delete cascade,
        evaluator text not null,
        review bytea not null
    );
    """,
}
"""What brings a database from the format before to that of the number. Steps are only ever added; from 5 on the
number is that of every kind of store.
"""

_LINKED = 6
"""The format from which on each entry has a link."""
_CARRIED_AT_ONCE = 1000
"""Entries: as many as are in memory while a database is carried over."""

KEPT_IN = "select coalesce(max(version), 0) from serai_schema"
"""The format of the database."""
ALIVE = 7318002
"""The first half of the locks that say a server lives; the second half is its number."""
_LONG = 3600.0
"""Seconds: a step goes through all that is kept, and may wait for whoever reads it."""
_MIGRATING = 7318001
"""The advisory lock under which one process at a time brings the tables up to date."""
_LIVING = """
select count(*) from pg_locks
where locktype = 'advisory' and classid = $1::int::oid and objsubid = 2
  and database = (select oid from pg_database where datname = current_database())
"""


async def migrate(db: asyncpg.Connection[Any]) -> None:
    """Make the tables, or carry them over from an older format; ``StoreError`` if that must not be."""
    async with db.transaction():
        await db.execute("select pg_advisory_xact_lock($1)", _MIGRATING)
        await db.execute("create table if not exists serai_schema (version integer not null)")
        kept = await db.fetchval(KEPT_IN)
        if kept > FORMAT:
            raise StoreError(newer(kept))
        if kept == FORMAT:
            return
        if living := await db.fetchval(_LIVING, ALIVE):
            raise StoreError(
                f"the tables are kept in format {kept} and used by {living} running Serai of that format; this one "
                f"carries them over to format {FORMAT}, which those cannot read: stop all of them first"
            )
        if kept:
            # who is about to append waits, and is then refused
            await db.execute("lock table entries in share row exclusive mode")
        for number, step in MIGRATIONS.items():
            if number > kept:
                await db.execute(step, timeout=_LONG)
                if number == _LINKED:
                    await _link(db)
                await db.execute("insert into serai_schema values ($1)", number)


async def _link(db: asyncpg.Connection[Any]) -> None:
    """Bring all entries to the format in which they are linked, a few at a time."""
    carrying, after = CarryOver(), ("", -1)
    query = "select tableid, n, entry from entries where (tableid, n) > ($1, $2) order by tableid, n limit $3"
    change = """
        update entries as e set entry = a.entry, link = a.link
        from unnest($1::text[], $2::int[], $3::bytea[], $4::bytea[]) as a (tableid, n, entry, link)
        where e.tableid = a.tableid and e.n = a.n
    """
    while rows := await db.fetch(query, *after, _CARRIED_AT_ONCE):
        carried = [carrying.carried_over(*row) for row in rows]
        await db.execute(
            change,
            [row[0] for row in rows],
            [stored.n for stored in carried],
            [stored.entry for stored in carried],
            [stored.link for stored in carried],
        )
        after = rows[-1][:2]


async def still_fits(db: asyncpg.Connection[Any]) -> None:
    """``StoreError`` if the tables have been carried over to another format. Who asks holds its ``ALIVE`` lock: either
    that is seen by whoever wants to carry them over, or the new format is seen here.
    """
    async with db.transaction():
        await db.execute("select pg_advisory_xact_lock_shared($1)", _MIGRATING)
        expect_format(await db.fetchval(KEPT_IN))
