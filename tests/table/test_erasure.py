"""Forgetting a person: nothing names them any more, the game stays as it was, and the chain still holds."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serai.table import frames, records
from serai.table.chain import Stored, history, seal_of, secret_in
from serai.table.erasure import erase
from serai.table.errors import Damaged
from serai.table.table import load
from serai.wire import messages as m
from serai.wire.frames import ChatFrame
from tests.table.test_chain import damaged
from tests.table.test_table import Kept

ANN, BEN, PSEUDONYM = "a" * 32, "b" * 32, "c" * 32


def game(talk: tuple[str, ...] = ("I live in Berlin",)) -> Kept:
    """A game of two people who talk, ended by agreement."""
    kept = Kept("camelup", seats=2)
    kept.join(ANN, "Ann")
    kept.join(BEN, "Ben")
    kept.tell(m.Say("early", text="hello, I am Ann"), ANN, 0)
    kept.tell(m.Start("start"), "ann", 0)
    for number, text in enumerate(talk):
        kept.tell(m.Say(f"say{number}", text=text), ANN, 0)
    kept.tell(m.Say("answer", text="nice"), BEN, 1)
    kept.tell(m.Mute("mute", 0, True), BEN, 1)
    kept.tell(m.Agree("agree", True), ANN, 0)
    kept.tell(m.Agree("agreed", True), BEN, 1)
    return kept


def forgotten(stored: list[Stored], visitor: str = ANN, pseudonym: str = PSEUDONYM) -> list[Stored]:
    changed = {one.n: one for one in erase("t", stored, visitor, pseudonym)}
    return [changed.get(one.n, one) for one in stored]


def test_nothing_names_them_any_more_and_the_others_are_untouched() -> None:
    before = game().stored
    after = forgotten(before)
    everything = b"".join(one.entry for one in after)
    for trace in (ANN, "Ann", "Berlin", "hello"):
        assert trace.encode() not in everything, trace
    for other in (BEN, "Ben", "nice"):
        assert everything.count(other.encode()) == b"".join(one.entry for one in before).count(other.encode())
    assert [one.sealed for one in after] != [False] * len(after)
    assert all(one == other for one, other in zip(before, after, strict=True) if ANN.encode() not in one.entry)


def test_the_table_is_the_same_game_of_a_guest() -> None:
    before, after = load("t", game().stored, 0.0), load("t", forgotten(game().stored), 0.0)
    assert after.head == before.head, "records that were downloaded still fit"
    assert (after.link, after.n, after.phase, after.result) == (before.link, before.n, before.phase, before.result)
    ours, theirs = records.record(after), records.record(before)
    assert [seat.name for seat in ours.seats] == ["-", "Ben"]
    assert (ours.actions, ours.chain, ours.secret) == (theirs.actions, theirs.chain, theirs.secret)
    assert after.info().seats[0].name == ""
    assert after.held_by(ANN) == ()
    chat = [frame.text for frame in frames.history(after, "", None) if isinstance(frame, ChatFrame)]
    assert chat == ["nice"]
    assert [line.text for line in frames.welcome(after, "", None).chat] == ["nice"]
    assert after.muted_by(BEN) == (0,), "whom they muted stays muted"


def test_two_can_be_forgotten_and_one_twice() -> None:
    once = forgotten(game().stored)
    assert forgotten(once) == once, "there is nothing left to forget"
    both = load("t", forgotten(once, BEN, "d" * 32), 0.0)
    assert [seat.name for seat in both.seats] == ["", ""]


def test_a_rewritten_entry_is_guarded_as_well_as_any_other() -> None:
    stored, rng = forgotten(game().stored), random.Random(3)
    sealed = [one for one in stored if one.sealed]
    assert sealed
    for row in sealed:
        entry = bytearray(row.entry)
        entry[rng.randrange(len(entry))] ^= 1
        seal = row.link[32:]
        for changed in (
            Stored(row.n, bytes(entry), row.link),
            Stored(row.n, row.entry, row.chained),
            Stored(row.n, row.entry, row.chained + bytes(32)),
            Stored(row.n, row.entry, bytes(32) + seal),
            Stored(row.n, row.entry, row.link + b"more"),
        ):
            assert damaged([changed if one is row else one for one in stored])


def test_nobody_without_the_secret_can_seal_an_entry() -> None:
    stored = game().stored
    n = 4
    forged = stored[n].entry.replace(b"start", b"stars")
    seal = seal_of(b"x" * 32, stored[n - 1].chained, stored[n].chained, n, forged)
    assert damaged([*stored[:n], Stored(n, forged, stored[n].chained + seal), *stored[n + 1 :]])
    secret = secret_in(stored[0].entry)
    assert secret is not None
    assert seal != seal_of(secret, stored[n - 1].chained, stored[n].chained, n, forged)


def test_in_a_damaged_table_nobody_is_forgotten_by_halves() -> None:
    stored = game().stored
    with pytest.raises(Damaged):
        erase("t", [*stored[:3], *stored[4:]], ANN, PSEUDONYM)


@given(st.lists(st.text("abcæßЖ字 ", min_size=1, max_size=40).map(lambda text: f"x{text}"), max_size=4))
def test_whatever_they_said_is_gone(talk: list[str]) -> None:
    after = forgotten(game(tuple(talk)).stored)
    list(history("t", after))
    said = [entry for entry in history("t", after) if getattr(entry, "text", "")]
    assert [entry.visitor for entry in said] == [BEN]
