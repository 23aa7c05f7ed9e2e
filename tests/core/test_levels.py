"""Levels: bots that people choose from, each with a face and words in every language."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serai import game as find_game
from serai import games
from serai.bots.child import Bench
from serai.bots.pipe import Answer, Decide, Sit, Try
from serai.core import CHANCE

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
def test_every_level_passes_its_trial_on_a_server_and_plays_there(game: str) -> None:
    """As a server's process does: at tables under test, levels are played lightly."""
    known, bench, rng = find_game(game), Bench(), random.Random(1)
    state: Any = known.new(players=known.players[0])
    happened: list[Any] = []
    while len(happened) < 12 or state.actor is CHANCE:
        state, events = state.step(state.sample(rng) if state.actor is CHANCE else rng.choice(state.actions()))
        happened += events
    told = [msgspec.json.encode(event.seen_by(state.actor)) for event in happened]
    view = msgspec.json.encode(state.seen_by(state.actor))
    for level in known.levels:
        assert bench.answer(Try(game, level)) == Answer()
        seated = bench.answer(Sit(level, game, level))
        assert not seated.fault
        decided = bench.answer(Decide(level, told if seated.watches else [], view))
        assert known.action_decoder.decode(decided.action) in state.actions(), decided.fault
