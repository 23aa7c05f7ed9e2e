"""What a server tells of itself, and to whom."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from serai.server.http import health
from serai.server.settings import Sources
from serai.server.store.base import StoreError
from tests.faults.attacks import wire
from tests.faults.support import process
from tests.server.support import QUICK, Clock, Visitor, house, run


def test_the_store_is_asked_once_for_all_who_want_to_know(database: str) -> None:
    async def play() -> None:
        clock = Clock()
        async with house(database, sources=Sources(clock=clock)) as here:
            store, asked = here.hall.store, 0
            check = store.check

            async def counted() -> None:
                nonlocal asked
                asked += 1
                await check()

            store.check = counted
            visitor = Visitor(here.base)
            answers = await asyncio.gather(*(visitor.call("GET", "/readyz") for _ in range(20)))
            assert ({answer.status_code for answer in answers}, asked) == ({200}, 1)
            clock.now += health.FRESH_SECONDS
            assert (await visitor.call("GET", "/readyz")).status_code == 200
            assert asked == 2

            async def failing() -> None:
                raise StoreError("the disk is full")

            store.check = failing
            clock.now += health.FRESH_SECONDS
            for _ in range(2):
                assert (await visitor.call("GET", "/readyz")).status_code == 503
            store.check = check
            clock.now += health.FRESH_SECONDS
            assert (await visitor.call("GET", "/readyz")).status_code == 200
            here.hall.ready = False
            assert (await visitor.call("GET", "/readyz")).json()["key"] == "server.closing"
            here.hall.ready = True

    run(play())


def test_metrics_are_not_for_a_proxy_that_says_nothing(tmp_path: Path) -> None:
    async def status(base: str, **headers: str) -> int:
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        async with httpx.AsyncClient(base_url=base, headers=told, verify=False) as client:
            return (await client.get("/metrics")).status_code

    async def play() -> None:
        async with house(tmp_path) as here:
            assert await status(here.base) == 200
            assert await status(here.base, Host="localhost") == 200
            assert await status(here.base, Host=socket.gethostname()) == 404, "a proxy that passes the name on"
            for header in ("X_Forwarded_For", "X_Real_IP", "Forwarded", "Via", "X_Forwarded_Proto"):
                assert await status(here.base, **{header: "192.0.2.1"}) == 404, header
            async with wire(here.base) as line:
                await line.send(b"GET /metrics HTTP/1.0\r\n\r\n")
                assert b" 404 " in (await line.read_all()).splitlines()[0], "nor for one that names no host"
        for behind in ({"public_url": "https://games.example"}, {"trusted_proxies": "127.0.0.1"}):
            async with house(tmp_path, msgspec.structs.replace(QUICK, **behind)) as here:
                assert await status(here.base) == 404, "it may be the proxy that asks"
        async with house(tmp_path, msgspec.structs.replace(QUICK, open_metrics=True)) as here:
            assert await status(here.base, X_Forwarded_For="192.0.2.1") == 200

    run(play())


def test_metrics_may_have_a_port_of_their_own_and_the_address_it_listens_on_is_known(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    async def play(base: str) -> None:
        async with httpx.AsyncClient(verify=False) as client:
            assert (await client.get(f"http://127.0.0.1:{port}/metrics")).status_code == 200
            assert (await client.get(f"http://127.0.0.1:{port}/readyz")).status_code == 200
            for path in ("/api/games", "/", "/t/0", "/api/tables"):
                elsewhere = await client.get(f"http://127.0.0.1:{port}{path}")
                assert (elsewhere.status_code, elsewhere.json()["key"]) == (404, "server.monitoring"), path
            assert (await client.get(f"{base}/api/games")).status_code == 200
            assert (await client.get(f"{base}/metrics")).status_code == 404
            assert "//127.0.0.9:" in base
            assert (await client.get(f"{base}/healthz")).status_code == 200
            assert (await client.get(f"{base}/healthz", headers={"Host": "192.0.2.1"})).status_code == 421

    options = ("--host", "127.0.0.9", "--public-url", "https://games.example", "--metrics-port", str(port))
    with process(tmp_path / "tables.db", *options) as server:
        run(play(server.base))


def test_tables_that_cannot_be_made_count_as_failures_of_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:

            async def full(*args: Any) -> None:
                raise StoreError("could not be saved: the disk is full")

            monkeypatch.setattr(here.hall.store, "append", full)
            answer = await Visitor(here.base).call("POST", "/api/tables", {"game": "camelup"})
            assert answer.status_code == 503
            assert here.hall.metrics.store_failures.value == 1

    run(play())
