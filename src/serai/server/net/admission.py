"""How many connections may be open: from one address, and at all.

A request says for whom a proxy asks, but a connection is there before it says anything: so those of trusted proxies
count to nobody here.
"""

from __future__ import annotations

import asyncio
import contextlib

from serai.server.limits import Gate, address_of
from serai.server.proxies import Networks, is_trusted

RESERVED_FILES = 256
"""For what is no connection: the database, workers, the page's files."""
LEAST = 16
"""Connections that are let in however few files there may be."""


class Full(Exception):
    """No more connections can be taken at all."""


class Admission:
    """The connections of one server."""

    def __init__(self, gate: Gate, proxies: Networks = (), files: int | None = None) -> None:
        self._gate = gate
        self._proxies = proxies
        self._most = None if files is None else max(files - RESERVED_FILES, LEAST)
        self._open: dict[asyncio.BaseTransport, str | None] = {}
        """To which address each counts, if to any."""

    def enter(self, transport: asyncio.BaseTransport) -> None:
        """One more; ``TooMany`` if its address has enough, ``Full`` if the server has."""
        if self._most is not None and len(self._open) >= self._most:
            raise Full
        peer = transport.get_extra_info("peername")
        address: str | None = None
        if not (peer and is_trusted(self._proxies, peer[0])):
            address = address_of(peer)
            self._gate.enter("connections", address)
        self._open[transport] = address

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """It is closed, if it was ever let in."""
        address = self._open.pop(transport, None)
        if address is not None:
            self._gate.leave("connections", address)

    def __len__(self) -> int:
        return len(self._open)


def files_allowed() -> int | None:
    """How many files this process may open; nothing where the system has no such bound."""
    with contextlib.suppress(ImportError):  # elsewhere than on Unix
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return None if soft == resource.RLIM_INFINITY else soft
    return None
