"""What comes: the forecast is what happens, and a figure that is said to be safe can get home."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from serai.pharaoh import PharaohState
from serai.pharaoh.advice.answer import Danger, Home
from serai.pharaoh.rules.actions import END
from serai.pharaoh.rules.pieces import CELL_NAMES, FALLEN, NOWHERE
from tests.pharaoh.advice.positions import some_positions
from tests.pharaoh.positions import GAME, at, cell
from tests.support import amount

RACE = """
    ? ? ? L ? ?
    ? ? ? │ ? ?
    ? ? ┌ ┘ ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
"""
"""One way: c1, c2, c3, c4, d4, d5, and the chamber on d6."""


def home(state: PharaohState, seat: int = 0, figure: str = "archaeologist") -> Home:
    homes: tuple[Home, ...] = GAME.advice(state).homes
    return next(one for one in homes if (one.seat, one.figure) == (seat, figure))


def test_10_4_every_cell_tells_when_it_falls():
    found = GAME.advice(at(f"{RACE} mask d6 finder=1 countdown=2\n lying d6=mask")).collapse
    assert found.seat == 1
    assert [found.turns[cell(name)] for name in ("d6", "d5", "d4", "c4", "c2", "a6")] == [2, 3, 4, 4, 6, 5]
    assert found.turns[cell("c1")] == NOWHERE
    assert GAME.advice(GAME.new()).collapse is None


def test_10_3_the_clocks_turns_count_once_the_chamber_has_fallen():
    fallen = RACE.replace("L", "x")
    found = GAME.advice(at(f"{fallen} mask d6 finder=1 clock=0 ring=0\n 1 A=d5+mask")).collapse
    assert found.seat == 0
    assert [found.turns[cell(name)] for name in ("d6", "d5", "d4", "c4", "c2")] == [NOWHERE, 1, 2, 2, 4]


def test_11_5_2_an_announced_fall_counts_from_the_end_of_this_round():
    announced = at(f"{RACE} 1 A=d6\n turn 1 round=4", restless=4)
    found = GAME.advice(announced)
    assert found.collapse.seat == 1
    assert [found.collapse.turns[cell(name)] for name in ("d6", "d5", "d4", "c4", "c2")] == [1, 2, 3, 3, 5]
    assert found.dangers == (Danger("archaeologist", lost=True),)
    assert home(announced, 1).safe is True
    assert home(replace(announced, moves_left=0), 1).safe is False
    calm = GAME.advice(replace(announced, stirred=4, falls=()))
    assert (calm.collapse, calm.dangers) == (None, ())


def test_11_5_4_a_pyramid_that_falls_by_itself_counts_rounds():
    state = at(f"{RACE.replace('L', 'x')} restless d6 ring=0\n 0 A=c4\n turn 0 round=9", restless=4, first=1)
    found = GAME.advice(state).collapse
    assert found.seat == 0
    assert [found.turns[cell(name)] for name in ("d6", "d5", "d4", "c4", "c2")] == [NOWHERE, 1, 2, 2, 4]


def test_11_5_6_a_walk_with_a_mask_that_was_found_late_goes_on_out_of_its_chamber():
    found = f"{RACE} mask d6 finder=0 countdown=2\n 0 A=d6+mask"
    late = RACE.replace("? ? ? L ? ?", "x ? ? L ? ?")
    state = at(f"{late} restless a6 ring=0\n mask d6 finder=0\n 0 A=d6+mask\n turn 0 round=9", restless=4)
    reach = [len(one.steps) for one in GAME.advice(state).reach if one.figure == "archaeologist"]
    assert reach == [1, 2, 3]
    assert [len(one.steps) for one in GAME.advice(at(found)).reach if one.figure == "archaeologist"] == [1]
    assert home(state).safe is True


def test_10_5_a_way_home_in_moves_and_turns():
    running = f"{RACE} mask d6 finder=0 countdown=1\n lying d6=mask"
    # the chamber falls at the end of this turn, ring 1 (d5) after the next; two turns of three moves bring it home
    found = home(at(f"{running}\n 0 A=d5"))
    assert (found.moves, found.turns, found.safe) == (5, 2, True)
    assert " ".join(CELL_NAMES[one] for one in found.way) == "d5 d4 c4 c3 c2 c1"
    late = home(at(f"{running}\n 0 A=d5\n turn 0 moves=0"))
    assert (late.moves, late.turns, late.safe) == (5, 2, True)
    # further in it falls with the chamber unless it moves now
    assert home(at(f"{running}\n 0 A=d6")).safe is True
    assert home(at(f"{running}\n 0 A=d6\n turn 0 moves=0")).safe is False
    assert home(at(f"{RACE} 0 A=d5")) == Home(0, "archaeologist", 5, found.way)


def test_10_2_whoever_holds_the_mask_in_its_chamber_starts_the_clock_by_leaving():
    # three of its turns: out to d5, which ends the first; then ring 1 falls at the end of every turn of its own
    state = at(f"{RACE} mask d6 finder=1 countdown=3\n 0 A=d6+mask")
    assert home(state).safe is True
    slow = at(f"{RACE} mask d6 finder=1 countdown=3\n 0 A=d6+mask", mask_exit_ends_turn=False)
    assert home(slow).safe is True
    shut = at(f"{RACE.replace('└', '─')} mask d6 finder=1 countdown=1\n 0 A=d6+mask\n turn 1")
    assert home(shut).safe is False


def test_5_2_a_figure_without_a_way_is_not_safe():
    walled = RACE.replace("┌ ┘", "┌ ─")
    found = home(at(f"{walled} mask d6 finder=1 countdown=3\n lying d6=mask\n 0 A=d5"))
    assert (found.moves, found.way, found.turns, found.safe) == (NOWHERE, (), 0, False)


def test_11_4_whoever_is_inside_when_the_last_round_ends_is_not_lost():
    deep = f"{RACE} mask d6 finder=1 countdown=3\n lying d6=mask\n 0 A=d6\n turn 0 moves=0"
    assert home(at(deep)).safe is True
    walled = deep.replace("┌ ┘", "┌ ─")
    assert home(at(walled)).safe is False
    assert home(at(walled, max_rounds=2)).safe is True


def test_10_5_a_fatal_end_of_turn_is_told_before():
    fallen = f"{RACE.replace('L', 'x')} mask d6 finder=0 clock=0 ring=0"
    state = at(f"{fallen}\n 0 A=d5+mask H=c2")
    assert [(one.figure, one.lost) for one in GAME.advice(state).dangers] == [("archaeologist", True)]
    # d4 falls after the next turn, and from there it is four moves home
    state = at(f"{fallen}\n 0 A=d4+mask H=c2\n turn 0 moves=0")
    assert (home(state).moves, home(state).safe) == (4, True)
    assert GAME.advice(state).dangers == ()


def test_10_4_ending_the_turn_too_early_is_told_before():
    # a5 stands for two more turns, but b5 and b4, its only way, fall with this one
    state = at("""
        ? ? x x x ?
        ─ ┐ x x x ?
        ? │ ? ? ? ?
        ? │ ? ? ? ?
        ? └ ┐ ? ? ?
        ? ? S ? ? ?
        0 A=a5 H=b3 museum=mask
        unseen tee=8 corner=4 straight=5 lotus=1 eye=1 falcon=1 ibis=1
        mask d6 finder=0 clock=0 ring=1
    """)
    assert (home(state).moves, home(state).turns, home(state).safe) == (6, 1, True)
    assert GAME.advice(state).dangers == (Danger("archaeologist", lost=False),)


def test_the_forecast_is_what_happens_when_everybody_only_ends_their_turns() -> None:
    for state, advice in some_positions(collapsing=True):
        found = advice.collapse
        assert found is not None
        ends, fell = 0, {}
        now = _without_tile(state)
        while not now.over:
            ends += now.turn == found.seat
            after = now.apply(END)
            for one, code in enumerate(after.tiles):
                if code == FALLEN and now.tiles[one] != FALLEN:
                    fell[one] = ends
            now = after
        assert {one: turns for one, turns in enumerate(found.turns) if 0 < turns <= ends} == fell
        assert all(
            state.tiles[one] == FALLEN or one == state.start for one, turns in enumerate(found.turns) if turns < 0
        )


def test_safe_is_what_a_search_finds() -> None:
    rng = random.Random(3)
    for state, advice in some_positions(collapsing=True):
        for found in rng.sample(advice.homes, min(amount(1, 8), len(advice.homes))):
            assert found.safe == _can_get_home(_without_tile(state), found.seat, found.figure, {})


def test_dangers_are_what_a_search_finds() -> None:
    for state, advice in some_positions(collapsing=True):
        found = {one.figure: one.lost for one in advice.dangers}
        if state.drawn >= 0:
            assert found == {}
            continue
        after = state.apply(END)
        for figure in ("archaeologist", "helper"):
            if _place(state, state.turn, figure) == NOWHERE:
                assert figure not in found
            elif _place(after, state.turn, figure) == NOWHERE:
                assert found[figure]
            else:
                now, then = (_can_get_home(one, state.turn, figure, {}) for one in (state, after))
                assert found.get(figure) == (False if now and not then else None)


def _without_tile(state: Any) -> Any:
    """The position as if the tile in hand were still face down."""
    return replace(state, site=NOWHERE, drawn=NOWHERE)


def _place(state: PharaohState, seat: int, figure: str) -> int:
    return (state.archaeologists if figure == "archaeologist" else state.helpers)[seat]


def _can_get_home(state: PharaohState, seat: int, figure: str, known: dict[Any, bool]) -> bool:
    """Whether any walk of that figure, everybody else only ending their turns, ends on the start tile or survives."""
    place = _place(state, seat, figure)
    if place in (NOWHERE, state.start) or state.over:
        return place != NOWHERE
    key = (state.tiles, place, state.turn, state.round, state.moves_left)
    if key not in known:
        moves = [one for one in state.actions() if state.turn == seat and one.kind == figure]
        known[key] = False  # walking in circles leads nowhere
        known[key] = any(_can_get_home(state.apply(one), seat, figure, known) for one in (*moves, END))
    return known[key]
