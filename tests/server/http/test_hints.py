"""Hints at live tables: for the seat to act, from what it has seen, and never without the table knowing of it."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from serai.core.registry import game as find_game
from serai.core.registry import games
from serai.server.bots.worker import MOST_EVENTS
from serai.server.reviews.hints import HintWorker, Seen
from serai.wire.bodies import Hint
from tests.server.stores import entries_in
from tests.server.support import Visitor, house, run
from tests.support import POSTGRES_IN_SOAK, SOAK

GAME = games()[0]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[bytes, list[bytes]]]:
    """What reached the coach, in whose place somebody else answers with whatever is legal."""
    told: list[tuple[bytes, list[bytes]]] = []

    async def answer(self: HintWorker, game: str, seat: int, story: str, seen: Seen, address: str) -> bytes:
        events: list[bytes] = []
        while True:
            view, more = seen(len(events))
            events += more
            if len(more) < MOST_EVENTS:
                break
        told.append((view, events))
        action = find_game(game).state_decoder.decode(view).actions()[0]
        return msgspec.json.encode([Hint(action, str(action), 0.5, 0.01, 3.0, (), "")])

    monkeypatch.setattr(HintWorker, "hints", answer)
    return told


@POSTGRES_IN_SOAK
def test_the_seat_to_act_is_told_from_what_it_has_seen(database: str, asked: list[tuple[bytes, list[bytes]]]) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann, bob = Visitor(here.base), Visitor(here.base)
            table = await ann.create(GAME, seats=2, table_rules={"hints": True})
            where = f"/api/tables/{table}/hints"
            await ann.join(table, "Ann")
            await bob.join(table, "Bob")
            early = await ann.call("POST", where, {"seat": 0, "on": 0})
            assert (early.status_code, early.json()["key"]) == (409, "table.phase")
            async with ann.at(table, seat=0) as a, bob.at(table, seat=1) as b:
                await a.do("start")
                first = await a.my_turn_or(b)
                await first.act(next(action for action in first.actions if action["type"] == "winner"))
                first.actions = []
                mover = await a.my_turn_or(b)
                who, other = (ann, bob) if mover is a else (bob, ann)
                seat, on = mover.seat, mover.on
                assert seat is not None
                for visitor, body, key in (
                    (other, {"seat": seat, "on": on}, "table.not_seated"),
                    (other, {"seat": 1 - seat, "on": on}, "table.not_your_turn"),
                    (who, {"seat": seat, "on": on + 1}, "table.stale"),
                    (Visitor(here.base), {"seat": seat, "on": on}, "table.not_seated"),
                ):
                    assert (await visitor.call("POST", where, body)).json()["key"] == key
                assert not asked
                told, again = [(await who.call("POST", where, {"seat": seat, "on": on})).json() for _ in range(2)]
                assert told == again, "asked twice, told the same"
                assert told["on"] == on
                assert told["hints"][0]["action"] in mover.actions
                (view, story), *more = asked
                assert not more, "and worked out once"
                live = (await here.hall.find(table)).table
                assert json.loads(view) == mover.view
                assert json.loads(view)["winner_deck"] == [[1 - seat, None]], "what others hold is not told"
                seen = [event.seen_by(seat) for done in live.plays() for event in done.events]
                assert [json.loads(event) for event in story] == json.loads(msgspec.json.encode(seen))
                await mover.heard("table")
                assert [one.get("hints", 0) for one in mover.table["seats"]] == [int(at == seat) for at in (0, 1)]
                assert mover.on == on, "the game has not moved"
                await mover.act(mover.actions[0])
            kept = [json.loads(entry) for entry in await entries_in(database, table)]
            hinted = [entry for entry in kept if entry["type"] == "hinted"]
            assert [(entry["seat"], entry["on"]) for entry in hinted] == [(seat, on)]
        async with house(database) as here:
            told = (await Visitor(here.base).call("GET", f"/api/tables/{table}")).json()
            assert [one.get("hints", 0) for one in told["table"]["seats"]] == [int(at == seat) for at in (0, 1)]
            assert f"hints: {' '.join(str(int(at == seat)) for at in (0, 1))}\n" in await Visitor(here.base).record(
                table
            )

    run(play())


@POSTGRES_IN_SOAK
def test_no_hints_without_the_rule(database: str, asked: list[Any]) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            await ann.join(table, "Ann")
            await ann.join(table, "Bob")
            async with ann.at(table) as a:
                await a.do("start")
                answer = await ann.call("POST", f"/api/tables/{table}/hints", {"seat": 0, "on": a.on})
                assert (answer.status_code, answer.json()["key"]) == (403, "table.no_hints")
            assert not asked

    run(play())


@pytest.mark.skipif(not SOAK, reason="its process compiles much where nothing is kept of earlier runs")
def test_the_coach_answers_in_a_process_of_its_own(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            for game in games():
                ann = Visitor(here.base)
                table = await ann.create(game, seats=2, table_rules={"hints": True})
                await ann.join(table, "Ann")
                await ann.join(table, "Bob")
                async with ann.at(table, seat=0) as a:
                    await a.do("start")
                    await a.my_turn()
                    told = await ann.call("POST", f"/api/tables/{table}/hints", {"seat": 0, "on": a.on})
                    assert len(told.json()["hints"]) == 3
                    assert all(hint["action"] in a.actions for hint in told.json()["hints"])

    run(play())
