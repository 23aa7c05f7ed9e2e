"""Checks and headers around every request: host, origin, base path, request rate, security headers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec

from serai.errors import KeyedError, phrase, sentence
from serai.server.errors import ClientGone, NotFound, problem_of
from serai.server.http.hosts import Hosts, below, split_host
from serai.server.limits import TooMany, address_of
from serai.server.net import http_protocol
from serai.wire.bodies import Problem

Message = Any
Scope = Any
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]
Allowed = Callable[[str, str], bool]
Banned = Callable[[str], KeyedError | None]
Blame = Callable[[str, int], None]
Welcome = Callable[[str], bool]

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
"""Characters: the reason of a close has to fit into a control frame."""
MAX_HOST = 260
"""Characters: the longest possible name, and a port."""
MONITORING = {"/healthz", "/readyz", "/metrics"}
"""Paths whose requests are not limited, and the only ones at a port for metrics."""
HOSTS = "/api/admin/"
"""What is behind the host's key: a host may have shut out an address of their own."""
REFUSED_PIECE = 16 * 1024
"""Bytes of a refused body that count as one broken request more."""
_BROKEN = {400, 413}
"""What no page asks for; but what comes too late, or at a wrong place, may happen to everybody."""
_TOO_FAST = 429
_SAFE = {"GET", "HEAD", "OPTIONS"}
_FORBIDDEN_ORIGIN, _NOT_HERE, _BANNED, _WRONG_HOST, _TOO_MANY = 4403, 4404, 4412, 4421, 4429
_NOWHERE = ("", None)
"""The host of a request without one, as HTTP/1.0 allows."""
_ONE_HOST = "a request has one Host header, with the name of a host"

phrase(
    {
        "server.origin": "requests from other sites are not taken; behind a proxy, start serai with --public-url",
        "server.host": (
            "this server does not answer to the name {host}; "
            "its host may start it with --public-url or with --allow-host {host}"
        ),
        "server.monitoring": "this port is for monitoring alone: /metrics, /healthz, /readyz",
        "server.elsewhere": "there is nothing here; Serai lives at {base}",
    }
)


def guard(
    app: Asgi,
    hosts: Hosts,
    allowed: Allowed,
    base: str,
    metrics_port: int = 0,
    banned: Banned = lambda address: None,
    blame: Blame = lambda address, cost: None,
    welcome: Welcome = lambda address: True,
) -> Asgi:
    """Wrap an application below the path ``base``; ``allowed`` counts a request of an address: may it pass? ``banned``
    says why not, if the host has shut the address out: it may see the page, which says so, but not ask for anything.

    ``blame`` is told what refused bodies cost; the bodies of who is not ``welcome`` any more are not read, and refused
    late. Behind a proxy this is all that holds them up; others cannot connect either.

    At ``metrics_port`` there is monitoring and nothing else.
    """

    def guarded(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        # a plain function that returns the awaitable: nothing of this stays on the stack while a socket is open
        if scope["type"] == "lifespan":
            return app(scope, receive, send)
        path = below(base, scope["path"])
        private = path is not None and path.startswith("/api/")
        what = "requests" if private else "pages"
        asks = private and scope["type"] == "http" and scope["method"] not in _SAFE
        received = 0

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                if asks and (cost := _cost_of_refusal(scope, message["status"], received)):
                    blame(address_of(scope["client"]), cost)
                headers = [*message.get("headers", ()), *HEADERS]
                if private and not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers
            await send(message)

        async def receive_or_raise() -> Message:
            nonlocal received
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            received += len(message.get("body", b""))
            return message

        host, reject = _host(scope), partial(_reject, scope, receive, send_with_headers)
        if host is None:
            return reject(_WRONG_HOST, 400, Problem("server.malformed", {}, _ONE_HOST))
        if host is not _NOWHERE and not hosts.knows(host[0], scope):
            values = {"host": host[0]}
            return reject(_WRONG_HOST, 421, Problem("server.host", values, sentence("server.host", values)))
        if not _from_here(hosts, host, scope):
            return reject(_FORBIDDEN_ORIGIN, *problem_of(KeyedError("server.origin")))
        if metrics_port and path not in MONITORING and (scope.get("server") or ("", 0))[1] == metrics_port:
            return reject(_NOT_HERE, *problem_of(NotFound("server.monitoring")))
        if path is None:
            if scope["type"] == "http" and scope["path"] == base:
                # not made from the request, so that nobody can be sent to another site
                return _answer(307, b"", send_with_headers, (b"location", f"{base}/".encode()))
            return reject(_NOT_HERE, *problem_of(NotFound("server.elsewhere", base=f"{base}/")))
        if path not in MONITORING and not allowed(what, address_of(scope["client"])):
            return reject(_TOO_MANY, *problem_of(TooMany("server.too_many", what=what)), (b"retry-after", b"2"))
        if asks and not welcome(address_of(scope["client"])):
            return _reject_late(reject)
        if private and not path.startswith(HOSTS) and (refusal := banned(address_of(scope["client"]))):
            return reject(_BANNED, *problem_of(refusal))
        if scope["type"] == "http":
            return app({**scope, "path": path}, receive_or_raise, send_with_headers)
        return app({**scope, "path": path}, receive, send)

    return guarded


def _host(scope: Scope) -> tuple[str, int | None] | None:
    """Host and port of the request; ``None`` if the header is missing or malformed."""
    values = _headers(scope, b"host")
    if not values and scope["http_version"] == "1.0":
        return _NOWHERE
    return split_host(values[0]) if len(values) == 1 and len(values[0]) <= MAX_HOST else None


def _from_here(hosts: Hosts, host: tuple[str, int | None], scope: Scope) -> bool:
    """Whether an unsafe request, or a socket, comes from our own pages or from no page at all."""
    if scope["type"] == "http" and scope["method"] in _SAFE:
        return True
    return all(hosts.sent(origin, scope["scheme"], host) for origin in _headers(scope, b"origin"))


def _headers(scope: Scope, wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name == wanted]


def _cost_of_refusal(scope: Scope, status: int, received: int) -> int:
    """As how many broken requests an answer with this status counts."""
    if not 400 <= status < 500 or status == _TOO_FAST:
        return 0
    announced = next(map(int, _headers(scope, b"content-length")), 0)
    size = min(max(received, announced), http_protocol.BODY_BYTES)
    return size // REFUSED_PIECE + (status in _BROKEN)


async def _reject_late(reject: Callable[..., Awaitable[None]]) -> None:
    await asyncio.sleep(http_protocol.REFUSE_SECONDS)
    problem = problem_of(TooMany("server.too_many", what="malformed"))
    await reject(_TOO_MANY, *problem, (b"retry-after", b"10"), (b"connection", b"close"))


async def _reject(
    scope: Scope, receive: Receive, send: Send, code: int, status: int, problem: Problem, *headers: tuple[bytes, bytes]
) -> None:
    """Answer a request with this status, or close a socket with this code."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        await send({"type": "websocket.close", "code": code, "reason": problem.text[:MAX_REASON]})
    else:
        await _answer(status, msgspec.json.encode(problem), send, *headers)


async def _answer(status: int, body: bytes, send: Send, *more: tuple[bytes, bytes]) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
