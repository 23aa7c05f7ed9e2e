"""Attacks on what costs a server much and an attacker little, from many addresses at once: refused bodies, long games
to play on from and to review, guessed codes, sockets that nobody reads, questions without end. Other tables play on,
and memory has a ceiling.

What else was tried on a server is in the files beside this one (floods, frames, requests, bodies).
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from tests.faults.attacks import MOVES, Beside, bystander, wire
from tests.faults.hostile import handshake
from tests.faults.support import process
from tests.golden.make import FOLDER as GOLDEN
from tests.server.refusals import posted, refusals
from tests.server.support import Visitor, run
from tests.support import SOAK, amount

GAME = "camelup"
LONG_GAME = (GOLDEN / "pharaoh" / "plain-08.serai").read_text()
"""A game of eleven hundred actions."""
SEAT = {"id": "join", "name": "Eve", "value": "0" * 64}
SECONDS = 20.0 if SOAK else 0.1
"""How long an attack goes on at least."""
ADDRESSES = amount(4, 10)
WAITING = amount(8, 200)
"""Tables that wait for players under a code."""
UNREAD = amount(20, 200)
SLOW = amount(20, 800)
Attack = Callable[[str, Callable[[], bool]], Awaitable[None]]
"""On a server there, for as long as it is told to go on."""


def addresses(count: int = ADDRESSES) -> list[str]:
    """So many that are nobody else's."""
    return [f"127.1.{number // 250}.{number % 250 + 1}" for number in range(count)]


@contextlib.asynccontextmanager
async def caller(base: str, address: str) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody at this address, with a token of their own."""
    lines = httpx.AsyncHTTPTransport(local_address=address)
    headers = {"Authorization": f"Bearer {secrets.token_urlsafe(24)}"}
    async with httpx.AsyncClient(base_url=base, transport=lines, timeout=120, headers=headers) as client:
        yield client


async def from_everywhere(
    base: str, more: Callable[[], bool], do: Callable[[httpx.AsyncClient], Awaitable[object]]
) -> None:
    """The same again and again from every address."""

    async def from_one(address: str) -> None:
        async with caller(base, address) as client:
            while True:
                await do(client)
                if not more():
                    return

    await asyncio.gather(*map(from_one, addresses()))


# -- the attacks -------------------------------------------------------------------------------------------------------


async def refused_bodies(base: str, more: Callable[[], bool]) -> None:
    """The largest bodies that are refused, of every kind, from six addresses."""
    kinds = list(refusals(await Visitor(base).create(GAME, seats=2)))

    async def from_one(address: str) -> None:
        for _, path, body in itertools.cycle(random.Random(address).sample(kinds, len(kinds))):
            async with wire(base, address, buffer=1 << 18) as line:
                await line.send(posted(path, body))
                answer = await line.read()
                assert not answer or b" 4" in answer[:12], (path, answer[:200])
            if not more():
                return

    await asyncio.gather(*map(from_one, addresses(6)))


async def games_to_play_on_from(base: str, more: Callable[[], bool]) -> None:
    """Tables that go on from a long game, each begun at once: all that it inherited is played out."""
    made = itertools.count()

    async def go_on(client: httpx.AsyncClient) -> None:
        turn = 400 + next(made) % 200
        asked = {"turn": turn, "seat": 1, "bot": "random", "record": LONG_GAME}
        answer = await client.post("/api/continued", json=asked)
        assert answer.status_code in (201, 429), answer.text
        if answer.status_code == 429:
            await asyncio.sleep(0.2)
            return
        table = answer.json()["table"]["id"]
        await client.post(f"/api/tables/{table}/seats", json=SEAT)
        visitor = Visitor(base, client.headers["Authorization"].split()[1])
        async with visitor.at(table, seat=1) as socket:
            assert (await socket.ask("start"))["type"] in ("done", "refused")

    await from_everywhere(base, more, go_on)


async def long_games_to_review(base: str, more: Callable[[], bool]) -> None:
    """Reviews of long games from every address; one of a short game is made before them."""
    long = [_changed(LONG_GAME, number) for number in range(ADDRESSES)]
    asked = [asyncio.create_task(_review(base, *one)) for one in zip(addresses(), long, strict=True)]
    if SOAK:
        await asyncio.sleep(5)  # the first of them is being worked out
        short = (GOLDEN / GAME / "plain-00.serai").read_text()
        async with asyncio.timeout(90):
            assert b'"reviewed"' in await _review(base, "127.1.9.9", short)
        assert sum(task.done() for task in asked) <= 2, "the long ones wait"
    while more():
        await asyncio.sleep(0.1)
    for task in asked:
        task.cancel()
    await asyncio.gather(*asked, return_exceptions=True)


async def guessed_codes(base: str, more: Callable[[], bool]) -> None:
    """Six digits at random from ever new addresses, while many tables wait under a code."""
    for address, _ in zip(itertools.cycle(addresses(50)), range(WAITING), strict=False):
        async with caller(base, address) as host:
            table = (await host.post("/api/tables", json={"game": GAME, "seats": 3})).json()["table"]["id"]
            await host.post(f"/api/tables/{table}/seats", json=SEAT)
            assert "code" in (await host.post(f"/api/tables/{table}/code")).json()
    new, found = iter(addresses(200_000)), 0
    rng = random.Random(4)

    async def guess() -> None:
        nonlocal found
        while True:
            async with wire(base, next(new)) as line:
                await line.send(f"GET /api/codes/{rng.randrange(10**6):06} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                found += b" 200 " in (await line.read())[:15]
            if not more():
                return

    await asyncio.gather(*(guess() for _ in range(ADDRESSES)))
    assert found <= 2


async def sockets_that_nobody_reads(base: str, more: Callable[[], bool]) -> None:
    """A table with many onlookers who read nothing, where something is said and changed all the time."""
    ann = Visitor(base)
    table = await ann.create(GAME, seats=2)
    await ann.join(table, "Ann")
    async with contextlib.AsyncExitStack() as lines, ann.at(table) as a:
        for address in itertools.islice(itertools.cycle(addresses()), UNREAD):
            line = await lines.enter_async_context(wire(base, address, buffer=1 << 12))
            await line.send(handshake(table))
        while True:
            await a.ask("say", text="x" * 200)
            await a.ask("pause")
            if not more():
                return


async def requests_that_never_end(base: str, more: Callable[[], bool]) -> None:
    """Many connections that send one byte of a request now and then; those that are cut come again."""
    head = b"POST /api/replay HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX: "

    async def one(address: str) -> None:
        while True:
            async with wire(base, address) as line:
                await line.send(head)
                while await line.send(b"x"):
                    await asyncio.sleep(0.5)
                    if not more():
                        return

    await asyncio.gather(*(one(address) for address, _ in zip(itertools.cycle(addresses()), range(SLOW), strict=False)))


async def questions_without_end(base: str, more: Callable[[], bool]) -> None:
    """Odds, advice, replays, exercises, lists and pages, all that takes work, from every address."""
    positions = [f"{a}gyo%20{b}bw" for a, b in itertools.permutations(range(1, 15), 2)]
    paths = itertools.cycle(
        [
            *(f"/api/games/{GAME}/odds?position={position}" for position in positions),
            "/api/games",
            "/api/tables",
            f"/api/exercises/{GAME}",
            f"/api/games/{GAME}/lesson",
            "/",
        ]
    )
    rng = random.Random(8)

    async def ask(client: httpx.AsyncClient) -> None:
        if rng.random() < 0.3:
            body = {"record": _changed(LONG_GAME, rng.randrange(10**6)), "n": rng.randrange(1, 900)}
            answer = await client.post("/api/replay/advice", json=body)
        else:
            answer = await client.get(next(paths))
        assert answer.status_code < 500, answer.text

    await from_everywhere(base, more, ask)


ATTACKS: list[Attack] = [
    refused_bodies,
    games_to_play_on_from,
    long_games_to_review,
    guessed_codes,
    sockets_that_nobody_reads,
    requests_that_never_end,
    questions_without_end,
]


@pytest.mark.parametrize("attacks", [[attack] for attack in ATTACKS] if SOAK else [ATTACKS])
def test_an_attack_slows_nobody_else_down_and_takes_no_memory(
    attacks: list[Attack], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    async def attack(base: str, beside: Beside) -> None:
        for each in attacks:
            until = asyncio.get_running_loop().time() + SECONDS

            def more(until: float = until) -> bool:
                late = asyncio.get_running_loop().time() > until
                return not late or (SOAK and len(beside.meanwhile) < MOVES)

            await each(base, more)

    with (
        process(tmp_path / "tables.db", limited=True) as server,
        bystander(server, record_property) as beside,
    ):
        run(attack(server.base, beside))


# -- details -----------------------------------------------------------------------------------------------------------


async def _review(base: str, address: str, record: str) -> bytes:
    async with caller(base, address) as client:
        return (await client.post("/api/review", json={"record": record})).content


def _changed(record: str, number: int) -> str:
    """The same game under the names of others, so that no answer is kept from before."""
    lines = record.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("seats:"))
    lines[at] = lines[at].replace('"', f'"{number}', 1)
    return "\n".join(lines) + "\n"
