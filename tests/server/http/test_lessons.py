"""Every guided game that a game brings can be played and read to its end, in three languages."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from serai.core.record import Record, plays
from serai.core.registry import game as find_game
from serai.core.registry import games
from serai.server.http.api import LESSON, learner, lesson
from serai.table.records import replay_frames
from serai.wire.frames import Frame
from tests.server.support import Visitor, house, run

LOCALES = Path(__file__).parents[3] / "locales"
TAUGHT = [name for name in games() if lesson(find_game(name)) is not None]


def taught(prepared: Record) -> list[tuple[Any, tuple[Any, ...]]]:
    """The learner's actions that had an alternative, each with what was on offer."""
    seat = learner(prepared)
    frames = [frame for frame in replay_frames(prepared, plays(prepared), seat) if isinstance(frame, Frame)]
    own = [(frame.action, before.actions) for before, frame in itertools.pairwise(frames) if frame.by == seat]
    return [(action, offered) for action, offered in own if len(offered) > 1]


@pytest.mark.parametrize("name", TAUGHT)
def test_a_lesson_can_be_played(name: str) -> None:
    prepared = lesson(find_game(name))
    assert prepared is not None
    assert taught(prepared)
    for action, offered in taught(prepared):
        assert action in offered


@pytest.mark.parametrize("name", TAUGHT)
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_a_lesson_explains_every_action_and_no_other(name: str, language: str) -> None:
    prepared = lesson(find_game(name))
    assert prepared is not None
    said = json.loads((LOCALES / f"{language}.json").read_text())
    own = {key for key in said if key.startswith(f"lesson.{name}.") and not key.endswith(".other")}
    count = len(taught(prepared))
    steps = {f"lesson.{name}.{k}.{word}" for k in range(1, count + 1) for word in ("do", "done")}
    assert own == {f"lesson.{name}.intro", f"lesson.{name}.end"} | steps


def test_a_lesson_lies_in_the_data_folder_of_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "elsewhere"
    (package / "data").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "game.py").write_text("from serai.core.game import Game\nclass Other(Game):\n    name = 'other'\n")
    (package / "data" / LESSON).write_text('game: other\nrules: 1\nseats: "B" random, "L", "M"\n\nroll\n')
    monkeypatch.syspath_prepend(tmp_path)
    from elsewhere.game import Other  # type: ignore[import-not-found]

    try:
        prepared = lesson(Other())
        assert prepared is not None
        assert prepared.actions == ("roll",)
        assert learner(prepared) == 1
    finally:
        del sys.modules["elsewhere"], sys.modules["elsewhere.game"]


def test_lessons_are_served(tmp_path: Path) -> None:
    async def ask() -> None:
        async with house(tmp_path) as here:
            visitor = Visitor(here.base)
            infos = {info["name"]: info for info in (await visitor.call("GET", "/api/games")).json()}
            for name in games():
                answer = await visitor.call("GET", f"/api/games/{name}/lesson")
                assert infos[name]["lesson"] == (name in TAUGHT)
                assert answer.status_code == (200 if name in TAUGHT else 404)
                if name in TAUGHT:
                    assert answer.json()["table"]["seats"][answer.json()["seat"]]["kind"] == "person"
                else:
                    assert answer.json()["key"] == "server.lesson"

    run(ask())
