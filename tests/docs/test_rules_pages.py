"""The rules pages explain the whole law, rule by rule, in every language."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import serai
from tests.docs import readings
from tests.law import law, worked_cases

LOCALES = Path(__file__).parents[2] / "locales"
every_game = pytest.mark.parametrize("game", serai.games())
every_language = pytest.mark.parametrize("language", readings.LANGUAGES)


@every_language
@every_game
def test_every_rule_of_the_law_has_a_sentence(game: str, language: str) -> None:
    rules, explained = set(law(game)) - worked_cases(game), set(readings.by_rule(game, language))
    assert len(rules) > 30
    assert not rules - explained, f"no sentence explains {sorted(rules - explained)}"
    assert not explained - rules, f"there is no rule {sorted(explained - rules)}"


@every_language
@every_game
def test_numbers_stand_behind_the_same_paragraphs_as_in_english(game: str, language: str) -> None:
    def numbers(of: str) -> list[list[str]]:
        return [re.findall(r"\[([^\]]*)\]", paragraph) for paragraph in readings.paragraphs(game, of)]

    assert numbers(language) == numbers("en")


@every_game
def test_whatever_changed_was_read_again_beside_the_law(game: str) -> None:
    changed = readings.due(game)
    shown = "\n\n".join(
        f"{readings.side_by_side(game, number)}\n   changed: {names}" for number, names in changed.items()
    )
    again = f"python -m tests.docs.readings {game} {' '.join(changed)}"
    assert not changed, f"read these again, mend what is no longer true, then note it with\n  {again}\n\n{shown}"


@every_language
@every_game
def test_the_options_of_a_table_have_the_names_of_the_table(game: str, language: str) -> None:
    words = json.loads((LOCALES / f"{language}.json").read_text())
    page = readings.paragraphs(game, language)
    for option in serai.game(game).options:
        explained = [paragraph for paragraph in page if paragraph.startswith(words[option.label])]
        assert len(explained) == 1, option.name
        assert any(f"`{option.name}`" in law(game)[number] for number in re.findall(r"\d+\.\d+", explained[0])), (
            option.name
        )


def test_a_changed_law_is_due_until_it_is_noted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(readings, "NOTES", tmp_path / "readings.json")
    readings.note("pharaoh", list(law("pharaoh")))
    assert readings.due("pharaoh") == {}
    changed = {**law("pharaoh"), "5.2": "Nobody lays anything."}
    monkeypatch.setattr(readings, "law", lambda game: changed)
    assert readings.due("pharaoh") == {"5.2": ["law"]}
    readings.note("pharaoh", ["5.1"])
    assert readings.due("pharaoh") == {"5.2": ["law"]}
    readings.note("pharaoh", ["5.2"])
    assert readings.due("pharaoh") == {}
    changed.pop("6.1")
    assert readings.due("pharaoh") == {"6.1": ["law", *readings.LANGUAGES]}
