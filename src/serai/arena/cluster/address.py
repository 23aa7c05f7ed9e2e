"""How a cluster is named: ``tcp://HOST:PORT`` or ``tls://HOST:PORT``, or ``local:N`` for one on this machine."""

from __future__ import annotations

from urllib.parse import urlsplit

from serai.arena.cluster.errors import BadCluster

_HOW = "write tcp://HOST:PORT, as 'dask scheduler' tells it, or local:N for N workers on this machine"
_LOCAL = "local"
_SCHEMES = ("tcp", "tls")
_MOST = 1024
"""Workers on one machine that nobody can mean to exceed."""


def read_address(text: str) -> str | int:
    """The scheduler's address, or how many workers to start here; ``BadCluster`` says how to write it."""
    word, colon, rest = text.strip().partition(":")
    if word == _LOCAL:
        if not (colon and rest.isascii() and rest.isdecimal() and 1 <= int(rest) <= _MOST):
            raise BadCluster(f"{text!r} names no number of workers: write local:N, for example local:4")
        return int(rest)
    parts = urlsplit(text.strip())
    if parts.scheme not in _SCHEMES or not parts.hostname:
        raise BadCluster(f"{text!r} is no cluster: {_HOW}")
    try:
        port = parts.port
    except ValueError:
        port = None
    if not port or parts.path or parts.query:
        raise BadCluster(f"{text!r} does not end in the scheduler's port: {_HOW}")
    return text.strip()
