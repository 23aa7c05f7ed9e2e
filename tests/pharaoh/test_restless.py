"""Rule 11.5: a pyramid in which nothing happens grows restless and falls by itself."""

from __future__ import annotations

import msgspec
import pytest

from serai.pharaoh.rules.board import CORNER_CELLS, ENTRANCES
from serai.pharaoh.rules.events import (
    Calmed,
    ChamberFell,
    ClockMoved,
    CollapseBegan,
    CountdownWent,
    FigureLost,
    GameEnded,
    LampLost,
    MaskCarriedOut,
    MaskFound,
    RingFell,
    Rumbled,
    TreasureLost,
    TurnBegan,
    TurnEnded,
)
from serai.pharaoh.text.position import parse_position, write_position
from tests.pharaoh.positions import CORRIDOR, GAME, at, cell, cells_left, do, happen, of_kind
from tests.pharaoh.test_collapse import BEFORE, FOUND

OUTSIDE = """
    ? ? ? ? ? x
    ? ? ? ? ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
    restless f6 ring=0
"""
"""The corridor, with the first corner fallen."""
LATE = f"""{BEFORE.replace("? ? ? ? ? ?", "? ? ? ? ? x", 1)}
    restless f6 ring=0
"""
"""The pyramid falls by itself, and the last chamber is still to be found on d4."""
MASK_FOUND_LATE = f"""{FOUND.replace("? ? ? ? ? ?", "? ? ? ? ? x", 1)}
    restless f6 ring=0
    mask d4 finder=0
"""


def quietly(state, rounds):
    """Everybody ends their turn, for so many rounds."""
    for _ in range(rounds * state.players):
        state = do(state, "end")
    return state


# -- 11.5 --------------------------------------------------------------------------------------------------------------


def test_11_5_by_the_book_the_pyramid_never_grows_restless():
    state = GAME.new(players=2)
    assert state.options.restless is None
    still = quietly(state, 79)
    assert (cells_left(still), still.centre, still.stirred, still.actor) == (36, -1, 0, 0)


def test_11_5_after_so_many_quiet_rounds_it_falls_by_itself():
    state = quietly(GAME.new(players=3, restless=4), 3)
    assert cells_left(quietly(do(state, "end", "end"), 0)) == 36
    events = happen(state, "end", "end", "end")
    assert [type(event) for event in events] == [TurnEnded, CollapseBegan, TurnBegan]
    assert cells_left(do(state, "end", "end", "end")) == 35


def test_11_5_a_round_ends_when_the_turn_comes_back_to_first():
    state = do(GAME.new(players=3, first=1, restless=2), "end", "end")
    assert of_kind(happen(state, "end"), Rumbled) != []
    state = do(state, "end", "end", "end")
    assert of_kind(happen(state, "end"), CollapseBegan) != []
    assert do(state, "end").turn == 1


# -- 11.5.1 ------------------------------------------------------------------------------------------------------------


def test_11_5_1_the_first_round_counts_and_a_reveal_makes_a_round_count_no_more():
    state = GAME.new(players=2, restless=3)
    assert of_kind(happen(quietly(state, 1), "end", "end"), Rumbled) != []
    revealed = do(state, "reveal c2", "tile tee", "lay NES", "end", "end")
    assert revealed.stirred == 1
    assert of_kind(happen(quietly(revealed, 1), "end", "end"), Rumbled) != []
    assert of_kind(happen(revealed, "end", "end"), Rumbled) == []


def test_11_5_1_points_that_rise_make_a_round_count_no_more():
    state = at(f"{CORRIDOR} 0 A=c2+3\n turn 0 round=3", restless=4)
    assert do(state, "archaeologist c1").stirred == 3
    chamber = at(f"{CORRIDOR} 0 A=c4\n turn 0 round=3", restless=4)
    assert do(chamber, "reveal c5", "tile lotus", "photo 1", "treasure 2").stirred == 3


@pytest.mark.parametrize(
    "actions",
    [
        ("archaeologist c3",),
        ("take 2", "drop", "take 2"),
        ("helper c2",),
        ("turn c2 EW",),
        ("lamp", "unlamp"),
    ],
    ids="/".join,
)
def test_11_5_1_neither_walking_nor_taking_nor_turning_nor_lamps_are_enough(actions):
    state = at(f"{CORRIDOR} 0 A=c4 H=c3\n lying c4=2\n turn 0 round=3", restless=4)
    assert do(state, *actions).stirred == 0


def test_11_5_1_stealing_and_points_that_are_lost_are_not_enough():
    state = at(f"{CORRIDOR} 0 A=c4\n 1 A=c4+3\n turn 0 round=2", restless=3)
    after = do(state, "steal 1", "end", "end")
    assert (after.stirred, after.centre) == (0, cell("f6"))
    falling = at(f"{OUTSIDE} 0 A=c4 \n turn 1 round=9", restless=3)
    assert do(falling, "end").stirred == 0


# -- 11.5.2 ------------------------------------------------------------------------------------------------------------


def test_11_5_2_it_is_announced_to_everybody_one_round_before():
    state = quietly(GAME.new(players=2, restless=4), 2)
    assert state.centre == -1
    events = happen(state, "end", "end")
    assert [type(event) for event in events] == [TurnEnded, Rumbled, TurnBegan]
    assert events[1] == Rumbled(cell("f6"))
    announced = do(state, "end", "end")
    for seat in (None, 0, 1):
        assert events[1].seen_by(seat) == events[1]
        seen = announced.seen_by(seat)
        assert (seen.centre, seen.falls[cell("f6")], seen.falls[cell("a1")]) == (cell("f6"), 0, 5)
    assert (announced.falling, cells_left(announced)) == (False, 36)


def test_11_5_2_a_tile_revealed_or_points_call_it_off_at_once_and_the_count_begins_anew():
    state = at(f"{CORRIDOR} 0 A=c2+3\n 1 A=c4\n turn 0 round=4", restless=4)
    assert state.centre == cell("f6")
    assert of_kind(happen(state, "archaeologist c1"), Calmed) == [Calmed()]
    assert of_kind(happen(state, "end", "reveal c5"), Calmed) == [Calmed()]
    calm = do(state, "archaeologist c1")
    assert (calm.centre, calm.falls, calm.stirred) == (-1, (), 4)
    assert of_kind(happen(calm, "end", "reveal c5"), Calmed) == []
    later = quietly(do(calm, "end", "end"), 2)
    assert (later.round, later.centre) == (7, -1)
    assert do(later, "end", "end").centre == cell("f6")
    assert do(later, "end", "end", "end", "end").falling


def test_11_5_2_with_the_option_at_1_every_round_begins_with_the_announcement():
    state = GAME.new(players=2, restless=1)
    assert state.centre == cell("f6")
    assert do(state, "end", "end").falling
    calm = do(state, "reveal c2", "tile tee", "lay NES")
    assert calm.centre == -1
    assert of_kind(happen(calm, "end", "end"), Rumbled) == [Rumbled(cell("f6"))]


# -- 11.5.3 ------------------------------------------------------------------------------------------------------------

CHAMBERS = """
    ? ? ? ? ? ?
    L ? ? ? E ?
    ? ? │ ? ? F
    ? ? │ ? ? ?
    ? ? │ ? I ?
    ? ? S ? ? ?
    turn 0 round=2
"""


def test_11_5_3_it_begins_at_the_chamber_with_most_steps_to_the_start_and_of_several_at_the_last():
    for ring in ("king", "rook"):
        assert at(CHAMBERS, restless=2, ring=ring).centre == cell("e5")
        assert at(CHAMBERS.replace("E", "?"), restless=2, ring=ring).centre == cell("a5"), "a5 and f4 are 6 steps away"
    assert at(CHAMBERS.replace("E", "?").replace("L", "?"), restless=2).centre == cell("f4")
    assert at(CORRIDOR.replace("? ? │", "? I │", 1) + "turn 0 round=2", restless=2).centre == cell("b4")


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_11_5_3_without_a_chamber_at_the_corner_farthest_from_the_start(entrance):
    start = cell(entrance)
    steps = {corner: abs(corner // 6 - start // 6) + abs(corner % 6 - start % 6) for corner in CORNER_CELLS}
    corner = GAME.new(players=2, restless=1, entrance=entrance).centre
    assert max(steps.values()) == steps.pop(corner) > max(steps.values()), "there is only one"


def test_11_5_3_that_cell_falls_with_everything_on_it():
    state = at(
        f"""{CHAMBERS.replace("turn 0", "turn 1")}
        0 A=e5+3 lamps=e5 photos=1
        1 A=c2 H=e5
        lying e5=2""",
        restless=2,
    )
    events = happen(state, "end")
    assert of_kind(events, CollapseBegan) == [CollapseBegan(cell("e5"))]
    assert of_kind(events, FigureLost) == [
        FigureLost(0, "archaeologist", cell("e5"), -2, -1),
        FigureLost(1, "helper", cell("e5"), -1, -1),
    ]
    assert of_kind(events, TreasureLost) == [TreasureLost(0, cell("e5"), 3), TreasureLost(-1, cell("e5"), 2)]
    assert of_kind(events, LampLost) == [LampLost(0, cell("e5"))]
    after = do(state, "end")
    assert (cells_left(after), after.scores(), after.lost) == (35, (-1, -1), (2, 3))


# -- 11.5.4 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ring", "left"), [("king", [35, 32, 27, 20, 11, 1]), ("rook", [35, 33, 30, 26, 21, 15])])
def test_11_5_4_a_ring_falls_at_the_end_of_each_full_round(ring, left):
    state = quietly(GAME.new(players=3, restless=2, ring=ring, first=2), 2)
    seen = [cells_left(state)]
    while not state.over and len(seen) < 6:
        after = do(state, "end", "end")
        assert cells_left(after) == seen[-1]
        events = happen(after, "end")
        state = do(after, "end")
        assert [event.ring for event in of_kind(events, RingFell)] == [len(seen)]
        seen.append(cells_left(state))
    assert seen == left


def test_11_5_4_the_player_before_first_is_the_clock_and_nothing_stops_it():
    state = quietly(GAME.new(players=3, restless=2, first=1), 2)
    assert (state.clock, state.ring, state.falling, state.falls_by_itself) == (0, 0, True, True)
    state = do(state, "reveal c2", "tile tee", "lay NES")
    assert (state.clock, state.stirred) == (0, 0)
    assert of_kind(happen(state, "end", "end", "end"), RingFell)[0].ring == 1
    assert of_kind(happen(state, "end", "end", "end"), Rumbled) == []


# -- 11.5.5 ------------------------------------------------------------------------------------------------------------


def test_11_5_5_what_was_never_found_falls_with_its_tile_and_nothing_is_drawn_for_it():
    state = quietly(GAME.new(players=2, restless=2), 2)
    end = quietly(state, 5)
    assert (end.over, cells_left(end)) == (True, 1)
    assert (sum(end.unseen), sum(end.stack), end.mask_chamber) == (35, 8, -1)
    assert of_kind(happen(do(state, "end"), "end"), RingFell)[0].unseen == 3


def test_11_5_5_a_tile_revealed_later_is_drawn_from_all_not_seen():
    state = at(f"{OUTSIDE} 0 A=c4\n turn 0 round=9", restless=2)
    assert do(state, "reveal c5").weights() == (12, 10, 5, 1, 1, 1, 1, 1)


def test_11_5_5_an_action_taken_back_takes_back_the_announcement_and_the_fall():
    state = at(f"{CORRIDOR} turn 1 round=2", restless=3)
    assert not state.falls
    announced = do(state, "end")
    assert announced.falls
    assert do(announced, "end", "end").falling
    assert do(state, "end") == announced
    text, options = write_position(announced), msgspec.to_builtins(announced.options)
    assert parse_position(text, GAME.new, **options) == announced


# -- 11.5.6 ------------------------------------------------------------------------------------------------------------


def test_11_5_6_if_the_mask_is_found_before_the_fall_begins_only_chapter_10_counts():
    state = at(f"{BEFORE} turn 0 round=4", restless=4)
    assert state.centre == cell("a4")
    found = do(state, "reveal d4", "tile crown", "photo 1")
    assert (found.countdown, found.centre, found.clock) == (4, cell("d4"), -1)
    events = []
    while not found.over:
        events += happen(found, "end")
        found = do(found, "end")
    assert of_kind(events, Rumbled) == of_kind(events, CollapseBegan) == []
    assert (len(of_kind(events, ChamberFell)), len(of_kind(events, RingFell))) == (1, 3)


def test_11_5_6_found_while_it_falls_the_mask_is_a_treasure_like_any_other():
    state = at(f"{LATE} turn 0 round=9", restless=4)
    found = do(state, "reveal d4", "tile crown")
    assert of_kind(happen(found, "photo 1"), MaskFound) == [MaskFound(0, cell("d4"), 0)]
    found = do(found, "photo 1")
    assert (found.countdown, found.clock, found.finder, found.centre) == (0, 1, 0, cell("f6"))
    assert of_kind(happen(found, "end"), CountdownWent) == []
    inside = do(found, "archaeologist d4")
    assert of_kind(happen(inside, "take mask"), ClockMoved) == []
    out = do(inside, "take mask", "archaeologist c4")
    assert (out.clock, out.actor, cells_left(out)) == (1, 0, 35)
    assert of_kind(happen(inside, "take mask", "archaeologist c4"), MaskCarriedOut) == []


def test_11_5_6_whoever_steals_that_mask_does_not_become_the_clock():
    state = at(f"{MASK_FOUND_LATE} 0 A=c2+mask\n 1 A=c2\n 2\n turn 1 round=9", restless=4)
    assert (state.clock, do(state, "steal 0").clock) == (2, 2)
    assert of_kind(happen(state, "steal 0", "end"), RingFell) == []
    assert do(state, "steal 0", "archaeologist c1").scores() == (0, 5, 0)


def test_11_5_6_its_chamber_falls_with_its_ring():
    state = at(f"{MASK_FOUND_LATE} lying d4=mask\n turn 1 round=9", restless=4)
    assert do(state, "end").lost == ()
    assert of_kind(happen(state, "end", "end", "end"), TreasureLost) == [TreasureLost(-1, cell("d4"), 5)]


# -- 11.5.7 ------------------------------------------------------------------------------------------------------------


def test_11_5_7_at_the_end_of_the_last_round_what_is_due_falls_first_and_nothing_is_announced():
    state = at(f"{CORRIDOR} turn 1 round=4", restless=4, max_rounds=4)
    events = happen(state, "end")
    assert [type(event) for event in events[:2]] == [TurnEnded, CollapseBegan]
    assert of_kind(events, GameEnded)[0].why == "rounds"
    assert cells_left(do(state, "end")) == 35
    state = at(f"{CORRIDOR} turn 1 round=3", restless=4, max_rounds=3)
    assert of_kind(happen(state, "end"), Rumbled) == []
    assert do(state, "end").over


def test_11_5_7_the_game_ends_when_only_the_start_tile_is_left():
    state = quietly(GAME.new(players=2, restless=2), 6)
    assert (state.over, cells_left(state)) == (False, 11)
    assert of_kind(happen(state, "end", "end"), GameEnded)[0].why == "collapse"
