"""The names that this server answers to, and the origins of its own pages.

A site that lets its own name lead to this machine (DNS rebinding) could otherwise ask here in the name of whoever looks
at its pages, and read the answers.
"""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from serai.server.errors import BadAddress

_HOST = re.compile(r"(?P<name>[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::(?P<port>[0-9]{1,5}))?", re.IGNORECASE)
_PORTS = {"http": 80, "https": 443}
_PLAIN = {"ws": "http", "wss": "https"}

Origin = tuple[str, str, int]
"""Scheme, name and port, as they are compared."""


@lru_cache(maxsize=256)
def split_host(host: str) -> tuple[str, int | None] | None:
    """Name and port in the header of that name; nothing if it cannot be."""
    match = _HOST.fullmatch(host)
    if match is None:
        return None
    port = match["port"] and int(match["port"])
    return None if port and port > 65535 else (_plain(match["name"]), port or None)


def read_host(text: str) -> str:
    """A name that a host allows."""
    found = split_host(text)
    if found is None or found[1] is not None:
        raise BadAddress(f"--allow-host has a name or an address, as games.example.org or 192.0.2.7, not {text!r}")
    return found[0]


def is_loopback(name: str) -> bool:
    """Whether this name or address is this machine's, seen from itself."""
    if name == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(name).is_loopback
    return False


class Hosts:
    """What may stand in the header ``Host``: the public address, loopback, the address that was reached, this
    machine's own name, and what else is allowed.
    """

    def __init__(self, public_url: str = "", allowed: tuple[str, ...] = (), machine: str | None = None) -> None:
        self.public = _origin(public_url)
        label = _plain(socket.gethostname() if machine is None else machine)
        short = label.partition(".")[0]
        public = {self.public[1]} if self.public else set()
        self._names = {label, short, f"{short}.local", *allowed, *public} - {"", ".local"}

    def knows(self, name: str, scope: Any) -> bool:
        """Whether it is ours; ``scope`` tells which address was reached."""
        if name in self._names or is_loopback(name):
            return True
        reached = scope.get("server")
        return bool(reached) and name == _plain(reached[0])

    def sent(self, origin: str, scheme: str, host: tuple[str, int | None]) -> bool:
        """Whether a page of that origin is ours, for a request that came by this scheme to this host."""
        scheme = _PLAIN.get(scheme, scheme)
        own = (scheme, host[0], host[1] or _PORTS.get(scheme, 0))
        told = _origin(origin)
        return told is not None and told in (own, self.public)


def _origin(address: str) -> Origin | None:
    """The origin of an address; nothing if it has none."""
    try:
        parts = urlsplit(address)
        name, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not name:
        return None
    return parts.scheme, _plain(name), port or _PORTS[parts.scheme]


def _plain(name: str) -> str:
    """One way to write a name or an address."""
    name = name.lower().removesuffix(".").removeprefix("[").removesuffix("]")
    with contextlib.suppress(ValueError):
        ip = ipaddress.ip_address(name)
        return str(getattr(ip, "ipv4_mapped", None) or ip)
    with contextlib.suppress(UnicodeError):
        return name.encode("idna").decode()
    return name
