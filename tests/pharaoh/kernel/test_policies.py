"""The compiled policy does the obvious thing in positions that anybody would play so."""

from __future__ import annotations

import pytest

from serai.pharaoh.kernel.bridge import to_row
from serai.pharaoh.policy.choose import promising, style_action
from serai.pharaoh.policy.helper import shut_in
from tests.pharaoh.positions import CORRIDOR, GAME, at, do

RUIN = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? │ x ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
    0 A=c3 H=c3
    1 museum=mask
    mask d4 finder=1 clock=1 ring=0
    turn 0
"""
CELL = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ─ ? ? ?
    ? │ C │ ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
"""
"""The tile on C leads nowhere but south, if anywhere."""
TEES = ("NES", "NSW")
FAR_MASK = CORRIDOR.replace("? ? ? ? ? ?", "? ? ? ? ? C", 1)
NEAR_MASK = CORRIDOR.replace("? ? │ ? ? ?", "? ? C ? ? ?", 1)


def thinks(text: str, style: str = "jackal", seed: int = 1) -> str:
    return str(style_action(at(text), style, seed))


def turn(text: str, style: str = "jackal") -> list[str]:
    """What a player does in one turn."""
    state = at(text)
    done: list[str] = []
    seat = state.actor
    while state.actor == seat:
        done.append(str(style_action(state, style, len(done))))
        state = do(state, done[-1])
    return done


def test_it_takes_the_dearest_treasure_underfoot_and_carries_it_home():
    assert turn(f"{CORRIDOR} 0 A=c4 supply=0\n lying c4=2,3")[:4] == [
        "take 3",
        "archaeologist c3",
        "archaeologist c2",
        "archaeologist c1",
    ]


def test_a_jackal_robs_whoever_it_reaches_and_a_scarab_does_not():
    beside = f"{CORRIDOR} 0 A=c4 supply=0\n 1 A=c4+3"
    assert thinks(beside) == "steal 1"
    assert thinks(beside, "scarab") != "steal 1"
    assert turn(f"{CORRIDOR} 0 A=c2 H=c1 supply=0\n 1 A=c3+3")[:2] == ["archaeologist c3", "steal 1"]


def test_it_lights_the_way_behind_its_archaeologist():
    assert thinks(f"{CORRIDOR} 0 A=c4 H=c2") == "lamp"
    assert thinks(f"{CORRIDOR} 0 A=c4 H=c2", "scarab") != "lamp"


@pytest.mark.parametrize("style", ["scarab", "gecko", "jackal"])
def test_everybody_runs_when_the_next_turn_would_be_too_late(style):
    assert turn(RUIN, style)[:3] == ["archaeologist c2", "archaeologist c1", "helper c2"]


@pytest.mark.parametrize("style", ["scarab", "gecko", "jackal"])
def test_nobody_stays_where_a_restless_pyramid_is_about_to_fall(style):
    """There is nothing left to find, and the helper has nothing to do."""
    walled = CORRIDOR.replace("? ? │", "? ? L", 1)
    options = {"restless": 4}
    for text, stays in (("turn 0 round=4", False), ("turn 0 round=4 stirred=3", True)):
        state = at(f"{walled} 0 A=c4 H=c1 supply=0\n unseen tee=12\n {text}", **options)
        action = str(style_action(state, style, 1))
        assert (action == "archaeologist c3") != stays, action


def test_it_takes_the_mask_only_if_it_gets_home_with_it():
    far = f"{FAR_MASK} 0 A=f6\n lying f6=mask\n mask f6 finder=0 countdown=2"
    near = f"{NEAR_MASK} 0 A=c4\n lying c4=mask\n mask c4 finder=0 countdown=2"
    assert thinks(far) != "take mask"
    assert thinks(near) == "take mask"
    assert thinks(near, "scarab") != "take mask"


def test_it_turns_the_tile_that_shuts_its_carrier_in():
    assert thinks(f"{CORRIDOR.replace('│', '─', 1)} 0 A=c4+3 H=c4") == "turn c4 NS"


def test_it_finds_a_way_that_takes_more_than_one_turn_of_a_tile():
    walled = """
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? │ ┬ │ ? ?
        ? │ ─ │ ? ?
        ? │ S │ ? ?
        0 A=c2 H=c2 supply=0
    """
    assert turn(walled, "seasoned")[:3] in (["turn c2 NS", f"turn c3 {ways}", "archaeologist c3"] for ways in TEES)


def test_shut_in_means_no_way_home_nothing_to_find_and_no_helper():
    sealed = CELL.replace("C", "─")
    assert shut_in(to_row(at(f"{sealed} 0 A=c3 H=c1")), 0)
    assert not shut_in(to_row(at(f"{sealed} 0 A=c3 H=c3")), 0)
    assert not shut_in(to_row(at(f"{CORRIDOR} 0 A=c3 H=c1")), 0)


def test_searchers_do_not_think_about_shutting_themselves_in():
    view = at(f"{CELL.replace('C', '│')} 0 A=c3 H=c2")
    thought = set(map(str, promising(view, view.actions())))
    assert "turn c3 EW" not in thought
    assert "helper c1" in thought
    assert GAME.parse("end") in promising(view, view.actions())


@pytest.mark.parametrize(
    ("figures", "left_out"),
    [
        ("0 A=c4+2", {"drop"}),
        ("0 A=c4+2\n lying c4=2", {"drop"}),
        ("0 A=c4+2\n lying c4=3", set()),
        ("0 A=c4+3\n lying c4=mask\n mask c4 finder=0 countdown=2", set()),
        ("0 A=c4+2\n 1 A=c4+3", set()),
        ("0 A=c4+2\n 1 A=c3+3", {"drop"}),
        ("0 A=c4+2\n lying c4=3\n turn 0 acts=1", {"drop"}),
        ("0 A=c4\n lying c4=2,3", {"take 2"}),
        ("0 A=c4\n lying c4=2,mask\n mask c4 finder=0 countdown=2", set()),
    ],
)
def test_searchers_put_nothing_down_but_for_something_dearer(figures, left_out):
    board = NEAR_MASK if "mask" in figures else CORRIDOR
    view = at(f"{board} {figures}")
    handled = {str(action) for action in view.actions() if action.kind in ("drop", "take")}
    assert handled - set(map(str, promising(view, view.actions()))) == left_out
