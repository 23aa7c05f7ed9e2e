"""Connection limits per address, addresses that send garbage, and clients that do not read."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Protocol

import uvicorn

from serai.server.errors import BadAddress
from serai.server.limits import Gate, address_of

RESERVED_FILES = 256
"""Open files that are no connections: the database, workers, the page's files."""
CUT_SOCKET = 10
"""A socket that had to be cut counts as this many malformed requests: it took the server as much work."""
LEAST = 16
"""Connections that are accepted however few files may be open."""
WRITE_SECONDS = 20.0
"""A client that reads nothing for this long is cut. Progress shows in steps, of a part of ``SYSTEM_BUFFER``."""
SYSTEM_BUFFER = 1 << 16
"""Bytes that the operating system buffers for each connection and direction."""
MOST_UNSENT = 64 << 20
"""Most unread bytes of all connections together."""
_CHECK_SECONDS = 1.0

Networks = tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]
"""The addresses of trusted proxies."""


class Full(Exception):
    """The server cannot take any more connections."""


class NetConfig(uvicorn.Config):
    """uvicorn's configuration, with what the connections share."""

    def __init__(self, app: Any, *, admission: Admission, unsent: Backlog, **options: Any) -> None:
        super().__init__(app, **options)
        self.admission = admission
        self.unsent = unsent


class Admission:
    """Connection limits per address; addresses that send garbage wait.

    A connection exists before its first request says for whom a proxy asks: so connections of trusted proxies count for
    no address. On a WebSocket the proxy has named an address, and what comes on it counts for that.
    """

    def __init__(
        self, gate: Gate, proxies: Networks = (), files: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._gate = gate
        self._clock = clock
        self._proxies = proxies
        self._most = None if files is None else max(files - RESERVED_FILES, LEAST)
        self._open: dict[asyncio.BaseTransport, str | None] = {}
        """The address that each counts for, if any."""

    def enter(self, transport: asyncio.BaseTransport) -> None:
        """Count a new connection; ``TooMany`` at the limit of its address, ``Full`` at the limit of the server."""
        if self._most is not None and len(self._open) >= self._most:
            raise Full
        peer = transport.get_extra_info("peername")
        address: str | None = None
        if not (peer and is_trusted(self._proxies, peer[0])):
            address = address_of(peer)
            self._gate.enter("connections", address)
        self._open[transport] = address

    def blame(self, transport: asyncio.BaseTransport) -> None:
        """Count a broken request, or a connection that had to be cut, against its address."""
        address = self._open.get(transport)
        if address is not None:
            self._gate.count("malformed", address, self._clock())

    def blame_socket(self, transport: asyncio.BaseTransport, client: str) -> None:
        """Count a WebSocket of this client that had to be cut."""
        address = self._address(transport, client)
        if address is not None:
            self._gate.count("malformed", address, self._clock(), CUT_SOCKET)

    def may_ping(self, transport: asyncio.BaseTransport, client: str) -> bool:
        """Count a ping, pong or fragment of this client; whether it is within the limit."""
        address = self._address(transport, client)
        return address is None or self._gate.count("pings", address, self._clock())

    def is_welcome(self, transport: asyncio.BaseTransport) -> bool:
        """Whether its address has not been blamed too often."""
        address = self._open.get(transport)
        return address is None or self._gate.would_pass("malformed", address, self._clock())

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """Count a closed connection, if it was accepted."""
        address = self._open.pop(transport, None)
        if address is not None:
            self._gate.leave("connections", address)

    def _address(self, transport: asyncio.BaseTransport, client: str) -> str | None:
        """The address that a WebSocket counts for: behind a trusted proxy the client that it named. A proxy that names
        nobody is not blamed for one of the many behind it.
        """
        if address := self._open.get(transport):
            return address
        return None if client == address_of(transport.get_extra_info("peername")) else client

    def __len__(self) -> int:
        return len(self._open)


def files_allowed() -> int | None:
    """How many files this process may open; ``None`` if the system has no such limit."""
    with contextlib.suppress(ImportError):  # only on Unix
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return None if soft == resource.RLIM_INFINITY else soft
    return None


def read_proxies(text: str) -> Networks:
    """Read ``--trust-proxy``: addresses and networks, separated by commas; ``*`` is everybody."""
    if text.strip() == "*":
        return (ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0"))
    try:
        return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",")) if text.strip() else ()
    except ValueError as error:
        raise BadAddress(f"--trust-proxy has addresses or networks, as 127.0.0.1 or 10.0.0.0/8: {error}") from None


@lru_cache(maxsize=4096)
def is_trusted(networks: Networks, host: str) -> bool:
    """Whether a connection from this host is a trusted proxy's."""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return False
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return any(ip in network for network in networks)


class Writer(Protocol):
    """A connection to which something was written."""

    transport: asyncio.Transport

    @property
    def address(self) -> str:
        """The address it counts for."""

    def cut(self) -> None:
        """Abort the connection."""


class Backlog:
    """Connections with unread bytes; clients that do not read are cut.

    A transport buffers everything it is given and waits for ever for the other side to read it. So a client that reads
    nothing for a while is cut; and when too much is unread in all, connections of the address with most of it.
    """

    def __init__(self, on_cut: Callable[[], None] = lambda: None) -> None:
        self._on_cut = on_cut
        self._behind: dict[Writer, tuple[int, float]] = {}
        """The least that was unread, and since when it has not become less."""
        self._unsent = 0
        """Most that can be unread: the sum at the last check, and all that was written since."""
        self._next_check: asyncio.TimerHandle | None = None

    def wrote(self, writer: Writer, size: int) -> None:
        """Note that ``size`` bytes were handed to this connection's transport."""
        self._unsent += size
        if writer not in self._behind:
            loop = asyncio.get_running_loop()
            self._behind[writer] = (writer.transport.get_write_buffer_size(), loop.time())
            if self._next_check is None:
                self._next_check = loop.call_later(_CHECK_SECONDS, self._check)
        if self._unsent > MOST_UNSENT:
            self._make_room()

    def __len__(self) -> int:
        return len(self._behind)

    def _check(self) -> None:
        """Forget clients that have read everything, and cut those that have read nothing for too long."""
        loop = asyncio.get_running_loop()
        now, behind = loop.time(), self._behind
        self._behind = {}
        for writer, (least, since) in behind.items():
            unread = writer.transport.get_write_buffer_size()
            if unread < least:
                self._behind[writer] = (unread, now)
            elif unread and now - since >= WRITE_SECONDS:
                self._cut(writer)
            elif unread:
                self._behind[writer] = (least, since)
        self._behind = {writer: mark for writer, mark in self._behind.items() if mark[0]}
        self._unsent = _unsent(self._behind)
        self._next_check = loop.call_later(_CHECK_SECONDS, self._check) if self._behind else None

    def _make_room(self) -> None:
        """Cut connections of the address with most unread bytes, the largest first, until there is room."""
        self._unsent = _unsent(self._behind)
        while self._unsent > MOST_UNSENT:
            of_address: dict[str, list[Writer]] = defaultdict(list)
            for writer in self._behind:
                of_address[writer.address].append(writer)
            most = max(of_address.values(), key=_unsent)
            writer = max(most, key=lambda one: one.transport.get_write_buffer_size())
            self._unsent -= writer.transport.get_write_buffer_size()
            del self._behind[writer]
            self._cut(writer)

    def _cut(self, writer: Writer) -> None:
        writer.cut()
        self._on_cut()


def _unsent(writers: Iterable[Writer]) -> int:
    return sum(writer.transport.get_write_buffer_size() for writer in writers)
