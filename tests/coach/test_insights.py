"""How to play well: every finding holds, can be said, agrees with the coach, and works when it is played."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

import serai
from serai.coach import hints
from serai.coach.insights import Insight, Insights, insights
from serai.core.game import Game
from serai.core.registry import game as find_game
from serai.errors import SeraiError
from serai.wire.bodies import InsightBar
from tests.support import SOAK, amount

ROOT = Path(__file__).parents[2]
GAMES = ("camelup", "pharaoh")


def taught(name: str) -> Insights:
    found = insights(find_game(name))
    assert found is not None
    return found


def claims(name: str) -> dict[str, Any]:
    """What each insight claims, and what its position shows."""
    module = importlib.import_module(f"training.{name}_insights")
    return {asked.key: asked for asked in module.INSIGHTS}


@pytest.mark.parametrize("name", GAMES)
def test_ten_to_fifteen_of_millions_of_games_and_all_hold(name: str) -> None:
    found = taught(name)
    assert 10 <= len(found.insights) <= 15
    assert found.games >= 1_000_000
    asked = claims(name)
    for insight in found.insights:
        assert insight.games > 0
        assert all(bar.low <= bar.value <= bar.high for bar in insight.bars)
        assert len({bar.name for bar in insight.bars}) == len(insight.bars)
        assert asked[insight.key].holds(insight), insight.key


@pytest.mark.parametrize("name", GAMES)
def test_a_claim_fails_where_the_figures_speak_against_it(name: str) -> None:
    """With every figure of an insight the same, nothing is larger than anything else, or none is beyond its bound."""
    asked = claims(name)
    for insight in taught(name).insights:
        for value in (-50.0, 0.0):
            level = tuple(
                InsightBar(bar.name, bar.label, bar.values, value, value - 1, value + 1) for bar in insight.bars
            )
            denied = Insight(insight.key, insight.unit, level, 1)
            if not asked[insight.key].holds(denied):
                break
        else:
            pytest.fail(f"{insight.key} would hold whatever the figures")


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("name", GAMES)
def test_sentences_name_only_figures_that_there_are(name: str, language: str) -> None:
    words = json.loads((ROOT / "locales" / f"{language}.json").read_text(encoding="utf-8"))
    for insight in taught(name).insights:
        names = {bar.name for bar in insight.bars}
        for part in ("", ".shows"):
            assert set(re.findall(r"\{(\w+)\}", words[f"insights.{name}.{insight.key}{part}"])) <= names
        for bar in insight.bars:
            label = words[f"insights.{name}.label.{bar.label}"]
            for form in label.values() if isinstance(label, dict) else [label]:
                assert set(re.findall(r"\{(\w+)\}", form)) <= set(bar.values)


@pytest.mark.parametrize("name", GAMES)
def test_nearly_all_have_a_position_that_shows_them(name: str) -> None:
    game, asked = find_game(name), claims(name)
    shown = [insight for insight in taught(name).insights if insight.exercise is not None]
    assert len(shown) >= len(taught(name).insights) - 2
    assert len({insight.exercise.id for insight in shown if insight.exercise}) == len(shown)
    for insight in shown:
        assert insight.exercise is not None
        view = game.state_decoder.decode(insight.exercise.view)
        best = game.parse(insight.exercise.best.action)
        assert best in view.actions()
        assert asked[insight.key].shows(view, best), insight.key


@pytest.mark.parametrize("name", GAMES)
def test_the_coach_says_the_same_of_their_positions(name: str) -> None:
    """Asked anew, with another seed, it recommends what the position is to show."""
    game = find_game(name)
    shown = [insight for insight in taught(name).insights if insight.exercise is not None]
    for insight in shown[:: amount(4, 1)]:
        assert insight.exercise is not None
        assert recommended(game, insight) == insight.exercise.best.action, insight.key


def recommended(game: Game, insight: Insight) -> str:
    assert insight.exercise is not None
    view = game.state_decoder.decode(insight.exercise.view)
    return hints(game, view, effort="high" if SOAK else "usual", seed=11)[0].action


@pytest.mark.parametrize("name", GAMES)
def test_docs_are_made_of_the_same_file(name: str) -> None:
    from training.insights_page import files

    for path, text in files(taught(name)).items():
        assert path.read_text(encoding="utf-8") == text, path.name


def test_a_file_that_is_none_is_refused() -> None:
    with pytest.raises(SeraiError, match="not a file of insights"):
        Insights.read('{"game": 1}')
    assert Insights.read(taught("camelup").write()) == taught("camelup")


def test_who_plays_by_them_beats_three_who_back_the_leader() -> None:
    """The figure with its interval is in docs/strength.md; here, fewer games and a looser bound."""
    spec = importlib.util.spec_from_file_location("taught", ROOT / "examples" / "taught.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    run = serai.simulate(
        "camelup", [module.decide, "jerboa", "jerboa", "jerboa"], games=amount(400, 20_000), seed=5, rotate=True
    )
    wins = run.summary().bots[0].wins
    assert wins.share > 0.45
    assert wins.low > (0.45 if SOAK else 0.38)


def test_every_rule_of_that_bot_names_its_finding() -> None:
    source = (ROOT / "examples" / "taught.py").read_text(encoding="utf-8")
    named = set(re.findall(r'"([a-z_]+)"', source))
    assert len(named) >= 6
    assert named <= {insight.key for insight in taught("camelup").insights}


@pytest.mark.skipif(not SOAK, reason="compiles and plays for a minute")
@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_counts_the_same(name: str) -> None:
    module = importlib.import_module(f"training.{name}_insights")
    once, again, other = module.counted(1, 0), module.counted(1, 0), module.counted(2, 0)
    assert (once == again).all()
    assert (once != other).any()
