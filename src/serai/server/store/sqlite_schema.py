"""The embedded store's schema, and the format in which a file is kept."""

from __future__ import annotations

import sqlite3

from serai.server.store.base import FORMAT, StoreError, newer
from serai.table.carry_over import CarryOver

MIGRATIONS: dict[int, str] = {
    1: """
    create table entries (
        tableid text not null,
        n integer not null,
        entry blob not null,
        primary key (tableid, n)
    ) without rowid;
    create table listings (
        id text primary key,
        phase text not null,
        public integer not null,
        born integer not null
    );
    create index listings_by_phase on listings (phase, public, born);
    """,
    2: """
    create table sitters (
        visitor text not null,
        tableid text not null,
        primary key (visitor, tableid)
    ) without rowid;
    """,
    3: """
    alter table listings add column at text not null default '';
    update listings set at = date('now');
    """,
    4: """
    alter table listings add column bots integer not null default 1;
    create index listings_of_bots on listings (phase, bots);
    """,
    5: "",  # from here on the number is that of every kind of store
    6: """
    alter table entries add column link blob not null default x'';
    alter table listings add column last integer not null default -1;
    update listings set last = coalesce((select max(n) from entries where tableid = id), -1);
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
    """,
    7: """
    create table codes (
        code text primary key,
        tableid text not null unique,
        until real not null
    ) without rowid;
    """,
    8: """
    create table reviews (
        tableid text primary key,
        evaluator text not null,
        review blob not null
    );
    """,
}
"""What brings a file from the format before to that of the number. Steps are only ever added."""

_LINKED = 6
"""The format from which on each entry has a link."""
_CARRIED_AT_ONCE = 1000
"""Entries: as many as are in memory while a file is carried over."""


def migrate(db: sqlite3.Connection) -> None:
    """Make the tables, or carry them over from an older format; ``StoreError`` if that must not be."""
    kept = format_of(db)
    if kept > FORMAT:
        raise StoreError(newer(kept))
    for number, step in MIGRATIONS.items():
        if number > kept:
            # one transaction: a crash in between leaves the old format
            db.executescript(f"begin immediate; {step}")
            if number == _LINKED:
                _link(db)
            db.execute(f"pragma user_version = {number}")
            db.execute("commit")


def format_of(db: sqlite3.Connection) -> int:
    """The format of the file."""
    kept: int = db.execute("pragma user_version").fetchone()[0]
    return kept


def _link(db: sqlite3.Connection) -> None:
    """Bring all entries to the format in which they are linked, a few at a time."""
    carrying, after = CarryOver(), ("", -1)
    query = """
        select tableid, n, cast(entry as blob) from entries where (tableid, n) > (?, ?)
        order by tableid, n limit ?
    """
    while rows := db.execute(query, (*after, _CARRIED_AT_ONCE)).fetchall():
        carried = [(row[0], carrying.carried_over(*row)) for row in rows]
        db.executemany(
            "update entries set entry = ?, link = ? where tableid = ? and n = ?",
            [(stored.entry, stored.link, table, stored.n) for table, stored in carried],
        )
        after = rows[-1][:2]
