"""What every answer carries and every request must pass: security headers, the check of where it came from, and the
base path, which nobody behind this knows of.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec

from serai.core.errors import phrase
from serai.server.errors import NotFound
from serai.server.http.basepath import below
from serai.server.http.problems import problem_of
from serai.server.limits import TooMany, address_of

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
MAX_HOST = 260
"""Characters: the longest name there can be, and a port."""
WATCHED = {"/healthz", "/readyz", "/metrics"}
"""Whoever watches the server is not counted."""
_SAFE = {"GET", "HEAD", "OPTIONS"}
_FORBIDDEN_ORIGIN, _NOT_HERE, _TOO_MANY = 4403, 4404, 4429
_PROBLEM = b'{"key":"server.origin","values":{},"text":"requests from other sites are not taken"}'
_BAD_HOST = b'{"key":"server.malformed","values":{},"text":"the Host header is longer than a name of a host can be"}'

phrase(
    {
        "server.origin": "requests from other sites are not taken",
        "server.elsewhere": "there is nothing here; Serai lives at {base}",
    }
)


def guard(app: Asgi, may: May = lambda what, address: True, base: str = "") -> Asgi:
    """Wrap an application that lives below ``base``; ``may`` says whether one more ``requests`` or ``pages`` is allowed
    to an address.
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

        if not _from_here(scope):
            return _turn_away(scope, receive, send_with_headers)
        if path is None:
            return _show_the_way(base, scope, receive, send_with_headers)
        if scope["type"] == "http" and len(_header(scope, b"host") or "") > MAX_HOST:
            return _answer(400, _BAD_HOST, send_with_headers)
        if path not in WATCHED and not may(what, address_of(scope["client"])):
            return _hold_back(what, scope, receive, send_with_headers)
        return app({**scope, "path": path}, receive, send_with_headers)

    return guarded


def _from_here(scope: Scope) -> bool:
    """Whether a request that could change something, or a socket, comes from our own pages or from no page at all."""
    if scope["type"] == "http" and scope["method"] in _SAFE:
        return True
    origin = _header(scope, b"origin")
    try:
        return origin is None or urlsplit(origin).netloc.lower() == (_header(scope, b"host") or "").lower()
    except ValueError:  # no address at all
        return False


def _header(scope: Scope, wanted: bytes) -> str | None:
    for name, value in scope["headers"]:
        if name.lower() == wanted:
            told: str = value.decode("latin-1")
            return told
    return None


async def _turn_away(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await _hang_up(_FORBIDDEN_ORIGIN, "origin not allowed", receive, send)
        return
    await _answer(403, _PROBLEM, send)


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
    await send({"type": "websocket.close", "code": code, "reason": reason})


async def _answer(status: int, body: bytes, send: Send, *more: tuple[bytes, bytes]) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
