"""The notation of positions: read and written, and every mistake pointed at."""

from __future__ import annotations

import random

import pytest

from serai.camelup.rules.pieces import BLUE, CAMELS, GREEN, ORANGE, WHITE, YELLOW
from serai.camelup.text.position import Position, parse_cards, parse_decks, parse_position, parse_taken, situation
from serai.errors import BadNotation
from tests.camelup.odds.brute import random_position
from tests.camelup.positions import at
from tests.support import amount


def test_a_position_is_read() -> None:
    position = parse_position("1gyo 3bw | +5 -9 | bgoyw")
    assert position.track == at("1gyo 3bw").track
    assert position.tiles == (5, -9)
    assert position.dice == (BLUE, GREEN, ORANGE, YELLOW, WHITE)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1gyo 3bw | +5 -9 | bgoyw", "1gyo 3bw | +5 -9 | bgoyw"),
        ("1gyo 3bw", "1gyo 3bw | | bgoyw"),
        ("1gyo 3bw | +5", "1gyo 3bw | +5 | bgoyw"),
        ("1gyo 3bw | | wb", "1gyo 3bw | | bw"),
        ("  3bw   1gyo|-9 +5|w g  b ", "1gyo 3bw | +5 -9 | bgw"),
        ("16b 15g 14o 13y 12w || y", "12w 13y 14o 15g 16b | | y"),
    ],
)
def test_a_position_is_written_in_order(text: str, written: str) -> None:
    assert str(parse_position(text)) == written


def test_what_is_written_is_read_back() -> None:
    rng = random.Random(41)
    for _ in range(amount(200, 5000)):
        position = random_position(rng)
        assert parse_position(str(position)) == position
        assert eval(repr(position), {"Position": Position}) == position


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "blue and green and orange and yellow and white must stand"),
        ("1gyo 3b", "white must stand on the track"),
        ("1gyo 3bw 5", "name the camels on space 5"),
        ("gyo 3bw", "a stack starts with its space"),
        ("0gyo 3bw", "0 is no space from 1 to 16"),
        ("1gyo 17bw", "17 is no space from 1 to 16"),
        ("01gyo 3bw", "01 is no space"),
        ("1gyo 3bx", "'x' is no camel"),
        ("1gyo 3Bw", "'B' is no camel"),
        ("1gyo 3bwg", "green stands on the track already"),
        ("1gyo 1bw", "space 1 comes twice"),
        ("1gyo 3bw | 5", r"a desert tile is \+ \(oasis\) or - \(mirage\)"),
        ("1gyo 3bw | +", "a desert tile needs its space"),
        ("1gyo 3bw | +5x", "a desert tile is a sign and a space"),
        ("1gyo 3bw | +1", "1 is no space from 2 to 16"),
        ("1gyo 3bw | +17", "17 is no space from 2 to 16"),
        ("1gyo 3bw | +3", "a camel stands on space 3"),
        ("1gyo 3bw | +5 -5", "a desert tile lies on space 5 already"),
        ("1gyo 3bw | +5 -6", "space 6 is next to the desert tile on 5"),
        ("1gyo 3bw | | bgx", "'x' is no camel"),
        ("1gyo 3bw | | bgb", "the blue die comes twice"),
        ("1gyo 3bw | | b | g", "at most three parts"),
    ],
)
def test_every_mistake_is_pointed_at(text: str, reason: str) -> None:
    with pytest.raises(BadNotation, match=reason) as caught:
        parse_position(text)
    assert caught.value.text == text
    assert caught.value.column is not None
    pointed = {
        "1gyo 3b": 7,
        "1gyo 3bx": 7,
        "1gyo 3bwg": 8,
        "1gyo 17bw": 5,
        "1gyo 3bw | +3": 11,
        "1gyo 3bw | +5 -6": 14,
        "1gyo 3bw | +17": 12,
        "1gyo 3bw | | bgx": 15,
        "1gyo 3bw | | b | g": 15,
    }
    assert caught.value.column == pointed.get(text, caught.value.column)


def wrong_column(text: str) -> int | None:
    try:
        parse_position(text)
    except BadNotation as error:
        return len(text) + 1 if error.column is None else error.column
    return None


def test_any_text_is_read_or_pointed_at() -> None:
    rng = random.Random(42)
    for _ in range(amount(3000, 100000)):
        text = "".join(rng.choice("1359 bgoyw|+-x") for _ in range(rng.randrange(30)))
        column = wrong_column(text)
        assert column is None or 0 <= column <= len(text)


def test_what_a_player_adds_is_read() -> None:
    assert parse_cards("obg") == (BLUE, GREEN, ORANGE)
    assert parse_cards("") == ()
    assert parse_taken("g2,b1") == {GREEN: 2, BLUE: 1}
    assert parse_decks("winner:3,loser:1") == {"winner": 3, "loser": 1}


@pytest.mark.parametrize(
    ("reader", "text", "column"),
    [
        (parse_cards, "bgx", 2),
        (parse_cards, "bgb", 2),
        (parse_taken, "g2,x1", 3),
        (parse_taken, "g4", 1),
        (parse_taken, "g", 1),
        (parse_taken, "g2,g1", 3),
        (parse_decks, "winner:3,looser:1", 9),
        (parse_decks, "winner:x", 7),
        (parse_decks, "winner", 6),
        (parse_decks, "winner:3,winner:1", 9),
        (parse_decks, "winner:30,loser:30", 10),
    ],
)
def test_mistakes_in_what_a_player_adds_are_pointed_at(reader: object, text: str, column: int) -> None:
    assert callable(reader)
    with pytest.raises(BadNotation) as caught:
        reader(text)
    assert caught.value.column == column


def test_a_situation_is_a_view_of_the_asker() -> None:
    position = parse_position("1gyo 3bw | +5 -9 | bg")
    view = situation(position, cards=(BLUE,), taken={GREEN: 2}, decks={"winner": 9, "loser": 1}, own_tile=9)
    assert view.actor == 0
    assert view.hands[0] == (BLUE,)
    assert view.deserts[:3] == (-9, 5, 0)
    assert [len(takers) for takers in view.leg_bets] == [0, 2, 0, 0, 0]
    assert [owner for owner, _ in view.winner_deck] == [1, 2, 3, 4, 5, 6, 7, 1, 2]
    assert view.loser_deck == ((3, None),)
    assert [len(hand) for hand in view.hands[1:]] == [3, 3, 3, 4, 4, 4, 4]
    assert view.seen_by(0) == view
    assert {str(action) for action in view.actions()} >= {"leg green", "winner blue", "oasis 10", "mirage 8"}
    assert "oasis 9" not in {str(action) for action in view.actions()}


def test_a_tile_that_is_not_there_is_not_ones_own() -> None:
    with pytest.raises(BadNotation, match=r"no desert tile lies on 6; tiles: \+5"):
        situation(parse_position("1gyo 3bw | +5"), own_tile=6)


def test_of_eight_tiles_one_is_the_askers() -> None:
    position = parse_position("1bgoyw | +2 -4 +6 -8 +10 -12 +14 -16")
    with pytest.raises(BadNotation, match="one of them is yours"):
        situation(position)
    assert situation(position, own_tile=8).deserts[0] == -8
    assert set(CAMELS) == set(position.dice)
