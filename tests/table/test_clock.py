"""The clock by itself, at a table whose time a test makes: what counts, what does not, and that nobody gains any."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import structs

from serai import games
from serai.core.chance import CHANCE
from serai.table import frames, proposals
from serai.table.clock import DAY
from serai.table.entries import Acted
from serai.table.errors import Refusal
from serai.table.proposals import Change
from serai.table.table import load
from serai.wire import messages as m
from serai.wire.frames import TableRules
from tests.table.test_table import Kept

GAMES = games()
WALL = 5000.0
"""What the clock on the wall shows when the table's begins."""
OTHERS = {"ann": "bob", "bob": "ann"}


class Clocked(Kept):
    """Ann and Bob play by the clock; time is told with everything that happens."""

    def __init__(self, game: str = GAMES[0], clock: int = 60) -> None:
        self.now = 0.0
        super().__init__(game, seats=2, table_rules=msgspec.convert({"clock": clock}, TableRules))
        self._ids = 0
        for visitor in OTHERS:
            self.join(visitor, visitor)
            self.table.attendance.came(visitor)
        self.say(m.Start, "ann")

    def keep(self, change: Change) -> None:
        super().keep(structs.replace(change, entry=structs.replace(change.entry, when=WALL + self.now)))
        self.table.time(self.now)

    def say(self, kind: Any, visitor: str, *rest: Any) -> None:
        self._ids += 1
        held = self.table.held_by(visitor)
        self.tell(kind(str(self._ids), *rest), visitor, held[0], self.now)

    @property
    def left(self) -> float | None:
        return self.table.clock.left(self.now)

    @property
    def actor(self) -> str:
        assert self.table.actor is not None
        return self.table.seats[self.table.actor].visitor

    def after(self, seconds: float) -> None:
        self.now += seconds

    def play(self) -> str:
        """Let whoever is to act play something that can be taken back and hands the turn on; who that was."""
        who, action = self.actor, self.quiet()
        self.say(m.Act, who, self.table.on, msgspec.Raw(msgspec.json.encode(action)))
        return who

    def bot_plays(self) -> None:
        """The same by the stand-in."""
        assert self.table.actor is not None
        self.keep(Change(Acted(seat=self.table.actor, actions=(str(self.quiet()),))))

    def quiet(self) -> Any:
        snapshot = self.table.snapshot
        assert snapshot is not None
        state = snapshot.state
        found = (one for one in snapshot.actions() if state.apply(one).actor not in (CHANCE, None, state.actor))
        return next(found)

    def come(self, visitor: str) -> None:
        self.table.attendance.came(visitor)
        self.table.time(self.now)

    def go(self, visitor: str) -> None:
        self.table.attendance.went(visitor, self.now)
        self.table.time(self.now)

    def time_out(self) -> None:
        assert self.table.actor is not None
        self.keep(Change(proposals.time_out(self.table, self.table.actor, "random", self.now)))


def test_a_turn_has_all_its_time_and_talk_does_not_give_more() -> None:
    table = Clocked()
    assert table.left == 60
    table.after(20)
    table.say(m.Say, "ann", "hello")
    assert table.left == 40
    table.play()
    assert table.left == 60
    table.after(61)
    assert table.left == -1


def test_several_actions_of_one_turn_share_its_time() -> None:
    table, shared = Clocked("pharaoh"), False
    while not shared:
        assert table.table.snapshot is not None
        table.after(1)
        who, left = table.actor, table.left
        action = msgspec.json.encode(table.table.snapshot.actions()[0])
        table.say(m.Act, who, table.table.on, msgspec.Raw(action))
        shared = table.actor == who
        assert table.left == (left if shared else 60)


def test_no_clock_no_time() -> None:
    table = Clocked(clock=0)
    table.after(10_000_000)
    assert table.left is table.table.clock.due() is None
    with pytest.raises(Refusal):
        table.time_out()


def test_a_pause_stops_it() -> None:
    table = Clocked()
    table.after(20)
    table.say(m.Pause, "bob")
    assert table.table.clock.due() is None
    table.after(500)
    told = frames.turn_time(table.table, table.now)
    assert (told.left, told.of, told.running) == (40, 60, False)
    table.say(m.Resume, "bob")
    assert (table.left, table.table.clock.due()) == (40, 560)


def test_an_undo_goes_back_to_the_turn_that_was_begun_and_gains_no_time() -> None:
    table = Clocked()
    table.after(20)
    who = table.play()
    for _ in range(3):
        table.after(5)
        assert table.left == 55, "the other's turn is a new one each time"
        table.say(m.Undo, who, table.table.on)
        table.play()
    table.after(5)
    table.say(m.Undo, who, table.table.on)
    assert (table.actor, table.left) == (who, 20)
    table.play()
    table.after(21)
    with pytest.raises(Refusal, match="time for this turn is over"):
        table.say(m.Undo, who, table.table.on)


def test_it_rests_while_nobody_who_has_a_seat_is_there() -> None:
    table = Clocked()
    table.after(20)
    table.go("ann")
    table.after(10)
    assert table.left == 30, "bob waits"
    table.go("bob")
    table.come("an onlooker")
    table.after(1000)
    assert (table.left, table.table.clock.due()) == (30, None)
    table.come("ann")
    table.after(31)
    assert table.left == -1


def test_a_clock_of_a_day_runs_but_nobody_is_stood_in_for_while_nobody_sees_it() -> None:
    table = Clocked(clock=DAY)
    for visitor in OTHERS:
        table.go(visitor)
    table.after(90_000)
    assert table.left == -3600
    with pytest.raises(Refusal):
        table.time_out()
    table.come("bob")
    table.time_out()


def test_whoever_loads_a_table_knows_how_long_its_turn_has_lasted() -> None:
    table = Clocked()
    table.after(20)
    who = table.play()
    table.after(15)
    table.say(m.Undo, who, table.table.on)
    table.say(m.Pause, "ann")
    table.after(100)
    table.say(m.Resume, "ann")
    table.after(5)
    loaded = load("t", table.stored, 300.0, wall=WALL + table.now)
    assert loaded.clock.left(300.0) == table.left == 20
    loaded.clock.begin_no_earlier(300.0)
    assert loaded.clock.left(300.0) == 60, "nobody had it meanwhile"
    assert load("t", table.stored, 300.0).clock.left(300.0) == 60, "nobody asked how long"


def test_a_clock_of_a_day_runs_on_from_when_a_server_was_there() -> None:
    table = Clocked(clock=DAY)
    table.after(5000)
    for since, left in ((-1e9, DAY - 5000), (table.now - 700.0, DAY - 700)):
        loaded = load("t", table.stored, table.now, wall=WALL + table.now)
        loaded.clock.begin_no_earlier(since)
        assert loaded.clock.left(table.now) == left


def test_who_lets_it_run_out_is_played_by_a_stand_in_until_back() -> None:
    table = Clocked()
    late = table.actor
    seat = table.table.actor
    assert seat is not None
    table.after(59)
    with pytest.raises(Refusal):
        table.time_out()
    table.after(1)
    table.time_out()
    assert table.table.bot_to_act == "random"
    assert table.left is None, "no bot plays by the clock"
    with pytest.raises(Refusal):
        table.time_out()
    with pytest.raises(Refusal, match="a bot finishes it"):
        table.say(m.Return, late, seat)
    table.bot_plays()
    table.say(m.Return, late, seat)
    assert table.table.seats[seat].playing


def test_a_stand_ins_action_cannot_be_taken_back_for_more_time() -> None:
    table = Clocked()
    late, seat = table.actor, table.table.actor
    table.after(60)
    table.time_out()
    table.bot_plays()
    table.say(m.Return, late, seat)
    with pytest.raises(Refusal, match="time for this turn is over"):
        table.say(m.Undo, late, table.table.on)


def test_who_has_left_is_stood_in_for_when_their_time_is_over() -> None:
    table = Clocked()
    late, seat = table.actor, table.table.actor
    assert seat is not None
    table.say(m.Leave, late, seat)
    table.after(60)
    table.time_out()
    assert table.table.seats[seat].left
    assert table.table.bot_to_act == "random"


def test_what_the_server_could_not_do_is_not_at_the_players_expense() -> None:
    table = Clocked()
    table.after(59)
    table.table.clock.begin_no_earlier(table.now)
    assert table.left == 60


def test_a_game_that_is_over_has_no_time() -> None:
    table = Clocked()
    for visitor in OTHERS:
        table.say(m.Agree, visitor)
    assert table.table.phase == "over"
    assert table.left is table.table.clock.due() is None
