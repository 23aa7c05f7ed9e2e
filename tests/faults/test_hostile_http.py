"""Requests without end, answers that nobody reads: they are cut, cost a fixed amount, and other tables play on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx

from serai import games
from tests.faults.attacks import bystander, memory_kb, wire
from tests.faults.hostile import frame, handshake, request
from tests.faults.support import process
from tests.faults.test_fuzz import fuzz
from tests.server.support import Visitor, run
from tests.support import POSTGRES_IN_SOAK, SOAK, amount

GAME = games()[0]
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
                sent[name] = max(sent.get(name, 0), *cut)
            if asyncio.get_running_loop().time() >= until:
                return sent

    async def ask_and_ramble(base: str) -> None:
        async with wire(base) as line:
            await line.send(b"GET /missing.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2 + b"nonsense\r\n\r\n")
            await line.read_all()

    async def all_attacks(base: str) -> None:
        for _ in range(10 * CONNECTIONS):
            await ask_and_ramble(base)
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


FLOODING = amount(10, 390)
EMPTY = b"\x81\x80\0\0\0\0"
"""The smallest message there is."""


def test_messages_that_wait_take_no_more_than_they_did_on_the_way(tmp_path: Path, record_property: Tell) -> None:
    async def attack(base: str, pid: int) -> None:
        table = await Visitor(base).create(GAME, seats=2)
        async with contextlib.AsyncExitStack() as stack:
            lines = [await stack.enter_async_context(wire(base)) for _ in range(FLOODING)]
            for line in lines:
                await line.send(handshake(table))
                await line.read()
            before = memory_kb(pid)
            for line in lines:
                await line.send(EMPTY * 25_000)
            for line in lines:
                await line.read()
            sent_kb = sum(line.sent for line in lines) // 1000
            grown = memory_kb(pid) - before
        record_property("told", f"{len(lines)} sockets sent {sent_kb} kB of empty messages: {grown} kB more")
        assert grown < 2 * sent_kb + 5000

    with (
        process(
            tmp_path / "tables.db", "--limit", "onlookers=0", "--limit", "table_onlookers=0", limited=True
        ) as server,
        bystander(server, record_property),
    ):
        run(attack(server.base, server.popen.pid))


REQUESTS = amount(300, 100_000)
FRAMES = amount(300, 100_000)
GROWN_KB = 30_000
"""What a server may hold more than when it was warm: tables that were really made, and what an allocator keeps."""


async def _tables(base: str) -> list[str]:
    """A table that waits and one at which is played, of each game."""
    host, tables = Visitor(base), []
    for game in games():
        waiting, playing = await host.create(game, seats=2), await host.create(game, seats=2)
        await host.join(playing, "Ann")
        await host.join(playing, "Bob")
        async with host.at(playing) as line:
            await line.do("start")
        tables += [waiting, playing]
    return tables


def _address(rng: random.Random) -> str:
    """One of many, or the system would run out of ports for them."""
    return f"127.0.1.{rng.randrange(1, 255)}"


async def _ask(base: str, rng: random.Random, tables: list[str]) -> int:
    """One connection with hostile requests; how many. None of them is answered by a fault of the server."""
    asked = [request(rng, tables) for _ in range(rng.choice((1, 1, 1, 2, 5)))]
    told = b""
    async with wire(base, _address(rng)) as line:
        for data in asked:
            cut = rng.randrange(len(data) + 1) if rng.random() < 0.3 else len(data)
            if not (await line.send(data[:cut]) and await line.send(data[cut:])):
                break
        if rng.random() < 0.8:
            line.half_close()
            told = await line.read_all()
    assert not re.search(rb"HTTP/1.1 5", told), (asked, told[:2000])
    return len(asked)


async def _speak(base: str, rng: random.Random, tables: list[str]) -> int:
    """One socket with hostile frames; how many were taken."""
    sent = 0
    async with wire(base, _address(rng)) as line:
        await line.send(handshake(rng.choice(tables)))
        for _ in range(rng.randrange(1, 60)):
            if not await line.send(frame(rng, fuzz(rng, {}))):
                break
            sent += 1
        if rng.random() < 0.7:
            line.half_close()
            told = await line.read_all()
            assert b"server.error" not in told, told[-2000:]
    return sent


async def _many(what: Callable[[], Awaitable[int]], count: int) -> None:
    """So many in all, one connection after the other."""
    while count > 0:
        count -= await what()


@POSTGRES_IN_SOAK
def test_whatever_bytes_come_the_server_stands_and_nobody_notices(database: str, record_property: Tell) -> None:
    seed = secrets.randbits(32) if SOAK else 5
    print(f"seed {seed}")
    rng = random.Random(seed)

    async def attack(base: str, pid: int) -> None:
        tables = await _tables(base)
        if SOAK:  # what odds need is loaded once, and stays
            await Visitor(base).call("GET", "/api/games/camelup/odds?position=1gyo+3bw")
        for hostile, count in ((_ask, REQUESTS), (_speak, FRAMES)):
            await _many(lambda hostile=hostile: hostile(base, rng, tables), count // 5)  # type: ignore[misc]
            before = memory_kb(pid)
            await _many(lambda hostile=hostile: hostile(base, rng, tables), count)  # type: ignore[misc]
            async with httpx.AsyncClient(base_url=base, verify=False) as client:
                while "serai_sockets 2\n" not in (told := (await client.get("/metrics")).text):
                    await asyncio.sleep(0.01)  # those of the bystander
                assert (await client.get("/readyz")).status_code == 200, told
            grown = memory_kb(pid) - before
            record_property("told", f"{count} hostile {hostile.__name__}, seed {seed}: {grown} kB more than when warm")
            assert grown < GROWN_KB

    with process(database, "--limit", "malformed=0", limited=True) as server:
        with bystander(server, record_property):
            run(attack(server.base, server.popen.pid))
        server.popen.terminate()
        assert server.popen.stdout is not None
        said = server.popen.stdout.read()
        assert "Traceback" not in said, said[-3000:]
        assert said.count("\n") < 50, said[-3000:]
