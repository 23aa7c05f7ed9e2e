"""Addresses of this server: host names it answers to, origins of its own pages, and its base path.

Without a check of the host, a site whose name leads to this machine (DNS rebinding) could send requests in the name of
its visitors, and read the answers.

A base path, such as ``/games/serai``, has a slash in front and none behind. It is empty where Serai has the host for
itself.
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
_SEGMENT = re.compile(r"[A-Za-z0-9_~.-]+")
"""Characters that need no escaping in an address, a page or a cookie."""

Origin = tuple[str, str, int]
"""Scheme, name and port, normalised."""


@lru_cache(maxsize=256)
def split_host(host: str) -> tuple[str, int | None] | None:
    """Name and port of a ``Host`` header; ``None`` if it is malformed."""
    match = _HOST.fullmatch(host)
    if match is None:
        return None
    port = match["port"] and int(match["port"])
    return None if port and port > 65535 else (_plain(match["name"]), port or None)


def read_host(text: str) -> str:
    """Read ``--allow-host``."""
    found = split_host(text)
    if found is None or found[1] is not None:
        raise BadAddress(f"--allow-host has a name or an address, as games.example.org or 192.0.2.7, not {text!r}")
    return found[0]


def is_loopback(name: str) -> bool:
    """Whether this is a loopback name or address."""
    if name == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(name).is_loopback
    return False


class Hosts:
    """Hosts that requests may name: public, loopback, the connection's address, this machine's, ``--allow-host``."""

    def __init__(self, public_url: str = "", allowed: tuple[str, ...] = (), machine: str | None = None) -> None:
        self.public = _origin(public_url)
        label = _plain(socket.gethostname() if machine is None else machine)
        short = label.partition(".")[0]
        public = {self.public[1]} if self.public else set()
        self._names = {label, short, f"{short}.local", *allowed, *public} - {"", ".local"}

    def knows(self, name: str, scope: Any) -> bool:
        """Whether the name is ours; ``scope`` has the address of the connection."""
        if name in self._names or is_loopback(name):
            return True
        reached = scope.get("server")
        return bool(reached) and name == _plain(reached[0])

    def sent(self, origin: str, scheme: str, host: tuple[str, int | None]) -> bool:
        """Whether the origin is that of our own pages, for a request by this scheme to this host."""
        scheme = _PLAIN.get(scheme, scheme)
        own = (scheme, host[0], host[1] or _PORTS.get(scheme, 0))
        found = _origin(origin)
        return found is not None and found in (own, self.public)


def _origin(address: str) -> Origin | None:
    """The origin of an address; ``None`` if it has none."""
    try:
        parts = urlsplit(address)
        name, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not name:
        return None
    return parts.scheme, _plain(name), port or _PORTS[parts.scheme]


def _plain(name: str) -> str:
    """A name or address, normalised."""
    name = name.lower().removesuffix(".").removeprefix("[").removesuffix("]")
    with contextlib.suppress(ValueError):
        ip = ipaddress.ip_address(name)
        return str(getattr(ip, "ipv4_mapped", None) or ip)
    with contextlib.suppress(UnicodeError):
        return name.encode("idna").decode()
    return name


def read_base_path(text: str) -> str:
    """Read ``--base-path``, with or without a slash at the end."""
    if not text.startswith("/"):
        raise BadAddress(f"a base path begins with a slash, as /games/serai does; {text!r} does not")
    path = text.removesuffix("/")
    for segment in path.split("/")[1:]:
        if segment in (".", "..") or not _SEGMENT.fullmatch(segment):
            raise BadAddress(
                f"between its slashes a base path has letters, digits and - _ . ~ only, and no '.' or '..' alone; "
                f"{text!r} has {segment!r}"
            )
    return path


def settle_addresses(base_path: str, public_url: str) -> tuple[str, str]:
    """Base path and public address, each completed by the path of the other. They must agree: a proxy passes paths on
    unchanged, so people and server see the same path.
    """
    base = read_base_path(base_path) if base_path else ""
    if not public_url:
        return base, ""
    parts = urlsplit(public_url) if _origin(public_url) else None
    if parts is None or parts.port == 0 or parts.username or re.search(r"[\s?#\\]", public_url):
        raise BadAddress(
            f"a public address looks like https://example.org or https://example.org/games/serai, not {public_url!r}"
        )
    path = read_base_path(parts.path) if parts.path else ""
    if base and path and path != base:
        raise BadAddress(f"--public-url has the path {path}, but --base-path is {base}; they have to be the same")
    return path or base, f"{parts.scheme}://{parts.netloc}{path or base}"


def below(base: str, path: str) -> str | None:
    """The path below the base path, beginning with a slash; ``None`` if it lies outside."""
    rest = path.removeprefix(base)
    return rest if path.startswith(base) and rest.startswith("/") else None
