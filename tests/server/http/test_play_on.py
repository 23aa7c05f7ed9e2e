"""Playing on from a moment of a finished game: a table is made for it, and its record says where it came from."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from serai.core.play import Play, retrace
from serai.core.record import Record, check_origin, replay, verify
from serai.server.limits import Limits
from serai.server.settings import Sources
from serai.server.tables import hall as halls
from serai.table import table as tables
from tests.server.support import QUICK, Clock, Visitor, house, run
from tests.support import POSTGRES_IN_SOAK

GOLDEN = Path(__file__).parents[2] / "golden"
TEXT = (GOLDEN / "camelup" / "plain-42.serai").read_text()
TURN = 9


def test_a_game_goes_on_from_a_record_and_again_from_its_own_table(database: str) -> None:
    async def play() -> None:
        source = Record.read(TEXT)
        for _ in range(2):
            async with house(database) as here:
                ann = Visitor(here.base)
                body = {"turn": TURN, "seat": 1, "bot": "random"}
                made = await ann.call("POST", "/api/continued", {**body, "record": source.write()})
                assert made.status_code == 201, made.text
                table = made.json()["table"]["id"]
                assert made.json()["table"]["continued"]
                unfinished = await ann.call("POST", "/api/continued", {**body, "table": table})
                assert unfinished.json()["key"] == "table.phase"
                assert await ann.join(table, "Ann") == 1
                async with ann.at(table, seat=1) as a:
                    await a.do("start")
                    await a.play_to_the_end(random.Random(1))
                told = Record.read(await ann.record(table))
                verdict = verify(told)
                check_origin(told, source)
                before = [ply.drawn for ply in replay(source)][: told.origin.step if told.origin else 0]
                assert verdict.finished
                assert verdict.draws > verdict.inherited == sum(before) > 0
                draws = (await ann.call("GET", f"/api/tables/{table}/draws")).json()
                assert draws["inherited"] == verdict.inherited
                assert len(draws["draws"]) == verdict.draws
                by_table = await Visitor(here.base).call("POST", "/api/continued", {**body, "table": table})
                assert by_table.status_code == 201, "whoever may read the game may play on from it"
                assert len(await here.hall.store.entries(by_table.json()["table"]["id"])) == 1
                source = told

    run(play())


def test_what_cannot_be_played_on_from_is_refused_with_a_reason(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            body = {"turn": TURN, "seat": 1, "bot": "random"}
            waiting = await ann.create("camelup", seats=2)
            running = TEXT.rpartition("result")[0]
            for wrong, status, key in (
                ({}, 409, "record.which"),
                ({"record": TEXT, "table": waiting}, 409, "record.which"),
                ({"table": waiting}, 409, "table.phase"),
                ({"table": "nowhere"}, 404, "table.unknown"),
                ({"record": "nothing"}, 400, "record.foreign"),
                ({"record": running}, 409, "record.unfinished"),
                ({"record": TEXT, "turn": 5000}, 409, "record.turn"),
                ({"record": TEXT, "seat": 7}, 409, "record.seat"),
                ({"record": TEXT, "bot": "nobody"}, 409, "table.no_bot"),
            ):
                answer = await ann.call("POST", "/api/continued", {**body, **wrong})
                assert (answer.status_code, answer.json()["key"]) == (status, key), answer.text

    run(play())


def test_it_counts_as_making_a_table(tmp_path: Path) -> None:
    async def play() -> None:
        settings = type(QUICK)(bot_delay=False, bot_workers=1, limits=Limits(tables=4))
        async with house(tmp_path, settings=settings) as here:
            ann = Visitor(here.base)
            body = {"turn": TURN, "seat": 1, "bot": "random", "record": TEXT}
            codes = [(await ann.call("POST", "/api/continued", body)).status_code for _ in range(3)]
            assert codes == [201, 201, 429]

    run(play())


LONG = (GOLDEN / "pharaoh" / "plain-08.serai").read_text()
"""A game of eleven hundred actions."""


def test_where_much_has_to_be_played_out_it_counts_as_several(tmp_path: Path) -> None:
    async def play() -> None:
        settings = type(QUICK)(bot_delay=False, bot_workers=1, limits=Limits(tables=10))
        async with house(tmp_path, settings=settings, sources=Sources(clock=Clock())) as here:
            ann = Visitor(here.base)
            body = {"seat": 1, "bot": "random"}
            short, long = {**body, "turn": TURN, "record": TEXT}, {**body, "turn": 300, "record": LONG}
            codes = [(await ann.call("POST", "/api/continued", each)).status_code for each in (short, long, short)]
            assert codes == [201, 201, 429], "five tables at once, and a long game is four"

    run(play())


@POSTGRES_IN_SOAK
def test_the_event_loop_never_plays_out_what_was_inherited(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    main: list[int] = []

    def traced(state: Any, actions: Iterable[Any]) -> Play:
        play = retrace(state, actions)
        if threading.current_thread() is threading.main_thread():
            main.append(len(play.plies))
        return play

    monkeypatch.setattr(tables, "retrace", traced)

    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            body = {"turn": 500, "seat": 1, "bot": "random", "record": LONG}
            table = (await ann.call("POST", "/api/continued", body)).json()["table"]["id"]
            live = here.hall.tables[table]
            assert live.table.size > 500, "what it inherited is counted"
            await ann.join(table, "Ann")
            async with ann.at(table, seat=1) as a:
                await a.do("start")
            await here.hall.read_anew(table)
            assert table not in here.hall.tables
            assert (await ann.call("GET", f"/api/tables/{table}")).json()["table"]["phase"] == "playing"

    run(play())
    assert max(main, default=0) <= 50


def test_tables_that_inherited_much_make_room_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(halls, "MOST_ENTRIES", 3000)

    async def play() -> None:
        async with house(tmp_path, sources=Sources(clock=clock)) as here:
            ann = Visitor(here.base)
            body = {"turn": 500, "seat": 1, "bot": "random", "record": LONG}
            for _ in range(8):
                assert (await ann.call("POST", "/api/continued", body)).status_code == 201
                clock.now += 2 * halls.RECENT_SECONDS
            assert sum(live.table.size for live in here.hall.tables.values()) <= 3000 + 1200
            assert len(here.hall.tables) < 8

    run(play())
