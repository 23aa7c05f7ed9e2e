"""Other server processes at the same tables: who looks after a table, who is connected elsewhere, what changed there.

A process with a store of its own has none: :class:`Alone`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from serai.server.store.base import Lease


class Attendance(msgspec.Struct, frozen=True):
    """Who is connected to a table."""

    visitors: frozenset[str] = frozenset()
    watching: int = 0
    """How many connections look on without a seat."""
    host: str = ""
    """What stands for the address from which the host is connected; empty if they are not."""


NOBODY = Attendance()
FOR_EVER = Lease(0, 0)
"""The lease of who shares no table with anybody."""


def tag_of(address: str) -> str:
    """What stands for an address where all that matters is whether two are the same."""
    return hashlib.blake2b(address.encode(), digest_size=8).hexdigest()


class Listener(msgspec.Struct, frozen=True):
    """What a hall wants to hear of its peers."""

    changed: Callable[[str, int], None]
    """A table has an entry of that number."""
    attended: Callable[[str], None]
    """Other people are connected to a table now."""
    moved: Callable[[str], None]
    """A device stands for somebody else now, or for nobody."""
    lost: Callable[[], None]
    """The line is cut: nothing can be saved for the moment, and news may be missed from here on."""
    resumed: Callable[[], None]
    """The line is back: whatever is in memory may have changed meanwhile."""
    orphaned: Callable[[], None]
    """A peer is gone without a word; nobody looks after its games."""


class Peers(Protocol):
    """The other processes that share this one's store."""

    shared: bool
    """Whether anybody else may change a table."""

    async def open(self, listener: Listener) -> None:
        """Begin to listen."""

    async def claim(self, table: str) -> Lease | None:
        """The lease under which this process lets the bots of that table play and its time run out, from now on;
        ``None`` while another one does, or nobody can tell.

        Ask anew before each thing done under it: it may be over at any time.
        """

    def in_touch(self) -> bool:
        """Whether word of what others do comes through, as far as can be known."""

    def holds(self, table: str, lease: Lease) -> bool:
        """Whether that lease is still this process's, as far as it can know without asking anybody."""

    async def release(self, tables: Sequence[str]) -> None:
        """Leave these tables to others, once nothing more is being kept under their leases."""

    def attend(self, table: str, attendance: Attendance) -> None:
        """Let the others know who is connected here."""

    async def elsewhere(self, table: str) -> Attendance:
        """Who is connected to that table at the others."""

    async def hosted(self, most: int) -> dict[str, str]:
        """Public tables whose host is connected at one of the others, with what stands for the host's address; of each
        phase at most so many from one address (0: all).
        """

    async def close(self) -> None:
        """Stop listening; others may take over at once."""


class Alone:
    """No peers."""

    shared = False

    async def open(self, listener: Listener) -> None:
        """Nobody will ever call."""

    async def claim(self, table: str) -> Lease | None:
        return FOR_EVER

    def in_touch(self) -> bool:
        return True

    def holds(self, table: str, lease: Lease) -> bool:
        return True

    async def release(self, tables: Sequence[str]) -> None:
        """Nobody else would take them."""

    def attend(self, table: str, attendance: Attendance) -> None:
        """Nobody wants to know."""

    async def elsewhere(self, table: str) -> Attendance:
        return NOBODY

    async def hosted(self, most: int) -> dict[str, str]:
        return {}

    async def close(self) -> None:
        """Nothing was opened."""
