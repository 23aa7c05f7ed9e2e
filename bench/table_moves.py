"""Durable moves at live tables: per second of the server's processor, with two sockets at each table."""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from serai import games

TABLES = 16
SECONDS = 5.0
SERVE = "from serai.cli import main; main()"


def main() -> None:
    for game in games():
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", SERVE, "serve", "--no-open", "--port", "0"]
            command += ["--database", str(Path(folder) / "tables.db")]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
                assert server.stdout is not None
                base = server.stdout.readline().split()[-1]
                try:
                    time.sleep(2)  # the warming up of bots is not what is measured
                    asyncio.run(_measure(game, base, server.pid))
                finally:
                    server.terminate()


async def _measure(game: str, base: str, pid: int) -> None:
    moves = [0]
    stop = asyncio.Event()
    tables = [asyncio.create_task(_table(game, base, seed, moves, stop)) for seed in range(TABLES)]
    await asyncio.sleep(1)
    began, used, before = time.perf_counter(), _cpu(pid), moves[0]
    await asyncio.sleep(SECONDS)
    wall, cpu, played = time.perf_counter() - began, _cpu(pid) - used, moves[0] - before
    stop.set()
    for table in tables:
        table.cancel()
    await asyncio.gather(*tables, return_exceptions=True)
    print(
        f"{game}: {played / cpu:,.0f} moves per CPU second of the server "
        f"({played / wall:,.0f} a second with the clients on the same machine, {cpu / wall:.0%} of a core)"
    )


async def _table(game: str, base: str, seed: int, moves: list[int], stop: asyncio.Event) -> None:
    """Two people play game after game against each other."""
    rng = random.Random(seed)
    tokens = [secrets.token_urlsafe(24) for _ in range(2)]
    while not stop.is_set():
        table = (await _call(base, "/api/tables", tokens[0], {"game": game, "seats": 2}))["table"]["id"]
        for name, token in zip("AB", tokens, strict=True):
            body = {"id": name, "name": name, "value": secrets.token_hex(32)}
            await _call(base, f"/api/tables/{table}/seats", token, body)
        url = f"{base.replace('http', 'ws')}/api/tables/{table}/socket"
        headers = [{"Authorization": f"Bearer {token}"} for token in tokens]
        async with (
            connect(url, additional_headers=headers[0], compression=None) as a,
            connect(url, additional_headers=headers[1], compression=None) as b,
        ):
            await a.send('{"type":"start","id":"s"}')
            await asyncio.gather(_play(a, rng, moves), _play(b, rng, moves))


async def _play(socket: ClientConnection, rng: random.Random, moves: list[int]) -> None:
    async for text in socket:
        told = json.loads(text)
        if told["type"] == "done":
            moves[0] += 1
        if told.get("actions"):
            action = rng.choice(told["actions"])
            await socket.send(json.dumps({"type": "act", "id": f"{told['on']}", "on": told["on"], "action": action}))
        if told.get("table", {}).get("phase") == "over":
            return


async def _call(base: str, path: str, token: str, body: dict[str, Any]) -> Any:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(base + path, json.dumps(body).encode(), headers)
    return json.loads(await asyncio.to_thread(lambda: urllib.request.urlopen(request).read()))


def _cpu(pid: int) -> float:
    """Seconds of processor time a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
