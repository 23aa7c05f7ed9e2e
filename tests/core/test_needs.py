"""Nothing is offered that this installation cannot do: without NumPy neither odds nor the bots that live on them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import serai
from tests.support import SERAI, SOAK

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
print(camelup.odds is not None, camelup.odds.available, *bots_here(camelup))
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.split() == ["True", "False", *PLAIN]


@pytest.mark.parametrize("command", [SERAI, WITHOUT_NUMPY], ids=["complete", "without NumPy"])
def test_the_list_of_games_names_the_bots_that_can_play(command: tuple[str, ...]) -> None:
    found = subprocess.run([*command, "games", "--json"], capture_output=True, text=True, check=True).stdout
    bots = next(game["bots"] for game in json.loads(found) if game["name"] == "camelup")
    assert bots == (list(serai.game("camelup").bots) if command is SERAI else PLAIN)


IN_SOAK = pytest.mark.skipif(not SOAK, reason="loads all the rest")
EVERY_MODULE = """
import sys
for package in sys.argv[1:]:
    sys.modules[package] = None
import importlib, pkgutil
import serai
found = []
def walked(path, prefix):
    for module_info in pkgutil.iter_modules(path, prefix):
        if module_info.name == "serai.cli":  # the command says it itself, see tests/cli/test_start.py
            continue
        try:
            module = importlib.import_module(module_info.name)
        except serai.errors.MissingExtra as error:
            found.append(f"{module_info.name}: {error}")
        else:
            if module_info.ispkg:
                walked(module.__path__, module_info.name + ".")
walked(serai.__path__, "serai.")
print("\\n".join(found))
"""
"""Imports all of Serai that can be; anything else than our own error ends it."""


@pytest.mark.parametrize(
    ("missing", "room", "extra"),
    [
        (["numba"], "serai.camelup.kernel", "fast"),
        (["numpy", "numba", "platformdirs"], "serai.pharaoh.policy", "fast"),
        pytest.param(["litestar", "uvicorn", "click", "rich"], "serai.server", "play", marks=IN_SOAK),
        pytest.param(["gymnasium", "pettingzoo", "pyspiel"], "serai.envs.pettingzoo", "envs", marks=IN_SOAK),
    ],
)
def test_every_module_can_be_imported_or_says_which_extra_it_needs(missing: list[str], room: str, extra: str) -> None:
    done = subprocess.run([sys.executable, "-c", EVERY_MODULE, *missing], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert found[room].endswith(f": install Serai with its extra {extra!r}")
    assert (room == "serai.server") == ("serai.server" in found)
    assert ("serai.lab.jit" in found) == (extra == "fast")
