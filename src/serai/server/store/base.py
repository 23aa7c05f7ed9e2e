"""What a store is: one interface for SQLite and PostgreSQL, and the values that it stores."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import msgspec

from serai.errors import UnknownName
from serai.table.chain import Stored, history
from serai.table.clock import GRACE_SECONDS
from serai.table.entries import phase_after
from serai.table.errors import Damaged
from serai.table.table import Table, load
from serai.wire.bodies import BanInfo, ReportInfo
from serai.wire.frames import Phase

FORMAT = 2
"""The format of all stored data, entries and schema alike; one number for both kinds of store.

It grows when older code could not read what newer code writes. A store carries an older database over when it opens it,
and refuses a newer one. A running server whose database was carried over can no longer write to it.
"""
UNFINISHED: tuple[Phase, ...] = ("lobby", "playing")
"""Phases of a table whose game may still be played."""
CONFLICT = "an entry of that number is there already, or the one before it is not there"
LEASE_LOST = "could not be saved: this process does not look after the table any more"


class StoreError(Exception):
    """The store failed; the message says why. Nothing was changed, as far as can be known."""


class Conflict(StoreError):
    """An entry of that number exists already (another writer was faster), or the one before it does not (the table was
    removed).
    """


class LeaseLost(StoreError):
    """The lease for this entry has ended: another process may look after the table by now."""


class Durable(asyncio.Future[None]):
    """Done once something is durable, or has failed. Nothing cancels it: whoever waits and is cancelled hears of that
    when it is known what became of it. (``asyncio.shield`` takes another future and two callbacks, at every move.)
    """

    def cancel(self, msg: object = None) -> bool:
        return False


class Lease(msgspec.Struct, frozen=True):
    """One process's right to act for a table: to let its bots play and its clocks run out."""

    process: int
    epoch: int
    """Grows with every lease: no two leases are equal."""


class Listing(msgspec.Struct, frozen=True):
    """What the store knows of a table without reading its entries."""

    phase: Phase
    public: bool
    sitters: tuple[str, ...] = ()
    """The visitors who sit there once the game has begun."""
    at: str = ""
    """The day of the last entry, or of the one that ended the game."""
    bots: bool = False
    """Whether a bot plays, or stands in for somebody: such a game goes on even when nobody is connected."""


class Listed(msgspec.Struct, frozen=True):
    """A table with its listing."""

    id: str
    listing: Listing
    last: int
    """The number of the table's last entry, stored apart from the entries: a lost last entry shows."""


class StoredTable(msgspec.Struct, frozen=True):
    """All that is stored of a table, read in one moment."""

    entries: list[Stored]
    phase: Phase | None
    """As it is listed; ``None`` if the table is not listed."""
    last: int
    """The number of the last entry, as it is listed."""


class DeviceRow(msgspec.Struct, frozen=True):
    """Which visitor a device stands for.

    A device is derived from a browser's token. Without a row it stands for the visitor of the same name: most devices
    never get one.
    """

    device: str
    visitor: str
    """Empty: nobody."""
    at: float
    """Since when, by the wall clock."""


class Moved(msgspec.Struct, frozen=True):
    """A visitor has moved to another device."""

    visitor: str
    devices: tuple[str, ...]
    """All devices whose visitor changed; none if the visitor was at that device already."""


class TableCode(msgspec.Struct, frozen=True):
    """A code, short enough to be said aloud, that leads to a table for a while."""

    code: str
    until: float
    """By the wall clock."""


Rewrite = Callable[[list[Stored]], list[Stored]]
"""From all entries of a table to those that are to be stored in another form."""


class Readable(Protocol):
    """Numbered entries by table, with a listing for each table: what can be read."""

    async def entries(self, table: str, after: int = -1) -> list[Stored]:
        """The entries with numbers above ``after``, in order; empty for an unknown table."""

    async def read_table(self, table: str) -> StoredTable:
        """All entries of a table, with its listing."""

    async def listed(self) -> list[Listed]:
        """Every table, the oldest first."""

    async def device_rows(self) -> list[DeviceRow]:
        """All rows about devices."""

    async def erasures(self) -> list[str]:
        """The visitors who are still to be forgotten."""

    async def bans(self, now: float) -> list[BanInfo]:
        """What is forbidden; what is over is not listed."""


class Store(Readable, Protocol):
    """What can be read and written. Times are by the wall clock."""

    async def open(self) -> None:
        """Make ready; ``StoreError`` says what is wrong with the database."""

    def append(self, table: str, stored: Stored, listing: Listing | None = None, lease: Lease | None = None) -> Durable:
        """Store an entry and, if it changed, the table's listing; done once both are durable.

        Every entry but a table's first needs the one before it. With a lease, the entry is stored only while that is
        the table's lease; ``LeaseLost`` otherwise.

        The append starts at once, and nothing stops it.
        """

    async def public(self, tables: list[str], limit: int) -> list[str]:
        """Those of these tables that are public and in the lobby or being played, the newest first."""

    async def newest(self, phase: str, most: int) -> list[Listed]:
        """The newest tables in this phase (empty: in any), without their sitters."""

    async def counts(self) -> dict[str, int]:
        """How many tables there are in each phase."""

    async def bots_playing(self) -> list[str]:
        """All tables with a running game in which bots play, and that no process looks after."""

    async def playing(self, visitor: str) -> list[str]:
        """The tables at which this visitor is in a running game, the newest first."""

    async def finished(self, visitor: str, limit: int) -> list[str]:
        """The tables at which this visitor finished a game, the newest first."""

    async def remove(self, tables: list[str]) -> None:
        """Delete these tables, with their reviews and codes."""

    def frozen(self) -> AbstractAsyncContextManager[Readable]:
        """A snapshot: changes made by others during the block are not seen."""

    async def check(self) -> None:
        """``StoreError`` if nothing can be read or written at the moment."""

    async def close(self) -> None:
        """Finish pending writes and close."""

    # -- devices: which visitor each stands for, and codes by which a visitor moves to another device ------------------

    async def visitors(self, devices: list[str]) -> dict[str, str]:
        """The visitors of those of these devices that have a row."""

    async def offer_handover(self, device: str, code: str, until: float, now: float) -> bool:
        """Let the visitor of this device be claimed by that (hashed) code and no earlier one; whether there is one."""

    async def withdraw_handover(self, device: str, now: float) -> None:
        """Drop the code of this device's visitor."""

    async def handover_visitor(self, code: str, now: float) -> str:
        """The visitor that this (hashed) code would move; empty if it is unknown, used or expired."""

    async def move_visitor(self, code: str, device: str, now: float) -> Moved | None:
        """In one durable step: use up the code, and let this device, and no other, stand for its visitor.

        ``None`` if the code is unknown, used or expired. A repeat by the same device changes nothing.
        """

    async def save_devices(self, rows: list[DeviceRow]) -> None:
        """Take over rows of another store; of two rows about a device the newer one stays."""

    async def drop_devices(self, devices: list[str]) -> None:
        """Delete the rows of these devices."""

    # -- forgetting a visitor ------------------------------------------------------------------------------------------

    async def naming(self, visitor: str, after: str, most: int) -> tuple[list[str], str]:
        """Those of the ``most`` tables after ``after``, by id, in which an entry names this visitor; and the last table
        that was looked at, empty after the last of all.
        """

    async def rewrite(self, table: str, visitor: str, pseudonym: str, rewrite: Rewrite) -> int:
        """Store some entries of a table in another form, in one durable step, and list the visitor as this pseudonym;
        how many entries. The links stay, so appends need not wait.
        """

    async def ask_erasure(self, visitor: str, now: float) -> tuple[str, ...]:
        """Note that this visitor is to be forgotten: from now on their devices, which are returned, stand for nobody.
        Codes and reports of theirs and about them are deleted at once.
        """

    async def end_erasure(self, visitor: str) -> None:
        """Nothing names this visitor any more: forget the devices, too."""

    # -- what the host forbids, and what players report ----------------------------------------------------------------

    async def set_ban(self, ban: BanInfo, now: float) -> None:
        """Forbid something, in place of what was forbidden to the same one; drop what is over."""

    async def lift_ban(self, subject: str) -> bool:
        """Forbid this one nothing any more; whether there was anything."""

    async def add_report(self, report: ReportInfo, most: int) -> bool:
        """Store a report; false if there are ``most`` already."""

    async def reports(self) -> list[ReportInfo]:
        """All reports, the oldest first."""

    async def drop_reports(self, ids: list[int], before: float = 0.0) -> int:
        """Delete these reports, and those from before that time; how many there were."""

    # -- codes said aloud, and reviews ---------------------------------------------------------------------------------

    async def give_code(self, table: str, code: str, until: float, now: float) -> TableCode | None:
        """The table's code: the one that it has already, else this one; ``None`` if that is another table's."""

    async def table_of_code(self, code: str, now: float) -> str:
        """The table of a code; empty if it is unknown or expired."""

    async def review(self, table: str, evaluator: str) -> bytes | None:
        """The stored review of that table by that evaluator."""

    async def save_review(self, table: str, evaluator: str, review: bytes) -> None:
        """Store a review in place of that by any other evaluator; nothing is stored for a removed table."""


def is_postgres(database: str) -> bool:
    """Whether this names a PostgreSQL database rather than a file."""
    return database.startswith(("postgresql://", "postgres://"))


def newer_format(number: int) -> StoreError:
    """The refusal of a database of a newer format."""
    return StoreError(
        f"the tables are stored in format {number}, and this Serai knows formats up to {FORMAT}: start a newer Serai"
    )


def expect_format(number: int) -> None:
    """``StoreError`` if the database has another format than this Serai's."""
    if number > FORMAT:
        raise newer_format(number)
    if number == 0:
        raise StoreError("no tables of Serai are stored there")
    if number < FORMAT:
        raise StoreError(
            f"the tables are stored in format {number}, from before format {FORMAT}: a server of this Serai carries "
            "them over when it is started"
        )


def load_table(
    table_id: str, stored: StoredTable, now: float, grace: float = GRACE_SECONDS, wall: float = 0.0
) -> Table:
    """The table, replayed from its entries; ``Damaged`` if they are not what was stored, ``UnknownName`` if its game is
    not installed.
    """
    if not stored.entries:
        raise Damaged.at(table_id, "its entries are missing")
    try:
        table = load(table_id, stored.entries, now, grace, wall)
    except (Damaged, UnknownName):
        raise
    except Exception as error:
        # whatever cannot be replayed is wrong with this table only
        raise Damaged.at(table_id, f"its game cannot be played out ({type(error).__name__}: {error})") from error
    expect_listed(table_id, stored, table.n, table.phase)
    return table


def expect_sound(table: str, stored: StoredTable) -> None:
    """``Damaged`` if entries are missing or changed, or the listing disagrees; the game itself is not replayed."""
    phase: Phase = "lobby"
    for entry in history(table, stored.entries):
        phase = phase_after(phase, entry)
    expect_listed(table, stored, len(stored.entries) - 1, phase)


def expect_listed(table: str, stored: StoredTable, n: int, phase: Phase) -> None:
    """``Damaged`` if the listing is not that of a table whose last entry is ``n`` and led to that phase."""
    if n < 0:
        raise Damaged.at(table, "its entries are missing")
    if stored.phase is None:
        raise Damaged.at(table, "it is not listed")
    if stored.last > n:
        raise Damaged.at(table, f"its last entries are missing: {n + 1} are left of {stored.last + 1}")
    if stored.last < n:
        raise Damaged.at(table, f"it has {n + 1} entries, but only {stored.last + 1} are listed")
    if stored.phase != phase:
        raise Damaged.at(table, f"it is listed in phase '{stored.phase}', but its entries end in '{phase}'")
