"""Bots' time: who is watched comes first, then addresses in turn; what nobody sees goes slowly, and is bounded."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from serai.core.registry import game as find_game
from serai.server.bots import seats
from serai.server.bots.fair_queue import BotsOnlyTables, FairQueue, Place
from serai.server.bots.pool import BotPool, SeatedBot
from serai.server.bots.worker import BotWorker
from serai.server.limits import NO_LIMITS
from serai.server.settings import Sources
from tests.server.support import QUICK, Clock, Visitor, Waits, house, run
from tests.support import POSTGRES_IN_SOAK

GAME = "camelup"


def nobody() -> bool:
    return False


async def order_of(
    turns: FairQueue, places: list[tuple[str, Place]], before: Callable[[], None] = lambda: None
) -> list[str]:
    """In which order these come to their turn, when all have been waiting for somebody else's to end."""
    told: list[str] = []

    async def wait(name: str, place: Place) -> None:
        async with turns.turn(place):
            told.append(name)
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as waiting, turns.turn(Place()):
        for name, place in places:
            waiting.create_task(wait(name, place))
            await asyncio.sleep(0)
        before()
    return told


def test_a_watched_table_comes_before_any_number_that_nobody_watches() -> None:
    crowd = [(f"unwatched {n}", Place("flood", nobody)) for n in range(250)]
    told = asyncio.run(order_of(FairQueue(), [*crowd, ("person", Place("home"))]))
    assert told[0] == "person"
    assert len(told) == 251, "all come to their turn"


def test_a_table_that_somebody_comes_to_while_its_bot_waits_is_watched_from_then_on() -> None:
    looking = False
    places = [("other", Place("a", nobody)), ("looked at", Place("a", lambda: looking))]

    def come() -> None:
        nonlocal looking
        looking = True

    assert asyncio.run(order_of(FairQueue(), places, come)) == ["looked at", "other"]


def test_addresses_take_turns_however_many_tables_each_has() -> None:
    flood = [(f"flood {n}", Place("flood", nobody)) for n in range(4)]
    friend = [(f"friend {n}", Place("friend", nobody)) for n in range(2)]
    told = asyncio.run(order_of(FairQueue(), [*flood, *friend]))
    assert told == ["flood 0", "friend 0", "flood 1", "friend 1", "flood 2", "flood 3"]


def test_one_of_several_turns_is_kept_for_the_watched() -> None:
    async def play() -> None:
        turns, slow = FairQueue(2), asyncio.Event()
        begun: list[int] = []

        async def think(number: int) -> None:
            async with turns.turn(Place("flood", nobody)):
                begun.append(number)
                await slow.wait()

        async with asyncio.TaskGroup() as thinking:
            for number in range(5):
                thinking.create_task(think(number))
            await asyncio.sleep(0)
            async with turns.turn(Place("home")):
                assert begun == [0]
            slow.set()
        assert begun == [0, 1, 2, 3, 4]

    run(play())


def test_who_gives_up_waiting_takes_no_turn_along() -> None:
    async def play() -> None:
        turns = FairQueue()
        async with turns.turn(Place()):
            waiting = asyncio.ensure_future(turns.turn(Place()).__aenter__())
            await asyncio.sleep(0)
            waiting.cancel()
            granted = asyncio.ensure_future(turns.turn(Place()).__aenter__())
            await asyncio.sleep(0)
        granted.cancel()  # it has just been given the turn
        for each in (waiting, granted):
            with contextlib.suppress(asyncio.CancelledError):
                await each
        async with asyncio.timeout(5), turns.turn(Place()):
            pass

    run(play())


def test_a_persons_opponent_decides_before_tables_that_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a pool with a single worker, which is asked by forty others when the person's opponent is to act."""
    asked: list[str] = []

    async def play() -> None:
        bots, all_wait = BotPool(1, 10.0), asyncio.Event()

        async def answers(self: BotWorker, key: str, *about: Any) -> None:
            asked.append(key)
            await all_wait.wait()

        monkeypatch.setattr(BotWorker, "decide", answers)

        async def decide(table: str, place: Place) -> None:
            await bots.decide(SeatedBot(table, 0, GAME, "random"), b"", lambda seen: (), place)

        async with asyncio.TaskGroup() as deciding:
            for number in range(40):
                deciding.create_task(decide(f"unwatched{number}", Place("flood", nobody)))
            await asyncio.sleep(0)
            deciding.create_task(decide("person", Place("home")))
            await asyncio.sleep(0)
            all_wait.set()

    run(play())
    assert len(asked) == 41
    assert asked[1].startswith("person"), "after the one that was thinking already"


# -- how fast ----------------------------------------------------------------------------------------------------------


UNHURRIED = msgspec.structs.replace(QUICK, bot_delay=True)
BOTS = {"0": "random", "1": "random", "2": "random"}


@pytest.fixture(autouse=True)
def _every_position_is_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots take the usual time, whatever there is to think about."""
    monkeypatch.setattr(type(find_game(GAME)), "pause", lambda game, view: 1.0)


@POSTGRES_IN_SOAK
def test_bots_play_slowly_while_nobody_looks_and_at_once_when_somebody_comes(database: str) -> None:
    async def play() -> None:
        clock, waits = Clock(), Waits()
        async with house(database, UNHURRIED, Sources(clock=clock, sleep=waits)) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=3, bots=BOTS)
            live = here.hall.tables[table]
            async with ann.at(table) as a:
                await a.do("start")
                seconds, let_go = await waits.begun()
                assert seconds == seats.AFTER_PERSON
            while live.attended:
                await asyncio.sleep(0.005)
            let_go()
            for _ in range(3):
                on = live.table.on
                seconds, let_go = await waits.begun()
                assert seconds == seats.ALONE
                clock.now += seconds
                let_go()
                while live.table.on == on:
                    await asyncio.sleep(0.005)
            seconds, _ = await waits.begun()
            assert seconds == seats.ALONE
            clock.now += seats.AFTER_BOT
            async with ann.at(table):
                seconds, _ = await waits.begun()
                assert seconds == 0.0, "nobody who comes to look waits for bots that rest"

    run(play())


@POSTGRES_IN_SOAK
def test_while_its_people_are_away_a_game_goes_on_slowly(database: str) -> None:
    async def play() -> None:
        clock, waits = Clock(), Waits()
        async with house(database, UNHURRIED, Sources(clock=clock, sleep=waits)) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=3, bots={"1": "random", "2": "random"})
            live = here.hall.tables[table]
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.do("start")
                await a.act({"type": "roll"})
                _, let_go = await waits.begun()
            while live.attended:
                await asyncio.sleep(0.005)
            let_go()
            seconds, _ = await waits.begun()
            assert seconds == seats.AWAY

    run(play())


@POSTGRES_IN_SOAK
def test_an_address_can_have_only_so_many_tables_of_bots_alone(database: str) -> None:
    async def play() -> None:
        waits = Waits()
        settings = msgspec.structs.replace(UNHURRIED, limits=msgspec.structs.replace(NO_LIMITS, bot_tables=1))
        async with house(database, settings, Sources(clock=Clock(), sleep=waits)) as here:
            ann = Visitor(here.base)
            tables = [await ann.create(GAME, seats=3, bots=BOTS) for _ in range(4)]
            for table in tables:
                live = here.hall.tables[table]
                async with ann.at(table) as a:
                    await a.do("start")
                    _, let_go = await waits.begun()
                while live.attended:
                    await asyncio.sleep(0.005)
                let_go()
                told, _ = await waits.begun()
            assert told == 4 * seats.ALONE, "four of them get the time of one"
            refused = await ann.call("POST", "/api/tables", {"game": GAME, "seats": 2})
            assert refused.status_code == 429
            assert refused.json()["key"] == "server.bot_tables"
            async with ann.at(tables[3]):
                told, _ = await waits.begun()
                assert told == 4 * seats.AFTER_BOT, "nor does looking at them bring them more"
            for table in tables:
                here.hall.tables[table].bots.task.cancel()
            await ann.create(GAME, seats=2)

    run(play())


def test_a_table_leaves_the_count_when_people_play_there_or_it_is_over() -> None:
    bots_only = BotsOnlyTables()
    for table in ("a", "b", "b"):
        bots_only.note(table, "home")
    bots_only.note("c", "")
    assert bots_only.of("home") == 2
    bots_only.note("a", "")
    bots_only.note("b", "elsewhere")
    assert (bots_only.of("home"), bots_only.of("elsewhere"), bots_only.of("")) == (0, 1, 0)
