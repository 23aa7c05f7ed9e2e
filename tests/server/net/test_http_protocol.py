"""Connections that never say what they want are let go, and the server has room for many that do."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from pathlib import Path

import httpx
import pytest

from serai import games
from serai.server.net import http_protocol
from tests.faults.support import process
from tests.server.support import Visitor, house, run

GAME = games()[0]
BEGINNINGS = [
    b"",
    b"GET /api/ta",
    b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /api/ta",
]


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_who_never_ends_a_request_is_let_go(beginning: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "REQUEST_SECONDS", 0.3)

    async def play() -> None:
        async with house(tmp_path) as here:
            host, port = here.base.removeprefix("http://").split(":")
            lines = [await asyncio.open_connection(host, int(port)) for _ in range(20)]
            for _, writer in lines:
                writer.write(beginning)
            async with asyncio.timeout(10):
                for reader, writer in lines:
                    with contextlib.suppress(ConnectionError):
                        while await reader.read(1000):
                            pass
                    writer.close()
            assert not here.server.server_state.connections
            ann = Visitor(here.base)
            async with ann.at(await ann.create(GAME, seats=2)) as a:
                await a.heard("presence")
                await asyncio.sleep(0.5)  # a socket is no request that takes too long
                await a.tell("look", seat=None)
                await a.heard("welcome")

    run(play())


def test_a_head_without_end_is_cut_off(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            host, port = here.base.removeprefix("http://").split(":")
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(b"GET /api/games HTTP/1.1\r\n")
            with pytest.raises(ConnectionError):
                await _go_on(writer)
            async with httpx.AsyncClient(base_url=here.base) as client:
                for _ in range(5):  # one line, several requests, none of them long
                    answer = await client.get("/api/games", headers={"X-Long": "x" * 12_000})
                    assert answer.status_code == 200

    run(play())


async def _go_on(writer: asyncio.StreamWriter) -> None:
    """Twenty megabytes of headers."""
    for _ in range(2000):
        writer.write(b"X-More: and more\r\n" * 600)
        await writer.drain()


def test_the_usual_bound_on_open_files_is_lifted(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[1], 512), before[1]))
    try:
        with process(tmp_path / "tables.db") as server:
            soft, hard = resource.prlimit(server.popen.pid, resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert (hard, soft) == (before[1], min(before[1], 65_536))
