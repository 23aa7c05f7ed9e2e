"""Playing on from a position: the seat sees what it saw, the rest is drawn anew, and the record tells what is whose."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from serai.core.dealer import Dealer
from serai.core.play import advance, deal, retrace
from serai.core.record import CannotContinue, Record, check_origin, first_state, identity, inherited, replay, verify
from serai.errors import BadRecord
from tests.support import amount

GOLDEN = Path(__file__).parents[1] / "golden"
FILES = ("camelup/all-cards-laid", "camelup/plain-42", "pharaoh/plain-09")
PLIES: dict[str, tuple[Any, ...]] = {}


def record_of(name: str) -> Record:
    return Record.read((GOLDEN / f"{name}.serai").read_text())


def continued(name: str, turn: int, seat: int, rng: random.Random, more: int = 10**6) -> Record:
    """A game that goes on from there, played to its end or for so many actions, with the secret told."""
    source = record_of(name)
    origin, actions = inherited(source, turn, seat, rng)
    game, first = first_state(source)
    past = retrace(first, map(game.parse, actions))
    dealer = Dealer(rng.randbytes(32), drawn=len(past.draws))
    play = deal(past.after, dealer)
    written = [*actions, *play.notation]
    while not play.after.over and more:
        kinds = sorted({action.kind for action in play.after.actions()})
        kind = rng.choice(kinds)
        action = rng.choice([one for one in play.after.actions() if one.kind == kind])
        play = advance(play.after, action, dealer)
        written += play.notation
        more -= 1
    begun = Record.begin(game, first, source.seats, dealer)
    result = play.after.scores() if play.after.over else None
    return structs.replace(begun, secret=dealer.reveal().hex(), origin=origin, actions=tuple(written), result=result)


@settings(max_examples=amount(20, 300), deadline=None)
@given(name=st.sampled_from(FILES), at=st.floats(0, 1, exclude_max=True), seat=st.integers(0, 1), seed=st.integers())
def test_the_seat_sees_what_it_saw_and_nothing_else_is_kept(name: str, at: float, seat: int, seed: int) -> None:
    source = record_of(name)
    plies = PLIES.setdefault(name, tuple(replay(source)))
    turns = [number for number, ply in enumerate(plies) if not ply.drawn]
    turn = int(at * len(turns))
    origin, actions = inherited(source, turn, seat, random.Random(seed))
    assert origin.step == len(actions) == turns[turn]
    game, state = first_state(source)
    for ply, text in zip(plies, actions, strict=False):
        action = game.parse(text)
        actor = None if ply.drawn else ply.before.actor
        assert state.seen_by(seat) == ply.before.seen_by(seat)
        assert action.seen_by(seat, actor) == ply.action.seen_by(seat, actor)
        state = state.apply(action)
    assert state.seen_by(seat) == plies[turns[turn]].before.seen_by(seat)


def test_what_was_hidden_is_drawn_anew() -> None:
    source = record_of("camelup/all-cards-laid")
    turns = sum(not ply.drawn for ply in replay(source))
    found = {inherited(source, turns - 1, 0, random.Random(seed))[1] for seed in range(20)}
    assert len(found) > 10
    hidden = [number for number, texts in enumerate(zip(*found, strict=True)) if len(set(texts)) > 1]
    assert {source.actions[number].split()[0] for number in hidden} == {"winner", "loser"}


@pytest.mark.parametrize("name", FILES[::2])
def test_the_record_holds_and_tells_which_draws_were_taken_over(name: str) -> None:
    record = continued(name, 9, 1, random.Random(3), more=30)
    assert record.origin is not None
    read = Record.read(record.write())
    assert structs.replace(read, lines=()) == record
    verdict = verify(read)
    first = [ply.drawn for ply in replay(record)][: record.origin.step]
    assert verdict.inherited == sum(first) > 0
    assert verdict.draws_checked
    check_origin(read, record_of(name))


def test_a_forged_draw_is_found_and_so_is_a_forged_past() -> None:
    name = "camelup/plain-42"
    record, source = continued(name, 9, 1, random.Random(3), more=30), record_of(name)
    assert record.origin is not None
    drawn = [number for number, ply in enumerate(replay(record)) if ply.drawn]
    fresh = next(number for number in drawn if number >= record.origin.step)
    others = [str(action) for action in tuple(replay(record))[fresh].before.actions()]
    forged = next(text for text in others if text != record.actions[fresh])
    actions = (*record.actions[:fresh], forged)
    with pytest.raises(BadRecord, match="not drawn by this secret"):
        verify(structs.replace(record, actions=actions))
    # hiding it by claiming a longer past is found out by the source
    longer = structs.replace(record, actions=actions, origin=structs.replace(record.origin, step=fresh + 1))
    assert verify(longer).inherited == sum(number <= fresh for number in drawn)
    with pytest.raises(BadRecord, match=r"is not what seat 1 saw there|not so many|there are"):
        check_origin(longer, source)
    with pytest.raises(BadRecord, match="another record than this one"):
        check_origin(record, structs.replace(source, date="yesterday"))
    with pytest.raises(BadRecord, match="no 'from' line"):
        check_origin(source, source)


@pytest.mark.parametrize("told", ["", "ab 3 0", "0" * 64, f"{'0' * 64} 3", f"{'0' * 64} -1 0", f"{'0' * 64} 999999 0"])
def test_a_from_line_that_cannot_be_is_refused(told: str) -> None:
    text = record_of("camelup/plain-42").write()
    head, body = text.split("\n\n", 1)
    with pytest.raises(BadRecord, match="'from'"):
        Record.read(f"{head}\nfrom: {told}\n\n{body}")


def test_nobody_plays_on_where_there_is_nothing() -> None:
    source = record_of("camelup/plain-42")
    turns = sum(not ply.drawn for ply in replay(source))
    rng = random.Random(0)
    for record, turn, seat, key in (
        (source, turns, 0, "over"),
        (source, turns + 1, 0, "turn"),
        (source, 0, 9, "seat"),
        (structs.replace(source, result=None), 0, 0, "unfinished"),
    ):
        with pytest.raises(CannotContinue) as refused:
            inherited(record, turn, seat, rng)
        assert refused.value.key == f"record.{key}"
    assert identity(source) == identity(Record.read(source.write()))
