"""Hints: the best comes first, and nothing that a seat cannot know changes a byte of them."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from serai.bots.pipe import Answer, Decide, Rise, Sit
from serai.camelup.coaching import CamelUpCoaching
from serai.coach import hints
from serai.core.continuing import redrawn
from serai.core.game import Game
from serai.core.play import Ply, retrace
from serai.core.record import replay
from serai.core.registry import game as find_game
from serai.server.hints import child
from serai.table.bodies import Hint
from tests.coach.test_review import GAMES, REASONS, record_of
from tests.support import amount

pytestmark = pytest.mark.usefixtures("hasty")


def decisions(game: str, name: str) -> Iterator[tuple[Ply, list[Any]]]:
    """Each decision of a game, with the events before it."""
    events: list[Any] = []
    for ply in replay(record_of(game, name)):
        if not ply.drawn and len(ply.before.actions()) > 1:
            yield ply, list(events)
        events += ply.events


def remembered(game: Game, seat: int, events: list[Any]) -> Any:
    memory = game.memory(seat)
    if memory is not None:
        for event in events:
            memory.watch(event.seen_by(seat))
    return memory


@pytest.mark.parametrize(("name", "recorded"), [(game, name) for game, name, _ in GAMES][:: amount(3, 1)])
def test_the_best_come_first_and_are_all_legal(name: str, recorded: str) -> None:
    game = find_game(name)
    for ply, events in list(decisions(name, recorded))[:: amount(17, 3)]:
        seat = ply.before.actor
        told = hints(game, ply.before.seen_by(seat), remembered(game, seat, events))
        assert 2 <= len(told) <= 3
        assert [one.wins for one in told] == sorted((one.wins for one in told), reverse=True)
        assert {one.action for one in told} <= {str(action) for action in ply.before.actions()}


def test_what_a_seat_cannot_know_changes_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CamelUpCoaching, "reasons", REASONS)
    monkeypatch.setattr(secrets, "randbits", lambda bits: 7)
    rng = random.Random(5)
    plies = tuple(replay(record_of("camelup", "all-cards-laid")))
    differ = 0
    for ply, events in list(decisions("camelup", "all-cards-laid"))[20 :: amount(25, 5)]:
        seat = ply.before.actor
        twin = retrace(plies[0].before, redrawn(plies[: plies.index(ply)], seat, rng))
        differ += twin.after != ply.before
        told = [_asked("camelup", ply.before, seat, events), _asked("camelup", twin.after, seat, list(twin.events))]
        assert told[0] == told[1]
        assert msgspec.json.decode(told[0], type=list[Hint])
    assert differ, "otherwise there was nothing that could have been told"


def _asked(game: str, state: Any, seat: int, events: list[Any]) -> bytes:
    """What the coach's process answers to a server that has this position."""
    advisers = child.Advisers()
    assert advisers.answer(Sit("k", game, "coach")) == Answer(watches=True)
    story = [msgspec.json.encode(event.seen_by(seat)) for event in events]
    answer = advisers.answer(Decide("k", story, msgspec.json.encode(state.seen_by(seat))))
    assert not answer.fault, answer.fault
    assert advisers.answer(Rise(["k"])) == Answer()
    assert advisers.answer(Decide("k", [], b"")).fault, "nothing of it is left"
    return answer.action
