"""Who calls, from where, and where they reach this server."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.datastructures import Cookie, State

from serai.core.errors import phrase
from serai.server.devices import device_of
from serai.server.http.hosts import is_loopback, split_host
from serai.server.http.identity import COOKIE, COOKIE_SECONDS, from_header, token_of
from serai.server.limits import address_of
from serai.server.tables.hall import Hall
from serai.table.errors import Refusal

AnyRequest = Request[Any, Any, State]

phrase({"handover.moved": "this token stands for nobody any more: its seats were taken to another device"})


async def caller(request: AnyRequest, hall: Hall) -> tuple[str, list[Cookie]]:
    """The visitor who calls; somebody new, with a token in a cookie, if they are nobody yet."""
    visitor = await hall.devices.visitor(token_of(request))
    if visitor:
        return visitor, []
    if token_of(request) and from_header(request):
        raise Refusal("handover.moved")
    token, cookies = new_token(request, hall)
    return device_of(token), cookies


def device(request: AnyRequest, hall: Hall) -> tuple[str, list[Cookie]]:
    """The caller's device, whomever it stands for; a new one, with a token in a cookie, if they have none."""
    token, cookies = token_of(request), list[Cookie]()
    if not token:
        token, cookies = new_token(request, hall)
    return device_of(token), cookies


def new_token(request: AnyRequest, hall: Hall) -> tuple[str, list[Cookie]]:
    """A token, and the cookie that carries it."""
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
    return token, [cookie]


def address(request: AnyRequest) -> str:
    """What counts as the caller's address."""
    return address_of(request.scope["client"])


def pass_through(request: AnyRequest, hall: Hall, what: str) -> None:
    """One more of a kind that has a rate; ``TooMany`` if that is too fast."""
    hall.gate.pass_through(what, address(request), hall.sources.clock())


def here(request: AnyRequest, hall: Hall) -> str:
    """Where others reach this server, base path included, without a slash behind: as the caller did, unless that is
    good for nobody else and a better way is known.
    """
    settings = hall.settings
    host = request.headers.get("host", "")
    told = f"{request.scope['scheme']}://{host}{settings.base_path}"
    house = settings.house_url if _is_local(host) else ""
    return (settings.public_url or house or told).rstrip("/")


def only_here(link: str) -> bool:
    """Whether nobody can open this link but at the server's own computer."""
    return is_loopback(urlsplit(link).hostname or "")


def _is_local(host: str) -> bool:
    parts = split_host(host)
    return parts is not None and is_loopback(parts[0])
