"""The longest game that a table can record is replayed, reviewed and played on from, by its record as by its table."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from serai import game as find_game
from serai import games
from serai.core.dealer import SECRET_BYTES, Dealer
from serai.core.play import advance, deal
from serai.core.record import AGREED, Record, Seat, plays, verify
from serai.wire.bodies import ACTION_LINE, GAME_ACTIONS, LAST_DRAWS, MAX_ACTIONS, MAX_RECORD, RECORD_HEAD
from serai.wire.messages import MAX_NAME
from tests.server.http.test_replays import whole_replay
from tests.server.reviews.support import PlayedCoach, play_coach
from tests.server.support import Visitor, house, run
from tests.support import SOAK

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.fixture
def coach(monkeypatch: pytest.MonkeyPatch) -> type[PlayedCoach] | None:
    """A coach that needs no time; in the long form the real one judges."""
    return None if SOAK else play_coach(monkeypatch)


@cache
def longest() -> Record:
    """Four people walk about, take up treasures and drop them until a table takes no more actions, and agree to end."""
    rng, game = random.Random(4), find_game("pharaoh")
    state, dealer = game.new(players=4, max_rounds=None), Dealer(bytes(SECRET_BYTES), bytes(32))
    begun = Record.begin(game, state, tuple(Seat("𓂀" * MAX_NAME) for _ in range(4)), dealer)
    actions: list[str] = []
    unopened = 16
    play = deal(state, dealer)
    while len(actions) < GAME_ACTIONS:
        wandering = [action for action in play.after.actions() if action.kind not in ("end", "reveal")]
        revealing = [action for action in play.after.actions() if action.kind == "reveal" and unopened]
        action, drawn = rng.choice(revealing or wandering or play.after.actions()), dealer.drawn
        going_on = advance(play.after, action, dealer)
        if going_on.after.clock >= 0:  # the mask would be found, and the pyramid fall
            dealer.drawn, unopened = drawn, 0
            continue
        play = going_on
        unopened -= play.actions[0].kind == "reveal"
        actions += play.notation
    secret = bytes(SECRET_BYTES).hex()
    return replace(begun, secret=secret, actions=tuple(actions), end=AGREED, result=play.after.scores())


def test_the_limits_of_records_follow_from_what_a_table_takes() -> None:
    record = longest()
    assert GAME_ACTIONS <= verify(record).plies <= MAX_ACTIONS
    text = record.write()
    around = text.removesuffix("\n".join(("", *record.actions)) + text[text.index("\nresult") :])
    assert len(text.encode()) <= MAX_RECORD
    assert len(around.encode()) + 100 < RECORD_HEAD
    for name in games():
        encoding = find_game(name).encoding
        assert encoding is not None
        assert max(len(str(action)) for action in (*encoding.actions, *encoding.draws)) < ACTION_LINE
        one = Record.read(min((GOLDEN / name).glob("*.serai")).read_text())
        assert 1 <= max(len(play.draws) for play in list(plays(one))[1:]) <= LAST_DRAWS


def test_the_longest_record_is_replayed_reviewed_and_played_on_from(
    tmp_path: Path, coach: type[PlayedCoach] | None
) -> None:
    record = longest()
    text = record.write()

    async def review_of(visitor: Visitor, path: str, body: object = None) -> object:
        answer = await visitor.call("GET" if body is None else "POST", path, body)
        last = msgspec.json.decode(answer.content.splitlines()[-1])
        assert (answer.status_code, last["type"]) == (200, "reviewed"), last
        return last["review"]

    async def ask() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            played = await whole_replay(ann, text, 1)
            last = list(plays(record))[-1].after
            turns = sum(frame.get("by") is not None for frame in played["frames"])
            assert [frame["n"] for frame in played["frames"]] == list(range(turns + 3))
            assert played["table"]["phase"] == "over"
            moment = {"record": text, "seat": 1, "n": turns + 1}
            assert (await ann.call("POST", "/api/replay/advice", moment)).status_code == 200
            await review_of(ann, "/api/review", {"record": text})
            body = {"record": text, "turn": turns, "seat": (last.actor + 1) % 4, "bot": "random"}
            made = await ann.call("POST", "/api/continued", body)
            assert made.status_code == 201, made.text
            table = made.json()["table"]["id"]
            await ann.join(table, "Ann")
            async with ann.at(table, seat=body["seat"]) as a:
                await a.do("start")
                await a.play_to_the_end(random.Random(1))
            own = await ann.record(table)
            assert Record.read(own).actions == record.actions, "the bot to act agrees to end a game that is full"
            await review_of(ann, f"/api/tables/{table}/review")
            assert (await ann.call("POST", "/api/continued", {**body, "record": own})).status_code == 201

    run(ask())
