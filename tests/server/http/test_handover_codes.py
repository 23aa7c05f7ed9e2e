"""Taking one's seats to another device: once, soon, by whoever holds the code, and as a whole or not at all."""

from __future__ import annotations

import asyncio
import itertools
import logging
import math
import re
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from serai.server.http.codes import DEVICE_CODE_SECONDS
from serai.server.limits import NO_LIMITS
from serai.server.settings import CODE_BITS, Sources
from serai.server.store.base import DeviceRow
from serai.server.store.maintenance import copy
from serai.server.tables.audience import MOVED
from tests.postgres import Cluster
from tests.server.stores import everything_in, opened
from tests.server.support import QUICK, Clock, House, Json, Socket, Visitor, house, run
from tests.support import POSTGRES_IN_SOAK, amount

GAME = "camelup"


async def offered(visitor: Visitor) -> Json:
    answer = await visitor.call("POST", "/api/handover")
    assert answer.status_code == 201, answer.text
    told: Json = answer.json()
    return told


async def claimed(visitor: Visitor, code: str, **wanted: Any) -> list[str]:
    answer = await visitor.call("POST", "/api/handover/claim", {"code": code, **wanted})
    assert answer.status_code == 200, answer.text
    tables: list[str] = answer.json()["tables"]
    return tables


async def refused(visitor: Visitor, path: str, code: str) -> tuple[int, str]:
    answer = await visitor.call("POST", f"/api/handover/{path}", {"code": code})
    return answer.status_code, answer.json().get("key", "")


UNKNOWN = (403, "handover.unknown")


async def seats(visitor: Visitor, table: str) -> list[int]:
    yours: list[int] = (await visitor.call("GET", f"/api/tables/{table}")).json()["yours"]
    return yours


async def begun(here: House, host: Visitor, **wanted: Any) -> str:
    """A game in which the visitor has the first seat."""
    table = await host.create(GAME, **{"seats": 2, "bots": {"1": "random"}, "options": {"first": 0}, **wanted})
    await host.join(table, "Ann")
    async with host.at(table) as a:
        await a.do("start")
    return table


async def finished(visitor: Visitor) -> int:
    return len((await visitor.call("GET", "/api/mine")).json())


async def parted(socket: Socket) -> None:
    """Listen until the line is closed because somebody else has the seat."""
    await asyncio.wait_for(socket.socket.wait_closed(), 30)
    assert socket.socket.close_code == MOVED


def test_everything_moves_at_once_and_the_old_device_stands_for_nobody(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            old, new = Visitor(here.base), Visitor(here.base)
            over, table = await begun(here, old), await begun(here, old)
            async with old.at(over) as a:
                await a.do("agree")
            lobby = await old.create(GAME, seats=2)
            await old.join(lobby, "Ann")
            told = await offered(old)
            assert told["seconds"] == DEVICE_CODE_SECONDS <= 600
            assert told["link"] == f"{here.base}/move#{told['code']}"
            assert told["qr"].startswith("<svg")
            async with old.at(table) as a, old.at(lobby) as b, new.at(table) as watching:
                await a.heard("presence")
                await b.heard("presence")
                assert (await watching.heard("welcome"))["seat"] is None
                looked = (await new.call("POST", "/api/handover/look", {"code": told["code"]})).json()
                assert looked == {"here": False, "tables": 0, "games": 0}
                assert await seats(old, table) == [0], "to look moves nothing"
                assert sorted(await claimed(new, told["code"].lower().replace("-", " "))) == sorted([table, lobby])
                for socket in (a, b, watching):
                    await parted(socket)
            assert (await seats(new, table), await seats(new, lobby)) == ([0], [0])
            assert (await seats(old, table), await seats(old, lobby)) == ([], [])
            assert (await finished(new), await finished(old)) == (1, 0)
            async with new.at(table) as now, old.at(table) as then:
                assert (await then.heard("welcome"))["seat"] is None
                await now.my_turn()
                await now.act(now.actions[0])
                assert (await then.ask("pause"))["key"] == "table.not_seated"
            assert (await old.call("GET", f"/api/tables/{table}/frames?seat=0")).status_code == 403
            made = await old.call("POST", "/api/tables", {"game": GAME})
            assert (made.status_code, made.json()["key"]) == (403, "handover.moved")
            assert (await old.call("POST", "/api/handover")).json()["key"] == "handover.nothing"
            async with new.at(lobby) as host:
                await host.do("vacate", seat=1)  # still the host

    run(play())


def test_who_never_sat_has_nothing_to_take_along(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            refused = await ann.call("POST", "/api/handover")
            assert (refused.status_code, refused.json()["key"]) == (409, "handover.nothing")
            await ann.join(table, "Ann")
            assert (await ann.call("POST", "/api/handover")).status_code == 201

    run(play())


def test_a_code_is_good_once_for_ten_minutes_and_until_it_is_withdrawn_or_replaced(database: str) -> None:
    wall = Clock()

    async def play() -> None:
        async with house(database, sources=Sources(wall=wall)) as here:
            ann, bob = Visitor(here.base), Visitor(here.base)
            table = await begun(here, ann)
            first = (await offered(ann))["code"]
            second = (await offered(ann))["code"]
            assert await refused(bob, "claim", first) == UNKNOWN, "replaced"
            assert (await ann.call("DELETE", "/api/handover")).status_code == 204
            assert await refused(bob, "claim", second) == UNKNOWN, "withdrawn"
            third = (await offered(ann))["code"]
            wall.now += DEVICE_CODE_SECONDS
            assert await refused(bob, "look", third) == UNKNOWN
            assert await refused(bob, "claim", third) == UNKNOWN, "too late"
            fourth = (await offered(ann))["code"]
            wall.now += DEVICE_CODE_SECONDS - 1
            assert (await Visitor(here.base).call("DELETE", "/api/handover")).status_code == 204, "of another visitor"
            assert await claimed(bob, fourth) == [table]
            assert await claimed(bob, fourth) == [table], "an answer that was lost can be had again"
            for late in (Visitor(here.base), ann):
                assert await refused(late, "look", fourth) == UNKNOWN
                assert await refused(late, "claim", fourth) == UNKNOWN, "used up"
            fifth = (await offered(bob))["code"]
            assert await claimed(ann, fifth) == [table], "and back again"
            assert await refused(bob, "claim", fourth) == UNKNOWN, "a repeat does not undo what came after"
            assert await seats(ann, table) == [0]
            assert await refused(bob, "claim", "nonsense") == UNKNOWN

    run(play())


def test_of_two_who_claim_at_once_one_wins(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await begun(here, ann)
            for _ in range(amount(2, 50)):
                code = (await offered(ann))["code"]
                rivals = [Visitor(here.base) for _ in range(4)]
                answers = await asyncio.gather(
                    *(rival.call("POST", "/api/handover/claim", {"code": code}) for rival in rivals)
                )
                assert sorted(answer.status_code for answer in answers) == [200, 403, 403, 403]
                winner = rivals[[answer.status_code for answer in answers].index(200)]
                held = [await seats(one, table) for one in (ann, *rivals)]
                assert sorted(held) == [[], [], [], [], [0]]
                assert await seats(winner, table) == [0]
                ann = winner

    run(play())


def test_codes_and_moves_outlive_the_server_and_a_code_is_kept_only_as_a_hash(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    codes: list[str] = []

    async def play() -> None:
        async with house(database) as here:
            ann, bob, cem = (Visitor(here.base) for _ in range(3))
            table = await begun(here, ann)
            codes.append((await offered(ann))["code"])
        async with house(database) as here:
            for one in (ann, bob, cem):
                one.base = here.base
            assert await claimed(bob, codes[0]) == [table]
        async with house(database) as here:
            for one in (ann, bob, cem):
                one.base = here.base
            assert [await seats(one, table) for one in (ann, bob)] == [[], [0]]
            assert await refused(cem, "claim", codes[0]) == UNKNOWN
            codes.append((await offered(bob))["code"])

    run(play())

    async def look() -> None:
        everything = await everything_in(database)
        for code in codes:
            for form in (code, code.replace("-", "")):
                assert form.encode() not in everything
                assert form not in caplog.text

    run(look())


def test_a_code_has_enough_chance_in_it_not_to_be_guessed_and_guesses_are_limited(tmp_path: Path) -> None:
    async def play() -> None:
        numbers = itertools.count(2**CODE_BITS - 2)
        limits = msgspec.structs.replace(NO_LIMITS, handovers=20)
        async with house(
            tmp_path, msgspec.structs.replace(QUICK, limits=limits), Sources(code=lambda: next(numbers) % 2**CODE_BITS)
        ) as here:
            ann, eve = Visitor(here.base), Visitor(here.base)
            await ann.join(await ann.create(GAME), "Ann")
            codes = {(await offered(ann))["code"] for _ in range(4)}
            assert len(codes) == 4, "every bit of chance counts"
            assert all(re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}", code) for code in codes)
            assert 16 * math.log2(32) >= CODE_BITS >= 80
            told = [await refused(eve, "claim", secrets.token_hex(8)) for _ in range(8)]
            assert told[0] == UNKNOWN
            assert told[-1] == (429, "server.too_many")

    run(play())


@POSTGRES_IN_SOAK
def test_what_the_new_device_has_of_its_own_is_not_lost_unasked(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann, bob = Visitor(here.base), Visitor(here.base)
            await begun(here, ann)
            own = await begun(here, bob)
            code = (await offered(ann))["code"]
            assert (await bob.call("POST", "/api/handover/look", {"code": code})).json()["tables"] == 1
            assert await refused(bob, "claim", code) == (409, "handover.busy")
            async with bob.at(own) as b:
                await b.do("agree")
            assert (await bob.call("POST", "/api/handover/look", {"code": code})).json()["games"] == 1
            assert await refused(bob, "claim", code) == (409, "handover.drop")
            assert await finished(bob) == 1
            assert len(await claimed(bob, code, drop=True)) == 1
            assert await finished(bob) == 0
            assert (await bob.call("POST", "/api/handover/look", {"code": (await offered(bob))["code"]})).json()["here"]

    run(play())


@POSTGRES_IN_SOAK
def test_a_browser_gets_its_token_before_it_claims_and_a_new_one_once_it_has_moved_away(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await begun(here, ann)
            code = (await offered(ann))["code"]
            async with httpx.AsyncClient(base_url=here.base, verify=False) as browser:
                assert (await browser.post("/api/handover/look", json={"code": code})).status_code == 200
                assert browser.cookies["serai_visitor"]
                before = dict(browser.cookies)
                assert (await browser.post("/api/handover/claim", json={"code": code})).json()["tables"] == [table]
                assert dict(browser.cookies) == before
                back = (await browser.post("/api/handover")).json()["code"]
                await claimed(ann, back)
                assert (await browser.get(f"/api/tables/{table}")).json()["yours"] == []
                made = await browser.post("/api/tables", json={"game": GAME})
                assert made.status_code == 201, "somebody new from now on"
                assert dict(browser.cookies) != before
            async with httpx.AsyncClient(base_url=here.base, verify=False) as nobody:
                assert (await nobody.post("/api/handover")).json()["key"] == "handover.nothing"

    run(play())


def test_a_move_at_one_process_holds_at_the_others_at_once(postgres: Cluster) -> None:
    async def play() -> None:
        url = postgres.new_database()
        async with house(url) as here, house(url) as there:
            ann, bob = Visitor(there.base), Visitor(here.base)
            table = await begun(there, ann)
            async with ann.at(table) as old:
                await old.my_turn()
                code = (await offered(ann))["code"]
                assert await claimed(bob, code) == [table]
                await parted(old)
            assert await seats(ann, table) == []
            bob.base = there.base
            async with bob.at(table) as now:
                await now.my_turn()
                await now.act(now.actions[0])
            rivals = [Visitor(base) for base in (here.base, there.base)]
            code = (await offered(bob))["code"]
            answers = await asyncio.gather(
                *(rival.call("POST", "/api/handover/claim", {"code": code}) for rival in rivals)
            )
            assert sorted(answer.status_code for answer in answers) == [200, 403]

    run(play())


def test_moves_are_carried_over_to_another_database_and_newer_ones_stay(new_database: Callable[[], str]) -> None:
    async def work() -> None:
        source, target = await opened(new_database()), await opened(new_database())
        await source.save_devices([DeviceRow("a", "", 1.0), DeviceRow("b", "a", 1.0), DeviceRow("c", "x", 5.0)])
        await target.save_devices([DeviceRow("b", "", 2.0), DeviceRow("c", "", 4.0), DeviceRow("d", "a", 2.0)])
        for _ in range(2):
            await copy(source, target)
            told = {row.device: row.visitor for row in await target.device_rows()}
            assert told == {"a": "", "b": "", "c": "x", "d": "a"}
        await source.close()
        await target.close()

    run(work())


def test_who_missed_the_word_of_a_move_hears_of_it_once_the_line_is_back(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        url = postgres.new_database()
        async with house(url) as here, house(url) as there:
            ann, bob = Visitor(there.base), Visitor(here.base)
            table = await begun(there, ann)
            listener = there.hall.peers._listener
            monkeypatch.setattr(there.hall.peers, "_listener", None)
            async with ann.at(table) as old, bob.at(table) as other:
                await old.my_turn()
                await claimed(bob, (await offered(ann))["code"])
                await parted(other)
                listener.resumed()
                await parted(old)

    run(play())


def test_a_process_that_may_not_hear_of_a_move_is_not_fooled(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        url = postgres.new_database()
        async with house(url) as here, house(url) as there:
            ann, bob = Visitor(there.base), Visitor(here.base)
            table = await begun(there, ann)
            monkeypatch.setattr(there.hall.peers, "_listener", None)
            monkeypatch.setattr(there.hall.peers, "in_touch", lambda: False)  # no word comes through, and it knows
            async with ann.at(table) as old:
                await old.my_turn()
                before = len(await there.hall.store.entries(table))
                await claimed(bob, (await offered(ann))["code"])
                await old.tell("act", on=old.on, action=old.actions[0])
                await parted(old)
            assert len(await there.hall.store.entries(table)) == before, "nothing was played"

    run(play())
