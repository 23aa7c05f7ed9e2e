"""A game that Serai has never heard of, at the keyboard and in bulk: nothing but its entry points brings it in."""

from __future__ import annotations

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import serai
from serai.core import conformance
from serai.server.http.api import lesson
from tests.cli.terminal import SERAI, Terminal
from tests.pig.conftest import Run


def test_nobody_else_sees_it() -> None:
    assert "pig" not in serai.games()


def test_it_conforms(run: Run) -> None:
    run(sys.executable, "-c", "import serai; from serai.core import conformance; conformance.check(serai.game('pig'))")


def test_it_may_as_well_be_a_single_file(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = spec_from_file_location("alone", Path(__file__).parent / "serai_pig" / "game.py")
    assert spec is not None
    assert spec.loader is not None
    alone = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "alone", alone)
    spec.loader.exec_module(alone)
    conformance.json_round_trips(conformance.sample(alone.GAME, games=1))
    assert lesson(alone.GAME) is None


def test_it_is_listed_simulated_and_described(run: Run) -> None:
    (told,) = (game for game in json.loads(run(SERAI, "games", "--json")) if game["name"] == "pig")
    assert (told["players"], told["bots"]) == ([2, 6], ["random", "cautious"])
    series = json.loads(run(SERAI, "simulate", "pig", "--games", 30, "--bots", "cautious,random", "--json"))
    wins = {bot["name"]: bot["wins"]["share"] for bot in series["summary"]["bots"]}
    assert wins["cautious"] > wins["random"]
    assert series["faults"] == []
    assert {"pig.State", "pig.Action", "pig.Event"} <= json.loads(run(SERAI, "schema"))["$defs"].keys()


def test_it_is_played_in_the_terminal_looked_back_at_and_verified(run: Run, installed: str, tmp_path: Path) -> None:
    save = tmp_path / "game.serai"
    arguments = ("play", "pig", "--seats", "ann,cautious", "--option", "target=12", "--save", str(save))
    with Terminal(*arguments, home=tmp_path, PYTHONPATH=installed) as game:
        while not (heard := game.wait_for("ann> ", "The record of this game")).endswith("game"):
            game.line("hold" if "hold" in heard.rsplit("gathered in this turn", 1)[-1] else "roll")
        assert game.finish()[0] == 0
    assert "First to 12" in game.text
    assert "ann rolls a " in game.text
    assert run(SERAI, "verify", save).startswith(f"{save}: holds: pig, 2 players")
    assert "The result: ann " in run(SERAI, "replay", save)


def test_it_has_no_odds_and_says_so(run: Run) -> None:
    assert run(SERAI, "odds", "pig", "5", code=2) == "serai: pig has no odds; games with odds: camelup\n"
