"""Chapters 8 and 9 of the law: carrying treasure, and what a newly found chamber sets going."""

from __future__ import annotations

import itertools

import msgspec
import pytest

import serai
from serai.pharaoh.rules.events import (
    CurseSpread,
    FigureFled,
    LampBlownOut,
    MaskFound,
    MummyWoke,
    OmenSlept,
    PhotoTaken,
    TreasureBanked,
    TreasureDropped,
    TreasureLaidOut,
    TreasureStolen,
    TreasureTaken,
    TurnBegan,
    TurnEnded,
    Walked,
)
from serai.pharaoh.rules.pieces import CHAMBER_NAMES, PHOTOS
from serai.pharaoh.rules.ways import shortest_way
from tests.pharaoh.positions import CORRIDOR, GAME, at, cell, cells, do, happen, of_kind, refused, texts

TWO_WAYS = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ┌ ┴ ┐ ? ?
    ? │ ? │ ? ?
    ? └ S ┘ ? ?
"""
"""A chamber found on c4 will have two equally short ways to the start tile on c1."""


# -- 8 Treasure --------------------------------------------------------------------------------------------------------


def test_8_1_take_one_treasure_equal_ones_being_one_action():
    state = at(f"{CORRIDOR} 0 A=c3\n lying c3=2,2,3 c2=3")
    assert texts(state, "take") == ["2", "3"]
    assert happen(state, "take 2") == [TreasureTaken(0, cell("c3"), 2)]
    after = do(state, "take 2")
    assert after.carried == (2, 0)
    assert after.lying == ((cell("c2"), 3), (cell("c3"), 2), (cell("c3"), 3))
    refused(after, "take 3", "pharaoh.hands_full")
    refused(state, "take mask", "pharaoh.take.absent")


def test_8_1_drop_leaves_it_lying_for_anybody_the_dropper_too_at_once():
    state = at(f"{CORRIDOR} 0 A=c3+3\n 1 A=c3")
    assert happen(state, "drop") == [TreasureDropped(0, cell("c3"), 3)]
    dropped = do(state, "drop")
    assert (dropped.carried[0], dropped.lying) == (0, ((cell("c3"), 3),))
    assert do(dropped, "take 3").carried == (3, 0)
    assert do(dropped, "end", "take 3").carried == (0, 3)
    refused(dropped, "drop", "pharaoh.drop.empty")


def test_8_1_the_helper_carries_nothing():
    state = at(f"{CORRIDOR} 0 H=c3\n lying c3=2")
    assert texts(state, "take") == []
    error = refused(state, "take 2", "pharaoh.take.absent")
    assert str(error) == "no 2 lies on c1, where your archaeologist is; there lies: none"


def test_8_1_treasure_walks_along_with_its_carrier():
    state = do(at(f"{CORRIDOR} 0 A=c4+3"), "archaeologist c3")
    assert (state.carried[0], state.archaeologists[0], state.lying) == (3, cell("c3"), ())


def test_8_2_steal_from_an_archaeologist_on_the_same_cell():
    state = at(f"{CORRIDOR} 0 A=c3\n 1 A=c3+3\n 2 A=c3\n 3 A=c2+2")
    assert texts(state, "steal") == ["1"]
    assert happen(state, "steal 1") == [TreasureStolen(0, 1, cell("c3"), 3)]
    after = do(state, "steal 1")
    assert (after.carried, after.moves_left, after.acts_left) == ((3, 0, 0, 2), 3, 11)
    assert texts(do(after, "end"), "steal") == ["0"]
    refused(state, "steal 2", "pharaoh.steal.nothing")
    refused(state, "steal 3", "pharaoh.steal.apart")
    refused(state, "steal 0", "pharaoh.steal.self")
    refused(at(f"{CORRIDOR} 0 A=c3\n 1 A=c3+3"), "steal 2", "pharaoh.steal.seat")


def test_8_2_only_with_empty_hands():
    state = at(f"{CORRIDOR} 0 A=c3+2\n 1 A=c3+3")
    refused(state, "steal 1", "pharaoh.hands_full")
    assert do(state, "drop", "steal 1").carried == (3, 0)


def test_8_3_arriving_on_the_start_tile_banks_at_once():
    state = at(f"{CORRIDOR} 0 A=c2+3 museum=2")
    assert happen(state, "archaeologist c1") == [
        Walked(0, "archaeologist", (cell("c2"), cell("c1"))),
        TreasureBanked(0, 3, 5),
    ]
    after = do(state, "archaeologist c1")
    assert (after.carried[0], after.museums[0], after.scores()[0]) == (0, (2, 3), 5)
    assert (after.actor, after.moves_left) == (0, 2)
    assert "drop" not in texts(after)


def test_8_3_a_lit_run_onto_the_start_banks_too():
    state = do(at(f"{CORRIDOR} 0 A=c4+3 lamps=c2,c3"), "archaeologist c1")
    assert state.scores()[0] == 3


def test_8_4_scores_are_public_and_option_hide_scores_only_covers_them_on_screen():
    hidden = at(f"{CORRIDOR} 0 museum=3,2", hide_scores=True)
    assert hidden.seen_by(1).scores() == (5, 0)
    covered = "  A a  Seat 0       ?       0   5/5   2 treasures"
    shown = "  A a  Seat 0       5       0   5/5   2+3"
    assert covered.replace("  A", "▸ A") in GAME.text.draw(hidden, seat=1)
    assert shown.replace("  A", "▸ A") in GAME.text.draw(at(f"{CORRIDOR} 0 museum=3,2"), seat=1)
    assert shown.replace("  A", "★ A") in GAME.text.draw(
        at(f"{CORRIDOR} 0 museum=3,2\n over", hide_scores=True), seat=1
    )


# -- 9 Finding a chamber -----------------------------------------------------------------------------------------------


def test_9_1_the_photo_counts_from_the_moment_it_is_drawn_and_treasures_are_laid_out():
    state = do(at(f"{CORRIDOR} 0 A=c4"), "reveal c5", "tile ibis")
    assert state.scores() == (0, 0)
    assert of_kind(happen(state, "photo 5"), PhotoTaken) == [PhotoTaken(0, cell("c5"), 5, 3, "mummy", 1)]
    state = do(state, "photo 5")
    assert (state.scores(), state.due) == ((1, 0), 3)
    assert happen(state, "treasure 3") == [TreasureLaidOut(cell("c5"), 3)]
    state = do(state, "treasure 3", "treasure 2", "treasure 3")
    assert state.lying == ((cell("c5"), 2), (cell("c5"), 3), (cell("c5"), 3))
    assert state.stack == (3, 2)


FOUR_FOUND = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? L │ ? ? ?
    ? E │ ? ? ?
    ? F │ I ? ?
    ? ? S ? ? ?
    0 A=c4 photos={photos} museum=2,2,2,2,3,3,3,3
"""


@pytest.mark.parametrize("order", list(itertools.permutations(range(1, 6))))
def test_9_1_with_every_order_of_photos_the_mask_is_the_last_treasure_of_the_fifth(order):
    """Five chambers in a row, c2 to c6, found one after the other from the cell before."""
    state = GAME.new(players=2)
    draws = 0
    for row, (photo, name) in enumerate(zip(order, CHAMBER_NAMES, strict=True), start=2):
        assert state.mask_chamber == -1
        state = msgspec.structs.replace(state, actor=0, turn=0, moves_left=3, archaeologists=(cell(f"c{row - 1}"), 2))
        state = do(state, f"reveal c{row}", f"tile {name}", f"photo {photo}")
        while state.actor is serai.CHANCE:
            draws += 1
            state = state.apply(state.actions()[-1])
        assert len([value for place, value in state.lying if place == cell(f"c{row}")]) == PHOTOS[photo - 1].treasures
    assert (draws, state.stack) == (8, (0, 0))
    assert (state.mask_chamber, state.finder) == (cell("c6"), 0)
    assert (cell("c6"), 5) in state.lying


def test_9_1_with_an_empty_stack_the_mask_comes_without_a_draw():
    state = do(at(FOUR_FOUND.format(photos="2,3,4,5")), "reveal c5", "tile crown")
    events = happen(state, "photo 1")
    assert of_kind(events, MaskFound) == [MaskFound(0, cell("c5"), 3)]
    after = do(state, "photo 1")
    assert (after.actor, after.lying, after.countdown) == (0, ((cell("c5"), 5),), 4)


def test_9_2_all_equally_short_ways_count_and_lamps_do_not_shorten_them():
    state = at(f"{TWO_WAYS} 0 A=c3 lamps=b1,b2,b3")
    found = do(state, "reveal c4", "tile eye")
    way = shortest_way(found.tiles, cell("c4"), cell("c1"))
    assert sorted(way) == sorted(cells("c4", "c3", "b3", "d3", "b2", "d2", "b1", "d1", "c1"))
    assert (way[0], way[-1]) == (cell("c4"), cell("c1"))


def test_9_2_a_longer_way_does_not_count():
    state = at("""
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ┌ ┤ ? ? ?
        ? │ │ ? ? ?
        ? └ S ? ? ?
        0 A=c3 H=b2
        1 A=b3 H=c2
    """)
    assert texts(state, "archaeologist") == ["c2", "b3"]
    after = do(state, "reveal c4", "tile eye", "photo 3", "treasure 2", "treasure 2")
    assert after.archaeologists == (cell("c1"), cell("b3"))
    assert after.helpers == (cell("b2"), cell("c1"))


def test_9_3_the_mummy_frightens_everybody_on_both_of_two_equally_short_ways_the_finder_too():
    state = at(f"{TWO_WAYS} 0 A=c3 H=b2\n 1 A=d2 H=d3\n 2 A=b3 H=c1")
    found = do(state, "reveal c4", "tile eye", "photo 3", "treasure 2")
    events = happen(found, "treasure 3")
    assert of_kind(events, MummyWoke)[0].way[0] == cell("c4")
    assert of_kind(events, FigureFled) == [
        FigureFled(0, "archaeologist", cell("c3")),
        FigureFled(0, "helper", cell("b2")),
        FigureFled(1, "archaeologist", cell("d2")),
        FigureFled(1, "helper", cell("d3")),
        FigureFled(2, "archaeologist", cell("b3")),
    ]
    after = do(found, "treasure 3")
    assert after.archaeologists == after.helpers == (cell("c1"),) * 3
    assert after.lying == ((cell("c4"), 2), (cell("c4"), 3))


def test_9_3_a_frightened_carrier_leaves_the_treasure_where_it_was():
    state = at(f"{TWO_WAYS} 0 A=c3+3\n 1 A=d2+2")
    found = do(state, "reveal c4", "tile eye", "photo 3", "treasure 2")
    assert of_kind(happen(found, "treasure 2"), TreasureDropped) == [
        TreasureDropped(0, cell("c3"), 3, frightened=True),
        TreasureDropped(1, cell("d2"), 2, frightened=True),
    ]
    after = do(found, "treasure 2")
    assert after.carried == (0, 0)
    assert after.lying == ((cell("d2"), 2), (cell("c3"), 3), (cell("c4"), 2), (cell("c4"), 2))
    assert after.scores() == (1, 0)


def test_9_3_option_frightened_drop_off_banks_what_was_carried():
    state = at(f"{TWO_WAYS} 0 A=c3+3\n 1 A=d2+2", frightened_drop=False)
    found = do(state, "reveal c4", "tile eye", "photo 3", "treasure 2")
    assert of_kind(happen(found, "treasure 2"), TreasureBanked) == [TreasureBanked(0, 3, 4), TreasureBanked(1, 2, 2)]
    after = do(found, "treasure 2")
    assert after.scores() == (4, 2)
    assert after.changed == (after.plies, after.plies)


def test_9_3_the_mask_is_never_concerned():
    """It comes with the last chamber, so no mummy wakes while somebody carries it."""
    state = do(at(FOUR_FOUND.format(photos="1,2,4,5")), "reveal c5", "tile crown", "photo 3")
    assert state.mask_chamber == cell("c5")
    assert sum(state.unseen[3:]) == 0


def test_9_4_the_curse_puts_out_lamps_of_several_players_on_the_shortest_way():
    state = at(f"{TWO_WAYS} 0 A=c3 lamps=b1,b2,c3\n 1 lamps=b1,d3\n 2 H=d1", entrance="c1")
    found = do(state, "reveal c4", "tile falcon", "photo 2")
    events = happen(found, "treasure 3")
    assert len(of_kind(events, CurseSpread)) == 1
    assert of_kind(events, LampBlownOut) == [
        LampBlownOut(0, cell("b1")),
        LampBlownOut(0, cell("b2")),
        LampBlownOut(0, cell("c3")),
        LampBlownOut(1, cell("b1")),
        LampBlownOut(1, cell("d3")),
    ]
    after = do(found, "treasure 3")
    assert (after.lamps, after.supplies) == (((), (), ()), (5, 5, 5))
    assert after.helpers[2] == cell("d1")


def test_9_4_lamps_beside_the_shortest_way_stay_lit():
    state = at("""
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ┌ ┤ ? ? ?
        ? │ │ ? ? ?
        ? └ S ? ? ?
        0 A=c3 lamps=b2,c2
    """)
    after = do(state, "reveal c4", "tile falcon", "photo 4", "treasure 3", "treasure 3")
    assert (after.lamps[0], after.supplies[0]) == (cells("b2"), 4)


def test_9_5_the_event_ends_the_finders_turn_even_if_it_hits_nothing():
    state = at(f"{CORRIDOR} 0 A=c1")
    found = do(state, "reveal b1", "tile lotus", "photo 2")
    events = happen(found, "treasure 2")
    assert of_kind(events, TurnEnded) == [TurnEnded(0, "omen")]
    assert of_kind(events, TurnBegan) == [TurnBegan(1, 1)]
    after = do(found, "treasure 2")
    assert (after.actor, after.moves_left) == (1, 3)


def test_9_5_without_mummy_or_curse_the_turn_goes_on():
    after = do(at(f"{CORRIDOR} 0 A=c4"), "reveal c5", "tile ibis", "photo 1", "treasure 3")
    assert (after.actor, after.moves_left) == (0, 2)
    assert texts(after, "archaeologist") == ["c3", "c5"]


CUT_OFF = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? │ ? ? ?
    ? ? ─ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
    0 A=c4 lamps=c4
    1 A=c2 H=c4
"""


@pytest.mark.parametrize(("photo", "omen"), [("photo 3", "mummy"), ("photo 4", "curse")])
def test_9_5_with_no_way_at_all_nothing_happens_and_the_turn_goes_on(photo, omen):
    found = do(at(CUT_OFF), "reveal c5", "tile ibis", photo, "treasure 2")
    events = happen(found, "treasure 2")
    assert of_kind(events, OmenSlept) == [OmenSlept(0, omen)]
    after = do(found, "treasure 2")
    assert (after.actor, after.moves_left) == (0, 2)
    assert (after.archaeologists, after.lamps) == (found.archaeologists, found.lamps)


def test_9_5_option_event_without_way_ends_turn():
    found = do(at(CUT_OFF, event_without_way_ends_turn=True), "reveal c5", "tile ibis", "photo 3", "treasure 2")
    after = do(found, "treasure 2")
    assert (after.actor, after.archaeologists) == (1, found.archaeologists)
    plain = do(at(CUT_OFF, event_without_way_ends_turn=True), "reveal c5", "tile ibis", "photo 1", "treasure 2")
    assert plain.actor == 0


def test_9_5_while_chance_draws_nobody_else_acts():
    state = do(at(f"{CORRIDOR} 0 A=c4"), "reveal c5")
    assert state.actor is serai.CHANCE
    refused(state, "end", "core.chance_first")
    refused(do(state, "tile tee"), "tile tee", "core.player_first")
