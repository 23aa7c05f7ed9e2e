"""How far: what advice shows in reach is what sequences of legal actions reach."""

from __future__ import annotations

from typing import Any

from serai.pharaoh import PharaohState
from serai.pharaoh.advice.answer import Reached
from serai.pharaoh.rules.events import Walked
from serai.pharaoh.rules.pieces import CELL_NAMES, Cells
from tests.pharaoh.advice.positions import some_positions
from tests.pharaoh.positions import CORRIDOR, GAME, at

FORK = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? L ─ ┐ ? ?
    ? │ ? │ ? ?
    ? └ ┬ ┘ ? ?
    ? ? S ? ? ?
"""


def reached(state: PharaohState, figure: str = "archaeologist") -> dict[str, Reached]:
    """What a figure reaches, by cell."""
    return {CELL_NAMES[one.cell]: one for one in GAME.advice(state).reach if one.figure == figure}


def names(cells: Cells) -> str:
    return " ".join(CELL_NAMES[one] for one in cells)


def test_4_2_one_two_and_three_moves():
    state = at(f"{CORRIDOR} 0 A=c2")
    assert {name: len(one.steps) for name, one in reached(state).items()} == {"c1": 1, "c3": 1, "c4": 2}
    assert {name: len(one.steps) for name, one in reached(state, "helper").items()} == {"c2": 1, "c3": 2, "c4": 3}
    assert reached(at(f"{CORRIDOR} 0 A=c2\n turn 0 moves=1")).keys() == {"c1", "c3"}
    assert reached(at(f"{CORRIDOR} 0 A=lost")) == {}


def test_4_3_a_lit_run_is_one_move_and_told_as_a_path():
    run = reached(at(f"{FORK} 0 lamps=c2,b2,b3"))["b4"]
    assert (names(run.steps), names(run.way)) == ("b4", "c1 c2 b2 b3 b4")
    unlit = reached(at(f"{FORK} 0 lamps=c2"))["b3"]
    assert (names(unlit.steps), names(unlit.way)) == ("b2 b3", "c1 c2 b2 b3")


def test_8_3_nobody_walks_on_from_where_a_treasure_is_banked():
    state = at("""
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? │ ? ? ?
        ? ─ S ─ ? ?
        0 A=b1+3 H=b1
    """)
    assert reached(state).keys() == {"c1"}
    assert reached(state, "helper").keys() == {"c1", "d1", "c2"}


def test_10_2_nobody_walks_on_from_where_the_mask_leaves_its_chamber():
    chamber = f"{FORK} lying b4=2\n mask b4 finder=0 countdown=2\n 0 A=b4"
    assert reached(at(chamber.replace("A=b4", "A=b4+mask"))).keys() == {"b3", "c4"}
    free = at(chamber.replace("lying b4=2", "lying b4=2,mask"))
    assert reached(free).keys() == {"b3", "c4", "b2", "d4", "c2", "d3"}


def test_reach_is_what_legal_actions_reach() -> None:
    for state, advice in some_positions():
        for figure in ("archaeologist", "helper"):
            mine = {one.cell: one for one in advice.reach if one.figure == figure}
            assert {goal: len(one.steps) for goal, one in mine.items()} == _walked_to(state, figure)
            for one in mine.values():
                _walk(state, one)


def _walked_to(state: Any, figure: str) -> dict[int, int]:
    """Every cell that walking leads to, with the fewest moves, nothing else happening before the last of them."""
    if state.drawn >= 0:
        return {}
    stands = (state.archaeologists if figure == "archaeologist" else state.helpers)[state.turn]
    found = {stands: 0}
    edge = [state]
    for moves in range(1, state.moves_left + 1):
        onward = []
        for before in edge:
            for action in before.actions():
                if action.kind == figure and action.cell not in found:
                    after, events = before.step(action)
                    found[action.cell] = moves
                    if all(isinstance(event, Walked) for event in events):
                        onward.append(after)
        edge = onward
    del found[stands]
    return found


def _walk(state: PharaohState, reached: Reached) -> None:
    """Each step is a legal action, only the last sets anything going, and the way is the one that is walked."""
    way: tuple[int, ...] = ()
    for step in reached.steps:
        state, events = state.step(GAME.parse(f"{reached.figure} {CELL_NAMES[step]}"))
        assert isinstance(events[0], Walked)
        way = (*way[:-1], *events[0].way)
        assert len(events) == 1 or step == reached.cell
    assert way == reached.way
