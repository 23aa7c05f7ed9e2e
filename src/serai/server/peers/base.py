"""What a server process knows of others at the same database: leases, viewers elsewhere, announcements."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import msgspec

from serai.server.store.base import Lease


class Attendance(msgspec.Struct, frozen=True):
    """Who is connected to a table."""

    visitors: frozenset[str] = frozenset()
    watching: int = 0
    """How many onlookers."""
    host: str = ""
    """The tag of the address from which the host is connected; empty if they are not."""


NOBODY = Attendance()
FOR_EVER = Lease(0, 0)
"""The lease of a process without peers."""


def tag_of(address: str) -> str:
    """A hash of an address, by which two can be compared."""
    return hashlib.blake2b(address.encode(), digest_size=8).hexdigest()


class Listener(msgspec.Struct, frozen=True):
    """Callbacks for announcements of peers."""

    changed: Callable[[str, int], None]
    """A table has a new entry, of that number."""
    attended: Callable[[str], None]
    """The viewers of a table at another process have changed."""
    moved: Callable[[str], None]
    """The visitor of a device has changed."""
    lost: Callable[[], None]
    """The connection is lost: nothing can be saved, and announcements may be missed."""
    resumed: Callable[[], None]
    """The connection is back: anything in memory may be outdated."""
    ruled: Callable[[], None]
    """What the host forbids has changed."""
    rewritten: Callable[[str], None]
    """A table was removed, or is stored in another form: it has to be read anew."""
    orphaned: Callable[[], None]
    """A peer has died: nobody looks after its games."""


class Peers:
    """The other processes that share this one's store: none, unless a subclass knows some."""

    shared = False
    """Whether other processes may change a table."""

    async def open(self, listener: Listener) -> None:
        """Start listening."""

    async def claim(self, table: str) -> Lease | None:
        """The lease of that table, taken if it is free; ``None`` while another process has it, or the database
        cannot be asked. Only the holder lets bots play and clocks run out.

        Ask again before each use: it may end at any time.
        """
        return FOR_EVER

    def in_touch(self) -> bool:
        """Whether announcements arrive, as far as can be known."""
        return True

    def holds(self, table: str, lease: Lease) -> bool:
        """Whether this process still has that lease, as far as can be known without asking the database."""
        return True

    async def release(self, tables: Sequence[str]) -> None:
        """Give back the leases of these tables; no append under them may be pending."""

    async def announce_rewritten(self, table: str) -> None:
        """Let other processes read this table anew."""

    def attend(self, table: str, attendance: Attendance) -> None:
        """Announce who is connected here."""

    async def elsewhere(self, table: str) -> Attendance:
        """Who is connected to that table at other processes."""
        return NOBODY

    async def hosted(self, most: int) -> dict[str, str]:
        """Public tables whose host is connected to another process, with the tag of the host's address.

        At most ``most`` per phase and address (0: all).
        """
        return {}

    async def close(self) -> None:
        """Stop listening; others may take over the leases at once."""
