"""Advice, of every game: plain values of the type that the game names, the same every time, from a view alone."""

from __future__ import annotations

import random

import msgspec
import pytest

import serai
from tests.support import random_play


@pytest.mark.parametrize("name", serai.games())
def test_advice_is_a_plain_value_of_the_type_that_the_game_names(name: str) -> None:
    game, rng = serai.game(name), random.Random(5)
    for state, *_ in random_play(game, game.players[0], rng):
        if rng.random() < 0.05:
            for seat in (None, *range(game.players[0])):
                view = state.seen_by(seat)
                advice = game.advice(view)
                assert (advice is not None) == game.has_advice
                if game.has_advice:
                    read = msgspec.json.decode(msgspec.json.encode(advice), type=game.advice_type)
                    assert read == advice == game.advice(view)
