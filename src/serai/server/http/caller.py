"""The caller of a request: token, device, visitor and address; and the links by which others reach this server.

Visitors have no accounts: a secret token, in a cookie for browsers and in a header for programs, names a device, which
stands for a visitor (:class:`serai.server.tables.hall.Devices`).
"""

from __future__ import annotations

import io
import re
from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.datastructures import Cookie, State

from serai.errors import phrase
from serai.server.http.hosts import is_loopback, split_host
from serai.server.limits import address_of
from serai.server.tables.hall import Hall, device_of
from serai.table.errors import Refusal

COOKIE = "serai_visitor"
COOKIE_SECONDS = 365 * 24 * 3600
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,64}")

AnyRequest = Request[Any, Any, State]

phrase({"handover.moved": "this token stands for nobody any more: its seats were taken to another device"})


def hall_of(request: AnyRequest) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


async def visitor_of(request: AnyRequest) -> str:
    """The visitor who calls; empty if they have no valid token; ``Banned`` if the host has shut them out."""
    hall = hall_of(request)
    visitor = await hall.devices.stands_for(device(request))
    if banned := hall.bans.shuts_out("", visitor):
        raise banned
    return visitor


async def visitor_or_new(request: AnyRequest) -> tuple[str, list[Cookie]]:
    """The visitor who calls; a new one, with a token in a cookie, if they have none."""
    visitor = await visitor_of(request)
    if visitor:
        return visitor, []
    if token_of(request) and request.headers.get("authorization", "").lower().startswith("bearer "):
        raise Refusal("handover.moved")  # a cookie could be replaced, a header cannot
    return _new_device(request)


def device(request: AnyRequest) -> str:
    """The caller's device; empty if they have no token."""
    return device_of(token_of(request))


def device_or_new(request: AnyRequest) -> tuple[str, list[Cookie]]:
    """The caller's device; a new one, with a token in a cookie, if they have none."""
    known = device(request)
    return (known, []) if known else _new_device(request)


def no_cookie(request: AnyRequest) -> Cookie:
    """What makes a browser forget its token."""
    return Cookie(COOKIE, value="", path=f"{hall_of(request).settings.base_path}/", max_age=0, httponly=True)


def _new_device(request: AnyRequest) -> tuple[str, list[Cookie]]:
    hall = hall_of(request)
    token = hall.sources.token()
    cookie = Cookie(
        COOKIE,
        value=token,
        path=f"{hall.settings.base_path}/",
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="strict",
        secure=request.scope["scheme"] == "https",
    )
    return device_of(token), [cookie]


def address(request: AnyRequest) -> str:
    """The address that the caller counts for."""
    return address_of(request.scope["client"])


def pass_through(request: AnyRequest, what: str, cost: int = 1) -> None:
    """Count one more of a kind that has a rate; ``TooMany`` if that is too fast."""
    hall = hall_of(request)
    hall.gate.pass_through(what, address(request), hall.sources.clock(), cost)


def here(request: AnyRequest) -> str:
    """The base address for others: the public one, else if the caller used loopback that in the local network."""
    settings = hall_of(request).settings
    host = request.headers.get("host", "")
    own = f"{request.scope['scheme']}://{host}{settings.base_path}"
    name = split_host(host)
    network = settings.network_url if name is not None and is_loopback(name[0]) else ""
    return (settings.public_url or network or own).rstrip("/")


def only_here(link: str) -> bool:
    """Whether this link can be opened only on the server's own computer."""
    return is_loopback(urlsplit(link).hostname or "")


def token_of(connection: Any) -> str:
    """The token of a request or socket, empty if it has none; a header goes before a cookie."""
    scheme, _, value = connection.headers.get("authorization", "").partition(" ")
    token = value.strip() if scheme.lower() == "bearer" else _cookie(connection.headers.get("cookie", ""))
    return token if _TOKEN.fullmatch(token) else ""


def _cookie(header: str) -> str:
    # the first of our name: browsers send the longest path first, ours even where another Serai has the site's top
    for cookie in header.split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == COOKIE:
            return value
    return ""


def qr_svg(link: str) -> bytes:
    import segno

    out = io.BytesIO()
    segno.make(link, error="m").save(out, kind="svg", scale=6, border=2, dark="#000", light="#fff", xmldecl=False)
    return out.getvalue()
