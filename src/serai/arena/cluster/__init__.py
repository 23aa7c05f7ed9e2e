"""Playing on a Dask cluster. Its address: ``tcp://HOST:PORT``, ``tls://HOST:PORT``, or ``local:N`` on this machine."""

from __future__ import annotations

from urllib.parse import urlsplit

from serai.errors import SeraiError

_MOST_LOCAL = 1024
"""Workers on one machine: more must be a mistake."""


class BadCluster(SeraiError):
    """A cluster that cannot be used; the message says where and what to do."""


class ClusterLost(SeraiError):
    """The scheduler went away in the middle. Results that had arrived are not lost."""


def read_address(text: str) -> str | int:
    """The scheduler's address, or the number of workers to start here; ``BadCluster`` says how to write it."""
    word, _, count = text.strip().partition(":")
    if word == "local":
        if not (count.isascii() and count.isdecimal() and 1 <= int(count) <= _MOST_LOCAL):
            raise BadCluster(f"{text!r} has no number of workers: write local:N, for example local:4")
        return int(count)
    parts = urlsplit(text.strip())
    try:
        port = parts.port
    except ValueError:
        port = None
    if parts.scheme not in ("tcp", "tls") or not parts.hostname or not port or parts.path or parts.query:
        raise BadCluster(
            f"{text!r} is not the address of a cluster: write tcp://HOST:PORT, as 'dask scheduler' prints it, or "
            "local:N for N workers on this machine"
        )
    return text.strip()
