"""Below a path of another site: everything is found there, and nothing outside."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import re
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect

from serai import games
from serai.bots.remote import Guest
from serai.server.errors import BadAddress
from serai.server.http.caller import qr_svg
from serai.server.http.hosts import below, read_base_path, settle_addresses
from serai.server.http.middleware import HEADERS
from tests.faults.support import process
from tests.server.support import QUICK, Visitor, house, run

GAME = games()[0]
BASE = "/games/serai"
BELOW = msgspec.structs.replace(QUICK, base_path=BASE)
INDEX = '<meta name="serai-base" content="./"><script src="./assets/main-1234.js"></script>'


@pytest.fixture
def web(tmp_path: Path) -> Path:
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / "assets" / "main-1234.js").write_text('export default "./assets"')
    (tmp_path / "secret.txt").write_text("private")
    return folder


def ask(base: str, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], str]:
    """Ask for a path exactly as it is written, as no browser would."""
    line = http.client.HTTPConnection(urlsplit(base).netloc, timeout=20)
    line.request(method, path, headers=headers)
    answer = line.getresponse()
    told = answer.read().decode()
    line.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, told


def test_a_whole_game_by_link_cookie_and_socket(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            house(tmp_path, settings=BELOW) as here,
            httpx.AsyncClient(base_url=here.base + BASE, verify=False) as browser,
        ):
            made = await browser.post("/api/tables", json={"game": GAME, "seats": 2, "bots": {"1": "random"}})
            cookie = made.headers["set-cookie"].lower()
            assert f"path={BASE}/;" in cookie
            assert "httponly" in cookie
            assert "samesite=strict" in cookie
            table = made.json()["table"]["id"]
            link = f"{here.base}{BASE}/t/{table}"
            assert made.json()["link"] == link
            assert (await browser.get(f"/api/tables/{table}/invite.svg")).content == qr_svg(link)
            token = browser.cookies["serai_visitor"]
            ann = Visitor(here.base + BASE, token)
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.do("start")
                await a.play_to_the_end(random.Random(3))
            assert [game["table"] for game in (await browser.get("/api/mine")).json()] == [table]

    run(play())


def test_an_outside_bot_comes_by_the_link(tmp_path: Path) -> None:
    async def play(base: str) -> None:
        host = Visitor(base)
        table = await host.create(GAME, seats=2, bots={"1": "random"})
        guest = Guest((await host.call("GET", f"/api/tables/{table}")).json()["link"])
        seat = await asyncio.to_thread(guest.join, "Guest")
        rng = random.Random(5)
        async with host.at(table, seat="none") as a:
            await a.do("start")
        scores = await guest.play(seat, lambda view: rng.choice(view.actions()))
        assert len(scores) == 2

    with process(tmp_path / "tables.db", "--base-path", f"{BASE}/") as server:
        assert server.base.endswith(BASE), "the address shown on start is the one to open"
        run(play(server.base))


def test_the_page_begins_its_addresses_with_the_base_path(tmp_path: Path, web: Path) -> None:
    async def play() -> None:
        async with house(tmp_path / "data", settings=BELOW, web=web) as here:
            for path in ("/", "/index.html", "/t/5a3c9be10277d4f1a2b4", "/g/camelup/odds"):
                for packed in ("gzip", "identity"):
                    async with httpx.AsyncClient(headers={"Accept-Encoding": packed}, verify=False) as browser:
                        page = await browser.get(here.base + BASE + path)
                    assert page.text == INDEX.replace("./", f"{BASE}/")
                    assert page.headers["cache-control"] == "no-cache"
            async with httpx.AsyncClient(base_url=here.base + BASE, verify=False) as browser:
                script = await browser.get("/assets/main-1234.js")
            assert "immutable" in script.headers["cache-control"]
            assert script.text == 'export default "./assets"', "only the page itself is written anew"
        async with (
            house(tmp_path / "data", web=web) as here,
            httpx.AsyncClient(base_url=here.base, verify=False) as browser,
        ):
            assert (await browser.get("/t/5a3c9be1")).text == INDEX.replace("./", "/")

    run(play())


def test_whatever_lies_outside_is_told_where_serai_lives(tmp_path: Path, web: Path) -> None:
    outside = (
        "/",
        "/api/games",
        "/healthz",
        "/metrics",
        "/t/5a3c",
        "/games",
        "/games/",
        "/games/seraio/",
        "/GAMES/serai/",
    )
    tricks = (
        "//games/serai/",
        "//evil.example/games/serai",
        "/games//serai/",
        "/games/../games/serai/",
        "/x/games/serai/",
    )

    async def play() -> None:
        async with house(tmp_path / "data", settings=BELOW, web=web) as here:
            for path in (*outside, *tricks):
                status, headers, told = await asyncio.to_thread(ask, here.base, path)
                assert (status, json.loads(told)["key"]) == (404, "server.elsewhere"), path
                assert f"{BASE}/" in json.loads(told)["text"]
                assert {name.decode(): value.decode() for name, value in HEADERS}.items() <= headers.items()
            async with connect(f"{here.base.replace('http', 'ws')}/api/tables/abc/socket") as socket:
                await socket.wait_closed()
                assert (socket.close_code, socket.close_reason) == (
                    4404,
                    f"there is nothing here; Serai lives at {BASE}/",
                )

    run(play())


def test_no_detour_leads_out_of_the_folder_or_to_another_site(tmp_path: Path, web: Path) -> None:
    detours = (
        "/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/../api/games",
        "//evil.example/",
        "/\\evil.example",
    )

    async def play() -> None:
        async with house(tmp_path / "data", settings=BELOW, web=web) as here:
            for path in detours:
                status, headers, told = await asyncio.to_thread(ask, here.base, BASE + path)
                assert status in (200, 404), path
                assert "location" not in headers, path
                assert told == INDEX.replace("./", f"{BASE}/") or "key" in json.loads(told), path

    run(play())


def test_a_forgotten_slash_is_put_right_and_leads_nowhere_else(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path, settings=msgspec.structs.replace(BELOW, allowed_hosts=("evil.example",))) as here:
            for path in (BASE, f"{BASE}?to=//evil.example", "/games%2Fserai"):
                status, headers, _ = await asyncio.to_thread(ask, here.base, path, Host="evil.example")
                assert (status, headers["location"]) == (307, f"{BASE}/"), path

    run(play())


def test_what_is_kept_from_others_stays_so(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path, settings=BELOW) as here:
            assert (await Visitor(here.base + BASE).call("GET", "/healthz")).json() == {"status": "alive"}
            assert (await Visitor(here.base + BASE).call("GET", "/readyz")).json() == {"status": "ready"}
            assert (await asyncio.to_thread(ask, here.base, f"{BASE}/metrics"))[0] == 200
            proxied = {"X-Forwarded-For": "192.0.2.7"}
            assert (await asyncio.to_thread(lambda: ask(here.base, f"{BASE}/metrics", **proxied)))[0] == 404
            async with httpx.AsyncClient(base_url=here.base + BASE, verify=False) as browser:
                foreign = await browser.post(
                    "/api/tables", json={"game": GAME}, headers={"Origin": "https://evil.example"}
                )
                assert (foreign.status_code, foreign.json()["key"]) == (403, "server.origin")
                own = await browser.post("/api/tables", json={"game": GAME}, headers={"Origin": here.base})
                assert own.status_code == 201
                assert own.headers["cache-control"] == "no-store"
                described = (await browser.get("/api/openapi.json")).json()
                assert [server["url"] for server in described["servers"]] == [BASE]

    run(play())


def test_the_cookie_of_another_serai_further_up_is_not_mistaken_for_ours(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path, settings=BELOW) as here:
            ann = Visitor(here.base + BASE)
            table = await ann.create(GAME, seats=2)
            await ann.join(table, "Ann")
            # the order in which browsers send them: the longest path first
            cookies = f"other=1; serai_visitor={ann.token}; serai_visitor={Visitor('').token}"
            async with httpx.AsyncClient(
                base_url=here.base + BASE, headers={"Cookie": cookies}, verify=False
            ) as browser:
                assert (await browser.get(f"/api/tables/{table}")).json()["yours"] == [0]

    run(play())


def test_limits_count_below_the_base_path_too(tmp_path: Path) -> None:
    async def play() -> None:
        few = msgspec.structs.replace(BELOW, limits=msgspec.structs.replace(BELOW.limits, requests=2))
        async with house(tmp_path, settings=few) as here:
            visitor = Visitor(here.base + BASE)
            statuses = [(await visitor.call("GET", "/api/games")).status_code for _ in range(3)]
            assert statuses[0] == 200
            assert statuses[-1] == 429

    run(play())


@pytest.mark.parametrize(
    ("written", "meant"),
    [("/", ""), ("/games", "/games"), ("/games/serai/", BASE), ("/a-b_c.d~e/1", "/a-b_c.d~e/1"), ("/..a", "/..a")],
)
def test_base_paths_as_hosts_write_them(written: str, meant: str) -> None:
    assert read_base_path(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        *("games", "games/serai", "https://example.org/games", "//evil.example", "/games//serai", "/games/../serai"),
        *("/..", "/.", "/games/./serai", "/games?x=1", "/games#x", "/my games", "/games ", "/gämes", "/%67ames"),
        *("/games;x", '/"games', "/<games>", "/games\n", "/games\\serai", "//"),
    ],
)
def test_paths_where_serai_cannot_live(written: str) -> None:
    with pytest.raises(BadAddress, match=re.escape(repr(written))):
        read_base_path(written)


@pytest.mark.parametrize(
    ("base", "public", "settled"),
    [
        ("", "", ("", "")),
        (BASE, "", (BASE, "")),
        ("", "https://example.org", ("", "https://example.org")),
        ("", "https://example.org:8443/", ("", "https://example.org:8443")),
        ("", f"https://example.org{BASE}/", (BASE, f"https://example.org{BASE}")),
        (BASE, "https://example.org", (BASE, f"https://example.org{BASE}")),
        (f"{BASE}/", f"http://[2001:db8::1]:80{BASE}", (BASE, f"http://[2001:db8::1]:80{BASE}")),
    ],
)
def test_base_path_and_public_address_complete_each_other(base: str, public: str, settled: tuple[str, str]) -> None:
    assert settle_addresses(base, public) == settled


@pytest.mark.parametrize(
    ("base", "public"),
    [
        ("/other", f"https://example.org{BASE}"),
        *(("", public) for public in ("example.org", "ftp://example.org", "https://", "https:///games", "http://[::1")),
        *(("", public) for public in ("https://example.org?x", "https://example.org/a b", "https://me@example.org")),
        *(
            ("", public)
            for public in ("https://example.org/../x", "https://example.org:99999", "https://example.org\\x")
        ),
    ],
)
def test_addresses_that_do_not_fit(base: str, public: str) -> None:
    with pytest.raises(BadAddress):
        settle_addresses(base, public)


def test_what_lies_below() -> None:
    assert below(BASE, f"{BASE}/t/1") == "/t/1"
    assert below(BASE, f"{BASE}/") == "/"
    assert below("", "/t/1") == "/t/1"
    assert below(BASE, BASE) is None
    assert below(BASE, f"{BASE}x/") is None
    assert below(BASE, f"/x{BASE}/") is None
