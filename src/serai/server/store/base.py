"""Where entries are kept: the one small interface behind which every database stands."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import msgspec

from serai.server.store.codes import CodeStore
from serai.server.store.devices import DeviceRow, DeviceStore
from serai.server.store.reviews import ReviewStore
from serai.table.chain import Stored
from serai.table.messages import Phase


class StoreError(Exception):
    """The store could not do it; the message says why. Nothing was changed, as far as can be known."""


class Conflict(StoreError):
    """An entry of that number is there already: somebody else was faster. Or the one before it is not there (any more):
    the table is gone.
    """


class LeaseLost(StoreError):
    """The lease under which it was to be kept is over: another process may look after the table by now."""


class Lease(msgspec.Struct, frozen=True):
    """One process's right to act for a table when nobody does: to let its bots play and its time run out."""

    process: int
    epoch: int
    """Grows with every lease: no two are the same."""


FORMAT = 8
"""The format of all that is kept, entries and schema alike, counted for every kind of store together.

It grows when older code could not read what newer code writes. A store carries older databases over when it opens, and
refuses newer ones; who was left behind while running cannot write any more.
"""
LIVELY: tuple[Phase, ...] = ("lobby", "playing")
"""Phases of a table that may still become something."""
CONFLICT = "an entry of that number is there already, or the one before it is not there"
LEASE_LOST = "could not be saved: this process does not look after the table any more"


class Listing(msgspec.Struct, frozen=True):
    """What the store knows of a table without reading its entries."""

    phase: Phase
    public: bool
    sitters: tuple[str, ...] = ()
    """The visitors who sit there once the game has begun."""
    at: str = ""
    """The day of the last entry, or of the one that brought the end."""
    bots: bool = False
    """Whether a bot plays, or stands in for somebody: such a game goes on even when nobody is there."""


class Listed(msgspec.Struct, frozen=True):
    """A table with its listing."""

    id: str
    listing: Listing
    last: int
    """The number of the table's last entry, counted apart from the entries: so that it shows when those are lost."""


class Whole(msgspec.Struct, frozen=True):
    """A table as it is kept, all of one moment."""

    entries: list[Stored]
    phase: Phase | None
    """As it is listed; none if it is not."""
    last: int
    """The number of the last entry, as it is listed."""


class Kept(Protocol):
    """Numbered entries by table, and a line about each table, to be read."""

    async def entries(self, table: str, after: int = -1) -> list[Stored]:
        """The entries with numbers above ``after``, in order; none at all for an unknown table."""

    async def whole(self, table: str) -> Whole:
        """All entries, with what is listed of the table."""

    async def listed(self) -> list[Listed]:
        """Every table, the oldest first."""

    async def device_rows(self) -> list[DeviceRow]:
        """What is kept of devices."""


class Store(Kept, Protocol):
    """The same, to be written too."""

    @property
    def devices(self) -> DeviceStore:
        """Which visitor each device stands for."""

    @property
    def codes(self) -> CodeStore:
        """Which table each code that is said aloud leads to."""

    @property
    def reviews(self) -> ReviewStore:
        """Reviews of finished games."""

    async def open(self) -> None:
        """Make ready; ``StoreError`` tells what is wrong with the database."""

    def append(
        self, table: str, stored: Stored, listing: Listing | None = None, lease: Lease | None = None
    ) -> asyncio.Future[None]:
        """Keep an entry and (when it changed) the table's listing with it; done once both are durable.

        Only the first entry of a table is kept without the one before it. With a lease it is kept only while that one
        is the table's; ``LeaseLost`` otherwise.

        A future, begun at once: whoever stops waiting for it does not stop it.
        """

    async def public(self, tables: list[str], limit: int) -> list[str]:
        """Those of these tables that are public and in the lobby or being played, the newest first."""

    async def bots_playing(self) -> list[str]:
        """All tables with a game going on in which bots play, and which no process looks after."""

    def frozen(self) -> AbstractAsyncContextManager[Kept]:
        """Everything as it stands now: what others change while the block lasts is not seen."""

    async def remove(self, tables: list[str]) -> None:
        """Forget these tables for good."""

    async def playing(self, visitor: str) -> list[str]:
        """The tables at which this visitor is in a game that is going on, the newest first."""

    async def finished(self, visitor: str, limit: int) -> list[str]:
        """The tables at which this visitor played a game to its end, the newest first."""

    async def check(self) -> None:
        """Whether entries can be read and kept right now; ``StoreError`` if not."""

    async def close(self) -> None:
        """Finish what was begun and let go."""


def newer(kept: int) -> str:
    """Why this Serai leaves a database of that format alone."""
    return f"the tables are kept in format {kept}, and this Serai knows formats up to {FORMAT}: start a newer Serai"


def expect_format(kept: int) -> None:
    """``StoreError`` if the tables are kept in another format than this Serai's."""
    if kept > FORMAT:
        raise StoreError(newer(kept))
    if kept == 0:
        raise StoreError("no tables of Serai are kept there")
    if kept < FORMAT:
        raise StoreError(
            f"the tables are kept in format {kept}, from before format {FORMAT}: a server of this Serai carries them "
            "over when it is started"
        )


def is_postgres(database: str) -> bool:
    """Whether this names a PostgreSQL database rather than a file."""
    return database.startswith(("postgresql://", "postgres://"))
