"""Playing on from a moment of a finished game: a table is made for it, and its record says where it came from."""

from __future__ import annotations

import random
from pathlib import Path

from serai.core.record import Record, check_origin, replay, verify
from serai.server.limits import Limits
from tests.server.support import QUICK, Visitor, house, run

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
