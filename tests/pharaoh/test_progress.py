"""What gets a seat on, what idles, and what is done for nothing."""

from __future__ import annotations

import pytest

from serai.pharaoh.progress import gets_on, idles
from tests.pharaoh.positions import CORRIDOR, at

CUT_OFF = CORRIDOR.replace("? ? │ ? ? ?\n    ? ? S", "? ? ─ ? ? ?\n    ? ? S")
"""The tile on c2 lies across the way home, and is open to b2 and d2."""


@pytest.mark.parametrize(
    ("board", "figures", "found"),
    [
        (CORRIDOR, "0 A=c4", {"reveal c5"}),
        (CORRIDOR, "0 A=c2", {"archaeologist c1"}),  # b1 and d1 are nearer than c5
        (CORRIDOR, "0 A=c3", {"archaeologist c4"}),
        (CORRIDOR, "0 A=c3+2", {"archaeologist c2"}),
        (CORRIDOR, "0 A=c2\n lying c3=2", {"archaeologist c1", "archaeologist c3"}),
        (CORRIDOR, "0 A=c4\n 1 A=c4+3\n lying c4=2", {"reveal c5", "take 2", "steal 1"}),
        (CUT_OFF, "0 A=c3+2", {"archaeologist c4"}),
        (CORRIDOR, "0 A=lost", set()),
    ],
)
def test_to_discover_to_pick_up_and_to_come_nearer_to_either_or_with_a_treasure_to_home_gets_on(board, figures, found):
    state = at(f"{board} {figures}")
    assert {str(action) for action in state.actions() if gets_on(state, action)} == found
    assert [str(action) for action in state.actions() if idles(state, action)] == ["end"]


@pytest.mark.parametrize(
    ("centre", "falls"),
    [
        ("x", "1 museum=mask\n mask c4 finder=1 clock=1 ring=0"),
        ("C", "lying c4=mask\n mask c4 finder=1 countdown=2"),
    ],
)
def test_nothing_idles_once_the_pyramid_falls_or_its_countdown_runs(centre, falls):
    board = CORRIDOR.replace("? ? │ ? ? ?", f"? ? {centre} ? ? ?", 1)
    state = at(f"{board} 0 A=c1\n {falls}")
    assert not any(idles(state, action) for action in state.actions())
