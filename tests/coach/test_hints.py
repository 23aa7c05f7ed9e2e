"""Hints: the best comes first, and nothing that a seat cannot know changes a byte of them."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import msgspec
import pytest

from serai.camelup.coach import CamelUpCoach
from serai.coach import hints
from serai.core.game import Game
from serai.core.play import Ply, retrace
from serai.core.record import redrawn, replay
from serai.core.registry import game as find_game
from serai.server.reviews.worker import AskHints, EventsShown, HintsMade, ShowEvents
from serai.server.reviews.worker_main import Reviewer
from serai.wire.bodies import Hint
from tests.coach.test_review import COUNTED, GAMES, record_of
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
        found = hints(game, ply.before.seen_by(seat), remembered(game, seat, events))
        assert 2 <= len(found) <= 3
        first, *rest = [one.wins for one in found]
        assert rest == sorted(rest, reverse=True)
        if first < rest[0]:
            best = game.parse(found[0].action)
            assert game.coach is not None
            assert game.coach.gets_on(ply.before, best) or not 0.05 < rest[0] < 0.95, "or it is for the points"
        assert {one.action for one in found} <= {str(action) for action in ply.before.actions()}


def test_what_a_seat_cannot_know_changes_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CamelUpCoach, "parts", COUNTED)
    monkeypatch.setattr(secrets, "randbits", lambda bits: 7)
    rng = random.Random(5)
    plies = tuple(replay(record_of("camelup", "all-cards-laid")))
    differ = 0
    for ply, events in list(decisions("camelup", "all-cards-laid"))[20 :: amount(25, 5)]:
        seat = ply.before.actor
        twin = retrace(plies[0].before, redrawn(plies[: plies.index(ply)], seat, rng))
        differ += twin.after != ply.before
        found = [_asked("camelup", ply.before, seat, events), _asked("camelup", twin.after, seat, list(twin.events))]
        assert found[0] == found[1]
        assert msgspec.json.decode(found[0], type=list[Hint])
    assert differ, "otherwise there was nothing that could have leaked"


def _asked(game: str, state: Any, seat: int, events: list[Any]) -> bytes:
    """What the coach's process answers to a server that has this position."""
    seen = [msgspec.json.encode(event.seen_by(seat)) for event in events]
    coach = Reviewer(BytesIO(), BytesIO())
    assert isinstance(coach._answer(ShowEvents(game, seat, "here", seen)), EventsShown)
    answer = coach._answer(AskHints(game, "here", msgspec.json.encode(state.seen_by(seat))))
    assert isinstance(answer, HintsMade), answer
    return answer.hints
