"""The front door: what ``import serai`` gives, how light it is, and how games and bots are found."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest

import serai
from serai.core import Option
from serai.core.registry import bot_factory, bot_names
from serai.errors import BadNotation, BadOptions, BadRecord, Hidden, IllegalAction, UnknownName


def test_import_serai_brings_neither_numpy_nor_a_server() -> None:
    heavy = ("numpy", "numba", "litestar", "uvicorn", "click", "rich", "sqlite3", "asyncio")
    code = f"import sys, serai; serai.game('camelup').new(players=4); print([m for m in {heavy!r} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_import_serai_brings_no_game() -> None:
    code = "import sys, serai; print([m for m in sys.modules if m.startswith(('serai.camelup', 'serai.pharaoh'))])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_all_that_is_offered_is_there_and_errors_have_a_module_of_their_own() -> None:
    for name in serai.__all__:
        assert getattr(serai, name) is not None
    assert not hasattr(serai, "IllegalAction")
    assert issubclass(serai.errors.IllegalAction, serai.errors.SeraiError)


def test_one_game_is_played_by_naming_its_bots() -> None:
    outcome = serai.play("camelup", ["jerboa", lambda view, rng: view.actions()[-1]], seed=7)
    assert outcome.state.over
    assert outcome.record == serai.play("camelup", ["jerboa", lambda view, rng: view.actions()[-1]], seed="7").record
    assert [seat.bot for seat in outcome.record.seats] == ["jerboa", "<lambda>"]


def test_games_are_found_by_name() -> None:
    assert "camelup" in serai.games()
    assert serai.game("camelup") is serai.game("camelup")
    with pytest.raises(UnknownName, match=r"no game 'camelop' \(did you mean 'camelup'\?\)"):
        serai.game("camelop")


def test_bots_are_found_by_name() -> None:
    game = serai.game("camelup")
    assert bot_names(game)[0] == "random"
    assert bot_factory(game, "random")().decide
    with pytest.raises(UnknownName, match=r"no bot 'randon' \(did you mean 'random'\?\)"):
        bot_factory(game, "randon")
    with pytest.raises(UnknownName):
        bot_factory(game, "camelup.random")


def test_errors_are_value_errors_with_key_values_and_sentence() -> None:
    error = IllegalAction("camelup.desert.adjacent", space=6, tile=5, seat=2, free=(9, 11, 12, 13))
    assert (error.key, error.values["seat"]) == ("camelup.desert.adjacent", 2)
    assert str(error) == "space 6 is next to seat 2's desert tile on 5; free spaces: 9, 11 to 13"
    assert str(IllegalAction("unknown.key", a=1)) == "unknown.key (a=1)"
    for kind in (IllegalAction, BadNotation, BadRecord, BadOptions, Hidden):
        assert issubclass(kind, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (again.key, again.values, str(again)) == (error.key, error.values, str(error))
    assert "camelup.desert.adjacent" in repr(error)


def test_chance_is_one_thing_wherever_it_goes() -> None:
    assert copy.deepcopy(serai.CHANCE) is serai.CHANCE
    assert pickle.loads(pickle.dumps(serai.CHANCE)) is serai.CHANCE
    assert repr(serai.CHANCE) == "CHANCE"


def test_options_are_read_as_people_type_them() -> None:
    yes = Option("quiet", "bool", False, "label")
    assert [yes.read(word) for word in ("true", "on", "YES", "0", "off")] == [True, True, True, False, False]
    limit = Option("limit", "count", 3, "label", optional=True)
    assert (limit.read("7"), limit.read("none")) == (7, None)
    ring = Option("ring", "choice", "king", "label", choices=("king", "rook"))
    assert ring.read("rook") == "rook"
    for option, word in ((yes, "maybe"), (limit, "-1"), (ring, "queen")):
        with pytest.raises(BadNotation, match=f"option {option.name}"):
            option.read(word)


def test_the_schema_knows_odds_without_numpy() -> None:
    code = "import sys, serai.wire.schema as s; print('camelup.Odds' in s.schema()['$defs'], 'numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "True False"
