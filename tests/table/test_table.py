"""The table by itself: whatever is asked of it in whatever order, it stays in one piece."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from serai import game as find_game
from serai import games
from serai.camelup.rules.rules import CamelUpState
from serai.core.chance import any_kind
from serai.core.dealer import commitment, mix_of
from serai.core.record import Record, plays, verify
from serai.errors import Hidden, KeyedError
from serai.table import frames, proposals, records
from serai.table.chain import Stored, first_link
from serai.table.clock import Attendance
from serai.table.entries import Acted, Started, phase_after, write_entry
from serai.table.errors import Refusal
from serai.table.proposals import Change, Who
from serai.table.records import replay_frames
from serai.table.table import Table, load
from serai.wire import messages as m
from serai.wire.frames import Frame, TableRules
from tests.support import amount, counted_steps

GAMES = games()
VISITORS = ("ann", "bob", "cem", "")
GRACE = 60.0
GOLDEN = Path(__file__).parents[1] / "golden"


class Kept:
    """A table whose entries are kept as a store would keep them."""

    def __init__(self, game: str, seats: int = 3, **wanted: Any) -> None:
        created = proposals.create(
            find_game(game),
            "ann",
            seats=seats,
            options={},
            table_rules=wanted.get("table_rules", TableRules()),
            bots=wanted.get("bots", {}),
            secret=b"s" * 32,
            at="2026-01-01",
        )
        entry = write_entry(created)
        self.stored = [Stored(0, entry, first_link("t", created.secret, entry))]
        self.table = Table("t", created, 0.0, GRACE, self.stored[0].link)

    def keep(self, change: Change) -> None:
        entry = write_entry(change.entry)
        self.stored.append(Stored(self.table.n + 1, entry, self.table.next_link(entry)))
        self.table.absorb(change.entry, change.play, self.stored[-1].link)

    def tell(self, message: Any, visitor: str, seat: int | None = None, now: float = 0.0) -> None:
        self.keep(proposals.propose(self.table, message, Who(visitor, seat, now), "2026-01-01"))

    def join(self, visitor: str, name: str, value: str = "ab" * 32) -> None:
        self.keep(
            Change(proposals.join(self.table, visitor, message_id=f"join {name}", name=name, value=value, seat=None))
        )

    def again(self) -> Table:
        return load("t", self.stored, 0.0, GRACE)


def _seen(table: Table) -> list[Any]:
    """All that anybody can be shown of a table."""
    viewers = [(visitor, seat) for visitor in VISITORS for seat in (None, *table.held_by(visitor))]
    return [
        msgspec.json.encode(
            [
                frames.welcome(table, visitor, seat),
                *(frames.frame(table.effects, x, visitor, seat) for x in table.effects),
            ]
        )
        for visitor, seat in viewers
    ]


def _anything(table: Table, rng: random.Random, count: int) -> Any:
    """Some message, sensible or not."""
    name, seat = f"m{count}", rng.randrange(4)
    actions = table.snapshot.actions() if table.snapshot is not None else ()
    action = msgspec.json.encode(rng.choice(actions)) if actions and rng.random() < 0.95 else b'{"type":"nothing"}'
    on = table.on if rng.random() < 0.9 else rng.randrange(20)
    act = m.Act(name, on, msgspec.Raw(action))
    quiet = [
        m.Undo(name, on),
        m.Say(name, text="hello"),
        m.Say(name, phrase="thanks"),
        m.Mute(name, seat, rng.random() < 0.5),
        m.Arrange(name, [rng.choice([0, 1, 2, None]) for _ in range(rng.randrange(1, 5))]),
        m.PlaceBot(name, seat, rng.choice(["random", "nobody"])),
        m.Vacate(name, seat),
        m.SetOptions(name, {"first": rng.randrange(4)}),
        m.Start(name),
        m.TakeHost(name),
        m.Pause(name),
        m.Resume(name),
        m.TakeOver(name, seat, "random"),
        m.Return(name, seat),
        m.Leave(name, seat),
        m.Agree(name, rng.random() < 0.6),
    ]
    return act if rng.random() < 0.5 else rng.choice(quiet)


@pytest.mark.parametrize("game", GAMES)
def test_anything_in_any_order_leaves_a_table_that_its_entries_tell_in_full(game: str) -> None:
    started = ended = 0
    refusals: dict[str, str] = {}
    for seed in range(amount(40, 600)):
        rng = random.Random(seed)
        kept = Kept(game)
        for count in range(400):
            table = kept.table
            visitor = rng.choice(VISITORS)
            held = table.held_by(visitor)
            before = (table.n, table.on, table.info())
            try:
                if table.phase == "lobby" and rng.random() < 0.3:
                    value = f"{count:064x}"
                    who = visitor or "dan"
                    joined = proposals.join(
                        table, who, message_id=f"m{count}", name=f"P{count}", value=value, seat=None
                    )
                    change = Change(joined)
                elif table.bot_to_act and rng.random() < 0.5:
                    assert table.actor is not None
                    change = proposals.bot_acts(table, table.actor, table.on, None, rng)
                else:
                    seat = rng.choice([None, *held, rng.randrange(4)])
                    if table.actor is not None and rng.random() < 0.5:
                        visitor, seat = table.seats[table.actor].visitor, table.actor
                    asking = Who(visitor, seat, rng.uniform(0, 200))
                    change = proposals.propose(table, _anything(table, rng, count), asking, "2026-01-01")
            except KeyedError as error:
                refusals[error.key] = str(error)
                assert (table.n, table.on, table.info()) == before
                continue
            assert (table.n, table.on, table.info()) == before, "proposing changes nothing"
            kept.keep(change)
            assert kept.table.phase == phase_after(before[2].phase, change.entry)
        started += bool(kept.table.mix)
        ended += kept.table.phase == "over"
        assert _seen(kept.again()) == _seen(kept.table)
        if kept.table.mix:
            record = Record.read(records.record(kept.table).write())
            assert ("?" in "".join(record.actions) and kept.table.phase != "over") or verify(record)
    assert started > 10
    assert ended > 3
    assert len(refusals) > 15
    assert all(key not in told for key, told in refusals.items()), "every reason can be said in English"


@pytest.mark.parametrize("game", GAMES)
def test_patches_add_up_to_the_view_of_every_seat(game: str) -> None:
    for seed in range(amount(3, 50)):
        rng = random.Random(seed)
        kept = Kept(game)
        for name in ("Ann", "Bob", "Cem"):
            kept.join("ann", name)
        kept.tell(m.Start("s"), "ann")
        table = kept.table
        views: dict[int | None, dict[str, Any]] = {seat: {} for seat in (None, 0, 1, 2)}
        _follow(table, views)
        for count in range(150):
            if table.phase != "playing":
                break
            assert table.snapshot is not None
            undoable = table.undoable
            if undoable is not None and rng.random() < 0.2:
                kept.tell(m.Undo(f"u{count}", table.on), "ann", undoable)
            else:
                action = msgspec.json.encode(rng.choice(table.snapshot.actions()))
                kept.tell(m.Act(f"a{count}", table.on, msgspec.Raw(action)), "ann", table.actor)
            _follow(table, views)
        assert table.on > 20


def _follow(table: Table, views: dict[int | None, dict[str, Any]]) -> None:
    for seat, view in views.items():
        frame = frames.frame(table.effects, table.effects[-1], "ann", seat)
        assert isinstance(frame, Frame)
        view |= frame.patch
        assert table.snapshot is not None
        seen = table.snapshot.view(seat)
        assert view == {name: getattr(seen, name) for name in seen.__struct_fields__}
        assert frame.actions == (table.snapshot.actions() if seat is not None and table.actor == seat else ())
        assert frame.scores == frames.welcome(table, "ann", seat).scores == seen.scores()


@pytest.mark.parametrize("game", GAMES)
def test_on_a_screen_that_all_look_at_nothing_stands_that_not_everybody_may_see(game: str) -> None:
    rng = random.Random(5)
    kept = Kept(game, seats=2, table_rules=TableRules(one_device=True))
    kept.join("ann", "Ann")
    kept.join("ann", "Bob")
    kept.tell(m.Start("s"), "ann")
    for count in range(40):
        table = kept.table
        assert table.snapshot is not None
        action = msgspec.json.encode(rng.choice(table.snapshot.actions()))
        kept.tell(m.Act(f"a{count}", table.on, msgspec.Raw(action)), "ann", table.actor)
        if table.phase != "playing":
            break
        for seat in (0, 1):
            told, public = (frames.frame(table.effects, table.effects[-1], "ann", eyes) for eyes in (seat, None))
            assert isinstance(told, Frame)
            assert structs.replace(told, actions=(), undo=False) == public
            assert frames.welcome(table, "ann", seat).view == table.snapshot.state.seen_by(None)
            assert told.actions == (table.snapshot.actions() if table.actor == seat else ())


def test_scores_that_a_view_does_not_show_are_left_out_until_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept("camelup", seats=2)
    kept.join("ann", "Ann")
    kept.join("bob", "Bob")
    assert frames.welcome(kept.table, "ann", 0).scores == ()

    def covered(state: CamelUpState) -> tuple[int, ...]:
        if any(None in hand for hand in state.hands):
            raise Hidden("scores are covered until the end")
        return state.money

    monkeypatch.setattr(CamelUpState, "scores", covered)
    kept.tell(m.Start("s"), "ann")
    started = frames.frame(kept.table.effects, kept.table.effects[-1], "ann", 0)
    assert isinstance(started, Frame)
    assert started.scores == frames.welcome(kept.table, "ann", 0).scores == ()
    kept.tell(m.Agree("1"), "ann")
    kept.tell(m.Agree("2"), "bob")
    ended = frames.frame(kept.table.effects, kept.table.effects[-1], "ann", 0)
    assert isinstance(ended, Frame)
    assert ended.scores == (3, 3)


@pytest.mark.parametrize("game", GAMES)
def test_the_commitment_stands_before_anybody_joins_and_the_mix_follows_the_seats(game: str) -> None:
    kept = Kept(game)
    assert kept.table.info().commit == commitment(b"s" * 32)
    assert kept.table.info().mix == ""
    kept.join("ann", "Ann", "11" * 32)
    kept.join("bob", "Bob", "22" * 32)
    kept.tell(m.Arrange("1", [1, 0]), "ann")
    kept.tell(m.Start("2"), "ann")
    told = kept.table.info()
    assert told.mix == mix_of([bytes.fromhex("22" * 32), bytes.fromhex("11" * 32)]).hex()
    assert [seat.value for seat in told.seats] == ["22" * 32, "11" * 32]
    assert told.secret == ""


@pytest.mark.parametrize("game", GAMES)
def test_an_action_and_its_draws_are_one_entry(game: str) -> None:
    rng = random.Random(2)
    kept = Kept(game, seats=2)
    kept.join("ann", "Ann")
    kept.join("ann", "Bob")
    kept.tell(m.Start("s"), "ann")
    table = kept.table
    drew = 0
    for count in range(100):
        if table.phase != "playing" or table.snapshot is None:
            break
        kinds: dict[str, list[Any]] = {}
        for action in table.snapshot.actions():
            kinds.setdefault(action.kind, []).append(action)
        chosen = msgspec.json.encode(rng.choice(rng.choice(list(kinds.values()))))
        kept.tell(m.Act(f"{count}", table.on, msgspec.Raw(chosen)), "ann", table.actor)
        entry = table.effects[-1].entry
        assert isinstance(entry, Acted)
        drew += len(entry.actions) > 1
        assert isinstance(table.snapshot.state.actor, int | None), "no entry ends with a draw due"
    assert drew > 0


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_asked_once_for_each_action(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the message to everybody's frame, and again when the table wakes; looking back asks nothing."""
    rng = random.Random(3)
    stepped = counted_steps(find_game(game), monkeypatch)
    kept = Kept(game, seats=2, bots={1: "random"})
    kept.join("ann", "Ann")
    table = kept.table
    kept.tell(m.Start("s"), "ann")
    _told_by_one_step_each(table, stepped)
    for count in range(120):
        if table.actor is None or table.snapshot is None:
            break
        action = msgspec.json.encode(any_kind(table.snapshot.actions(), rng))
        if table.bot_to_act:
            kept.keep(proposals.bot_acts(table, table.actor, table.on, action, rng))
        else:
            kept.tell(m.Act(f"{count}", table.on, msgspec.Raw(action)), "ann", 0)
        _told_by_one_step_each(table, stepped)
    records.record(table)
    records.draws(table.plays())
    frames.welcome(table, "ann", 0)
    frames.history(table, "ann", None)
    assert stepped == []
    kept.again()
    assert tuple(map(str, stepped)) == tuple(text for _, texts in table.written for text in texts)


def _told_by_one_step_each(table: Table, stepped: list[Any]) -> None:
    for seat in (None, 0, 1):
        assert isinstance(frames.frame(table.effects, table.effects[-1], "ann", seat), Frame)
    entry = table.effects[-1].entry
    assert isinstance(entry, Acted | Started)
    assert tuple(map(str, stepped)) == entry.actions
    stepped.clear()


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_asks_the_rules_once_for_each_action(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record.read(min((GOLDEN / game).glob("*.serai")).read_text())
    stepped = counted_steps(find_game(game), monkeypatch)
    played = tuple(plays(record))
    for seat in (None, 0):
        assert replay_frames(record, played, seat)
    records.draws(played)
    assert tuple(map(str, stepped)) == record.actions


def test_a_bot_that_answers_nonsense_plays_at_random_and_a_late_one_not_at_all() -> None:
    kept = Kept(GAMES[0], seats=2, bots={0: "random"})
    kept.join("ann", "Ann")
    kept.tell(m.Start("s"), "ann")
    rng = random.Random(0)
    with pytest.raises(Refusal):
        proposals.bot_acts(kept.table, 1, kept.table.on, None, rng)
    with pytest.raises(Refusal):
        proposals.bot_acts(kept.table, 0, kept.table.on - 1, None, rng)
    for answer in (b"", b'"?"', b'{"type":"die","camel":0,"pips":1}', b"{}"):
        change = proposals.bot_acts(kept.table, 0, kept.table.on, answer, rng)
        assert isinstance(change.entry, Acted)
        assert change.entry.seat == 0
    kept.keep(change)
    assert kept.table.on == 2


def test_nobody_may_end_a_game_for_others() -> None:
    kept = Kept(GAMES[0], seats=3)
    for visitor in ("ann", "bob", "cem"):
        kept.join(visitor, visitor)
    kept.tell(m.Start("s"), "ann")
    kept.tell(m.Agree("1"), "ann")
    kept.tell(m.Agree("2"), "bob")
    assert kept.table.info().phase == "playing"
    kept.tell(m.Leave("3", 2), "cem")
    kept.tell(m.Agree("4"), "ann")
    assert kept.table.phase == "over", "who left has no say"
    assert kept.table.info().agreed


def test_a_bot_seated_for_somebody_absent_does_not_agree_to_the_end_for_them() -> None:
    kept = Kept(GAMES[0], seats=2)
    for visitor in ("ann", "bob"):
        kept.join(visitor, visitor)
        kept.table.attendance.came(visitor)
    kept.tell(m.Start("s"), "ann")
    kept.table.attendance.went("bob", 0.0)
    kept.tell(m.Agree("1"), "ann", now=GRACE)
    assert kept.table.info().phase == "playing", "bob is away, and has not agreed"
    kept.tell(m.TakeOver("2", 1, "random"), "ann", now=GRACE)
    kept.tell(m.Agree("3"), "ann", now=GRACE)
    assert kept.table.info().phase == "playing", "a stand-in has no say"
    assert [seat.agrees for seat in kept.table.info().seats] == [True, False]
    kept.tell(m.Agree("4"), "bob", now=GRACE)
    assert kept.table.phase == "over", "whoever has a stand-in may still agree"


def test_secrets_do_not_show_in_what_is_printed() -> None:
    kept = Kept(GAMES[0])
    assert b"s" * 32 not in repr(kept.table).encode()
    assert (b"s" * 32).hex() not in repr(kept.table.dealer()) + repr(kept.table.info())


def test_who_came_and_went_is_remembered_only_as_long_as_it_matters() -> None:
    presence = Attendance(0.0, grace=60.0)
    for number in range(1000):
        presence.came(f"onlooker {number}")
        presence.went(f"onlooker {number}", float(number))
    assert len(presence._gone_since) <= 61
    assert [presence.grace_left(f"onlooker {number}", 1000.0) for number in (0, 939, 940, 941, 999)] == [0, 0, 0, 1, 59]
    presence.elsewhere(frozenset({"onlooker 990"}), 1000.0)
    assert presence.here("onlooker 990")
    presence.elsewhere(frozenset(), 1010.0)
    assert presence.grace_left("onlooker 990", 1010.0) == 60
