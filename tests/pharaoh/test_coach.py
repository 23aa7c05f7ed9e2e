"""What the coach says for walks and tiles: what waits there, what comes nearer, and whom it hinders."""

from __future__ import annotations

import pytest

from tests.pharaoh.positions import GAME, at

HALL = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? E ? ? ?
    ? ? ├ ? ? ?
    ? ? │ ─ ? ?
    ? ? S ? ? ?
"""


def said(position: str, action: str) -> list[str]:
    view = at(position)
    (reasons,) = GAME.coach.reasons(view, [GAME.parse(action)])
    return [str(reason) for reason in reasons]


@pytest.mark.parametrize(
    ("figures", "action", "first"),
    [
        ("0 A=c2+3\n1 A=c1\nturn 0", "archaeologist c1", "3 points brought to safety"),
        ("0 A=c2\n1 A=c1\nlying c3=2\nturn 0", "archaeologist c3", "2 points lie on c3"),
        ("0 A=c2\n1 A=c3+3\nturn 0", "archaeologist c3", "on c3 stands seat 1 with 3 points"),
        ("0 A=c1\n1 A=c1\nlying c3=2\nturn 0", "archaeologist c2", "then it is 1 move to 2 points on c3"),
        ("0 A=c1 H=c1\n1 A=c3\nturn 0", "turn c2 EW", "then no way leads home for seat 1"),
        ("0 A=c1 H=c1\n1 A=c1\nturn 0", "turn c2 EW", ""),
    ],
)
def test_what_speaks_for_it(figures: str, action: str, first: str) -> None:
    assert next(iter(said(f"{HALL}\n{figures}", action)), "") == first


def test_a_turned_tile_is_not_praised_for_a_way_that_was_there_before() -> None:
    position = HALL.replace("│ ─", "├ ─") + "0 A=c3 H=c2\n1 A=c1\nturn 0"
    assert said(position, "turn d2 NS") == []
    assert said(position, "archaeologist c2") == ["from c2 it is 1 move home"]
