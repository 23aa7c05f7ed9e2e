"""Chapters 4 to 7 of the law: walking, revealing, turning, lamps."""

from __future__ import annotations

import pytest

from serai.pharaoh.rules.events import (
    FigureShutIn,
    LampPutUp,
    LampTakenDown,
    TileDrawn,
    TileLaid,
    TileOpened,
    TileTurned,
    Walked,
)
from tests.pharaoh.positions import at, cell, cells, do, happen, refused, texts

WINDING = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ┌ ─ ┐ ? ?
    ? │ ? └ ┐ ?
    ? └ ┐ ? │ ?
    ? ? S ? │ ?
"""
"""One way from the start tile on c1: c2, b2, b3, b4, c4, d4, d3, e3, e2, e1."""


# -- 4 Walking ---------------------------------------------------------------------------------------------------------


def test_4_1_cells_are_linked_when_both_have_an_opening_towards_each_other():
    state = at("""
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ─ ? ? ?
        ? ─ ┤ ─ ? ?
        ? ? │ ? ? ?
        ? ? S ? ? ?
        0 A=c3
    """)
    # b3: both open; c2: both open; d3: open towards c3, which has a wall; c4: a wall towards c3, which is open
    assert texts(state, "archaeologist") == ["c2", "b3"]
    refused(state, "archaeologist d3", "pharaoh.walk.no_way")
    refused(state, "archaeologist c4", "pharaoh.walk.no_way")
    refused(state, "archaeologist c1", "pharaoh.walk.far")
    refused(state, "archaeologist d4", "pharaoh.walk.face_down")


def test_4_2_one_move_goes_to_a_linked_cell_and_never_further_without_lamps():
    state = at(f"{WINDING} 0 A=b3")
    assert texts(state, "archaeologist") == ["b2", "b4"]
    assert happen(state, "archaeologist b4") == [Walked(0, "archaeologist", (cell("b3"), cell("b4")))]
    error = refused(state, "archaeologist c4", "pharaoh.walk.far")
    assert str(error) == "c4 is 2 moves away from your archaeologist on b3; one move reaches: b2, b4"
    refused(state, "archaeologist b3", "pharaoh.walk.here")


def test_4_3_a_lit_run_round_two_corners():
    state = at(f"{WINDING} 0 A=b3 H=b3 lamps=b4,c4,d4")
    assert texts(state, "archaeologist") == ["b2", "d3", "b4", "c4", "d4"]
    assert texts(state, "helper") == ["b2", "d3", "b4", "c4", "d4"]
    way = tuple(map(cell, ("b3", "b4", "c4", "d4", "d3")))
    assert happen(state, "archaeologist d3") == [Walked(0, "archaeologist", way)]
    assert do(state, "archaeologist d3").moves_left == 2


def test_4_3_a_run_is_broken_by_an_unlit_cell_and_a_rivals_lamp_does_not_count():
    broken = at(f"{WINDING} 0 A=b3 lamps=b4,d4\n 1 lamps=c4")
    assert texts(broken, "archaeologist") == ["b2", "b4", "c4"]
    assert texts(do(broken, "archaeologist c4"), "archaeologist") == ["b3", "d3", "b4", "d4"]


def test_4_3_a_run_ends_on_the_start_but_never_goes_through_it():
    state = at("""
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? │ ? ? ?
        ? ? │ ? ? ?
        ? ─ S ─ ? ?
        0 A=c3 lamps=c2,d1,b1
    """)
    assert texts(state, "archaeologist") == ["c1", "c2"]
    assert refused(state, "archaeologist d1", "pharaoh.walk.far").values["count"] == 2
    # from the start the own lamps next to it carry on
    assert texts(do(state, "archaeologist c1"), "archaeologist") == ["b1", "d1", "c2", "c3"]


def test_4_3_neither_end_needs_a_lamp_and_a_step_next_door_is_one_move_as_always():
    state = at(f"{WINDING} 0 A=b3 lamps=b3,b2")
    assert texts(state, "archaeologist") == ["b2", "c2", "b4"]
    assert do(state, "archaeologist b2").moves_left == 2
    alone = at(f"{WINDING} 0 A=b3 lamps=b3")
    assert texts(alone, "archaeologist") == ["b2", "b4"]


def test_4_3_a_run_round_a_loop_does_not_come_back_to_where_it_began():
    state = at("""
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ┌ ┐ ? ? ?
        ? └ ┤ ? ? ?
        ? ? │ ? ? ?
        ? ? S ? ? ?
        0 A=b3 lamps=b4,c4,c3
    """)
    assert texts(state, "archaeologist") == ["c2", "c3", "b4", "c4"]
    refused(state, "archaeologist b3", "pharaoh.walk.here")


def test_4_4_acts_happen_where_a_move_ends_never_in_passing():
    state = at(f"""{WINDING}
        0 A=b3 lamps=b4,c4
        1 A=c4+2
        lying b4=3
    """)
    passed = do(state, "archaeologist d4")
    assert passed.carried == (0, 2)
    assert texts(passed, "take") == texts(passed, "steal") == []
    assert texts(do(state, "archaeologist b4"), "take") == ["3"]
    assert texts(do(state, "archaeologist c4"), "steal") == ["1"]


# -- 5 Revealing -------------------------------------------------------------------------------------------------------


def test_5_1_the_archaeologist_reveals_through_an_opening_and_stays():
    state = at(f"{WINDING} 0 A=e1")
    assert texts(state, "reveal") == []
    at_the_end = at("""
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ┬ ? ? ?
        ? ? │ ? ? ?
        ? ? S ? ? ?
        0 A=c3
    """)
    assert texts(at_the_end, "reveal") == ["b3", "d3"]
    events = happen(at_the_end, "reveal d3")
    assert events == [TileOpened(0, cell("d3"), cell("c3"))]
    assert do(at_the_end, "reveal d3").archaeologists[0] == cell("c3")
    assert do(at_the_end, "reveal d3").moves_left == 2


def test_5_1_a_wall_of_the_own_tile_forbids_it():
    state = at(f"{WINDING} 0 A=b3")
    error = refused(state, "reveal a3", "pharaoh.reveal.wall")
    assert str(error) == "a wall on b3 keeps your archaeologist from a3; it can reveal: none"
    refused(state, "reveal a1", "pharaoh.reveal.far")
    refused(state, "reveal b4", "pharaoh.reveal.known")


def test_5_1_the_helper_reveals_nothing():
    state = at(f"{WINDING} 0 A=b3 H=c1")
    assert texts(state, "reveal") == []


def test_5_2_a_passage_tile_is_laid_in_any_orientation_even_with_a_wall_towards_the_finder():
    state = do(at(f"{WINDING} 0 A=c1"), "reveal d1")
    corner = do(state, "tile corner")
    assert corner.actor == 0
    assert texts(corner) == ["lay NE", "lay ES", "lay NW", "lay SW"]
    assert texts(do(state, "tile straight")) == ["lay NS", "lay EW"]
    assert texts(do(state, "tile tee")) == ["lay NES", "lay NEW", "lay NSW", "lay ESW"]
    assert happen(state, "tile corner") == [TileDrawn(0, cell("d1"), 1)]
    assert happen(corner, "lay ES") == [TileLaid(0, cell("d1"), 6)]
    facing_away = do(corner, "lay ES")
    assert (facing_away.actor, facing_away.moves_left) == (0, 2)
    assert "archaeologist d1" not in texts(facing_away)
    assert "archaeologist d1" in texts(do(corner, "lay NW"))
    refused(corner, "lay NS", "pharaoh.lay.shape")
    refused(corner, "end", "pharaoh.lay.first")
    refused(facing_away, "lay ES", "pharaoh.lay.nothing")


def test_5_2_a_tile_may_be_revealed_that_will_show_a_wall():
    """The hidden tile's own walls do not matter: it has no orientation yet."""
    state = do(at(f"{WINDING} 0 A=c1"), "reveal d1", "tile straight", "lay NS")
    assert state.tiles[cell("d1")] == 5


POCKET = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ┌ ─ ┐ ? ?
    ? └ ┬ ┘ ? ?
    ? ? S ? ? ?
"""
"""A way round with one way out, from c2 to the start tile, and nothing to reveal."""


def test_5_2_whoever_a_turned_tile_shuts_in_is_told_and_by_whom():
    state = at(f"{POCKET} 0 H=c2\n 1 A=b3")
    turned = TileTurned(0, cell("c2"), 14, 11)
    cut_off = FigureShutIn(0, "helper", cell("c2"), by=0, alone=False)
    shut_in = FigureShutIn(1, "archaeologist", cell("b3"), by=0, alone=True)
    assert happen(state, "turn c2 NEW") == [turned, shut_in, cut_off]
    # with a helper of one's own inside another way can be opened
    assert happen(at(f"{POCKET} 0 H=c1\n 1 A=b3 H=d3"), "turn c2 NEW") == [
        turned,
        FigureShutIn(1, "archaeologist", cell("b3"), by=0, alone=False),
        FigureShutIn(1, "helper", cell("d3"), by=0, alone=False),
    ]
    assert happen(state, "turn c2 NES") == [TileTurned(0, cell("c2"), 14, 7)]


def test_5_2_a_helper_in_a_walled_chamber_turns_the_walls_away_unless_the_table_wants_linked():
    chamber = """
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ─ ? ? ?
        ? │ L │ ? ?
        ? ? │ ? ? ?
        ? ? S ? ? ?
        0 H=c1
        1 A=c3 H=c3
    """
    turned = TileTurned(0, cell("c2"), 5, 10)
    for turn_reach, alone in (("opening", False), ("linked", True)):
        assert happen(at(chamber, turn_reach=turn_reach), "turn c2 EW") == [
            turned,
            FigureShutIn(1, "archaeologist", cell("c3"), by=0, alone=alone),
            FigureShutIn(1, "helper", cell("c3"), by=0, alone=alone),
        ]


def test_5_2_whoever_was_shut_in_before_is_not_told_of_again():
    shut = at(f"{POCKET.replace('┬', '┴')} 0 H=c2\n 1 A=d3")
    assert happen(shut, "turn b2 ES") == [TileTurned(0, cell("b2"), 3, 6)]


def test_5_2_the_last_tile_that_could_be_revealed_laid_as_a_wall_shuts_in():
    nook = at("""
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        └ │ S ? ? ?
        0 A=a1 H=c1
    """)
    drawn = do(nook, "reveal a2", "tile corner")
    assert happen(drawn, "lay NE") == [
        TileLaid(0, cell("a2"), 3),
        FigureShutIn(0, "archaeologist", cell("a1"), by=0, alone=True),
    ]
    assert happen(drawn, "lay ES") == [TileLaid(0, cell("a2"), 6)]


SEALED_CORNER = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ─ ? ? ? ? ?
    ? S ? ? ? ?
    0 A=b1 H=b1
"""
RUIN = """
    x x x x x ?
    x x x x x ?
    x x x x x ?
    x x x x x ?
    x x x x x ?
    ? ? ? S │ ?
    0 A=d1 H=d1
    lost mask
    mask c4 finder=1 clock=1 ring=2
    unseen tee=12 corner=10 straight=7
"""


def test_5_2_option_no_sealed_tiles_refuses_them_in_corners():
    by_the_book = do(at(SEALED_CORNER), "reveal a1", "tile corner")
    assert "lay SW" in texts(by_the_book)
    state = do(at(SEALED_CORNER, no_sealed_tiles=True), "reveal a1", "tile corner")
    assert texts(state) == ["lay NE", "lay ES", "lay NW"]
    error = refused(state, "lay SW", "pharaoh.lay.sealed")
    assert str(error) == "SW on a1 faces no cell that still exists; this table allows: NE, ES, NW"


def test_5_2_option_no_sealed_tiles_refuses_them_beside_fallen_cells():
    state = do(at(RUIN, no_sealed_tiles=True), "reveal c1")
    assert texts(do(state, "tile straight")) == ["lay EW"]
    assert texts(do(state, "tile corner")) == ["lay NE", "lay ES", "lay NW", "lay SW"]
    refused(do(state, "tile straight"), "lay NS", "pharaoh.lay.sealed")
    assert texts(do(at(RUIN), "reveal c1", "tile straight")) == ["lay NS", "lay EW"]


def test_5_3_a_chamber_needs_no_orientation_and_a_photo_is_drawn():
    state = do(at(f"{WINDING} 0 A=c1"), "reveal d1", "tile crown")
    assert state.tiles[cell("d1")] == 20
    assert texts(state) == ["photo 1", "photo 2", "photo 3", "photo 4", "photo 5"]
    refused(state, "lay NS", "core.chance_first")
    refused(state, "tile tee", "core.chance_first")


# -- 6 Turning ---------------------------------------------------------------------------------------------------------

TURNABLE = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ─ ? ? ?
    ? L ┼ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
""".replace("┼", "┤")


def test_6_1_the_helper_turns_its_own_tile_or_one_it_opens_to_to_another_orientation():
    state = at(f"{TURNABLE} 0 A=c2 H=c3")
    assert texts(state, "turn") == ["c2 EW", "c3 NES", "c3 NEW", "c3 ESW", "c4 NS"]
    assert happen(state, "turn c2 EW") == [
        TileTurned(0, cell("c2"), 5, 10),
        FigureShutIn(0, "archaeologist", cell("c2"), by=0, alone=False),
        FigureShutIn(0, "helper", cell("c3"), by=0, alone=False),
    ]
    turned = do(state, "turn c2 EW")
    assert turned.moves_left == 2
    assert turned.archaeologists[0] == cell("c2")
    assert texts(turned, "archaeologist") == []
    refused(state, "turn c3 NSW", "pharaoh.turn.same")
    refused(state, "turn c3 NS", "pharaoh.turn.shape")
    refused(state, "turn d6 NS", "pharaoh.turn.face_down")
    refused(state, "turn b3 NS", "pharaoh.turn.chamber")


def test_6_1_from_the_start_tile_neighbours_can_be_turned_but_not_the_start_itself():
    state = at(TURNABLE)
    assert texts(state, "turn") == ["c2 EW"]
    refused(state, "turn c1 NS", "pharaoh.turn.start")
    refused(state, "turn c3 NES", "pharaoh.turn.far")


def test_6_1_a_wall_of_the_neighbour_can_be_turned_away_again_and_an_own_one_cannot():
    state = at(f"{TURNABLE} 0 H=c1")
    away = do(state, "turn c2 EW")
    assert texts(away, "turn") == ["c2 NS"]
    assert do(away, "turn c2 NS").tiles == state.tiles
    walled = do(at(f"{TURNABLE} 0 H=c3"), "turn c3 ESW")
    refused(walled, "turn c4 NS", "pharaoh.turn.own_wall")


def test_6_1_option_turn_reach_linked_wants_no_wall_on_either_side():
    state = at(f"{TURNABLE} 0 H=c3", turn_reach="linked")
    assert texts(state, "turn") == ["c2 EW", "c3 NES", "c3 NEW", "c3 ESW"]
    refused(state, "turn c4 NS", "pharaoh.turn.wall")
    away = do(at(f"{TURNABLE} 0 H=c1", turn_reach="linked"), "turn c2 EW")
    error = refused(away, "turn c2 NS", "pharaoh.turn.wall")
    assert str(error) == "c2 has a wall towards your helper on c1; it can turn: none"
    standing_on_it = do(at(f"{TURNABLE} 0 H=c2", turn_reach="linked"), "turn c2 EW")
    assert texts(standing_on_it, "turn") == ["c2 NS"]


def test_6_1_option_no_sealed_tiles_holds_for_turning_too():
    state = do(at(SEALED_CORNER, no_sealed_tiles=True), "reveal a1", "tile corner", "lay NE", "helper a1")
    assert texts(state, "turn") == ["a1 ES", "a1 NW", "a2 NS"]
    refused(state, "turn a1 SW", "pharaoh.turn.sealed")
    assert texts(do(at(RUIN, no_sealed_tiles=True)), "turn") == ["e1 EW"]


def test_6_1_figures_lamps_and_treasure_stay_where_they_are():
    state = at(f"{TURNABLE} 0 A=c2 H=c2 lamps=c2\n 1 A=c2+2\n lying c2=3")
    after = do(state, "turn c2 EW")
    assert (after.archaeologists, after.helpers) == (state.archaeologists, state.helpers)
    assert (after.lamps, after.lying, after.carried) == (state.lamps, state.lying, state.carried)


# -- 7 Lamps -----------------------------------------------------------------------------------------------------------


def test_7_1_a_lamp_from_the_supply_where_the_helper_stands_chambers_included():
    state = at(f"{TURNABLE} 0 H=c2")
    assert happen(state, "lamp") == [LampPutUp(0, cell("c2"), 4)]
    lit = do(state, "lamp")
    assert (lit.lamps[0], lit.supplies[0], lit.moves_left) == (cells("c2"), 4, 2)
    in_chamber = do(at(f"{TURNABLE} 0 H=b3"), "lamp")
    assert in_chamber.lamps[0] == cells("b3")


def test_7_1_not_on_the_start_tile_and_one_per_colour_on_a_cell():
    refused(at(TURNABLE), "lamp", "pharaoh.lamp.start")
    refused(at(f"{TURNABLE} 0 H=c2 lamps=c2"), "lamp", "pharaoh.lamp.lit")
    shared = do(at(f"{TURNABLE} 0 H=c2\n 1 lamps=c2"), "lamp")
    assert shared.lamps == (cells("c2"), cells("c2"))


def test_7_1_no_more_than_the_five_there_are():
    state = at(f"{WINDING} 0 H=e3 lamps=c2,b2,b3,b4,c4")
    error = refused(state, "lamp", "pharaoh.lamp.none")
    assert error.values["lit"] == ("b2", "c2", "b3", "b4", "c4")


def test_7_2_the_own_lamp_is_taken_down_where_the_helper_stands():
    state = at(f"{TURNABLE} 0 H=c2 lamps=c2,c3\n 1 lamps=c2")
    assert happen(state, "unlamp") == [LampTakenDown(0, cell("c2"), 4)]
    after = do(state, "unlamp")
    assert (after.lamps, after.supplies, after.moves_left) == ((cells("c3"), cells("c2")), (4, 4), 2)
    refused(after, "unlamp", "pharaoh.unlamp.none")


@pytest.mark.parametrize("action", ["lamp", "unlamp"])
def test_7_1_only_the_helper_handles_lamps(action):
    state = at(f"{TURNABLE} 0 A=c2 lamps=c3")
    assert action not in texts(state)
