"""Tables with a clock: whoever lets it run out is stood in for, once, and what the server does to time harms nobody."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serai import game as find_game
from serai import games
from serai.bots.remote import Guest
from serai.server.bots.pool import BotPool
from serai.server.bots.seats import AFTER_PERSON
from serai.server.settings import Sources
from serai.server.store.base import StoreError
from serai.table.entries import Seated, read_entry
from tests.postgres import Cluster
from tests.server.stores import entries_in
from tests.server.support import PATIENCE, QUICK, House, Json, Socket, Visitor, house, run
from tests.support import POSTGRES_IN_SOAK

GAMES = games()
MINUTE = 60


class Time:
    """The clock and the waits of a server in a test's hands."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._waits: list[tuple[float, asyncio.Event]] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        if seconds > 0:
            over = asyncio.Event()
            self._waits.append((self.now + seconds, over))
            await over.wait()

    def pass_by(self, seconds: float) -> None:
        """Let time go on, and whoever waited for it."""
        self.now += seconds
        for due, over in self._waits:
            if due <= self.now:
                over.set()

    @property
    def sources(self) -> Sources:
        return Sources(clock=self.clock, sleep=self.sleep, wall=self.clock)


@pytest.fixture(autouse=True)
def _only_random(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bot needs a trial here."""

    async def at_once(pool: BotPool, game: str = "") -> None:
        """Nothing to wait for."""

    monkeypatch.setattr(BotPool, "tried", at_once)
    monkeypatch.setattr(BotPool, "offers", lambda pool, game, bot: bot == "random")


async def _begun(here: House, game: str = GAMES[0], clock: int = MINUTE) -> tuple[str, Visitor, Visitor]:
    """Ann and Bob play by the clock."""
    ann, bob = Visitor(here.base), Visitor(here.base)
    table = await ann.create(game, seats=2, table_rules={"clock": clock})
    await ann.join(table, "Ann")
    await bob.join(table, "Bob")
    async with ann.at(table) as a:
        await a.do("start")
    return table, ann, bob


async def _told(socket: Socket, **wanted: Any) -> Json:
    """Listen until the clock is told to stand like that."""
    return await socket.until(lambda told: told["type"] == "clock" and wanted.items() <= told.items())


async def _stood_in(socket: Socket, seat: int) -> None:
    """Listen until a bot plays for that seat."""
    while not socket.table["seats"][seat].get("bot"):
        await socket.next()


def _turns(a: Socket, b: Socket) -> tuple[Socket, Socket]:
    """Who is to act, and who waits."""
    return (a, b) if a.actions else (b, a)


async def _time_outs(database: str, table: str) -> int:
    entries = [read_entry(stored) for stored in await entries_in(database, table)]
    return sum(isinstance(entry, Seated) and entry.why == "clock" for entry in entries)


@pytest.mark.parametrize("game", GAMES)
def test_who_lets_the_clock_run_out_is_played_by_a_stand_in_until_back(game: str, database: str) -> None:
    async def play() -> None:
        time = Time()
        async with house(database, QUICK, time.sources) as here:
            table, ann, bob = await _begun(here, game)
            async with ann.at(table) as a, bob.at(table) as b:
                await _told(a, of=MINUTE, left=MINUTE, running=True)
                await _told(b, of=MINUTE, left=MINUTE, running=True)
                late, other = _turns(a, b)
                assert late.seat is not None
                time.pass_by(20)
                await other.do("say", phrase="hurry")
                async with bob.at(table) as again:
                    assert (await _told(again))["left"] == MINUTE - 20
                time.pass_by(40)
                await _stood_in(late, late.seat)
                await other.my_turn()
                assert other.frames[other.n].get("by") == late.seat, "the stand-in has played"
                await late.do("return", seat=late.seat)
                await other.until(
                    lambda told: told["type"] == "table" and not told["table"]["seats"][late.seat].get("bot")
                )
                assert (late.clock["seat"], late.clock["left"]) == (other.seat, MINUTE)
            assert await _time_outs(database, table) == 1

    run(play())


def test_where_a_game_has_levels_the_stand_in_is_the_middle_one_of_those_that_are_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(find_game(GAMES[0])), "levels", ("sleepy", "greedy", "random", "quick"))
    monkeypatch.setattr(BotPool, "offers", lambda pool, game, bot: bot != "sleepy")

    async def play() -> None:
        time = Time()
        async with house(tmp_path, QUICK, time.sources) as here:
            table, ann, bob = await _begun(here)
            async with ann.at(table) as a, bob.at(table) as b:
                await _told(a, left=MINUTE, running=True)
                await _told(b, left=MINUTE, running=True)
                late, _ = _turns(a, b)
                assert late.seat is not None
                time.pass_by(MINUTE)
                await _stood_in(late, late.seat)
                assert late.table["seats"][late.seat]["bot"] == "random"

    run(play())


@POSTGRES_IN_SOAK
def test_a_pause_stops_the_clock_and_so_does_an_empty_room(database: str) -> None:
    async def play() -> None:
        time = Time()
        async with house(database, QUICK, time.sources) as here:
            table, ann, bob = await _begun(here)
            async with ann.at(table) as a:
                seat = (await _told(a, left=MINUTE, running=True))["seat"]
                time.pass_by(20)
                await a.do("pause")
                time.pass_by(500)
                await a.do("resume")
                assert (a.clock["left"], a.clock["running"]) == (MINUTE - 20, True)
            while here.hall.tables[table].audience.connections:
                await asyncio.sleep(0.005)
            time.pass_by(500)
            async with bob.at(table) as b:
                assert await _told(b, running=True) == {
                    "type": "clock", "seat": seat, "left": MINUTE - 20, "of": MINUTE, "running": True,
                }  # fmt: skip
                time.pass_by(MINUTE - 20)
                await _stood_in(b, seat)

    run(play())


@POSTGRES_IN_SOAK
def test_while_the_server_was_down_or_held_up_or_could_not_save_no_time_has_passed(database: str) -> None:
    async def play() -> None:
        time = Time()
        async with house(database, QUICK, time.sources) as here:
            table, ann, bob = await _begun(here)
            async with ann.at(table) as a:
                await _told(a, running=True)
                time.pass_by(50)
        time.pass_by(5000)
        async with house(database, QUICK, time.sources) as here:
            ann.base = bob.base = here.base
            async with ann.at(table) as a, bob.at(table) as b:
                await _told(a, running=True, left=MINUTE)
                await _told(b, running=True, left=MINUTE)
                time.pass_by(MINUTE + 30)  # nobody asked for that: the process was stopped
                await _told(a, running=True, left=MINUTE)
                await _told(b, running=True, left=MINUTE)
                time.pass_by(50)
                append = here.hall.store.append

                def fails(*_: Any) -> asyncio.Future[None]:
                    failed = asyncio.get_running_loop().create_future()
                    failed.set_exception(StoreError("the disk is full"))
                    return failed

                here.hall.store.append = fails
                late, _ = _turns(a, b)
                assert (await late.ask("act", on=late.on, action=late.actions[0]))["key"] == "server.store"
                here.hall.store.append = append
                await _told(b, running=True, left=MINUTE)
                time.pass_by(MINUTE)
                await _stood_in(b, late.seat or 0)

    run(play())


def test_a_clock_of_a_day_runs_on_while_its_table_is_not_in_memory(tmp_path: Path) -> None:
    async def play() -> None:
        time, day = Time(), 86_400
        async with house(tmp_path, QUICK, time.sources) as here:
            table, ann, bob = await _begun(here, clock=day)
            while here.hall.tables[table].audience.connections:
                await asyncio.sleep(0.005)
            time.pass_by(QUICK.idle_seconds + 1)
            await here.hall.tidy()
            assert table not in here.hall.tables
            time.pass_by(1000)
            async with ann.at(table) as a:
                seat = (await _told(a, left=day - QUICK.idle_seconds - 1001, running=True))["seat"]
            while here.hall.tables[table].audience.connections:
                await asyncio.sleep(0.005)
            time.pass_by(2 * day)
            await here.hall.tidy()
            async with bob.at(table) as b:
                await _told(b)
                await _stood_in(b, seat)

    run(play())


def test_of_two_processes_one_lets_the_time_run_out(postgres: Cluster) -> None:
    async def play() -> None:
        time, database = Time(), postgres.new_database()
        async with house(database, QUICK, time.sources) as one, house(database, QUICK, time.sources) as two:
            table, ann, bob = await _begun(one)
            bob.base = two.base
            async with ann.at(table) as a, bob.at(table) as b:
                seat = (await _told(a, running=True))["seat"]
                await _told(b, running=True, left=MINUTE)
                time.pass_by(20)
                async with house(database, QUICK, time.sources) as third:
                    # one that comes to the table in the middle of a turn
                    ann.base = third.base
                    async with ann.at(table) as again:
                        await _told(again, running=True, left=MINUTE - 20)
                time.pass_by(MINUTE - 20)
                await _stood_in(a, seat)
                await _stood_in(b, seat)
                await a.until(lambda told: told["type"] == "frame")
            assert await _time_outs(database, table) == 1

    run(play())


@POSTGRES_IN_SOAK
def test_a_game_whose_players_all_have_stand_ins_waits_until_one_of_them_is_there(database: str) -> None:
    async def play() -> None:
        time, settings = Time(), msgspec.structs.replace(QUICK, bot_delay=True)
        async with house(database, settings, time.sources) as here:
            table, ann, bob = await _begun(here)
            async with ann.at(table) as a:
                for _ in range(2):
                    seat = (await _told(a, left=MINUTE, running=True))["seat"]
                    time.pass_by(MINUTE)
                    await _stood_in(a, seat)
                    if not all(sitting.get("bot") for sitting in a.table["seats"]):
                        time.pass_by(AFTER_PERSON)
            live = here.hall.tables[table]
            while live.audience.connections:
                await asyncio.sleep(0.005)
            time.pass_by(AFTER_PERSON)
            await live.bots.task
            assert live.table.actor is not None
            async with bob.at(table) as b:
                await b.heard("welcome")
                on = b.on
                time.pass_by(AFTER_PERSON)
                while b.on == on:
                    await b.next()

    run(play())


def test_a_program_at_the_table_plays_by_the_clock_and_takes_its_seat_back(tmp_path: Path) -> None:
    async def play() -> None:
        time, thinking, thought = Time(), threading.Event(), threading.Event()

        def decide(view: Any) -> Any:
            thinking.set()
            assert thought.wait(PATIENCE)
            return view.actions()[0]

        async with house(tmp_path, QUICK, time.sources) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAMES[0], seats=2, options={"first": 1}, table_rules={"clock": MINUTE})
            await ann.join(table, "Ann")
            guest = Guest(f"{here.base}/t/{table}")
            seat = await asyncio.to_thread(guest.join, "Slow")
            async with ann.at(table) as a:
                await a.do("start")
                playing = asyncio.create_task(guest.play(seat, decide))
                assert await asyncio.to_thread(thinking.wait, PATIENCE)
                time.pass_by(MINUTE)
                await _stood_in(a, seat)
                await a.my_turn()
                thought.set()
                while a.table["seats"][seat].get("bot"):
                    await a.next()
            playing.cancel()
            await asyncio.wait({playing})

    run(play())


def test_rules_that_no_game_can_keep_are_not_accepted(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            answer = await ann.call(
                "POST", "/api/tables", {"game": GAMES[0], "table_rules": {"hints": True, "public": True}}
            )
            assert answer.json()["key"] == "table.hints_private"
            assert 400 <= answer.status_code < 500
            for clock in (15, -1):
                answer = await ann.call("POST", "/api/tables", {"game": GAMES[0], "table_rules": {"clock": clock}})
                assert answer.status_code == 400
            answer = await ann.call("POST", "/api/tables", {"game": GAMES[0], "table_rules": {"public": True}})
            assert answer.json()["table"]["table_rules"]["clock"] == 180

    run(play())
