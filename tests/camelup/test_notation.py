"""Actions in writing, and what is said about wrong ones."""

from __future__ import annotations

import pytest

import serai
from serai.camelup import GREEN, WHITE, Die, Leg, Loser, Mirage, Oasis, Roll, Winner
from serai.camelup.rules.actions import ALL_ACTIONS
from serai.errors import BadNotation

GAME = serai.game("camelup")


def test_every_action_is_written_in_one_way_and_read_back():
    assert len({str(action) for action in ALL_ACTIONS}) == len(ALL_ACTIONS)
    for action in ALL_ACTIONS:
        assert GAME.parse(str(action)) == action
        assert str(action).split()[0] == action.kind


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("leg green", Leg(GREEN)),
        ("oasis 5", Oasis(5)),
        ("mirage 16", Mirage(16)),
        ("roll", Roll()),
        ("winner green", Winner(GREEN)),
        ("loser white", Loser(WHITE)),
        ("die green 2", Die(GREEN, 2)),
    ],
)
def test_the_notation_of_the_house(text, action):
    assert GAME.parse(text) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [("winner ?", Winner(None)), ("loser ?", Loser(None)), ("oasis 1", Oasis(1)), ("mirage 1", Mirage(1))],
)
def test_what_is_never_legal_is_read_so_that_it_can_be_shown_or_refused_with_its_reason(text, action):
    assert GAME.parse(text) == action
    assert action not in ALL_ACTIONS


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "bet green",
            "'bet green' is no Camel Up action; actions: leg COLOUR, oasis SPACE, mirage SPACE, roll, winner",
        ),
        ("", "'' is no Camel Up action; actions: leg COLOUR"),
        ("leg", "'leg': write it as 'leg green'"),
        ("leg red", "'leg red': 'red' is no camel; camels: blue, green, orange, yellow, white"),
        ("leg ?", "'leg ?': '?' is no camel"),
        ("leg  green", "'leg  green': write it as 'leg green'"),
        ("oasis 17", "'oasis 17': '17' is no space from 1 to 16"),
        ("oasis 05", "'oasis 05': '05' is no space from 1 to 16"),
        ("mirage +5", "'mirage +5': '+5' is no space from 1 to 16"),
        ("mirage", "'mirage': write it as 'mirage 5'"),
        ("roll now", "'roll now': write it as 'roll'"),
        ("die green", "'die green': write it as 'die green 2'"),
        ("die green 4", "'die green 4': '4' is no number on a die from 1 to 3"),
        ("die red 4", "'die red 4': 'red' is no camel"),
    ],
)
def test_wrong_actions_are_told_what_is_wrong(text, told):
    with pytest.raises(BadNotation) as caught:
        GAME.parse(text)
    assert str(caught.value).startswith(told)
    assert caught.value.text == text
