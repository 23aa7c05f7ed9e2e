"""How commands start: quickly, without what they do not need, and with a word when something is missing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer
from tests.cli.terminal import SERAI


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_without_the_play_extra_one_line_says_how_to_get_it(missing: str) -> None:
    done = python(f"import sys; sys.modules[{missing!r}] = None; from serai.cli import main; main()")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == f"serai: the commands need {missing}: install Serai with its extra 'play'\n"


@pytest.mark.parametrize("command", [["games"], ["--help"], ["play", "--seats", "random,random"]])
def test_nothing_heavy_is_loaded_that_is_not_needed(command: list[str], home: Path) -> None:
    heavy = "{'numpy', 'numba', 'rich', 'asyncio', 'litestar', 'uvicorn'}"
    done = python(
        f"import sys; from serai.cli._support.group import run; code = run({command!r});"
        f"loaded = {heavy} & set(sys.modules); sys.exit(f'loaded {{loaded}}' if loaded else code)"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_games_lists_every_game_with_options_and_bots(serai: Callable[..., Answer]) -> None:
    text = serai("games").out
    listed = serai("games", "--json").json
    assert "camelup" in [game["name"] for game in listed]
    for game in listed:
        assert game["name"] in text
        assert game["players"][0] < game["players"][1]
        assert "random" in game["bots"]
        for option in game["options"]:
            assert f"{option['name']}: " in text


def test_a_reader_that_leaves_is_no_error(home: Path) -> None:
    golden = next((Path(__file__).parents[1] / "golden" / "camelup").glob("*.serai"))
    for command in (["games"], ["replay", str(golden)], ["replay", "--json", str(golden)], ["--help"]):
        with subprocess.Popen([SERAI, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            assert run.stdout is not None
            assert run.stderr is not None
            run.stdout.close()
            assert run.stderr.read() == ""
        assert run.returncode == 0


def test_output_of_a_game_into_a_closed_pipe_is_no_traceback(home: Path) -> None:
    with subprocess.Popen(
        [SERAI, "play"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        run.stdin.close()
        assert "Traceback" not in run.stderr.read()
