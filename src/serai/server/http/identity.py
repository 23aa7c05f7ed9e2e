"""Visitors without accounts: a secret token, in a cookie for browsers and in a header for programs.

A token names a device; which visitor that stands for, :class:`serai.server.devices.Devices` knows.
"""

from __future__ import annotations

import re
from typing import Any

COOKIE = "serai_visitor"
COOKIE_SECONDS = 365 * 24 * 3600
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,64}")


def token_of(connection: Any) -> str:
    """The token that a request or socket carries, or an empty text; a header goes before a cookie."""
    scheme, _, told = connection.headers.get("authorization", "").partition(" ")
    token = told.strip() if scheme.lower() == "bearer" else _cookie(connection.headers.get("cookie", ""))
    return token if _TOKEN.fullmatch(token) else ""


def from_header(connection: Any) -> bool:
    """Whether it is a program's token, which no answer can replace."""
    told: str = connection.headers.get("authorization", "")
    return told.lower().startswith("bearer ")


def _cookie(header: str) -> str:
    """The first cookie of our name: browsers begin with the longest path, so that one is ours, even where another
    Serai has the top of the same site.
    """
    for cookie in header.split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == COOKIE:
            return value
    return ""
