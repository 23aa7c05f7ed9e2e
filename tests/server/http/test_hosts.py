"""Which names a server answers to, which pages are its own, and whom it believes to be a proxy."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from pathlib import Path

import httpx
import msgspec
import pytest
from click.testing import CliRunner
from websockets.asyncio.client import connect

from serai import games
from serai.cli.serve import command
from serai.server.errors import BadAddress
from serai.server.http.hosts import Hosts, is_loopback, read_host, split_host
from serai.server.net.connections import is_trusted, read_proxies
from tests.faults.attacks import wire
from tests.server.support import QUICK, Visitor, house, run

GAME = games()[0]
PUBLIC = msgspec.structs.replace(QUICK, public_url="https://games.example/serai", base_path="/serai")
MACHINE = socket.gethostname().lower()


@pytest.mark.parametrize(
    ("header", "host"),
    [
        ("localhost:8321", ("localhost", 8321)),
        ("LOCALHOST.", ("localhost", None)),
        ("[::1]:80", ("::1", 80)),
        ("[0:0::1]", ("::1", None)),
        ("[::ffff:192.0.2.7]", ("192.0.2.7", None)),
        ("my_box", ("my_box", None)),
    ],
)
def test_a_host_is_read_in_all_its_forms(header: str, host: tuple[str, int | None]) -> None:
    assert split_host(header) == host


@pytest.mark.parametrize("header", ["", ":80", "a b", "a/b", "a@b", "[", "[::1", "a:b", "a:99999", "a:1:2", "a,b", "ä"])
def test_what_is_no_host_is_none(header: str) -> None:
    assert split_host(header) is None


def test_names_of_this_machine_and_no_others_are_known() -> None:
    hosts = Hosts("https://Play.Example:8443/serai", ("box",), machine="Tent.House.Example")
    scope = {"server": ("192.0.2.7", 8321)}
    for own in ("localhost", "127.0.0.1", "127.9.9.9", "::1", "play.example", "box", "tent", "tent.local"):
        assert hosts.knows(own, scope), own
    assert hosts.knows("tent.house.example", scope)
    assert hosts.knows("192.0.2.7", scope), "the address that was reached"
    for other in ("evil.example", "192.0.2.8", "localhost.evil.example", "example", "local", "", "127.evil.example"):
        assert not hosts.knows(other, scope), other
    assert not Hosts(machine="tent").knows("play.example", scope)
    assert not is_loopback("0.0.0.0")


def test_an_origin_has_a_scheme_and_a_port() -> None:
    hosts = Hosts("https://play.example")
    assert hosts.sent("http://localhost:8321", "ws", ("localhost", 8321))
    assert hosts.sent("http://localhost", "http", ("localhost", 80))
    assert hosts.sent("https://localhost", "wss", ("localhost", None))
    assert hosts.sent("https://play.example", "http", ("127.0.0.1", 8321)), "whatever a proxy makes of it"
    for other in (
        "https://localhost:8321",
        "http://localhost",
        "http://play.example",
        "https://play.example:1",
        "null",
    ):
        assert not hosts.sent(other, "http", ("localhost", 8321)), other


def test_only_known_hosts_are_answered(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here, httpx.AsyncClient(base_url=here.base, verify=False) as client:
            table = await Visitor(here.base).create(GAME)
            paths = ("/", "/api/games", f"/api/tables/{table}/record", "/readyz", "/metrics")
            for name in ("localhost", "127.0.0.1:1", "[::1]:8321", MACHINE, f"{MACHINE.partition('.')[0]}.local:8321"):
                assert (await client.get("/api/games", headers={"Host": name})).status_code == 200, name
            for path in paths:
                foreign = await client.get(path, headers={"Host": "rebound.example"})
                assert (foreign.status_code, foreign.json()["key"]) == (421, "server.host"), path
                assert "--allow-host rebound.example" in foreign.json()["text"]
            url = f"{here.base.replace('http', 'ws')}/api/tables/{table}/socket"
            async with connect(url, additional_headers={"Host": "rebound.example"}) as line:
                await line.wait_closed()
                assert line.close_code == 4421
        settings = msgspec.structs.replace(QUICK, allowed_hosts=("rebound.example",))
        async with (
            house(tmp_path, settings=settings) as here,
            httpx.AsyncClient(base_url=here.base, verify=False) as client,
        ):
            assert (await client.get("/api/games", headers={"Host": "rebound.example:99"})).status_code == 200

    run(play())


def test_a_request_has_one_host(tmp_path: Path) -> None:
    async def status(base: str, head: str) -> int:
        async with wire(base) as line:
            await line.send(f"GET /api/games {head}\r\nConnection: close\r\n\r\n".encode())
            return int((await line.read_all()).split()[1])

    async def play() -> None:
        async with house(tmp_path) as here:
            assert await status(here.base, "HTTP/1.1") == 400
            assert await status(here.base, "HTTP/1.1\r\nHost: localhost\r\nHost: localhost") == 400
            assert await status(here.base, "HTTP/1.0") == 200, "as simple health checks ask"

    run(play())


def test_the_scheme_is_a_part_of_the_origin(tmp_path: Path) -> None:
    async def post(base: str, headers: Mapping[str, str]) -> int:
        async with httpx.AsyncClient(base_url=base, verify=False) as browser:
            return (await browser.post("/api/tables", json={"game": GAME}, headers=dict(headers))).status_code

    async def play() -> None:
        secure = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.9"}
        async with house(tmp_path) as here:
            other = here.base.replace("http", "https", 1)
            assert await post(here.base, {"Origin": here.base}) == 201
            assert await post(here.base, {"Origin": other}) == 403
            assert await post(here.base, {"Origin": other, **secure}) == 403, "nobody believes that"
        async with house(tmp_path, msgspec.structs.replace(QUICK, trusted_proxies="127.0.0.1")) as here:
            other = here.base.replace("http", "https", 1)
            assert await post(here.base, {"Origin": other, **secure}) == 201
            assert await post(here.base, {"Origin": here.base, **secure}) == 403
        async with house(tmp_path, PUBLIC) as here:
            below = f"{here.base}/serai"
            assert await post(below, {"Origin": "https://games.example"}) == 201
            assert await post(below, {"Origin": "http://games.example"}) == 403
            table = await Visitor(below).create(GAME)
            url = f"{below.replace('http', 'ws')}/api/tables/{table}/socket"
            async with connect(url, additional_headers={"Origin": "https://games.example"}) as line:
                assert json.loads(await line.recv())["type"] == "welcome"
            async with connect(url, additional_headers={"Origin": "http://games.example"}) as line:
                await line.wait_closed()
                assert line.close_code == 4403

    run(play())


def test_proxies_are_addresses_and_networks() -> None:
    networks = read_proxies("127.0.0.1, 10.0.0.0/8,2001:db8::/32")
    for proxy in ("127.0.0.1", "10.9.9.9", "::ffff:10.0.0.1", "2001:db8::1"):
        assert is_trusted(networks, proxy), proxy
    for other in ("127.0.0.2", "192.0.2.1", "::1", "unix"):
        assert not is_trusted(networks, other), other
    assert is_trusted(read_proxies("*"), "192.0.2.1")
    assert not is_trusted(read_proxies(""), "127.0.0.1")


@pytest.mark.parametrize("wrong", ["proxy", "10.0.0.1/8", "127.0.0.1,", "1.2.3.4.5"])
def test_a_proxy_that_cannot_be_is_refused(wrong: str) -> None:
    with pytest.raises(BadAddress):
        read_proxies(wrong)


@pytest.mark.parametrize("wrong", ["", "http://example.org", "example.org:80", "a b", "*"])
def test_a_name_that_cannot_be_is_not_allowed(wrong: str) -> None:
    with pytest.raises(BadAddress, match="--allow-host"):
        read_host(wrong)


@pytest.mark.parametrize(
    ("option", "wrong", "said"),
    [
        ("--allow-host", "https://example.org", "a name or an address"),
        ("--trust-proxy", "proxy.local", "127.0.0.1 or 10.0.0.0/8"),
    ],
)
def test_the_command_says_what_is_wrong(option: str, wrong: str, said: str) -> None:
    done = CliRunner().invoke(command, [option, wrong])
    assert (done.exit_code, said in done.output) == (2, True), done.output
