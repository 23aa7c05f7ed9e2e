"""Hostile bytes for a server: requests and frames that are nearly right, and what becomes of them in random hands."""

from __future__ import annotations

import json
import random
import struct

from tests.server.support import Json
from tests.support import SOAK

BODY = json.dumps({"game": "camelup", "seats": 2}).encode()
JOIN = json.dumps({"id": "x", "name": "Eve", "value": "0" * 64}).encode()
METHODS = (b"GET", b"GET", b"GET", b"POST", b"POST", b"HEAD", b"OPTIONS", b"PUT", b"DELETE", b"CONNECT", b"PRI", b"get")
VERSIONS = (*(b"HTTP/1.1",) * 8, b"HTTP/1.0", b"HTTP/0.9", b"HTTP/2.0", b"HTTP/1.1 ", b"ICY/1", b"")
HEADERS = (
    b"Host: localhost",
    b"Host: evil.example",
    b"Host:",
    b"Host: [::1",
    b"Content-Length: 5",
    b"Content-Length: -1",
    b"Content-Length: 99999999999999999999999",
    b"Content-Length: 5, 5",
    b"Transfer-Encoding: chunked",
    b"Transfer-Encoding: gzip, chunked",
    b"Transfer-Encoding: identity",
    b"Content-Type: application/json",
    b"Content-Type: multipart/form-data; boundary=x",
    b"Content-Type: application/x-www-form-urlencoded; charset=utf-99",
    b"Content-Encoding: gzip",
    b"Expect: 100-continue",
    b"Expect: nothing",
    b"Connection: close",
    b"Connection: keep-alive, upgrade",
    b"Upgrade: websocket",
    b"Upgrade: h2c",
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    b"Sec-WebSocket-Version: 13",
    b"Origin: https://evil.example",
    b"Origin: null",
    b"Authorization: Bearer " + b"a" * 30,
    b"Authorization: \xff\xfe",
    b"Cookie: serai_visitor=" + b"b" * 30,
    b"Cookie: ;;;=;=",
    b"X-Forwarded-For: 192.0.2.1, , :::",
    b"Range: bytes=0-0,-1,5-",
    b"If-None-Match: *",
    b"Accept-Encoding: gzip;q=0, *;q=9",
    b"Accept: text/html;q=x",
    b"X-Long: " + b"x" * 9000,
    b"X-Odd: \x00\x01\x7f",
    b"X-Folded: a\r\n b",
    b" : ",
    b"NoColon",
)
ODDS = (b"/odds",) if SOAK else ()
"""To load what tells odds takes seconds."""
ENDS = (b"\r\n\r\n",) * 9 + (b"\n\n", b"\r\n", b"\r\r\n\r\n", b"")


def request(rng: random.Random, tables: list[str]) -> bytes:
    """One request: now nearly right, now nonsense, now several at once."""
    kind = rng.randrange(12)
    if kind == 0:
        return rng.randbytes(rng.randrange(1, 400))
    if kind == 1:
        return b"".join(_one(rng, tables) for _ in range(rng.randrange(2, 14)))
    one = _one(rng, tables)
    if kind == 2:
        return one[: rng.randrange(len(one))]
    if kind == 3:
        return _mutated(rng, one)
    return one


def _one(rng: random.Random, tables: list[str]) -> bytes:
    method, body = rng.choice(METHODS), rng.choice((b"", BODY, JOIN, BODY[:-1], b"[" * 3000, rng.randbytes(40)))
    headers = [b"Host: localhost"] if rng.random() < 0.9 else []
    headers += rng.sample(HEADERS, rng.choice((0, 1, 1, 2, 4))) if rng.random() < 0.7 else []
    if rng.random() < 0.02:
        headers += [b"X-%d: y" % number for number in range(200)]
    if method == b"POST" and rng.random() < 0.9:
        headers.append(b"Content-Type: application/json")
        if rng.random() < 0.4:
            headers.append(b"Transfer-Encoding: chunked")
            body = _chunked(rng, body)
        else:
            headers.append(b"Content-Length: %d" % max(len(body) + rng.choice((0, 0, 0, 0, -1, 1)), 0))
    line = b" ".join((method, _path(rng, tables), rng.choice(VERSIONS)))
    return b"\r\n".join((line, *headers)) + rng.choice(ENDS) + body


def _path(rng: random.Random, tables: list[str]) -> bytes:
    table = rng.choice((*tables, "0", "nowhere", "%00", "a" * 60)).encode()
    known: bytes = rng.choice(
        (
            *(b"/", b"/api/games", b"/api/tables", b"/api/mine", b"/healthz", b"/readyz", b"/metrics", b"/.sources"),
            *(b"/api/tables/" + table + rest for rest in (b"", b"/seats", b"/record", b"/draws", b"/frames", *ODDS)),
            *(b"/api/tables/" + table + rest for rest in (b"/invite.svg", b"/socket", b"/frames?seat=0")),
            *(b"/api/replay", b"/api/games/camelup/odds?position=x", b"/api/openapi.json", b"/assets/../../x"),
            *(
                b"//evil.example/",
                b"http://evil.example/api/games",
                b"*",
                b"",
                b"/%ff%c0%80",
                b"/\xff",
                b"/" + b"a" * 7000,
            ),
        )
    )
    return known + rng.choice((b"", b"", b"", b"?seat=x", b"?seat=99&seat=0", b"?%=%&&=", b"#x", b"?build=\xc3\xa9"))


def _chunked(rng: random.Random, body: bytes) -> bytes:
    """A body in chunks, with extensions, trailers and mistakes."""
    parts = []
    while body:
        size = rng.choice((1, 7, 64, len(body)))
        piece, body = body[:size], body[size:]
        told = len(piece) + (rng.choice((1, -1, 1 << 40)) if rng.random() < 0.02 else 0)
        parts.append(b"%x%s\r\n%s\r\n" % (max(told, 0), rng.choice((b"", b"", b";a", b';a="b"', b"; a=b")), piece))
    trailers = rng.choice(
        (b"", b"", b"X: y\r\n", b"Authorization: Bearer " + b"c" * 30 + b"\r\n", b"T: a\r\n" * 50, b":\r\n")
    )
    return b"".join(parts) + rng.choice((b"0\r\n", b"0\r\n", b"000;x\r\n", b"", b"g\r\n")) + trailers + b"\r\n"


def _mutated(rng: random.Random, data: bytes) -> bytes:
    """Some bytes changed, lost, doubled."""
    text = bytearray(data)
    for _ in range(rng.randrange(1, 8)):
        at = rng.randrange(len(text) + 1)
        match rng.randrange(3):
            case 0:
                text[at:at] = rng.randbytes(rng.choice((1, 1, 2, 50)))
            case 1:
                del text[at : at + rng.choice((1, 1, 5, 40))]
            case _:
                text[at : at + 1] = rng.choice((b"\r", b"\n", b"\0", b" ", b":", b"\xff", b"\t"))
    return bytes(text)


def frame(rng: random.Random, payload: str | bytes) -> bytes:
    """A frame of a WebSocket around a payload, one in four of them wrong."""
    data = payload.encode() if isinstance(payload, str) else payload
    opcode = 1 if isinstance(payload, str) else 2
    first, masked = 0x80 | opcode, 0x80
    length = len(data)
    if rng.random() < 0.25:
        match rng.randrange(6):
            case 0:
                first = rng.randrange(256)
            case 1:
                masked = 0
            case 2:
                length += rng.choice((-1, 1, 1000))
            case 3:
                first, data = 0x89, data[:125]
                length = len(data)
            case 4:
                first = opcode  # a piece, of which no end may come
            case _:
                return rng.randbytes(rng.randrange(1, 40))
    length = max(length, 0)
    head = struct.pack("!BB", first, masked | min(length, 126 if length < 1 << 16 else 127))
    if length > 125:
        head += struct.pack("!H" if length < 1 << 16 else "!Q", length)
    mask = rng.randbytes(4) if masked else b""
    hidden = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)) if masked else data
    return head + mask + hidden


def handshake(table: str, query: Json | None = None) -> bytes:
    """What asks for a socket."""
    asked = "&".join(f"{key}={value}" for key, value in (query or {}).items())
    lines = (
        f"GET /api/tables/{table}/socket?{asked} HTTP/1.1",
        "Host: localhost",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
    )
    return "\r\n".join((*lines, "", "")).encode()
