"""The recipe for MaskablePPO of sb3-contrib, where that is installed: it learns, and what it learned plays as a bot."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

import serai
from tests.support import SOAK, amount

pytest.importorskip("sb3_contrib")
sys.path.append(str(Path(__file__).parents[2] / "examples/learn"))
pytestmark = pytest.mark.filterwarnings("default")

GAME: Any = serai.game("camelup")


def test_it_learns_and_plays(tmp_path: Path) -> None:
    import maskable_ppo

    model = maskable_ppo.teach(amount(4, 60), "random", lanes=amount(32, 256), steps=16)
    share, error = maskable_ppo.examine(model, "random", games=200)
    assert 0 <= share <= 1
    if SOAK:
        assert share - 2 * error > 0.25, "a minute is enough to be better than random"
    model.save(tmp_path / "taught.zip")
    bot = maskable_ppo.Taught(str(tmp_path / "taught.zip"))
    view = GAME.position("1gyo 3bw", players=4)
    assert bot.decide(view, random.Random(1)) in view.actions()
