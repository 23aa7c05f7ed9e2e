"""A table's rules: what is usual where nothing was asked for, and nothing that cannot be done."""

from __future__ import annotations

import msgspec
import pytest

from serai import game as find_game
from serai import games
from serai.core.record import Record, plays, verify
from serai.errors import BadRecord
from serai.table import proposals, records
from serai.table.chain import history
from serai.table.entries import finished_game
from serai.table.errors import Refusal
from serai.table.records import replay_frames
from serai.wire import messages as m
from serai.wire.frames import TableRules
from tests.table.test_table import Kept

GAMES = games()


@pytest.mark.parametrize("game", GAMES)
def test_strangers_play_by_the_clock_unless_they_want_none(game: str) -> None:
    for wanted, clock in (
        (TableRules(), 0),
        (TableRules(public=True), 180),
        (TableRules(public=True, clock=0), 0),
        (TableRules(clock=86_400), 86_400),
    ):
        assert proposals.settled_rules(wanted, find_game(game)).clock == clock


@pytest.mark.parametrize("game", GAMES)
def test_what_a_game_cannot_do_is_refused_by_name(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert proposals.settled_rules(TableRules(hints=True), find_game(game)).hints
    monkeypatch.setattr(find_game(game), "coach", None)
    with pytest.raises(Refusal, match=f"{game} has no hints; make the table without"):
        proposals.settled_rules(TableRules(hints=True), find_game(game))


@pytest.mark.parametrize("rules", [TableRules(hints=True, public=True), TableRules(hints=True, one_device=True)])
def test_no_hints_where_strangers_play_or_all_look_at_one_screen(rules: TableRules) -> None:
    with pytest.raises(Refusal, match="public tables and tables on one device have no hints"):
        proposals.settled_rules(rules, find_game(GAMES[0]))


@pytest.mark.parametrize("game", GAMES)
def test_whoever_was_given_hints_is_known_for_it_for_ever(game: str) -> None:
    kept = Kept(game, seats=2, table_rules=TableRules(hints=True))
    for visitor in ("ann", "bob"):
        kept.join(visitor, visitor)
    kept.tell(m.Start("s"), "ann")
    actor = kept.table.actor
    assert actor is not None
    asking, other = (("ann", "bob"), ("bob", "ann"))[actor]
    for visitor, seat, key in ((asking, 1 - actor, "not_seated"), (other, 1 - actor, "not_your_turn")):
        with pytest.raises(Refusal) as refused:
            proposals.hint(kept.table, seat, kept.table.on, visitor)
        assert refused.value.key == f"table.{key}"
    on = kept.table.on
    for _ in range(2):
        kept.keep(proposals.hint(kept.table, actor, on, asking))
    assert kept.table.on == on, "the game did not move"
    with pytest.raises(Refusal, match="moved on"):
        proposals.hint(kept.table, actor, on - 1, asking)
    hints = [seat.hints for seat in kept.table.info().seats]
    assert hints == [int(seat == actor) for seat in (0, 1)], "once for each position"
    assert kept.again().info() == kept.table.info()
    for visitor in ("ann", "bob"):
        kept.tell(m.Agree(visitor), visitor)
    told = records.record(kept.table)
    assert told.hints == tuple(hints)
    assert f"\nhints: {hints[0]} {hints[1]}\n" in told.write()
    read = Record.read(told.write())
    verify(read)
    frames = replay_frames(read, tuple(plays(read)), None)
    assert [seat.hints for seat in frames[0].table.seats] == hints  # type: ignore[union-attr]
    brief = finished_game(history("t", kept.stored))
    assert brief is not None
    assert brief.hints == {actor: 1}
    for wrong in ("1", "1 0 0", "1 x", "-1 0"):
        with pytest.raises(BadRecord, match="hints"):
            Record.read(told.write().replace(f"hints: {hints[0]} {hints[1]}", f"hints: {wrong}"))


def test_a_table_without_hints_gives_none() -> None:
    kept = Kept(GAMES[0], seats=2)
    for visitor in ("ann", "bob"):
        kept.join(visitor, visitor)
    kept.tell(m.Start("s"), "ann")
    actor = kept.table.actor
    assert actor is not None
    with pytest.raises(Refusal, match="this table has no hints"):
        proposals.hint(kept.table, actor, kept.table.on, ("ann", "bob")[actor])


@pytest.mark.parametrize("game", GAMES)
def test_the_dealer_may_draw_who_begins_and_verify_checks_it(game: str) -> None:
    begun: set[int] = set()
    for number in range(8):
        kept = Kept(game, seats=3, table_rules=TableRules(draw_first=True))
        plain = Kept(game, seats=3)
        for table in (kept, plain):
            for visitor in ("ann", "bob", "cem"):
                table.join(visitor, visitor, value=f"{number:02x}" * 32)
            table.tell(m.Start("s"), "ann")
        assert kept.table.mix == plain.table.mix
        assert _draws(kept) == _draws(plain), "no other draw shifts"
        first = kept.table.options["first"]
        assert kept.table.actor == first
        assert kept.table.info().options["first"] == first
        begun.add(first)
        assert kept.again().info() == kept.table.info()
        for visitor in ("ann", "bob", "cem"):
            kept.tell(m.Agree(visitor), visitor)
        told = records.record(kept.table)
        assert verify(Record.read(told.write())).draws_checked
        other = {**told.options, "first": (first + 1) % 3}
        with pytest.raises(BadRecord, match=f"was not drawn to begin by this secret and mix: they give seat {first}"):
            verify(msgspec.structs.replace(told, options=other))
        rematch = proposals.create_rematch(kept.table, "ann", secret=b"r" * 32, at="2026-01-01")
        assert rematch.table_rules.draw_first
    assert len(begun) > 1


def test_nobody_is_drawn_where_nobody_can_be_chosen_to_begin() -> None:
    class NobodyFirst:
        name, options = "counting", ()

    with pytest.raises(Refusal, match="counting has no draw_first; make the table without"):
        proposals.settled_rules(TableRules(draw_first=True), NobodyFirst())  # type: ignore[arg-type]


def _draws(kept: Kept) -> list[str]:
    return [drawn for _, _, drawn in records.draws(kept.table.plays())]


@pytest.mark.parametrize("clock", [-1, 1, 29, 90, 172_800, 30.5, "30", True])
def test_other_clocks_are_not_offered(clock: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"clock": clock}, TableRules)


@pytest.mark.parametrize("game", GAMES)
def test_guests_see_the_rules_and_a_rematch_keeps_them(game: str) -> None:
    agreed = TableRules(odds=False, advice=False, clock=60, one_device=True, public=True)
    kept = Kept(game, seats=2, table_rules=agreed)
    assert kept.table.info().table_rules == agreed
    assert kept.again().info().table_rules == agreed
    for visitor in ("ann", "bob"):
        kept.join(visitor, visitor)
    kept.tell(m.Start("s"), "ann")
    kept.tell(m.Agree("1"), "ann")
    kept.tell(m.Agree("2"), "bob")
    rematch = proposals.create_rematch(kept.table, "ann", secret=b"r" * 32, at="2026-01-01")
    assert rematch.table_rules == agreed


@pytest.mark.parametrize("game", GAMES)
def test_odds_are_shown_as_allowed_only_where_the_game_has_them(game: str) -> None:
    assert Kept(game).table.info().table_rules.odds is (find_game(game).odds is not None)
    assert not Kept(game, table_rules=TableRules(odds=False)).table.info().table_rules.odds


@pytest.mark.parametrize("game", GAMES)
def test_advice_is_given_where_the_game_has_it_unless_people_play_by_the_book(game: str) -> None:
    assert Kept(game).table.info().table_rules.advice is (find_game(game).advice is not None)
    assert not Kept(game, table_rules=TableRules(advice=False)).table.info().table_rules.advice
