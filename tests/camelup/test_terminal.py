"""Camel Up in a terminal: the drawing shows the table, and only what its viewer may see; every event has its words."""

from __future__ import annotations

import random
import re
from typing import Any, get_args

import pytest

from serai.camelup import CAMEL_NAMES, CamelUpState
from serai.camelup.rules import events as ev
from serai.camelup.text.telling import tell
from serai.camelup.text.terminal import WIDTH, draw
from tests.camelup.positions import GAME, at, do, happen
from tests.support import amount, random_play

NAMES = ("Ann", "Ben", "Cem", "Dora", "Eve", "Finn", "Gül", "A name far too long for its column")


def drawn(state: CamelUpState, seat: int | None = 0) -> str:
    return draw(state, seat=seat, names=NAMES, colour=False)


def told(state: CamelUpState, *actions: str) -> list[str]:
    return [sentence for event in happen(state, *actions) if (sentence := tell(event, NAMES))]


def test_stacks_stand_on_their_spaces_with_the_top_camel_on_top() -> None:
    lines = drawn(at("1gyo 3bw", deserts=[5, -16])).split("\n")
    assert lines[2:6] == [
        "[o]                                             ║",
        "[y]   [w]                                       ║",
        "[g]   [b]   (+)                              (-)║",
        " 1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 ║",
    ]
    assert lines[0] == "Leg 1, from first to last: [w][b][o][y][g]"


def test_camels_past_the_line_are_drawn_behind_it() -> None:
    over = do(at("15gy 3bwo"), "roll", "die green 3")
    assert "║   [y]" in drawn(over)
    assert "║   [g]" in drawn(over)
    assert drawn(over).startswith("The race is over, from first to last: [y][g]")


def test_what_lies_before_the_players() -> None:
    state = do(at("1gyo 3bw"), "leg green", "leg green", "oasis 9", "mirage 12", "roll", "die blue 2", "leg white")
    picture = drawn(state)
    assert re.search(r"^> Ann +3  oasis 9 +1 +5 g5$", picture, re.MULTILINE)
    assert re.search(r"^  Ben +3  mirage 12 +- +5 g3 w5$", picture, re.MULTILINE)
    assert "In the pyramid  [g][o][y][w]   rolled: b2" in picture
    assert "Leg tiles       b5 g2 o5 y5 w3" in picture


def test_8_1_only_the_owner_sees_the_colour_of_a_race_card() -> None:
    state = do(at("1gyo 3bw"), "winner green", "loser white")
    anns, bens, anybodys = (drawn(state.seen_by(seat), seat) for seat in (0, 1, None))
    assert "Ann [g]" in anns
    assert "Ben [?]" in anns
    assert "Your race cards [b][o][y][w]" in anns
    assert "Ann [?]" in bens
    assert "Ben [w]" in bens
    assert "Ann [?]" in anybodys
    assert "Ben [?]" in anybodys
    assert "Your race cards" not in anybodys


def test_8_3_hide_money_covers_others_until_the_end() -> None:
    start = GAME.new(players=2, hide_money=True)
    state = at("15gy 3bwo", options=start.options, money=(11, 22))
    assert re.search(r"Ann +11 ", drawn(state, 0))
    assert re.search(r"Ben +\? ", drawn(state, 0))
    assert not re.search(r"11|22", "\n".join(re.findall(r"^. (?:Ann|Ben).*", drawn(state, None), re.MULTILINE)))
    over = do(state, "roll", "die green 2")
    assert re.search(r"Ben +22 ", drawn(over, 0))


@pytest.mark.parametrize("players", range(2, 9))
def test_every_drawing_fits_and_shows_every_camel_once(players: int) -> None:
    rng = random.Random(players)
    for _ in range(amount(2, 20)):
        for _, _, after, events in random_play(GAME, players, rng):
            seat = rng.choice([None, *range(players)])
            picture = drawn(after.seen_by(seat), seat)
            lines = picture.split("\n")
            assert max(map(len, lines)) <= WIDTH
            track = "".join(line for line in lines if "║" in line)
            assert sorted(re.findall(r"\[(.)\]", track)) == sorted(
                CAMEL_NAMES[camel][0] for stack in after.track for camel in stack
            )
            assert track.count("(+)") + track.count("(-)") == sum(map(bool, after.deserts))
            coloured = draw(after.seen_by(seat), seat=seat, names=NAMES, colour=True)
            bare = re.sub(r"\033\[[\d;]*m", "", coloured).split("\n")
            assert list(map(len, bare)) == list(map(len, lines))
            for event in events:
                sentence = tell(event.seen_by(seat), NAMES)
                assert "None" not in sentence
                assert not re.search(r"\bseat \d", sentence)


def test_colours_are_only_there_when_asked_for() -> None:
    state = at("1gyo 3bw", deserts=[5, -16])
    coloured = draw(state, seat=0, names=NAMES, colour=True)
    assert "\033" not in drawn(state)
    assert "\033[" in coloured
    assert coloured.count("\033[0m") == len(re.findall(r"\033\[[1-9]", coloured))


def test_a_roll_in_words() -> None:
    assert told(at("1gyo 3bw"), "roll") == ["Ann shakes the pyramid."]
    assert told(at("1gyo 3bw"), "roll", "die yellow 2") == [
        "The yellow die shows 2.",
        "Yellow, carrying orange, comes to 3, on top of white.",
    ]


def test_desert_tiles_in_words() -> None:
    state = at("1gyo 3bw", deserts=[0, 5])
    assert told(state, "roll", "die blue 2") == [
        "The blue die shows 2.",
        "The oasis on 5 sends it one space on.",
        "Ben gets 1 pound for that.",
        "Blue, carrying white, comes to 6.",
    ]
    state = at("1gyo 3bw", deserts=[0, -4])
    assert told(state, "roll", "die white 1")[-1] == "White ends on 3, underneath blue."
    assert told(state, "mirage 9") == ["Ann puts a mirage on 9."]
    assert told(do(state, "mirage 9", "oasis 12"), "oasis 10") == ["Ann moves the desert tile from 9 to 10, oasis up."]


def test_bets_in_words() -> None:
    state = at("1gyo 3bw")
    assert told(state, "leg green") == ["Ann takes the green leg tile worth 5."]
    (laid,) = happen(state, "winner green")
    assert tell(laid, NAMES) == "Ann lays the green race card on the winner deck."
    assert tell(laid.seen_by(1), NAMES) == "Ann lays a race card on the winner deck."


def test_the_end_in_words() -> None:
    state = do(at("15gy 3bwo", money=(0, 1), leg_bets=((0, 1), (), (), (), ())), "winner blue", "winner yellow")
    assert told(state, "roll", "die green 2") == [
        "The green die shows 2.",
        "Green, carrying yellow, crosses the finish line!",
        "Leg 1 is over: yellow leads, green is second.",
        "Ann gets nothing (blue 5: -1, rolls: +1).",
        "Ben pays 1 pound (blue 3: -1).",
        "The race is over: yellow won, blue came last.",
        "Winner card 1, blue, is wrong: Ann owes 1 pound and pays nothing.",
        "Winner card 2, yellow, is right: Ben gets 8 pounds.",
        "Ben wins with 8 pounds.",
    ]


def test_every_event_has_words_or_is_told_by_another() -> None:
    silent = {ev.UnitLifted, ev.UnitHopped}
    seen: set[type[Any]] = set()
    for seed in range(12):
        for _, _, _, events in random_play(GAME, 4, random.Random(seed)):
            for event in events:
                seen.add(type(event))
                crossed = isinstance(event, ev.UnitLanded) and event.space > 16
                assert bool(tell(event, NAMES)) == (type(event) not in silent and not crossed)
    assert seen == set(get_args(ev.AnyEvent))


def test_without_names_seats_are_numbered() -> None:
    (event,) = happen(at("1gyo 3bw"), "roll")
    assert tell(event, ()) == "seat 0 shakes the pyramid."
    assert "seat 1" in draw(at("1gyo 3bw"), seat=None, names=(), colour=False)
