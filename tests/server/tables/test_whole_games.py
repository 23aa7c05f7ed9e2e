"""Whole games over real sockets, for every game there is."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random

import pytest
from websockets.exceptions import ConnectionClosed

from serai import games
from serai.core.record import Record, verify
from tests.server.support import Json, Socket, Visitor, any_kind, house, run
from tests.support import amount

GAMES = games()


async def _four(base: str, game: str) -> tuple[str, Visitor, Visitor]:
    """A table with two people and two bots, ready to start."""
    ann, bob = Visitor(base), Visitor(base)
    table = await ann.create(game, seats=4, bots={"1": "random", "3": "random"})
    assert await ann.join(table, "Ann") == 0
    assert await bob.join(table, "Bob") == 2
    return table, ann, bob


@pytest.mark.parametrize("game", GAMES)
def test_two_people_and_two_bots_play_and_onlookers_watch(game: str, database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            for round_number in range(amount(1, 8)):
                table, ann, bob = await _four(here.base, game)
                passer_by = Visitor(here.base)
                async with (
                    ann.at(table) as a,
                    bob.at(table) as b,
                    passer_by.at(table) as watching,
                    passer_by.at(table, token=False) as nobody,
                ):
                    await a.do("start")
                    rng = random.Random(round_number)
                    await asyncio.gather(*(viewer.play_to_the_end(rng) for viewer in (a, b, watching, nobody)))
                    assert a.view == b.view == watching.view, "at the end everybody sees everything"
                    assert watching.stream[-1] == nobody.stream[-1]
                    scores = tuple(a.table["scores"])
                verdict = verify(Record.read(await ann.record(table)))
                assert verdict.finished
                assert verdict.draws_checked
                assert verdict.scores == scores

    run(play())


async def _play_dropping(visitor: Visitor, table: str, seat: int, rng: random.Random) -> dict[int, Json]:
    """Play to the end over a connection that drops again and again; every frame that came, by number."""
    frames: dict[int, Json] = {}
    known: Socket | None = None
    while known is None or not known.over:
        async with visitor.at(table, seat=seat, seen=None if known is None else known.n) as socket:
            if known is not None:
                socket.n, socket.on, socket.view, socket.table = known.n, known.on, known.view, known.table
                socket.actions = known.actions
            known = socket
            with contextlib.suppress(ConnectionClosed):
                for _ in range(rng.randrange(1, 12)):
                    if socket.over:
                        break
                    if socket.actions and rng.random() < 0.7:
                        # sent, and perhaps never answered: sent again under the same id after the next drop
                        action = any_kind(socket.actions, rng)
                        await socket.tell("act", id=f"on{socket.on}", on=socket.on, action=action)
                        if rng.random() < 0.3:
                            break
                        answer = await socket.until(lambda told: told["type"] in ("done", "refused"))
                        assert answer["type"] == "done" or answer["key"] in ("table.stale", "table.not_your_turn")
                    else:
                        async with asyncio.timeout(0.05) as limit:
                            with contextlib.suppress(asyncio.CancelledError, TimeoutError):
                                await socket.next()
                        del limit
            frames |= socket.frames
    return frames


@pytest.mark.parametrize("game", GAMES)
def test_a_client_that_drops_and_resumes_ends_with_the_same_frames(game: str, database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            for round_number in range(amount(1, 10)):
                table, ann, bob = await _four(here.base, game)
                rng = random.Random(round_number)
                async with ann.at(table) as steady_host, bob.at(table, seat=2) as steady:
                    await steady_host.do("start")
                    dropping = asyncio.create_task(_play_dropping(bob, table, 2, rng))
                    watching = asyncio.create_task(_watch(steady))
                    await steady_host.play_to_the_end(random.Random(round_number))
                    resumed = await dropping
                    await watching
                    start = min(resumed)
                    expected = {n: frame for n, frame in steady.frames.items() if n >= start}
                    assert resumed == expected
                frames = {frame["n"]: frame for frame in await bob.frames(table, seat=2)}
                assert {n: frames[n] for n in expected} == expected

    run(play())


async def _watch(socket: Socket) -> None:
    while not socket.over:
        await socket.next()


@pytest.mark.parametrize("game", GAMES)
def test_repeated_reordered_and_stale_messages_change_nothing(game: str, database: str) -> None:
    async def play() -> None:
        rng = random.Random(5)
        async with house(database) as here:
            ann, bob = Visitor(here.base), Visitor(here.base)
            table = await ann.create(game, seats=2)
            await ann.join(table, "Ann")
            await bob.join(table, "Bob")
            async with ann.at(table) as a, bob.at(table) as b:
                await a.do("start")
                await b.until(lambda told: told["type"] == "frame")
                sent: list[tuple[Socket, Json]] = []
                for _ in range(40):
                    mover = a if a.actions else b
                    await mover.my_turn()
                    message = {"on": mover.on, "action": any_kind(mover.actions, rng), "id": mover.visitor.new_id()}
                    mover.actions = []
                    first = await mover.do("act", **message)
                    sent.append((mover, {**message, "n": first["n"]}))
                    for viewer in (a, b):
                        while viewer.n < first["n"]:
                            await viewer.next()
                    before = json.dumps([a.view, b.view])
                    for again, old in rng.sample(sent, min(3, len(sent))):
                        repeated = {key: value for key, value in old.items() if key != "n"}
                        answer = await again.do("act", **repeated)
                        assert answer["n"] == old["n"], "a repeat gets the answer of the first time"
                        late = await again.ask("act", **{**repeated, "id": again.visitor.new_id()})
                        assert late["key"] == "table.stale"
                        assert late["values"] == {"on": again.on}
                    assert json.dumps([a.view, b.view]) == before
                    if a.over:
                        break
                played = [frame for frame in await ann.frames(table) if frame["type"] == "frame" and "action" in frame]
                assert len(played) == len(sent)

    run(play())
