"""Lines to viewers: who floods, does not read, or goes halfway is let go, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import itertools
import socket
import weakref
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed
from websockets.server import ServerProtocol

from serai import games
from serai.server.limits import NO_LIMITS, Gate
from serai.server.net import http_protocol, ws_protocol
from serai.server.net.connections import Admission, Backlog, NetConfig
from serai.server.store.base import StoredTable, StoreError
from tests.server.support import PATIENCE, QUICK, House, Visitor, house, run

GAME = games()[0]
PING, CLOSE, PIECE = b"\x89\xfd", b"\x88\x80", b"\x00\x80"
MASK = b"\0\0\0\0"


def test_who_never_reads_is_cut_off_and_nobody_notices(tmp_path: Path) -> None:
    async def play() -> None:
        settings = msgspec.structs.replace(QUICK, limits=NO_LIMITS)
        async with house(tmp_path, settings=settings) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            await ann.join(table, "Ann")
            await ann.join(table, "Bob")
            deaf = await _deaf(here, table)
            try:
                async with ann.at(table, seat=0) as a, ann.at(table, seat=1) as b:
                    await a.do("start")
                    look = b'{"type":"look","seat":null}'
                    cut = False
                    while not cut:
                        # each is answered by a welcome, which is long
                        try:
                            deaf.send(b"\x81" + bytes([0x80 | len(look)]) + b"\0\0\0\0" + look)
                        except BlockingIOError:
                            await asyncio.sleep(0.005)
                        except OSError:
                            cut = True  # not only closed, which would wait for what is still to be read
                        await asyncio.sleep(0)
                    while here.hall.gauges()["sockets"][1] > 2:
                        await asyncio.sleep(0.01)
                    assert here.hall.metrics.cut_off.value == 1
                    mover = await a.my_turn_or(b)
                    await mover.act(mover.actions[0])
            finally:
                deaf.close()

    run(play())


async def _deaf(here: House, table: str) -> socket.socket:
    """A viewer who never reads a byte after the handshake."""
    host, port = here.base.removeprefix("http://").split(":")
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    line.connect((host, int(port)))
    asked = [
        f"GET /api/tables/{table}/socket HTTP/1.1",
        f"Host: {host}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
    ]
    line.send("\r\n".join([*asked, "", ""]).encode())
    line.setblocking(False)
    while here.hall.gauges()["sockets"][1] < 1:
        await asyncio.sleep(0.01)
    return line


async def _push(line: socket.socket, data: bytes) -> None:
    """Send until it is cut off."""
    while True:
        try:
            line.send(data)
        except BlockingIOError:
            await asyncio.sleep(0.005)
        except OSError:
            return
        await asyncio.sleep(0)


@pytest.mark.parametrize("trifle", [PING + MASK + b"x" * 125, b"\x8a\x80" + MASK, b"\x01\x80" + MASK + PIECE + MASK])
def test_who_sends_only_trifles_is_cut_off(trifle: bytes, tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            deaf = await _deaf(here, table)
            most = 0

            async def watch() -> None:
                nonlocal most
                while True:
                    for one in here.server.server_state.connections:
                        if isinstance(one, ws_protocol.WebSocketProtocol) and not one.transport.is_closing():
                            most = max(most, one.unsent())
                    await asyncio.sleep(0)

            watching = asyncio.create_task(watch())
            await _push(deaf, trifle * 100 if trifle[:1] != b"\x01" else trifle + (PIECE + MASK) * 100)
            watching.cancel()
            deaf.close()
            assert most < 2 * ws_protocol.OUTBOX_BYTES
            await _none_left(here)

    run(play())


def test_who_says_goodbye_and_does_not_read_is_cut_off_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ws_protocol, "CLOSE_SECONDS", 0.3)

    async def play() -> None:
        async with house(tmp_path) as here:
            deaf = await _deaf(here, await Visitor(here.base).create(GAME, seats=2))
            (line,) = [
                one for one in here.server.server_state.connections if isinstance(one, ws_protocol.WebSocketProtocol)
            ]
            for _ in range(200):
                line.write(b"x" * 5000)  # more than the system takes from somebody who does not read
            deaf.send(CLOSE + MASK)
            await _none_left(here)
            deaf.close()

    run(play())


def test_a_server_stops_although_somebody_went_halfway(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            here.server.config.timeout_graceful_shutdown = 1
            deaf = await _deaf(here, await Visitor(here.base).create(GAME, seats=2))
            (line,) = [
                one for one in here.server.server_state.connections if isinstance(one, ws_protocol.WebSocketProtocol)
            ]
            for _ in range(200):
                line.write(b"x" * 5000)
            deaf.send(CLOSE + MASK)
            while not line.transport.is_closing():
                await asyncio.sleep(0.01)
            store = here.hall.store
        assert not store._writer.is_alive(), "it went to its end"
        deaf.close()

    run(play())


def test_a_closed_line_is_freed_without_a_sweep(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            lines: list[weakref.ref[ws_protocol.WebSocketProtocol]] = []
            gc.collect()
            gc.disable()
            try:
                for _ in range(5):
                    async with ann.at(table) as a:
                        await a.heard("presence")
                        lines += [
                            weakref.ref(one)
                            for one in here.server.server_state.connections
                            if isinstance(one, ws_protocol.WebSocketProtocol)
                        ]
                await _none_left(here)
                async with asyncio.timeout(10):
                    while any(line() is not None for line in lines):
                        await asyncio.sleep(0.02)
            finally:
                gc.enable()
            assert len(lines) == 5

    run(play())


def test_a_socket_that_comes_in_an_outage_is_told_to_come_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)

            async def gone(table: str) -> StoredTable:
                raise StoreError("the disk is gone")

            monkeypatch.setattr(here.hall.store, "read_table", gone)
            async with ann.at("abc") as a:
                with pytest.raises(ConnectionClosed):
                    await a.next()
                assert a.socket.close_code == 1013
            assert not here.hall._loading

    run(play())


def test_who_goes_while_their_table_is_being_read_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        ann = Visitor("")
        async with house(tmp_path) as here:
            ann.base = here.base
            table = await ann.create(GAME, seats=2)
        async with house(tmp_path) as here:
            ann.base = here.base
            asked, go_on, read = asyncio.Event(), asyncio.Event(), here.hall.store.read_table

            async def read_slowly(table_id: str) -> StoredTable:
                asked.set()
                await go_on.wait()
                found: StoredTable = await read(table_id)
                return found

            monkeypatch.setattr(here.hall.store, "read_table", read_slowly)
            async with ann.at(table) as a:
                await asked.wait()
                a.socket.transport.abort()
                await _none_left(here)
            go_on.set()
            async with asyncio.timeout(PATIENCE):
                while here.server.server_state.tasks:
                    await asyncio.sleep(0.01)
            assert here.hall.gauges()["sockets"][1] == 0

    run(play())
    assert "while serving a socket" not in caplog.text


def test_a_query_that_cannot_be_is_refused(tmp_path: Path) -> None:
    queries: list[dict[str, Any]] = [{"seen": -2}, {"seen": "x"}, {"seat": -1}, {"seat": 5}]

    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            for query in queries:
                async with ann.at(table, **query) as a:
                    with pytest.raises(ConnectionClosed):
                        await a.next()
                    assert a.socket.close_code == 4409, query

    run(play())


async def _line(here: House) -> ws_protocol.WebSocketProtocol:
    """The only socket there is."""
    (line,) = [one for one in here.server.server_state.connections if isinstance(one, ws_protocol.WebSocketProtocol)]
    return line


def test_a_message_of_any_length_arrives_as_it_was(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            async with ann.at(await ann.create(GAME, seats=2)) as a:
                await a.heard("presence")
                for size in (0, 125, 126, 65_535, 65_536, 200_000):
                    (await _line(here)).write(b"x" * size)
                    assert await a.socket.recv() == "x" * size

    run(play())


class Wire:
    """A transport without a system: it holds back while reading is paused."""

    def __init__(self) -> None:
        self.reads = True
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0

    def get_extra_info(self, _: str) -> None:
        return None


UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
)
LENGTHS = st.one_of(st.integers(0, 20), st.sampled_from([125, 126, 127, 2040, 2041, 3000]))


@st.composite
def frames(draw: st.DrawFn) -> tuple[bytes, list[str]]:
    """What a client may send, as bytes, and the messages in it."""
    data, told = b"", []
    for letter in draw(st.text("abcdef", max_size=6)):
        text = letter * draw(LENGTHS)
        kind = draw(st.sampled_from(["whole", "whole", "whole", "pieces", "ping", "pong", "longer than necessary"]))
        half = len(text) // 2
        match kind:
            case "pieces":
                data += _masked(0x01, text[:half].encode()) + _masked(0x89, b"") + _masked(0x80, text[half:].encode())
            case "ping" | "pong":
                data += _masked(0x89 if kind == "ping" else 0x8A, text[:125].encode())
                continue
            case _:
                data += _masked(0x81, text.encode(), longer=kind != "whole")
        told.append(text)
    return data, told


def _masked(first: int, payload: bytes, *, longer: bool = False) -> bytes:
    size, mask = len(payload), b"\x0d\x0a\x81\x85"
    length = bytes([0x80 | size]) if size < 126 and not longer else b"\xfe" + size.to_bytes(2, "big")
    return bytes([first]) + length + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


async def messages_in(*pieces: bytes) -> list[str]:
    """What the application hears when these bytes come, one piece after the other."""
    heard: list[str] = []

    async def app(_: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while True:
            heard.append((await receive())["text"])

    config = NetConfig(
        app, admission=Admission(Gate(NO_LIMITS)), unsent=Backlog(), interface="asgi3", ws_max_size=10_000
    )
    config.load()
    state, wire = ServerState(), Wire()
    line: Any = ws_protocol.WebSocketProtocol(config, state, {})
    line.connection_made(wire)
    for piece in pieces:
        while not wire.reads:
            await asyncio.sleep(0)
        line.data_received(piece)
        for _ in range(8):
            await asyncio.sleep(0)
    for task in state.tasks:
        task.cancel()
    line.connection_lost(None)
    return heard


@settings(max_examples=60, deadline=None)
@given(frames(), st.lists(st.integers(0, 7000), max_size=8), st.booleans())
def test_however_bytes_are_cut_the_messages_are_the_same(
    sent: tuple[bytes, list[str]], cuts: list[int], at_once: bool
) -> None:
    data, told = sent
    first, rest = (UPGRADE + data, b"") if at_once else (UPGRADE, data)
    places = sorted({0, *(cut for cut in cuts if cut < len(rest)), len(rest)})
    pieces = [rest[begin:end] for begin, end in itertools.pairwise(places)]
    assert asyncio.run(messages_in(first, *pieces)) == told


@pytest.mark.parametrize("before", [b"", b"\x89\x80" + MASK, b"\x81\xfe\x00\x01" + MASK + b"x"])
def test_the_rest_of_a_message_that_looks_like_one_is_none(before: bytes) -> None:
    inside = b"\x81\x82\x01\x02"
    mask = bytes(byte ^ ord("a") for byte in inside)
    payload = inside + bytes(byte ^ ord("b") for byte in mask)
    heard = asyncio.run(messages_in(UPGRADE, before + b"\x81\x88" + mask, payload))
    assert heard[-1:] == ["aaaabbbb"]


def test_a_length_of_eight_bytes_is_read_as_one() -> None:
    """Longer than it need be, and the whole as long as a message of 127 bytes would be."""
    mask = b"\x00" * 4
    frame = b"\x81\xff" + (119).to_bytes(8, "big") + mask + b"a" * 119
    assert asyncio.run(messages_in(UPGRADE, frame)) == ["a" * 119]


def test_a_message_in_pieces_is_one_and_one_in_bytes_is_none(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.heard("presence")
                await a.socket.send(['{"type":"say",', '"id":"1","te', 'xt":"hello"}'])
                assert (await a.heard("chat"))["text"] == "hello"
                for wrong in (
                    b'{"type":"say","id":"2","text":"hello"}',
                    [b'{"type":"say","id":', b'"2","text":"hello"}'],
                ):
                    await a.socket.send(wrong)
                    assert (await a.heard("refused"))["key"] == "server.malformed"

    run(play())


def test_what_is_no_text_ends_the_line(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            async with ann.at(await ann.create(GAME, seats=2)) as a:
                await a.heard("presence")
                await a.socket.send(b"\xff", text=True)
                await a.socket.wait_closed()
                assert a.socket.close_code == 1007

    run(play())


def test_who_does_not_answer_a_ping_is_cut_off_and_who_does_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ws_protocol, "PING_SECONDS", 0.5)

    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            deaf = await _deaf(here, table)
            async with ann.at(table) as a:
                while here.hall.gauges()["sockets"][1] > 1:
                    await asyncio.sleep(0.01)
                await a.until(lambda told: told["type"] == "presence" and told["watching"] == 1)
                assert not (await _line(here)).transport.is_closing()
            deaf.close()

    run(play())


def test_a_fault_of_ours_ends_the_line_and_is_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            monkeypatch.setattr(here.hall.gate, "holding", None)
            async with ann.at(table) as a:
                await a.socket.wait_closed()
                assert a.socket.close_code == 1011

    run(play())
    assert "TypeError while serving a socket" in caplog.text


EMPTY = b"\x81\x80" + MASK
ONE_PING = b"\x89\x80" + MASK


async def _open(here: House, table: str, client: str = "") -> socket.socket:
    """A bare socket of a table, from a proxy that names this client; the answer to its handshake is read."""
    host, port = here.base.removeprefix("http://").split(":")
    line, loop = socket.socket(), asyncio.get_running_loop()
    line.setblocking(False)
    await loop.sock_connect(line, (host, int(port)))
    asked = [
        f"GET /api/tables/{table}/socket HTTP/1.1",
        f"Host: {host}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
        *([f"X-Forwarded-For: {client}"] if client else []),
    ]
    await loop.sock_sendall(line, "\r\n".join([*asked, "", ""]).encode())
    return line


async def _read_until(line: socket.socket, wanted: bytes) -> bytes:
    """What comes, up to these bytes or the end."""
    told = b""
    async with asyncio.timeout(PATIENCE):
        while wanted not in told:
            try:
                data = await asyncio.get_running_loop().sock_recv(line, 1 << 16)
            except ConnectionError:
                data = b""
            if not data:
                return told + b"END"
            told += data
    return told


async def _is_cut(line: socket.socket) -> bool:
    return (await _read_until(line, b"never comes")).endswith(b"END")


def test_after_its_close_frame_a_server_reads_little_and_blames_who_sends_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ws_protocol, "CLOSE_SECONDS", 1.0)
    monkeypatch.setattr(http_protocol, "REFUSE_SECONDS", 0.1)
    parsed = 0
    receive = ServerProtocol.receive_data

    def counted(protocol: ServerProtocol, data: bytes) -> None:
        nonlocal parsed
        parsed += len(data)
        receive(protocol, data)

    monkeypatch.setattr(ServerProtocol, "receive_data", counted)

    async def play() -> None:
        limits = msgspec.structs.replace(NO_LIMITS, malformed=20)
        async with house(tmp_path, settings=msgspec.structs.replace(QUICK, limits=limits)) as here:
            line = await _open(here, "nowhere")
            assert b"no such table" in await _read_until(line, b"no such table")
            before = parsed
            await _push(line, EMPTY * 5000)
            assert parsed - before <= (ws_protocol.LATE_FRAMES + 2) * len(EMPTY) + ws_protocol.LATE_PIECE
            line.close()
            await _none_left(here)
            late = await _open(here, "nowhere")
            assert (await _read_until(late, b"\r\n")).startswith(b"HTTP/1.1 429"), "its address has to wait"
            late.close()

    run(play())


def test_what_was_on_its_way_when_the_server_said_goodbye_is_borne(tmp_path: Path) -> None:
    async def play() -> None:
        limits = msgspec.structs.replace(NO_LIMITS, malformed=2)
        async with house(tmp_path, settings=msgspec.structs.replace(QUICK, limits=limits)) as here:
            for _ in range(5):
                line = await _open(here, "nowhere")
                assert b"no such table" in await _read_until(line, b"no such table")
                large = b"\x81\xfe" + (8000).to_bytes(2, "big") + MASK + b"x" * 8000
                await asyncio.get_running_loop().sock_sendall(line, (EMPTY + ONE_PING) * 10 + large * 3 + CLOSE + MASK)
                assert await _is_cut(line), "their close frame was seen"
                line.close()
            await _none_left(here)

    run(play())


def test_pings_count_to_an_address_however_often_it_connects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "REFUSE_SECONDS", 0.1)

    async def play() -> None:
        limits = msgspec.structs.replace(NO_LIMITS, pings=200, malformed=20)
        async with house(tmp_path, settings=msgspec.structs.replace(QUICK, limits=limits)) as here:
            loop, table = asyncio.get_running_loop(), await Visitor(here.base).create(GAME, seats=2)
            first, second = await _open(here, table), await _open(here, table)
            await _read_until(first, b"presence")
            await loop.sock_sendall(first, ONE_PING * 80 + CLOSE + MASK)
            assert (await _read_until(first, b"\x8a\x00" * 80)).count(b"\x8a\x00") >= 80, "all are answered"
            first.close()
            await _read_until(second, b"presence")
            await loop.sock_sendall(second, ONE_PING * 80)
            assert await _is_cut(second)
            second.close()
            third = await _open(here, table)
            assert (await _read_until(third, b"\r\n")).startswith(b"HTTP/1.1 429"), "its address has to wait"
            third.close()

    run(play())


def test_behind_a_proxy_pings_count_to_the_client_that_it_names(tmp_path: Path) -> None:
    async def play() -> None:
        limits = msgspec.structs.replace(NO_LIMITS, pings=200, malformed=20)
        settings = msgspec.structs.replace(QUICK, limits=limits, trusted_proxies="127.0.0.1")
        async with house(tmp_path, settings=settings) as here:
            loop, table = asyncio.get_running_loop(), await Visitor(here.base).create(GAME, seats=2)
            loud, calm, unnamed = [await _open(here, table, client) for client in ("192.0.2.1", "192.0.2.2", "")]
            for line in (loud, calm, unnamed):
                await _read_until(line, b"presence")
            await loop.sock_sendall(loud, ONE_PING * 300)
            assert await _is_cut(loud)
            again = await _open(here, table, "192.0.2.1")
            assert b"malformed" in await _read_until(again, b"malformed"), "its next socket is refused"
            for line in (calm, unnamed):
                await loop.sock_sendall(line, ONE_PING * 90)
                assert b"\x8a\x00" * 5 in await _read_until(line, b"\x8a\x00" * 5)
            await loop.sock_sendall(unnamed, ONE_PING * 300)
            other = await _open(here, table, "192.0.2.3")
            await _read_until(other, b"presence")
            for line in (loud, calm, unnamed, again, other):
                line.close()

    run(play())


async def _none_left(here: House) -> None:
    async with asyncio.timeout(20):
        while any(isinstance(one, ws_protocol.WebSocketProtocol) for one in here.server.server_state.connections):
            await asyncio.sleep(0.02)
