"""Codes that are said aloud: they lead to a table that waits for players, for a while, and are hard to guess."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from pathlib import Path

import pytest
from msgspec.structs import replace

from serai.server.http.codes import TABLE_CODE_SECONDS
from serai.server.limits import NO_LIMITS, Limits
from serai.server.run import address_for_others, listen, server
from serai.server.settings import SPOKEN_CODES, Sources
from tests.server.support import NO_PAGE, QUICK, Clock, Json, Visitor, house, run


async def spoken(visitor: Visitor, table: str) -> Json:
    answer = await visitor.call("POST", f"/api/tables/{table}/code")
    assert answer.status_code == 201, answer.text
    told: Json = answer.json()
    return told


async def tried(visitor: Visitor, code: str) -> tuple[int, str]:
    """The status, and the table or the reason."""
    answer = await visitor.call("GET", f"/api/codes/{code}")
    return answer.status_code, answer.json().get("table") or answer.json()["key"]


UNKNOWN = (404, "table.code")


def test_a_code_leads_to_its_table_until_the_game_begins_or_its_time_is_over(database: str) -> None:
    async def play() -> None:
        clock = Clock()
        numbers = itertools.chain([7], itertools.count(123_456))
        sources = Sources(wall=clock, spoken_code=lambda: next(numbers))
        async with house(database, QUICK, sources) as here:
            ann, ben = Visitor(here.base), Visitor(here.base)
            table, other = await ann.create("camelup", seats=2), await ann.create("camelup", seats=2)
            told = await spoken(ann, table)
            assert told == {"code": "000 007", "seconds": TABLE_CODE_SECONDS}
            assert await tried(ben, "000007") == (200, table)
            assert await tried(ben, "000 007") == (200, table)
            clock.now += 60
            await ann.join(table, "Ann")
            await ben.join(table, "Ben")
            assert await spoken(ben, table) == {"code": "000 007", "seconds": TABLE_CODE_SECONDS - 60}
            assert (await spoken(ann, other))["code"] == "123 457", "each table has one of its own"
            async with ann.at(table) as socket:
                await socket.do("start")
            assert await tried(ben, "000007") == UNKNOWN
            refused = await ann.call("POST", f"/api/tables/{table}/code")
            assert (refused.status_code, refused.json()["key"]) == (409, "table.phase")
            assert await tried(ben, "123457") == (200, other)
            clock.now += TABLE_CODE_SECONDS
            assert await tried(ben, "123457") == UNKNOWN
            assert (await spoken(ann, other))["code"] == "123 458"

    run(play())


def test_no_two_tables_have_the_same_code(tmp_path: Path) -> None:
    async def play() -> None:
        numbers = iter([5, 5, 5, 6])
        async with house(tmp_path, QUICK, Sources(spoken_code=lambda: next(numbers))) as here:
            ann = Visitor(here.base)
            codes = [(await spoken(ann, await ann.create("camelup")))["code"] for _ in range(2)]
            assert codes == ["000 005", "000 006"]

    run(play())


def test_only_those_at_the_table_hear_its_code(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            table = await Visitor(here.base).create("camelup")
            answer = await Visitor(here.base).call("POST", f"/api/tables/{table}/code")
            assert (answer.status_code, answer.json()["key"]) == (403, "table.not_seated")

    run(play())


@pytest.mark.parametrize("code", ["", "1", "12345", "1234567", "abcdef", "%00", "١٢٣٤٥٦", "9" * 40])
def test_whatever_is_no_code_leads_nowhere(tmp_path: Path, code: str) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            answer = await Visitor(here.base).call("GET", f"/api/codes/{code}")
            assert answer.status_code == 404, answer.text

    run(play())


def test_guesses_from_one_address_are_limited(tmp_path: Path) -> None:
    async def play() -> None:
        settings = replace(QUICK, limits=replace(NO_LIMITS, codes=20), trusted_proxies="127.0.0.1")
        async with house(tmp_path, settings) as here:
            ann, mallory = Visitor(here.base), Visitor(here.base)
            ann.proxied, mallory.proxied = "192.0.2.1", "192.0.2.66"
            code = (await spoken(ann, await ann.create("camelup")))["code"]
            guesses = [await tried(mallory, f"{number:06}") for number in range(12)]
            assert (429, "server.too_many") in guesses
            assert await tried(mallory, code) == (429, "server.too_many"), "not even the right one"
            assert (await tried(ann, code))[0] == 200
            # an hour of guessing among a hundred tables finds one of them in one case of eight
            assert settings.limits.codes * 60 * 100 / SPOKEN_CODES < 1 / 8

    run(play())


def test_guesses_from_all_addresses_together_are_limited(tmp_path: Path) -> None:
    async def play() -> None:
        clock = Clock()
        settings = replace(QUICK, limits=replace(NO_LIMITS, wrong_codes=20), trusted_proxies="127.0.0.1")
        async with house(tmp_path, settings, Sources(clock=clock)) as here:
            ann, mallory = Visitor(here.base), Visitor(here.base)
            code = (await spoken(ann, await ann.create("camelup")))["code"]
            for _ in range(30):
                assert (await tried(ann, code))[0] == 200, "what leads somewhere is not counted"
            guesses = []
            for number in range(12):
                mallory.proxied = f"2001:db8:{number}::1"
                guesses.append(await tried(mallory, f"{(int(code.replace(' ', '')) + number + 1) % SPOKEN_CODES:06}"))
            assert guesses == [UNKNOWN] * 10 + [(429, "server.too_many")] * 2
            assert await tried(mallory, code) == (429, "server.too_many"), "not even the right one"
            clock.now += 60
            assert (await tried(ann, code))[0] == 200
        # half an hour of guessing from any number of addresses, among two hundred tables, finds two of them
        assert Limits().wrong_codes * 30 * 200 / SPOKEN_CODES < 2

    run(play())


def test_an_invitation_says_whether_anybody_else_can_open_it(tmp_path: Path) -> None:
    async def ask(public_url: str, network_url: str) -> tuple[str, bool]:
        async with house(tmp_path, replace(QUICK, public_url=public_url)) as here:
            here.hall.settings = replace(here.hall.settings, network_url=network_url)
            ann = Visitor(here.base)
            seen = (await ann.call("GET", f"/api/tables/{await ann.create('camelup')}")).json()
            return seen["link"].rpartition("/t/")[0].replace(here.base, "here"), seen["local"]

    async def play() -> None:
        assert await ask("", "") == ("here", True)
        assert await ask("", "http://192.168.1.7:8321") == ("http://192.168.1.7:8321", False)
        assert await ask("https://games.example.org", "") == ("https://games.example.org", False)

    run(play())


def test_a_server_that_listens_to_the_house_invites_by_its_address_there(tmp_path: Path) -> None:
    for host in ("127.0.0.1", "0.0.0.0"):
        with contextlib.closing(listen(host, 0, exactly=True)) as listener:
            settings = replace(QUICK, base_path="/games")
            hall = server(listener, str(tmp_path / "tables.db"), settings, web=NO_PAGE).hall
            asyncio.run(hall.store.close())
            address = address_for_others(listener)
            assert hall.settings.network_url == (f"{address}/games" if address else "")
            assert not (host == "127.0.0.1" and hall.settings.network_url)
