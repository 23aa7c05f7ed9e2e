"""Connections that never say what they want are let go, and the server has room for many that do."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import resource
from pathlib import Path

import httpx
import msgspec
import pytest

from serai import games
from serai.server.limits import NO_LIMITS
from serai.server.net import http_protocol
from serai.server.net.connections import RESERVED_FILES, Admission
from serai.server.settings import Sources
from tests.faults.attacks import wire
from tests.faults.support import process
from tests.server.support import QUICK, Clock, Visitor, house, run

GAME = games()[0]
BEGINNINGS = [
    b"",
    b"GET /api/ta",
    b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
    b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /api/ta",
]


def test_who_never_ends_a_request_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "REQUEST_SECONDS", 0.5)

    async def play() -> None:
        async with house(tmp_path) as here:
            host, port = here.base.removeprefix("http://").split(":")
            lines = [await asyncio.open_connection(host, int(port)) for _ in range(4 * len(BEGINNINGS))]
            for (_, writer), beginning in zip(lines, BEGINNINGS * 4, strict=True):
                writer.write(beginning)
            async with asyncio.timeout(10):
                for reader, writer in lines:
                    with contextlib.suppress(ConnectionError):
                        while await reader.read(1000):
                            pass
                    writer.close()
            assert not here.server.server_state.connections
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            async with ann.at(table) as a:
                await a.heard("presence")
                await asyncio.sleep(0.8)  # a socket is no request that takes too long
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
            async with httpx.AsyncClient(base_url=here.base, verify=False) as client:
                for _ in range(5):  # one line, several requests, none of them long
                    answer = await client.get("/api/games", headers={"X-Long": "x" * 12_000})
                    assert answer.status_code == 200

    run(play())


async def _go_on(writer: asyncio.StreamWriter) -> None:
    """Twenty megabytes of headers."""
    for _ in range(2000):
        writer.write(b"X-More: and more\r\n" * 600)
        await writer.drain()


async def _answers(base: str, *sent: bytes) -> list[int]:
    """The status of every answer to what is sent, in parts, over one connection."""
    async with wire(base) as line:
        for part in sent:
            await line.send(part)
            await asyncio.sleep(0.01)
        return [int(status) for status in re.findall(rb"HTTP/1.1 (\d+)", await line.read_all())]


def _head(size: int) -> bytes:
    """A request of that many bytes."""
    begin = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: "
    return begin + b"x" * (size - len(begin) - 4) + b"\r\n\r\n"


def test_a_head_may_be_as_long_as_documented_and_not_a_byte_longer(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            assert http_protocol.HEAD_BYTES == 32 * 1024
            longest = _head(http_protocol.HEAD_BYTES)
            assert await _answers(here.base, longest) == [200]
            assert await _answers(here.base, longest[:20_000], longest[20_000:]) == [200]
            assert await _answers(here.base, _head(http_protocol.HEAD_BYTES + 1)) == [431]
            many = b"".join(b"X-%d: y\r\n" % number for number in range(http_protocol.MOST_HEADERS - 2))
            request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            assert await _answers(here.base, request + many + b"\r\n") == [200]
            assert await _answers(here.base, request + many + b"X: one more\r\n\r\n") == [431]

    run(play())


def test_trailers_are_no_headers(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            body = json.dumps({"game": GAME, "seats": 2}).encode()
            table = await ann.create(GAME, seats=2)
            await ann.join(table, "Ann")
            trailers = f"Authorization: Bearer {ann.token}\r\nHost: evil.example\r\nOrigin: null\r\n\r\n".encode()
            chunked = b"Host: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n"
            chunk = b"%x;ext=1\r\n%s\r\n0;last\r\n" % (len(body), body)
            look = f"GET /api/tables/{table} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
            for end in (trailers, b"\r\n"):
                async with wire(here.base) as line:
                    # they come late: the request waits for them, and then has an answer all the same
                    await line.send(b"POST /api/tables HTTP/1.1\r\n" + chunked + chunk)
                    await line.send(end + look)
                    told = (await line.read_all()).decode()
                made, seen = told.split("HTTP/1.1 200 OK")
                assert "HTTP/1.1 201 Created" in made
                assert "serai_visitor=" in made, "they are somebody new"
                assert json.loads(seen.partition("\r\n\r\n")[2])["yours"] == [], "and so is who asks next"

    run(play())


def test_few_requests_may_wait_on_a_connection(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            asked = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
            last = asked.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
            assert await _answers(here.base, asked * http_protocol.MOST_PIPELINED + last) == [200] * 9
            assert len(await _answers(here.base, asked * 100 + last)) < 100
            assert not here.server.server_state.tasks

    run(play())


def test_who_asks_and_then_says_no_more_is_answered(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            for asked, answers in ((b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n", 1), (b"GET /api/ga", 0)):
                async with wire(here.base) as line:
                    await line.send(asked * 2 if answers else asked)
                    line.half_close()
                    assert (await line.read_all()).count(b"HTTP/1.1 200") == 2 * answers
            while here.server.server_state.connections:
                await asyncio.sleep(0.001)

    run(play())


def test_who_goes_in_the_middle_of_a_request_is_no_fault(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            head = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            for halfway in (
                head + b"Content-Length: 1000\r\n\r\n{",
                head + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
                head + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{1234}\r\nnonsense",
            ):
                async with wire(here.base) as line:
                    await line.send(halfway)
                    while not here.server.server_state.tasks and not here.hall.metrics.refusals.value:
                        await asyncio.sleep(0.001)
                while here.server.server_state.tasks or here.server.server_state.connections:
                    await asyncio.sleep(0.001)
            assert (await Visitor(here.base).call("GET", "/readyz")).status_code == 200

    run(play())
    assert not caplog.records


def test_a_body_that_goes_on_after_its_answer_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "LINGER_SECONDS", 0.1)

    async def play() -> None:
        async with house(tmp_path) as here:
            asked = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n" + b" " * 20_000
            async with wire(here.base) as line:
                await line.send(asked)
                told = await line.read_all()
                assert told.startswith(b"HTTP/1.1 413"), "and then the connection was ended"
            assert not here.server.server_state.connections

    run(play())


def test_connections_of_an_address_are_counted(tmp_path: Path) -> None:
    async def status(base: str, address: str) -> int:
        async with wire(base, address) as line:
            await line.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return int((await line.read_all()).split()[1])

    async def play() -> None:
        limits = msgspec.structs.replace(NO_LIMITS, connections=3)
        settings = msgspec.structs.replace(QUICK, limits=limits)
        async with house(tmp_path, settings) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            while here.server.server_state.connections:
                await asyncio.sleep(0.001)
            async with ann.at(table) as a, wire(here.base), wire(here.base):
                await a.heard("welcome")
                assert await status(here.base, "127.0.0.1") == 429, "a socket is one of them"
                assert await status(here.base, "127.0.0.2") == 200
            while here.server.server_state.connections:
                await asyncio.sleep(0.001)
            assert await status(here.base, "127.0.0.1") == 200, "who goes makes room"
            assert len(here.server.config.admission) <= 1  # type: ignore[attr-defined]
        settings = msgspec.structs.replace(settings, trusted_proxies="127.0.0.1")
        async with house(tmp_path, settings) as here, contextlib.AsyncExitStack() as stack:
            for _ in range(5):
                await stack.enter_async_context(wire(here.base))
            assert await status(here.base, "127.0.0.1") == 200, "a proxy's are many people's"
            for _ in range(3):
                await stack.enter_async_context(wire(here.base, "127.0.0.2"))
            assert await status(here.base, "127.0.0.2") == 429

    run(play())


def test_who_sends_nothing_but_nonsense_is_held_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "REFUSE_SECONDS", 0.1)

    async def told(base: str, address: str, asked: bytes) -> bytes:
        async with wire(base, address) as line:
            await line.send(asked)
            return (await line.read_all()).split()[1]

    async def play() -> None:
        limits = msgspec.structs.replace(NO_LIMITS, malformed=6)
        settings = msgspec.structs.replace(QUICK, limits=limits)
        async with house(tmp_path, settings, sources=Sources(clock=Clock())) as here:
            asked = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            assert [await told(here.base, "127.0.0.1", b"\x16\x03\x01 nonsense") for _ in range(3)] == [b"400"] * 3
            assert await told(here.base, "127.0.0.1", asked) == b"429"
            assert await told(here.base, "127.0.0.2", asked) == b"200"
            here.hall.sources.clock.now += 10
            assert await told(here.base, "127.0.0.1", asked) == b"200"

    run(play())


@pytest.mark.parametrize("proxy", [False, True])
def test_whose_large_bodies_are_refused_is_soon_held_back(
    proxy: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_protocol, "REFUSE_SECONDS", 0.1)

    async def play() -> None:
        limits = msgspec.structs.replace(NO_LIMITS, malformed=60)
        settings = msgspec.structs.replace(QUICK, limits=limits, trusted_proxies="127.0.0.1" if proxy else "")
        async with house(tmp_path, settings, sources=Sources(clock=Clock())) as here, httpx.AsyncClient() as client:

            async def told(record: str, address: str = "192.0.2.1") -> int:
                headers = {"X-Forwarded-For": address}
                answer = await client.post(f"{here.base}/api/replay", json={"record": record}, headers=headers)
                return answer.status_code

            assert [await told("no record") for _ in range(5)] == [400] * 5, "small ones are as cheap as they are"
            large = "x" * 100_000
            assert [await told(large) for _ in range(4)] == [400] * 4, "thirty at once, and seven for each of these"
            assert [await told(large), await told("no record")] == [429, 429]
            if proxy:
                assert await told("no record", "192.0.2.2") == 400, "another behind the same proxy"
            here.hall.sources.clock.now += 30
            assert await told("no record") == 400

    run(play())


def test_there_is_room_for_what_is_no_connection(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here, contextlib.AsyncExitStack() as stack:
            here.server.config.admission = Admission(here.hall.gate, files=300)  # type: ignore[attr-defined]
            lines = [await stack.enter_async_context(wire(here.base)) for _ in range(300 - RESERVED_FILES + 1)]
            assert (await lines[-1].read_all()).startswith(b"HTTP/1.1 503 ")

    run(play())


def test_the_usual_bound_on_open_files_is_lifted(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[1], 512), before[1]))
    try:
        with process(tmp_path / "tables.db") as server:
            soft, hard = resource.prlimit(server.popen.pid, resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert (hard, soft) == (before[1], min(before[1], 65_536))
