"""Levels: bots that people choose from, each with a face and words in every language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from serai import game as find_game
from serai import games
from serai.core.registry import bots_called

ROOT = Path(__file__).parents[2]
LANGUAGES = sorted((ROOT / "locales").glob("*.json"))


@pytest.mark.parametrize("game", games())
def test_every_level_is_a_bot_with_a_face_and_words(game: str) -> None:
    known = find_game(game)
    assert len(set(known.levels)) == 5
    assert [bot for bot in known.bots if bot in known.levels] == list(known.levels), "in the order of the bots"
    for level in known.levels:
        assert (ROOT / f"web/src/games/{game}/faces/{level}.svg").is_file()
        for language in LANGUAGES:
            words = json.loads(language.read_text())
            assert {f"bot.{level}", f"level.{level}.temper", f"level.{level}.line"} <= words.keys()


@pytest.mark.parametrize("game", games())
def test_a_game_knows_what_the_page_calls_its_bots_in_every_language(game: str) -> None:
    known = find_game(game)
    called = {name.casefold() for name in bots_called(known)}
    catalogues = [json.loads(language.read_text()) for language in LANGUAGES]
    assert {words[f"bot.{bot}"].casefold() for words in catalogues for bot in known.bots} == called
