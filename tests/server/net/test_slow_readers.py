"""Who reads nothing is cut after a while, and all that waits to be read has a ceiling."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from serai import games
from serai.server.net import connections
from serai.server.net.connections import Backlog
from tests.faults.attacks import Wire, wire
from tests.server.support import QUICK, House, Visitor, house, run

GAME = games()[0]
LARGE = b"x" * 500_000


class Paper:
    """A transport that keeps what it is given until a test takes it away."""

    def __init__(self) -> None:
        self.waits = 0
        self.aborted = False

    def get_write_buffer_size(self) -> int:
        return self.waits

    def abort(self) -> None:
        self.aborted, self.waits = True, 0


class Writer:
    def __init__(self, address: str = "a") -> None:
        self.transport: Any = Paper()
        self.address = address

    def cut(self) -> None:
        self.transport.abort()

    def write(self, kept: Backlog, size: int) -> None:
        self.transport.waits += size
        kept.wrote(self, size)


async def _looked(kept: Backlog) -> None:
    while len(kept):
        await asyncio.sleep(0.001)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_CHECK_SECONDS", 0.01)
    monkeypatch.setattr(connections, "WRITE_SECONDS", 0.5)


@pytest.mark.usefixtures("quick")
def test_only_who_reads_nothing_is_cut() -> None:
    async def play() -> None:
        cut: list[int] = []
        kept, deaf, slow, done = Backlog(lambda: cut.append(1)), Writer(), Writer(), Writer()
        for writer in (deaf, slow, done):
            writer.write(kept, 1000)
        done.transport.waits = 0
        while not deaf.transport.aborted:
            slow.transport.waits -= 1
            await asyncio.sleep(0.005)
        assert (slow.transport.aborted, done.transport.aborted, len(cut)) == (False, False, 1)
        slow.transport.waits = 0
        await _looked(kept)

    asyncio.run(play())


def test_all_that_waits_has_a_ceiling() -> None:
    async def play() -> None:
        kept = Backlog()
        honest = [Writer(f"honest {number}") for number in range(5)]
        for writer in honest:
            writer.write(kept, 1 << 20)
        hostile = [Writer("hostile") for _ in range(1000)]
        for writer in hostile:
            writer.write(kept, 1 << 19)
        waits = sum(writer.transport.waits for writer in (*honest, *hostile))
        assert waits <= connections.MOST_UNSENT
        assert not any(writer.transport.aborted for writer in honest)
        assert sum(writer.transport.aborted for writer in hostile) > 800

    asyncio.run(play())


async def _let_wait(here: House, line: Wire) -> None:
    """An answer that is larger than what the system takes."""
    await line.send(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
    while not len(here.server.config.unsent):  # type: ignore[attr-defined]
        await asyncio.sleep(0.001)


@pytest.mark.usefixtures("quick")
def test_who_does_not_read_an_answer_is_cut(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "large").write_bytes(LARGE)
    (tmp_path / "web" / "index.html").write_text("")

    async def play() -> None:
        async with house(tmp_path, web=tmp_path / "web") as here:
            async with wire(here.base) as reader:
                await reader.send(b"GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                assert (await reader.read_all()).endswith(LARGE)
            await _looked(here.server.config.unsent)  # type: ignore[attr-defined]
            async with wire(here.base) as deaf:
                await _let_wait(here, deaf)
                while here.server.server_state.connections:
                    await asyncio.sleep(0.01)
                assert len(await deaf.read_all()) < len(LARGE)
            assert here.hall.metrics.cut_off.value == 1
            assert not here.server.server_state.tasks

    run(play())


@pytest.mark.usefixtures("quick")
def test_a_viewer_who_reads_nothing_but_answers_pings_is_cut(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path, QUICK) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            async with wire(here.base, buffer=2048) as deaf:
                asked = (
                    f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
                )
                await deaf.send(asked.encode())
                while not here.hall.gauges()["sockets"][1]:
                    await asyncio.sleep(0.001)
                look = b'{"type":"look","seat":null}'
                for _ in range(600):  # each is answered by a welcome
                    await deaf.send(b"\x81" + bytes([0x80 | len(look)]) + b"\0\0\0\0" + look)
                while here.hall.gauges()["sockets"][1]:
                    await deaf.send(b"\x8a\x80\0\0\0\0")
                    await asyncio.sleep(0.02)
            assert here.hall.metrics.cut_off.value == 1

    run(play())
