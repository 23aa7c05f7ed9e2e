"""Requests without end, answers that nobody reads: they are cut, cost a fixed amount, and other tables play on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

from tests.faults.attacks import bystander, wire
from tests.faults.support import process
from tests.server.support import run
from tests.support import amount

Tell = Callable[[str, object], None]
BODY = json.dumps({"game": "camelup", "seats": 2}).encode()
HEAD = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
CHUNK = b"%x\r\n%s\r\n" % (len(BODY), BODY)
CONNECTIONS = amount(2, 20)
SECONDS_OF_SOAK = 10.0
CUT_BY = 1 << 20
"""Bytes: the limits, and what the system takes by itself on both sides."""
ENDLESS = {
    "headers": (HEAD, b"X-More: and more\r\n"),
    "one header": (HEAD + b"X-More: ", b"and more "),
    "an address": (b"GET /", b"and/more/"),
    "trailers": (CHUNKED + CHUNK + b"0\r\n", b"T0001: a\r\n"),
    "one trailer": (CHUNKED + CHUNK + b"0\r\nT: ", b"and more "),
    "a chunk's extension": (CHUNKED + b"1;x=", b"and more"),
    "empty lines": (b"\r\n", b"\r\n"),
    "chunks of a byte": (CHUNKED, b"1\r\n \r\n"),
    "a body": (HEAD + b"Content-Length: 99999999\r\n\r\n", b" "),
    "requests": (b"", b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    "a socket's head": (HEAD.replace(b"POST", b"GET") + b"Connection: upgrade\r\nUpgrade: websocket\r\n", b"X: y\r\n"),
}


def test_requests_without_end_are_cut_and_nobody_notices(tmp_path: Path, record_property: Tell) -> None:
    async def attack(base: str, begin: bytes, more: bytes) -> int:
        async with wire(base) as line:
            going_on = more * (8192 // len(more))
            await line.send(begin)
            while await line.send(going_on):
                assert line.sent < CUT_BY
            return line.sent

    async def attacks(base: str) -> dict[str, int]:
        until = asyncio.get_running_loop().time() + amount(0, 1) * SECONDS_OF_SOAK
        sent: dict[str, int] = {}
        while True:
            for name, (begin, more) in ENDLESS.items():
                cut = await asyncio.gather(*(attack(base, begin, more) for _ in range(CONNECTIONS)))
                sent[name] = max(cut)
            if asyncio.get_running_loop().time() >= until:
                return sent

    async def all_attacks(base: str) -> None:
        sent = await attacks(base)
        record_property("told", f"cut after so many kB: { ({name: size // 1000 for name, size in sent.items()}) }")

    with process(tmp_path / "tables.db", limited=True) as server:
        with bystander(server, record_property):
            run(all_attacks(server.base))
        server.popen.terminate()
        assert server.popen.stdout is not None
        said = server.popen.stdout.read()
        assert "Traceback" not in said
        assert said.count("\n") < 50, "nor do they fill the log"
