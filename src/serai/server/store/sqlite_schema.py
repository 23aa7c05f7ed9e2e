"""The SQLite schema, and the steps that carry a file of an older format over."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from serai.server.store.base import FORMAT, StoreError, newer_format

APPLICATION_ID = 0x53455241
"""Marks a file as Serai's (SQLite's ``application_id``): "SERA"."""

_PEOPLE = """
create table bans (
    subject text primary key,
    kind text not null,
    until real not null,
    why text not null
) without rowid;
create table reports (
    id integer primary key,
    at real not null,
    tableid text not null,
    seat integer not null,
    name text not null,
    visitor text not null,
    address text not null,
    reporter text not null,
    text text not null
);
create table erasures (
    visitor text primary key,
    devices text not null,
    at real not null
) without rowid;
"""
"""New in format 2: what the host forbids, what players report, and who is to be forgotten."""

SCHEMA = f"""
create table entries (
    tableid text not null,
    n integer not null,
    entry blob not null,
    link blob not null,
    primary key (tableid, n)
) without rowid;
create table listings (
    id text primary key,
    phase text not null,
    public integer not null,
    born integer not null,
    at text not null,
    bots integer not null,
    last integer not null
);
create index listings_by_phase on listings (phase, public, born);
create index listings_of_bots on listings (phase, bots);
create table sitters (
    visitor text not null,
    tableid text not null,
    primary key (visitor, tableid)
) without rowid;
create table devices (
    device text primary key,
    visitor text not null,
    at real not null
) without rowid;
create index devices_by_visitor on devices (visitor);
create table handovers (
    visitor text primary key,
    code text not null unique,
    until real not null,
    claimed text not null
) without rowid;
create table codes (
    code text primary key,
    tableid text not null unique,
    until real not null
) without rowid;
create table reviews (
    tableid text primary key,
    evaluator text not null,
    review blob not null
);
{_PEOPLE}
"""
"""A new file, in the current format."""


def _to_format_2(db: sqlite3.Connection) -> None:
    # one by one: a script would end the transaction
    for statement in _PEOPLE.strip().removesuffix(";").split(";"):
        db.execute(statement)


MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {2: _to_format_2}
"""Steps by number: each brings a file of the format before to that of its number, within one transaction. A new format
adds a step and changes ``SCHEMA``; steps are never changed or removed.
"""


def prepare(db: sqlite3.Connection) -> None:
    """Make the tables in an empty file, or carry them over from an older format; ``StoreError`` if the file has a newer
    format or is not Serai's.
    """
    stored = format_of(db)
    if stored == 0:
        if db.execute("select count(*) from sqlite_schema").fetchone() != (0,):
            raise StoreError(
                "the file is a database of something else, or of Serai before 0.1.0; name another file with --database"
            )
        mark = f"pragma application_id = {APPLICATION_ID}; pragma user_version = {FORMAT}"
        db.executescript(f"begin immediate; {SCHEMA}; {mark}; commit")
        return
    if stored > FORMAT:
        raise newer_format(stored)
    for number in range(stored + 1, FORMAT + 1):
        # one transaction: a crash leaves the format before
        db.execute("begin immediate")
        MIGRATIONS[number](db)
        db.execute(f"pragma user_version = {number}")
        db.execute("commit")


def format_of(db: sqlite3.Connection) -> int:
    """The format of the file; 0 if it is not Serai's."""
    (application,) = db.execute("pragma application_id").fetchone()
    (number,) = db.execute("pragma user_version").fetchone()
    return int(number) if application == APPLICATION_ID else 0
