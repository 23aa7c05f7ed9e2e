"""The REST part, and what every answer must and must not carry."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path
from urllib.parse import quote

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect

from serai import game as find_game
from serai import games
from serai.core.chance import outcome_at
from serai.core.dealer import draw_point
from serai.core.registry import bot_names
from serai.server.app import MAX_BODY
from serai.server.http.middleware import MAX_HOST
from serai.server.net import ws_protocol
from serai.wire.messages import MAX_MESSAGE, MAX_NAME
from serai.wire.schema import schema
from tests.server.support import QUICK, Visitor, house, run
from tests.support import POSTGRES_IN_SOAK

GAMES = games()


def test_games_come_with_all_a_form_needs(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            known = {name: bot_names(find_game(name)) for name in GAMES}
            offered: dict[str, tuple[str, ...]] = {}
            while offered != known:
                told = {
                    info["name"]: info
                    for info in (await Visitor(here.base).call("GET", "/api/games?tried=true")).json()
                }
                offered = {name: tuple(info["bots"]) for name, info in told.items()}
            assert tuple(told) == GAMES
            for name, info in told.items():
                game = find_game(name)
                assert info["rules"] == game.version
                assert info["players"] == [game.players[0], game.players[-1]]
                assert [option["name"] for option in info["options"]] == [option.name for option in game.options]
                assert info["odds"] == (game.odds is not None)
                assert info["advice"] == (game.advice is not None)
                assert tuple(info["levels"]) == game.levels
                assert not info["warming"]

    run(play())


def test_odds_only_where_a_game_has_them_and_only_from_what_a_seat_knows(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann, eve = Visitor(here.base), Visitor(here.base)
            for name in GAMES:
                answer = await ann.call("GET", f"/api/games/{name}/odds?position=nonsense")
                # a game without odds has no such page; one with odds cannot read that position
                assert answer.status_code == (400 if find_game(name).odds is not None else 404)
                table = await ann.create(name, seats=2)
                assert (await ann.call("GET", f"/api/tables/{table}/odds")).status_code == 409
                await ann.join(table, "Ann")
                await ann.join(table, "Bob")
                async with ann.at(table) as a:
                    await a.do("start")
                    for query, status in (("", 200), ("?seat=0", 200)):
                        told = await ann.call("GET", f"/api/tables/{table}/odds{query}")
                        assert told.status_code == (status if find_game(name).odds is not None else 404), told.text
                    assert (await eve.call("GET", f"/api/tables/{table}/odds?seat=0")).status_code == 403
            assert (await ann.call("GET", "/api/games/chess/odds?position=x")).status_code == 404

    run(play())


def test_the_odds_of_a_written_position(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            position = "1gyo 3bw | +5 -9 | bgoyw"
            asked = await Visitor(here.base).call("GET", f"/api/games/camelup/odds?position={quote(position)}")
            game = find_game("camelup")
            assert asked.json()["odds"] == json.loads(msgspec.json.encode(game.odds(position)))

    run(play())


def test_a_table_may_forbid_the_odds(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            for name in (name for name in GAMES if find_game(name).odds is not None):
                for allowed in (True, False):
                    table = await ann.create(name, seats=2, table_rules={"odds": allowed})
                    seen = (await ann.call("GET", f"/api/tables/{table}")).json()["table"]
                    assert seen["table_rules"]["odds"] is allowed
                    told = await ann.call("GET", f"/api/tables/{table}/odds")
                    assert told.json()["key"] == ("table.phase" if allowed else "table.no_odds")

    run(play())


def test_advice_only_where_a_game_has_it_and_a_table_wants_it(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann, eve = Visitor(here.base), Visitor(here.base)
            for name in GAMES:
                game = find_game(name)
                table = await ann.create(name, seats=2)
                strict = await ann.create(name, seats=2, table_rules={"advice": False})
                for one in (table, strict):
                    await ann.join(one, "Ann")
                    await ann.join(one, "Bob")
                early = await ann.call("GET", f"/api/tables/{table}/advice")
                assert early.json()["key"] == ("table.phase" if game.advice else "server.advice")
                async with ann.at(strict) as a:
                    await a.do("start")
                    refused = await ann.call("GET", f"/api/tables/{strict}/advice?seat=0")
                    assert refused.status_code == (403 if game.advice else 404)
                    assert refused.json()["key"] == ("table.no_advice" if game.advice else "server.advice")
                async with ann.at(table) as a:
                    await a.do("start")
                    assert (await eve.call("GET", f"/api/tables/{table}/advice?seat=0")).status_code == 403
                    if game.advice is None:
                        continue
                    told = [
                        (await visitor.call("GET", f"/api/tables/{table}/advice{query}")).json()
                        for visitor, query in ((ann, "?seat=0"), (ann, "?seat=1"), (eve, ""))
                    ]
                    live = (await here.hall.find(table)).table
                    for seat, answer in zip((0, 1, None), told, strict=True):
                        assert answer["game"] == name
                        assert answer["on"] == live.on
                        view = live.snapshot.view(seat)
                        assert answer["advice"] == json.loads(msgspec.json.encode(game.advice(view)))
                    began = live.n
                    await a.my_turn()
                    await a.act(a.actions[0])
                    for n, answer in ((began, told[0]), (began - 1, None)):
                        past = (await ann.call("GET", f"/api/tables/{table}/advice?seat=0&n={n}")).json()
                        assert (past if answer else past["key"]) == (answer or "table.phase")
                    now = (await ann.call("GET", f"/api/tables/{table}/advice?seat=0")).json()
                    assert now["on"] == told[0]["on"] + 1
                    assert (await ann.call("GET", f"/api/tables/{table}/advice?seat=0&n=999")).json() == now

    run(play())


@POSTGRES_IN_SOAK
def test_a_browser_gets_a_cookie_that_scripts_cannot_read(database: str) -> None:
    async def play() -> None:
        async with house(database) as here, httpx.AsyncClient(base_url=here.base, verify=False) as browser:
            made = await browser.post("/api/tables", json={"game": GAMES[0], "seats": 2})
            cookie = made.headers["set-cookie"].lower()
            assert all(part in cookie for part in ("serai_visitor=", "httponly", "samesite=strict", "path=/"))
            table = made.json()["table"]["id"]
            body = {"id": "1", "name": "Ann", "value": "ab" * 32}
            joined = await browser.post(f"/api/tables/{table}/seats", json=body)
            assert "set-cookie" not in joined.headers, "one token per browser"
            again = await browser.post(f"/api/tables/{table}/seats", json=body)
            assert again.json() == joined.json(), "a repeat changes nothing"
            assert (await browser.get(f"/api/tables/{table}")).json()["yours"] == [0]
            token = browser.cookies["serai_visitor"]
            assert token not in made.text + joined.text
            url = f"{here.base.replace('http', 'ws')}/api/tables/{table}/socket"
            async with connect(url, additional_headers={"Cookie": f"serai_visitor={token}"}) as socket:
                assert json.loads(await socket.recv())["yours"] == [0]
            async with httpx.AsyncClient(base_url=here.base, verify=False) as stranger:
                assert (await stranger.get(f"/api/tables/{table}")).json()["yours"] == []

    run(play())


def test_the_invitation_holds_no_secret(tmp_path: Path) -> None:
    async def play() -> None:
        settings = msgspec.structs.replace(QUICK, public_url="https://games.example/serai/")
        async with house(tmp_path, settings=settings) as here:
            visitor = Visitor(here.base)
            seen = (await visitor.call("POST", "/api/tables", {"game": GAMES[0]})).json()
            table = seen["table"]["id"]
            assert seen["link"] == f"https://games.example/serai/t/{table}"
            code = await visitor.call("GET", f"/api/tables/{table}/invite.svg")
            assert code.headers["content-type"] == "image/svg+xml"
            assert code.text.startswith("<svg")
            other = await Visitor(here.base).call("GET", f"/api/tables/{table}/invite.svg")
            assert other.text == code.text

    run(play())


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_games_draws_can_be_checked_without_the_rules(game: str, database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await ann.create(game, seats=2, bots={"1": "random"})
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.do("start")
                running = await ann.call("GET", f"/api/tables/{table}/draws")
                assert running.status_code == 409
                assert "secret:" not in await ann.record(table)
                await a.do("agree")
            told = (await ann.call("GET", f"/api/tables/{table}/draws")).json()
            secret, mix = bytes.fromhex(told["secret"]), bytes.fromhex(told["mix"])
            assert hashlib.sha256(secret).hexdigest() == told["commit"] == a.table["commit"]
            assert hashlib.sha256(b"".join(map(bytes.fromhex, told["values"]))).digest() == mix
            assert told["draws"] or game != "camelup"
            for n, draw in enumerate(told["draws"]):
                point = draw_point(secret, mix, n, sum(draw["weights"]))
                assert draw["outcomes"][outcome_at(draw["weights"], point)] == draw["drawn"]

    run(play())


WRONG: list[tuple[str, str, object, int]] = [
    ("GET", "/api/tables/unknown", None, 404),
    ("GET", "/api/tables/UP..PER", None, 400),
    ("POST", "/api/tables/unknown/seats", {"id": "1", "name": "A", "value": "0" * 64}, 404),
    ("POST", "/api/tables", {"game": "chess"}, 404),
    ("POST", "/api/tables", {"game": 5}, 400),
    ("POST", "/api/tables", {"game": "GAME", "seats": 99}, 400),
    ("POST", "/api/tables", {"game": "GAME", "seats": 1}, 409),
    ("POST", "/api/tables", {"game": "GAME", "bots": {"0": "../../etc/passwd.py:x"}}, 409),
    ("POST", "/api/tables", {"game": "GAME", "bots": {"9": "random"}}, 409),
    ("POST", "/api/tables", {"game": "GAME", "options": {"nonsense": 1}}, 409),
    ("POST", "/api/tables", {"game": "GAME", "extra": 1}, 400),
    ("POST", "/api/tables", [1, 2], 400),
    ("POST", "/api/tables/TABLE/seats", {"id": "1", "name": "", "value": "0" * 64}, 400),
    ("POST", "/api/tables/TABLE/seats", {"id": "1", "name": "x" * (MAX_NAME + 1), "value": "0" * 64}, 400),
    ("POST", "/api/tables/TABLE/seats", {"id": "1", "name": " \n", "value": "0" * 64}, 409),
    ("POST", "/api/tables/TABLE/seats", {"id": "1", "name": "Ann", "value": "zz"}, 400),
    ("POST", "/api/tables/TABLE/seats", {"id": "", "name": "Ann", "value": "0" * 64}, 400),
    ("POST", "/api/tables/TABLE/seats", {"id": "1", "name": "Ann", "value": "0" * 64, "seat": 7}, 409),
    ("DELETE", "/api/tables", None, 405),
    ("GET", "/api/nothing", None, 404),
    ("GET", "/api/tables/TABLE/frames?seat=x", None, 400),
]


@POSTGRES_IN_SOAK
def test_every_wrong_request_gets_a_reason_and_no_trace(database: str, caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        async with house(database) as here:
            visitor = Visitor(here.base)
            table = await visitor.create(GAMES[0])
            for method, path, body, status in WRONG:
                wanted = json.loads(json.dumps(body).replace("GAME", GAMES[0]))
                answer = await visitor.call(method, path.replace("TABLE", table), wanted)
                assert answer.status_code == status, (method, path, body, answer.text)
                assert set(answer.json()) == {"key", "values", "text"}, (path, answer.text)
                assert "Traceback" not in answer.text
                _check_headers(answer)
            raw = httpx.AsyncClient(base_url=here.base, verify=False)
            async with raw:
                broken = await raw.post(
                    "/api/tables", content=b'{"game":', headers={"content-type": "application/json"}
                )
                assert broken.status_code == 400
                deep = b'{"game":"x","options":{"a":' + b"[" * 5000 + b"]" * 5000 + b"}}"
                assert (await raw.post("/api/tables", content=deep)).status_code == 400
                assert (await raw.post("/api/tables", content=b'{"game":"\xff"}')).status_code == 400
                large = await raw.post("/api/tables", content=b" " * (MAX_BODY + 1))
                assert large.status_code == 413
                assert set(large.json()) == {"key", "values", "text"}

    run(play())
    assert "Traceback" not in caplog.text


def test_a_host_that_cannot_be_is_no_fault_of_the_server(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        async with house(tmp_path) as here, httpx.AsyncClient(base_url=here.base, verify=False) as client:
            table = await Visitor(here.base).create(GAMES[0])
            for path in (f"/api/tables/{table}/invite.svg", f"/api/tables/{table}"):
                for host in ("a" * MAX_HOST, "a" * (MAX_HOST + 1), "[", "a:b:c", "[::1]:99999", "", "a b", "ä"):
                    answer = await client.get(path, headers=[(b"Host", host.encode())])
                    assert (answer.status_code, answer.json()["key"]) == (400, "server.malformed"), host
                    _check_headers(answer)

    run(play())
    assert "Traceback" not in caplog.text


def _check_headers(answer: httpx.Response) -> None:
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-frame-options"] == "DENY"
    assert "server" not in answer.headers


def test_other_sites_can_neither_post_nor_connect(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here, httpx.AsyncClient(base_url=here.base, verify=False) as browser:
            foreigners = [{"Origin": origin} for origin in ("https://evil.example", "null", "http://[", "")]
            for foreign in foreigners:
                answer = await browser.post("/api/tables", json={"game": GAMES[0]}, headers=foreign)
                assert (answer.status_code, answer.json()["key"]) == (403, "server.origin")
                _check_headers(answer)
            own = await browser.post("/api/tables", json={"game": GAMES[0]}, headers={"Origin": here.base})
            assert own.status_code == 201
            table = own.json()["table"]["id"]
            url = f"{here.base.replace('http', 'ws')}/api/tables/{table}/socket"
            for foreign in foreigners:
                async with connect(url, additional_headers=foreign) as socket:
                    await socket.wait_closed()
                    assert socket.close_code == 4403
            async with connect(url, additional_headers={"Origin": here.base}) as socket:
                assert json.loads(await socket.recv())["type"] == "welcome"

    run(play())


@POSTGRES_IN_SOAK
def test_sockets_bound_what_they_take(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            visitor = Visitor(here.base)
            table = await visitor.create(GAMES[0])
            for path, code in (("nowhere", 4404), (f"{table}", 4409)):
                async with visitor.at(path, seat="x") as socket:
                    await socket.socket.wait_closed()
                    assert socket.socket.close_code == code
            async with visitor.at(table) as socket:
                for nonsense in (
                    "",
                    "[]",
                    '{"type":"dance","id":"d"}',
                    '{"type":"act"}',
                    '{"type":"start","id":"s","x":1}',
                ):
                    await socket.socket.send(nonsense)
                    answer = await socket.heard("refused")
                    assert answer["key"] == "server.malformed"
                await socket.socket.send(" " * (MAX_MESSAGE + 1))
                await socket.socket.wait_closed()
                assert socket.socket.close_code == 4413
            async with visitor.at(table) as socket:
                await socket.socket.send(" " * (100 * MAX_MESSAGE))
                await socket.socket.wait_closed()
                assert socket.socket.close_code in (1009, 1006)

    run(play())


def test_a_reader_that_is_too_slow_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            visitor = Visitor(here.base)
            table = await visitor.create(GAMES[0], seats=2)
            await visitor.join(table, "Ann")
            async with visitor.at(table) as talker:
                await talker.heard("welcome")
                monkeypatch.setattr(ws_protocol, "OUTBOX_BYTES", 10)
                await talker.socket.send('{"type":"say","id":"1","text":"hello there"}')
                await talker.socket.wait_closed()
                assert talker.socket.close_code == 4408

    run(play())


def test_the_page_is_served_for_every_address_that_is_no_file(tmp_path: Path) -> None:
    web = tmp_path / "web"
    (web / "assets").mkdir(parents=True)
    (web / "index.html").write_text("<!doctype html><title>Serai</title>")
    (web / "assets" / "main-1234.js").write_text("export {}")
    (tmp_path / "secret.txt").write_text("private")
    (web / ".sources").write_text("private")
    (web / "assets" / ".hidden.js").write_text("private")

    async def play() -> None:
        async with (
            house(tmp_path / "data", web=web) as here,
            httpx.AsyncClient(base_url=here.base, verify=False) as browser,
        ):
            for address in ("/", "/t/5a3c9be10277d4f1a2b4", "/index.html"):
                page = await browser.get(address)
                assert (page.status_code, page.text) == (200, "<!doctype html><title>Serai</title>")
                assert page.headers["content-type"] == "text/html; charset=utf-8"
                assert page.headers["cache-control"] == "no-cache"
                _check_headers(page)
            plain = await browser.get("/", headers={"Accept-Encoding": "identity"})
            assert "content-encoding" not in plain.headers
            assert page.headers["content-encoding"] == "gzip"
            script = await browser.get("/assets/main-1234.js")
            assert script.headers["content-type"].startswith("text/javascript")
            assert "immutable" in script.headers["cache-control"]
            for outside in ("/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/missing.js"):
                answer = await browser.get(outside)
                assert "private" not in answer.text
            hidden = ("/.sources", "/%2esources", "/assets/.hidden.js", "/assets/../.sources", "/.git/config")
            for missing in (
                "/assets/missing.js",
                "/%00",
                f"/{'a' * 300}",
                f"/{'a/' * 3000}",
                "/assets/%00.js",
                *hidden,
            ):
                answer = await browser.get(missing)
                assert (answer.status_code, answer.json()["key"]) == (404, "server.no_page")
        async with house(tmp_path / "data") as here, httpx.AsyncClient(base_url=here.base, verify=False) as browser:
            bare = await browser.get("/")
            assert (bare.status_code, bare.json()["key"]) == (404, "server.no_page")

    run(play())


def test_openapi_and_schema_name_what_travels(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            document = (await Visitor(here.base).call("GET", "/api/openapi.json")).json()
            assert {"/api/games", "/api/tables", "/api/tables/{table_id}/seats"} <= set(document["paths"])
            assert {"NewTable", "Join", "TableInfo", "GameInfo"} <= set(document["components"]["schemas"])

    run(play())
    definitions = schema()["$defs"]
    assert {"Message", "Reply", "Frame", "Welcome", "NewTable", "Draws"} <= set(definitions)
    for game in GAMES:
        assert {f"{game}.State", f"{game}.Action", f"{game}.Event"} <= set(definitions)
    named = set(definitions)
    assert _references(schema()) <= {f"#/$defs/{name}" for name in named}


def _references(part: object) -> set[str]:
    if isinstance(part, dict):
        own = {part["$ref"]} if isinstance(part.get("$ref"), str) else set()
        mapped = part.get("mapping")
        own |= set(mapped.values()) if isinstance(mapped, dict) else set()
        return own.union(*(_references(value) for value in part.values()))
    if isinstance(part, list):
        return set().union(*(_references(value) for value in part))
    return set()


def test_health_and_readiness(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            visitor = Visitor(here.base)
            assert (await visitor.call("GET", "/healthz")).json() == {"status": "alive"}
            assert (await visitor.call("GET", "/readyz")).json() == {"status": "ready"}
            await asyncio.sleep(0)

    run(play())
