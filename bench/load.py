"""Live tables over real sockets: moves per CPU second, latency, bytes and memory, beside a bare echo server."""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from serai.core.registry import game as find_game

GAME = "camelup"
TABLES = int(os.environ.get("SERAI_BENCH_TABLES", "1000"))
RATE = int(os.environ.get("SERAI_BENCH_RATE", "500"))
SECONDS = 10.0
SERVE = "from serai.cli import main; main()"
ECHO = """
import asyncio, sys, uvicorn
async def app(scope, receive, send):
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    while True:
        told = await receive()
        if told["type"] != "websocket.receive":
            return
        await send({"type": "websocket.send", "text": told["text"]})
uvicorn.run(
    app, fd=int(sys.argv[1]), ws="websockets-sansio", ws_per_message_deflate=False, lifespan="off", log_level="error"
)
"""


class Told(msgspec.Struct):
    """As much of a reply as a client needs that plays at random."""

    type: str
    n: int = 0
    on: int = 0
    id: str = ""
    actions: list[msgspec.Raw] = []
    key: str = ""


_told = msgspec.json.Decoder(Told)


class Tally:
    """What the clients saw."""

    def __init__(self) -> None:
        self.moves = 0
        self.bytes = 0
        self.latencies: list[float] = []


def main() -> None:
    _echo()
    for game, sockets in ((GAME, 2), (GAME, 4), ("pharaoh", 2)):
        with _server() as (base, pid):
            asyncio.run(_as_fast_as_it_goes(base, pid, game, sockets))
    with _server() as (base, pid):
        asyncio.run(_many_tables(base, pid))
    _on_postgresql()


def _on_postgresql() -> None:
    """The same with PostgreSQL, whose files lie in memory here: what is compared is the server's own work."""
    from tests.postgres import Cluster

    cluster = Cluster()
    try:
        cluster.start()
        with _server(cluster.new_database()) as (base, pid):
            print("on PostgreSQL: ", end="")
            asyncio.run(_as_fast_as_it_goes(base, pid, GAME, 2, cluster.pid))
        with _server(cluster.new_database()) as (base, pid):
            print("on PostgreSQL: ", end="")
            asyncio.run(_many_tables(base, pid))
    finally:
        cluster.remove()


# -- as fast as it goes ------------------------------------------------------------------------------------------------


async def _as_fast_as_it_goes(base: str, pid: int, game: str, sockets: int, database: int | None = None) -> None:
    tally, stop = Tally(), asyncio.Event()
    tables = [asyncio.create_task(_table(base, seed, game, sockets, tally, stop)) for seed in range(24)]
    await asyncio.sleep(3)
    began, used, moves, size = time.perf_counter(), _cpu(pid), tally.moves, tally.bytes
    used_by_database = _cpu_of_family(database) if database else 0.0
    await asyncio.sleep(SECONDS)
    wall, cpu, played = time.perf_counter() - began, _cpu(pid) - used, tally.moves - moves
    besides = (
        f"; the database used {(_cpu_of_family(database) - used_by_database) / cpu:.0%} of that" if database else ""
    )
    stop.set()
    for table in tables:
        table.cancel()
    await asyncio.gather(*tables, return_exceptions=True)
    print(
        f"{game}, {sockets} sockets a table: {played / cpu:,.0f} durable moves per CPU second of the server, "
        f"{(tally.bytes - size) / played:,.0f} bytes to the sockets per move "
        f"({played / wall:,.0f} moves/s, server at {cpu / wall:.0%} of a core{besides})",
        flush=True,
    )


async def _table(base: str, seed: int, game: str, sockets: int, tally: Tally, stop: asyncio.Event) -> None:
    rng = random.Random(seed)
    while not stop.is_set():
        lines = await _sit(base, game, sockets)
        try:
            await asyncio.gather(*(_play(line, rng, tally) for line in lines))
        finally:
            await asyncio.gather(*(line.close() for line in lines), return_exceptions=True)


async def _play(line: ClientConnection, rng: random.Random, tally: Tally) -> None:
    """Act whenever there is something to do, until the game is over."""
    async for text in line:
        tally.bytes += len(text)
        told = _told.decode(text)
        if told.type == "done" and told.id != "s":
            tally.moves += 1
        if told.actions:
            await line.send(_act(told, rng))
        if told.type == "frame" and '"phase":"over"' in text:
            return


def _act(told: Told, rng: random.Random) -> str:
    action = rng.choice(told.actions)
    return f'{{"type":"act","id":"{told.on}","on":{told.on},"action":{bytes(action).decode()}}}'


# -- many tables, so many moves a second -------------------------------------------------------------------------------


class Idle:
    """A table that waits for its turn to be allowed a move."""

    def __init__(self, lines: list[ClientConnection]) -> None:
        self.lines = lines
        self.offers: asyncio.Queue[tuple[ClientConnection, Told]] = asyncio.Queue()
        self.sent = 0.0


async def _many_tables(base: str, pid: int) -> None:
    tally = Tally()
    empty = _memory(pid)
    tables: list[Idle] = []
    gate = asyncio.Semaphore(20)

    async def sit() -> None:
        async with gate:
            tables.append(Idle(await _sit(base, GAME, 2)))

    await asyncio.gather(*(sit() for _ in range(TABLES)))
    hearing = [asyncio.create_task(_hear(table, line, tally)) for table in tables for line in table.lines]
    await asyncio.sleep(2)
    full = _memory(pid)
    tally.latencies.clear()
    gc.disable()  # two thousand clients in one process: their pauses would be theirs, not the server's
    rng = random.Random(1)
    began, used, size = time.perf_counter(), _cpu(pid), tally.bytes
    order = itertools.cycle(tables)
    sent = 0
    while (now := time.perf_counter() - began) < SECONDS:
        while sent < now * RATE:
            table = next(order)
            if not table.offers.empty():
                line, told = table.offers.get_nowait()
                table.sent = time.perf_counter()
                await line.send(_act(told, rng))
            sent += 1
        await asyncio.sleep(0.002)
    await asyncio.sleep(0.5)
    wall, cpu = time.perf_counter() - began, _cpu(pid) - used
    gc.enable()
    for task in hearing:
        task.cancel()
    took = sorted(tally.latencies)
    print(
        f"{GAME}, {len(tables):,} live tables with 2 sockets each, {len(took) / SECONDS:,.0f} moves/s: "
        f"p50 {took[len(took) // 2] * 1000:.1f} ms, p99 {took[int(len(took) * 0.99)] * 1000:.1f} ms "
        f"(clients on the same machine), {len(took) / cpu:,.0f} moves per CPU second, server at {cpu / wall:.0%} of a "
        f"core, {(tally.bytes - size) / len(took):,.0f} bytes per move, memory {full:,.0f} MB "
        f"(without tables {empty:,.0f}; bot workers left out)",
        flush=True,
    )


async def _hear(table: Idle, line: ClientConnection, tally: Tally) -> None:
    async for text in line:
        tally.bytes += len(text)
        told = _told.decode(text)
        if told.type == "done":
            tally.latencies.append(time.perf_counter() - table.sent)
        if told.actions:
            table.offers.put_nowait((line, told))


# -- the echo server beside it -----------------------------------------------------------------------------------------


def _echo() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        command = [sys.executable, "-c", ECHO, str(listener.fileno())]
        with subprocess.Popen(command, pass_fds=[listener.fileno()]) as server:
            try:
                asyncio.run(_measure_echo(f"ws://127.0.0.1:{listener.getsockname()[1]}", server.pid))
            finally:
                server.terminate()


async def _measure_echo(base: str, pid: int) -> None:
    count, stop = [0], asyncio.Event()
    text = "x" * 300

    async def talk() -> None:
        async with connect(base, compression=None) as line:
            while not stop.is_set():
                await line.send(text)
                await line.recv()
                count[0] += 1

    talking = [asyncio.create_task(talk()) for _ in range(48)]
    await asyncio.sleep(1.5)
    began, used, before = time.perf_counter(), _cpu(pid), count[0]
    await asyncio.sleep(SECONDS / 2)
    wall, cpu, echoed = time.perf_counter() - began, _cpu(pid) - used, count[0] - before
    stop.set()
    await asyncio.gather(*talking, return_exceptions=True)
    print(
        f"a bare echo server: {echoed / cpu:,.0f} messages there and back per CPU second "
        f"({echoed / wall:,.0f} a second, {cpu / wall:.0%} of a core)",
        flush=True,
    )


# -- details -----------------------------------------------------------------------------------------------------------


class _server:  # noqa: N801  (read as a function)
    """A server on a new file, as a host would start it, without limits."""

    def __init__(self, database: str = "") -> None:
        self._database = database

    def __enter__(self) -> tuple[str, int]:
        self._folder = tempfile.TemporaryDirectory()
        command = [sys.executable, "-c", SERVE, "serve", "--no-open", "--port", "0", "--limit", "all=0"]
        command += ["--database", self._database or str(Path(self._folder.name) / "tables.db")]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        base = self._process.stdout.readline().split()[-1]
        time.sleep(8)  # the warming up of bots is not what is measured
        return base, self._process.pid

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._folder.cleanup()


async def _sit(base: str, game: str, sockets: int) -> list[ClientConnection]:
    """A table with so many persons, each with a socket, and its game begun."""
    tokens = [secrets.token_urlsafe(24) for _ in range(sockets)]
    table = (await _call(base, "/api/tables", tokens[0], {"game": game, "seats": sockets}))["table"]["id"]
    for name, token in zip("ABCDEFGH", tokens, strict=False):
        body = {"id": name, "name": name, "value": secrets.token_hex(32)}
        await _call(base, f"/api/tables/{table}/seats", token, body)
    url = f"{base.replace('http', 'ws')}/api/tables/{table}/socket"
    lines = [
        await connect(
            url, additional_headers={"Authorization": f"Bearer {token}"}, compression=None, ping_interval=None
        )
        for token in tokens
    ]
    await lines[0].send('{"type":"start","id":"s"}')
    return lines


async def _call(base: str, path: str, token: str, body: dict[str, Any]) -> Any:
    host, port = base.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    data = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    writer.write(head.encode() + data)
    answer = await reader.read()
    writer.close()
    return json.loads(answer.partition(b"\r\n\r\n")[2])


def _cpu(pid: int) -> float:
    """Seconds of processor time a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _cpu_of_family(pid: int) -> float:
    """The same of a process and those it has started."""
    return _cpu(pid) + sum(_cpu(child) for child in _children(pid))


def _children(pid: int) -> list[int]:
    stats = [path.read_text() for path in Path("/proc").glob("[0-9]*/stat")]
    return [int(stat.split()[0]) for stat in stats if int(stat.rpartition(")")[2].split()[1]) == pid]


def _memory(pid: int) -> float:
    """Megabytes a process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


if __name__ == "__main__":
    assert find_game(GAME)
    main()
