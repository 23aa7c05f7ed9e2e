"""Proxies that are believed when they say for whom they ask: addresses and networks, as a host writes them."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

from serai.server.errors import BadAddress

Networks = tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]


def read_proxies(text: str) -> Networks:
    """Addresses and networks with commas between; ``*`` is everybody."""
    if text.strip() == "*":
        return (ipaddress.ip_network("0.0.0.0/0"), ipaddress.ip_network("::/0"))
    try:
        return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",")) if text.strip() else ()
    except ValueError as error:
        raise BadAddress(f"--trust-proxy has addresses or networks, as 127.0.0.1 or 10.0.0.0/8: {error}") from None


@lru_cache(maxsize=4096)
def is_trusted(networks: Networks, host: str) -> bool:
    """Whether a connection from there is a proxy's."""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return False
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return any(ip in network for network in networks)
