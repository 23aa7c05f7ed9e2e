"""The example bots: each is built, checked as its author would, and beats chance."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import serai
from serai.bots.check_bot import check
from tests.support import SOAK, amount

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "bots"


@pytest.fixture(scope="module")
def drover(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot in C, built as its first lines say."""
    compiler = shutil.which("cc")
    assert compiler is not None, "the bot in C needs a compiler: make compiler installs one"
    built = tmp_path_factory.mktemp("drover") / "drover"
    command = [compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(built), str(EXAMPLES / "drover.c")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return built


@pytest.fixture(params=["python", "c", "javascript"])
def example(request: pytest.FixtureRequest) -> str:
    """Each, as it would be named."""
    if request.param == "c":
        return f"process:{request.getfixturevalue('drover')}"
    if request.param == "python":
        return f"process:python3 {EXAMPLES / 'caravan.py'}"
    return f"process:{_node()} {EXAMPLES / 'nomad.js'}"


def _node() -> str:
    """Node, wherever what builds the page finds it."""
    asked = [sys.executable, str(ROOT / "hatch_build.py"), "node", "-p", "process.execPath"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def test_an_example_gets_through_every_odd_situation(example: str) -> None:
    wrong = [finding for finding in check(serai.game("camelup"), example, 60.0) if finding.fault]
    assert not wrong


def test_an_example_beats_random(example: str) -> None:
    run = serai.simulate("camelup", [example, "random"], games=amount(6, 100), paired=True, seed=3, limit=60.0)
    assert run.summary().bots[0].wins.share >= 0.8


def test_the_example_of_both_games_beats_random_in_the_pyramid() -> None:
    spec = f"process:python3 {EXAMPLES / 'caravan.py'}"
    run = serai.simulate("pharaoh", [spec, "random"], games=amount(6, 100), paired=True, seed=5, limit=60.0)
    assert run.summary().bots[0].wins.share > 0.5
    if SOAK:
        assert not [finding for finding in check(serai.game("pharaoh"), spec, 60.0) if finding.fault]


def test_examples_need_nothing_but_their_language() -> None:
    sources = {file.name: file.read_text() for file in EXAMPLES.iterdir()}
    assert not any(word in source for source in sources.values() for word in ("import serai", "from serai"))
    assert set(sources) == {"caravan.py", "drover.c", "nomad.js"}
