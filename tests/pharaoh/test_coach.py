"""What the coach counts in playouts of the pyramid, and how it says it: treasures, thefts, lost figures, ways home."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from serai.coach.contrasts import explanations
from serai.core.parts import Contrast, Reason
from serai.core.rollouts import Playouts
from serai.pharaoh.parts import (
    ARCHAEOLOGIST_PART,
    CARRIED_PART,
    FETCHED_PARTS,
    HELPER_PART,
    HOME_COUNT,
    MASK_PART,
    NEXT_PLACE,
    PARTS,
    PHOTO_PART,
    ROBBED_COUNT,
    SCORE_PARTS,
    STOLEN_PARTS,
)
from serai.pharaoh.rules.actions import ALL_ACTIONS
from serai.pharaoh.rules.pieces import CELL_NAMES
from tests.pharaoh.positions import GAME, at
from tests.support import amount

HALL = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? E ? ? ?
    ? ? ├ ? ? ?
    ? ? │ ─ ? ?
    ? ? S ? ? ?
"""
FALLING = """
    ? x x x ? ?
    ? x x x ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
    0 A=c3+3
    1 museum=2
    lost mask
    mask c6 finder=1 clock=0 ring=1
    turn 0 moves=1
"""


def counted(position: str, *actions: str, policy: str = "jackal", n: int = 32) -> tuple[Any, Playouts]:
    view = at(position)
    return view, GAME.rollouts(view, [GAME.parse(action) for action in actions], n, policy=policy, seed=4, parts=True)


def reasons(position: str, *actions: str) -> dict[str, tuple[Reason, ...]]:
    """Of these actions, ranked by what they are worth."""
    coach = GAME.coach
    view, playouts = counted(position, *actions, policy=coach.policy, n=128)
    means = playouts.means(view.turn)
    ranked = sorted(range(len(means)), key=lambda place: -means[place])
    found = explanations(coach, view, playouts, view.turn, ranked, partial(playouts.lead, view.turn))
    return {actions[place]: said for place, (said, _) in found.items()}


def test_what_is_in_hand_counts_once_it_is_home() -> None:
    _, playouts = counted(f"{HALL}\n0 A=c2+3\n1 A=c1\nturn 0", "archaeologist c1")
    assert (playouts.parts[0, :, 0, CARRIED_PART] == 3).all()
    assert (playouts.parts[0, :, 0, HOME_COUNT] == 1).all()


def test_a_theft_counts_for_who_brings_the_treasure_home() -> None:
    """The thief stands with the victim, one move from home, and has the turn."""
    _, playouts = counted(f"{HALL}\n0 A=c2\n1 A=c2+3\nturn 0", "steal 1", policy="seasoned")
    assert (playouts.parts[0, :, 1, ROBBED_COUNT] == 1).all()
    stolen = playouts.parts[0, :, 0, STOLEN_PARTS[1]]
    assert stolen.mean() > 2
    assert (playouts.parts[0, :, 1, CARRIED_PART] == 0).all(), "stolen back it is no longer what was in hand"


def test_what_is_picked_up_counts_by_its_cell() -> None:
    _, playouts = counted(f"{HALL}\n0 A=c2\n1 A=c1\nlying c2=2\nturn 0", "take 2", policy="seasoned")
    here = FETCHED_PARTS[CELL_NAMES.index("c2")]
    assert playouts.parts[0, :, 0, here].mean() > 1


def test_lost_figures_and_the_mask_count_by_themselves() -> None:
    _, playouts = counted(FALLING, "archaeologist c4", "archaeologist c2")
    assert (playouts.parts[0, :, 0, ARCHAEOLOGIST_PART] == -2).all()
    mask = HALL.replace("? ? E ? ? ?", "? ? x ? ? ?", 1)
    _, playouts = counted(f"{mask}\n0 A=c2+mask\n1 A=c1\nmask c4 finder=0 clock=0 ring=0\nturn 0", "archaeologist c1")
    assert (playouts.parts[0, :, 0, MASK_PART] == 5).all()


@pytest.mark.parametrize("policy", ["even", "jackal"])
@pytest.mark.parametrize("players", [2, 4])
def test_points_are_photos_treasures_and_losses_and_nothing_else(policy: str, players: int) -> None:
    view = GAME.new(players)
    playouts = GAME.rollouts(view, n=amount(8, 100), policy=policy, seed=players, parts=True)
    plain = GAME.rollouts(view, n=amount(8, 100), policy=policy, seed=players)
    np.testing.assert_array_equal(playouts.scores, plain.scores)
    np.testing.assert_array_equal(playouts.wins, plain.wins)
    assert plain.parts is None
    np.testing.assert_allclose(playouts.parts[..., :SCORE_PARTS].sum(axis=-1), playouts.scores, atol=1e-4)
    assert playouts.parts[..., PHOTO_PART].max() > 0
    assert playouts.parts[..., HELPER_PART].min() <= 0


def test_a_walk_that_is_too_long_is_told_by_what_is_lost() -> None:
    found = reasons(FALLING, "archaeologist c4", "archaeologist c2")
    for action, often, sign in (("archaeologist c4", 0, -1), ("archaeologist c2", 100, 1)):
        treasure, figure = found[action]
        assert treasure.key == "coach.pharaoh.gets.home_far"
        assert (treasure.values["share"] - treasure.values["before"]) * sign > 0
        assert figure.key == "coach.pharaoh.gets.lost_archaeologist"
        assert (figure.values["share"], figure.values["before"]) == (100 - often, often)
        assert treasure.weight * sign > 0 < figure.weight * sign
        assert str(figure) == f"the archaeologist of seat 0 is lost in {100 - often} %, not {often} %"


def test_a_wall_before_a_laden_rival_is_told_by_what_it_does_to_the_way_home() -> None:
    position = f"{HALL}\n0 A=c1 H=c2\n1 A=c3+3 H=lost museum=3\nturn 0 moves=1"
    found = reasons(position, "turn c2 EW", "helper c1")
    rival = [reason for reason in found["turn c2 EW"] if reason.key == "coach.pharaoh.gets.home_barred"]
    assert [reason.values["seats"] for reason in rival] == [(1,)], found
    assert rival[0].values["share"] < rival[0].values["before"]
    assert rival[0].weight > 0


@pytest.mark.parametrize(
    ("robbed", "amount", "several", "told"),
    [
        (
            (8, 2),
            1.5,
            False,
            "seat 0 robs seat 1 and gets it home in 80 %, not 20 %: +1.5 points; it is 1 move there, not 3",
        ),
        ((2, 8), -1.5, False, "seat 0 robs seat 1 and gets it home in 20 %, not 80 %: -1.5 points"),
        ((8, 2), 1.5, True, "robbing brings seat 0 +1.5 points, above all from seat 1: it gets home in 80 %, not 20 %"),
        ((5, 5), 1.5, False, "in later turns seat 0 gains +1.5 points by robbing seat 1"),
        ((2, 8), 1.5, False, "in later turns seat 0 gains +1.5 points by robbing seat 1"),
    ],
)
def test_robbing_is_told_by_how_often_it_pays_and_how_near_it_is(
    robbed: tuple[int, int], amount: float, several: bool, told: str
) -> None:
    view = at(f"{HALL}\n0 A=c2\n1 A=c4+3\nturn 0")
    parts = np.zeros((2, 10, 2, PARTS))
    for place, often in enumerate(robbed):
        parts[place, :often, 0, STOLEN_PARTS[1]] = 3
    actions = GAME.parse("archaeologist c3"), GAME.parse("archaeologist c1")
    playouts: Any = SimpleNamespace(parts=parts, actions=actions)
    detail = None if several else STOLEN_PARTS[1]
    contrast = Contrast("stolen", (0,), amount, 0.1, detail, shares=((STOLEN_PARTS[1], amount),))
    assert str(GAME.coach.told(view, contrast, playouts, 0, 1)) == told


def test_a_treasure_that_lies_there_is_told_by_how_often_it_gets_home() -> None:
    view = at(f"{HALL}\n0 A=c2\n1 A=c1\nlying c2=2\nturn 0")
    here = FETCHED_PARTS[CELL_NAMES.index("c2")]
    parts = np.zeros((2, 10, 2, PARTS))
    parts[0, :9, 0, here] = 2
    playouts: Any = SimpleNamespace(parts=parts, actions=(GAME.parse("take 2"), GAME.parse("end")))
    contrast = Contrast("fetched", (0,), 1.8, 0.1, here, shares=((here, 1.8),))
    assert str(GAME.coach.told(view, contrast, playouts, 0, 1)) == "seat 0 brings the 2 on c2 home in 90 %, not 0 %"


@pytest.mark.parametrize(
    ("better", "steps", "chosen", "told"),
    [
        ("helper c1", ("lamp", "helper c2"), "end", ["helper c1", "lamp", "helper c2"]),
        ("helper c1", ("lamp",), "lamp", "helper c1"),
        ("helper c1", ("helper c2",), "helper c2", None),
        ("turn c2 EW", ("turn c2 NS",), "end", None),
        ("archaeologist c2", ("archaeologist c1",), "end", None),
        ("helper c1", ("lamp", "helper d2"), "end", None),
        ("lamp", ("unlamp",), "end", None),
        ("helper c1", ("end",), "lamp", None),
    ],
)
def test_the_plan_of_a_turn(better: str, steps: tuple[str, ...], chosen: str, told: Any) -> None:
    """It begins with the better action, and is left out where it undoes that or leads where the chosen one led."""
    view = at(f"{HALL}\n0 A=c1 H=d2\n1 A=c3\nturn 0")
    numbers = [1 + ALL_ACTIONS.index(GAME.parse(step)) for step in steps]
    parts = np.zeros((2, 10, 2, PARTS))
    parts[0, :, 0, NEXT_PLACE : NEXT_PLACE + len(steps)] = numbers
    playouts: Any = SimpleNamespace(parts=parts, actions=(GAME.parse(better), GAME.parse(chosen)))
    reason = GAME.coach.follow_up(view, playouts, 0, 1)
    if isinstance(told, list):
        assert (reason.key, reason.values["then"]) == ("coach.pharaoh.plan", told)
    elif told:
        assert (reason.key, reason.values["then"]) == ("coach.pharaoh.gets.after", [told])
        assert GAME.coach.follow_up(view, playouts, 0, None).key == "coach.pharaoh.plan"
    else:
        assert reason is None
