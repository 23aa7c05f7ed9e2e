"""Actions and positions in writing, and what is said about wrong ones."""

from __future__ import annotations

import random

import msgspec
import pytest

import serai
from serai.core.record import Record, verify
from serai.errors import BadNotation, BadOptions, BadRecord, IllegalAction
from serai.pharaoh import Archaeologist, Lay, Photo, Reveal, Steal, Take, Tile, Treasure, Turn
from serai.pharaoh.rules.actions import ALL_ACTIONS
from serai.pharaoh.text.position import parse_position, write_position
from tests.pharaoh.positions import CORRIDOR, GAME, at, do
from tests.pharaoh.test_properties import game_of
from tests.support import amount


def test_every_action_is_written_in_one_way_and_read_back():
    assert len({str(action) for action in ALL_ACTIONS}) == len(ALL_ACTIONS)
    for action in ALL_ACTIONS:
        assert GAME.parse(str(action)) == action
        assert str(action).split()[0] == action.kind


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("archaeologist c4", Archaeologist(20)),
        ("reveal a1", Reveal(0)),
        ("lay NES", Lay(7)),
        ("turn f6 EW", Turn(35, 10)),
        ("take mask", Take(5)),
        ("steal 3", Steal(3)),
        ("tile falcon", Tile(5)),
        ("photo 5", Photo(5)),
        ("treasure 2", Treasure(2)),
    ],
)
def test_the_notation_of_the_house(text, action):
    assert GAME.parse(text) == action


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("walk c4", "'walk c4' is no action of Das Gold des Pharao; actions: archaeologist CELL, helper CELL,"),
        ("helper g4", "'helper g4': 'g4' is no cell; cells are a1 to f6"),
        ("helper", "'helper': write it as 'helper CELL'"),
        ("lay SEN", "'lay SEN': 'SEN' must be written as 'NES': each side once, in the order N E S W"),
        ("lay NNE", "'lay NNE': 'NNE' must be written as 'NE'"),
        ("lay NESW", "'lay NESW': 'NESW' fits no passage tile; open sides are one of"),
        ("lay nes", "'lay nes': 'nes' is no set of open sides; they are written with N, E, S, W"),
        ("turn c4", "'turn c4': write it as 'turn CELL SIDES'"),
        ("take 5", "'take 5': write it as 'take 2|3|mask'"),
        ("steal 4", "'steal 4': '4' is no seat from 0 to 3"),
        ("steal 01", "'steal 01': '01' is no seat from 0 to 3"),
        ("photo 6", "'photo 6': write it as 'photo 1|2|3|4|5'"),
        ("end now", "'end now': write it as 'end'"),
    ],
)
def test_wrong_actions_are_told_what_is_wrong(text, message):
    with pytest.raises(BadNotation) as caught:
        GAME.parse(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "action", [Archaeologist(36), Archaeologist(-1), Reveal(99), Turn(-3, 5), Lay(15), Lay(99), Take(4), Steal(-1)]
)
def test_values_that_no_text_denotes_are_refused_by_the_rules(action):
    for state in (at(CORRIDOR), at(f"{CORRIDOR} 0 A=c2 H=c3\n reveal d6 tile=tee")):
        with pytest.raises(IllegalAction) as caught:
            state.step(action)
        assert str(caught.value) != caught.value.key


def test_draws_that_no_text_denotes_are_refused_by_the_rules():
    state = do(at(f"{CORRIDOR} 0 A=c4"), "reveal c5")
    chamber = do(state, "tile lotus")
    for before, draw in (
        (state, Tile(8)),
        (state, Tile(-1)),
        (chamber, Photo(0)),
        (chamber, Photo(6)),
        (do(chamber, "photo 5"), Treasure(5)),
    ):
        with pytest.raises(IllegalAction, match="is no action of pharaoh"):
            before.step(draw)
    with pytest.raises(IllegalAction, match="is no action of pharaoh"):
        state.step(serai.game("camelup").parse("roll"))


# -- positions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(amount(12, 200)))
def test_every_position_reads_back_as_it_was(seed):
    rng = random.Random(seed)
    odd = {"ring": "rook", "entrance": "f4", "mask_exit_ends_turn": False, "restless": 1 + seed % 3}
    options = {} if seed % 2 else odd
    for _, _, state, _ in game_of(rng.choice(["random", "explorer", "mixed"]), 2 + seed % 3, seed, options):
        if state.over or rng.random() < 0.1:
            text = write_position(state)
            assert parse_position(text, GAME.new, **msgspec.to_builtins(state.options)) == state


def test_a_position_is_short_where_everything_has_its_usual_value():
    text = write_position(at(f"{CORRIDOR} 0 A=c3+2 H=c2 lamps=c2,c3 photos=1\n lying c4=3,2\n unseen eye=1 tee=12"))
    assert text.splitlines()[6:] == [
        "0 A=c3+2 H=c2 lamps=c2,c3 photos=1",
        "1",
        "lying c4=2,3",
        "unseen tee=12 eye=1",
        "turn 0 moves=3 acts=12 round=1 ply=0",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("? ? ?", "line 1: a position begins with the 6 rows of the map, row 6 first"),
        ("", "line 1: a position begins with the 6 rows"),
        (CORRIDOR.replace("? ? S ? ? ?", "? ? S ? ?"), "line 7: a row of the map has 6 signs"),
        (CORRIDOR.replace("│", "┼"), "line 6: '┼' is no sign of the map; signs: ? S x │"),
        (CORRIDOR.replace("S", "?"), "line 2: the map needs one start tile"),
        (CORRIDOR.replace("? ? S ? ? ?", "S ? ? ? ? ?"), "line 2: the start tile lies on the border"),
        (CORRIDOR.replace("? ? ? ? ? ?", "─ ─ ─ ─ ─ ─"), "line 2: the map has 15 straight tiles, the box 8"),
        (f"{CORRIDOR} 4 A=c2", "line 8: '4' begins no line of a position"),
        (f"{CORRIDOR} 0 A=c2\n 0 H=c2", "line 9: a second line '0'"),
        (f"{CORRIDOR} 0 X=c2", "line 8: 'X=c2' does not fit here; write NAME=VALUE"),
        (f"{CORRIDOR} 0 A=c9", "line 8: 'c9' is no cell"),
        (f"{CORRIDOR} 0 A=c5", "line 8: a figure of seat 0 stands on c5, which does not lie open"),
        (f"{CORRIDOR} 0 A=c1+3", "line 8: seat 0 can carry a treasure only inside the pyramid"),
        (f"{CORRIDOR} 0 A=c2+4", "line 8: '4' is no treasure; treasures are 2, 3, mask"),
        (f"{CORRIDOR} 0 lamps=c1", "line 8: no lamp can stand on c1"),
        (f"{CORRIDOR} 0 lamps=c2,c2", "line 8: seat 0 has 5 lamps, at most one on a cell"),
        (f"{CORRIDOR} 0 lamps=c2 supply=5", "line 8: seat 0 has 5 lamps"),
        (f"{CORRIDOR} 0 photos=1", "line 8: 1 photos are taken, but only 0 chambers have been seen"),
        (f"{CORRIDOR} 0 museum=2,2,2,2,2", "line 8: the box has no more than 4 treasures of 2"),
        (f"{CORRIDOR} lying c6=2", "line 8: no treasure can lie on c6"),
        (f"{CORRIDOR} lying c2=mask", "line 8: the mask is in one place if a line 'mask …' says"),
        (f"{CORRIDOR} mask c2", "line 8: the mask has a finder, and either a countdown or a clock"),
        (f"{CORRIDOR} lying c3=mask\n mask c2 finder=0 countdown=3", "line 9: the mask was found in a chamber"),
        (f"{CORRIDOR} lost mask\n mask c2 finder=0 clock=0", "line 9: c2 has fallen (x) after 0 rings"),
        (f"{CORRIDOR} restless f6", "line 8: with the option restless, write it as 'restless f6 ring=0'"),
        (f"{CORRIDOR} turn 0 round=3 stirred=1", "line 8: stirred is a whole number from 0 to 0, not '1'"),
        (f"{CORRIDOR} turn 2", "line 8: seat is a whole number from 0 to 1, not '2'"),
        (f"{CORRIDOR} turn 0 moves=4", "line 8: moves is a whole number from 0 to 3, not '4'"),
        (f"{CORRIDOR} reveal c2", "line 8: c2 must be face down on the map"),
        (f"{CORRIDOR} reveal c5 tile=eye", "line 8: 'eye' is no passage tile"),
        (f"{CORRIDOR} 0 changed=5", "line 8: seat 0's score cannot have changed after the last ply"),
    ],
)
def test_wrong_positions_are_told_the_line_and_what_is_wrong(text, message):
    with pytest.raises(BadNotation) as caught:
        at(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f"{CORRIDOR} turn 0 round=6",
            "line 8: after 3 quiet rounds the pyramid falls by itself: write 'restless CELL",
        ),
        (f"{CORRIDOR} restless f6", "line 8: f6 has fallen (x) after 0 rings"),
        (f"{CORRIDOR} restless g6", "line 8: 'g6' is no cell"),
        (f"{CORRIDOR} restless f6 clock=1", "line 8: 'clock=1' does not fit here"),
        (f"{CORRIDOR} restless f6\n mask c2 finder=0 clock=1", "line 9: 'clock=1' does not fit here"),
    ],
)
def test_wrong_positions_of_a_restless_pyramid_are_told_the_line_and_what_is_wrong(text, message):
    with pytest.raises(BadNotation) as caught:
        at(text, restless=3)
    assert str(caught.value).startswith(message)


def test_the_entrance_of_a_position_is_that_of_its_map():
    assert at(CORRIDOR).options.entrance == "c1"
    with pytest.raises(BadNotation, match="the start tile lies on c1, the option says f3"):
        at(CORRIDOR, entrance="f3")


# -- options and records -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"first": 2}, "option first wants a seat from 0 to 1, not 2"),
        ({"ring": "queen"}, "option ring is one of king, rook, not 'queen'"),
        ({"turn_reach": True}, "option turn_reach is one of opening, linked, not True"),
        ({"max_rounds": 0}, "option max_rounds wants a whole number from 1 or none, not 0"),
        ({"frightened_drop": 1}, "option frightened_drop wants true or false, not 1"),
        ({"sealed": True}, "pharaoh has no option 'sealed'; its options: first, entrance, no_sealed_tiles,"),
    ],
)
def test_bad_options_are_told_what_is_wanted(options, message):
    with pytest.raises(BadOptions) as caught:
        GAME.new(players=2, **options)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "reveal c2\ntile corner\nlay NS",
            "line 7: 'lay NS': a corner cannot lie as NS; it can lie as: NE, ES, NW, SW",
        ),
        ("reveal c3", "line 5: 'reveal c3': c3 is not next to your archaeologist on c1; it can reveal: b1, d1, c2"),
        ("reveal c2\nend", "line 6: 'end': a draw is due first: tile"),
        ("fly c2", "line 5: 'fly c2': 'fly c2' is no action of Das Gold des Pharao"),
        ("end\nresult 0 0", "line 6: a result, but the game is not over after the last action"),
    ],
)
def test_bad_records_are_told_the_line_and_the_reason(body, message):
    text = f'game: pharaoh\nrules: 1\nseats: "Ann", "Ben"\n\n{body}\n'
    with pytest.raises(BadRecord) as caught:
        verify(Record.read(text))
    assert str(caught.value).startswith(message)
