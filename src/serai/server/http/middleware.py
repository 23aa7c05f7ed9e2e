"""What every answer carries and every request must pass: security headers, the checks of which host it is for and where
it came from, and the base path, which nobody behind this knows of.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from serai.core.errors import KeyedError, phrase, sentence
from serai.server.errors import ClientGone, NotFound
from serai.server.http.basepath import below
from serai.server.http.hosts import Hosts, split_host
from serai.server.http.problems import problem_of
from serai.server.limits import TooMany, address_of
from serai.table.bodies import Problem

Message = Any
Scope = Any
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]
May = Callable[[str, str], bool]

CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = [
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
]
MAX_REASON = 120
"""Characters: a reason has to fit into a control frame."""
MAX_HOST = 260
"""Characters: the longest name there can be, and a port."""
WATCHED = {"/healthz", "/readyz", "/metrics"}
"""Whoever watches the server is not counted."""
_SAFE = {"GET", "HEAD", "OPTIONS"}
_FORBIDDEN_ORIGIN, _NOT_HERE, _WRONG_HOST, _TOO_MANY = 4403, 4404, 4421, 4429
_NOWHERE = ("", None)
"""The host of a request that names none, as HTTP/1.0 allows."""

phrase(
    {
        "server.origin": "requests from other sites are not taken; behind a proxy, start serai with --public-url",
        "server.host": (
            "this server does not answer to the name {host}; "
            "its host may start it with --public-url or with --allow-host {host}"
        ),
        "server.elsewhere": "there is nothing here; Serai lives at {base}",
    }
)


def guard(app: Asgi, hosts: Hosts, may: May = lambda what, address: True, base: str = "") -> Asgi:
    """Wrap an application that lives below ``base`` of these hosts; ``may`` says whether one more ``requests`` or
    ``pages`` is allowed to an address.
    """

    def guarded(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        # it only says who shall answer, and is not in between afterwards: a socket may be open for hours
        if scope["type"] == "lifespan":
            return app(scope, receive, send)
        path = below(base, scope["path"])
        private = path is not None and path.startswith("/api/")
        what = "requests" if private else "pages"

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), *HEADERS]
                if private and not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers
            await send(message)

        async def receive_or_give_up() -> Message:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            return message

        host = _host(scope)
        if host is None or (host is not _NOWHERE and not hosts.knows(host[0], scope)):
            return _not_us(host and host[0], scope, receive, send_with_headers)
        if not _from_here(hosts, host, scope):
            return _turn_away(scope, receive, send_with_headers)
        if path is None:
            return _show_the_way(base, scope, receive, send_with_headers)
        if path not in WATCHED and not may(what, address_of(scope["client"])):
            return _hold_back(what, scope, receive, send_with_headers)
        if scope["type"] == "http":
            return app({**scope, "path": path}, receive_or_give_up, send_with_headers)
        return app({**scope, "path": path}, receive, send)

    return guarded


def _host(scope: Scope) -> tuple[str, int | None] | None:
    """The host that is asked, and at which port; nothing if that cannot be understood."""
    told = _headers(scope, b"host")
    if not told and scope["http_version"] == "1.0":
        return _NOWHERE
    return split_host(told[0]) if len(told) == 1 and len(told[0]) <= MAX_HOST else None


def _from_here(hosts: Hosts, host: tuple[str, int | None], scope: Scope) -> bool:
    """Whether a request that could change something, or a socket, comes from our own pages or from no page at all."""
    if scope["type"] == "http" and scope["method"] in _SAFE:
        return True
    return all(hosts.sent(origin, scope["scheme"], host) for origin in _headers(scope, b"origin"))


def _headers(scope: Scope, wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name == wanted]


async def _not_us(host: str | None, scope: Scope, receive: Receive, send: Send) -> None:
    """They ask for another host, or for what none can be."""
    status, problem = 421, Problem("server.host", {"host": host}, sentence("server.host", {"host": host}))
    if host is None:
        status, problem = 400, Problem("server.malformed", {}, "a request has one Host header, with the name of a host")
    if scope["type"] == "websocket":
        await _hang_up(_WRONG_HOST, problem.text, receive, send)
        return
    await _answer(status, msgspec.json.encode(problem), send)


async def _turn_away(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await _hang_up(_FORBIDDEN_ORIGIN, "origin not allowed", receive, send)
        return
    status, problem = problem_of(KeyedError("server.origin"))
    await _answer(status, msgspec.json.encode(problem), send)


async def _hold_back(what: str, scope: Scope, receive: Receive, send: Send) -> None:
    status, problem = problem_of(TooMany("server.too_many", what=what))
    if scope["type"] == "websocket":
        await _hang_up(_TOO_MANY, problem.text, receive, send)
        return
    await _answer(status, msgspec.json.encode(problem), send, (b"retry-after", b"2"))


async def _show_the_way(base: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Tell whoever asks for something outside where Serai lives; who only forgot the last slash is sent there."""
    home = f"{base}/"
    if scope["type"] == "websocket":
        await _hang_up(_NOT_HERE, f"Serai lives at {home}", receive, send)
    elif scope["path"] == base:
        # never made from what was asked for, so nobody can be sent to another site
        await _answer(307, b"", send, (b"location", home.encode()))
    else:
        status, problem = problem_of(NotFound("server.elsewhere", base=home))
        await _answer(status, msgspec.json.encode(problem), send)


async def _hang_up(code: int, reason: str, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    await send({"type": "websocket.close", "code": code, "reason": reason[:MAX_REASON]})


async def _answer(status: int, body: bytes, send: Send, *more: tuple[bytes, bytes]) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
