"""What one address may ask for, what becomes of those who do not read, and what a host sees of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import random
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from serai import games
from serai.server.cache import Cache
from serai.server.limits import NO_LIMITS, Buckets, Gate, Limits, TooMany, address_of
from serai.server.run import JsonLines
from serai.server.settings import Sources
from serai.table import frames
from tests.server.support import PATIENCE, QUICK, Clock, House, Socket, Visitor, any_kind, house, run
from tests.support import POSTGRES_IN_SOAK, amount

GAME = games()[0]


def test_a_bucket_allows_a_burst_and_then_a_rate() -> None:
    buckets = Buckets(60)
    assert [buckets.take("a", 0.0) for _ in range(30)] == [0.0] * 30
    assert buckets.take("a", 0.0) == pytest.approx(1.0)
    assert buckets.take("b", 0.0) == 0.0, "another address is not held up"
    assert buckets.take("a", 1.0) == 0.0
    assert buckets.take("a", 1.0) > 0.0
    assert buckets.take("a", 0.0) > 0.0, "a clock that runs back gives nothing"


def test_what_is_dear_keeps_everything_back_for_longer() -> None:
    buckets = Buckets(60)
    assert buckets.take("a", 0.0, 29) == 0.0
    assert buckets.take("a", 0.0, 11) == 0.0, "one is enough, or what is dear would never pass a low limit"
    assert buckets.take("a", 0.0) == pytest.approx(11.0)
    assert not buckets.has("a", 10.9)
    assert buckets.take("a", 11.0) == 0.0


def test_the_memory_of_addresses_is_bounded() -> None:
    buckets = Buckets(2, most=100)
    for number in range(10_000):
        assert buckets.take(f"address {number}", 0.0) == 0.0
    assert len(buckets) == 100
    assert buckets.take("address 9999", 0.0) > 0.0, "those heard of last are the ones remembered"


def test_no_limit_means_none() -> None:
    gate = Gate(NO_LIMITS)
    with contextlib.ExitStack() as held:
        for _ in range(10_000):
            gate.pass_through("requests", "a", 0.0)
            held.enter_context(gate.holding("sockets", "a"))
    assert gate.remembered() == 0


def test_who_leaves_makes_room() -> None:
    gate = Gate(Limits(sockets=2, onlookers=1))
    with gate.holding("sockets", "a"), gate.holding("onlookers", "a"):
        with pytest.raises(TooMany), gate.holding("onlookers", "a"):
            pass
        with gate.holding("sockets", "a"), pytest.raises(TooMany), gate.holding("sockets", "a"):
            pass
    with gate.holding("sockets", "a"), gate.holding("onlookers", "a"), gate.holding("sockets", "a"):
        pass


def test_an_address_is_a_household() -> None:
    assert address_of(("192.0.2.7", 1)) == "192.0.2.7"
    assert address_of(("::ffff:192.0.2.7", 1)) == "192.0.2.7"
    assert address_of(("2001:db8:1:2:3::4", 1)) == address_of(("2001:db8:1:2:ffff::9", 2))
    assert address_of(("2001:db8:1:3::4", 1)) != address_of(("2001:db8:1:2::4", 1))
    assert address_of(None) == "local"


def test_requests_tables_seats_and_chat_have_limits(tmp_path: Path) -> None:
    async def play() -> None:
        settings = msgspec.structs.replace(QUICK, limits=Limits(requests=80, tables=8, seats=12, chat=10))
        async with house(tmp_path, settings=settings) as here:
            ann = Visitor(here.base)
            made = [await ann.call("POST", "/api/tables", {"game": GAME, "seats": 3}) for _ in range(6)]
            assert [answer.status_code for answer in made] == [201] * 4 + [429] * 2
            assert made[-1].json()["key"] == "server.too_many"
            table = made[0].json()["table"]["id"]
            bodies = [{"name": f"Ann {k}", "value": "0" * 64, "id": f"{k}"} for k in range(8)]
            joined = [await ann.call("POST", f"/api/tables/{table}/seats", body) for body in bodies]
            assert [answer.status_code for answer in joined] == [201] * 3 + [409] * 3 + [429] * 2
            async with ann.at(table) as a:
                said = [await a.ask("say", text="hello") for _ in range(7)]
                assert [answer["type"] for answer in said] == ["done"] * 5 + ["refused"] * 2
                assert said[-1]["key"] == "server.too_many"
            asked = [await ann.call("GET", "/api/games") for _ in range(40)]
            assert {answer.status_code for answer in asked} == {200, 429}
            assert asked[-1].headers["retry-after"]
            async with ann.at(table) as late:
                await late.socket.wait_closed()
                assert late.socket.close_code == 4429, "opening a socket is a request, too"
            assert (await ann.call("GET", "/healthz")).status_code == 200, "whoever watches the server is not counted"

    run(play())


def test_files_of_the_page_have_a_limit_of_their_own(tmp_path: Path) -> None:
    async def play() -> None:
        settings = msgspec.structs.replace(QUICK, limits=Limits(requests=20, pages=40))
        async with house(tmp_path, settings=settings, sources=Sources(clock=Clock())) as here:
            ann = Visitor(here.base)
            asked = [await ann.call("GET", f"/t/{number}") for number in range(24)]
            assert [answer.status_code for answer in asked[:20]] == [404] * 20, "without a page there is none"
            assert asked[-1].status_code == 429
            assert (asked[-1].json()["values"], "retry-after" in asked[-1].headers) == ({"what": "pages"}, True)
            assert (await ann.call("GET", "/api/games")).status_code == 200
            assert (await ann.call("GET", "/healthz")).status_code == 200

    run(play())


def test_sockets_and_onlookers_have_limits(tmp_path: Path) -> None:
    async def play() -> None:
        limits = msgspec.structs.replace(NO_LIMITS, sockets=4, onlookers=3, table_onlookers=2)
        async with house(tmp_path, settings=msgspec.structs.replace(QUICK, limits=limits)) as here:
            ann = Visitor(here.base)
            table, other = await ann.create(GAME, seats=2), await ann.create(GAME, seats=2)
            await ann.join(table, "Ann")

            async def refused(where: str, visitor: Visitor) -> None:
                async with visitor.at(where) as late:
                    with pytest.raises(ConnectionClosed):
                        await late.heard("nothing at all")
                    assert late.socket.close_code == 4429

            guests = [Visitor(here.base) for _ in range(4)]
            async with guests[0].at(table) as first, guests[1].at(table) as second:
                await first.heard("welcome")
                await second.heard("welcome")
                await refused(table, guests[2])  # the table has enough onlookers
                async with guests[2].at(other) as third:
                    await third.heard("welcome")
                    await refused(other, guests[3])  # the address has enough onlookers
                    async with ann.at(table) as a:
                        await a.heard("welcome")  # a seat is no onlooker
                        await refused(table, ann)  # the address has enough sockets
            async with guests[3].at(table) as now:
                await now.heard("welcome")

    run(play())


def test_hard_work_is_done_elsewhere_and_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tell, begun, go_on = frames.page, threading.Semaphore(0), threading.Event()

    def tell_slowly(*asked: Any) -> Any:
        begun.release()
        assert go_on.wait(PATIENCE)
        return tell(*asked)

    async def play() -> None:
        limits = msgspec.structs.replace(NO_LIMITS, work=3)
        async with house(tmp_path, settings=msgspec.structs.replace(QUICK, limits=limits)) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            await ann.join(table, "Ann")
            await ann.join(table, "Bob")
            async with ann.at(table) as a:
                await a.do("start")
                path = f"/api/tables/{table}/frames?seat={a.seat}"
                monkeypatch.setattr(here.hall, "cache", Cache(0))
                before = (await ann.call("GET", path)).json()
                record = await ann.record(table)
                monkeypatch.setattr(frames, "page", tell_slowly)
                waiting = [asyncio.create_task(ann.call("GET", path)) for _ in range(3)]
                assert await asyncio.to_thread(begun.acquire, timeout=PATIENCE)
                while here.hall.gate._open["work"].total() < 3:
                    await asyncio.sleep(0.01)
                # the table plays on meanwhile, back and forth
                undoable = next(action for action in a.actions if action["type"] != "roll")
                await a.act(undoable)
                await a.do("undo", on=a.on)
                for refused in (
                    await ann.call("GET", path),
                    await ann.call("GET", f"/api/tables/{table}/record"),
                    await ann.call("POST", "/api/replay", {"record": record}),
                    await ann.call("GET", f"/api/tables/{table}/odds"),
                ):
                    assert (refused.status_code, refused.json()["values"]) == (429, {"what": "work"})
                go_on.set()
                told = [(await one).json() for one in waiting]
                assert told == [before] * 3
                assert (await ann.call("GET", path)).status_code == 200

    try:
        run(play())
    finally:
        go_on.set()


def test_a_flood_is_read_slowly_and_the_others_play_on(tmp_path: Path) -> None:
    async def play() -> None:
        limits = msgspec.structs.replace(NO_LIMITS, socket_messages=1200)
        async with house(tmp_path, settings=msgspec.structs.replace(QUICK, limits=limits)) as here:
            ann, bob = Visitor(here.base), Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            await ann.join(table, "Ann")
            await bob.join(table, "Bob")
            async with ann.at(table) as a, bob.at(table) as b, Visitor(here.base).at(table) as flooder:

                async def flood() -> None:
                    action = json.dumps({"type": "act", "id": "x", "on": 0, "action": {"type": "roll"}})
                    while True:
                        await flooder.socket.send(action)
                        await asyncio.sleep(0.0005)

                async def count() -> None:
                    while True:
                        await flooder.next()

                flooding = [asyncio.create_task(flood()), asyncio.create_task(count())]
                began = time.monotonic()
                await a.do("start")
                rng = random.Random(1)
                for _ in range(8):
                    mover = await a.my_turn_or(b)
                    await mover.act(any_kind(mover.actions, rng))
                for task in flooding:
                    task.cancel()
                answered = sum('"refused"' in text for text in flooder.stream)
                allowed = 700 + 20 * (time.monotonic() - began)
                assert 0 < answered < allowed, "no more than the burst and what these seconds allow"

    run(play())


def test_half_open_connections_come_and_go_unnoticed(tmp_path: Path) -> None:
    churn = amount(1000, 10_000)

    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2, bots={"1": "random"})
            await ann.join(table, "Ann")
            host, port = here.base.removeprefix("http://").split(":")
            beginnings = [
                b"",
                b"GET /api/ta",
                f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n".encode(),
                b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{",
                bytes(range(256)),
            ]

            async def half(number: int) -> None:
                _, writer = await asyncio.open_connection(host, int(port))
                writer.write(beginnings[number % len(beginnings)])
                await asyncio.sleep(0.05)
                writer.transport.abort()

            async def churn_on() -> None:
                for start in range(0, churn, 50):
                    await asyncio.gather(*(half(number) for number in range(start, start + 50)))

            async with ann.at(table) as a:
                await a.do("start")
                churning = asyncio.create_task(churn_on())
                await a.play_to_the_end(random.Random(2))
                await churning
            assert (await ann.call("GET", "/readyz")).status_code == 200
            while len(here.server.server_state.connections) >= 10:  # none of them is kept
                await asyncio.sleep(0.02)

    run(play())


def test_proxies_are_believed_only_when_told_so(tmp_path: Path) -> None:
    async def ask(here: House, forwarded: str) -> int:
        headers = {"X-Forwarded-For": forwarded, "X-Forwarded-Proto": "https"}
        async with httpx.AsyncClient(base_url=here.base, headers=headers, verify=False) as client:
            answer = await client.post("/api/tables", json={"game": GAME})
            if answer.status_code == 201:
                assert ("secure" in answer.headers["set-cookie"].lower()) == bool(here.hall.settings.trusted_proxies)
        return answer.status_code

    async def play() -> None:
        limits = Limits(tables=4)
        async with house(tmp_path, settings=msgspec.structs.replace(QUICK, limits=limits)) as here:
            assert [await ask(here, f"192.0.2.{k}") for k in range(3)] == [201, 201, 429], "they are all one address"
        settings = msgspec.structs.replace(QUICK, limits=limits, trusted_proxies="127.0.0.1")
        async with house(tmp_path, settings=settings) as here:
            assert [await ask(here, f"192.0.2.{k}") for k in range(3)] == [201, 201, 201]
            assert [await ask(here, "192.0.2.0") for k in range(2)] == [201, 429]

    run(play())


@POSTGRES_IN_SOAK
def test_metrics_tell_what_goes_on_and_only_to_this_machine(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2, bots={"1": "random"})
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.do("start")
                for _ in range(3):
                    await a.my_turn()
                    await a.act(a.actions[0])
                await a.my_turn()
                await a.ask("act", on=0, action=a.actions[0])
                answer = await ann.call("GET", "/metrics")
            assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
            lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
            assert all(re.fullmatch(r'serai_[a-z_]+(\{le="[^"]+"\})? [0-9.e+-]+', line) for line in lines), lines
            told = {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}
            assert told["serai_moves_total"] >= 6
            assert told["serai_move_seconds_count"] == 3
            assert told["serai_bot_seconds_count"] >= 3
            assert told["serai_store_seconds_count"] >= 8
            assert told["serai_refusals_total"] == 1
            assert told["serai_tables"] == 1
            assert told["serai_sockets"] == 1
            assert told['serai_move_seconds_bucket{le="+Inf"}'] == 3
            assert "serai_loop_lag_seconds_count" in told
            async with httpx.AsyncClient(
                base_url=here.base, headers={"X-Forwarded-For": "192.0.2.1"}, verify=False
            ) as client:
                assert (await client.get("/metrics")).status_code == 404, "somebody behind a proxy"
        settings = msgspec.structs.replace(QUICK, open_metrics=True)
        headers = {"X-Forwarded-For": "192.0.2.1"}
        async with (
            house(database, settings=settings) as here,
            httpx.AsyncClient(base_url=here.base, headers=headers, verify=False) as client,
        ):
            assert (await client.get("/metrics")).status_code == 200

    run(play())


@POSTGRES_IN_SOAK
def test_logs_name_the_table_and_no_secret(database: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="serai")
    ann = Visitor("")

    async def play() -> Socket:
        async with house(database) as here:
            ann.base = here.base
            table = await ann.create(GAME, seats=2, bots={"1": "random"})
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.do("start")
                await a.do("say", text="between us")
                await a.play_to_the_end(random.Random(4))
                return a

    told: list[Socket] = []

    async def keep() -> None:
        told.append(await play())

    run(keep())
    written = [JsonLines().format(record) for record in caplog.records if record.name.startswith("serai")]
    lines = [json.loads(line) for line in written]
    assert {"at", "level", "logger", "message"} <= set(lines[0])
    about = [line["message"] for line in lines if line.get("table") == told[0].table["id"]]
    assert about[0].startswith("created for")
    assert "started; phase playing" in about
    assert "acted; phase over" in about
    everything = "".join(written)
    for secret in (ann.token, told[0].table["secret"], "between us"):
        assert secret not in everything


def test_limits_are_set_by_name() -> None:
    def serve(*arguments: str) -> str:
        command = [sys.executable, "-c", "from serai.cli import main; main()", "serve", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        return done.stderr

    assert "NAME=NUMBER" in serve("--limit", "sockets=many")
    assert "no limit 'socks'; limits: requests," in serve("--limit", "socks=3")
