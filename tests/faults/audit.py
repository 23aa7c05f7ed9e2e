"""Keeps, in the database itself, which server wrote each entry and which held each table: clients cannot know that."""

from __future__ import annotations

import asyncpg

from tests.faults.history import History

_WATCH = """
create table audit_entries (tableid text, n integer, writer text);
create table audit_leases (id bigserial, tableid text, holder text);
create function audit_entry() returns trigger language plpgsql as $$
begin insert into audit_entries values (new.tableid, new.n, session_user); return null; end $$;
create function audit_lease() returns trigger language plpgsql as $$
begin insert into audit_leases (tableid, holder) values (new.tableid, session_user); return null; end $$;
create trigger audit after insert on entries for each row execute function audit_entry();
create trigger audit after insert on leases for each row execute function audit_lease();
"""


def name_of(server: int) -> str:
    """As whom a server comes to the database."""
    return f"server{server}"


async def introduce(url: str, servers: int) -> None:
    """Let the database know the servers, by names of their own."""
    db = await asyncpg.connect(url)
    try:
        for name in map(name_of, range(servers)):
            if not await db.fetchval("select true from pg_roles where rolname = $1", name):
                await db.execute(f"create role {name} superuser login")
    finally:
        await db.close()


async def watch(url: str) -> None:
    """Keep watch from now on: the tables are there, and nobody plays yet."""
    db = await asyncpg.connect(url)
    try:
        await db.execute(_WATCH)
    finally:
        await db.close()


async def tell(url: str, history: History) -> None:
    """Write down what was seen so far."""
    history.writers, history.holders = {}, {}
    db = await asyncpg.connect(url)
    try:
        for table, n, writer in await db.fetch("select tableid, n, writer from audit_entries"):
            history.writers.setdefault(table, {})[n] = writer
        for table, holder in await db.fetch("select tableid, holder from audit_leases order by id"):
            history.holders.setdefault(table, []).append(holder)
    finally:
        await db.close()
