"""Advice, of every game: plain values of the type that the game names, the same every time, from a view alone."""

from __future__ import annotations

import random

import msgspec
import pytest

import serai
from tests.support import random_play


@pytest.mark.parametrize("name", [name for name in serai.games() if serai.game(name).advice is not None])
def test_advice_is_a_plain_value_of_the_type_that_the_game_names(name: str) -> None:
    game, rng = serai.game(name), random.Random(5)
    for state, *_ in random_play(game, game.players[0], rng):
        if rng.random() < 0.05:
            for seat in (None, *range(game.players[0])):
                view = state.seen_by(seat)
                assert game.advice is not None
                advice = game.advice(view)
                read = msgspec.json.decode(msgspec.json.encode(advice), type=game.advice.type)
                assert read == advice == game.advice(view)
