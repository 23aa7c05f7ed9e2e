"""What is kept about somebody, forgetting them, reports, and what a host can do, on either kind of store."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from serai.core.record import Record, verify
from serai.server.http.admin import HEADER
from serai.server.limits import NO_LIMITS
from serai.server.people.bans import Bans
from serai.server.refusals import MOST_LINES, REMEMBERED, Refusals
from serai.server.settings import Sources
from serai.server.store.base import StoreError
from serai.server.store.maintenance import copy, inspected
from serai.server.tables import hall as halls
from serai.server.tables import visitors
from serai.server.tables.damage import Checked, damages, differences, table_of
from serai.server.tables.hall import BANNED, device_of
from serai.wire.bodies import BanInfo
from tests.postgres import Cluster
from tests.server.stores import everything_in, opened
from tests.server.support import PATIENCE, QUICK, House, Json, Visitor, house, run
from tests.support import amount

GAME = "camelup"
KEY = "the-key-of-the-host-of-the-tests"
HOSTED = msgspec.structs.replace(QUICK, host_key=KEY)
FROM_PROXY = msgspec.structs.replace(HOSTED, trusted_proxies="127.0.0.1")


@pytest.fixture(autouse=True)
def settles_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where several processes share a database, they hear on this machine within moments what was rewritten."""
    monkeypatch.setattr(visitors, "SETTLE_SECONDS", 0.05)


class Host:
    """Whoever holds the key."""

    def __init__(self, base: str, key: str = KEY) -> None:
        self.base, self.key = base, key

    async def call(self, method: str, path: str, body: Any = None) -> httpx.Response:
        async with httpx.AsyncClient(
            base_url=self.base, headers={HEADER: self.key}, timeout=PATIENCE, verify=False
        ) as client:
            return await client.request(method, f"/api/admin/{path}", json=body)

    async def got(self, path: str) -> Any:
        answer = await self.call("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()


async def agreed(here: House, ann: Visitor, ben: Visitor) -> str:
    """A game of two that ended by agreement, with talk."""
    table = await ann.create(GAME, seats=2)
    await ann.join(table, "Annabel")
    await ben.join(table, "Ben")
    async with ann.at(table) as a, ben.at(table) as b:
        await a.do("say", text="before we begin")
        await a.do("start")
        mover = await a.my_turn_or(b)
        await mover.act(mover.actions[0])
        await a.do("say", text="I live in Berlin")
        await a.do("agree", on=True)
        await b.do("agree", on=True)
    return table


async def settled(here: House) -> None:
    """Until everybody who is to be forgotten is."""
    async with asyncio.timeout(PATIENCE):
        while await here.hall.store.erasures():
            await asyncio.sleep(0.01)


def test_somebody_sees_what_is_kept_and_is_forgotten(database: str) -> None:
    async def work() -> None:
        async with house(database, HOSTED) as here:
            ann, ben = Visitor(here.base), Visitor(here.base)
            over, lobby = await agreed(here, ann, ben), await ann.create(GAME, seats=2)
            await ann.join(lobby, "Annabel the Second")
            record = await ann.record(over)
            kept = (await ann.call("GET", "/api/me")).json()
            assert kept["visitor"] == device_of(ann.token)
            found = {table["table"]: table for table in kept["tables"]}
            assert found[over]["said"] == ["before we begin", "I live in Berlin"]
            assert (found[over]["names"], found[lobby]["names"]) == (["Annabel"], ["Annabel the Second"])
            assert await Host(here.base).got(f"visitors/{kept['visitor']}") == kept

            async with ann.at(over) as a, ben.at(over) as b:
                assert (await ann.call("DELETE", "/api/me")).status_code == 204
                await a.socket.wait_closed()
                await b.socket.wait_closed()
                assert b.socket.close_code == 1012, "they come back in a moment"
            await settled(here)
            gone = await ann.call("GET", "/api/me")
            assert (gone.status_code, gone.json().get("tables")) == (200, [])
            assert (await ann.call("GET", "/api/mine")).json() == []
            theirs = (await ben.call("GET", "/api/mine")).json()
            assert [seat.get("name", "") for seat in theirs[0]["seats"]] == ["", "Ben"]
            after = Record.read(await ben.record(over))
            assert [seat.name for seat in after.seats] == ["-", "Ben"]
            assert verify(after).draws_checked
            assert after.chain == Record.read(record).chain
            async with ben.at(over) as b:
                welcome = await b.heard("welcome")
                assert "Berlin" not in json.dumps(welcome)
                assert (await b.ask("say", text="who was that?"))["type"] == "done", "the chain goes on"
        everything = await everything_in(database)
        for trace in (device_of(ann.token), "Annabel", "Berlin", "before we"):
            assert trace.encode() not in everything, trace
        async with inspected(database) as inspection:
            assert [one async for one in damages(inspection, Checked())] == []
            downloaded = Record.read(record)
            table = await table_of(inspection, downloaded)
            assert table is not None
            assert differences(downloaded, table) == [], "a name that was forgotten is no difference"

    run(work())


def test_who_is_to_be_forgotten_is_so_after_a_crash_too(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            await ann.join(table, "Annabel")
        store = await opened(database)
        await store.ask_erasure(device_of(ann.token), 0.0)  # and then the power failed
        assert await store.visitors([device_of(ann.token)]) == {device_of(ann.token): ""}
        await store.close()
        async with house(database) as here:
            await settled(here)
            assert await here.hall.store.device_rows() == []
            seats = (await Visitor(here.base).call("GET", f"/api/tables/{table}")).json()["table"]["seats"]
            assert [seat.get("name", "") for seat in seats] == ["", ""]

    run(work())


def test_moved_devices_are_forgotten_with_their_visitor(database: str) -> None:
    async def work() -> None:
        async with house(database) as here:
            old, new = Visitor(here.base), Visitor(here.base)
            table = await old.create(GAME, seats=2)
            await old.join(table, "Annabel")
            code = (await old.call("POST", "/api/handover")).json()["code"]
            assert (await new.call("POST", "/api/handover/claim", {"code": code})).status_code == 200
            assert len(await here.hall.store.device_rows()) == 2
            await new.call("DELETE", "/api/me")
            await settled(here)
            assert await here.hall.store.device_rows() == []
            for visitor in (old, new):
                assert (await visitor.call("GET", "/api/me")).json()["tables"] == []

    run(work())


def test_a_reported_player_is_found_and_silenced_and_shut_out(database: str) -> None:
    async def work() -> None:
        async with house(database, FROM_PROXY) as here:
            host, ann, bad = Host(here.base), Visitor(here.base), Visitor(here.base)
            bad.proxied = "203.0.113.9"
            table = await ann.create(GAME, seats=2)
            await ann.join(table, "Ann")
            await bad.join(table, "Bad")
            async with ann.at(table) as a, bad.at(table) as b:
                await b.heard("presence")
                body = {"seat": 1, "text": "insults me"}
                assert (await ann.call("POST", f"/api/tables/{table}/reports", body)).status_code == 201
                for seat in (0, 5):
                    answer = await ann.call("POST", f"/api/tables/{table}/reports", {"seat": seat})
                    assert answer.json()["key"] == "people.report"
                (report,) = await host.got("reports")
                assert (report["name"], report["text"], report["address"]) == ("Bad", "insults me", bad.proxied)
                assert report["visitor"] == device_of(bad.token)
                connected = await host.got("connections")
                assert {(one["name"], one["address"]) for one in connected} >= {("Bad", bad.proxied)}
                listed = await host.got("tables")
                assert listed["counts"] == {"lobby": 1}
                assert (listed["tables"][0]["id"], listed["tables"][0]["names"]) == (table, ["Ann", "Bad"])
                assert [one["name"] for one in await host.got(f"tables/{table}")] == ["Ann", "Bad"]

                silence = {"subject": report["visitor"], "kind": "silence", "hours": 1}
                assert (await host.call("POST", "bans", silence)).status_code == 200
                assert (await b.ask("say", text="pah"))["key"] == "table.silenced"
                assert (await a.ask("say", text="finally"))["type"] == "done"
                ban = {"subject": bad.proxied, "kind": "ban", "hours": 1, "why": "insults"}
                assert (await host.call("POST", "bans", ban)).status_code == 200
                await b.socket.wait_closed()
                assert b.socket.close_code == BANNED
            answer = await bad.call("GET", "/api/games")
            assert (answer.status_code, answer.json()["key"]) == (403, "server.banned")
            async with bad.at(table) as b:
                await b.socket.wait_closed()
                assert b.socket.close_code == BANNED
            bad.proxied = "203.0.113.10"
            assert (await bad.call("GET", "/api/games")).status_code == 200, "only the address"
            await host.call("POST", "bans", {"subject": report["visitor"], "kind": "ban", "hours": 1})
            assert (await bad.call("GET", f"/api/tables/{table}")).json()["key"] == "server.banned"
            assert [one["kind"] for one in await host.got("bans")] == ["ban", "ban"]
            lifted = await host.call("POST", "bans/lift", {"subject": report["visitor"]})
            assert lifted.json() == {"count": 1}
            assert (await bad.call("GET", f"/api/tables/{table}")).status_code == 200
            assert (await host.call("DELETE", f"reports/{report['id']}")).status_code == 204
            assert await host.got("reports") == []

    run(work())


def test_a_server_starts_though_it_cannot_read_yet_who_is_shut_out(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    load = Bans.load

    async def late(self: Bans) -> None:
        tried.append("")
        if len(tried) < 3:
            raise StoreError("could not be read")
        await load(self)

    async def play() -> None:
        async with house(database, HOSTED) as here:
            ban = {"subject": "192.0.2.1", "kind": "ban", "hours": 2}
            assert (await Host(here.base).call("POST", "bans", ban)).status_code == 200
        monkeypatch.setattr(Bans, "load", late)
        monkeypatch.setattr(halls, "BANS_SECONDS", 0.01)
        async with house(database, HOSTED) as here:
            while here.hall.bans.shuts_out("192.0.2.1") is None:
                await asyncio.sleep(0.01)
        assert len(tried) == 3

    run(play())


def test_a_ban_ends_and_outlives_a_restart(database: str) -> None:
    wall = [1e9]
    sources = Sources(wall=lambda: wall[0])

    async def work() -> None:
        async with house(database, HOSTED, sources) as here:
            ban = {"subject": "127.0.0.1", "kind": "ban", "hours": 2}
            assert (await Host(here.base).call("POST", "bans", ban)).status_code == 200
        async with house(database, HOSTED, sources) as here:
            assert (await Visitor(here.base).call("GET", "/api/games")).status_code == 403
            assert (await Host(here.base).call("GET", "bans")).status_code == 200, "the host shut out themselves"
            wall[0] += 2 * 3600 + 1
            assert (await Visitor(here.base).call("GET", "/api/games")).status_code == 200

    run(work())


def test_every_process_at_a_database_knows(postgres: Cluster) -> None:
    async def work() -> None:
        url = postgres.new_database()
        async with house(url, HOSTED) as one, house(url, HOSTED) as two:
            ann, ben = Visitor(one.base), Visitor(two.base)
            table = await ann.create(GAME, seats=2)
            await ann.join(table, "Annabel")
            await ben.join(table, "Ben")
            async with ben.at(table) as b:
                await ann.call("DELETE", "/api/me")
                await settled(one)
                await b.socket.wait_closed()
            seats = (await ben.call("GET", f"/api/tables/{table}")).json()["table"]["seats"]
            assert [seat.get("name", "") for seat in seats] == ["", "Ben"]
            async with ben.at(table) as b:
                await b.heard("presence")
                await Host(one.base).call("POST", "bans", {"subject": device_of(ben.token), "kind": "ban", "hours": 1})
                await b.socket.wait_closed()
                assert b.socket.close_code == BANNED
            await Host(one.base).call("POST", "bans/lift", {"subject": device_of(ben.token)})
            async with asyncio.timeout(PATIENCE):
                while (await ben.call("GET", f"/api/tables/{table}")).status_code == 403:
                    await asyncio.sleep(0.01)
            async with ben.at(table) as b:
                await b.heard("presence")
                assert (await Host(one.base).call("DELETE", f"tables/{table}")).status_code == 204
                await b.socket.wait_closed()
            assert (await ben.call("GET", f"/api/tables/{table}")).status_code == 404

    run(work())


def test_a_removed_table_is_gone_for_its_players(database: str) -> None:
    async def work() -> None:
        async with house(database, HOSTED) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2, bots={"1": "random"})
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.do("start")
                assert (await Host(here.base).call("DELETE", f"tables/{table}")).status_code == 204
                await a.socket.wait_closed()
                assert a.socket.close_code == 4404
            assert (await ann.call("GET", f"/api/tables/{table}")).status_code == 404
            assert (await Host(here.base).call("DELETE", f"tables/{table}")).status_code == 404

    run(work())


def test_the_key_opens_and_nothing_else(tmp_path: Path) -> None:
    paths = [("GET", one) for one in ("tables", "connections", "bans", "reports", f"visitors/{'a' * 32}", "tables/t")]
    paths += [("DELETE", one) for one in ("tables/t", "reports/1", f"visitors/{'a' * 32}")]
    bodies: list[tuple[str, str, Json | None]] = [(method, path, None) for method, path in paths]
    bodies += [
        ("POST", "bans", {"subject": "192.0.2.1", "kind": "ban", "hours": 1}),
        ("POST", "bans/lift", {"subject": "192.0.2.1"}),
    ]

    async def work() -> None:
        async with house(tmp_path / "on", HOSTED) as on, house(tmp_path / "off") as off:
            for method, path, body in bodies:
                for key in ("", "wrong", KEY[:-1], KEY + "x"):
                    answer = await Host(on.base, key).call(method, path, body)
                    assert (answer.status_code, answer.json()["key"]) == (403, "admin.key"), path
                answer = await Host(off.base).call(method, path, body)
                assert (answer.status_code, answer.json()["key"]) == (404, "admin.off"), path
            for subject in ("", "nobody", "203.0.113.300", "a" * 31, "x" * 200):
                answer = await Host(on.base).call("POST", "bans", {"subject": subject, "kind": "ban", "hours": 1})
                assert answer.status_code in (400, 409), subject
            network = {"subject": "2001:db8:1:2:3:4:5:6", "kind": "ban", "hours": 1}
            made = (await Host(on.base).call("POST", "bans", network)).json()
            assert made["subject"] == "address:2001:db8:1:2::/64"

    run(work())


def test_wrong_keys_are_counted(tmp_path: Path) -> None:
    settings = msgspec.structs.replace(HOSTED, limits=msgspec.structs.replace(NO_LIMITS, keys=6))

    async def work() -> None:
        async with house(tmp_path, settings) as here:
            tried = [(await Host(here.base, secrets.token_hex(20)).call("GET", "bans")).status_code for _ in range(8)]
            assert tried == [403] * 3 + [429] * 5
            assert await Host(here.base).got("bans") == [], "the right one always opens"

    run(work())


def test_bans_and_wishes_move_with_the_tables(tmp_path: Path, postgres: Cluster) -> None:
    async def work() -> None:
        here, there = await opened(str(tmp_path / "tables.db")), await opened(postgres.new_database())
        await here.set_ban(BanInfo("address:192.0.2.1", "ban", 9e9, "why"), 0.0)
        await here.ask_erasure("a" * 32, 0.0)
        for _ in range(2):
            await copy(here, there)
            assert await there.bans(0.0) == await here.bans(0.0) != []
            assert await there.erasures() == ["a" * 32]
        await here.close()
        await there.close()

    run(work())


def test_refusals_name_addresses_and_cannot_fill_a_disk(caplog: pytest.LogCaptureFixture) -> None:
    refusals = Refusals()
    with caplog.at_level(logging.WARNING, "serai.refusals"):
        for number in range(amount(3 * REMEMBERED, 100 * REMEMBERED)):
            refusals.note(f"192.0.2.{number}", "requests")
            refusals.note("203.0.113.9", "messages")
        refusals.write()
        lines = [record.getMessage() for record in caplog.records]
        assert len(lines) == MOST_LINES + 1
        assert "messages to 203.0.113.9" in lines[0]
        assert "other addresses" in lines[-1]
        caplog.clear()
        refusals.write()
        assert caplog.records == []


def test_whoever_is_refused_is_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    limits = msgspec.structs.replace(NO_LIMITS, requests=2)

    async def work() -> None:
        async with house(tmp_path, msgspec.structs.replace(FROM_PROXY, limits=limits)) as here:
            loud = Visitor(here.base)
            loud.proxied = "203.0.113.9"
            for _ in range(4):
                await loud.call("GET", "/api/mine")
            here.hall.refusals.write()

    run(work())
    assert "refused requests to 203.0.113.9: 3 times" in caplog.text
