"""``serai compile``: everything that people may ask for, what they ask for first comes first."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import serai
from serai.cli.compile import do, steps
from tests.cli.conftest import Answer

Serai = Callable[..., Answer]


@pytest.mark.parametrize(
    ("name", "usual", "strongest"), [("camelup", "fennec", "cobra"), ("pharaoh", "jackal", "sphinx")]
)
def test_usual_opponents_are_compiled_first_then_the_other_levels_then_the_rest(
    name: str, usual: str, strongest: str
) -> None:
    order = list(steps(serai.game(name)))
    bots = [bot for _, what, bot in order if what == "bot"]
    assert bots[0] == usual
    assert bots.index(strongest) < len(serai.game(name).levels)
    assert set(bots) == set(serai.game(name).bots)
    assert {what for _, what, _ in order} == {"bot", "hints", "rollouts", "games", "batch"}


def test_every_step_can_be_done() -> None:
    for step in steps(serai.game("camelup")):
        do(*step)


def test_the_command_does_all_steps_of_a_game_and_names_them(serai: Serai) -> None:
    answer = serai("compile", "pharaoh")
    assert answer.code == 0
    assert "pharaoh: bot jackal" in answer.err
    assert answer.out.strip() == "everything is compiled"
    assert serai("compile", "chess").code == 2
