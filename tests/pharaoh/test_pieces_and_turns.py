"""Chapters 1 to 3 of the law: what lies in the box, the set-up, and what a turn is."""

from __future__ import annotations

from fractions import Fraction

import pytest

import serai
from serai.errors import BadOptions
from serai.pharaoh.rules.board import ENTRANCES, NEIGHBOURS, ORIENTATIONS
from serai.pharaoh.rules.events import TurnBegan, TurnEnded
from serai.pharaoh.rules.pieces import CELL_NAMES, OPENINGS, PHOTOS, SIDE_NAMES, TILE_COUNTS, TILE_NAMES
from tests.pharaoh.positions import CORRIDOR, GAME, at, cell, do, happen, of_kind, refused, rounds, texts

TREASURE_IN_REACH = f"""{CORRIDOR}
    0 A=c2 H=c2
    lying c2=2,2,3
"""
NO_FIGURES = """
    x x x x x ?
    x x x x x ?
    x x x x x ?
    x x x x x ?
    x x x x x ?
    ? ? S ? ? ?
    0 A=lost H=lost
    lost mask
    mask c4 finder=1 clock=1 ring=2
    turn 0
"""


# -- 1 Pieces ----------------------------------------------------------------------------------------------------------


def test_1_1_two_to_four_players_with_two_figures_and_five_lamps_each():
    for players in (2, 3, 4):
        state = GAME.new(players=players)
        assert state.archaeologists == state.helpers == (cell("c1"),) * players
        assert state.supplies == (5,) * players
        assert state.museums == ((),) * players
    for players in (1, 5):
        with pytest.raises(BadOptions) as caught:
            GAME.new(players=players)
        assert str(caught.value) == f"pharaoh takes 2 to 4 players, not {players}"


def test_1_2_thirty_six_cells_one_of_them_the_start_tile_on_the_border_but_no_corner():
    assert (CELL_NAMES[0], CELL_NAMES[5], CELL_NAMES[35]) == ("a1", "f1", "f6")
    assert sum(TILE_COUNTS) + 1 == len(CELL_NAMES) == 36
    assert len(ENTRANCES) == 16
    for entrance in ENTRANCES:
        state = GAME.new(players=2, entrance=entrance)
        assert state.start == cell(entrance)
        assert len(NEIGHBOURS[state.start]) == 3
        assert texts(state, "reveal") == [CELL_NAMES[other] for other in NEIGHBOURS[state.start]]
    for wrong in ("a1", "f6", "c3", "g1", "C1", 2):
        with pytest.raises(BadOptions, match="option entrance is one of b1, c1"):
            GAME.new(players=2, entrance=wrong)


def test_1_3_twelve_tees_ten_corners_and_eight_straights_with_their_orientations():
    assert dict(zip(TILE_NAMES, TILE_COUNTS, strict=True)) == {
        "tee": 12, "corner": 10, "straight": 8, "lotus": 1, "eye": 1, "falcon": 1, "ibis": 1, "crown": 1,
    }  # fmt: skip
    ways = [[SIDE_NAMES[way] for way in ways] for ways in ORIENTATIONS]
    assert ways == [["NES", "NEW", "NSW", "ESW"], ["NE", "ES", "NW", "SW"], ["NS", "EW"]]


def test_1_4_chambers_and_the_start_tile_are_open_on_all_sides():
    state = at("""
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? L E F I ?
        ? ? C ? ? ?
        ? ? S ? ? ?
        0 A=c2
    """)
    assert texts(state, "archaeologist") == ["c1", "c3"]
    assert texts(state, "reveal") == ["b2", "d2"]
    assert all(OPENINGS[state.tiles[cell(name)]] == 15 for name in ("b3", "c3", "d3", "e3", "c2", "c1"))
    refused(do(state, "helper c2"), "turn c1 NS", "pharaoh.turn.start")


def test_1_5_four_treasures_of_2_four_of_3_and_the_mask_last():
    assert GAME.new(players=2).stack == (4, 4)
    last = at(f"""{CORRIDOR.replace("? ? ? ? ? ?", "L E F I C ?", 1)}
        0 A=c2 photos=1,2,3,5 museum=2,2,2,2,3,3,3
        turn 0
        reveal a6 photo=5 due=2
    """)
    assert last.chances() == ((GAME.parse("treasure 3"), Fraction(1)),)
    after = do(last, "treasure 3")
    assert [value for _, value in after.lying] == [3, 5]
    assert after.stack == (0, 0)
    assert after.mask_chamber == cell("a6")


def test_1_6_five_photos_show_nine_treasures_two_mummies_and_two_curses():
    assert [tuple(photo) for photo in PHOTOS] == [(1, ""), (1, "curse"), (2, "mummy"), (2, "curse"), (3, "mummy")]
    assert sum(photo.treasures for photo in PHOTOS) == 9


# -- 2 Set-up ----------------------------------------------------------------------------------------------------------


def test_2_1_all_figures_on_the_start_tile_and_option_first_begins():
    state = GAME.new(players=3, first=2)
    assert (state.actor, state.carried, state.round) == (2, (0, 0, 0), 1)
    assert texts(state) == ["reveal b1", "reveal d1", "reveal c2", "end"]
    state = do(state, "end")
    assert (state.actor, state.round) == (0, 1)
    state = do(state, "end", "end")
    assert (state.actor, state.round) == (2, 2)
    with pytest.raises(BadOptions):
        GAME.new(players=3, first=3)


def test_2_2_draws_are_weighted_by_the_pieces_nobody_has_seen():
    state = do(GAME.new(players=2), "reveal c2")
    assert state.actor is serai.CHANCE
    assert texts(state) == [f"tile {name}" for name in TILE_NAMES]
    assert state.weights() == (12, 10, 8, 1, 1, 1, 1, 1)
    assert state.chances()[0] == (GAME.parse("tile tee"), Fraction(12, 35))
    state = do(state, "tile lotus")
    assert texts(state) == ["photo 1", "photo 2", "photo 3", "photo 4", "photo 5"]
    assert state.weights() == (1, 1, 1, 1, 1)
    state = do(state, "photo 5")
    assert texts(state) == ["treasure 2", "treasure 3"]
    assert state.weights() == (4, 4)
    assert do(state, "treasure 3").weights() == (4, 3)


def test_2_2_a_piece_used_up_is_no_outcome_and_weights_are_not_reduced():
    state = do(GAME.new(players=2), "reveal c2", "tile eye", "photo 1", "treasure 3", "reveal b1")
    assert texts(state, "tile") == ["tee", "corner", "straight", "lotus", "falcon", "ibis", "crown"]
    assert state.weights() == (12, 10, 8, 1, 1, 1, 1)
    refused(state, "tile eye", "pharaoh.tile.seen")
    refused(do(state, "tile lotus"), "photo 1", "pharaoh.photo.taken")


def test_2_2_tiles_that_fell_unseen_are_still_among_those_that_may_come_up():
    state = at("""
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        x x x ? ? ?
        x x x ? ? ?
        x x x S ? ?
        0 A=d1 museum=mask photos=1,2,3,4,5
        mask b2 finder=0 clock=0 ring=1
        unseen tee=12 corner=10 straight=8
        turn 0 ply=9
    """)
    assert do(state, "reveal e1").weights() == (12, 10, 8)
    assert (sum(state.unseen), state.tiles.count(0)) == (30, 26)


# -- 3 A turn ----------------------------------------------------------------------------------------------------------


def test_3_1_up_to_three_moves_shared_between_the_figures_and_never_an_end_by_itself():
    state = at(CORRIDOR)
    for line in (
        ("archaeologist c2", "helper c2", "archaeologist c3"),
        ("helper c2", "helper c3", "helper c2"),
        ("helper c2", "lamp", "archaeologist c2"),
    ):
        after = do(state, *line)
        assert (after.actor, after.moves_left) == (0, 0)
        assert texts(after) == ["end"]
        error = refused(after, "helper c3", "pharaoh.moves")
        assert str(error).startswith("all 3 moves of this turn are used: take, drop or steal")
    assert do(state, "end").actor == 1
    assert do(state, "helper c2", "end").moves_left == 3


def test_3_2_the_archaeologist_walks_and_reveals_the_helper_walks_turns_and_handles_lamps():
    state = at(f"{CORRIDOR}\n 0 A=c4 H=c3")
    assert texts(state) == [
        "archaeologist c3", "helper c2", "helper c4", "reveal c5",
        "turn c2 EW", "turn c3 EW", "turn c4 EW", "lamp", "end",
    ]  # fmt: skip
    assert "unlamp" in texts(do(state, "lamp"))


def test_3_3_free_acts_cost_no_move_also_after_the_third():
    state = do(at(TREASURE_IN_REACH), "helper c3", "helper c2", "helper c3")
    assert texts(state) == ["take 2", "take 3", "end"]
    after = do(state, "take 3")
    assert (after.moves_left, after.carried[0]) == (0, 3)
    assert texts(after) == ["drop", "end"]


def test_3_3_at_most_twelve_free_acts_a_turn():
    state = do(at(TREASURE_IN_REACH), *["take 2", "drop"] * 6)
    assert state.acts_left == 0
    assert not texts(state, "take")
    error = refused(state, "take 2", "pharaoh.acts")
    assert str(error) == "12 free acts are the most one turn may have: move, or end the turn"
    assert "archaeologist c3" in texts(state)
    assert do(state, "end", "end").acts_left == 12
    held = do(at(TREASURE_IN_REACH), *["take 2", "drop"] * 5, "take 2", "drop")
    refused(held, "take 3", "pharaoh.acts")


def test_3_4_one_figure_left_still_has_three_moves():
    state = at("""
        x x x x x ?
        x x x x x ?
        x x x x x ?
        x x x x x ?
        x x x x x ?
        ? ? S ─ ─ ?
        0 A=lost
        1 H=lost
        lost mask
        mask c4 finder=1 clock=1 ring=2
    """)
    after = do(state, "helper d1", "helper e1", "helper d1")
    assert (after.moves_left, after.actor) == (0, 0)
    refused(state, "archaeologist d1", "pharaoh.lost.figure")
    refused(state, "reveal b1", "pharaoh.lost.figure")
    refused(state, "take 3", "pharaoh.lost.figure")
    refused(do(state, "end"), "helper d1", "pharaoh.lost.figure")
    refused(do(state, "end"), "lamp", "pharaoh.lost.figure")
    refused(do(state, "end"), "turn d1 NS", "pharaoh.lost.figure")


def test_3_4_a_player_without_figures_can_only_end_but_the_turn_takes_place():
    state = at(NO_FIGURES)
    assert texts(state) == ["end"]
    events = happen(state, "end")
    assert of_kind(events, TurnEnded) == [TurnEnded(0, "end")]
    assert of_kind(events, TurnBegan) == [TurnBegan(1, 1)]
    clock_without_figures = at(NO_FIGURES.replace("clock=1", "clock=0"))
    assert rounds(clock_without_figures, 0).over


def test_3_5_figures_never_block():
    state = at(f"{CORRIDOR}\n 0 A=c2 H=c2\n 1 A=c3 H=c3\n 2 A=c3 H=c4\n 3 A=c3 H=c3")
    after = do(state, "archaeologist c3", "helper c3")
    assert after.archaeologists == (cell("c3"),) * 4
    assert texts(do(after, "end"), "archaeologist") == ["c2", "c4"]
