"""Several server processes at the same tables, and what becomes of these when a process or the database goes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import asyncpg
import pytest

from serai import games
from serai.core.record import Record, verify
from serai.server.store.postgres import ENTRIES, PostgresStore
from serai.table.clock import GRACE_SECONDS
from tests.faults.support import COMMAND, SOON_MISSED, Process, process
from tests.postgres import Cluster
from tests.server.support import Json, Socket, Visitor, any_kind, run
from tests.support import SOAK, amount

GAMES = games()
OUTAGE = amount(1, 10)
"""Seconds without a database."""
MOST_REMATCHES = 40


@pytest.fixture
def url(postgres: Cluster) -> str:
    return postgres.new_database()


@pytest.fixture
def two(url: str) -> Iterator[tuple[Process, Process]]:
    with process(url) as first, process(url) as second:
        yield first, second


def numbered(socket: Socket) -> list[str]:
    """What a viewer was told of the game, in order."""
    return [text for text in socket.stream if text.startswith('{"type":"frame"')]


def game_numbers(socket: Socket) -> list[int]:
    return [n for n, frame in socket.frames.items() if frame["type"] == "frame"]


async def seated(socket: Socket) -> None:
    """Listen until every seat is taken: word of one that was taken at the other process may be on its way."""
    while not socket.table or any(seat["kind"] == "open" for seat in socket.table["seats"]):
        await socket.next()


async def catch_up(sockets: list[Socket]) -> None:
    newest = max(socket.n for socket in sockets)
    for socket in sockets:
        while socket.n < newest:
            await socket.next()


def test_of_conflicting_actions_one_wins_and_all_see_the_same(two: tuple[Process, Process]) -> None:
    async def play(game: str) -> None:
        rng = random.Random(3)
        conflicts = 0
        ann, bob = Visitor(two[0].base), Visitor(two[1].base)
        table = await ann.create(game, seats=2)
        seats = [await ann.join(table, "Ann"), await bob.join(table, "Bob")]
        assert seats == [0, 1]
        async with AsyncExitStack() as stack:

            async def come(token: str, where: Process, **query: Any) -> Socket:
                visitor = Visitor(where.base, token, first_id=1000 * (1 + two.index(where)))
                socket = await stack.enter_async_context(visitor.at(table, **query))
                await socket.heard("welcome")
                return socket

            # each player is connected at both processes, as with two tabs behind a balancer
            hands = {
                seat: [await come(token, where, seat=seat) for where in two]
                for seat, token in enumerate((ann.token, bob.token))
            }
            watchers = [await come(ann.token, where, seat="none") for where in two]
            everybody = [*hands[0], *hands[1], *watchers]
            await seated(hands[0][0])
            await hands[0][0].do("start")
            await catch_up(everybody)
            while not everybody[0].over:
                pair = hands[everybody[0].view["actor"]]
                asked = [
                    await socket.tell("act", on=socket.on, action=any_kind(socket.actions, rng)) for socket in pair
                ]
                answers = await asyncio.gather(*(answer_to(*both) for both in zip(pair, asked, strict=True)))
                assert sorted(answer["type"] for answer in answers) == ["done", "refused"], answers
                refused = next(answer for answer in answers if answer["type"] == "refused")
                assert refused["key"] in ("table.stale", "table.phase")
                conflicts += 1
                await catch_up(everybody)
            for seat in (0, 1):
                assert numbered(hands[seat][0]) == numbered(hands[seat][1])
            assert numbered(watchers[0]) == numbered(watchers[1])
            told = [game_numbers(socket) for socket in everybody]
            assert all(numbers == told[0] for numbers in told)
        assert conflicts > 10
        records = [await Visitor(where.base).record(table) for where in two]
        assert records[0] == records[1]
        assert verify(Record.read(records[0])).draws_checked

    for game in GAMES:
        run(play(game))


async def answer_to(socket: Socket, asked: str) -> Json:
    return await socket.until(lambda told: told["type"] in ("done", "refused") and told["id"] == asked)


def test_of_two_rematches_at_the_same_time_one_is_left(url: str, two: tuple[Process, Process]) -> None:
    made: set[str] = set()
    """Tables of which the database heard, whether or not they are still there."""

    def told(_: Any, pid: int, channel: str, payload: object) -> None:
        made.add(str(payload).partition(" ")[0])

    async def play() -> None:
        store, line = PostgresStore(url), await asyncpg.connect(url)
        await store.open()
        await line.add_listener(ENTRIES, told)
        ann, bob = Visitor(two[0].base), Visitor(two[1].base)
        kept: set[str] = set()
        for _ in range(MOST_REMATCHES):
            table = await ann.create(GAMES[0], seats=2)
            await ann.join(table, "Ann")
            await bob.join(table, "Bob")
            async with ann.at(table) as a, bob.at(table) as b:
                await seated(a)
                await a.do("start")
                await catch_up([a, b])
                for socket in (a, b):
                    await socket.do("agree")
                await catch_up([a, b])
                await asyncio.gather(a.do("rematch"), b.do("rematch"))
                await catch_up([a, b])
                assert a.table["next"] == b.table["next"] != ""
                kept |= {table, a.table["next"]}
            assert {listed.id for listed in await store.listed()} == kept
            await line.execute("select 1")  # whatever was told until now has been heard
            if len(made - kept) > 2:
                break
        lost = made - kept
        assert lost, "they never came at the same time"
        for where in two:
            for table in lost:
                assert (await Visitor(where.base).call("GET", f"/api/tables/{table}")).status_code == 404
        await line.close()
        await store.close()

    run(play())


def test_who_is_at_another_process_is_not_away(two: tuple[Process, Process]) -> None:
    async def play() -> None:
        ann, bob = Visitor(two[0].base), Visitor(two[1].base)
        table = await ann.create(GAMES[0], seats=2)
        await ann.join(table, "Ann")
        await bob.join(table, "Bob")
        async with ann.at(table) as a:
            await a.until(lambda told: told["type"] == "presence" and len(told["away"]) == 1)
            async with bob.at(table) as b, Visitor(two[1].base).at(table, seat="none"):
                await a.until(lambda told: told["type"] == "presence" and not told["away"] and told["watching"] == 1)
                await b.until(lambda told: told["type"] == "presence" and not told["away"])
                await a.do("start")
                assert (await a.ask("take_over", seat=1, bot="random"))["key"] == "table.here"
            await a.until(lambda told: told["type"] == "presence" and len(told["away"]) == 1 and not told["watching"])
            async with bob.at(table):
                await a.until(lambda told: told["type"] == "presence" and not told["away"])
                two[1].kill()
                # nobody said goodbye, and yet it is noticed, and the time of grace runs here from now on
                gone = await a.until(lambda told: told["type"] == "presence" and len(told["away"]) == 1)
                assert 0 < gone["away"][0]["grace"] <= GRACE_SECONDS
                await asyncio.sleep(1.1)
                refused = await a.ask("take_over", seat=1, bot="random")
                assert refused["key"] == "table.present"
                assert 0 < refused["values"]["grace"] < GRACE_SECONDS

    run(play())


def test_a_killed_process_leaves_its_clients_and_bots_to_the_other(url: str) -> None:
    async def play(first: Process, second: Process) -> None:
        rng = random.Random(8)
        ann, bob = Visitor(first.base), Visitor(second.base)
        tables = [await ann.create(game, seats=4, bots={"2": "random", "3": "random"}) for game in GAMES]
        for table in tables:
            await ann.join(table, "Ann")
            await bob.join(table, "Bob")
        # nobody looks at this one, and its bots think in the process that will die
        lonely = await ann.create(GAMES[-1], seats=2, bots={"0": "random", "1": "random"})
        acknowledged: dict[str, list[tuple[int, Json]]] = {table: [] for table in tables}
        async with AsyncExitStack() as stack:
            anns = [await stack.enter_async_context(ann.at(table)) for table in tables]
            bobs = [await stack.enter_async_context(bob.at(table)) for table in tables]
            for a, b in zip(anns, bobs, strict=True):
                await seated(a)
                await a.do("start")
                await a.my_turn_or(b)
                if a.actions:
                    action = any_kind(a.actions, rng)
                    acknowledged[a.table["id"]].append(((await a.act(action))["n"], action))
            async with ann.at(lonely) as host:
                await host.do("start")
            first.kill()
            ann.base = second.base
            again = [await stack.enter_async_context(ann.at(a.table["id"], seen=a.n)) for a in anns]
            for old, new in zip(anns, again, strict=True):
                new.__dict__.update({**old.__dict__, "socket": new.socket})
            await asyncio.gather(*(socket.play_to_the_end(rng) for socket in (*again, *bobs)))
            for a, b in zip(again, bobs, strict=True):
                both_there = max(min(a.frames), min(b.frames))
                heard = [[n for n in socket.frames if n >= both_there] for socket in (a, b)]
                assert heard[0] == heard[1]
                for n, action in acknowledged[a.table["id"]]:
                    assert a.frames[n]["action"] == action
        for table in tables:
            verdict = verify(Record.read(await ann.record(table)))
            assert verdict.finished
            assert verdict.draws_checked
        store = PostgresStore(url)
        await store.open()
        while {listed.id: listed.listing.phase for listed in await store.listed()}[lonely] != "over":
            await asyncio.sleep(0.1)
        await store.close()

    command = COMMAND if SOAK else SOON_MISSED
    with process(url, command=command) as first, process(url, command=command) as second:
        run(play(first, second))


def test_a_process_that_hangs_leaves_its_bots_to_another_and_catches_up_when_it_wakes(url: str) -> None:
    async def play(first: Process) -> None:
        rng = random.Random(6)
        ann, bob = Visitor(first.base), Visitor(first.base)
        table = await ann.create(GAMES[0], seats=4, bots={"2": "random", "3": "random"})
        await ann.join(table, "Ann")
        await bob.join(table, "Bob")
        async with ann.at(table) as a:
            async with bob.at(table) as b:
                await a.do("start")
                # until the bots have played, there being no other process yet, and are next after Bob
                while (await a.my_turn_or(b)) is a or len(game_numbers(b)) < 8:
                    mover = await a.my_turn_or(b)
                    await mover.act(any_kind(mover.actions, rng))
            with process(url, command=SOON_MISSED) as second:
                bob.base = second.base
                async with bob.at(table) as b:
                    await present(b, [])
                    with first.hung():
                        await b.act(any_kind(b.actions, rng))
                        while b.view["actor"] != 0:
                            await b.next()
                        await present(b, [0])
                    await present(b, [])
                    await catch_up([a, b])
                    await asyncio.gather(a.play_to_the_end(rng), b.play_to_the_end(rng))
                    assert game_numbers(a)[-len(game_numbers(b)) :] == game_numbers(b)
                assert verify(Record.read(await bob.record(table))).draws_checked

    async def present(socket: Socket, away: list[int]) -> None:
        while not socket.presence or [one["seat"] for one in socket.presence["away"]] != away:
            await socket.next()

    with process(url, command=SOON_MISSED) as first:
        run(play(first))


def test_the_database_goes_for_a_while_and_nothing_is_lost(postgres: Cluster, two: tuple[Process, Process]) -> None:
    async def play() -> None:
        rng = random.Random(5)
        ann, bob = Visitor(two[0].base), Visitor(two[1].base)
        table = await ann.create(GAMES[0], seats=3, bots={"2": "random"})
        await ann.join(table, "Ann")
        await bob.join(table, "Bob")
        async with ann.at(table) as a, bob.at(table) as b:
            for socket in (a, b):
                await seated(socket)
            await a.do("start")
            for _ in range(6):
                mover = await a.my_turn_or(b)
                await mover.act(any_kind(mover.actions, rng))
            mover = await a.my_turn_or(b)
            await catch_up([a, b])
            before = dict(a.frames)
            await asyncio.to_thread(postgres.stop)
            try:
                for socket in (a, b):
                    assert (await socket.heard("trouble"))["key"] == "server.store"
                action = any_kind(mover.actions, rng)
                lost = await mover.ask("act", id="kept", on=mover.on, action=action)
                assert lost["key"] == "server.store"
                assert (await ann.call("GET", "/readyz")).status_code == 503
                assert (await ann.call("GET", "/healthz")).status_code == 200
                await asyncio.sleep(OUTAGE)
            finally:
                await asyncio.to_thread(postgres.start)
            for socket in (a, b):
                assert (await socket.heard("trouble"))["key"] == ""
            await mover.do("act", id="kept", on=mover.on, action=action)
            await asyncio.gather(a.play_to_the_end(rng), b.play_to_the_end(rng))
            assert game_numbers(a) == game_numbers(b)
            assert {n: a.frames[n] for n in before} == before
        assert verify(Record.read(await bob.record(table))).draws_checked
        assert (await ann.call("GET", "/readyz")).status_code == 200

    run(play())


def test_a_database_that_cannot_be_reached_is_told_in_one_line(postgres: Cluster) -> None:
    from tests.faults.support import refused

    secret = "let-me-in"
    for address in (
        f"postgresql://serai:{secret}@/none?host={postgres.folder}",
        f"postgresql://serai:{secret}@127.0.0.1:1/serai",
        f"postgresql://serai:{secret}@/serai?host=/nowhere",
    ):
        code, told = refused("--database", address, "--port", "0")
        assert code == 2
        assert told.startswith("serai: cannot use the database: ")
        assert told.count("\n") == 1
        assert secret not in told
