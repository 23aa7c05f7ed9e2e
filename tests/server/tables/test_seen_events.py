"""The events that a seat has seen: each is redacted and encoded once, however long the game is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from serai import game as find_game
from serai.server.tables import audience
from serai.server.tables.audience import Audience
from serai.wire import messages as m
from tests.table.test_table import Kept

GAME = "camelup"
PEOPLE = ("ann", "bob")


def encoded(kept: Kept, seat: int) -> list[bytes]:
    """All events of a table as a seat sees them, one by one."""
    return [msgspec.json.encode(event.seen_by(seat)) for play in kept.table.plays() for event in play.events]


def whole(seen: Audience, seat: int) -> list[bytes]:
    """The same as somebody gets them who asks again and again."""
    told: list[bytes] = []
    while more := seen.events(seat, len(told)):
        told += more
    return told


def act(kept: Kept, text: str) -> None:
    seat = kept.table.actor
    assert seat is not None
    action = msgspec.Raw(msgspec.json.encode(find_game(GAME).parse(text)))
    kept.tell(m.Act(f"a{kept.table.n}", kept.table.on, action), PEOPLE[seat], seat)


@pytest.fixture
def kept() -> Kept:
    kept = Kept(GAME, seats=2)
    for name in PEOPLE:
        kept.join(name, name)
    kept.tell(m.Start("s"), "ann")
    return kept


@pytest.fixture
def seen(kept: Kept) -> Audience:
    hall: Any = SimpleNamespace()
    return Audience(kept.table, hall)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Every event that is encoded, as often as it is."""
    made: list[bytes] = []

    def encode(value: Any) -> bytes:
        made.append(msgspec.json.encode(value))
        return made[-1]

    monkeypatch.setattr(audience, "msgspec", SimpleNamespace(json=SimpleNamespace(encode=encode)))
    return made


def test_a_decision_late_in_a_game_encodes_no_old_event_again(kept: Kept, seen: Audience, made: list[bytes]) -> None:
    for _ in range(12):
        act(kept, "roll")
        for seat in range(2):
            assert whole(seen, seat) == encoded(kept, seat)
    assert len(made) == 2 * len(encoded(kept, 0)) > 2 * 12
    before = len(made)
    for seat in range(2):
        whole(seen, seat)
    assert len(made) == before, "nothing has happened"


def test_an_undo_costs_only_what_was_undone(kept: Kept, seen: Audience, made: list[bytes]) -> None:
    for _ in range(8):
        act(kept, "roll")
    whole(seen, 0)
    before = len(made)
    for camel in ("blue", "green", "white"):
        actor = kept.table.actor
        assert actor is not None
        act(kept, f"leg {camel}")
        assert whole(seen, 0) == encoded(kept, 0)
        kept.tell(m.Undo(f"u {camel}", kept.table.on), PEOPLE[actor], actor)
        assert whole(seen, 0) == encoded(kept, 0)
    assert [event for event in made[before:] if b"leg" not in event] == []
    assert len(made) == before + 3


def test_each_seat_sees_only_what_it_may(kept: Kept, seen: Audience) -> None:
    act(kept, "winner blue")
    act(kept, "loser white")
    own, others = whole(seen, 0), whole(seen, 1)
    assert (own, others) == (encoded(kept, 0), encoded(kept, 1))
    assert own != others
    blue = next(event for event in own if b"card_laid" in event or b"blue" in event)
    assert blue not in others


def test_after_an_undo_nothing_of_the_undone_is_left(kept: Kept, seen: Audience) -> None:
    act(kept, "leg blue")
    act(kept, "leg green")
    whole(seen, 0)
    kept.tell(m.Undo("u", kept.table.on), "bob", 1)
    assert whole(seen, 0) == encoded(kept, 0)
    act(kept, "leg white")
    assert whole(seen, 0) == encoded(kept, 0)
    assert b'"green"' not in b"".join(whole(seen, 0))
