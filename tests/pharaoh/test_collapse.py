"""Chapter 10 of the law: countdown, clock, rings, and what a falling cell takes."""

from __future__ import annotations

import pytest

from serai.pharaoh.rules.events import (
    ChamberFell,
    ClockMoved,
    CountdownWent,
    FigureLost,
    LampLost,
    MaskCarriedOut,
    MaskFound,
    RingFell,
    TreasureBanked,
    TreasureLost,
    TurnEnded,
)
from tests.pharaoh.positions import at, cell, cells, cells_left, do, happen, of_kind, refused, rounds, texts

BEFORE = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    L E ├ ? ? ?
    F I │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
    0 A=c4 photos=2,3,4,5 museum=2,2,2,2,3,3,3,3
"""
"""The last chamber will be found on d4, with a photo that wakes nothing."""
FOUND = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    L E ├ C ? ?
    F I │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
"""
IN_CHAMBER = f"{FOUND} mask d4 finder=0 countdown=3\n"
FALLEN = f"{FOUND.replace('C', 'x')} mask d4 finder=0 clock=0 ring=0\n unseen tee=11 corner=10 straight=6\n"


# -- 10.1 --------------------------------------------------------------------------------------------------------------


def test_10_1_three_turns_of_the_finder_after_the_finding_turn_then_the_chamber_falls_mask_and_all():
    state = do(at(BEFORE), "reveal d4", "tile crown")
    assert of_kind(happen(state, "photo 1"), MaskFound) == [MaskFound(0, cell("d4"), 3)]
    state = do(state, "photo 1")
    for left in (3, 2, 1):
        assert of_kind(happen(state, "end"), CountdownWent) == [CountdownWent(0, left)]
        state = do(state, "end", "end")
        assert (state.countdown, state.clock) == (left, -1)
    events = happen(state, "end")
    assert [type(event) for event in events[:5]] == [TurnEnded, CountdownWent, ChamberFell, TreasureLost, ClockMoved]
    state = do(state, "end")
    assert (state.countdown, state.clock, state.lost) == (0, 0, (5,))
    assert cells_left(state) == 35


def test_10_1_only_the_finders_turns_count():
    state = at(f"{IN_CHAMBER} lying d4=mask\n 2\n turn 1")
    assert of_kind(happen(state, "end"), CountdownWent) == []
    assert do(state, "end", "end").countdown == 3
    assert do(state, "end", "end", "end").countdown == 2


def test_10_1_a_mask_carried_inside_the_chamber_falls_too_with_its_carrier():
    state = at(f"{FOUND} mask d4 finder=0 countdown=1\n 1 A=d4+mask")
    events = happen(state, "end")
    assert of_kind(events, TreasureLost) == [TreasureLost(1, cell("d4"), 5)]
    assert of_kind(events, FigureLost) == [FigureLost(1, "archaeologist", cell("d4"), -2, -2)]
    after = do(state, "end")
    assert (after.clock, after.carried, after.scores()) == (0, (0, 0), (0, -2))


def test_10_1_the_turn_in_which_the_chamber_falls_drops_no_ring():
    state = at(f"{FOUND} lying d4=mask\n mask d4 finder=0 countdown=1")
    assert of_kind(happen(state, "end"), RingFell) == []
    assert of_kind(happen(state, "end", "end", "end"), RingFell)[0].ring == 1


# -- 10.2 --------------------------------------------------------------------------------------------------------------


def test_10_2_leaving_the_chamber_with_the_mask_drops_it_and_ends_the_turn():
    state = at(f"{IN_CHAMBER} 0 A=d4+mask")
    events = happen(state, "archaeologist c4")
    assert of_kind(events, MaskCarriedOut) == [MaskCarriedOut(0, cell("d4"))]
    assert of_kind(events, ChamberFell) == [ChamberFell(cell("d4"))]
    assert of_kind(events, ClockMoved) == [ClockMoved(0)]
    assert of_kind(events, TurnEnded) == [TurnEnded(0, "mask")]
    after = do(state, "archaeologist c4")
    assert (after.actor, after.clock, after.countdown, after.carried[0]) == (1, 0, 0, 5)
    assert (cells_left(after), after.archaeologists[0]) == (35, cell("c4"))


def test_10_2_lifting_and_dropping_the_mask_inside_triggers_nothing():
    state = at(f"{IN_CHAMBER} lying d4=mask\n 0 A=d4")
    after = do(state, "take mask", "drop", "take mask", "drop", "end")
    assert (after.countdown, after.clock, cells_left(after)) == (2, -1, 36)
    walked_out_without = do(state, "take mask", "drop", "archaeologist c4")
    assert (walked_out_without.actor, cells_left(walked_out_without)) == (0, 36)


def test_10_2_anybody_may_carry_it_out_and_is_the_clock_then():
    state = at(f"{IN_CHAMBER} lying d4=mask\n 1 A=d4\n turn 1")
    after = do(state, "take mask", "archaeologist c4")
    assert (after.clock, after.finder, after.countdown, after.actor) == (1, 0, 0, 0)
    assert cells_left(rounds(after, 0)) == 35
    assert cells_left(rounds(after, 1)) == 27


def test_10_2_carried_straight_onto_the_start_it_is_banked_first():
    state = at(f"{IN_CHAMBER} 0 A=d4+mask lamps=c4,c3,c2")
    events = happen(state, "archaeologist c1")
    assert of_kind(events, TreasureBanked) == [TreasureBanked(0, 5, 5)]
    assert of_kind(events, ChamberFell) == [ChamberFell(cell("d4"))]
    after = do(state, "archaeologist c1")
    assert (after.scores()[0], after.clock, after.actor) == (5, 0, 1)
    assert cells_left(rounds(rounds(after, 0), 0)) == 11


def test_10_2_everything_still_in_the_chamber_falls():
    state = at(f"{IN_CHAMBER} 0 A=d4+mask H=d4 lamps=d4\n 1 A=d4 lamps=d4\n lying d4=3")
    events = happen(state, "archaeologist c4")
    assert of_kind(events, FigureLost) == [
        FigureLost(0, "helper", cell("d4"), -1, -1),
        FigureLost(1, "archaeologist", cell("d4"), -2, -2),
    ]
    assert of_kind(events, TreasureLost) == [TreasureLost(-1, cell("d4"), 3)]
    assert of_kind(events, LampLost) == [LampLost(0, cell("d4")), LampLost(1, cell("d4"))]


def test_10_2_option_mask_exit_ends_turn_off_lets_the_turn_go_on_and_drops_a_ring_at_its_end():
    state = at(f"{IN_CHAMBER} 0 A=d4+mask", mask_exit_ends_turn=False)
    out = do(state, "archaeologist c4")
    assert (out.actor, out.moves_left, out.clock, cells_left(out)) == (0, 2, 0, 35)
    after = do(out, "archaeologist c3", "archaeologist c2", "end")
    assert (after.ring, cells_left(after)) == (1, 27)
    assert after.archaeologists[0] == cell("c2")


# -- 10.3 --------------------------------------------------------------------------------------------------------------


def test_10_3_whoever_steals_the_mask_later_is_the_clock():
    state = at(f"{FALLEN} 0 A=c2+mask\n 1 A=c2\n turn 1")
    events = happen(state, "steal 0")
    assert of_kind(events, ClockMoved) == [ClockMoved(1)]
    assert do(state, "steal 0").clock == 1


def test_10_3_whoever_takes_the_mask_left_lying_is_the_clock_until_then_it_stays():
    state = at(f"{FALLEN} 0 A=c2+mask\n 1 A=c2")
    dropped = do(state, "drop")
    assert dropped.clock == 0
    assert do(dropped, "take mask").clock == 0
    assert of_kind(happen(dropped, "take mask"), ClockMoved) == []
    left_lying = do(dropped, "end")
    assert (left_lying.clock, left_lying.ring) == (0, 1)
    assert do(left_lying, "take mask").clock == 1


def test_10_3_inside_the_standing_chamber_stealing_changes_neither_countdown_nor_clock():
    state = at(f"{IN_CHAMBER} 0 A=d4+mask\n 1 A=d4\n turn 1")
    after = do(state, "steal 0")
    assert (after.clock, after.countdown, after.finder) == (-1, 3, 0)
    assert of_kind(happen(state, "steal 0"), ClockMoved) == []


def test_10_3_banked_or_lost_the_clock_stays_who_it_was():
    banked = do(at(f"{FALLEN} 0 A=c2+mask"), "archaeologist c1")
    assert (banked.clock, banked.museums[0]) == (0, (5,))
    assert cells_left(do(banked, "end")) == 27
    lost = do(at(f"{FALLEN} 0 A=c3+mask"), "end")
    assert (lost.clock, lost.lost, lost.ring) == (0, (5,), 1)
    assert cells_left(rounds(lost, 0)) == 11


# -- 10.4 --------------------------------------------------------------------------------------------------------------


def test_10_4_a_ring_falls_at_the_end_of_every_turn_of_the_clock_and_of_nobody_else():
    state = at(f"{FALLEN} 0 A=c2+mask\n 2")
    events = happen(state, "end")
    ring = ("c3", "d3", "e3", "c4", "e4", "c5", "d5", "e5")
    assert of_kind(events, RingFell) == [RingFell(1, cells(*ring), 6)]
    after = do(state, "end")
    assert cells_left(after) == 27
    assert cells_left(do(after, "end", "end")) == 27


def test_10_4_a_turn_in_which_somebody_steals_the_mask_ends_with_a_ring():
    state = at(f"{FALLEN} 0 A=c2+mask\n 1 A=c2\n 2\n turn 1")
    after = do(state, "steal 0", "archaeologist c1", "end")
    assert (after.ring, after.clock) == (1, 1)
    # seat 0 is not the clock any more
    assert do(after, "end", "end").ring == 1


def test_10_4_option_ring_rook_counts_city_blocks():
    state = at(f"{FALLEN} 0 A=c2+mask\n 1", ring="rook")
    assert of_kind(happen(state, "end"), RingFell) == [RingFell(1, cells("d3", "c4", "e4", "d5"), 3)]
    left = []
    while not state.over:
        state = rounds(state, 0)
        left.append(cells_left(state))
    assert left == [31, 23, 13, 6, 2, 1]


@pytest.mark.parametrize("ring", ["king", "rook"])
def test_10_4_the_start_tile_never_falls(ring):
    state = at(f"{FALLEN} 0 H=c1\n 1\n lost mask", ring=ring)
    while not state.over:
        state = do(state, "end")
    assert [code for code in state.tiles if code != 22] == [21]
    assert state.helpers == (cell("c1"), cell("c1"))
    assert state.scores() == (0, 0)


# -- 10.5 and 10.6 -----------------------------------------------------------------------------------------------------


def test_10_5_a_ring_takes_figures_treasures_lamps_and_hidden_tiles():
    state = at(f"""{FALLEN}
        0 A=c4+3 H=c3 lamps=c3,c4
        1 A=c2+mask H=c4 lamps=c3,c2 supply=2
        lying c4=2,3 c2=2
    """)
    events = happen(state, "end")
    assert of_kind(events, FigureLost) == [
        FigureLost(0, "archaeologist", cell("c4"), -2, -2),
        FigureLost(0, "helper", cell("c3"), -1, -3),
        FigureLost(1, "helper", cell("c4"), -1, -1),
    ]
    assert of_kind(events, TreasureLost) == [
        TreasureLost(0, cell("c4"), 3),
        TreasureLost(-1, cell("c4"), 2),
        TreasureLost(-1, cell("c4"), 3),
    ]
    assert of_kind(events, LampLost) == [LampLost(0, cell("c3")), LampLost(0, cell("c4")), LampLost(1, cell("c3"))]
    assert of_kind(events, RingFell)[0].unseen == 6
    after = do(state, "end")
    assert after.scores() == (-3, -1)
    assert (after.archaeologists, after.helpers) == ((-1, cell("c2")), (-1, -1))
    assert (after.lamps, after.supplies) == (((), cells("c2")), (3, 2))
    assert (after.carried, after.lying, after.lost) == ((0, 5), ((cell("c2"), 2),), (2, 3, 3))
    assert after.unseen == state.unseen


def test_10_5_a_lost_figure_never_returns():
    state = do(at(f"{FALLEN} 0 A=c4 H=c4\n 1\n lost mask"), "end", "end")
    assert texts(state) == ["end"]


def test_10_6_nobody_walks_reveals_or_turns_where_cells_have_fallen():
    state = do(at(f"{FALLEN} 0 A=c2 H=c2\n 1 A=c2\n lost mask"), "end")
    refused(state, "archaeologist c3", "pharaoh.walk.fallen")
    refused(state, "reveal c3", "pharaoh.reveal.fallen")
    state = do(state, "end")
    assert texts(state, "archaeologist") == ["c1"]
    assert texts(state, "turn") == ["c2 EW"]
    refused(state, "turn c3 EW", "pharaoh.turn.fallen")
    refused(state, "helper c3", "pharaoh.walk.fallen")
