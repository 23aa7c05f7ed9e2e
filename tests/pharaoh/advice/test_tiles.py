"""What a tile would do: nobody is shut in without a warning, and an omen takes the way that advice shows."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from serai.core import CHANCE
from serai.pharaoh import PharaohState
from serai.pharaoh.advice.answer import OmenWay, PhotoLeft, ShutIn
from serai.pharaoh.rules.actions import Lay, Turn
from serai.pharaoh.rules.events import FigureShutIn, MummyWoke, OmenSlept
from serai.pharaoh.rules.pieces import CELL_NAMES, NOWHERE, SIDE_NAMES
from serai.pharaoh.rules.ways import linked
from tests.pharaoh.advice.positions import some_positions
from tests.pharaoh.positions import CORRIDOR, GAME, at, cell, do, happen, of_kind


def warned(state: PharaohState) -> dict[str, list[tuple[int, str, bool]]]:
    """Who would lose their way home, by cell and openings."""
    found: dict[str, list[tuple[int, str, bool]]] = {}
    for one in GAME.advice(state).shut_in:
        way = f"{CELL_NAMES[one.cell]} {SIDE_NAMES[one.openings]}"
        found.setdefault(way, []).append((one.seat, one.figure, one.alone))
    return found


def test_5_2_a_turned_tile_that_shuts_somebody_in_is_told_before():
    state = at(f"{CORRIDOR} 0 H=c3\n 1 A=c4 H=c4")
    # the helper turns its own tile, or one next door; a figure inside with a helper can turn back
    assert warned(state) == {
        "c2 EW": [(0, "helper", False), (1, "archaeologist", False), (1, "helper", False)],
        "c3 EW": [(0, "helper", False), (1, "archaeologist", False), (1, "helper", False)],
        "c4 EW": [(1, "archaeologist", False), (1, "helper", False)],
    }


def test_5_2_alone_is_who_has_neither_helper_nor_anything_to_reveal():
    inside = """
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ┐ ? ? ?
        ? ┌ ┴ ┐ ? ?
        ? └ ┬ ┘ ? ?
        ? ? S ? ? ?
        0 H=c2
        1 A=b3
    """
    state = at(inside)
    assert warned(state)["c2 NEW"] == [(0, "helper", False), (1, "archaeologist", False)]
    closed = at(inside.replace("? ? ┐ ? ? ?\n        ? ┌ ┴ ┐", "? ? ? ? ? ?\n        ? ┌ ─ ┐"))
    assert warned(closed)["c2 NEW"] == [(0, "helper", False), (1, "archaeologist", True)]


def test_5_2_laying_a_wall_towards_oneself_cuts_nobody_off_from_where_they_are():
    state = at(f"{CORRIDOR} 0 A=c4\n reveal c5 tile=corner")
    assert warned(state) == {}


def test_every_way_home_that_a_tile_cuts_is_told_and_no_other() -> None:
    for state, advice in some_positions():
        expected = set()
        for action in state.actions():
            if isinstance(action, Lay | Turn):
                after = state.apply(action)
                place = action.cell if isinstance(action, Turn) else state.site
                for seat in range(state.players):
                    for figure, places in (("archaeologist", state.archaeologists), ("helper", state.helpers)):
                        if _leads_home(state, places[seat]) and not _leads_home(after, places[seat]):
                            expected.add((place, action.openings, seat, figure))
        assert {(one.cell, one.openings, one.seat, one.figure) for one in advice.shut_in} == expected
        for one in advice.shut_in:
            stands = _stays_in(state, one) if one.alone else state.cell_of(one.seat, one.figure)
            event = FigureShutIn(one.seat, one.figure, stands, by=state.turn, alone=one.alone)
            assert event in happen(state, _way(state, one))


def _leads_home(state: PharaohState, stands: int) -> bool:
    """Whether links lead from there to the start tile."""
    return stands != NOWHERE and state.start in _inside(state, stands)


def _inside(state: PharaohState, stands: int) -> set[int]:
    found, edge = {stands}, [stands]
    while edge:
        onward = [other for here in edge for other in linked(state.tiles, here) if other not in found]
        found.update(onward)
        edge = onward
    return found


def _way(state: PharaohState, warning: ShutIn) -> str:
    """The action that is warned of."""
    sides = SIDE_NAMES[warning.openings]
    return f"lay {sides}" if state.drawn >= 0 else f"turn {CELL_NAMES[warning.cell]} {sides}"


def _stays_in(state: PharaohState, warning: ShutIn) -> int:
    """Nothing that its player's figures inside can do opens a way, wherever they go there; on which cell it stands."""
    after = do(state, _way(state, warning))
    stands = (state.archaeologists if warning.figure == "archaeologist" else state.helpers)[warning.seat]
    inside = _inside(after, stands)
    assert state.start not in inside
    for figures, kind in ((after.archaeologists, "reveal"), (after.helpers, "turn")):
        if figures[warning.seat] in inside:
            for here in inside:
                moved = _moved(after, warning.seat, kind, here)
                assert not [action for action in moved.actions() if action.kind == kind]
    return stands


def _moved(state: PharaohState, seat: int, kind: str, here: int) -> PharaohState:
    """The position on that player's turn, with the figure that does such things on this cell."""
    name = "archaeologists" if kind == "reveal" else "helpers"
    places = list(getattr(state, name))
    places[seat] = here
    turn = {"actor": seat, "turn": seat, "moves_left": 3, "site": NOWHERE, "drawn": NOWHERE}
    return replace(state, **turn, **{name: tuple(places)})


def test_9_2_the_way_an_omen_would_take_is_the_way_it_takes():
    state = at(f"{CORRIDOR} 0 A=c4")
    way = tuple(map(cell, ("c5", "c4", "c3", "c2", "c1")))
    assert GAME.advice(state).omens == (OmenWay(cell("c5"), tuple(pairwise(way))),)
    events = happen(state, "reveal c5", "tile lotus", "photo 3", "treasure 2", "treasure 2")
    assert of_kind(events, MummyWoke)[0].way == way
    cut = at(f"{CORRIDOR.replace('│', '─', 2)} 0 A=c4")
    assert [one.steps for one in GAME.advice(cut).omens] == [(), ()]
    assert of_kind(happen(cut, "reveal b4", "tile lotus", "photo 3", "treasure 2", "treasure 2"), OmenSlept)


def test_9_2_an_omen_that_could_go_two_ways_is_told_to_go_both():
    fork = """
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ┌ ┴ ┐ ? ?
        ? │ ? │ ? ?
        ? └ S ┘ ? ?
        0 A=c3
    """
    (omen,) = GAME.advice(at(fork)).omens
    steps = {f"{CELL_NAMES[one]} {CELL_NAMES[other]}" for one, other in omen.steps}
    assert steps == {"c4 c3", "c3 b3", "c3 d3", "b3 b2", "d3 d2", "b2 b1", "d2 d1", "b1 c1", "d1 c1"}


def test_12_1_the_photos_that_are_left_are_known_to_all():
    assert GAME.advice(GAME.new()).photos == (
        PhotoLeft(1, 1, ""),
        PhotoLeft(2, 1, "curse"),
        PhotoLeft(3, 2, "mummy"),
        PhotoLeft(4, 2, "curse"),
        PhotoLeft(5, 3, "mummy"),
    )
    taken = at(f"{CORRIDOR.replace('│', 'L', 1)} 0 photos=3")
    assert [one.number for one in GAME.advice(taken).photos] == [1, 2, 4, 5]


def test_advice_needs_nobody_to_act() -> None:
    drawing = do(GAME.new(), "reveal c2")
    assert drawing.actor is CHANCE
    over = do(at(f"{CORRIDOR} turn 1", max_rounds=1), "end")
    assert over.over
    for state in (drawing, over):
        advice = GAME.advice(state)
        assert (advice.shut_in, advice.dangers, advice.omens) == ((), (), ())
        assert len(advice.homes) == 4
