"""Chapters 11 to 13 of the law: the end, ties, what is secret, and the worked cases."""

from __future__ import annotations

import pytest

from serai.errors import NotOver
from serai.pharaoh.rules.events import FigureLost, GameEnded, RingFell, ScoreCounted, TreasureBanked, TurnBegan
from tests.pharaoh.positions import GAME, at, cell, cells_left, do, happen, of_kind, rounds, texts
from tests.pharaoh.test_collapse import BEFORE, FALLEN, FOUND, IN_CHAMBER

RUIN = """
    ? x x x x x
    ? x x x x x
    ? x x x x x
    ? x x x x x
    ? x x x x x
    ─ ─ S ─ ─ ─
    mask d4 finder=0 clock=0 ring=2
    unseen tee=12 corner=10
"""
"""Only row 1 and column a are left; the next ring that seat 0's turn drops is the last."""


# -- 11 End ------------------------------------------------------------------------------------------------------------


def test_11_1_the_game_ends_at_once_when_only_the_start_tile_is_left():
    state = at(f"{RUIN} lost mask\n 2")
    after = do(state, "end")
    assert (after.over, after.actor, after.actions(), cells_left(after)) == (True, None, (), 1)
    events = happen(state, "end")
    assert of_kind(events, TurnBegan) == []
    assert of_kind(events, GameEnded)[0].why == "collapse"
    with pytest.raises(NotOver):
        state.winners()


def test_11_2_photos_treasures_mask_and_lost_figures():
    state = at(f"{RUIN} 0 photos=1,3 museum=2,3 H=b1\n 1 museum=mask A=a1 H=lost photos=2")
    assert state.scores() == (7, 5)
    events = happen(state, "end")
    assert of_kind(events, ScoreCounted) == [ScoreCounted(0, 2, (2, 3), -1, 6), ScoreCounted(1, 1, (5,), -3, 3)]
    assert of_kind(events, GameEnded) == [GameEnded((6, 3), (0,), "collapse")]
    assert do(state, "end").winners() == (0,)


OVER = f"{RUIN} turn 0 ply=90\n lost mask\n over\n"


def test_11_3_most_points_win_whatever_was_lost():
    assert at(f"{OVER} 0 museum=3,3 A=lost changed=80\n 1 museum=3").winners() == (0,)


def test_11_3_of_the_tied_those_with_both_figures_go_first():
    state = at(f"{OVER} 0 museum=3,2 A=lost changed=10\n 1 museum=3 changed=80")
    assert (state.scores(), state.winners()) == ((3, 3), (1,))


def test_11_3_then_the_one_whose_score_last_changed_earliest():
    state = at(f"{OVER} 0 museum=3 changed=80\n 1 museum=3 changed=40\n 2 museum=3 changed=41\n 3 museum=2 changed=1")
    assert state.winners() == (1,)


def test_11_3_also_where_none_of_the_tied_has_both_figures():
    state = at(f"{OVER} 0 museum=3 H=lost changed=80\n 1 museum=2,2 A=lost changed=40")
    assert (state.scores(), state.winners()) == ((2, 2), (1,))


def test_11_3_a_score_that_never_changed_counts_from_the_start():
    assert at(f"{OVER} 0 photos=1 museum=2 A=lost H=c1 changed=30\n 1 photos=2 changed=20\n 2").winners() == (1,)
    assert at(f"{OVER} 0 museum=2 A=lost changed=30\n 1 H=lost A=lost museum=3 changed=20").winners() == (1,)
    state = at(f"{OVER} 0 museum=2 A=lost changed=30\n 1")
    assert (state.scores(), state.winners()) == ((0, 0), (1,))


def test_11_3_then_the_victory_is_shared():
    assert at(f"{OVER} 0 museum=3 changed=40\n 1 museum=3 changed=40\n 2 museum=2").winners() == (0, 1)
    assert at(f"{OVER} 2").winners() == (0, 1, 2)


def test_11_3_changes_by_one_action_are_simultaneous_and_every_change_counts():
    both_hit = do(at(f"{RUIN} lost mask\n 0 H=b1 museum=3\n 1 H=d1 museum=3\n turn 0 ply=50"), "end")
    assert both_hit.changed == (51, 51)
    assert both_hit.winners() == (0, 1)
    banked = do(at(f"{FALLEN} 0 A=c2+3\n 1 A=c2+3\n lost mask\n turn 1 ply=10"), "archaeologist c1")
    assert banked.changed == (0, 11)
    photo = do(at(f"{BEFORE} turn 0 ply=5"), "reveal d4", "tile crown", "photo 1")
    assert photo.changed == (8, 0)


def test_11_4_max_rounds_ends_the_game_scored_as_it_stands():
    state = at(f"{FOUND} 0 A=c4+3 photos=1\n 1 A=c3 museum=2\n turn 0 round=7", max_rounds=7)
    assert not do(state, "end").over
    events = happen(state, "end", "end")
    assert of_kind(events, GameEnded) == [GameEnded((1, 2), (1,), "rounds")]
    after = do(state, "end", "end")
    assert (after.over, after.round, after.scores(), after.archaeologists) == (
        True, 7, (1, 2), (cell("c4"), cell("c3")),
    )  # fmt: skip


def test_11_4_a_round_ends_when_the_turn_comes_back_to_first():
    state = GAME.new(players=3, first=1, max_rounds=1)
    assert not do(state, "end", "end").over
    assert do(state, "end", "end", "end").over
    assert GAME.new(players=2).options.max_rounds == 80
    endless = at(f"{FOUND} turn 1 round=80", max_rounds=None)
    assert do(endless, "end").round == 81
    assert do(at(f"{FOUND} turn 1 round=80"), "end").over


# -- 12 What is secret -------------------------------------------------------------------------------------------------


def test_12_1_nothing_is_known_to_one_player_alone_and_what_is_left_is_public():
    state = do(at(f"{FOUND} 0 A=c4 photos=2\n 1 A=c2+3"), "reveal c5")
    for seat in (None, 0, 1):
        assert state.seen_by(seat) == state
        assert state.seen_by(seat).weights() == state.weights()
    assert "Unseen: 11 tees, 10 corners, 6 straights" in GAME.text.draw(state)
    assert "Photos left show treasures: 1, 2 + mummy, 2 + curse, 3 + mummy" in GAME.text.draw(state)


# -- 13 Worked cases ---------------------------------------------------------------------------------------------------


def test_13_1_the_books_sums():
    state = at(f"{OVER} 0 museum=3,3,3,2,2 A=lost H=lost\n 1 H=lost museum=3,2,2,mask".replace("lost mask\n", ""))
    assert state.scores() == (10, 11)


def test_13_2_nobody_touches_the_mask():
    state = do(at(BEFORE), "reveal d4", "tile crown", "photo 1")
    left = []
    while not state.over:
        state = rounds(state, 0)
        left.append(cells_left(state))
    assert left == [36, 36, 36, 35, 27, 11, 1]


def test_13_3_the_mask_is_carried_out():
    state = do(at(BEFORE), "reveal d4", "tile crown", "photo 1", "archaeologist d4", "take mask", "archaeologist c4")
    left = [cells_left(state)]
    while not state.over:
        state = rounds(state, 0)
        left.append(cells_left(state))
    assert left == [35, 27, 11, 1]


def test_13_4_the_mask_is_stolen_twice_in_one_round():
    state = at(f"""{FALLEN.replace("? ? S ? ? ?", "? ─ S ? ? ?").replace("straight=6", "straight=5")}
        0 A=b1+mask
        1 A=b1
        2 A=b1
        turn 1
    """)
    first = do(state, "steal 0")
    assert of_kind(happen(first, "end"), RingFell)[0].ring == 1
    second = do(first, "end", "steal 1")
    assert of_kind(happen(second, "end"), RingFell)[0].ring == 2
    after = do(second, "end")
    assert (after.actor, after.clock, cells_left(after)) == (0, 2, 11)
    assert cells_left(do(after, "end", "end")) == 11
    assert do(after, "end", "end", "end").over


def test_13_5_a_lit_run_from_the_chamber_straight_onto_the_start():
    state = at(f"{IN_CHAMBER} 0 A=d4+mask lamps=c4,c3,c2\n 1 H=d4")
    events = happen(state, "archaeologist c1")
    assert of_kind(events, TreasureBanked) == [TreasureBanked(0, 5, 5)]
    assert of_kind(events, FigureLost) == [FigureLost(1, "helper", cell("d4"), -1, -1)]
    after = do(state, "archaeologist c1")
    assert (after.scores(), after.actor, cells_left(after)) == ((5, -1), 1, 35)
    assert texts(after, "helper") == []
