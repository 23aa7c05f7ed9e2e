"""Nothing is offered that this installation cannot do: without NumPy neither odds nor the bots that live on them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import serai
from tests.support import SERAI

WITHOUT_NUMPY = (sys.executable, "-c", 'import sys; sys.modules["numpy"] = None; ' + SERAI[-1])
PLAIN = ["random", "jerboa"]
"""Bots of Camel Up that need nothing."""


def test_a_game_tells_odds_only_where_it_can() -> None:
    code = """
import sys
sys.modules["numpy"] = None
import serai
from serai.core.registry import bots_here
camelup = serai.game("camelup")
print(camelup.has_odds, camelup.tells_odds, *bots_here(camelup))
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["True", "False", *PLAIN]


@pytest.mark.parametrize("command", [SERAI, WITHOUT_NUMPY], ids=["complete", "without NumPy"])
def test_the_list_of_games_names_the_bots_that_can_play(command: tuple[str, ...]) -> None:
    told = subprocess.run([*command, "games", "--json"], capture_output=True, text=True, check=True).stdout
    bots = next(game["bots"] for game in json.loads(told) if game["name"] == "camelup")
    assert bots == (list(serai.game("camelup").bots) if command is SERAI else PLAIN)
