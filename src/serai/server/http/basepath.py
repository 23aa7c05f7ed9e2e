"""The path below which Serai lives, where it shares a host name with other things: ``/games/serai``.

It is written with a slash in front and none behind, and is empty where Serai has the whole host.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from serai.server.errors import BadAddress

_SEGMENT = re.compile(r"[A-Za-z0-9_~.-]+")
"""What needs no escaping in an address, in a page or in a cookie."""


def read_base_path(text: str) -> str:
    """A base path as a host writes it, with or without a slash at the end."""
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


def settle(base_path: str, public_url: str) -> tuple[str, str]:
    """Base path and public address as they fit together, each completed by the other where it says nothing of the path.

    The proxy passes paths on unchanged, so the path that people see is the path that the server sees.
    """
    base = read_base_path(base_path) if base_path else ""
    if not public_url:
        return base, ""
    origin, path = _split(public_url)
    if base and path and path != base:
        raise BadAddress(f"--public-url has the path {path}, but --base-path is {base}; they have to be the same")
    return path or base, origin + (path or base)


def below(base: str, path: str) -> str | None:
    """What a path is for Serai, beginning with a slash; nothing if it lies outside."""
    rest = path.removeprefix(base)
    return rest if path.startswith(base) and rest.startswith("/") else None


def _split(public_url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(public_url)
        plain = parts.port != 0 and not parts.username and not re.search(r"[\s?#\\]", public_url)
    except ValueError:
        plain = False
    if not plain or parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadAddress(
            f"a public address looks like https://example.org or https://example.org/games/serai, not {public_url!r}"
        )
    return f"{parts.scheme}://{parts.netloc}", read_base_path(parts.path) if parts.path else ""
