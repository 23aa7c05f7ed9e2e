"""The chain through a table's entries: whatever is lost, changed or moved shows, and nobody learns anything from it."""

from __future__ import annotations

import random

import msgspec
import pytest

from serai.core.dealer import commitment
from serai.core.record import Record
from serai.table import records
from serai.table.chain import Stored, first_link, history, link_of, root, secret_in
from serai.table.entries import Created, read_entry
from serai.table.errors import Damaged
from serai.table.table import Table, load
from serai.wire import messages as m
from tests.table.test_table import Kept


def game(cards: tuple[str, ...] = ("green", "blue"), end: bool = True) -> Kept:
    """A game of two at one device: cards for the winner of the race, and its end by agreement."""
    kept = Kept("camelup", seats=2)
    kept.join("ann", "Ann")
    kept.join("ann", "Bob")
    kept.tell(m.Start("start"), "ann", 0)
    for turn, colour in enumerate(cards):
        action = msgspec.json.encode(kept.table.game.parse(f"winner {colour}"))
        kept.tell(m.Act(f"act{turn}", kept.table.on, msgspec.Raw(action)), "ann", turn % 2)
    if end:
        kept.tell(m.Agree("agree", True), "ann", 0)
    return kept


def damaged(stored: list[Stored], table: str = "t") -> str:
    """Why this is no table's history."""
    with pytest.raises(Damaged) as refusal:
        load(table, stored, 0.0)
    assert refusal.value.values == {"table": table}
    assert not refusal.value.__cause__
    return refusal.value.reason


def test_a_link_is_what_the_document_says() -> None:
    assert root("t").hex() == "e3b98a4da31a127d4bde6e43033f66ba274cab0eb7eb1c70ec41402bf6273dd8"
    link = link_of(bytes(32), root("t"), 7, b"entry")
    assert link.hex() == "f03e935a20832ed8ec27c12a3e6b543e770fe5eff1d700a4fb15a84f463179e8"


def test_every_history_without_a_fault_is_taken() -> None:
    stored = game().stored
    assert load("t", stored, 0.0).link == stored[-1].link
    assert [type(entry) for entry in history("t", stored)] == [type(read_entry(one.entry)) for one in stored]


def test_whatever_is_lost_changed_or_moved_shows() -> None:
    stored, rng = game().stored, random.Random(5)
    assert len(stored) > 6
    for n in range(len(stored) - 1):
        lost = damaged(stored[:n] + stored[n + 1 :])
        assert lost == f"entry {n} is missing"
        one, other = stored[n : n + 2]
        swapped = [Stored(one.n, other.entry, other.link), Stored(other.n, one.entry, one.link)]
        assert damaged([*stored[:n], *swapped, *stored[n + 2 :]]).startswith(f"entry {n} does")
    for n, one in enumerate(stored):
        place, bit = rng.randrange(len(one.entry)), 1 << rng.randrange(8)
        entry = bytearray(one.entry)
        entry[place] ^= bit
        for changed in (Stored(n, bytes(entry), one.link), Stored(n, one.entry, bytes(32)), Stored(n, one.entry, b"")):
            assert damaged([*stored[:n], changed, *stored[n + 1 :]]).startswith(f"entry {n} does")


def test_a_history_belongs_to_one_table_only() -> None:
    stored = game().stored
    assert damaged(stored, "another").startswith("entry 0 does not fit")


def test_the_entries_of_another_game_with_the_same_secret_do_not_fit() -> None:
    one, other = game(("green", "blue")).stored, game(("white", "blue")).stored
    assert one[3] == other[3]
    assert damaged([*one[:5], *other[5:]]).startswith("entry 5 does not fit")


def test_games_that_differ_in_a_hidden_card_tell_the_same_before_the_end() -> None:
    one, other = game(("green", "blue"), end=False), game(("white", "blue"), end=False)
    assert one.table.link != other.table.link
    told = [records.record(kept.table) for kept in (one, other)]
    assert told[0] == told[1]
    assert told[0].chain == told[0].secret == ""
    for kept in (one, other):
        info = msgspec.json.encode(kept.table.info())
        assert not any(stored.link.hex().encode() in info for stored in kept.stored)


def test_the_head_is_that_of_the_entry_that_brought_the_end() -> None:
    kept = game()
    head = kept.stored[-1].link.hex()
    assert records.record(kept.table).chain == head
    kept.tell(m.Say("say", text="well played"), "ann", 0)
    assert records.record(kept.table).chain == records.record(kept.again()).chain == head
    assert kept.table.link != kept.table.head
    read = Record.read(records.record(kept.table).write())
    assert read.chain == head


def test_the_secret_is_found_in_the_first_entry_alone() -> None:
    kept = game()
    secrets = [secret_in(stored.entry) for stored in kept.stored]
    assert commitment(secrets[0] or b"") == kept.table.commit
    assert set(secrets[1:]) == {None}
    assert secret_in(b"nonsense") is None
    assert secret_in(b'{"secret":"no hex"}') is None


def test_a_new_table_begins_its_chain() -> None:
    kept = game()
    created = read_entry(kept.stored[0].entry)
    assert isinstance(created, Created)
    link = first_link("t", created.secret, kept.stored[0].entry)
    assert link == kept.stored[0].link
    table = Table("t", created, 0.0, link=link)
    assert table.next_link(kept.stored[1].entry) == kept.stored[1].link
