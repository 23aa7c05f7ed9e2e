"""Visitors without accounts: a secret token, in a cookie for browsers and in a header for programs."""

from __future__ import annotations

import hashlib
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


def visitor_of(token: str) -> str:
    """Who that is. Tables and stores know only this: the token cannot be had back from it."""
    return hashlib.sha256(b"serai visitor " + token.encode()).hexdigest()[:32] if token else ""


def _cookie(header: str) -> str:
    """The first cookie of our name: browsers begin with the longest path, so that one is ours, even where another
    Serai has the top of the same site.
    """
    for cookie in header.split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == COOKIE:
            return value
    return ""
