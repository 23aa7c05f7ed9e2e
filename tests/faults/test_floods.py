"""Floods of what anybody may ask for: histories, records, lists. Another table plays on, and memory has a ceiling."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import secrets
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest

from serai.core.record import Record, Seat
from serai.core.registry import game as find_game
from serai.table.frames import PAGE_BYTES
from serai.table.quotas import LOBBY
from tests.faults.attacks import MOVES, Beside, Wire, bystander, wire
from tests.faults.support import process
from tests.server.support import PATIENCE, Visitor, any_kind, run
from tests.support import POSTGRES_IN_SOAK, SOAK, amount, random_play

GAME = "camelup"
UNREAD = 40
"""Connections on which nothing is ever read."""
JSON = {"Content-Type": "application/json"}
AT_ONCE = 20
"""Requests that wait for their answers at the same time."""
PREPARED = ("--limit", "tables=0", "--limit", "seats=0", "--limit", "chat=0")
"""What an attacker has prepared may have taken days; all else is limited as it is by default."""
HAS_PLAYED = secrets.token_urlsafe(24)
"""Somebody with many finished games."""
Flood = Callable[[str, str, Callable[[], bool]], Awaitable[None]]
"""On a server there, with a long game at that table, for as long as it is told to go on."""


async def endless_lobby_that_nobody_reads(base: str, running: str, more: Callable[[], bool]) -> None:
    """A lobby rearranged as fast as it goes, and its history asked for by many who then do not read it."""
    ann = Visitor(base)
    table = await ann.create(GAME, seats=8)
    await ann.join(table, "A" * 40)
    refused: list[str] = []
    async with contextlib.AsyncExitStack() as open_lines, ann.at(table) as a:
        for k in itertools.count():
            answer = await a.ask("arrange", order=[0, *([None] * (7 - k % 2))])
            refused += [answer["key"]] if answer["type"] == "refused" else []
            if k == LOBBY + 20:
                lines = [await open_lines.enter_async_context(wire(base)) for _ in range(UNREAD)]
                for line in lines:
                    await line.send(_get(base, f"/api/tables/{table}/frames"))
            if k > LOBBY + 20 and not more():
                break
        assert a.n < LOBBY + 2
        assert refused[0] == "table.bounds.lobby"
        sizes = [len(await _answer(line)) for line in lines[:2]]
        assert max(sizes) < PAGE_BYTES + 2000, "what an answer holds up at most"


async def records_too_heavy_to_read(base: str, running: str, more: Callable[[], bool]) -> None:
    """Records with more seats than any table, and records that take long to replay; somebody else reads frames."""
    seats = ",".join(['""'] * 43_000)
    too_many = _body(f"game: {GAME}\nrules: 1\nseats: {seats}\n\n")
    long, half = _long_record(), UNREAD // 2
    async with _client(base, "127.0.0.79", headers=JSON) as attacker, _client(base, "127.0.0.78") as other:
        table = await Visitor(base).create(GAME, seats=2)
        while True:
            # as many as one address may wait for at once, no two of the long ones the same
            heavy = [too_many] * half + [_body(f"{long}; {random.random()}") for _ in range(half)]
            waiting = [asyncio.ensure_future(attacker.post("/api/replay", content=body)) for body in heavy]
            answer = await other.get(f"/api/tables/{table}/frames?limit={random.randrange(1, 250)}")
            assert answer.status_code == 200
            assert not all(task.done() for task in waiting), "frames do not wait until everything is replayed"
            told = [task.status_code for task in await asyncio.gather(*waiting)]
            # Whoever has sent many that are refused is held back.
            assert set(told[:half]) <= {400, 429}
            assert set(told[half:]) <= {200, 429}
            if not more():
                return


async def _play_many(base: str) -> str:
    """Have somebody play many games to their end, and a long one not quite; the table of that."""
    ann = Visitor(base, HAS_PLAYED)
    for _ in range(amount(3, 200)):
        async with ann.at(await _table(ann)) as a:
            await a.do("start")
            await a.do("agree", on=True)
    table, rng = await ann.create("pharaoh", seats=2, options={"max_rounds": None}), random.Random(2)
    for name in ("Ann", "Bob"):
        await ann.join(table, name)
    async with ann.at(table, seat=0) as a, ann.at(table, seat=1) as b:
        await a.do("start")
        for _ in range(amount(10, 700)):
            mover = await a.my_turn_or(b)
            if mover.over:
                break
            await mover.act(any_kind(mover.actions, rng))
    return table


async def the_same_again_and_again(base: str, running: str, more: Callable[[], bool]) -> None:
    """A running game's record and frames, and everything somebody has played, hundreds of times."""
    ann = Visitor(base, HAS_PLAYED)
    async with ann.at(running) as a:
        await a.heard("welcome")
        asked = [
            *[f"/api/tables/{running}/record"] * amount(40, 1400),
            *[f"/api/tables/{running}/frames"] * amount(20, 600),
            *["/api/mine"] * amount(5, 30),
        ]
        random.Random(5).shuffle(asked)
        async with _client(base, "127.0.0.78", headers=ann.headers) as client:
            assert len((await client.get("/api/mine")).json()) == amount(3, 200)
            for at in itertools.count(0, AT_ONCE):
                some = [asked[k % len(asked)] for k in range(at, at + AT_ONCE)]
                answers = await asyncio.gather(*(client.get(path) for path in some))
                assert {answer.status_code for answer in answers} <= {200, 429}
                await a.ask("say", text="and now?")  # what was kept is out of date
                if at > len(asked) and not more():
                    return


FLOODS: list[Flood] = [endless_lobby_that_nobody_reads, records_too_heavy_to_read, the_same_again_and_again]


@POSTGRES_IN_SOAK
@pytest.mark.parametrize("floods", [[flood] for flood in FLOODS] if SOAK else [FLOODS])
def test_a_flood_of_what_anybody_may_ask_hurts_nobody_else(
    floods: list[Flood], database: str, record_property: Callable[[str, object], None]
) -> None:
    async def attack(base: str, running: str, beside: Beside) -> None:
        for flood in floods:
            await flood(base, running, lambda: SOAK and len(beside.meanwhile) < MOVES)

    with process(database, *PREPARED, limited=True) as server:
        running = asyncio.run(_play_many(server.base))
        with bystander(server, record_property) as beside:
            run(attack(server.base, running, beside))


async def _table(ann: Visitor) -> str:
    table = await ann.create(GAME, seats=2, bots={"1": "random"})
    await ann.join(table, "Ann")
    return table


def _long_record() -> str:
    """A record that takes a while to replay."""
    game, actions = find_game("pharaoh"), list[str]()
    for _, action, after, _ in random_play(game, 4, random.Random(3), max_rounds=None):
        actions.append(str(action))
        if len(actions) == amount(500, 2900) or after.over:
            break
    return Record(game.name, game.version, (Seat("A"),) * 4, {"max_rounds": None}, actions=tuple(actions)).write()


def _body(record: str) -> bytes:
    return msgspec.json.encode({"record": record})


def _client(base: str, address: str = "127.0.0.1", **more: Any) -> httpx.AsyncClient:
    lines = httpx.AsyncHTTPTransport(
        local_address=address, limits=httpx.Limits(max_connections=UNREAD, max_keepalive_connections=0)
    )
    return httpx.AsyncClient(base_url=base, transport=lines, timeout=4 * PATIENCE, **more)


def _get(base: str, path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: {urlsplit(base).netloc}\r\n\r\n".encode()


async def _answer(line: Wire) -> bytes:
    """The whole answer to one request."""
    told = b""
    while b"\r\n\r\n" not in told:
        told += await line.read()
    head, _, body = told.partition(b"\r\n\r\n")
    length = next(row.split(b":")[1] for row in head.lower().split(b"\r\n") if row.startswith(b"content-length"))
    while len(body) < int(length):
        more = await line.read()
        assert more, "the answer is cut off"
        body += more
    return body
