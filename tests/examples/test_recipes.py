"""The recipes in one file, where PyTorch is installed: they learn and say how well; in the soak well enough."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import SOAK, amount

pytest.importorskip("torch")
FOLDER = Path(__file__).parents[2] / "examples/learn"


@pytest.mark.parametrize(
    ("file", "settings"),
    [
        ("ppo.py", ["--opponents", "random"]),
        ("ppo.py", ["--opponents", "random", "--game", "pharaoh"]),
        ("self_play.py", ["--examiners", "random"]),
    ],
)
def test_it_learns_and_says_how_well(file: str, settings: list[str], tmp_path: Path) -> None:
    seconds, exam, lanes = str(amount(1, 60)), str(amount(20, 400)), str(amount(16, 256))
    network = tmp_path / "network.pt"
    command = [sys.executable, file, *settings, "--seconds", seconds, "--exam", exam, "--lanes", lanes]
    ended = subprocess.run([*command, "--file", str(network)], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    found = re.search(r"against three random: ([\d.]+)% ± ([\d.]+)% of victories", ended.stdout)
    assert found, ended.stdout
    assert network.stat().st_size > 1000
    if SOAK and "pharaoh" not in settings:
        assert float(found[1]) - float(found[2]) > 25, "a minute is enough to be better than random"
