"""What an editor knows: a name gives its game, a state its own actions and events. mypy holds this, not pytest."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any, assert_type

import pytest

import serai
from serai import camelup, pharaoh
from serai.camelup.rules.pieces import Track
from serai.core import Dealer, Game
from serai.core.chance import any_kind
from serai.errors import IllegalAction
from serai.pharaoh.rules.pieces import Tiles


def test_a_name_of_the_house_gives_that_game() -> None:
    assert_type(serai.game("camelup"), camelup.CamelUp)
    assert_type(serai.game("pharaoh"), pharaoh.Pharaoh)
    assert_type(serai.game("camelup").new(4).track, Track)
    assert_type(serai.game("pharaoh").new(4).tiles, Tiles)
    assert_type(serai.game("camelup").parse("roll"), camelup.AnyAction)


def test_any_other_name_gives_a_game_of_which_nothing_more_is_known() -> None:
    name: str = "camelup"
    game = serai.game(name)
    assert_type(game, Game)
    assert_type(game.new(2), Any)
    assert_type(game.parse("die green 2"), Any)


def test_a_state_knows_its_actions_and_events() -> None:
    rng = random.Random(1)
    state = serai.game("camelup").new(2)
    assert_type(state.chances(), tuple[tuple[camelup.AnyAction, Fraction], ...])
    assert_type(state.sample(rng), camelup.AnyAction)
    assert_type(Dealer().draw(state), camelup.AnyAction)
    assert_type(any_kind(state.actions(), rng), camelup.AnyAction)
    after, events = state.step(state.actions()[0])
    assert_type(after, camelup.CamelUpState)
    assert_type(events, tuple[camelup.AnyEvent, ...])
    assert_type(after.apply(after.actions()[0]), camelup.CamelUpState)
    assert_type(serai.game("pharaoh").new(2).actions(), tuple[pharaoh.AnyAction, ...])


def test_an_action_of_another_game_is_refused_by_the_type_checker_too() -> None:
    with pytest.raises(IllegalAction):
        serai.game("camelup").new(2).step(pharaoh.End())  # type: ignore[arg-type]
    with pytest.raises(IllegalAction):
        serai.game("pharaoh").new(2).apply(camelup.Roll())  # type: ignore[arg-type]
