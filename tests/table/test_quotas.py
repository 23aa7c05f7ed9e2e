"""What moves no game is taken in only so often: no visitor makes a table's history grow for ever."""

from __future__ import annotations

import contextlib
import itertools
import random
from typing import Any

import msgspec
import pytest

from serai.errors import KeyedError
from serai.table import proposals, quotas, records
from serai.table.errors import Refusal
from serai.table.proposals import Change, Who
from serai.table.table import Table, load
from serai.wire import messages as m
from tests.table.test_table import GRACE, Kept

GAME = "camelup"
_ids = itertools.count()


def new_id() -> str:
    return f"b{next(_ids)}"


def join(kept: Kept, visitor: str) -> None:
    value = f"{len(visitor):064x}"
    entry = proposals.join(kept.table, visitor, message_id=new_id(), name=visitor, value=value, seat=None)
    kept.keep(Change(entry))


def started(seats: int = 2) -> Kept:
    kept = Kept(GAME, seats)
    for visitor in ("ann", "bob", "cem")[:seats]:
        join(kept, visitor)
    kept.tell(m.Start(new_id()), "ann", 0)
    return kept


def act(kept: Kept, kind: str) -> None:
    """The actor does the first thing of that kind."""
    table = kept.table
    assert table.snapshot is not None
    action = next(action for action in table.snapshot.actions() if action.kind == kind)
    seat = table.actor
    assert seat is not None
    message = m.Act(new_id(), table.on, msgspec.Raw(msgspec.json.encode(action)))
    kept.tell(message, table.seats[seat].visitor, seat)


def until_refused(kept: Kept, most: int, *tells: Any) -> str:
    """Send these again and again; the key of the refusal that ends it, which comes before ``most`` entries."""
    first = kept.table.n
    try:
        while kept.table.n - first <= most:
            for tell in tells:
                tell()
    except Refusal as refusal:
        return refusal.key
    raise AssertionError(f"{kept.table.n - first} entries, and no end")


def reloaded(kept: Kept) -> Table:
    return load("t", kept.stored, 0.0, GRACE)


@pytest.mark.parametrize(
    "message",
    [
        lambda: m.Arrange(new_id(), [1, 0]),
        lambda: m.SetOptions(new_id(), {}),
        lambda: m.PlaceBot(new_id(), 1, "random"),
        lambda: m.Vacate(new_id(), 1),
    ],
)
def test_a_lobby_is_changed_so_often_and_can_still_be_started(message: Any) -> None:
    kept = Kept(GAME, 2)
    join(kept, "ann")
    assert until_refused(kept, quotas.LOBBY, lambda: kept.tell(message(), "ann", 0)) == "table.bounds.lobby"
    with pytest.raises(Refusal, match=r"start the game, or make a new table"):
        reloaded_propose(kept, m.SetOptions(new_id(), {}), "ann")
    kept.tell(m.Say(new_id(), "hello"), "ann", 0)


def reloaded_propose(kept: Kept, message: Any, visitor: str) -> None:
    """Ask the same table as it is after a restart."""
    proposals.propose(reloaded(kept), message, Who(visitor, 0, 0.0), "2026-01-01")


def test_guests_who_come_and_go_are_bounded_too_and_a_full_table_starts() -> None:
    kept = Kept(GAME, 2)
    join(kept, "ann")
    join(kept, "bob")

    def come_and_go() -> None:
        kept.tell(m.Leave(new_id(), 1), "bob", 1)
        join(kept, "bob")

    assert until_refused(kept, quotas.LOBBY, come_and_go) == "table.bounds.lobby"
    if kept.table.seats[1].kind == "person":
        kept.tell(m.Start(new_id()), "ann", 0)
        assert kept.table.phase == "playing"


def test_undos_are_bounded_by_what_stands_and_grow_with_the_game() -> None:
    kept = started()

    def back_and_forth() -> None:
        act(kept, "leg")
        kept.tell(m.Undo(new_id(), kept.table.on), "ann", 0)

    assert until_refused(kept, 2 * quotas.UNDOS + 4, back_and_forth) == "table.bounds.undos"
    with pytest.raises(Refusal):
        reloaded_propose(kept, m.Undo(new_id(), kept.table.on), "ann")
    act(kept, "roll")  # the other's turn: the game moves on, and with it what may be taken back
    act(kept, "oasis")
    kept.tell(m.Undo(new_id(), kept.table.on), "ann", 0)
    assert kept.table.undone == quotas.UNDOS + 2


def test_talk_is_bounded_by_visitor_and_table_even_after_a_restart() -> None:
    kept = started(3)

    def say(visitor: str) -> Any:
        return lambda: kept.tell(m.Say(new_id(), "hello"), visitor)

    assert until_refused(kept, quotas.TALK_OF_ONE, say("ann")) == "table.bounds.talk"
    kept.table = reloaded(kept)
    assert until_refused(kept, 0, say("ann")) == "table.bounds.talk"
    assert until_refused(kept, quotas.TALK, say("bob")) == "table.bounds.talk"
    assert until_refused(kept, quotas.TALK, say("cem")) == "table.bounds.talk"
    assert kept.table.n < quotas.TALK + 10


def test_pauses_and_agreements_are_bounded_but_nobody_is_stuck() -> None:
    kept = started()
    agree = m.Agree(new_id(), on=False)
    kept.tell(agree, "ann", 0)
    most = 3 * quotas.ASIDES
    pause, go_on = (lambda: kept.tell(m.Pause(new_id()), "ann", 0)), (lambda: kept.tell(m.Resume(new_id()), "ann", 0))
    assert until_refused(kept, most, pause, go_on) == "table.bounds.asides"
    assert not kept.table.paused
    assert until_refused(kept, 0, lambda: kept.tell(m.Agree(new_id(), on=False), "ann", 0)) == "table.bounds.asides"
    kept.tell(m.Pause(new_id()), "bob", 1)  # others are not held up
    kept.tell(m.Resume(new_id()), "ann", 0)
    for _ in range(4):
        act(kept, "roll")
    kept.tell(m.Pause(new_id()), "ann", 0)


def test_leaving_is_bounded_and_coming_back_is_not() -> None:
    kept = started()
    leave, back = (
        (lambda: kept.tell(m.Leave(new_id(), 0), "ann", 0)),
        (lambda: kept.tell(m.Return(new_id(), 0), "ann", 0)),
    )
    assert until_refused(kept, 3 * quotas.ASIDES, leave, back) == "table.bounds.asides"
    assert kept.table.seats[0].playing


def test_visitors_without_a_seat_mute_only_so_often() -> None:
    kept = started()
    crowd = itertools.count()

    def mute() -> None:
        kept.tell(m.Mute(new_id(), 0), f"onlooker {next(crowd)}")

    assert until_refused(kept, quotas.MUTES, mute) == "table.bounds.mutes"
    other = started()
    assert until_refused(other, quotas.MUTES_OF_ONE, lambda: other.tell(m.Mute(new_id(), 0), "bob", 1)) == (
        "table.bounds.mutes"
    )


def test_a_game_without_end_is_one_day_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "GAME_ACTIONS", 40)
    kept = started()
    shift = [lambda: act(kept, "oasis"), lambda: act(kept, "mirage")]
    assert until_refused(kept, 40, *shift) == "table.bounds.actions"
    kept.tell(m.Agree(new_id()), "ann", 0)
    kept.tell(m.Agree(new_id()), "bob", 1)
    assert kept.table.phase == "over"


def test_bots_that_never_come_to_an_end_agree_to_end_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposals, "GAME_ACTIONS", 40)
    kept = Kept(GAME, 2, bots={0: "random", 1: "random"})
    kept.tell(m.Start(new_id()), "ann", None)
    rng = random.Random(5)
    while kept.table.phase == "playing":
        table = kept.table
        assert table.actor is not None
        assert table.snapshot is not None
        tile = next(action for action in table.snapshot.actions() if action.kind in ("oasis", "mirage"))
        kept.keep(proposals.bot_acts(table, table.actor, table.on, msgspec.json.encode(tile), rng))
    assert kept.table.length == 40
    assert kept.table.ended_by_agreement


def test_an_action_that_was_undone_leaves_room_for_another() -> None:
    kept = started()
    for _ in range(quotas.UNDOS):
        act(kept, "oasis")
        kept.tell(m.Undo(new_id(), kept.table.on), "ann", 0)
    assert kept.table.length == len(records.record(kept.table).actions) == 5


def test_whatever_is_sent_besides_the_game_the_history_has_an_end() -> None:
    rng = random.Random(3)
    kept = started()
    messages: list[Any] = [
        lambda: m.Say(new_id(), "hello"),
        lambda: m.Mute(new_id(), rng.randrange(2), rng.random() < 0.5),
        lambda: m.Pause(new_id()),
        lambda: m.Resume(new_id()),
        lambda: m.Agree(new_id(), on=False),
        lambda: m.Leave(new_id(), rng.randrange(2)),
        lambda: m.Return(new_id(), rng.randrange(2)),
        lambda: m.TakeOver(new_id(), rng.randrange(2), "random"),
        lambda: m.TakeHost(new_id()),
        lambda: m.Undo(new_id(), kept.table.on),
    ]

    def send(times: int) -> int:
        """How many entries that made."""
        before = kept.table.n
        for _ in range(times):
            seat = rng.randrange(2)
            with contextlib.suppress(KeyedError):
                kept.tell(rng.choice(messages)(), ("ann", "bob")[seat], seat, now=1000.0)
        return kept.table.n - before

    assert send(9000) < 1000
    assert send(3000) == 0, "all has been taken in that will ever be"
