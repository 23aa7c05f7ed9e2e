"""Every exercise that a game brings stands: it can be read and answered, and shows nothing its seat cannot know."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

import serai
from serai.camelup.coach import CamelUpCoach
from serai.coach.evaluator import Evaluator
from serai.coach.exercise_search import LEAD, SURE, Search, middle_levels, search_games
from serai.coach.exercises import FILE, Collection, Exercise, exercise_id, exercises, spread
from serai.errors import SeraiError
from tests.support import SOAK

FEWEST = {"camelup": 240, "pharaoh": 140}
LOCALES = Path(__file__).parents[2] / "locales"
MOST_BYTES = 1 << 20


def brought(name: str) -> Collection:
    collection = exercises(serai.game(name))
    assert collection is not None
    return collection


@pytest.mark.parametrize("name", FEWEST)
def test_every_exercise_stands(name: str) -> None:
    game = serai.game(name)
    collection = brought(name)
    assert len(collection.exercises) >= FEWEST[name]
    assert collection.provenance.game == game.name
    assert game.plays(collection.provenance.rules)
    for exercise in collection.exercises:
        view = game.state_decoder.decode(exercise.view)
        assert view.seen_by(exercise.seat) == view
        assert (view.actor, len(view.scores())) == (exercise.seat, exercise.players)
        assert exercise.id == exercise_id(bytes(exercise.view))
        assert {option.action for option in exercise.options} == {str(action) for action in view.actions()}
        worths = [option.wins for option in exercise.options]
        assert worths == sorted(worths, reverse=True)
        assert worths[0] - worths[1] == pytest.approx(exercise.lead, abs=2e-4)
        assert exercise.lead >= max(LEAD, SURE * exercise.error)
        assert set(exercise.missed) <= set(middle_levels(game))
        assert exercise.missed
        assert game.imagine(view, random.Random(1)).seen_by(exercise.seat) == view


@pytest.mark.parametrize("name", FEWEST)
def test_they_are_of_many_kinds(name: str) -> None:
    collection = brought(name)
    ids = [exercise.id for exercise in collection.exercises]
    assert len(set(ids)) == len(ids)
    assert spread(collection.exercises, len(ids)) == list(collection.exercises)
    tables = Counter(exercise.players for exercise in collection.exercises)
    assert set(tables) == set(serai.game(name).players)
    assert len(collection.themes) >= 4
    # what an exercise is about does not tell what to do
    for theme in collection.themes:
        own = [exercise for exercise in collection.exercises if exercise.theme == theme]
        assert len({exercise.best.action for exercise in own}) > 1, theme


@pytest.mark.parametrize("name", FEWEST)
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_reasons_and_themes_can_be_said(name: str, language: str) -> None:
    said = json.loads((LOCALES / f"{language}.json").read_text(encoding="utf-8"))
    for exercise in brought(name).exercises:
        assert f"coach.{name}.theme.{exercise.theme}" in said
        assert exercise.best.reasons
        for option in exercise.options:
            for reason in option.reasons:
                assert reason.key in said
                assert str(reason)


@pytest.mark.parametrize("name", FEWEST)
def test_one_a_day_for_everybody_until_all_had_their_turn(name: str) -> None:
    collection = brought(name)
    count = len(collection.exercises)
    days = [collection.of_day(day).id for day in range(740_000, 740_000 + count)]
    assert len(set(days)) == count
    assert collection.of_day(740_000 + count).id == days[0]


def test_they_are_small_text() -> None:
    for name in FEWEST:
        file = Path(serai.__file__).parent / name / "data" / FILE
        assert file.stat().st_size < MOST_BYTES
        text = file.read_text(encoding="utf-8")
        assert Collection.read(text).write() == text
    with pytest.raises(SeraiError, match="not a file of exercises"):
        Collection.read("{}\n")


def test_evenly_over_themes_and_tables_without_twins() -> None:
    def made(theme: str, players: int, number: int, option: list[Any]) -> Exercise:
        raw = msgspec.json.encode(
            {"id": str(number), "theme": theme, "players": players, "seat": 0, "view": {}, "options": [option]}
            | {"lead": 0.1, "error": 0.01, "missed": [], "number": number, "ply": 0}
        )
        return msgspec.json.decode(raw, type=Exercise)

    def reason(value: float, camel: str) -> list[Any]:
        return ["leg " + camel, 0.5, 0.01, 3.0, [{"key": "k", "values": {"camel": camel, "value": value}}]]

    many = [made("leg", 2 + number % 3, number, reason(number, "blue")) for number in range(9)]
    few = [made("roll", 2, 10 + number, reason(20 + number, "blue")) for number in range(2)]
    twin = made("roll", 2, 30, reason(20, "white"))
    chosen = spread([*many, *few, twin], 6)
    assert Counter(exercise.theme for exercise in chosen) == {"leg": 4, "roll": 2}
    assert twin not in chosen
    assert set(Counter(exercise.players for exercise in chosen if exercise.theme == "leg")) == {2, 3, 4}
    assert len(spread([*many, *few, twin], 99)) == 11


def test_the_same_seed_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CamelUpCoach, "compared", 96)
    search = Search("camelup", "fennec", "many")
    found = search_games(search, [1, 2])
    assert found
    assert search_games(search, [1, 2]) == found
    for exercise in found:
        view = serai.game("camelup").state_decoder.decode(exercise.view)
        assert view.seen_by(exercise.seat) == view


@pytest.mark.skipif(not SOAK, reason="long")
@pytest.mark.parametrize("name", FEWEST)
def test_some_stand_at_high_effort_by_yet_another_seed(name: str) -> None:
    game = serai.game(name)
    for exercise in brought(name).exercises[::10]:
        evaluator = Evaluator(game, effort="high", seed=77)
        view = game.state_decoder.decode(exercise.view)
        best, *others = (game.parse(option.action) for option in exercise.options[:6])
        played = evaluator.play_on(view, [best, *others], 2 * evaluator.compared, None)
        for place in range(1, len(others) + 1):
            lead, error = played.lead(exercise.seat, 0, place)
            assert lead > LEAD / 2, (exercise.id, exercise.options[place].action, lead, error)
