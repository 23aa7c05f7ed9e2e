"""What happens at a table beside the game itself, each through the socket."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
import pytest

from serai import CHANCE, games
from serai import game as find_game
from serai.core.record import Record, verify
from serai.server.bots.seats import AFTER_PERSON
from serai.server.settings import Sources
from serai.server.tables.live import TALK
from tests.server.support import QUICK, Clock, House, Json, Socket, Visitor, Waits, any_kind, house, run
from tests.support import POSTGRES_IN_SOAK

GAMES = games()
UNHURRIED = msgspec.structs.replace(QUICK, bot_delay=True)


async def _two(here: House, game: str, **wanted: Any) -> tuple[str, Visitor, Visitor]:
    ann, bob = Visitor(here.base), Visitor(here.base)
    table = await ann.create(game, **{"seats": 2, **wanted})
    await ann.join(table, "Ann")
    await bob.join(table, "Bob")
    return table, ann, bob


def _quiet(here: House, table: str, actions: list[Json]) -> Json:
    """An action that needs no draw and does not end the game."""
    seen = here.hall.tables[table].table
    state = seen.snapshot.state
    for offered, action in zip(actions, seen.snapshot.actions(), strict=True):
        if state.apply(action).actor not in (CHANCE, None):
            return offered
    raise AssertionError("no such action here")


def _drawing(here: House, table: str) -> int | None:
    """Where among the offered actions is one that chance follows."""
    seen = here.hall.tables[table].table
    state = seen.snapshot.state
    return next((at for at, action in enumerate(seen.snapshot.actions()) if state.apply(action).actor is CHANCE), None)


async def _both(a: Socket, b: Socket) -> None:
    """Let both viewers hear the same last entry."""
    last = max(a.n, b.n)
    for viewer in (a, b):
        while viewer.n < last:
            await viewer.next()


@POSTGRES_IN_SOAK
def test_a_ping_is_answered_and_changes_nothing(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            table, ann, _ = await _two(here, GAMES[0])
            onlooker = Visitor(here.base)
            async with ann.at(table) as a, onlooker.at(table) as b:
                last = (await a.heard("welcome"))["n"]
                for socket in (a, b, a):
                    assert await socket.ask("ping", id="same") == {"type": "done", "id": "same", "n": last}
                assert here.hall.tables[table].table.n == last

    run(play())


@pytest.mark.parametrize("game", GAMES)
def test_undo_takes_back_ones_last_action_until_somebody_else_acts(game: str, database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            table, ann, bob = await _two(here, game)
            async with ann.at(table) as a, bob.at(table) as b:
                await a.do("start")
                await a.my_turn()
                await _both(a, b)
                assert not a.undo
                before, offered, watched = a.view, a.actions, b.view
                assert (await a.ask("undo", on=a.on))["key"] == "table.undo", "the start is nobody's to take back"
                await a.act(_quiet(here, table, a.actions))
                await _both(a, b)
                assert a.undo
                assert not b.undo
                assert (await b.ask("undo", on=b.on))["key"] == "table.undo"
                await a.do("undo", on=a.on)
                await _both(a, b)
                assert a.frames[a.n]["back"]
                assert (a.view, a.actions, b.view) == (before, offered, watched), "the patch goes back"
                # now for good: the next player's action makes it final
                await a.act(_quiet(here, table, a.actions))
                await _both(a, b)
                await _end_turn(here, table, a)
                await b.my_turn()
                await b.act(_quiet(here, table, b.actions))
                await _both(a, b)
                assert not a.undo
                assert b.undo
                assert (await a.ask("undo", on=a.on))["key"] == "table.undo"

    run(play())


@pytest.mark.parametrize("game", GAMES)
def test_undo_goes_back_step_by_step_but_never_past_a_draw(game: str, database: str) -> None:
    async def play() -> None:
        rng = random.Random(1)
        async with house(database) as here:
            alone = Visitor(here.base)
            table = await alone.create(game, seats=2)
            await alone.join(table, "One")
            await alone.join(table, "Two")
            async with alone.at(table) as one:
                await one.do("start")
                for _ in range(200):
                    live = here.hall.tables[table].table
                    await _look_at_actor(one, live.actor)
                    at = _drawing(here, table)
                    if at is not None:
                        await one.act(one.actions[at])
                        assert (await one.ask("undo", on=one.on))["key"] == "table.undo"
                        return
                    await one.act(any_kind(one.actions, rng))
                raise AssertionError("no draw in 200 actions")

    run(play())


async def _look_at_actor(socket: Socket, seat: int) -> None:
    await socket.tell("look", seat=seat)
    await socket.heard("welcome")


@pytest.mark.parametrize("game", GAMES)
def test_hot_seat_looks_through_one_seat_at_a_time(game: str, database: str) -> None:
    async def play() -> None:
        rng = random.Random(3)
        async with house(database) as here:
            family = Visitor(here.base)
            table = await family.create(game, seats=3)
            for name in ("Ann", "Bob", "Cem"):
                await family.join(table, name)
            async with family.at(table) as device:
                await device.do("start")
                refused = 0
                while not device.over:
                    live = here.hall.tables[table].table
                    if device.seat != live.actor:
                        assert not device.actions, "nothing to do through a seat that is not to act"
                        wrong = await device.ask("act", on=live.on, action={"type": "nothing"})
                        assert wrong["key"] == "table.not_your_turn"
                        refused += 1
                        await _look_at_actor(device, live.actor)
                    assert device.view == _as_json(live.snapshot.state.seen_by(device.seat))
                    await device.act(any_kind(device.actions, rng))
                assert refused
                assert verify(Record.read(await family.record(table))).draws_checked
            stranger = Visitor(here.base)
            async with stranger.at(table) as outside:
                await outside.tell("look", seat=1)
                assert (await outside.heard("refused"))["key"] == "table.not_yours"

    run(play())


def _as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize("game", GAMES)
def test_absent_player_gets_a_grace_time_then_a_stand_in_and_comes_back(game: str, database: str) -> None:
    async def play() -> None:
        clock = Clock()
        async with house(database, sources=Sources(clock=clock)) as here:
            table, ann, bob = await _two(here, game)
            async with ann.at(table) as a:
                async with bob.at(table) as b:
                    await a.do("start")
                    while a.presence["away"]:
                        await a.next()
                    clock.now += 500
                    refused = await a.ask("take_over", seat=1, bot="random")
                    assert refused["key"] == "table.here", "somebody who is here is not played for"
                    del b
                await a.until(lambda told: told["type"] == "presence")
                assert a.presence["away"] == [{"seat": 1, "grace": 60}]
                clock.now += 59
                refused = await a.ask("take_over", seat=1, bot="random")
                assert (refused["key"], refused["values"]) == ("table.present", {"grace": 1})
                clock.now += 2
                assert (await a.ask("take_over", seat=1, bot="nobody"))["key"] == "table.no_bot"
                await a.do("take_over", seat=1, bot="random")
                assert a.table["seats"][1]["bot"] == "random"
                assert a.table["seats"][1]["name"] == "Bob"
                rng = random.Random(2)
                for _ in range(6):  # the bot plays on by itself
                    await a.my_turn()
                    await a.act(any_kind(a.actions, rng))
                await a.my_turn()
                async with bob.at(table) as b:
                    assert not b.actions
                    assert (await b.ask("act", on=a.on, action={"type": "nothing"}))["key"] == "table.stood_in"
                    await b.do("return", seat=1)
                    await _both(a, b)
                    assert "bot" not in a.table["seats"][1]
                    while not b.actions:
                        await a.act(any_kind(a.actions, rng))
                        await _both(a, b)
                    await b.act(any_kind(b.actions, rng))
                    assert (await b.ask("return", seat=1))["key"] == "table.not_stood_in"

    run(play())


@pytest.mark.parametrize("game", GAMES)
def test_returning_while_ones_stand_in_is_to_act_hands_over_the_turn(game: str, database: str) -> None:
    async def play() -> None:
        clock = Clock()
        async with house(database, sources=Sources(clock=clock)) as here:
            table, ann, bob = await _two(here, game)
            async with ann.at(table) as a, bob.at(table) as b:
                await a.do("start")
                await b.until(lambda told: told["type"] == "frame")
                await a.do("pause")  # so that the stand-in cannot act yet
                await a.do("leave", seat=0)
                await b.do("take_over", seat=0, bot="random")
                await a.do("return", seat=0)
                assert not a.actions
                await a.do("resume")
                assert a.actions, "a table frame that gives the turn back offers the actions"
                await a.act(a.actions[0])

    run(play())


@pytest.mark.parametrize("game", GAMES)
def test_pause_stops_people_and_bots_until_somebody_resumes(game: str, database: str) -> None:
    async def play() -> None:
        waits = Waits()
        async with house(database, settings=UNHURRIED, sources=Sources(sleep=waits)) as here:
            table, ann, bob = await _two(here, game, seats=3, bots={"2": "random"})
            async with ann.at(table) as a, bob.at(table) as b:
                await a.do("start")
                await _both(a, b)
                await b.do("pause")
                await _both(a, b)
                assert a.table["paused"]
                assert not a.actions
                assert (await a.ask("act", on=a.on, action={"type": "nothing"}))["key"] == "table.paused"
                assert (await a.ask("undo", on=a.on))["key"] == "table.paused"
                assert (await a.ask("pause"))["key"] == "table.paused"
                await a.do("resume")
                assert (await a.ask("resume"))["key"] == "table.not_paused"
                await _both(a, b)
                for mover in (a, b):
                    await mover.my_turn()
                    await _end_turn(here, table, mover)
                _, let_go = await waits.begun()
                await a.do("pause")
                live = here.hall.tables[table]
                on = live.table.on
                assert live.table.actor == 2
                assert live.bots.playing
                let_go()
                while live.bots.playing:
                    await asyncio.sleep(0.01)
                assert live.table.on == on, "no bot acts in a pause"
                waits.held = False
                await b.do("resume")
                await a.my_turn()
                assert live.table.on > on

    run(play())


async def _end_turn(here: House, table: str, mover: Socket) -> None:
    """Play quietly until it is the next one's turn."""
    while mover.actions:
        ends = [action for action in mover.actions if action["type"] == "end"]
        await mover.act(ends[0] if ends else _quiet(here, table, mover.actions))


@pytest.mark.parametrize("game", GAMES)
def test_all_persons_agree_to_end_and_the_record_says_so(game: str, database: str) -> None:
    async def play() -> None:
        rng = random.Random(0)
        async with house(database) as here:
            table, ann, bob = await _two(here, game, seats=3, bots={"2": "random"})
            async with ann.at(table) as a, bob.at(table) as b:
                await a.do("start")
                for _ in range(4):
                    for mover in (a, b):
                        await mover.my_turn()
                        await mover.act(any_kind(mover.actions, rng))
                        await _end_turn(here, table, mover)
                await a.my_turn()
                await _both(a, b)
                await a.do("agree")
                await b.until(lambda told: told["type"] == "table")
                assert b.table["seats"][0]["agrees"]
                assert b.table["phase"] == "playing"
                await a.do("agree", on=False)
                await b.until(lambda told: told["type"] == "table")
                assert "agrees" not in b.table["seats"][0]
                await b.do("agree")
                await a.do("agree")
                await _both(a, b)
                while not b.over:
                    await b.next()
                assert b.table["agreed"]
                assert a.view == b.view, "nothing is hidden any more"
                assert "secret" in a.table
                assert (await a.ask("act", on=a.on, action={"type": "nothing"}))["key"] == "table.phase"
                written = Record.read(await ann.record(table))
                verdict = verify(written)
                assert written.end == "agreed"
                assert verdict.finished
                assert verdict.draws_checked
                assert list(verdict.scores) == a.table["scores"]
                assert list(verdict.winners) == a.table["winners"]

    run(play())


@pytest.mark.parametrize("game", GAMES)
def test_rematch_keeps_everybodys_seat_and_starts_once_all_have_joined(game: str, database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            table, ann, bob = await _two(here, game, seats=3, bots={"2": "random"})
            async with ann.at(table) as a, bob.at(table) as b:
                await a.do("start")
                assert (await a.ask("rematch"))["key"] == "table.phase"
                await a.do("agree")
                await b.do("agree")
                await b.do("rematch")
                await a.do("rematch")
                await _both(a, b)
                following = a.table["next"]
                assert following == b.table["next"], "whoever asks second gets the same table"
            async with ann.at(following) as a, bob.at(following) as b:
                await a.heard("welcome")
                await b.heard("welcome")
                assert [seat.get("name") for seat in b.table["seats"]] == ["Ann", "Bob", "random"]
                assert [seat.get("joined", True) for seat in b.table["seats"]] == [False, False, True]
                assert b.table["host"] == 1
                assert (await b.ask("start"))["key"] == "table.not_joined"
                assert await ann.join(following, "Ann") == 0
                assert await bob.join(following, "Bobby") == 1
                await b.do("start")
                assert b.table["commit"] != ""
                await asyncio.gather(a.play_to_the_end(random.Random(1)), b.play_to_the_end(random.Random(2)))
                assert verify(Record.read(await ann.record(following))).draws_checked

    run(play())


@POSTGRES_IN_SOAK
def test_a_rematch_with_stronger_bots_is_one_message(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With levels that compile nothing, one of them not even tried when the rematch is wanted."""
    monkeypatch.setattr(type(find_game("camelup")), "levels", ("random", "quick"))

    async def play() -> None:
        async with house(database) as here:
            table, ann, bob = await _two(here, "camelup", seats=3, bots={"2": "random"})
            eve = Visitor(here.base)
            async with ann.at(table) as a, bob.at(table) as b, eve.at(table) as e:
                await a.do("start")
                assert (await a.ask("rematch", step=1))["key"] == "table.phase"
                await a.do("agree")
                await b.do("agree")
                assert (await e.ask("rematch", step=1))["key"] == "table.not_seated"
                assert (await a.ask("rematch", step=2))["key"] == "server.malformed"
                assert (await b.ask("rematch", step=-1))["key"] == "table.no_level"
                await b.do("rematch", step=1)
                await a.do("rematch")
                await _both(a, b)
                following = a.table["next"]
            async with ann.at(following) as a:
                await a.heard("welcome")
                assert [seat.get("name") for seat in a.table["seats"]] == ["Ann", "Bob", "quick"]
                assert [seat.get("bot") for seat in a.table["seats"]] == [None, None, "quick"]

    run(play())


@POSTGRES_IN_SOAK
def test_the_host_arranges_the_lobby(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            game = GAMES[0]
            table, ann, bob = await _two(here, game)
            async with ann.at(table) as a, bob.at(table) as b:
                await b.heard("welcome")
                for kind, fields in (
                    ("arrange", {"order": [1, 0]}),
                    ("place_bot", {"seat": 1, "bot": "random"}),
                    ("vacate", {"seat": 0}),
                    ("set_options", {"options": {}}),
                    ("start", {}),
                ):
                    assert (await b.ask(kind, **fields))["key"] == "table.not_host"
                assert (await a.ask("arrange", order=[0, 0]))["key"] == "table.order"
                assert (await a.ask("arrange", order=[0, 7]))["key"] == "table.no_seat"
                await a.do("arrange", order=[1, None, 0])
                await _both(a, b)
                assert [seat.get("name", "") for seat in b.table["seats"]] == ["Bob", "", "Ann"]
                assert (a.seat, b.seat) == (2, 0), "who looks through a seat moves with it"
                assert (await a.ask("start"))["key"] == "table.open_seats"
                assert (await a.ask("place_bot", seat=0, bot="random"))["key"] == "table.taken"
                assert (await a.ask("place_bot", seat=1, bot="../x.py:decide"))["key"] == "table.no_bot"
                await a.do("place_bot", seat=1, bot="random")
                assert (await a.ask("set_options", options={"first": 9}))["key"] == "core.option.type"
                await a.do("set_options", options={"first": 2})
                assert a.table["options"]["first"] == 2
                await a.do("vacate", seat=0)
                await b.until(lambda told: told["type"] == "table" and told["table"]["seats"][0]["kind"] == "open")
                assert (b.seat, b.frames[b.n]["yours"]) == (None, [])
                assert (await b.ask("say", text="why?"))["key"] == "table.not_seated"
                await bob.join(table, "Bob again")
                await b.until(lambda told: told["type"] == "table")
                assert b.seat == 0
                await a.do("start")

    run(play())


@POSTGRES_IN_SOAK
def test_the_hosts_role_passes_on(database: str) -> None:
    async def play() -> None:
        clock = Clock()
        async with house(database, sources=Sources(clock=clock)) as here:
            table, ann, bob = await _two(here, GAMES[0])
            async with bob.at(table) as b:
                async with ann.at(table) as a:
                    assert (await b.ask("take_host"))["key"] == "table.here"
                    await a.do("leave", seat=0)
                    await b.until(lambda told: told["type"] == "table")
                    assert b.table["host"] == 1, "the host left"
                    await ann.join(table, "Ann")
                assert (await b.ask("take_host"))["key"] == "table.here", "Bob is the host himself"
            async with ann.at(table) as a:
                assert (await a.ask("take_host"))["key"] == "table.present"
                clock.now += 61
                await a.do("take_host")
                assert a.table["host"] == 0

    run(play())


@POSTGRES_IN_SOAK
def test_chat_is_bounded_and_can_be_muted(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            table, ann, bob = await _two(here, GAMES[0])
            async with ann.at(table) as a, bob.at(table) as b:
                text = "<script>alert('ä')</script>"
                await b.do("say", text=text)
                assert (await a.heard("chat"))["text"] == text, "kept as it is; escaping is for whoever shows it"
                await b.do("say", phrase="well_played")
                assert (await a.heard("chat"))["phrase"] == "well_played"
                assert (await b.ask("say", text="x" * 281))["key"] == "server.malformed"
                assert (await b.ask("say", phrase="rude"))["key"] == "server.malformed"
                assert (await b.ask("say"))["key"] == "table.say"
                await a.do("mute", seat=1)
                said = await b.do("say", text="hello?")
                await a.do("mute", seat=1, on=False)
                heard = await b.do("say", text="again")
                last = await a.heard("chat")
                assert (last["n"], last["text"]) == (heard["n"], "again")
                assert said["n"] not in a.frames
                assert not any('"muted"' in told for told in b.stream), "nobody learns that they are muted"
            async with ann.at(table) as a:
                told = [said.get("text") for said in (await a.heard("welcome"))["chat"]]
                assert told == [text, None, "again"]
            async with bob.at(table) as b:
                answers = [await b.ask("say", phrase="hurry") for _ in range(TALK + 1)]
                assert answers[-1]["key"] == "table.talk"
            public, ann, bob = await _two(here, GAMES[0], table_rules={"public": True})
            async with ann.at(public) as a:
                assert (await a.ask("say", text="hello"))["key"] == "table.say"
                await a.do("say", phrase="hello")

    run(play())


@POSTGRES_IN_SOAK
def test_leaving_a_running_game_lets_a_bot_play_on_at_once(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            table, ann, bob = await _two(here, GAMES[0])
            async with ann.at(table) as a, bob.at(table) as b:
                await a.do("start")
                await b.do("leave", seat=1)
                await a.until(lambda told: told["type"] == "presence" and told["away"] == [{"seat": 1, "grace": 0}])
                await a.do("take_over", seat=1, bot="random")
                await a.play_to_the_end(random.Random(4))
                assert a.over

    run(play())


@POSTGRES_IN_SOAK
def test_bots_wait_after_a_person_so_that_undo_has_a_chance(database: str) -> None:
    async def play() -> None:
        clock, waits = Clock(), Waits()
        async with house(database, settings=UNHURRIED, sources=Sources(clock=clock, sleep=waits)) as here:
            alone = Visitor(here.base)
            table = await alone.create(GAMES[0], seats=2, bots={"1": "random"})
            await alone.join(table, "Ann")
            async with alone.at(table) as one:
                await one.do("start")
                before = one.view
                await one.act(_quiet(here, table, one.actions))
                seconds, let_go = await waits.begun()
                assert seconds == AFTER_PERSON
                clock.now += 1.5
                await one.do("undo", on=one.on)
                assert one.view == before
                await one.act(_quiet(here, table, one.actions))
                on = one.on
                clock.now += 0.5
                let_go()  # what it waited for was taken back: it waits anew, for as long as the last action is young
                seconds, let_go = await waits.begun()
                assert seconds == AFTER_PERSON - 0.5
                assert here.hall.tables[table].table.on == on
                let_go()
                await one.my_turn()
                assert one.on > on

    run(play())
