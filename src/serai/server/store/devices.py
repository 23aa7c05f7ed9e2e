"""Which visitor a device stands for, and the codes by which one device hands its visitor on to another.

A device is what the server derives from a browser's token. As long as nothing is kept of it, it stands for the visitor
of the same name: most never move. One that has moved stands for whom its row says, and for nobody if that is empty.
"""

from __future__ import annotations

from typing import Protocol

import msgspec


class DeviceRow(msgspec.Struct, frozen=True):
    """What is kept of a device."""

    device: str
    visitor: str
    """Whom it stands for; nobody if empty."""
    at: float
    """When that began, by the wall clock."""


class Moved(msgspec.Struct, frozen=True):
    """A visitor is at another device now."""

    visitor: str
    devices: tuple[str, ...]
    """All that stand for somebody else, or for nobody, since; none if the visitor was there already."""


class DeviceStore(Protocol):
    """Devices and codes. Codes are given as what is kept of them, never as they are shown; times by the wall clock."""

    async def visitors(self, devices: list[str]) -> dict[str, str]:
        """Whom these devices stand for, as far as anything is kept of them."""

    async def offer(self, device: str, code: str, until: float, now: float) -> bool:
        """Let the visitor of this device be claimed by that code, and by no earlier one; whether it stands for one."""

    async def withdraw(self, device: str, now: float) -> None:
        """Let the visitor of this device be claimed no more."""

    async def offered(self, code: str, now: float) -> str:
        """The visitor who may be claimed by this code; an empty text if there is none."""

    async def move(self, code: str, device: str, now: float) -> Moved | None:
        """In one durable step: the code is used up, this device stands for its visitor, and no other does any more.

        ``None`` if the code is not, or no longer, good for anything. A repeat by the same device changes nothing.
        """

    async def keep(self, rows: list[DeviceRow]) -> None:
        """Take over rows of another store; of two about a device the newer one stays."""
